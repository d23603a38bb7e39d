"""What a bot is: a question with a budget in, an answer out.

A bot sees a `Position`: what one seat legitimately knows, already checked. It never sees a referee's
state. The same position, seed and iteration budget give the same answer, in any process.
"""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from tapete.v1 import DecidedBy, Game, MoveReason, StoppedBy
from tapete_games.position import Position

__all__ = ["Answer", "Bot", "Budget", "Cancelled", "Candidate", "Control", "Report"]


@dataclass(frozen=True)
class Budget:
    """Limits of the thinking for one answer. With neither, the bot's own default holds."""

    iterations: int | None = None
    """Largest number of search iterations; 0 asks for an answer without search."""
    time: timedelta | None = None
    """Longest thinking time."""


class Cancelled(Exception):  # noqa: N818 - not an error: the caller wished it
    """The caller no longer wants the answer."""


class Control:
    """How a caller stops a bot that thinks in another thread."""

    def __init__(self, deadline: float | None = None) -> None:
        """Makes a control.

        Args:
            deadline: Moment of `time.monotonic()` by which the answer must be ready; None for never.
        """
        self.deadline = math.inf if deadline is None else deadline
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Asks the bot to give up; it raises Cancelled within a few milliseconds."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled.is_set()

    def remaining(self) -> float:
        """Returns the seconds left until the deadline, negative once past it, infinite without one."""
        return self.deadline - time.monotonic()


@dataclass(frozen=True)
class Candidate:
    """A move that was considered, valued for the side of the seat that was asked."""

    move: int
    """Code of the move, as in the game's engine."""
    visits: int = 0
    """Iterations that chose it."""
    expected_points: float | None = None
    """Expected difference of points over the whole deal, own minus other side's."""
    expected_points_error: float | None = None
    """Standard error of `expected_points`."""
    win_probability: float | None = None
    """Probability of winning the point, 0 to 1."""
    win_probability_error: float | None = None
    """Standard error of `win_probability`; 0 when exact."""
    expected_chips: float | None = None
    """Expected change of the seat's stack from now to the end of the deal."""
    expected_chips_error: float | None = None
    """Standard error of `expected_chips`."""
    probability: float | None = None
    """Probability with which the bot chooses it, where it mixes moves on purpose."""


@dataclass(frozen=True)
class Answer:
    """A move and how it was found."""

    move: int
    """Code of the chosen move; legal."""
    candidates: tuple[Candidate, ...]
    """The moves considered, best first."""
    decided_by: "DecidedBy.ValueType"
    stopped_by: "StoppedBy.ValueType"
    reason: "MoveReason.ValueType"
    iterations: int = 0
    """Search iterations done."""


Report = Callable[[Answer], None]
"""Receives partial answers, in the thread of the bot; `stopped_by` is UNSPECIFIED in them."""


class Bot(Protocol):
    """A player: any object with these members.

    One that always answers within some 50 µs may have a member `is_instant = True` as well: a server then
    asks it without a change of threads.
    """

    @property
    def id(self) -> str:
        """The versioned id with the options that differ from their defaults."""

    @property
    def games(self) -> "tuple[Game.ValueType, ...]":
        """The games it plays."""

    def choose(
        self, position: Position, budget: Budget, seed: int, control: Control, report: Report | None = None
    ) -> Answer:
        """Chooses a legal move; blocks until the budget or the deadline ends the thinking.

        Args:
            position: What the seat knows.
            budget: Limits of the thinking.
            seed: Seed of the bot's randomness, 0 to 2**32 - 1.
            control: Deadline and cancellation.
            report: Receives partial answers, every few milliseconds.

        Raises:
            Cancelled: `control` was cancelled.
        """
