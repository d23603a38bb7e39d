"""What searching bots have in common: thinking in slices under a budget, and answers without search."""

import math
import time
from collections.abc import Callable

from tapete.v1 import DecidedBy, MoveReason, StoppedBy
from tapete_bots.bot import Answer, Budget, Cancelled, Candidate, Control, Report

__all__ = ["forced", "mean_and_error", "single", "think"]

# Searches stop to look at clock and caller about so often.
SLICE_SECONDS = 0.002
# Iterations of a search that time alone limits.
MOST_ITERATIONS = 10_000_000


def single(move: int, decided_by: "DecidedBy.ValueType", reason: "MoveReason.ValueType") -> Answer:
    """Makes an answer with one candidate and nothing more to think about."""
    return Answer(move, (Candidate(move),), decided_by, StoppedBy.STOPPED_BY_DONE, reason)


def forced(move: int) -> Answer:
    """Makes the answer with the only legal move."""
    return single(move, DecidedBy.DECIDED_BY_FORCED, MoveReason.MOVE_REASON_FORCED)


def mean_and_error(total: float, squares: float, n: int) -> tuple[float, float | None]:
    """Returns a mean and its standard error, which one value alone does not tell.

    Args:
        total: Sum of n values.
        squares: Sum of their squares.
        n: At least 1.
    """
    mean = total / n
    if n < 2:
        return mean, None
    variance = max(squares - n * mean * mean, 0.0) / (n - 1)
    return mean, float((variance / n) ** 0.5)


class _Clock:
    """The time budget of an answer, the deadline of its caller, and the caller's patience."""

    def __init__(self, budget: Budget, control: Control) -> None:
        seconds = math.inf if budget.time is None else budget.time.total_seconds()
        self._end = time.monotonic() + seconds
        self._control = control

    def stopped_by(self) -> "StoppedBy.ValueType | None":
        """Says which time is up, None for none.

        Raises:
            Cancelled: The caller no longer wants the answer.
        """
        if self._control.is_cancelled:
            raise Cancelled
        if self._control.remaining() <= 0:
            return StoppedBy.STOPPED_BY_DEADLINE
        return StoppedBy.STOPPED_BY_TIME if time.monotonic() >= self._end else None

    def left(self) -> float:
        """Returns the seconds left, not negative."""
        return max(0.0, min(self._end - time.monotonic(), self._control.remaining()))


def think(
    prepare: Callable[[], None],
    iterate: Callable[[int], None],
    answer: "Callable[[int, StoppedBy.ValueType], Answer]",
    default: int,
    budget: Budget,
    control: Control,
    report: Report | None,
) -> Answer:
    """Searches in slices of a few milliseconds until iterations, time or deadline are used up.

    Args:
        prepare: Makes ready for the first iteration.
        iterate: Does so many iterations.
        answer: Makes the answer from the iterations done and what ended the thinking.
        default: Largest number of iterations if the budget names none, nor a time.
        budget: Limits of the thinking.
        control: Deadline and cancellation.
        report: Receives partial answers.

    Raises:
        Cancelled: `control` was cancelled.
    """
    limit = budget.iterations
    if limit is None:
        limit = default if budget.time is None else MOST_ITERATIONS
    clock = _Clock(budget, control)
    prepare()
    done = 0
    size = 64
    while True:
        stopped_by = StoppedBy.STOPPED_BY_ITERATIONS if done >= limit else clock.stopped_by()
        if stopped_by is not None:
            return answer(done, stopped_by)
        size = min(size, limit - done)
        began = time.monotonic()
        iterate(size)
        took = max(time.monotonic() - began, 1e-6)
        done += size
        if report and done < limit:
            report(answer(done, StoppedBy.STOPPED_BY_UNSPECIFIED))
        # so many as the next slice has time for, but not much more than this one had
        size = max(16, min(int(size * min(SLICE_SECONDS, clock.left()) / took), 4 * size))
