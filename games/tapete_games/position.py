"""A position: what one seat knows, checked, in the form that bots think in."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tapete.v1 import Game

# At run time the games import this module, not the other way round.
if TYPE_CHECKING:
    from tapete_games.gile.rules import Rules as GileRules
    from tapete_games.guinote.rules import Rules as GuinoteRules

__all__ = ["Position"]


@dataclass(frozen=True)
class Position:
    """What one seat legitimately knows at a decision, and what it may do."""

    game: "Game.ValueType"
    """The game."""
    view: np.record
    """VIEW record of the game's engine. Kernels read it; nobody writes to it."""
    rules: "GuinoteRules | GileRules"
    """Rules in force."""
    seat: int
    """Seat that is asked."""
    legal_moves: tuple[int, ...]
    """Codes of its legal moves, ascending; never empty. Of the bets or raises that Gilé allows they hold the
    least and the greatest; every whole amount between is legal too."""
    coto: tuple[int, int] = (0, 0)
    """Guiñote: points of the coto won so far by the sides of the even and the odd seats."""
