"""The bots as callers see them: budgets, deadlines, cancelling, reports, windows, the same answer again."""

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import numba
import pytest

from tapete.v1 import DecidedBy, MoveReason, StoppedBy
from tapete_bots.bot import Answer, Bot, Budget, Cancelled, Control
from tapete_bots.guinote import search
from tapete_bots.registry import find_bot
from tapete_games.guinote.state import DECIDE_DECLARE, DECIDE_PLAY, DECIDE_SWAP, PASS, SING, SWAP, TUTE
from tapete_games.position import Position
from tests.bots.guinote_situations import permute_hidden, position_of, position_of_state, samples

JIT = not numba.config.DISABLE_JIT
BOTS = ["random", "heuristic", "heuristic?endgame=exact", "ismcts", "ismcts?endgame=off"]


def answer_of(bot: str, position: Position, iterations: int | None = 30, seed: int = 0) -> Answer:
    return find_bot(bot).choose(position, Budget(iterations), seed, Control())


def searched_positions(count: int, first: int = 0) -> list[Position]:
    """Lists positions in which `ismcts` searches."""
    found = []
    for deal in samples(10**9, 0.1, first):
        position = position_of(deal)
        is_solved = deal.players == 2 and deal.state.stock_size == 0
        if not is_solved and TUTE not in position.legal_moves:
            found.append(position)
        if len(found) == count:
            break
    return found


# --- every bot ----------------------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.parametrize("bot", BOTS)
def test_every_answer_is_legal_and_says_how_it_was_found(bot: str) -> None:
    for deal in samples(60 if JIT else 15, 0.15):
        position = position_of(deal)
        answer = answer_of(bot, position, 5)
        assert answer.move in position.legal_moves
        assert answer.candidates[0].move == answer.move
        moves = [candidate.move for candidate in answer.candidates]
        assert len(set(moves)) == len(moves)
        assert set(moves) <= set(position.legal_moves)
        assert 0 not in (answer.decided_by, answer.stopped_by, answer.reason)
        assert answer.iterations == sum(candidate.visits for candidate in answer.candidates)


@pytest.mark.parametrize("bot", BOTS)
def test_a_single_legal_move_is_forced(bot: str) -> None:
    deal = next(d for d in samples(1_000, 0.5) if d.decision == DECIDE_SWAP)
    position = position_of(deal, (deal.asked + 1) % deal.players)
    assert position.legal_moves == (PASS,)
    answer = answer_of(bot, position)
    assert (answer.move, answer.decided_by) == (PASS, DecidedBy.DECIDED_BY_FORCED)
    assert (answer.stopped_by, answer.iterations) == (StoppedBy.STOPPED_BY_DONE, 0)


@pytest.mark.parametrize("bot", ["heuristic", "ismcts"])
def test_g22_a_tute_is_announced(bot: str) -> None:
    found = 0
    for deal in samples(4_000, 0.5):
        if TUTE in deal.legal_moves():
            answer = answer_of(bot, position_of(deal))
            assert answer.move == TUTE
            found += 1
    assert found > 15


@pytest.mark.kernel
@pytest.mark.parametrize("bot", BOTS)
def test_permuting_hidden_cards_never_changes_an_answer(bot: str) -> None:
    """The referee's state is changed and the view made anew from it."""
    rng = random.Random(1)
    moved = 0
    for seed, deal in enumerate(samples(80 if JIT else 8, 0.15, 300)):
        before = answer_of(bot, position_of(deal), 8, seed)
        other = deal.state.copy()
        moved += permute_hidden(other, deal.asked, rng)
        again = position_of_state(other, deal.asked, deal.rules, deal.coto)
        assert answer_of(bot, again, 8, seed) == before
    assert moved > (500 if JIT else 50)


# --- the same answer again ----------------------------------------------------------------------

SCRIPT = """
from tests.bots.test_guinote_bots import fingerprints
print(*fingerprints(), sep="\\n")
"""


def fingerprints() -> list[str]:
    """Answers a few questions of every bot, in full."""
    positions = [position_of(deal) for deal in samples(12, 0.05)]
    return [repr(answer_of(bot, position, 150, 7)) for bot in BOTS for position in positions]


def test_a_new_process_gives_the_same_answers() -> None:
    command = [sys.executable, "-c", SCRIPT]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100, cwd=root)
    assert done.stdout.splitlines() == fingerprints()


