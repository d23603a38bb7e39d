"""Means, win rates and forecasts, against printed examples, scipy and simulation."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tapete_tournament.estimates import (
    Estimate,
    deal_values,
    deals_needed,
    deals_to_decide,
    estimate_mean,
    likelihood_of_superiority,
    win_rate,
)
from tests.tournament.figures import assert_sound

# Extra hours of sleep by the second drug over the first, ten patients: "Student", The probable error of a
# mean, Biometrika 6, 1908, section IX; R's `sleep` and `t.test(..., paired = TRUE)`.
SLEEP = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]

POINTS = st.floats(-1e30, 1e30) | st.sampled_from([0.0, 0.1, 5e-324, -1e-200])
SHARES = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)

REPEATS = 2000


def test_students_sleep_data() -> None:
    sleep = estimate_mean(SLEEP)
    assert sleep.mean == pytest.approx(1.58)
    assert sleep.low == pytest.approx(0.7001142, abs=1e-7)
    assert sleep.high == pytest.approx(2.4598858, abs=1e-7)
    assert sleep.deviation == pytest.approx(1.229995, abs=1e-6)
    # Student: "the probability is .9985"; R's two-sided p is 0.002833.
    assert likelihood_of_superiority(SLEEP) == pytest.approx(1 - 0.002833 / 2, abs=1e-6)
    assert likelihood_of_superiority([-hours for hours in SLEEP]) == pytest.approx(0.002833 / 2, abs=1e-6)


def test_degenerate_means() -> None:
    assert estimate_mean([]) == Estimate(None, None, None, 0, None)
    assert estimate_mean([7.0]) == Estimate(7.0, None, None, 1, None)
    assert estimate_mean([0.1] * 3) == Estimate(0.1, 0.1, 0.1, 3, 0.0)
    assert estimate_mean([7.0]).half_width is None


@pytest.mark.parametrize(
    ("differences", "likelihood"),
    [
        ([], 0.5),
        ([7.0], 0.5),
        ([0.0] * 50, 0.5),
        ([3.0, -3.0], 0.5),
        ([5.0] * 3, 0.875),  # the sign test: 1 - 2^-3
        ([-5.0] * 3, 0.125),
    ],
)
def test_superiority_without_a_standard_error(differences: list[float], likelihood: float) -> None:
    assert likelihood_of_superiority(differences) == likelihood


@pytest.mark.parametrize("wins", [0, 20])
def test_win_rate_at_the_ends_is_wilsons_with_students_quantile(wins: int) -> None:
    level = 2 * stats.norm.cdf(stats.t.ppf(0.975, 19)) - 1
    judge = stats.binomtest(wins, 20).proportion_ci(level, "wilson")
    rate = win_rate([1.0] * wins + [0.0] * (20 - wins))
    assert (rate.low, rate.high) == pytest.approx((judge.low, judge.high), abs=1e-12)


@pytest.mark.parametrize(
    ("wins", "deals", "low", "high"), [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605)]
)
def test_win_rate_of_single_games_is_near_newcombes_table(
    wins: int, deals: int, low: float, high: float
) -> None:
    # Newcombe, Statistics in Medicine 17, 1998, table I, method 3. Two virtual deals and Student's quantile
    # make ours a little wider.
    rate = win_rate([1.0] * wins + [0.0] * (deals - wins))
    assert low - 0.002 < (rate.low or 0) < low
    assert high < (rate.high or 1) < high + 0.002


def test_degenerate_win_rates() -> None:
    assert win_rate([]) == Estimate(None, 0.0, 1.0, 0, None)
    one = win_rate([1.0])
    assert one.mean == one.high == 1.0
    assert (one.low or 0) < 0.05
    # A hundred split deals: the rule of three leaves 3 % of others, so 1.5 % either way.
    split = win_rate([0.5] * 100)
    assert split.half_width == pytest.approx(0.015, abs=0.002)


def share_covered(interval: Callable[[np.ndarray], Estimate], truth: float, samples: np.ndarray) -> float:
    estimates = [interval(sample) for sample in samples]
    return float(
        np.mean([(e.low or 0) <= truth + 1e-12 and truth - 1e-12 <= (e.high or 0) for e in estimates])
    )


@pytest.mark.parametrize("deals", [4, 20, 100])
def test_95_percent_of_students_intervals_hold_the_mean(deals: int) -> None:
    samples = np.random.default_rng(deals).normal(3.0, 30.0, (REPEATS, deals))
    assert 0.93 <= share_covered(estimate_mean, 3.0, samples) <= 0.97


# Probabilities of losing both games of a deal, splitting them, winning both.
@pytest.mark.parametrize(
    "outcomes",
    [
        (0.25, 0.5, 0.25),
        (0.05, 0.3, 0.65),
        (0.1, 0.8, 0.1),
        (0.0, 0.7, 0.3),
        (0.0025, 0.095, 0.9025),
        (0.0, 0.02, 0.98),
    ],
)
def test_95_percent_of_win_rate_intervals_hold_the_truth(outcomes: Sequence[float]) -> None:
    samples = np.random.default_rng(1).choice([0.0, 0.5, 1.0], p=outcomes, size=(REPEATS, 200))
    truth = outcomes[1] / 2 + outcomes[2]
    assert 0.93 <= share_covered(win_rate, truth, samples) <= 0.97


@pytest.mark.parametrize("outcomes", [(0.0, 0.98, 0.02), (0.01, 0.98, 0.01), (0.0, 0.02, 0.98)])
@pytest.mark.parametrize("deals", [10, 100])
def test_few_or_equal_deals_make_win_rate_intervals_too_wide_and_not_too_narrow(
    outcomes: Sequence[float], deals: int
) -> None:
    samples = np.random.default_rng(1).choice([0.0, 0.5, 1.0], p=outcomes, size=(REPEATS, deals))
    assert share_covered(win_rate, outcomes[1] / 2 + outcomes[2], samples) >= 0.94


def test_the_likelihood_of_superiority_is_uniform_where_there_is_no_difference() -> None:
    samples = np.random.default_rng(2).normal(0.0, 30.0, (REPEATS, 10))
    likelihoods = [likelihood_of_superiority(sample) for sample in samples]
    assert stats.kstest(likelihoods, "uniform").pvalue > 0.01


def test_deals_needed_as_the_table_of_the_protocol() -> None:
    # (1.96 sigma / h)^2: sigma 30 needs 384, 864 and 3457 deals for 3, 2 and 1 points; Student's quantile
    # adds up to three.
    values = [30.0, -30.0] * 10 + [0.0]
    values = list(np.array(values) * 30.0 / np.std(values, ddof=1))
    for half_width, total in ((3.0, 384), (2.0, 864), (1.0, 3457)):
        assert total <= len(values) + (deals_needed(values, half_width) or 0) <= total + 4


@given(st.lists(st.integers(-100, 100), min_size=2, max_size=20), st.floats(0.5, 200))
def test_deals_needed_is_the_least_number(values: list[int], half_width: float) -> None:
    more = deals_needed(values, half_width)
    assert more is not None
    deviation = float(np.std(values, ddof=1))

    def width(deals: int) -> float:
        return float(stats.t.ppf(0.975, deals - 1)) * deviation / math.sqrt(deals)

    assert width(len(values) + more) <= half_width * (1 + 1e-9)
    if more:
        assert width(len(values) + more - 1) > half_width * (1 - 1e-9)


def test_deals_to_decide_is_known_only_with_a_mean_and_a_deviation() -> None:
    assert deals_to_decide(SLEEP) == 0
    assert deals_to_decide([30.0, -10.0, 20.0, 0.0]) == deals_needed([30.0, -10.0, 20.0, 0.0], 10.0)
    assert deals_to_decide([5.0, 5.0]) == 0
    for values in ([], [5.0], [1.0, -1.0], [0.0, 0.0]):
        assert deals_to_decide(values) is None
    assert deals_needed([1e30, -1e30], 5e-324) is None


@given(st.lists(POINTS, max_size=20))
def test_any_values_give_sound_estimates(values: list[float]) -> None:
    assert_sound(estimate_mean(values))
    assert 0 <= likelihood_of_superiority(values) <= 1
    decide = deals_to_decide(values)
    assert decide is None or decide >= 0


@given(st.lists(SHARES, max_size=30))
def test_any_shares_give_a_sound_win_rate(values: list[float]) -> None:
    rate = win_rate(values)
    assert_sound(rate)
    assert rate.low is not None
    assert rate.high is not None
    assert 0 <= rate.low < rate.high <= 1


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0, math.nan], r"values\[1\] is nan: expected a magnitude of at most 1e\+30"),
        ([math.inf], r"values\[0\] is inf"),
        ([[1.0]], "values has 2 dimensions: expected one number a deal"),
    ],
)
def test_values_that_are_no_numbers_are_refused(values: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        deal_values(values)


def test_arguments_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match=r"values\[1\] is 1.5: expected a share of 0 to 1"):
        win_rate([0.5, 1.5])
    with pytest.raises(ValueError, match=r"half_width is 0.0: expected more than 0"):
        deals_needed([1.0, 2.0], 0.0)
