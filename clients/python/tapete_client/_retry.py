"""When a call is repeated, and after what pause.

Every call of the service is stateless and idempotent, so a call that the server did not answer may be
repeated: UNAVAILABLE (no connection, draining, warming up) and CANCELLED sent by the server (it stopped
before it accepted the call). The pause doubles from try to try, with a random part so that many clients
do not come back at the same moment; where the server says how long to wait, the client waits that long,
and such a refusal does not count as a try. Nothing is repeated past the deadline of the call.
"""

import random
import time
from dataclasses import dataclass
from datetime import timedelta

import grpc

from tapete_client._checks import check_number, check_time
from tapete_client._errors import OverloadedError, TapeteError

__all__ = ["Attempts", "RetryPolicy"]

_REPEATABLE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)


@dataclass(frozen=True)
class RetryPolicy:
    """When and how often a call is repeated. `RetryPolicy(tries=1)` never repeats one."""

    tries: int = 5
    """Largest number of tries of one call, the first included; at least 1. A refusal with a retry hint
    of the server counts for none: it is repeated until the deadline, unless `tries` is 1."""
    first_pause: timedelta = timedelta(milliseconds=100)
    """Pause after the first failed try; each further one is twice as long. Also the shortest pause."""
    longest_pause: timedelta = timedelta(seconds=2)
    """Where the doubling ends."""
    repeats_overloaded: bool = False
    """Whether a call refused by a full queue (OverloadedError) is repeated too, after the server's hint.
    By default it is not: a program that can do without the answer should, until the load is gone."""

    def __post_init__(self) -> None:
        check_number("tries", self.tries)
        check_time("first_pause", self.first_pause)
        check_time("longest_pause", self.longest_pause)
        if self.tries < 1:
            raise ValueError(f"tries is {self.tries}: it must be at least 1")
        if not timedelta(0) < self.first_pause <= self.longest_pause:
            raise ValueError(
                f"pauses from {self.first_pause} to {self.longest_pause}: not above 0, or not in order"
            )

    def repeats(self, failure: TapeteError) -> bool:
        """Tells whether this kind of failure is worth another try."""
        if isinstance(failure, OverloadedError):
            return self.repeats_overloaded
        return failure.status in _REPEATABLE


class Attempts:
    """The tries of one call under a policy and a deadline."""

    def __init__(self, policy: RetryPolicy, timeout: timedelta) -> None:
        """Starts the clock of one call, which ends after `timeout`."""
        self._policy = policy
        self._deadline = time.monotonic() + timeout.total_seconds()
        self._failed = 0

    def remaining(self) -> float:
        """Returns the seconds left until the deadline, never below 0."""
        return max(0.0, self._deadline - time.monotonic())

    def pause_after(self, failure: TapeteError) -> float | None:
        """Returns the seconds to wait before the next try, or None to give up with this failure."""
        policy = self._policy
        if policy.tries == 1 or not policy.repeats(failure):
            return None
        if failure.retry_after is None:
            self._failed += 1
            if self._failed >= policy.tries:
                return None
            longest = min(policy.first_pause * 2 ** min(self._failed - 1, 30), policy.longest_pause)
            pause = longest.total_seconds() * random.uniform(0.5, 1.0)
        else:
            # Never earlier than the server asks.
            pause = max(failure.retry_after, policy.first_pause).total_seconds() * random.uniform(1.0, 1.1)
        return pause if pause < self.remaining() else None
