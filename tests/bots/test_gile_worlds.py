"""Sampled worlds of Gilé: consistent, uniform without weights, and as likely as the weights say."""

from collections import Counter
from itertools import combinations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapete_bots.gile import worlds
from tapete_bots.gile.hands import load_tables
from tapete_bots.gile.policy import SLOTS, STYLES
from tapete_games.errors import ViewError
from tapete_games.gile import read_view
from tapete_games.gile.engine import apply, deal, greatest_total, least_total
from tapete_games.gile.state import (
    BET,
    CALL,
    CARDS,
    CHECK,
    DECIDE_DISCARD,
    DECIDE_NOTHING,
    DISCARD,
    FOLD,
    LOG,
    PACK,
    RAISE,
    STATE,
    make_view,
    new_state,
    new_view,
)
from tests.games.gile_views import changed_view

JIT = not numba.config.DISABLE_JIT


class Sampler:
    """Walks over the worlds of one view."""

    def __init__(self, view: np.record, weighs: int, seed: int = 0) -> None:
        self.tables = load_tables().view(np.recarray)[0]
        self.view = view
        self.world = worlds.new_world().view(np.recarray)[0]
        self.moments = np.zeros(LOG + 1, STATE).view(np.recarray)
        self.probabilities = np.zeros(SLOTS)
        self.state = new_state()
        assert worlds.prepare(
            self.tables, view, self.world, self.moments, np.zeros(CARDS, np.int64), weighs, seed
        )

    def step(self, steps: int) -> None:
        worlds.step(self.tables, self.view, self.world, self.moments, self.probabilities, steps)

    def fill(self) -> np.record:
        worlds.fill(self.view, self.world, self.state)
        return self.state

    def weight(self, seat: int) -> float:
        return float(
            worlds._weigh(self.tables, self.view, self.world, seat, self.moments, self.probabilities)
        )


def random_move(state: np.record, rng: np.random.Generator, caution: float) -> int:
    """Draws a legal move; `caution` is the probability of staying where a bet is possible."""
    seat = state.turn
    if state.decision == DECIDE_DISCARD:
        return int(DISCARD | int(state.hand[seat]) & int(rng.integers(PACK + 1)))
    to_call = state.level - state.staked[seat]
    least = least_total(state)
    if least and rng.random() > caution:
        total = min(int(greatest_total(state)), int(least) + int(rng.integers(4)))
        return int((RAISE if state.level else BET) | total)
    if to_call and rng.random() < 0.15:
        return FOLD
    return CALL if to_call else CHECK


def views(count: int, seats: int, caution: float, seed: int = 1) -> list[tuple[np.record, np.record]]:
    """Plays random deals and lists states with the view of the seat in turn."""
    rng = np.random.default_rng(seed)
    found: list[tuple[np.record, np.record]] = []
    while len(found) < count:
        state = new_state()
        deal(state, np.full(5, 60), seats, 0, 0, 0, 1, 1, 3, rng.permutation(CARDS), int(rng.integers(2**31)))
        while state.decision != DECIDE_NOTHING:
            if rng.random() < 0.3 or (state.renewals and rng.random() < 0.8):
                view = new_view()
                make_view(state, state.turn, view)
                found.append((state.copy(), view))
            apply(state, random_move(state, rng, caution))
    return found[:count]


@pytest.mark.kernel
@pytest.mark.parametrize(("seats", "caution"), [(2, 0.5), (3, 0.7), (4, 0.9), (5, 0.8), (5, 0.98)])
@pytest.mark.parametrize("weighs", [0, 1])
def test_worlds_do_not_contradict_the_view(seats: int, caution: float, weighs: int) -> None:
    renewed = 0
    for truth, view in views(150 if JIT else 8, seats, caution):
        sampler = Sampler(view, weighs)
        for _ in range(10):
            sampler.step(5)
            world = sampler.fill()
            stock = {int(card) for card in world.stock[: view.stock_size]}
            hands = {q: int(world.hand[q]) for q in range(seats) if view.playing >> q & 1 or q == view.seat}
            assert hands[int(view.seat)] == view.own
            cards = [card for hand in hands.values() for card in range(CARDS) if hand >> card & 1]
            cards += [card for card in range(CARDS) if int(world.set_aside) >> card & 1]
            assert sorted([*cards, *stock]) == list(range(CARDS))
            for q, hand in hands.items():
                assert hand.bit_count() == int(truth.hand[q]).bit_count()
                if q == view.seat:
                    continue
                served = [int(mark) for mark in view.served[q] if mark >= 0]
                for mark in range(1, int(view.renewals) + 1):
                    late = sum(hand >> card & 1 for card in range(CARDS) if view.gone[card] >= mark)
                    assert late <= sum(place >= mark for place in served)
            put_away = {card for card in range(CARDS) if view.gone[card] > view.renewals}
            assert not put_away & stock
            assert all(world.set_aside >> card & 1 for card in put_away)
        renewed += view.renewals > 0
    assert renewed > 0 or caution < 0.9 or not JIT


