"""The switches and settings of Gilé; rule numbers are those of docs/rules.md.

>>> Rules(limit=Limit.POT, ante=2).limit
<Limit.POT: 1>
"""

from dataclasses import dataclass
from enum import IntEnum

from tapete_games.gile import state

__all__ = ["MAX_CHIPS", "MAX_STACK", "MAX_VOID_DEALS", "STARTING_STACK", "Limit", "Rules"]

STARTING_STACK = 100
"""Chips of each seat at the start of a sitting, where nothing else is said (L6)."""

MAX_CHIPS = 1_000_000
"""Largest ante and minimum bet."""

MAX_STACK = 100_000_000
"""Largest stack."""

MAX_VOID_DEALS = state.MAX_VOID_DEALS
"""Largest number of void deals that end a deal."""


class Limit(IntEnum):
    """How high bets and raises may go (L15)."""

    NONE = state.LIMIT_NONE
    """Up to all chips of the seat."""
    POT = state.LIMIT_POT
    """By the pot as it is after calling."""
    FIXED = state.LIMIT_FIXED
    """The minimum bet in the first two rounds, twice that in the last; three raises a round."""


@dataclass(frozen=True)
class Rules:
    """The rules in force; every default is the default rule."""

    limit: Limit = Limit.NONE
    """How high bets and raises may go (L15)."""
    suit_rank: bool = False
    """A tie goes by the suit of the counted combination, and the dealer has no privilege (L17)."""
    ante: int = 1
    """Chips that every seat pays before the cards are dealt (L6), 0 to MAX_CHIPS."""
    minimum_bet: int = 1
    """Least bet in chips (L6), 1 to MAX_CHIPS."""
    void_deals: int = 3
    """Void deals in a row that end the deal (L7), 1 to MAX_VOID_DEALS."""

    def __post_init__(self) -> None:
        for name, value, least, most, rule in (
            ("ante", self.ante, 0, MAX_CHIPS, "L6"),
            ("minimum_bet", self.minimum_bet, 1, MAX_CHIPS, "L6"),
            ("void_deals", self.void_deals, 1, MAX_VOID_DEALS, "L7"),
        ):
            if not least <= value <= most:
                raise ValueError(f"{name} is {value}: expected {least} to {most} ({rule})")
