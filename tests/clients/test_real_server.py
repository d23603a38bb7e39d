"""Both clients against a real server in a process of its own."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from datetime import timedelta

import pytest

from tapete.v1 import Game, GameView, GuinoteDecision, StoppedBy
from tapete_cli.messages import read_view
from tapete_client import (
    AsyncTapeteClient,
    InvalidRequestError,
    TapeteClient,
    UnknownBotError,
    format_move,
    guinote_view,
)
from tests.clients.both_clients import Caller
from tests.clients.command import GUINOTE

Connect = Callable[..., Caller]


def example(name: str) -> GameView:
    return read_view((GUINOTE / f"{name}.json").read_text())


LEAD = guinote_view(players=2, seat=1, dealer=0, muestra="4O", hand="1O 3C 7E 2B 10O 12O")


def test_list_bots(connect: Connect, server: str) -> None:
    client = connect(server)
    bots = client.list_bots()
    assert {bot.id.split("@")[0] for bot in bots} >= {"random", "heuristic", "ismcts"}
    of_guinote = [bot for bot in bots if Game.GAME_GUINOTE in bot.games]
    assert client.list_bots(game=Game.GAME_GUINOTE) == of_guinote
    # `equilibrium` plays Gilé alone.
    assert len(of_guinote) == len(bots) - 1


def test_a_move_is_legal_and_the_same_by_both_clients(connect: Connect, server: str) -> None:
    client = connect(server)
    for name in ("two_players", "four_players", "arrastre", "declare", "swap", "vueltas"):
        view = example(name)
        legal = client.list_legal_moves(view)
        answer = client.choose_move(view, bot="ismcts", iterations=300, seed=5, legal_moves=legal)
        assert answer.move in legal
        with TapeteClient(server) as other:
            again = other.choose_move(view.guinote, bot="ismcts", iterations=300, seed=5)
        assert again.SerializeToString(deterministic=True) == answer.SerializeToString(deterministic=True)


def test_a_view_made_from_notation_is_accepted(connect: Connect, server: str) -> None:
    moves = [format_move(move) for move in connect(server).list_legal_moves(LEAD)]
    assert sorted(moves) == sorted(["1O", "3C", "7E", "2B", "10O", "12O"])


def test_a_stream_ends_in_exactly_one_final_answer(connect: Connect, server: str) -> None:
    messages = connect(server).stream_analysis(
        LEAD, bot="ismcts", time=timedelta(milliseconds=300), interval=timedelta(milliseconds=50)
    )
    assert [message.is_final for message in messages] == [False] * (len(messages) - 1) + [True]
    assert len(messages) >= 3
    iterations = [message.analysis.iterations for message in messages]
    assert iterations == sorted(iterations)


def test_the_deadline_shortens_the_thinking(connect: Connect, server: str) -> None:
    answer = connect(server).choose_move(
        LEAD, bot="ismcts", time=timedelta(seconds=60), timeout=timedelta(milliseconds=400)
    )
    assert answer.analysis.stopped_by == StoppedBy.STOPPED_BY_DEADLINE
    assert answer.analysis.iterations > 0


def test_a_view_that_contradicts_itself_is_refused_with_its_path(connect: Connect, server: str) -> None:
    client = connect(server)
    wrong = GameView()
    wrong.CopyFrom(LEAD)
    wrong.guinote.hand[1].rank = 8
    wrong.guinote.ClearField("seat")
    for call in (client.list_legal_moves, client.choose_move, client.stream_analysis):
        with pytest.raises(InvalidRequestError) as caught:
            call(wrong)
        found = {violation.path.removeprefix("choose.") for violation in caught.value.violations}
        assert found >= {"view.guinote.hand[1].rank", "view.guinote.seat"}


def test_other_refusals(connect: Connect, server: str) -> None:
    client = connect(server)
    with pytest.raises(UnknownBotError) as unknown:
        client.choose_move(LEAD, bot="ismtcs")
    assert unknown.value.bot == "ismtcs"
    assert "ismcts@1" in unknown.value.known
    with pytest.raises(InvalidRequestError) as option:
        client.choose_move(LEAD, bot="ismcts?iteration=5")
    assert option.value.reason == "ERROR_REASON_UNKNOWN_OPTION"
    assert "iterations" in option.value.metadata["known"]
    with pytest.raises(InvalidRequestError) as differ:
        client.choose_move(LEAD, bot="random", legal_moves=client.list_legal_moves(LEAD)[1:])
    assert differ.value.reason == "ERROR_REASON_LEGAL_MOVES_DIFFER"
    closed = GameView()
    closed.CopyFrom(LEAD)
    closed.guinote.decision = GuinoteDecision.GUINOTE_DECISION_DECLARE
    with pytest.raises(InvalidRequestError) as window:
        client.choose_move(closed, bot="random")
    assert window.value.violations[0].path == "view.guinote.decision"


def test_many_tasks_share_one_client(runner: asyncio.Runner, server: str) -> None:
    async def ask() -> None:
        async with AsyncTapeteClient(server) as client:
            answers = await asyncio.gather(
                *(client.choose_move(LEAD, bot="ismcts", iterations=100, seed=seed) for seed in range(40))
            )
            again = await client.choose_move(LEAD, bot="ismcts", iterations=100, seed=17)
            assert answers[17] == again

    runner.run(ask())


def test_a_cancelled_task_leaves_the_client_usable(runner: asyncio.Runner, server: str) -> None:
    async def ask() -> None:
        async with AsyncTapeteClient(server) as client:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await client.choose_move(LEAD, bot="ismcts", time=timedelta(seconds=20))
            stream = client.stream_analysis(
                LEAD, bot="ismcts", time=timedelta(seconds=20), interval=timedelta(milliseconds=20)
            )
            async with aclosing(stream):
                first = await anext(stream)
            assert not first.is_final
            assert (await client.choose_move(LEAD, bot="random")).HasField("move")

    runner.run(ask())
