"""What every estimate keeps, whatever the data."""

import math
from typing import Protocol

__all__ = ["Interval", "assert_sound"]


class Interval(Protocol):
    """A figure with an interval."""

    @property
    def mean(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def assert_sound(figure: Interval) -> None:
    """Checks that all numbers are finite and the interval holds the mean."""
    assert all(
        number is None or math.isfinite(number) for number in (figure.mean, figure.low, figure.high)
    ), figure
    if figure.mean is not None:
        assert figure.low is None or figure.low <= figure.mean, figure
        assert figure.high is None or figure.mean <= figure.high, figure
