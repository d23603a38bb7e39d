"""The sequential test, against fastchess's numbers, Wald's durations and simulation."""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapete_tournament import sprt
from tapete_tournament.sprt import Decision, Sprt, contiguous_prefix

Array = npt.NDArray[np.float64]


def score(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


@pytest.mark.parametrize(
    ("pairs", "elo0", "elo1", "llr"),
    [
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), 0.0, 2.0, -4.98),
    ],
)
def test_llr_of_fastchess_pentanomial_counts(
    pairs: tuple[int, ...], elo0: float, elo1: float, llr: float
) -> None:
    # Disservin/fastchess:app/tests/sprt_test.cpp, "logistic pentanomial 1" and 2: pairs of games of score
    # 0, 1/2, 1, 3/2, 2 of 2. Theirs is the exact GSPRT.
    values = np.repeat([0, 0.25, 0.5, 0.75, 1], pairs)
    assert Sprt(score(elo0), score(elo1)).run(values).llr == pytest.approx(llr, abs=0.005)


def test_bounds_are_walds() -> None:
    test = Sprt(0.0, 1.0)
    assert (test.lower, test.upper) == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    test = Sprt(0.0, 1.0, alpha=0.01, beta=0.1)
    assert (test.lower, test.upper) == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


def test_every_state_is_that_of_its_prefix() -> None:
    test = Sprt(0.0, 4.0, least_deals=30)
    values = np.random.default_rng(0).normal(4.0, 10.0, 300)
    states = test.states(values)
    assert [state.deals for state in states] == [*range(1, 301)]
    for deals in (1, 2, 30, 100, 300):
        assert test.run(values[:deals]) == states[deals - 1]


def test_a_decision_stands_whatever_comes_later() -> None:
    test = Sprt(0.0, 4.0, least_deals=30)
    states = test.states([5.0, 3.0] * 20 + [-50.0] * 100)
    assert {state.decision for state in states[:29]} == {Decision.CONTINUE}
    assert all(state.decision == Decision.ACCEPT_H1 and state.decided_at == 30 for state in states[29:])
    assert states[-1].llr < test.lower
    assert states[-1].deals_more == 0


def test_equal_bots_are_told_apart_from_better_ones() -> None:
    assert Sprt(0.0, 1.5).run([0.0] * 399).decision == Decision.CONTINUE
    assert Sprt(0.0, 1.5).run([0.0] * 399).deals_more == 1
    assert Sprt(0.0, 1.5).run([0.0] * 400).decision == Decision.ACCEPT_H0
    assert Sprt(0.0, 1.5).run([1.5] * 400).decision == Decision.ACCEPT_H1
    assert Sprt(0.0, 1.5).run([0.75] * 5000).decision == Decision.CONTINUE


def test_no_deals() -> None:
    state = Sprt(0.0, 1.5).run([])
    assert (state.deals, state.decision, state.llr, state.deals_more) == (0, Decision.CONTINUE, 0.0, 400)
    assert Sprt(0.0, 1.5).states([]) == []


def lottery(generator: np.random.Generator, size: tuple[int, int]) -> Array:
    """One deal in 50 brings all the gain: mean 0, deviation 1."""
    return np.where(generator.random(size) < 0.02, 7.0, -1 / 7)


def pairs(generator: np.random.Generator, size: tuple[int, int]) -> Array:
    """Pairs of Guiñote that are split half the time: mean 0, deviation 1."""
    return generator.choice([-math.sqrt(2), 0.0, 0.0, math.sqrt(2)], size)


def wrong(
    draw: Callable[[np.random.Generator, tuple[int, int]], Array], ratio: float, least: int, repeats: int
) -> tuple[float, float]:
    """Returns the shares of wrong decisions under H0 and H1, h1 - h0 being that ratio of the deviation."""
    generator = np.random.default_rng(3)
    test = Sprt(0.0, ratio, least_deals=least)
    shares = []
    for mean, mistake in ((0.0, Decision.ACCEPT_H1), (ratio, Decision.ACCEPT_H0)):
        values = mean + draw(generator, (repeats, max(least, int(24 / ratio**2))))
        shares.append(sum(test.run(row).decision == mistake for row in values) / repeats)
    return shares[0], shares[1]


