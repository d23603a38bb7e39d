"""A match of Guiñote: points played until a side wins the coto (G26).

>>> from tapete_games.guinote import shuffled_pack
>>> match = Match(Rules(points_per_coto=1), players=2, dealer=0)
>>> while match.winner is None:
...     deal = match.new_deal(shuffled_pack(len(match.deals)))
...     while not deal.is_over:
...         deal.play(deal.legal_moves()[0])
...     match.finish(deal)
>>> match.coto
(0, 1)
"""

from collections.abc import Sequence

import numpy as np

from tapete_games.guinote.deal import Deal
from tapete_games.guinote.rules import Rules

__all__ = ["Match"]


class Match:
    """A match: who deals, what is carried over, who has won how many points.

    Attributes:
        rules: Rules in force.
        players: 2 or 4.
        dealer: Seat that deals next.
        coto: Points of the coto won by each side.
        vueltas: Points that each side carries into the next deal; None when that starts a new point.
        deals: The deals so far, oldest first; the last may be under way.
    """

    def __init__(
        self,
        rules: Rules,
        players: int,
        dealer: int,
        *,
        coto: tuple[int, int] = (0, 0),
        vueltas: tuple[int, int] | None = None,
    ) -> None:
        """Starts a match, or resumes one.

        Args:
            rules: Rules in force.
            players: 2 or 4.
            dealer: Seat that deals first; the caller draws it by lot (G5).
            coto: Points of the coto won so far.
            vueltas: Points carried over, when the match goes on with a deal of vueltas.

        Raises:
            ValueError: The points of the coto are out of range.
        """
        if not 0 <= min(coto) <= max(coto) < rules.points_per_coto:
            raise ValueError(
                f"coto at {coto[0]}-{coto[1]}: expected 0 to {rules.points_per_coto - 1} each (G26)"
            )
        self.rules = rules
        self.players = players
        self.dealer = dealer
        self.coto = coto
        self.vueltas = vueltas
        self.deals: list[Deal] = []
        self._under_way: Deal | None = None

    @property
    def winner(self) -> int | None:
        """Side that has won the coto (G26), or None."""
        even, odd = self.coto
        goal = self.rules.points_per_coto
        return 0 if even == goal else 1 if odd == goal else None

    def new_deal(self, pack: Sequence[int] | np.ndarray) -> Deal:
        """Deals the next hand: of vueltas with the points carried over, or the first of a point (G25).

        Args:
            pack: The 40 cards in dealing order, as for `Deal`.

        Raises:
            ValueError: The match is over, a deal is under way, or `pack` is not the 40 cards.
        """
        if self.winner is not None:
            raise ValueError(
                f"the match is over: side {self.winner} has won the coto {self.coto[0]}-{self.coto[1]}"
            )
        if self._under_way is not None:
            raise ValueError(f"deal {len(self.deals)} is under way: it must be finished first")
        deal = Deal(self.rules, self.players, self.dealer, pack, vueltas=self.vueltas, coto=self.coto)
        self.deals.append(deal)
        self._under_way = deal
        return deal

    def finish(self, deal: Deal) -> None:
        """Takes a deal that is over into account (G5, G24 to G26).

        Args:
            deal: The deal that `new_deal` made last.

        Raises:
            ValueError: It is another deal, or not over.
        """
        if deal is not self._under_way:
            raise ValueError("this is not the deal under way")
        self.dealer = deal.next_dealer
        self._under_way = None
        side = deal.winner
        self.vueltas = deal.points if side is None else None
        if side is not None:
            even, odd = self.coto
            self.coto = (even + 1, odd) if side == 0 else (even, odd + 1)
