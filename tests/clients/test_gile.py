"""Gilé through the command, both clients and a real server."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tapete.v1 import Game, GileDecision
from tapete_cli.messages import read_view
from tapete_client import InvalidRequestError, format_move, gile_view
from tapete_games.gile.record import read_record, replay
from tests.clients.both_clients import Caller
from tests.clients.command import ROOT, tapete

Connect = Callable[..., Caller]
EXAMPLES = ROOT / "examples" / "gile"
EXPECTED = {"two_players": 2, "four_players": 4, "discard": 5, "side_pot": 4, "void_deals": 3}
VIEW = gile_view(stacks=(100, 100, 100), seat=2, dealer=0, hand="1O 12O", first=[(1, "bet 2")])


def test_the_example_views_are_what_they_say() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.json")} == set(EXPECTED)
    for name, players in EXPECTED.items():
        view = read_view((EXAMPLES / f"{name}.json").read_text()).gile
        assert len(view.stacks) == players
        is_discard = view.decision == GileDecision.GILE_DECISION_DISCARD
        assert (is_discard, len(view.set_aside)) == (name == "discard", 2 * (name == "void_deals"))
        assert f"`{name}.json` | {players} |" in (ROOT / "examples" / "README.md").read_text()
    assert len(tapete("legal", EXAMPLES / "discard.json").out.splitlines()) == 16


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_random_view_is_answered(players: int) -> None:
    for plies in (0, 3, 5):
        arguments = ["--game", "gile", "--players", str(players), "--seed", "5", "--plies", str(plies)]
        view = tapete("deal", *arguments, "--limit", "pot", "--ante", "2")
        assert view.code == 0, view.err
        answer = tapete("move", "-", "--iterations", "200", stdin=view.out)
        assert answer.code == 0, answer.err
        assert tapete("move", "-", "--iterations", "200", stdin=view.out) == answer
        rules = json.loads(view.out)["gile"]["rules"]
        assert rules == {"limit": "GILE_LIMIT_POT", "ante": 2}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["deal", "--game", "gile", "--players", "6"], "expected 2 to 5"),
        (["deal", "--game", "gile", "--no-tute"], "belongs to guinote"),
        (["deal", "--game", "gile", "--vueltas", "80-70"], "belongs to guinote"),
        (["deal", "--limit", "pot"], "belongs to gile"),
        (["play", "--stack", "50"], "belongs to gile"),
        (["deal", "--game", "mus"], "not one of"),
        (["deal", "--game", "gile", "--players", "2", "--plies", "500"], "is over after"),
    ],
)
def test_wrong_arguments_are_told(arguments: list[str], message: str) -> None:
    done = tapete(*arguments)
    assert done.code == 2
    assert message in " ".join(done.err.replace("│", " ").split())


def test_a_person_plays_and_leaves_a_record(tmp_path: Path) -> None:
    record = tmp_path / "sitting.txt"
    lines = ["h", "s", "?", "nonsense", "raise 1000", *["c", "-"] * 30, "q"]
    arguments = ["--game", "gile", "--players", "3", "--seed", "5", "--bot", "heuristic"]
    done = tapete("play", *arguments, "--record", record, stdin="\n".join(lines) + "\n")
    assert done.code == 0, done.err
    for text in (
        "Gilé, you against 2 bots, 100 chips each. Seed 5.",
        "Hint of heuristic@1",
        "is no choice here",
    ):
        assert text in done.out
    assert "You leave the table" in done.out or "You have no chips left" in done.out
    sitting = replay(read_record(record.read_text()))
    assert sitting.deals
    assert sum(sitting.stacks) == 300


# --- a real server ------------------------------------------------------------------------------


def test_a_move_of_each_bot(connect: Connect, server: str) -> None:
    client = connect(server)
    legal = client.list_legal_moves(VIEW)
    assert [format_move(move) for move in legal] == ["fold", "call", "raise 4", "raise 99"]
    for bot in client.list_bots(game=Game.GAME_GILE):
        answer = client.choose_move(VIEW, bot=bot.id, iterations=300, seed=3, legal_moves=legal)
        again = client.choose_move(VIEW.gile, bot=bot.id, iterations=300, seed=3)
        assert again.SerializeToString(deterministic=True) == answer.SerializeToString(deterministic=True)
        assert answer.move.WhichOneof("move") == "gile"
    searched = client.choose_move(VIEW, iterations=500).analysis
    assert all(candidate.HasField("expected_chips") for candidate in searched.candidates)


def test_a_stream_ends_in_one_final_answer(connect: Connect, server: str) -> None:
    messages = connect(server).stream_analysis(VIEW, iterations=100_000)
    assert [message.is_final for message in messages] == [False] * (len(messages) - 1) + [True]
    assert messages[-1].analysis.iterations == 100_000


def test_refusals_name_field_and_rule(connect: Connect, server: str) -> None:
    client = connect(server)
    wrong = gile_view(stacks=(100, 100), seat=0, dealer=0, hand="1O 1O", first=[(0, "bet 2")])
    with pytest.raises(InvalidRequestError) as caught:
        client.choose_move(wrong)
    assert [violation.path for violation in caught.value.violations] == ["view.gile.hand[1]"]
    with pytest.raises(InvalidRequestError, match="no option 'endgame'"):
        client.choose_move(VIEW, bot="heuristic?endgame=exact")
    guinote = read_view((ROOT / "examples" / "guinote" / "declare.json").read_text())
    with pytest.raises(InvalidRequestError, match="move of guinote"):
        client.choose_move(VIEW, legal_moves=client.list_legal_moves(guinote))


# --- views from numbers and texts ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"hand": 5}, TypeError, "hand is 5"),
        ({"hand": "8O"}, ValueError, "not a card"),
        ({"stacks": "100"}, TypeError, "stacks is a str"),
        ({"stacks": (100, -1)}, ValueError, r"stacks\[1\] is -1"),
        ({"first": [(1, "bets 2")]}, ValueError, "expected check, bet N"),
        ({"first": [(1, "bet")]}, ValueError, "expected check, bet N"),
        ({"last": [(1, "check 2")]}, ValueError, "expected check, bet N"),
        ({"draws": [3]}, TypeError, r"draws\[0\] is 3"),
        ({"set_aside": [1]}, TypeError, "set_aside is 1"),
        ({"rules": {}}, TypeError, "expected a GileRules"),
        ({"decision": 2**31}, ValueError, "GileDecision"),
    ],
)
def test_arguments_of_a_view_are_named(
    options: dict[str, object], error: type[Exception], message: str
) -> None:
    arguments = {"stacks": (100, 100), "seat": 1, "dealer": 1, "hand": "1O 12O", **options}
    with pytest.raises(error, match=message):
        gile_view(**arguments)  # type: ignore[arg-type]
