"""What has happened in a deal of Gilé, and who knows what of it."""

from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["Action", "Draw", "History"]


class Action(NamedTuple):
    """One action of the betting log."""

    stage: int
    """Betting round: FIRST, SECOND or LAST."""
    seat: int
    move: int
    """Code of the move."""


class Draw(NamedTuple):
    """The service of one seat (L9)."""

    seat: int
    size: int
    """Number of cards, 0 to 4."""


@dataclass
class History:
    """The course of a deal. Counts and actions are public; cards belong to their seats."""

    actions: list[Action] = field(default_factory=list)
    """The betting log, oldest first; void deals have none."""
    draws: list[Draw] = field(default_factory=list)
    """Oldest first."""
    set_aside: list[tuple[int, ...]] = field(default_factory=list)
    """Of each void deal, oldest first, the set of the two cards of each seat; 0 of a seat not dealt in."""
    discarded: dict[int, int] = field(default_factory=dict)
    """Set of the cards that each seat discarded."""
