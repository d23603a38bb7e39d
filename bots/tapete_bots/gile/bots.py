"""The Gilé bots: `heuristic` in its styles, and `ismcts`."""

import threading
from collections.abc import Mapping
from functools import partial

import numpy as np

from tapete.v1 import DecidedBy, Game, MoveReason, StoppedBy
from tapete_bots.bot import Answer, Budget, Cancelled, Candidate, Control, Report
from tapete_bots.gile import search, worlds
from tapete_bots.gile.equity import chance_after, chance_before, discard_values, unseen_cards
from tapete_bots.gile.hands import load_tables, subset
from tapete_bots.gile.policy import (
    FEAR,
    SLOTS,
    STYLE_NAMES,
    STYLES,
    bet_policy,
    draw_slot,
    equity_after,
    equity_before,
    slot_move,
)
from tapete_bots.thinking import forced, mean_and_error, single, think
from tapete_games.bits import mix, next_random
from tapete_games.gile.engine import apply, deal
from tapete_games.gile.rules import Rules
from tapete_games.gile.state import (
    BET,
    CALL,
    CARDS,
    CHECK,
    DECIDE_DISCARD,
    DISCARD,
    FOLD,
    LAST,
    LOG,
    STATE,
    copy_public,
    make_view,
    new_state,
    new_view,
)
from tapete_games.kernel import kernel
from tapete_games.position import Position

__all__ = ["HeuristicBot", "IsmctsBot", "rule_of_thumb", "warm_up"]

# Places of the tree: a search of some million iterations fills as many.
CAPACITY = 1 << 16
# Steps from world to world before the first iteration, and before each.
FIRST_STEPS, STEPS = 400, 8


class _Workspace(threading.local):
    """The arrays of one thread, kept between answers."""

    def __init__(self) -> None:
        self.tables = load_tables().view(np.recarray)[0]
        self.probabilities = np.zeros(SLOTS)
        self.values = np.zeros(16)
        self.below = np.zeros(5)
        self.equal = np.zeros(5)
        self.world = worlds.new_world().view(np.recarray)[0]
        self.moments = np.zeros(LOG + 1, STATE).view(np.recarray)
        self.pack = np.zeros(CARDS, np.int64)
        base = np.zeros(1, STATE)
        self.base = base.view(np.recarray)[0]
        self.base_cells = base.view(np.int64)
        state = np.zeros(1, STATE)
        self.state = state.view(np.recarray)[0]
        self.cells = state.view(np.int64)
        self.tree = search.new_tree(CAPACITY).view(np.recarray)
        self.task = np.zeros(1, search.TASK).view(np.recarray)[0]
        self.path = np.zeros((search.DEPTH, 2), np.int64)


_WORKSPACE = _Workspace()


@kernel
def _judge_bet(
    tables: np.record,
    v: np.record,
    style: np.ndarray,
    below: np.ndarray,
    equal: np.ndarray,
    probabilities: np.ndarray,
) -> None:
    """Writes how a seat of that style bets in VIEW `v`; `below` and `equal` are float64[5] to work in."""
    unseen = unseen_cards(v)
    if v.stage == LAST:
        below[:] = -1.0
        for q in range(v.seats):
            if q != v.seat and v.playing >> q & 1 and below[v.drawn[q]] < 0.0:
                chance_after(tables, v.own, unseen, v.drawn[q], below, equal)
        equity = equity_after(tables, v, v.seat, below, equal, style[FEAR])
    else:
        equity = equity_before(tables, v, v.seat, chance_before(tables, v.own, unseen), style[FEAR])
    bet_policy(v, equity, style, probabilities)


@kernel
def _judge_discards(tables: np.record, v: np.record, values: np.ndarray) -> None:
    """Writes into float64[16] what each set of discards is worth against hands after the discards."""
    worth = np.zeros(48)
    for i in range(48):
        # Most seats discard one to three cards.
        for n in range(1, 4):
            worth[i] += (0.2, 0.5, 0.3)[n - 1] * (tables.below[n, i] + 0.5 * tables.equal[n, i])
    discard_values(worth, v.own, unseen_cards(v), values)


def _best_discards(v: np.record) -> list[int]:
    """Returns the best set of cards to discard of each size, none to four, and leaves `values` behind."""
    own = _WORKSPACE
    _judge_discards(own.tables, v, own.values)
    best = [-1] * 5
    for places in range(16):
        size = places.bit_count()
        if best[size] < 0 or own.values[places] > own.values[best[size]]:
            best[size] = places
    return best


@kernel
def _draw(v: np.record, seed: int) -> float:
    """Draws a number from 0 to 1, a function of the seed and the moment of the deal."""
    x = mix(mix(mix(seed) ^ v.own) ^ (v.log_size << 8 | v.voids << 4 | v.seat))
    return (next_random(x) >> 10) / (1 << 53)


class HeuristicBot:
    """Plays by the rules of thumb of `tapete_bots.gile.policy`, with all unseen cards counted."""

    def __init__(self, bot_id: str, options: Mapping[str, int | float | str]) -> None:
        self.id = bot_id
        self.games = (Game.GAME_GILE,)
        self._style = STYLES[STYLE_NAMES.index(str(options["style"]))]

    def choose(
        self, position: Position, budget: Budget, seed: int, control: Control, report: Report | None = None
    ) -> Answer:
        """Answers in a fraction of a millisecond; the seed draws among mixed actions."""
        if len(position.legal_moves) == 1:
            return forced(position.legal_moves[0])
        return single(
            rule_of_thumb(position.view, self._style, seed),
            DecidedBy.DECIDED_BY_HEURISTIC,
            MoveReason.MOVE_REASON_RULE_OF_THUMB,
        )


