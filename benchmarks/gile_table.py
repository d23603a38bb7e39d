"""A table at which bots play Gilé: the engine's states and views, without messages between."""

from collections.abc import Sequence

import numpy as np

from tapete.v1 import Game
from tapete_bots.bot import Bot, Budget, Control
from tapete_games.gile.deal import legal_moves_of
from tapete_games.gile.engine import apply, deal
from tapete_games.gile.rules import Rules
from tapete_games.gile.state import DECIDE_NOTHING, STATE, VIEW, make_view
from tapete_games.kernel import kernel
from tapete_games.position import Position
from tapete_games.wire import is_legal

__all__ = ["GileTable"]

_NO_BUDGET = Budget()
_NEVER = Control()


# Kernels are called with arrays: numba dispatches on them ten times faster than on records.
@kernel
def _start(
    states: np.ndarray, views: np.ndarray, stacks: np.ndarray, settings: np.ndarray, pack: np.ndarray
) -> bool:
    """Deals by dealer, limit, suit_rank, ante, minimum_bet, void_limit and seed; tells whether it goes on."""
    s = states[0]
    deal(
        s,
        stacks,
        len(stacks),
        settings[0],
        settings[1],
        settings[2],
        settings[3],
        settings[4],
        settings[5],
        pack,
        settings[6],
    )
    make_view(s, s.turn, views[0])
    return s.decision != DECIDE_NOTHING


@kernel
def _move(states: np.ndarray, views: np.ndarray, move: int) -> bool:
    """Makes a legal move and writes the view of the seat asked next; tells whether the deal goes on."""
    s = states[0]
    apply(s, move)
    make_view(s, s.turn, views[0])
    return s.decision != DECIDE_NOTHING


class GileTable:
    """Plays deals between bots; one thread uses it."""

    def __init__(self, rules: Rules, stacks: Sequence[int]) -> None:
        self.rules = rules
        self.stacks = np.array(stacks, np.int64)
        self._states = np.zeros(1, STATE)
        self._views = np.zeros(1, VIEW)
        self._view = self._views.view(np.recarray)[0]

    def play_deal(
        self, bots: Sequence[Bot], dealer: int, pack: np.ndarray, renewals: int, seed: int
    ) -> list[int]:
        """Plays a deal.

        Args:
            bots: The bot of each seat.
            dealer: Seat that deals.
            pack: The 28 cards in dealing order.
            renewals: Seed of the renewals of the stock.
            seed: Seed of the bots' randomness, 32 bits; each decision has one of its own made from it.

        Returns:
            Chips that each seat has won or lost.
        """
        rules = self.rules
        settings = [dealer, int(rules.limit), int(rules.suit_rank), rules.ante, rules.minimum_bet]
        numbers = np.array([*settings, rules.void_deals, renewals], np.int64)
        goes_on = _start(self._states, self._views, self.stacks, numbers, np.asarray(pack, np.int64))
        decisions = 0
        while goes_on:
            decisions += 1
            seat = int(self._view.seat)
            legal = tuple(legal_moves_of(self._views, int(self._view.own)))
            position = Position(Game.GAME_GILE, self._view, rules, seat, legal)
            answer = bots[seat].choose(
                position, _NO_BUDGET, (seed + decisions * 0x9E3779B1) & 0xFFFFFFFF, _NEVER
            )
            if not is_legal(position, answer.move):
                raise AssertionError(f"{bots[seat].id} made the illegal move {answer.move}")
            goes_on = _move(self._states, self._views, answer.move)
        chips = self._states["chips"][0].tolist()
        return [chips[q] - int(stack) for q, stack in enumerate(self.stacks)]
