"""The switches and settings of Guiñote; rule numbers are those of docs/rules.md.

>>> Rules(partner_relief=True, malas=Malas.OFF).flags == state.PARTNER_RELIEF
True
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from tapete_games.guinote import state

__all__ = ["MAX_POINTS_PER_COTO", "SWITCHES", "Malas", "Rules"]

MAX_POINTS_PER_COTO = 20

SWITCHES = {
    "fixed_rotation": state.FIXED_ROTATION,
    "partner_relief": state.PARTNER_RELIEF,
    "swap_after_latest_trick_only": state.SWAP_AFTER_LATEST_TRICK_ONLY,
    "cante_per_member": state.CANTE_PER_MEMBER,
    "no_tute": state.NO_TUTE,
}
"""Name of each switch and its flag in the engine."""


class Malas(IntEnum):
    """How the minimum that must come from cards counts in the first deal of a point (G24)."""

    THIRTY = state.MALAS_THIRTY
    """At least 30 of the 101 come from cards and the last ten."""
    OFF = state.MALAS_OFF
    """No minimum."""
    CARDS_ONLY_LOSES = state.MALAS_CARDS_ONLY_LOSES
    """A side at 101 with fewer than 30 from cards alone loses the point."""


@dataclass(frozen=True)
class Rules:
    """The rules in force; every default is the default rule."""

    fixed_rotation: bool = False
    """The deal passes to dealer + 1 instead of the winner of the latest trick (G5)."""
    partner_relief: bool = False
    """A player whose partner is winning the trick need not beat or trump (G14)."""
    swap_after_latest_trick_only: bool = False
    """The swap is for a side that won the latest trick, not just any (G16)."""
    cante_per_member: bool = False
    """A trick won gives each member of the side a cante, instead of one to the side (G20)."""
    no_tute: bool = False
    """The tute is abolished (G22)."""
    malas: Malas = Malas.THIRTY
    """The minimum that must come from cards (G24)."""
    points_per_coto: int = 3
    """Points that win the coto (G26), 1 to MAX_POINTS_PER_COTO."""

    def __post_init__(self) -> None:
        if not 1 <= self.points_per_coto <= MAX_POINTS_PER_COTO:
            raise ValueError(
                f"points_per_coto is {self.points_per_coto}: expected 1 to {MAX_POINTS_PER_COTO} (G26)"
            )

    @classmethod
    def of_flags(cls, flags: int, malas: Malas = Malas.THIRTY, points_per_coto: int = 3) -> "Rules":
        """Makes the rules of an engine's set of switches."""
        switches = {name: bool(flags & flag) for name, flag in SWITCHES.items()}
        return cls(**switches, malas=malas, points_per_coto=points_per_coto)

    @cached_property
    def flags(self) -> int:
        """The switches as the engine's set of flags."""
        return sum(flag for name, flag in SWITCHES.items() if getattr(self, name))
