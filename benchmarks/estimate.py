"""Means with their intervals, and how they are written."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["Estimate"]

# Half the width of a 95 % interval of the normal distribution, in standard errors.
_WIDTH = 1.959964


@dataclass(frozen=True)
class Estimate:
    """A mean over independent values and half the width of its 95 % interval."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float] | np.ndarray) -> "Estimate":
        """Estimates the mean of what the values are drawn from; with one value the error is unknown: nan."""
        data = np.asarray(values, np.float64)
        error = _WIDTH * data.std(ddof=1) / len(data) ** 0.5 if len(data) > 1 else float("nan")
        return cls(float(data.mean()), float(error))

    def __mul__(self, factor: float) -> "Estimate":
        return Estimate(self.mean * factor, self.error * abs(factor))

    def __format__(self, spec: str) -> str:
        sign = "+" if spec.startswith("+") else ""
        digits = spec.removeprefix("+") or ".2f"
        return f"{self.mean:{sign}{digits}} ± {self.error:{digits}}"
