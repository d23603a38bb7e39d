"""The Guiñote bots: `heuristic`, and `ismcts` with its exact endgame."""

import threading
from collections.abc import Mapping
from functools import partial

import numpy as np

from tapete.v1 import DecidedBy, Game, MoveReason, StoppedBy
from tapete_bots.bot import Answer, Budget, Cancelled, Candidate, Control, Report
from tapete_bots.guinote import endgame, search, worlds
from tapete_bots.guinote.policy import WEIGHTS_OF, policy_card
from tapete_bots.thinking import forced, mean_and_error, single, think
from tapete_games.guinote.engine import deal, legal_moves
from tapete_games.guinote.rules import Rules
from tapete_games.guinote.state import (
    DECIDE_PLAY,
    DECIDE_SWAP,
    MALAS_CARDS_ONLY_LOSES,
    MINIMUM_MALAS,
    MOVES,
    PASS,
    POINT,
    SING,
    SWAP,
    TUTE,
    make_view,
    new_state,
    new_view,
)
from tapete_games.position import Position

__all__ = ["HeuristicBot", "IsmctsBot", "warm_up"]

# Rows of the tree: a search of 700,000 iterations from the first card fills about as many.
CAPACITY = 1 << 17


class _Workspace(threading.local):
    """The arrays of one thread, kept between answers."""

    def __init__(self) -> None:
        self.state = new_state()
        self.base = new_state()
        self.worlds = worlds.new_worlds()
        self.task = np.zeros(1, search.TASK).view(np.recarray)[0]
        self.tried, self.tree, self.path = search.new_tree(CAPACITY)
        self.root = np.zeros(MOVES, search.ROOT).view(np.recarray)
        self.game = endgame.new_game()
        self.table = endgame.new_table()
        self.values = np.zeros(MOVES, np.int64)


_WORKSPACE = _Workspace()


def _tute() -> Answer:
    """Announces a tute: nothing can be better than the point at once."""
    candidate = Candidate(TUTE, win_probability=1.0, win_probability_error=0.0)
    return Answer(
        TUTE,
        (candidate,),
        DecidedBy.DECIDED_BY_ENDGAME_SOLVER,
        StoppedBy.STOPPED_BY_DONE,
        MoveReason.MOVE_REASON_EXACT,
    )


