"""The Gilé bots as callers see them: legal answers, budgets, the same answer again, hidden cards, styles."""

import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import numba
import pytest

from tapete.v1 import DecidedBy, Game, StoppedBy
from tapete_bots.bot import Answer, Budget, Cancelled, Control
from tapete_bots.registry import find_bot
from tapete_games.gile import Deal, Rules, amount_of, format_move, kind_of, parse_move, read_view
from tapete_games.gile.state import BET, CALL, CHECK, DECIDE_BET, DECIDE_DISCARD, DISCARD, FOLD, RAISE
from tapete_games.position import Position
from tapete_games.wire import is_legal
from tests.bots.chance import Chance
from tests.bots.gile_situations import (
    move_of,
    new_deal,
    permute_hidden,
    position_of,
    position_of_state,
    samples,
)
from tests.games.test_gile_rules import pack_of

JIT = not numba.config.DISABLE_JIT
STYLES = ["balanced", "tight", "loose", "aggressive", "station"]
BOTS = [
    "random",
    *(f"heuristic?style={style}" for style in STYLES),
    "ismcts",
    "ismcts?belief=uniform",
    "equilibrium",
]


def answer_of(bot: str, position: Position, iterations: int | None = 30, seed: int = 0) -> Answer:
    return find_bot(bot, Game.GAME_GILE).choose(position, Budget(iterations), seed, Control())


# --- every bot ----------------------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.parametrize("bot", BOTS)
def test_every_answer_is_legal_and_says_how_it_was_found(bot: str) -> None:
    for seed, deal in enumerate(samples(300 if JIT else 6)):
        position = position_of(deal)
        answer = answer_of(bot, position, 5, seed)
        assert is_legal(position, answer.move)
        assert answer.candidates[0].move == answer.move
        moves = [candidate.move for candidate in answer.candidates]
        assert len(set(moves)) == len(moves)
        assert all(is_legal(position, move) for move in moves)
        assert 0 not in (answer.decided_by, answer.stopped_by, answer.reason)
        assert answer.iterations == sum(candidate.visits for candidate in answer.candidates)


@pytest.mark.kernel
@pytest.mark.parametrize("bot", BOTS)
def test_permuting_hidden_cards_never_changes_an_answer(bot: str) -> None:
    """The referee's state is changed and the position made anew from it."""
    chance = Chance(3)
    moved = 0
    for seed, deal in enumerate(samples(100 if JIT else 4, 5)):
        before = answer_of(bot, position_of(deal), 8, seed)
        state = deal.state.copy()
        moved += permute_hidden(state, chance)
        assert answer_of(bot, position_of_state(state, deal.rules), 8, seed) == before
    assert moved > (1_000 if JIT else 20)


# --- the same answer again ----------------------------------------------------------------------

SCRIPT = """
from tests.bots.test_gile_bots import fingerprints
print(*fingerprints(), sep="\\n")
"""


def fingerprints() -> list[str]:
    """Answers a few questions of every bot, in full."""
    positions = [position_of(deal) for deal in samples(15, 9)]
    return [repr(answer_of(bot, position, 150, 7)) for bot in BOTS for position in positions]


def test_a_new_process_gives_the_same_answers() -> None:
    command = [sys.executable, "-c", SCRIPT]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100, cwd=root)
    assert done.stdout.splitlines() == fingerprints()


def test_other_threads_and_other_questions_change_nothing() -> None:
    expected = fingerprints()
    for deal in samples(40, 11):
        answer_of("ismcts", position_of(deal), 60)
    assert fingerprints() == expected
    with ThreadPoolExecutor(2) as pool:
        for found in pool.map(lambda _: fingerprints(), range(2)):
            assert found == expected


def test_slices_change_nothing() -> None:
    """The same iterations in one piece and with a report after each slice."""
    reports: list[Answer] = []
    for deal in samples(5, 13):
        position = position_of(deal)
        bot = find_bot("ismcts", Game.GAME_GILE)
        whole = bot.choose(position, Budget(3_000), 1, Control())
        assert bot.choose(position, Budget(3_000), 1, Control(), reports.append) == whole
    assert reports
    assert all(report.stopped_by == StoppedBy.STOPPED_BY_UNSPECIFIED for report in reports)


# --- budgets ------------------------------------------------------------------------------------


def test_no_iterations_are_answered_by_the_rules_of_thumb() -> None:
    for seed, deal in enumerate(samples(50, 15)):
        position = position_of(deal)
        answer = answer_of("ismcts", position, 0, seed)
        assert (answer.decided_by, answer.iterations) == (DecidedBy.DECIDED_BY_HEURISTIC, 0)
        assert answer.move == answer_of("heuristic", position, None, seed).move


def test_time_and_cancellation_end_the_thinking() -> None:
    position = position_of(next(samples(1, 17)))
    bot = find_bot("ismcts", Game.GAME_GILE)
    answer = bot.choose(position, Budget(time=timedelta(milliseconds=30)), 0, Control())
    assert answer.stopped_by == StoppedBy.STOPPED_BY_TIME
    assert answer.iterations > 0
    answer = bot.choose(position, Budget(), 0, Control(deadline=time.monotonic() - 1))
    assert answer.stopped_by == StoppedBy.STOPPED_BY_DEADLINE
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        bot.choose(position, Budget(), 0, control)


