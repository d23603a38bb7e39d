"""The check accepts a view exactly if a deal of the hidden cards explains it.

Changed views are put before a slow judge, who builds such a deal and plays it with the oracle.
"""

import random
from collections import Counter

import pytest

from tapete.v1 import ErrorReason, GuinoteView
from tapete_games.errors import ViewError
from tapete_games.guinote.check import read_view
from tests.games.view_judge import can_hide, hidden_hands, is_explained, read_story
from tests.games.view_mutations import mutate, show_voids, views_of

NO_DEAL = ErrorReason.ERROR_REASON_NO_CONSISTENT_DEAL


def reasons(view: GuinoteView) -> list["ErrorReason.ValueType"]:
    """Returns the reasons why a view is refused; none if it is accepted."""
    try:
        read_view(view)
    except ViewError as error:
        return [violation.reason for violation in error.violations]
    return []


def compare_with_the_judge(seed: int, chance: float, mutants: int) -> Counter[str]:
    """Compares check and judge on changed views of one deal; counts the reasons found."""
    found: Counter[str] = Counter()
    rng = random.Random(seed)
    for view in views_of(seed, chance):
        for mutant in [view, *(mutate(view, rng) for _ in range(mutants))]:
            refused = reasons(mutant)
            assert is_explained(mutant) == (not refused), (seed, refused, mutant)
            found.update([ErrorReason.Name(reason) for reason in refused] or ["accepted"])
    return found


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 100, 25))
def test_a_changed_view_is_accepted_exactly_if_a_deal_explains_it(first: int) -> None:
    found: Counter[str] = Counter()
    for seed in range(first, first + 25):
        found += compare_with_the_judge(seed, 0.1, 3)
    for reason in ("ILLEGAL_CARD", "CARD_NOT_HELD", "ILLEGAL_CANTE"):
        assert found[f"ERROR_REASON_{reason}"] >= 5, found
    assert found["accepted"] >= 100, found


@pytest.mark.slow
def test_a_hundred_thousand_changed_views() -> None:
    found: Counter[str] = Counter()
    seed = 10_000
    while found.total() < 100_000:
        found += compare_with_the_judge(seed, 0.2, 4)
        seed += 1
    for reason in (
        "ILLEGAL_CARD",
        "CARD_NOT_HELD",
        "ILLEGAL_CANTE",
        "ILLEGAL_SWAP",
        "WINDOW_CLOSED",
        "DEAL_OVER",
    ):
        assert found[f"ERROR_REASON_{reason}"] >= 100, found
    assert found["ERROR_REASON_NO_CONSISTENT_DEAL"] >= 30, found


def compare_with_brute_force(seed: int) -> Counter[bool]:
    """Lets seats show voids late in one deal; counts views whose hidden cards have a place each, and not."""
    counts: Counter[bool] = Counter()
    rng = random.Random(seed)
    for view in views_of(seed):
        if len(view.tricks) <= (5 if view.players == 4 else 15):
            continue
        for _ in range(4):
            mutant = GuinoteView()
            mutant.CopyFrom(view)
            for _ in range(rng.randint(1, 3)):
                show_voids(mutant, rng)
            refused = reasons(mutant)
            story = read_story(mutant)
            if refused in ([], [NO_DEAL]) and story and len(hidden_hands(story)[1]) <= 6:
                assert can_hide(story) == (not refused), (seed, mutant)
                counts[not refused] += 1
    return counts


@pytest.mark.long
def test_hidden_hands_fit_exactly_if_brute_force_finds_a_way() -> None:
    counts: Counter[bool] = Counter()
    for seed in range(150):
        counts += compare_with_brute_force(seed)
    assert counts[True] >= 100, counts
    assert counts[False] >= 20, counts


@pytest.mark.slow
def test_hidden_hands_fit_exactly_if_brute_force_finds_a_way_in_many_deals() -> None:
    counts: Counter[bool] = Counter()
    for seed in range(20_000, 23_000):
        counts += compare_with_brute_force(seed)
    assert counts[False] >= 400, counts
