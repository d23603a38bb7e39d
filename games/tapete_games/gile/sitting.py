"""A sitting of Gilé: deals at one table, until one seat has all chips.

>>> from tapete_games.gile.deal import shuffled_pack
>>> sitting = Sitting(Rules(), stacks=(5, 5), dealer=0)
>>> while not sitting.is_over:
...     deal = sitting.new_deal(shuffled_pack(len(sitting.deals)))
...     while not deal.is_over:
...         deal.play(deal.legal_moves()[-1])
...     sitting.finish(deal)
>>> sorted(sitting.stacks)
[0, 10]
"""

from collections.abc import Sequence

import numpy as np

from tapete_games.gile.deal import Deal, check_stacks
from tapete_games.gile.rules import MAX_STACK, Rules

__all__ = ["Sitting"]


class Sitting:
    """Successive deals: who deals, who has how many chips (L5, L6).

    Attributes:
        rules: Rules in force.
        stacks: Chips of each seat before the next deal.
        dealer: Seat that deals next.
        deals: The deals so far, oldest first; the last may be under way.
    """

    def __init__(self, rules: Rules, stacks: Sequence[int], dealer: int) -> None:
        """Starts a sitting.

        Args:
            rules: Rules in force.
            stacks: Chips of each of 2 to 5 seats, at most MAX_STACK in all, for one seat may win them;
                seats without any are not dealt in.
            dealer: Seat that deals first; the caller draws it by lot (L5).

        Raises:
            ValueError: No deal can begin like this.
        """
        check_stacks(stacks, dealer)
        if sum(stacks) > MAX_STACK:
            raise ValueError(
                f"stacks {tuple(stacks)}: expected at most {MAX_STACK} chips in all, "
                "for one seat may win them (L6)"
            )
        self.rules = rules
        self.stacks = tuple(stacks)
        self.dealer = dealer
        self.deals: list[Deal] = []
        self._under_way: Deal | None = None

    @property
    def is_over(self) -> bool:
        """Whether one seat has all the chips."""
        return sum(stack > 0 for stack in self.stacks) < 2

    def new_deal(self, pack: Sequence[int] | np.ndarray, seed: int = 0) -> Deal:
        """Deals the next hand.

        Args:
            pack: The 28 cards in dealing order, as for `Deal`.
            seed: Seed of the renewals of the stock.

        Raises:
            ValueError: The sitting is over, a deal is under way, or `pack` is not the 28 cards.
        """
        if self.is_over:
            raise ValueError(f"the sitting is over: the stacks are {self.stacks}")
        if self._under_way is not None:
            raise ValueError(f"deal {len(self.deals)} is under way: it must be finished first")
        deal = Deal(self.rules, self.stacks, self.dealer, pack, seed)
        self.deals.append(deal)
        self._under_way = deal
        return deal

    def finish(self, deal: Deal) -> None:
        """Takes a deal that is over into account.

        Args:
            deal: The deal that `new_deal` made last.

        Raises:
            ValueError: It is another deal, or not over.
        """
        if deal is not self._under_way:
            raise ValueError("this is not the deal under way")
        self.dealer = deal.next_dealer
        self._under_way = None
        self.stacks = deal.chips