def test_candidates_carry_chips_with_their_error() -> None:
    """A fold is worth nothing more and nothing less from now on."""
    folds = 0
    for deal in samples(60, 19):
        answer = answer_of("ismcts", position_of(deal), 400)
        for candidate in answer.candidates:
            if candidate.visits > 1:
                assert candidate.expected_chips is not None
                assert candidate.expected_chips_error is not None
                assert candidate.expected_points is candidate.win_probability is None
            if candidate.move == FOLD and candidate.visits > 1:
                assert (candidate.expected_chips, candidate.expected_chips_error) == (0.0, 0.0)
                folds += 1
    assert folds > 5


# --- what the bots do ---------------------------------------------------------------------------


def before_discards(hand: str) -> Position:
    """The mano of two is to discard."""
    deal = Deal(Rules(), (100, 100), 1, pack_of(hand, "7O 7C 7E 7B" if "7" not in hand else "2O 3C 10E 11B"))
    for move in ("bet 1", "call", "check", "check"):
        deal.play(parse_move(move))
    return position_of(deal)


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("hand", "discard"),
    [
        ("1O 12O 10O 3O", "discard -"),
        ("1O 12O 10O 2C", "discard 2C"),
        ("12E 11E 10E 2C", "discard 2C"),
        ("1O 12C 10E 2B", "discard 12C 10E 2B"),
        ("1O 12O 10E 2B", "discard 10E 2B"),
    ],
)
def test_the_best_discard(hand: str, discard: str) -> None:
    """Cards of the suit that counts are kept (L2)."""
    assert format_move(answer_of("heuristic", before_discards(hand)).move) == discard


def test_the_search_weighs_all_numbers_of_discards() -> None:
    """Each with its best set: here the cards that do not count go first."""
    answer = answer_of("ismcts", before_discards("12E 11E 10E 2C"), 3_000)
    sets = {amount_of(c.move).bit_count(): format_move(c.move) for c in answer.candidates}
    assert sets.keys() == {0, 1, 2, 3, 4}
    assert sets[1] == "discard 2C"
    assert answer.candidates[0].move in (parse_move("discard 2C"), parse_move("discard -"))


def test_styles_differ() -> None:
    """The station calls most, the tight style folds most, the aggressive one bets and raises most."""
    counts = {style: Counter[int]() for style in STYLES}
    for seed, deal in enumerate(samples(2_500, 21, default_rules=True)):
        position = position_of(deal)
        if position.view.decision == DECIDE_BET:
            for style, count in counts.items():
                count[kind_of(answer_of(f"heuristic?style={style}", position, None, seed).move)] += 1
    folds = {style: count[FOLD] for style, count in counts.items()}
    bets = {style: count[BET] + count[RAISE] for style, count in counts.items()}
    calls = {style: count[CALL] for style, count in counts.items()}
    assert max(folds, key=folds.__getitem__) == "tight"
    assert max(bets, key=bets.__getitem__) == "aggressive"
    assert max(calls, key=calls.__getitem__) == "station"
    assert min(bets, key=bets.__getitem__) == "station"


def test_random_draws_kinds_and_sizes_alike() -> None:
    """A pot of 12: half of the moves bet, the least, half the pot, the pot and all in a quarter each."""
    deal = Deal(Rules(ante=6), (100, 100), 1, pack_of("1O 12O", "2C 3C"))
    position = position_of(deal)
    counts = Counter(format_move(answer_of("random", position, None, seed).move) for seed in range(2_000))
    assert set(counts) == {"check", "bet 1", "bet 6", "bet 12", "bet 94"}
    assert 900 < counts.pop("check") < 1_100
    assert all(190 < count < 310 for count in counts.values())


def test_nobody_folds_what_cannot_lose() -> None:
    """Four of a suit with the as, held by the dealer in the last round: nothing beats it (L2, L16)."""
    deal = Deal(Rules(), (100, 100), 1, pack_of("7O 7C 2E 3B", "1O 12O 10O 3O"))
    for move in ("bet 1", "call", "check", "check", "discard -", "discard -", "bet 98"):
        deal.play(parse_move(move))
    position = position_of(deal)
    for bot in BOTS[1:]:
        assert answer_of(bot, position, 500).move == CALL


# --- whole deals --------------------------------------------------------------------------------


@pytest.mark.kernel
def test_self_play_ends_with_all_chips_there() -> None:
    """Mixed bots on all kinds of tables: legal moves, views that are read, chips conserved."""
    chance = Chance(5)
    for number in range(60 if JIT else 3):
        deal = new_deal(chance)
        seats = [BOTS[chance.below(len(BOTS))] for _ in deal.stacks]
        while not deal.is_over:
            position = read_view(deal.view())
            deal.play(answer_of(seats[deal.asked], position, 20, number).move)
        assert sum(deal.chips) == sum(deal.stacks)


def test_moves_of_samples_are_of_all_kinds() -> None:
    chance = Chance(1)
    kinds = Counter(kind_of(move_of(deal, chance)) for deal in samples(500, 23))
    assert set(kinds) == {FOLD, CHECK, CALL, BET, RAISE, DISCARD}
    assert any(
        amount_of(move_of(deal, chance)) for deal in samples(50, 25) if deal.decision == DECIDE_DISCARD
    )
