"""The sequential test: which of two hypotheses on the mean of a deal holds, in as few deals as possible.

It is the generalised sequential probability ratio test in the normal approximation of Michel Van den Bergh,
"GSPRT approximation" (cantate.be/Fishtest/GSPRT_approximation.pdf), which fishtest has as `LLR_alt2`
(`official-stockfish/fishtest:server/fishtest/stats/LLRcalc.py`). With mean m and variance v of the n deals
so far,

    LLR = n (h1 - h0) (2 m - h0 - h1) / (2 v)

and Wald's bounds are log(beta / (1 - alpha)) below and log((1 - beta) / alpha) above. It departs in one
thing: one virtual squared deviation of (h1 - h0)^2 joins the variance, so that deals which all have one
value decide as well. It delays a decision, by an amount that does not matter once the standard deviation is
a few times h1 - h0.

The unit is a deal with all its rotations, so m and v are those of the paired unit; the pentanomial counts of
chess testers are the same thing where a deal has five outcomes.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from tapete_tournament.estimates import deal_values

__all__ = ["Decision", "Sprt", "SprtState", "contiguous_prefix"]

# The log-likelihood ratio takes the variance from the deals themselves, and a first few that happen to agree
# make it huge. In simulations at alpha = beta = 0.05 a decision from the second deal on was wrong in 11 to
# 18 % of runs on normal values; from 50 deals on in 5 %. Chips have rare large pots, and a sample without
# one knows neither mean nor variance: where one deal in 50 carries all the gain, H0 was accepted wrongly in
# 44 % of runs from 50 deals on, and in 13 to 17 % from 400 on.
LEAST_DEALS = 400


class Decision(StrEnum):
    """What a test says so far."""

    ACCEPT_H0 = "accept H0"
    ACCEPT_H1 = "accept H1"
    CONTINUE = "continue"


@dataclass(frozen=True)
class SprtState:
    """A test after some deals."""

    deals: int
    """Deals of the prefix."""

    decision: Decision
    """The first decision that was reached; later deals do not undo it."""

    decided_at: int | None
    """Number of deals at that decision; None while the test continues."""

    llr: float
    """Log-likelihood ratio of H1 to H0 after these deals."""

    deals_more: int
    """Expected number of deals until a decision, at the mean and the variance so far; 0 once decided."""


@dataclass(frozen=True)
class Sprt:
    """A sequential test of the mean of a deal, H0: `h0` against H1: `h1`.

    Example:
        >>> test = Sprt(h0=0.0, h1=2.0, least_deals=50)
        >>> state = test.run([3.0, -1.0] * 100)
        >>> state.decision, state.decided_at
        (<Decision.CONTINUE: 'continue'>, None)
        >>> test.run([5.0, -1.0] * 100).decision
        <Decision.ACCEPT_H1: 'accept H1'>
    """

    h0: float
    """Mean of a deal under H0, in points or chips."""

    h1: float
    """Mean of a deal under H1; above h0."""

    alpha: float = 0.05
    """Accepted probability of H1 where H0 holds."""

    beta: float = 0.05
    """Accepted probability of H0 where H1 holds."""

    least_deals: int = LEAST_DEALS
    """Deals before which nothing is decided, at least 2; where few would do, they make the errors smaller."""

    def __post_init__(self) -> None:
        deal_values([self.h0, self.h1], "(h0, h1)")
        if not self.h1 - self.h0 > 1e-12 * max(abs(self.h0), abs(self.h1), 1.0):
            raise ValueError(f"h0 is {self.h0} and h1 is {self.h1}: expected h1 to be the larger")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(
                f"alpha is {self.alpha} and beta is {self.beta}: expected both above 0, together below 1"
            )
        if self.least_deals < 2:
            raise ValueError(f"least_deals is {self.least_deals}: expected 2 or more")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def run(self, values: npt.ArrayLike) -> SprtState:
        """Returns the state after all deals.

        Args:
            values: One number a deal, in the order of their numbers and without a gap (`contiguous_prefix`).
        """
        walk = self._walk(values)
        return self._state(walk, walk.llr.size)

    def states(self, values: npt.ArrayLike) -> list[SprtState]:
        """Returns the state after each deal, the first deal's first."""
        walk = self._walk(values)
        return [self._state(walk, deals) for deals in range(1, walk.llr.size + 1)]

    def _walk(self, values: npt.ArrayLike) -> "_Walk":
        # In units of h1 - h0 from the midpoint, LLR = n mean / variance.
        scaled = (deal_values(values) - (self.h0 + self.h1) / 2) / (self.h1 - self.h0)
        deals = np.arange(1, scaled.size + 1)
        # Sums from the first value on lose fewer digits, and do not depend on later deals.
        first = scaled[:1]
        sums = np.cumsum(scaled - first)
        squares = np.maximum(np.cumsum((scaled - first) ** 2) - sums * sums / deals, 0.0)
        drift = (sums / deals + first) * deals / (squares + 1)
        llr = drift * deals
        outside = (deals >= self.least_deals) & ((llr <= self.lower) | (llr >= self.upper))
        decided_at = int(outside.argmax()) + 1 if outside.any() else None
        return _Walk(llr, drift, deals / (squares + 1), decided_at)

    def _state(self, walk: "_Walk", deals: int) -> SprtState:
        llr = float(walk.llr[deals - 1]) if deals else 0.0
        if walk.decided_at is not None and walk.decided_at <= deals:
            up = walk.llr[walk.decided_at - 1] > 0
            return SprtState(deals, Decision.ACCEPT_H1 if up else Decision.ACCEPT_H0, walk.decided_at, llr, 0)
        least = max(self.least_deals - deals, 1)
        if deals < 2 or not self.lower < llr < self.upper:
            return SprtState(deals, Decision.CONTINUE, None, llr, least)
        expected = _expected_exit(
            llr - self.lower,
            self.upper - self.lower,
            float(walk.drift[deals - 1]),
            float(walk.variance[deals - 1]),
        )
        return SprtState(deals, Decision.CONTINUE, None, llr, max(math.ceil(expected), least))


@dataclass(frozen=True)
class _Walk:
    """The log-likelihood ratio after each deal, its drift and variance a deal, and the first decision."""

    llr: npt.NDArray[np.float64]
    drift: npt.NDArray[np.float64]
    variance: npt.NDArray[np.float64]
    decided_at: int | None


def contiguous_prefix(values: Mapping[int, float], first: int = 0) -> list[float]:
    """Returns the values of deals `first`, `first` + 1 and so on, up to the first deal that is missing.

    A test must not look at deals in the order in which they end: quick ones come first, and how long a deal
    takes may go with who wins it.

    Args:
        values: The value of each deal that is over, by its number.
        first: Number of the first deal.

    Example:
        >>> contiguous_prefix({0: 1.0, 1: -2.0, 3: 5.0})
        [1.0, -2.0]
    """
    prefix: list[float] = []
    while first + len(prefix) in values:
        prefix.append(values[first + len(prefix)])
    return prefix


def _expected_exit(above: float, width: float, drift: float, variance: float) -> float:
    """Returns the expected time of a Brownian motion until it leaves an interval (Wald's identity).

    Args:
        above: Where it starts, above the lower end; inside.
        width: Width of the interval.
        drift: Drift a unit of time.
        variance: Variance a unit of time, above 0.
    """
    if drift < 0:
        above, drift = width - above, -drift
    pull = 2 * drift / variance
    if pull * width < 1e-6:
        return above * (width - above) / variance
    leaves_above = math.expm1(-pull * above) / math.expm1(-pull * width)
    return (width * leaves_above - above) / drift