def _rule_of_thumb(position: Position) -> int:
    """Returns the move of the heuristic: tute, cante, swap, else a card by the policy."""
    v = position.view
    legal = position.legal_moves
    if TUTE in legal:
        return TUTE
    songs = [move for move in legal if SING <= move < SWAP]
    if songs:
        song = SING + int(v.trump) if SING + int(v.trump) in songs else songs[0]
        if _is_safe_to_sing(v, 40 if song == SING + v.trump else 20):
            return song
    if SWAP in legal and v.muestra > v.swap_card:
        return SWAP
    if v.decision != DECIDE_PLAY:
        return PASS
    return int(policy_card(v, v.own, WEIGHTS_OF[v.players // 4]))


def _is_safe_to_sing(v: np.record, value: int) -> bool:
    """Tells whether a cante does not lose the point for want of points in cards (G24, CARDS_ONLY_LOSES)."""
    side = v.seat & 1
    if v.malas != MALAS_CARDS_ONLY_LOSES or v.vueltas or v.points[side] + value < POINT:
        return True
    to_come = 120 - v.card_points[0] - v.card_points[1]
    return bool(v.card_points[side] + to_come // 2 >= MINIMUM_MALAS)


def _is_solvable(v: np.record) -> bool:
    """Tells whether the position is one of perfect information: two players, no stock."""
    return v.players == 2 and v.stock_size == 0 and v.decision != DECIDE_SWAP


def _solve(position: Position) -> Answer:
    """Answers a position of perfect information exactly."""
    own = _WORKSPACE
    v = position.view
    endgame.solve(v, own.game, own.table, own.values)
    sign = 1 if v.seat == 0 else -1
    candidates = []
    for move in position.legal_moves:
        probability, points = endgame.read_value(int(own.values[move]))
        candidates.append(
            Candidate(
                move,
                expected_points=float(sign * points),
                expected_points_error=0.0,
                win_probability=probability if v.seat == 0 else 1.0 - probability,
                win_probability_error=0.0,
            )
        )
    # of equally good moves the first: the weakest card
    candidates.sort(key=lambda c: -sign * int(own.values[c.move]))
    return Answer(
        candidates[0].move,
        tuple(candidates),
        DecidedBy.DECIDED_BY_ENDGAME_SOLVER,
        StoppedBy.STOPPED_BY_DONE,
        MoveReason.MOVE_REASON_EXACT,
    )


class HeuristicBot:
    """Plays by rules of thumb; see `tapete_bots.guinote.policy`. Frozen as `heuristic@1`."""

    def __init__(self, bot_id: str, options: Mapping[str, int | float | str]) -> None:
        self.id = bot_id
        self.games = (Game.GAME_GUINOTE,)
        self._solves_endgame = options["endgame"] == "exact"
        self.is_instant = not self._solves_endgame

    def choose(
        self, position: Position, budget: Budget, seed: int, control: Control, report: Report | None = None
    ) -> Answer:
        """Answers at once; budget and seed change nothing."""
        if len(position.legal_moves) == 1:
            return forced(position.legal_moves[0])
        if self._solves_endgame and _is_solvable(position.view):
            return _tute() if TUTE in position.legal_moves else _solve(position)
        move = _rule_of_thumb(position)
        return single(move, DecidedBy.DECIDED_BY_HEURISTIC, MoveReason.MOVE_REASON_RULE_OF_THUMB)


class IsmctsBot:
    """Searches; see `tapete_bots.guinote.search`."""

    def __init__(self, bot_id: str, options: Mapping[str, int | float | str]) -> None:
        self.id = bot_id
        self.games = (Game.GAME_GUINOTE,)
        self._iterations = int(options["iterations"])
        self._exploration = float(options["exploration"])
        self._points_share = float(options["points_share"])
        self._patience = int(options["patience"])
        is_random = options["rollout"] == "random"
        self._rollout = search.ROLLOUT_RANDOM if is_random else search.ROLLOUT_RULES
        self._prior = 0.0 if is_random else float(options["prior"])
        self._solves_endgame = options["endgame"] == "exact"

    def choose(
        self, position: Position, budget: Budget, seed: int, control: Control, report: Report | None = None
    ) -> Answer:
        """Searches until the iterations, the time or the deadline are used up."""
        if control.is_cancelled:
            raise Cancelled
        legal = position.legal_moves
        if len(legal) == 1:
            return forced(legal[0])
        if TUTE in legal:
            return _tute()
        if self._solves_endgame and _is_solvable(position.view):
            return _solve(position)
        return self._search(position, budget, seed, control, report)

    def _search(
        self, position: Position, budget: Budget, seed: int, control: Control, report: Report | None
    ) -> Answer:
        return think(
            partial(self._prepare, position, seed),
            partial(self._iterate, position),
            partial(self._answer, position),
            self._iterations,
            budget,
            control,
            report,
        )

    @staticmethod
    def _iterate(position: Position, iterations: int) -> None:
        """Adds iterations to the search that was prepared in this thread."""
        own = _WORKSPACE
        search.iterate(
            own.task,
            iterations,
            own.base,
            own.worlds,
            WEIGHTS_OF[position.view.players // 4],
            own.state,
            own.tried,
            own.tree,
            own.path,
            own.root,
            search.SQUARE_ROOT,
        )

    def _prepare(self, position: Position, seed: int) -> None:
        own = _WORKSPACE
        v = position.view
        ways = worlds.prepare(v, own.base, own.worlds)
        assert ways > 0, "a checked view has a consistent deal"
        task = own.task
        task.seat = position.seat
        task.decision = v.decision
        task.moves = sum(1 << move for move in position.legal_moves)
        task.exploration = self._exploration
        task.points_share = self._points_share
        task.rollout = self._rollout
        task.favourite = _rule_of_thumb(position)
        task.prior = self._prior
        task.patience = self._patience
        task.capacity = CAPACITY
        task.used = 0
        task.random = search.seed_state(seed)
        own.root[:] = 0

    def _answer(self, position: Position, done: int, stopped_by: "StoppedBy.ValueType") -> Answer:
        if done == 0:
            move = _rule_of_thumb(position)
            return Answer(
                move,
                (Candidate(move),),
                DecidedBy.DECIDED_BY_HEURISTIC,
                stopped_by,
                MoveReason.MOVE_REASON_RULE_OF_THUMB,
            )
        side = position.seat & 1
        candidates = sorted(
            (_candidate(move, side) for move in position.legal_moves),
            key=lambda c: (-c.visits, -(c.win_probability or 0.0), c.move),
        )
        return Answer(
            candidates[0].move,
            tuple(candidates),
            DecidedBy.DECIDED_BY_SEARCH,
            stopped_by,
            MoveReason.MOVE_REASON_MOST_VISITED,
            done,
        )


def _candidate(move: int, side: int) -> Candidate:
    """Reads the estimates of a root move, for `side`; there are none before its first visit."""
    visits = int(_WORKSPACE.tree[0, move].visits)
    if visits == 0:
        return Candidate(move)
    r = _WORKSPACE.root[move]
    points, points_error = mean_and_error(float(r.points), float(r.points_squared), visits)
    probability, probability_error = mean_and_error(
        float(r.probability), float(r.probability_squared), visits
    )
    return Candidate(
        move,
        visits,
        points if side == 0 else -points,
        points_error,
        probability if side == 0 else 1.0 - probability,
        _probability_error(probability_error, visits),
    )


def _probability_error(error: float | None, n: int) -> float | None:
    """Keeps n equal outcomes from looking exact: one more outcome of each kind is thought to them."""
    likely = 1.0 / (n + 2)
    return None if error is None else max(error, (likely * (1.0 - likely) / (n + 2)) ** 0.5)


def warm_up() -> None:
    """Compiles or loads all kernels by answering one position of each kind."""
    state = new_state()
    view = new_view()
    deal(state, 2, 0, 0, 0, np.arange(40))
    make_view(state, state.asked, view)
    legal = legal_moves(view, view.seat, view.own)
    moves = tuple(m for m in range(MOVES) if legal >> m & 1)
    position = Position(Game.GAME_GUINOTE, view, Rules(), int(view.seat), moves)
    from tapete_bots.registry import find_bot  # noqa: PLC0415

    find_bot("ismcts").choose(position, Budget(iterations=100), 0, Control())
    find_bot("heuristic").choose(position, Budget(), 0, Control())
    own = _WORKSPACE
    view.stock_size = 0
    view.muestra = -1
    view.played = (1 << 40) - 1 & ~view.own & ~(0b111111 << 30)
    endgame.solve(view, own.game, own.table, own.values)
