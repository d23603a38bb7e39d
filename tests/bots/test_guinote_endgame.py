"""The exact endgame equals plain minimax over the engine, in every decision and under all rules."""

from collections import Counter
from collections.abc import Iterable

import numba
import numpy as np
import pytest

from tapete.v1 import DecidedBy
from tapete_bots.bot import Bot, Budget, Control
from tapete_bots.guinote import endgame
from tapete_bots.registry import find_bot
from tapete_games.guinote import Malas, Rules
from tapete_games.guinote.engine import apply
from tapete_games.guinote.moves import move_list
from tapete_games.guinote.state import SING, TUTE, copy_state, make_view, new_view
from tests.bots.endgame_checker import minimax, new_states
from tests.bots.guinote_endings import endings
from tests.bots.guinote_situations import decisions, position_of_view

JIT = not numba.config.DISABLE_JIT


class Judge:
    """Solves positions both ways."""

    def __init__(self) -> None:
        self._states = new_states()
        self._game, self._table = endgame.new_game(), endgame.new_table()
        self._values = np.zeros(47, np.int64)
        self.seen: Counter[str] = Counter()

    def brute_force(self, s: np.record, moves: Iterable[int]) -> dict[int, int]:
        """Returns the value of each move of the seat asked, for side 0, by minimax."""
        values = {}
        for move in moves:
            copy_state(self._states[0], s)
            apply(self._states[0], move)
            values[move] = int(minimax(self._states, 0))
        return values

    def solved(self, view: np.record) -> dict[int, int]:
        """Returns the same by the solver."""
        moves = move_list(endgame.solve(view, self._game, self._table, self._values))
        return {move: int(self._values[move]) for move in moves}

    def check(self, s: np.record) -> dict[int, int]:
        """Asserts that both find the same moves and the same values, and returns them."""
        view = new_view()
        make_view(s, s.asked, view)
        solved = self.solved(view)
        assert solved == self.brute_force(s, solved), s
        self._count(s, solved)
        return solved

    def _count(self, s: np.record, values: dict[int, int]) -> None:
        self.seen[f"decision {s.decision}"] += 1
        self.seen[f"malas {s.malas}"] += s.vueltas == 0
        self.seen["vueltas"] += int(s.vueltas)
        self.seen["within a trick"] += s.trick_size == 1
        self.seen["cante possible"] += any(SING <= move < SING + 4 for move in values)
        self.seen["tute possible"] += TUTE in values
        self.seen["moves differ"] += len(set(values.values())) > 1
        best = max(values.values()) if s.asked == 0 else min(values.values())
        probability, _ = endgame.read_value(best)
        self.seen["undecided"] += 0 < probability < 1


@pytest.mark.kernel
def test_the_solver_equals_brute_force() -> None:
    """Endings of 6 to 10 cards; of 2 to 6 without the JIT."""
    judge = Judge()
    count, sizes = (900, (3, 4, 4, 5, 5, 5)) if JIT else (60, (1, 2, 3))
    for s in endings(count, 1, sizes):
        judge.check(s)
    if JIT:
        assert len(judge.seen) == 11
        assert min(judge.seen.values()) >= 8, judge.seen


@pytest.mark.kernel
def test_the_solver_equals_brute_force_in_deals_played_to_their_ends() -> None:
    judge = Judge()
    checked = 0
    for seed in range(150 if JIT else 40):
        for deal in decisions(seed):
            s = deal.state
            if s.players == 2 and s.stock_size == 0 and s.tricks >= (15 if JIT else 17):
                judge.check(s)
                checked += 1
    assert checked > (200 if JIT else 20)


@pytest.mark.parametrize("bot_id", ["ismcts", "heuristic?endgame=exact"])
def test_regret_of_the_bots_is_zero(bot_id: str) -> None:
    bot: Bot = find_bot(bot_id)
    judge = Judge()
    regret = 0.0
    for s in endings(150, 2, (3, 4)):
        view = new_view()
        make_view(s, s.asked, view)
        position = position_of_view(view, Rules.of_flags(int(s.rules), Malas(int(s.malas))))
        answer = bot.choose(position, Budget(iterations=10), 0, Control())
        values = judge.brute_force(s, position.legal_moves)
        sign = 1 if s.asked == 0 else -1
        regret += max(sign * value for value in values.values()) - sign * values[answer.move]
        if len(values) == 1:
            assert answer.decided_by == DecidedBy.DECIDED_BY_FORCED
            continue
        assert answer.decided_by == DecidedBy.DECIDED_BY_ENDGAME_SOLVER
        for candidate in answer.candidates:
            probability, points = endgame.read_value(values[candidate.move])
            if candidate.move == TUTE:
                assert (candidate.win_probability, candidate.win_probability_error) == (1.0, 0.0)
                continue
            assert candidate.win_probability == pytest.approx(probability if sign > 0 else 1 - probability)
            assert candidate.expected_points == sign * points
            assert candidate.win_probability_error == candidate.expected_points_error == 0.0
        if TUTE not in position.legal_moves:
            order = [(c.win_probability, c.expected_points) for c in answer.candidates]
            assert order == sorted(order, reverse=True)
            assert {c.move for c in answer.candidates} == set(position.legal_moves)
    assert regret == 0


def test_a_solve_is_a_function_of_the_position() -> None:
    """The hash table kept from other positions never shows."""
    used, fresh = Judge(), Judge()
    views = []
    for s in endings(200, 3, (5, 6)):
        view = new_view()
        make_view(s, s.asked, view)
        views.append(view)
    first = [used.solved(view) for view in views]
    assert [used.solved(view) for view in reversed(views)] == first[::-1]
    for view, values in zip(views[:20], first, strict=False):
        fresh = Judge()
        assert fresh.solved(view) == values


@pytest.mark.kernel
def test_values_hold_a_probability_and_a_difference_of_points() -> None:
    assert endgame.read_value(endgame.won(0, 120, 10)) == (1.0, 110)
    assert endgame.read_value(endgame.won(1, 3, 127)) == (0.0, -124)
    assert endgame.read_value(endgame.won_by_tute(0)) == (1.0, 230)
    assert endgame.read_value(endgame.won_by_tute(1)) == (0.0, -230)


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_the_solver_equals_brute_force_in_a_hundred_thousand_endings() -> None:
    """Up to the whole second phase: twelve cards."""
    judge = Judge()
    for s in endings(100_000, 4, (2, 3, 3, 4, 4, 5, 5, 5, 6, 6)):
        judge.check(s)
    assert min(judge.seen.values()) > 900, judge.seen
