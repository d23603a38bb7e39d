"""Control variates and what duplicate saves, against models whose variance is known."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapete_tournament.estimates import estimate_mean
from tapete_tournament.variance import Adjustment, control_variate, duplicate_saving
from tests.tournament.figures import assert_finite

POINTS = st.floats(-1e30, 1e30) | st.sampled_from([0.0, 0.1, 5e-324, 1.0, -1.0])


def correlated(
    generator: np.random.Generator, size: int, correlation: float
) -> tuple[np.ndarray, np.ndarray]:
    """Returns values of mean 5 and a covariate of mean 0."""
    x = generator.standard_normal(size)
    return 5 + 30 * (correlation * x + math.sqrt(1 - correlation**2) * generator.standard_normal(size)), x


@pytest.mark.parametrize("correlation", [0.0, 0.5, -0.9])
def test_variance_falls_by_one_less_the_squared_correlation(correlation: float) -> None:
    y, x = correlated(np.random.default_rng(0), 20_000, correlation)
    adjusted = control_variate(np.arange(20_000), y, x)
    assert adjusted.factor == pytest.approx(1 / (1 - correlation**2), rel=0.04)
    assert adjusted.even_slope == pytest.approx(30 * correlation, abs=1)
    assert adjusted.odd_slope == pytest.approx(30 * correlation, abs=1)
    assert adjusted.even_slope != adjusted.odd_slope


def test_the_slope_of_a_deal_comes_from_deals_of_the_other_parity() -> None:
    deals = np.array([0, 2, 4, 1, 3, 5])
    x = np.array([1.0, -1.0, 2.0, 1.0, -1.0, 2.0])
    y = np.where(deals % 2 == 0, 10 * x, -3 * x)
    adjusted = control_variate(deals, y, x)
    assert (adjusted.even_slope, adjusted.odd_slope) == pytest.approx((-3.0, 10.0))
    assert adjusted.values == pytest.approx(np.where(deals % 2 == 0, 13 * x, -13 * x))
    # Worse than nothing, and said so.
    assert adjusted.factor == pytest.approx(np.var(y) / np.var(adjusted.values))
    assert (adjusted.factor or 0) < 1


def test_the_mean_stays_unbiased_where_the_same_deals_would_bias_it() -> None:
    # y = x^2 - 1 has mean 0. In six deals the slope of all of them follows x's own skewness and pulls the
    # mean off; the slope of the other half knows nothing of it.
    generator = np.random.default_rng(1)
    crossed, together = [], []
    for _ in range(4_000):
        x = generator.exponential(size=6) - 1
        y = x**2 - 1
        crossed.append(control_variate(np.arange(6), y, x).values.mean())
        together.append((y - np.cov(x, y)[0, 1] / x.var(ddof=1) * x).mean())
    error = np.std(crossed) / math.sqrt(len(crossed))
    assert abs(np.mean(crossed)) < 3 * error
    assert abs(np.mean(together)) > 5 * np.std(together) / math.sqrt(len(together))


def test_95_percent_of_adjusted_intervals_hold_the_mean() -> None:
    generator = np.random.default_rng(2)
    held = 0
    for _ in range(2000):
        y, x = correlated(generator, 60, 0.8)
        adjusted = estimate_mean(control_variate(np.arange(60), y, x).values)
        held += (adjusted.low or 0) <= 5 <= (adjusted.high or 0)
    assert 0.93 <= held / 2000 <= 0.97


@pytest.mark.parametrize(
    ("deals", "y", "x", "factor"),
    [
        ([], [], [], 1.0),
        ([4], [7.0], [1.0], 1.0),
        ([0, 1, 2, 3], [7.0] * 4, [1.0, -1.0, 2.0, 0.5], 1.0),
        ([0, 1, 2, 3], [1.0, 2.0, 3.0, 5.0], [0.0] * 4, 1.0),
        ([0, 2, 4, 6], [1.0, 2.0, 3.0, 5.0], [1.0, 2.0, 3.0, 5.0], 1.0),  # no odd deals to learn from
        ([0, 1, 2, 3], [1.0, 2.0, 3.0, 5.0], [1.0, 2.0, 3.0, 5.0], None),  # all luck
    ],
)
def test_degenerate_covariates(
    deals: list[int], y: list[float], x: list[float], factor: float | None
) -> None:
    adjusted = control_variate(deals, y, x)
    assert adjusted.factor == factor
    if factor is not None:
        assert adjusted.values.tolist() == y


@pytest.mark.parametrize(
    ("correlation", "rotations", "factor"), [(-0.6, 2, 2.5), (0.0, 2, 1.0), (0.5, 2, 2 / 3), (-0.2, 4, 2.5)]
)
def test_saving_of_duplicate_is_that_of_the_correlation(
    correlation: float, rotations: int, factor: float
) -> None:
    # 1 / (1 + (R - 1) r), the design effect of clusters (Kish, Survey Sampling, 1965) turned over.
    covariance = 900 * (np.full((rotations, rotations), correlation) + (1 - correlation) * np.eye(rotations))
    scores = np.random.default_rng(3).multivariate_normal(np.zeros(rotations), covariance, 40_000)
    saving = duplicate_saving(scores)
    assert (saving.deals, saving.rotations) == (40_000, rotations)
    assert saving.independent_variance == pytest.approx(900 / rotations, rel=0.03)
    assert saving.factor == pytest.approx(factor, rel=0.03)


def test_advantages_of_a_seat_are_not_credited_to_duplicate() -> None:
    scores = np.random.default_rng(4).normal([100.0, -100.0], 30.0, (20_000, 2))
    assert duplicate_saving(scores).factor == pytest.approx(1, rel=0.03)


def test_degenerate_savings() -> None:
    assert duplicate_saving([]).factor is None
    assert duplicate_saving([[3.0, -1.0]]).factor is None
    # A bot against itself: the rotations cancel to rounding.
    mirrored = np.random.default_rng(5).normal(0, 30, (100, 2)) @ np.array(
        [[1, -1 / 3, -2 / 3], [0.1, -0.1, 0]]
    )
    saving = duplicate_saving(mirrored)
    assert saving.factor is None
    assert (saving.independent_variance or 0) > 1


@given(st.lists(st.tuples(st.integers(-(2**40), 2**40), POINTS, POINTS), max_size=20))
def test_any_values_give_sound_adjustments(rows: list[tuple[int, float, float]]) -> None:
    deals, y, x = ([row[i] for row in rows] for i in range(3))
    adjusted: Adjustment = control_variate(deals, y, x)
    assert np.isfinite(adjusted.values).all()
    assert adjusted.values.shape == (len(rows),)
    assert_finite(adjusted.factor, adjusted.even_slope, adjusted.odd_slope)


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(POINTS, min_size=n, max_size=n), max_size=10)))
def test_any_scores_give_sound_savings(scores: list[list[float]]) -> None:
    saving = duplicate_saving(scores)
    assert_finite(saving.factor, saving.independent_variance, saving.paired_variance)


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="2 deals, 2 values, 1 of the covariate: expected as many"):
        control_variate([0, 1], [1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match=r"covariate\[1\] is nan"):
        control_variate([0, 1], [1.0, 2.0], [1.0, math.nan])
    with pytest.raises(ValueError, match="scores has 1 dimensions: expected deals and rotations"):
        duplicate_saving([1.0, 2.0])
