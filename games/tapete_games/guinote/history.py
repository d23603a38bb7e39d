"""What everybody has seen of a deal of Guiñote: tricks, cantes, the swap."""

from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["Cante", "History", "Swap", "Trick"]


class Trick(NamedTuple):
    """A trick, complete or on the table."""

    leader: int
    """Seat that led."""
    cards: list[int]
    """Codes of the cards in the order played."""


class Cante(NamedTuple):
    """An announced rey and sota (G19)."""

    seat: int
    suit: int
    after_tricks: int
    """Number of tricks complete when it was announced."""


class Swap(NamedTuple):
    """The swap of a deal (G16)."""

    seat: int
    after_tricks: int
    """Number of tricks complete when it was made."""
    is_before_draw: bool
    """Whether it was made in window (a) of G17, else on the seat's own turn."""


@dataclass
class History:
    """What has been played and announced in a deal, for all to see."""

    tricks: list[Trick] = field(default_factory=list)
    """Oldest first; the last may be incomplete."""
    cantes: list[Cante] = field(default_factory=list)
    """Oldest first."""
    swap: Swap | None = None
    tute_seat: int | None = None
    """Seat that announced a tute, which ended the deal (G22)."""
