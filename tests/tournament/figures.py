"""What every figure keeps, whatever the data."""

import math

from tapete_tournament.estimates import Estimate

__all__ = ["assert_finite", "assert_sound"]


def assert_finite(*numbers: float | None) -> None:
    """Checks that there is no NaN and no infinity."""
    assert all(number is None or math.isfinite(number) for number in numbers), numbers


def assert_sound(estimate: Estimate) -> None:
    """Checks that all numbers are finite and the interval holds the mean."""
    assert_finite(estimate.mean, estimate.low, estimate.high, estimate.deviation)
    if estimate.mean is not None:
        assert estimate.low is None or estimate.low <= estimate.mean, estimate
        assert estimate.high is None or estimate.mean <= estimate.high, estimate