def first_bet() -> np.record:
    """The view of the dealer when the mano has bet half the pot on two cards."""
    state, view = new_state(), new_view()
    deal(state, np.full(5, 100), 2, 0, 0, 0, 1, 1, 3, np.arange(CARDS)[::-1].copy(), 0)
    apply(state, BET | 1)
    make_view(state, 0, view)
    return view


def other_hand(world: np.record) -> int:
    return 1 << int(world.card[0]) | 1 << int(world.card[1])


def test_unweighted_worlds_are_uniform() -> None:
    """Each of the 325 hands of two unseen cards, over drawing anew and over walking."""
    view = first_bet()
    counts: Counter[int] = Counter()
    for seed in range(60):
        sampler = Sampler(view, 0, seed)
        for _ in range(1_000):
            sampler.step(4)
            counts[other_hand(sampler.world)] += 1
    assert len(counts) == 325
    expected = 60_000 / 325
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    # 324 degrees of freedom: mean 324, standard deviation 25; the walk's memory widens it somewhat.
    assert chi_square < 324 + 8 * 25.5


def test_weighted_worlds_are_as_likely_as_their_weights() -> None:
    """Against exact enumeration of the 325 hands and five styles of the seat that bet."""
    view = first_bet()
    sampler = Sampler(view, 1)
    world = sampler.world
    saved = world.copy()
    exact: Counter[int] = Counter()
    for one, two in combinations([card for card in range(CARDS) if not int(view.own) >> card & 1], 2):
        world.card[0], world.card[1] = one, two
        for style in range(len(STYLES)):
            world.style[1] = style
            exact[1 << one | 1 << two] += sampler.weight(1)  # type: ignore[assignment]
    total = sum(exact.values())
    sampler = Sampler(view, 1)
    assert (sampler.world.card[:2] == saved.card[:2]).all()
    counts: Counter[int] = Counter()
    samples = 400_000
    for _ in range(samples):
        sampler.step(3)
        counts[other_hand(sampler.world)] += 1
    likely = [hand for hand, weight in exact.items() if weight / total > 1 / 325]
    share = sum(counts[hand] for hand in likely) / samples
    assert share == pytest.approx(sum(exact[hand] for hand in likely) / total, abs=0.01)
    distance = sum(abs(counts[hand] / samples - weight / total) for hand, weight in exact.items()) / 2
    assert distance < 0.03
    # The bet says something: the likelier hands hold more than an even share.
    assert sum(exact[hand] for hand in likely) / total > len(likely) / 325 + 0.02


def test_l10_cards_put_away_come_back_with_a_renewal_alone() -> None:
    """Own discards are found with others after a renewal and never before it."""
    found_before = found_after = 0
    for _, view in views(400, 5, 0.8, 7):
        back = [card for card in range(CARDS) if 0 < view.gone[card] <= view.renewals]
        out = [card for card in range(CARDS) if view.gone[card] > view.renewals]
        sampler = Sampler(view, 0)
        for _ in range(20):
            sampler.step(10)
            world = sampler.fill()
            others = 0
            for q in range(5):
                others |= 0 if q == view.seat else int(world.hand[q])
            found_after += any(others >> card & 1 for card in back)
            found_before += any(others >> card & 1 for card in out)
    assert found_before == 0
    assert found_after > 100


@pytest.mark.kernel
def test_l10_the_last_choice_of_cards_kept_leaves_most_room() -> None:
    """The cards served last are taken for kept: no other choice has room for more cards that came back."""
    view = next(v for _, v in views(400, 5, 0.98, 3) if v.renewals)
    world = worlds.new_world().view(np.recarray)[0]
    marks = np.zeros(4, np.int64)
    for first in ((0, 0, 1, 1), (1, 0, 2, 0), (0, 1, 2, 3), (2, 2, 2, 2)):
        view.served[0, :4] = first
        worlds._order_first(view, world, 0, marks, False)
        assert marks.tolist() == sorted(first, reverse=True)
        worlds._order_first(view, world, 0, marks, True)
        assert sorted(marks.tolist()) == sorted(first)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 400), st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 5)), max_size=3))
def test_every_view_that_is_accepted_has_a_world(number: int, changes: list[tuple[int, int]]) -> None:
    """Also views that nobody would come to in play."""
    view = changed_view(number, changes)
    try:
        position = read_view(view)
    except ViewError:
        return
    Sampler(position.view, 1, number).fill()
