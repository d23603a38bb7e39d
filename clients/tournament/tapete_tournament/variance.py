"""Less variance for the same deals: control variates, and what duplicate saves.

The control variates follow White and Bowling, "Learning a value analysis tool for agent evaluation" (MIVAT,
IJCAI 2009), and Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT: a new variance reduction technique for
agent evaluation in imperfect information games" (AAAI 2018): subtract from a score a term of luck whose
expectation is known to be zero. They differ in where that term comes from; here it is given.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tapete_tournament.estimates import deal_values

__all__ = ["Adjustment", "DuplicateSaving", "control_variate", "duplicate_saving"]

# A covariate that never exceeds this is no covariate; its slope might not fit a float.
_SMALLEST = 1e-30


@dataclass(frozen=True, eq=False)
class Adjustment:
    """Values of deals less their luck."""

    values: npt.NDArray[np.float64]
    """The adjusted values, shape (deals,), in the order given."""

    factor: float | None
    """Variance of a deal before, divided by that after; below 1 where the covariate did harm.

    1.0 where nothing varies or there are fewer than two deals; None where no variance but rounding is left.
    """

    even_slope: float
    """What the covariate of deals of even number was multiplied by."""

    odd_slope: float
    """What the covariate of deals of odd number was multiplied by."""


@dataclass(frozen=True)
class DuplicateSaving:
    """The variance of a mean over deals, with the rotations of a deal sharing its cards or not."""

    deals: int
    """Number of deals."""

    rotations: int
    """Games of each deal."""

    independent_variance: float | None
    """Variance of the mean of one deal's number of games, each with its own cards; None below two deals."""

    paired_variance: float | None
    """Variance of the mean of one deal's rotations; None with fewer than two deals."""

    factor: float | None
    """The first divided by the second: so many times more games would be needed without duplicate.

    None where either is unknown, or the paired variance is zero but for rounding.
    """


def control_variate(deals: npt.ArrayLike, values: npt.ArrayLike, covariate: npt.ArrayLike) -> Adjustment:
    """Returns y - b x for each deal, with b estimated on other deals.

    Why the mean stays unbiased: E[x] = 0, and the b of a deal comes from deals of the other parity alone,
    which are independent of it, so that E[b x] = E[b] E[x] = 0 whatever b is. A b from the same deals would
    depend on x, and the product would not vanish. This holds only if the covariate was fixed before anyone
    looked at the results, if its expectation really is zero (cards and seats dealt at random), and if it
    does not depend on how the deal was played.

    Each b is the slope of least squares of its half. A half of fewer than two deals, or whose covariate does
    not vary, gives 0: no adjustment. The adjusted values are all but independent, so `estimate_mean` of them
    holds; the errors of the slopes add to the mean's variance a term of order 1 / deals^2.

    Args:
        deals: Number of each deal, whole; its parity says which half it belongs to.
        values: The value of each deal.
        covariate: The covariate of each deal, of known expectation 0.

    Raises:
        ValueError: The three are not equally long.

    Example:
        >>> luck = [4.0, -2.0, 1.0, -3.0, 0.0, 3.0]
        >>> round(control_variate(range(6), [10.0, -3.0, 3.0, -5.0, 1.0, 7.0], luck).factor)
        75
    """
    parity = np.asarray(deals, np.int64) & 1
    y = deal_values(values)
    x = deal_values(covariate, "covariate")
    if not parity.shape == y.shape == x.shape:
        raise ValueError(f"{parity.size} deals, {y.size} values, {x.size} of the covariate: expected as many")
    scale = float(np.abs(x).max(initial=0.0))
    if y.size < 2 or np.ptp(y) == 0 or scale < _SMALLEST:
        return Adjustment(y.copy(), 1.0, 0.0, 0.0)
    x = x / scale
    even, odd = parity == 0, parity == 1
    even_slope, odd_slope = _slope(x[odd], y[odd]), _slope(x[even], y[even])
    adjusted = y - np.where(even, even_slope, odd_slope) * x
    factor = _ratio(_variance(y), _variance(adjusted))
    return Adjustment(adjusted, factor, even_slope / scale, odd_slope / scale)


def duplicate_saving(scores: npt.ArrayLike) -> DuplicateSaving:
    """Returns how many times smaller the variance of a mean is because rotations share their cards.

    The games it compares with have their own cards but every seat equally often, so what even seats save is
    not credited to duplicate. With R rotations the factor is 1 / (1 + (R - 1) r), where r is the mean
    correlation between rotations of a deal: below 1 where good cards are good for every seat's occupant.

    Args:
        scores: The same entrant's score, shape (deals, rotations), a column for each rotation.

    Raises:
        ValueError: They have not that shape, or a score is not a number.

    Example:
        >>> round(duplicate_saving([[60.0, -50.0], [-30.0, 40.0], [10.0, -6.0], [-80.0, 70.0]]).factor)
        71
    """
    array = np.asarray(scores, np.float64)
    if array.size == 0:
        return DuplicateSaving(0, 0, None, None, None)
    if array.ndim != 2:
        raise ValueError(f"scores has {array.ndim} dimensions: expected deals and rotations")
    deal_values(array.ravel(), "scores")
    deals, rotations = array.shape
    if deals < 2:
        return DuplicateSaving(deals, rotations, None, None, None)
    independent = sum(_variance(column) for column in array.T) / rotations**2
    paired = _variance(array.mean(axis=1))
    return DuplicateSaving(deals, rotations, independent, paired, _ratio(independent, paired))


def _slope(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> float:
    """Returns the slope of y on x, which lies within [-1, 1], by least squares; 0 where there is none."""
    if x.size < 2 or np.ptp(y) == 0 or np.ptp(x) < 1e-9:
        return 0.0
    centred = x - x.mean()
    return float(centred @ (y - y.mean()) / (centred @ centred))


def _variance(values: npt.NDArray[np.float64]) -> float:
    """Returns the variance of at least two values, exactly 0 where they are equal."""
    return 0.0 if np.ptp(values) == 0 else float(values.var(ddof=1))


def _ratio(before: float, after: float) -> float | None:
    """Returns before / after, None where nothing but rounding is left after."""
    return before / after if after > 1e-24 * before else None
