"""A table at which bots play each other: the engine's states and views, without messages between.

The referee's way is the real one (every window is asked, a seat gets its own view and nothing else); only
the writing and reading of messages is left out, which `selfplay` and `fairness` have.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from tapete.v1 import Game
from tapete_bots.bot import Bot, Budget, Control
from tapete_bots.guinote.equity import point_value
from tapete_games.guinote.deal import shuffled_pack
from tapete_games.guinote.engine import apply, deal, legal_moves, point_winner
from tapete_games.guinote.moves import move_list
from tapete_games.guinote.rules import Rules
from tapete_games.guinote.state import DECIDE_NOTHING, POINT, STATE, VIEW, make_view
from tapete_games.kernel import kernel
from tapete_games.position import Position

__all__ = ["DealResult", "PointResult", "Table", "seed_of"]

_CELL = {name: offset // 8 for name, (_, offset, *_) in (VIEW.fields or {}).items()}
_NO_BUDGET = Budget()
_NEVER = Control()


def seed_of(bits: int, *parts: object) -> int:
    """Returns a seed that is a function of the parts, the first of which says what it is for."""
    digest = blake2b("/".join(map(str, parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> (64 - bits)


@kernel
def _ask(s: np.record, v: np.record) -> int:
    """Writes the view of the seat that is asked and returns its legal moves."""
    if s.decision == DECIDE_NOTHING:
        return 0
    make_view(s, s.asked, v)
    return legal_moves(s, s.asked, s.hand[s.asked])


# Kernels are called with arrays: numba dispatches on them ten times faster than on records.
@kernel
def _start(
    states: np.ndarray,
    views: np.ndarray,
    players: int,
    dealer: int,
    flags: int,
    malas: int,
    pack: np.ndarray,
    carried: np.ndarray,
) -> int:
    """Deals `pack` and returns the legal moves of the mano."""
    s = states[0]
    deal(s, players, dealer, flags, malas, pack)
    if carried.size:
        s.vueltas = 1
        s.points[0] = carried[0]
        s.points[1] = carried[1]
    return _ask(s, views[0])


@kernel
def _move(states: np.ndarray, views: np.ndarray, move: int) -> int:
    """Makes a legal move and returns the legal moves of the seat asked next; 0 once the deal is over."""
    apply(states[0], move)
    return _ask(states[0], views[0])


@kernel
def _worth(states: np.ndarray) -> float:
    """Returns the probability that side 0 wins the point of the deal that is over."""
    return point_value(states[0])


@kernel
def _winner(states: np.ndarray) -> int:
    """Returns the side that has won the point, or -1 for vueltas."""
    return point_winner(states[0])


@dataclass(frozen=True)
class DealResult:
    """How a deal ended, for side 0."""

    points: int
    """Difference of points, own minus other side's; a tute counts as 101 to 0."""
    worth: float
    """Probability of winning the point: 0 or 1 if it is decided, else by the table of vueltas."""
    is_decided: bool
    """Whether the point is decided; else vueltas follow."""
    carried: tuple[int, int]
    """Points of both sides."""
    next_dealer: int
    """Seat that deals next."""


@dataclass(frozen=True)
class PointResult:
    """How a point ended, for side 0."""

    first: DealResult
    """Its first deal."""
    worth: float
    """1 if side 0 has won the point, 0 if the other; of a first deal played alone its worth."""
    deals: int
    """Number of deals."""


class Table:
    """Plays deals and points between two sides; one thread uses it."""

    def __init__(self, players: int, rules: Rules) -> None:
        self.players = players
        self.rules = rules
        self._states = np.zeros(1, STATE)
        self._views = np.zeros(1, VIEW)
        self._cells = self._views.view(np.int64)
        self._view = self._views.view(np.recarray)[0]

    def play_deal(
        self, sides: Sequence[Bot], dealer: int, pack: np.ndarray, carried: tuple[int, int] | None, seed: int
    ) -> DealResult:
        """Plays a deal.

        Args:
            sides: The bot of the even and that of the odd seats.
            dealer: Seat that deals.
            pack: The 40 cards in dealing order.
            carried: Points of both sides in a deal of vueltas, else None.
            seed: Seed of the bots' randomness, 32 bits; each decision has one of its own made from it.
        """
        rules = self.rules
        numbers = np.array(carried or (), np.int64)
        args = (self.players, dealer, rules.flags, int(rules.malas), np.asarray(pack, np.int64), numbers)
        legal = _start(self._states, self._views, *args)
        decisions = 0
        while legal:
            decisions += 1
            seat = self._cells.item(_CELL["seat"])
            position = Position(Game.GAME_GUINOTE, self._view, rules, seat, tuple(move_list(legal)))
            answer = sides[seat & 1].choose(
                position, _NO_BUDGET, (seed + decisions * 0x9E3779B1) & 0xFFFFFFFF, _NEVER
            )
            if not legal >> answer.move & 1:
                raise AssertionError(f"{sides[seat & 1].id} made the illegal move {answer.move}")
            legal = _move(self._states, self._views, answer.move)
        return self._result()

    def _result(self) -> DealResult:
        s = self._states.view(np.recarray)[0]
        carried = (int(s.points[0]), int(s.points[1]))
        points = carried[0] - carried[1]
        if s.tute_side >= 0:
            points = POINT if s.tute_side == 0 else -POINT
        next_dealer = (
            (int(s.dealer) + 1) % self.players if self.rules.fixed_rotation else int(s.latest_winner)
        )
        is_decided = _winner(self._states) >= 0
        return DealResult(points, _worth(self._states), is_decided, carried, next_dealer)

    def play_point(
        self, sides: Sequence[Bot], dealer: int, deal_seeds: tuple[object, ...], seed: int, *, whole: bool
    ) -> PointResult:
        """Plays a point, or its first deal alone, whose worth then stands for the result.

        Args:
            sides: The bot of the even and that of the odd seats.
            dealer: Seat that deals first.
            deal_seeds: What the cards are a function of, beside the number of the deal.
            seed: Seed of the bots' randomness, 32 bits.
            whole: Whether vueltas are played.
        """
        result = first = self.play_deal(
            sides, dealer, shuffled_pack(seed_of(64, "cards", *deal_seeds, 0)), None, seed
        )
        deals = 1
        while whole and not result.is_decided:
            pack = shuffled_pack(seed_of(64, "cards", *deal_seeds, deals))
            game_seed = seed_of(32, "vueltas", seed, deals)
            result = self.play_deal(sides, result.next_dealer, pack, result.carried, game_seed)
            deals += 1
        return PointResult(first, result.worth, deals)
