"""Ratings: a published example, the prior, what cannot be told."""

import math

import pytest

from tapete_tournament.ratings import Result, rate

# The American League East of 1987, wins of the row over the column: Agresti, "Categorical Data Analysis"
# (1990), section 10.6; the strengths, relative to Baltimore and without home advantage, are those that the R
# package BradleyTerry2 gives for its data `baseball`.
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
WINS = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
STRENGTHS = (1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0)


def results_of(wins: tuple[tuple[int, ...], ...], names: tuple[str, ...]) -> list[Result]:
    pairs = [(a, b) for i, a in enumerate(names) for j, b in enumerate(names) for _ in range(wins[i][j])]
    return [Result(deal, a, b, 1.0) for deal, (a, b) in enumerate(pairs)]


def test_the_published_strengths_of_seven_teams() -> None:
    found = rate(results_of(WINS, TEAMS), anchor="Baltimore", prior=1e-9, repeats=20)
    assert [rating.entrant for rating in found] == list(TEAMS)
    for rating, strength in zip(found, STRENGTHS, strict=True):
        assert rating.elo == pytest.approx(strength * 400 / math.log(10), abs=0.05)


def test_order_and_direction_of_results_do_not_matter() -> None:
    results = results_of(WINS, TEAMS)
    turned = [Result(r.deal, r.second, r.first, 1 - r.share) for r in reversed(results)]
    assert rate(results, anchor="Boston", repeats=20) == rate(turned, anchor="Boston", repeats=20)


@pytest.mark.parametrize("wins", [0, 1, 20])
def test_who_wins_or_loses_all_has_a_rating_and_an_interval(wins: int) -> None:
    results = [Result(deal, "a", "b", float(deal < wins)) for deal in range(20)]
    (rating,) = [r for r in rate(results, anchor="b") if r.entrant == "a"]
    assert rating.low is not None
    assert rating.elo is not None
    assert rating.high is not None
    assert rating.low < rating.elo < rating.high
    if wins == 20:
        # One virtual deal each, spread over one opponent: 21 to 1.
        assert rating.elo == pytest.approx(400 * math.log10(21), abs=0.01)


def test_who_is_not_joined_to_the_anchor_has_a_reason_instead() -> None:
    results = [Result(0, "a", "b", 1.0), Result(1, "c", "d", 1.0)]
    found = {rating.entrant: rating for rating in rate(results, anchor="a", entrants=["e"])}
    assert (found["c"].elo, found["c"].reason) == (None, "no chain of results leads to a")
    assert (found["e"].elo, found["e"].reason) == (None, "no results")
    assert found["b"].elo is not None
