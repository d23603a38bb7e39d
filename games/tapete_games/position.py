"""A position: what one seat knows, checked, in the form that bots think in."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tapete.v1 import Game

# At run time the games import this module, not the other way round.
if TYPE_CHECKING:
    from tapete_games.guinote.rules import Rules

__all__ = ["Position"]


@dataclass(frozen=True)
class Position:
    """What one seat legitimately knows at a decision, and what it may do."""

    game: "Game.ValueType"
    """The game."""
    view: np.record
    """VIEW record of the game's engine. Kernels read it; nobody writes to it."""
    rules: "Rules"
    """Rules in force."""
    coto: tuple[int, int]
    """Points of the coto won so far by the sides of the even and the odd seats."""
    seat: int
    """Seat that is asked."""
    legal_moves: tuple[int, ...]
    """Codes of its legal moves, ascending; never empty."""