def test_other_threads_and_other_questions_change_nothing() -> None:
    expected = fingerprints()
    for position in searched_positions(30, 40):
        answer_of("ismcts", position, 40)
    assert fingerprints() == expected
    with ThreadPoolExecutor(2) as pool:
        for found in pool.map(lambda _: fingerprints(), range(2)):
            assert found == expected


def test_seeds_matter_to_those_that_draw() -> None:
    positions = searched_positions(20)
    for bot, differs in (("random", True), ("heuristic", False), ("ismcts", True)):
        answers = [[answer_of(bot, position, 30, seed) for position in positions] for seed in (0, 2**32 - 1)]
        assert (answers[0] != answers[1]) == differs


def test_random_draws_every_legal_move() -> None:
    position = next(p for p in searched_positions(10) if len(p.legal_moves) == 6)
    counts = Counter(answer_of("random", position, None, seed).move for seed in range(1_200))
    assert set(counts) == set(position.legal_moves)
    # five degrees of freedom: beyond 25 once in ten thousand
    assert sum((n - 200) ** 2 / 200 for n in counts.values()) < 25


# --- budgets ------------------------------------------------------------------------------------


@pytest.mark.kernel
def test_a_budget_of_nothing_gives_the_heuristic_s_answer() -> None:
    for position in searched_positions(40 if JIT else 10):
        answer = answer_of("ismcts", position, 0)
        assert answer.move == answer_of("heuristic", position).move
        assert answer.decided_by == DecidedBy.DECIDED_BY_HEURISTIC
        assert answer.stopped_by == StoppedBy.STOPPED_BY_ITERATIONS
        assert answer.reason == MoveReason.MOVE_REASON_RULE_OF_THUMB
        assert answer.iterations == 0


@pytest.mark.kernel
@pytest.mark.parametrize("iterations", [1, 2, 3, 17])
def test_a_budget_of_a_few_iterations_is_kept(iterations: int) -> None:
    for position in searched_positions(15 if JIT else 3):
        answer = answer_of("ismcts", position, iterations)
        assert answer.iterations == iterations == sum(c.visits for c in answer.candidates)
        assert answer.decided_by == DecidedBy.DECIDED_BY_SEARCH
        assert answer.stopped_by == StoppedBy.STOPPED_BY_ITERATIONS
        assert {c.move for c in answer.candidates} == set(position.legal_moves)


def test_without_a_budget_the_option_holds() -> None:
    position = searched_positions(1)[0]
    assert answer_of("ismcts?iterations=123", position, None).iterations == 123
    assert answer_of("ismcts?iterations=123", position, 77).iterations == 77


@dataclass
class Clock:
    """A clock that stands still but for the search: `per_iteration` seconds for each iteration."""

    per_iteration: float
    now: float = 1_000.0
    slices: tuple[int, ...] = ()

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def run_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], Clock]:
    def run(per_iteration: float) -> Clock:
        clock = Clock(per_iteration)
        iterate: Any = search.iterate

        def timed(task: Any, iterations: int, *others: Any) -> None:
            iterate(task, iterations, *others)
            clock.now += clock.per_iteration * iterations
            clock.slices += (iterations,)

        monkeypatch.setattr(search, "iterate", timed)
        monkeypatch.setattr(time, "monotonic", clock.monotonic)
        return clock

    return run


@pytest.mark.parametrize(("per_iteration", "milliseconds"), [(5e-6, 50), (20e-6, 10), (100e-6, 100)])
def test_time_ends_the_search(
    run_clock: Callable[[float], Clock], per_iteration: float, milliseconds: int
) -> None:
    position = searched_positions(1)[0]
    clock = run_clock(per_iteration)
    started = clock.now
    budget = Budget(time=timedelta(milliseconds=milliseconds))
    answer = find_bot("ismcts").choose(position, budget, 0, Control())
    assert answer.stopped_by == StoppedBy.STOPPED_BY_TIME
    took = clock.now - started
    # never a whole slice late: the last ones shrink with the time left, to 16 iterations
    assert milliseconds / 1_000 <= took <= milliseconds / 1_000 + 64 * per_iteration
    assert answer.iterations == sum(clock.slices)


def test_slices_stay_short(run_clock: Callable[[float], Clock]) -> None:
    """The time between two looks at the caller is about two milliseconds, after the first few iterations."""
    position = searched_positions(1)[0]
    for per_iteration in (2e-6, 10e-6, 30e-6):
        clock = run_clock(per_iteration)
        find_bot("ismcts").choose(position, Budget(iterations=5_000), 0, Control())
        assert max(clock.slices) * per_iteration <= 0.0021
        assert clock.slices[0] == 64
        assert sum(clock.slices) == 5_000


