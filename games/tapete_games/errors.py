"""The errors of the games.

GameError
├── ViewError         a view or a move on the wire is wrong: all violations at once
├── IllegalMoveError  a move breaks a rule
└── RecordError       a text record cannot be read or does not replay
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tapete.v1 import ErrorReason

__all__ = ["MAX_VIOLATIONS", "GameError", "IllegalMoveError", "RecordError", "ViewError", "Violation"]

MAX_VIOLATIONS = 20
"""Most violations that a ViewError keeps; further ones are only counted."""


class GameError(Exception):
    """Any error of a game."""


@dataclass(frozen=True)
class Violation:
    """One fault in a message."""

    path: str
    """Field at fault, zero-based and in snake_case: `view.guinote.tricks[3].cards[1]`."""
    reason: "ErrorReason.ValueType"
    """Machine-readable reason."""
    message: str
    """A sentence that holds the offending value and, where one is broken, the number of the rule."""


class ViewError(GameError):
    """A view or a move on the wire that is refused.

    Attributes:
        violations: The first violations, at most MAX_VIOLATIONS.
        total: How many there are.
    """

    def __init__(self, violations: Sequence[Violation], total: int | None = None) -> None:
        """Makes the error.

        Args:
            violations: At least one; those past MAX_VIOLATIONS are dropped.
            total: How many there are, where the caller has already dropped some; default all given.
        """
        self.violations = tuple(violations[:MAX_VIOLATIONS])
        self.total = len(violations) if total is None else total
        first = f"{self.violations[0].path}: {self.violations[0].message}"
        super().__init__(first if self.total == 1 else f"{first} (the first of {self.total} violations)")


class IllegalMoveError(GameError):
    """A move that breaks a rule (G27).

    Attributes:
        reason: Machine-readable reason.
        code: The engine's own code, as `why_illegal` of the game's engine gives it.
    """

    def __init__(self, message: str, reason: "ErrorReason.ValueType", code: int) -> None:
        """Makes the error; `message` is a sentence that names the rule."""
        super().__init__(message)
        self.reason = reason
        self.code = code


class RecordError(GameError):
    """A text record that cannot be read, or that breaks the rules when it is replayed.

    Attributes:
        line: Number of the line at fault, from 1.
    """

    def __init__(self, line: int, message: str) -> None:
        """Makes the error; `message` holds the offending text."""
        super().__init__(f"line {line}: {message}")
        self.line = line