def rule_of_thumb(v: np.record, style: np.ndarray, seed: int) -> int:
    """Returns the move of a style, a row of STYLES; the seed draws among mixed actions."""
    own = _WORKSPACE
    if v.decision == DECIDE_DISCARD:
        best = max(_best_discards(v), key=lambda places: float(own.values[places]))
        return int(DISCARD | subset(v.own, best))
    _judge_bet(own.tables, v, style, own.below, own.equal, own.probabilities)
    return int(slot_move(v, draw_slot(own.probabilities, _draw(v, seed))))


class IsmctsBot:
    """Searches; see `tapete_bots.gile.search`."""

    def __init__(self, bot_id: str, options: Mapping[str, int | float | str]) -> None:
        self.id = bot_id
        self.games = (Game.GAME_GILE,)
        self._iterations = int(options["iterations"])
        self._exploration = float(options["exploration"])
        self._weighs = int(options["belief"] == "weighted")

    def choose(
        self, position: Position, budget: Budget, seed: int, control: Control, report: Report | None = None
    ) -> Answer:
        """Searches until the iterations, the time or the deadline are used up."""
        if control.is_cancelled:
            raise Cancelled
        if len(position.legal_moves) == 1:
            return forced(position.legal_moves[0])
        return think(
            partial(self._prepare, position, seed),
            partial(_iterate, position),
            partial(_answer, position, seed),
            self._iterations,
            budget,
            control,
            report,
        )

    def _prepare(self, position: Position, seed: int) -> None:
        own = _WORKSPACE
        v = position.view
        is_consistent = worlds.prepare(own.tables, v, own.world, own.moments, own.pack, self._weighs, seed)
        assert is_consistent, "a checked view has a consistent deal"
        worlds.step(own.tables, v, own.world, own.moments, own.probabilities, FIRST_STEPS)
        copy_public(own.base, v)
        _write_root(v)
        own.tree[:] = 0
        own.tree[0].prior = own.task.prior
        own.task.squares = 0.0
        own.task.exploration = self._exploration
        own.task.steps = STEPS


def _write_root(v: np.record) -> None:
    """Writes the moves of the root and their priors into the task."""
    own = _WORKSPACE
    if v.decision == DECIDE_DISCARD:
        best = _best_discards(v)
        favourite = max(range(5), key=lambda size: float(own.values[best[size]]))
        for size in range(5):
            own.task.moves[size] = DISCARD | subset(v.own, best[size])
            own.task.prior[size] = 0.5 * (size == favourite) + 0.1
        return
    _judge_bet(own.tables, v, STYLES[0], own.below, own.equal, own.probabilities)
    search.mix_prior(v, own.probabilities)
    for slot in range(SLOTS):
        own.task.moves[slot] = slot_move(v, slot)
        own.task.prior[slot] = own.probabilities[slot]


def _iterate(position: Position, iterations: int) -> None:
    """Adds iterations to the search that was prepared in this thread."""
    own = _WORKSPACE
    search.iterate(
        own.task,
        iterations,
        own.tables,
        position.view,
        own.world,
        own.moments,
        own.base_cells,
        own.cells,
        own.state,
        own.tree,
        own.path,
        own.probabilities,
    )


def _answer(position: Position, seed: int, done: int, stopped_by: "StoppedBy.ValueType") -> Answer:
    if done == 0:
        move = rule_of_thumb(position.view, STYLES[0], seed)
        return Answer(
            move,
            (Candidate(move),),
            DecidedBy.DECIDED_BY_HEURISTIC,
            stopped_by,
            MoveReason.MOVE_REASON_RULE_OF_THUMB,
        )
    own = _WORKSPACE
    slots = [slot for slot in range(SLOTS) if own.task.prior[slot] > 0.0]
    candidates = sorted(map(_candidate, slots), key=lambda c: (-c.visits, -(c.expected_chips or 0.0), c.move))
    return Answer(
        candidates[0].move,
        tuple(candidates),
        DecidedBy.DECIDED_BY_SEARCH,
        stopped_by,
        MoveReason.MOVE_REASON_MOST_VISITED,
        done,
    )


def _candidate(slot: int) -> Candidate:
    """Reads the estimates of a slot at the root; there are none before its first visit."""
    own = _WORKSPACE
    move = int(own.task.moves[slot])
    root = own.tree[0]
    visits = int(root.visits[slot])
    if visits == 0:
        return Candidate(move)
    chips, error = mean_and_error(float(root.chips[slot]), float(own.task.squares[slot]), visits)
    return Candidate(move, visits, expected_chips=chips, expected_chips_error=error)


def warm_up() -> None:
    """Compiles or loads all kernels by answering a bet and a discard."""
    state = new_state()
    view = new_view()
    heuristic = HeuristicBot("heuristic", {"style": STYLE_NAMES[0]})
    ismcts = IsmctsBot("ismcts", {"iterations": 100, "exploration": 1.0, "belief": "weighted"})
    deal(state, np.full(5, 100), 2, 0, 0, 0, 1, 1, 3, np.arange(CARDS), 0)
    for moves in ((BET | 2, CALL), (CHECK, CHECK), (DISCARD, DISCARD)):
        make_view(state, state.turn, view)
        position = Position(Game.GAME_GILE, view, Rules(), int(view.seat), (*moves, FOLD))
        for bot in (heuristic, ismcts):
            bot.choose(position, Budget(), 0, Control())
        for move in moves:
            apply(state, move)