def test_a_millisecond_is_enough_for_an_answer() -> None:
    for position in searched_positions(20):
        budget = Budget(time=timedelta(milliseconds=1))
        answer = find_bot("ismcts").choose(position, budget, 0, Control())
        assert answer.move in position.legal_moves
        assert answer.stopped_by == StoppedBy.STOPPED_BY_TIME
        assert answer.iterations == sum(c.visits for c in answer.candidates)


def test_no_time_at_all_gives_the_heuristic_s_answer() -> None:
    for position in searched_positions(5):
        answer = find_bot("ismcts").choose(position, Budget(time=timedelta()), 0, Control())
        assert answer.move == answer_of("heuristic", position).move
        assert answer.stopped_by == StoppedBy.STOPPED_BY_TIME
        assert answer.decided_by == DecidedBy.DECIDED_BY_HEURISTIC


def test_iterations_end_the_search_before_the_time() -> None:
    position = searched_positions(1)[0]
    budget = Budget(iterations=50, time=timedelta(hours=1))
    answer = find_bot("ismcts").choose(position, budget, 0, Control())
    assert (answer.iterations, answer.stopped_by) == (50, StoppedBy.STOPPED_BY_ITERATIONS)


def test_a_deadline_that_is_past_gives_the_heuristic_s_answer() -> None:
    for position in searched_positions(5):
        control = Control(deadline=time.monotonic() - 1)
        assert control.remaining() < 0
        answer = find_bot("ismcts").choose(position, Budget(iterations=100), 0, control)
        assert answer.move == answer_of("heuristic", position).move
        assert answer.stopped_by == StoppedBy.STOPPED_BY_DEADLINE
        assert answer.decided_by == DecidedBy.DECIDED_BY_HEURISTIC


def test_a_deadline_cuts_the_search_short(run_clock: Callable[[float], Clock]) -> None:
    position = searched_positions(1)[0]
    clock = run_clock(20e-6)
    control = Control(deadline=clock.now + 0.02)
    answer = find_bot("ismcts").choose(position, Budget(iterations=1_000_000), 0, control)
    assert answer.stopped_by == StoppedBy.STOPPED_BY_DEADLINE
    assert answer.decided_by == DecidedBy.DECIDED_BY_SEARCH
    # a thousand iterations fit; the last slice is of 16 at least
    assert 1_000 <= answer.iterations <= 1_064


def test_what_a_deadline_leaves_is_the_search_of_as_many_iterations(
    run_clock: Callable[[float], Clock],
) -> None:
    position = searched_positions(1)[0]
    clock = run_clock(20e-6)
    cut = find_bot("ismcts").choose(position, Budget(), 5, Control(deadline=clock.now + 0.01))
    whole = find_bot("ismcts").choose(position, Budget(cut.iterations), 5, Control())
    assert whole.candidates == cut.candidates


# --- cancelling and reports ---------------------------------------------------------------------


def test_a_call_cancelled_before_it_began_does_nothing() -> None:
    control = Control()
    control.cancel()
    assert control.is_cancelled
    for position in searched_positions(3):
        with pytest.raises(Cancelled):
            find_bot("ismcts").choose(position, Budget(iterations=10), 0, control)


def test_a_cancelled_search_adds_no_iteration(run_clock: Callable[[float], Clock]) -> None:
    """It looks at the caller after each slice, and slices take about two milliseconds at most."""
    position = searched_positions(1)[0]
    clock = run_clock(10e-6)
    control = Control()
    done: list[int] = []

    def report(answer: Answer) -> None:
        done.append(answer.iterations)
        if answer.iterations > 1_000:
            control.cancel()

    with pytest.raises(Cancelled):
        find_bot("ismcts").choose(position, Budget(), 0, control, report)
    assert done[-2] <= 1_000 < done[-1]
    assert sum(clock.slices) == done[-1]


def test_a_search_is_cancelled_from_another_thread() -> None:
    position = searched_positions(1)[0]
    control = Control()
    bot: Bot = find_bot("ismcts")
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(bot.choose, position, Budget(time=timedelta(seconds=100)), 0, control)
        time.sleep(0.02)
        control.cancel()
        with pytest.raises(Cancelled):
            future.result(timeout=60)


def test_a_cancelled_search_leaves_nothing_behind() -> None:
    position, other = searched_positions(2)
    expected = answer_of("ismcts", other, 100)
    control = Control()
    with pytest.raises(Cancelled):
        find_bot("ismcts").choose(position, Budget(), 0, control, lambda _: control.cancel())
    assert answer_of("ismcts", other, 100) == expected