@pytest.mark.parametrize("draw", [np.random.Generator.standard_normal, pairs], ids=["normal", "pairs"])
@pytest.mark.parametrize(("ratio", "least"), [(0.1, 50), (0.1, 400), (0.3, 50)])
def test_errors_are_as_rare_as_asked(
    draw: Callable[[np.random.Generator, tuple[int, int]], Array], ratio: float, least: int
) -> None:
    # 600 runs at 5 %: a standard error of 0.9 %.
    assert max(wrong(draw, ratio, least, 600)) <= 0.07


def test_too_few_deals_are_why_there_is_a_least_number() -> None:
    assert min(wrong(np.random.Generator.standard_normal, 0.1, 2, 400)) > 0.09
    assert wrong(lottery, 0.1, 50, 400)[1] > 0.3
    assert wrong(lottery, 0.1, 400, 400)[1] < 0.2


def test_a_test_takes_walds_number_of_deals() -> None:
    # 5.3 (sigma / delta)^2 where a hypothesis holds, at alpha = beta = 0.05 (Wald, Sequential Analysis,
    # 1947, 3.5); steps past the bound add a few percent.
    test = Sprt(0.0, 3.0, least_deals=50)
    values = np.random.default_rng(4).normal(3.0, 30.0, (400, 5000))
    taken = [test.run(row).decided_at for row in values]
    assert np.mean([deals for deals in taken if deals]) == pytest.approx(530, rel=0.12)


def test_the_forecast_halfway_between_the_hypotheses_is_walds() -> None:
    # log(19)^2 (sigma / delta)^2 = 8.67 (sigma / delta)^2
    state = Sprt(0.0, 3.0, least_deals=2).run([31.5, -28.5] * 500)
    assert state.llr == pytest.approx(0.0, abs=1e-9)
    assert state.deals_more == pytest.approx(math.log(19) ** 2 * 100, rel=0.001)


@pytest.mark.parametrize("drift", [0.0, 1e-9, 0.003, -0.01, 0.5])
def test_the_expected_exit_solves_its_differential_equation(drift: float) -> None:
    # variance / 2 E'' + drift E' = -1, and E = 0 at both ends.
    width, variance, step = 5.9, 0.02, 1e-3

    def exit_after(above: float) -> float:
        return sprt._expected_exit(above, width, drift, variance)

    for above in (0.5, 2.9, 5.0):
        here, left, right = exit_after(above), exit_after(above - step), exit_after(above + step)
        curvature, slope = (right - 2 * here + left) / step**2, (right - left) / (2 * step)
        assert variance / 2 * curvature + drift * slope == pytest.approx(-1, abs=0.01)
    assert exit_after(1e-9) == pytest.approx(0, abs=1e-3)
    assert exit_after(width - 1e-9) == pytest.approx(0, abs=1e-3)


@given(
    st.lists(st.floats(-1e30, 1e30) | st.sampled_from([0.0, 1.5]), max_size=30),
    st.floats(-1e6, 1e6),
    st.floats(1e-3, 1e6),
)
def test_any_values_give_sound_states(values: list[float], h0: float, width: float) -> None:
    for state in Sprt(h0, h0 + width, least_deals=5).states(values):
        assert math.isfinite(state.llr)
        assert state.deals_more >= 0
        assert (
            (state.deals_more == 0) == (state.decision != Decision.CONTINUE) == (state.decided_at is not None)
        )


@given(st.sets(st.integers(0, 30)))
def test_the_prefix_ends_at_the_first_gap(played: set[int]) -> None:
    prefix = contiguous_prefix({deal: float(deal) for deal in played}, first=3)
    assert prefix == [float(deal) for deal in range(3, 3 + len(prefix))]
    assert 3 + len(prefix) not in played


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"h0": 1.0, "h1": 1.0}, "h0 is 1.0 and h1 is 1.0: expected h1 to be the larger"),
        ({"h0": math.nan, "h1": 1.0}, r"\(h0, h1\)\[0\] is nan"),
        ({"h0": 0.0, "h1": 1.0, "alpha": 0.0}, "alpha is 0.0 and beta is 0.05"),
        ({"h0": 0.0, "h1": 1.0, "least_deals": 1}, "least_deals is 1: expected 2 or more"),
    ],
)
def test_arguments_out_of_range_are_refused(arguments: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Sprt(**arguments)  # type: ignore[arg-type]