def test_reports_grow_and_end_before_the_answer() -> None:
    for position in searched_positions(5):
        partial: list[Answer] = []
        answer = find_bot("ismcts").choose(position, Budget(iterations=3_000), 0, Control(), partial.append)
        iterations = [report.iterations for report in partial] + [answer.iterations]
        assert len(iterations) > 2
        assert all(a < b for a, b in pairwise(iterations))
        for report in partial:
            assert report.move in position.legal_moves
            assert report.iterations == sum(c.visits for c in report.candidates)
            # a report is what the answer would be with so many iterations
            assert report.candidates == answer_of("ismcts", position, report.iterations).candidates


# --- what the search says -----------------------------------------------------------------------


@pytest.mark.kernel
def test_candidates_are_sane() -> None:
    for position in searched_positions(40 if JIT else 4):
        answer = answer_of("ismcts", position, 40 if JIT else 20)
        visits = [candidate.visits for candidate in answer.candidates]
        assert visits == sorted(visits, reverse=True)
        for c in answer.candidates:
            if c.visits == 0:
                assert c.expected_points is c.win_probability is None
                continue
            assert c.expected_points is not None
            assert c.win_probability is not None
            assert 0 <= c.win_probability <= 1
            assert -230 <= c.expected_points <= 230
            if c.visits == 1:
                assert c.expected_points_error is c.win_probability_error is None
            else:
                assert c.expected_points_error is not None
                assert c.win_probability_error is not None
                assert 0 <= c.expected_points_error <= 230
                # never 0: that would say "exact"
                assert 0 < c.win_probability_error <= 0.5 * 2**0.5


def test_estimates_are_the_own_side_s() -> None:
    """A side far ahead is told so, whichever it is."""
    seen: Counter[int] = Counter()
    for position in searched_positions(400):
        view, side = position.view, position.seat & 1
        lead = int(view.points[side] - view.points[1 - side])
        if view.stock_size or view.vueltas or abs(lead) < 70:
            continue
        best = answer_of("ismcts", position, 60).candidates[0]
        assert best.expected_points is not None
        assert best.expected_points * lead > 0
        seen[side] += 1
    assert min(seen[0], seen[1]) > 3


WINDOWS: dict[str, Callable[[Position], bool]] = {
    "swap": lambda p: p.view.decision == DECIDE_SWAP,
    "declare": lambda p: p.view.decision == DECIDE_DECLARE,
    "declare two": lambda p: p.view.decision == DECIDE_DECLARE and len(p.legal_moves) > 2,
    "play with a cante": lambda p: (
        p.view.decision == DECIDE_PLAY and any(SING <= m < SWAP for m in p.legal_moves)
    ),
    "play with a swap": lambda p: p.view.decision == DECIDE_PLAY and SWAP in p.legal_moves,
}


@pytest.mark.parametrize("window", WINDOWS)
def test_windows_are_decided_by_the_search(window: str) -> None:
    found = 0
    for deal in samples(10**9, 0.5):
        position = position_of(deal)
        is_solved = deal.players == 2 and deal.state.stock_size == 0
        if is_solved or TUTE in position.legal_moves or not WINDOWS[window](position):
            continue
        answer = answer_of("ismcts", position, 60)
        assert answer.decided_by == DecidedBy.DECIDED_BY_SEARCH
        assert {c.move for c in answer.candidates} == set(position.legal_moves)
        found += 1
        if found == 25:
            break


def test_the_search_sings_and_swaps_upwards() -> None:
    """Given thought, it announces nearly always, and takes a better muestra nearly always."""
    sung: Counter[bool] = Counter()
    swapped: Counter[bool] = Counter()
    for deal in samples(3_000, 0.5, 500):
        position, s = position_of(deal), deal.state
        if deal.players == 2 and s.stock_size == 0:
            continue
        if deal.decision == DECIDE_DECLARE and TUTE not in position.legal_moves:
            # with CARDS_ONLY_LOSES a cante can lose the point
            if s.malas != 2 or s.vueltas:
                sung[answer_of("ismcts", position, 400).move != PASS] += 1
        elif deal.decision == DECIDE_SWAP and s.muestra > s.swap_card + 3:
            swapped[answer_of("ismcts", position, 400).move == SWAP] += 1
    print(sung, swapped)
    assert sung[True] > 100
    assert sung[False] <= 0.05 * sung[True]
    assert swapped[True] > 40
    assert swapped[False] <= 0.05 * swapped[True]
