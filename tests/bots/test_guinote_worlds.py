"""Determinizations: consistent with everything the seat knows, and uniform over the deals that are."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from math import factorial

import numba
import numpy as np
import pytest

from tapete_bots.guinote.search import seed_state
from tapete_bots.guinote.worlds import new_worlds, prepare, sample
from tapete_games.guinote import Deal
from tapete_games.guinote.moves import move_list
from tapete_games.guinote.state import DECIDE_NOTHING, DECIDE_SWAP, make_view, new_state, new_view
from tests.bots.guinote_situations import position_of, samples
from tests.bots.guinote_worlds_checker import all_hands, consistent_hands, contradictions, explains
from tests.games.guinote_positions import card_set

JIT = not numba.config.DISABLE_JIT


class Sampler:
    """Samples deals for a VIEW."""

    def __init__(self, view: np.record, seed: int) -> None:
        self.base, self.worlds = new_state(), new_worlds()
        self.ways = int(prepare(view, self.base, self.worlds))
        self._random = int(seed_state(seed))

    def draw(self) -> np.record:
        world = new_state()
        self._random = int(sample(world, self.base, self.worlds, self._random))
        return world


def excess(counts: Counter[object], outcomes: int) -> float:
    """Returns how far Pearson's chi-square of equal chances lies from its mean, in standard deviations.

    Wilson and Hilferty's cube root makes it close to normal.
    """
    expected = sum(counts.values()) / outcomes
    squares = sum((n - expected) ** 2 for n in counts.values())
    chi_square = (squares + (outcomes - len(counts)) * expected**2) / expected
    df = outcomes - 1
    return float(((chi_square / df) ** (1 / 3) - (1 - 2 / (9 * df))) / (2 / (9 * df)) ** 0.5)


def small_arrastres(count: int, most: int) -> Iterator[tuple[Deal, np.record]]:
    """Yields positions of the arrastre with few ways to deal the hidden cards, half of them with voids."""
    with_voids = without = 0
    for deal in samples(10**9, 0.3):
        s = deal.state
        if s.stock_size or s.tricks * deal.players > 36:
            continue
        view = position_of(deal).view
        sizes = [deal.hand(q).bit_count() for q in range(deal.players) if q != deal.asked]
        ways = factorial(sum(sizes))
        for size in sizes:
            ways //= factorial(size)
        if not 6 <= ways <= most:
            continue
        hidden = sum(deal.hand(q) for q in range(deal.players) if q != deal.asked)
        has_voids = any(int(view.void[q]) & hidden for q in range(deal.players) if q != deal.asked)
        if has_voids and with_voids < count:
            with_voids += 1
        elif not has_voids and without < count // 4:
            without += 1
        else:
            continue
        yield deal, view
        if with_voids == count and without == count // 4:
            return


@pytest.mark.kernel
def test_prepare_counts_the_consistent_deals() -> None:
    several = 0
    for deal, view in small_arrastres(60 if JIT else 20, 2_000 if JIT else 100):
        expected = consistent_hands(deal, deal.asked)
        sampler = Sampler(view, 1)
        if sampler.worlds.has_voids:
            assert sampler.ways == len(expected)
            several += len(expected) > 1
        else:
            assert sampler.ways == 1
    assert several > (30 if JIT else 5)


def test_samples_are_uniform_over_the_consistent_deals() -> None:
    worst = 0.0
    tested = 0
    for number, (deal, view) in enumerate(small_arrastres(50, 2_000)):
        expected = consistent_hands(deal, deal.asked)
        if not 1 < len(expected) <= 100:
            continue
        sampler = Sampler(view, number)
        counts: Counter[object] = Counter(
            tuple(sampler.draw().hand.tolist()) for _ in range(20 * len(expected))
        )
        assert set(counts) <= expected
        deviation = excess(counts, len(expected))
        worst = max(worst, abs(deviation))
        tested += 1
    assert tested > 20
    # among so many the largest of normal deviations is about 2.5
    assert worst < 4


def test_samples_are_uniform_while_there_is_stock() -> None:
    """Two hands of two cards and three under them: every arrangement of the four hidden cards."""
    view = new_view()
    view.players, view.seat, view.stock_size = 2, 1, 3
    view.own = card_set("1O 3C")
    hidden = move_list(card_set("2O 4E 7B 12B"))
    view.muestra = move_list(card_set("5O"))[0]
    view.played = (1 << 40) - 1 & ~int(view.own) & ~card_set("2O 4E 7B 12B 5O")
    view["size"][:2] = 2
    expected = {
        (sum(1 << card for card in hand), *rest)
        for hand in combinations(hidden, 2)
        for rest in permutations([card for card in hidden if card not in hand])
    }
    sampler = Sampler(view, 5)
    assert sampler.ways == 1
    counts: Counter[object] = Counter()
    for _ in range(4_000):
        world = sampler.draw()
        assert world.stock[0] == view.muestra
        assert world.hand[1] == view.own
        counts[int(world.hand[0]), *world.stock[1:3].tolist()] += 1
    assert set(counts) == expected
    assert abs(excess(counts, len(expected))) < 4


@pytest.mark.parametrize("players", [2, 4])
def test_every_hidden_card_lies_anywhere_equally_often(players: int) -> None:
    deal = next(d for d in samples(10**6, 0.2) if d.players == players and d.state.stock_size >= 8)
    s = deal.state
    hidden = [q for q in range(players) if q != deal.asked]
    sampler = Sampler(position_of(deal).view, 9)
    places: Counter[object] = Counter()
    known = 0
    for q in hidden:
        known |= int(s.known[q])
    rounds = 3_000
    sizes = {q: int(s.hand[q] & ~s.known[q]).bit_count() for q in hidden}
    for _ in range(rounds):
        world = sampler.draw()
        for q in hidden:
            for card in move_list(world.hand[q] & ~s.known[q]):
                # which of equal places of a hand does not matter: one of them is counted
                places[card, q] += 1
        for i in range(1, s.stock_size):
            places[int(world.stock[i]), "stock", i] += 1
    cards = {key[0] for key in places if isinstance(key, tuple)}
    assert len(cards) == sum(sizes.values()) + s.stock_size - 1
    for q in hidden:
        counts: Counter[object] = Counter({card: places[card, q] for card in cards})
        # a hand holds its cards all at once: the variance is that of drawing without replacement
        spread = (1 - sizes[q] / len(cards)) * len(cards) / (len(cards) - 1)
        mean = rounds * sizes[q] / len(cards)
        squares = sum((counts[card] - mean) ** 2 for card in cards) / mean / spread
        assert abs(squares / (len(cards) - 1) - 1) < 5 * (2 / (len(cards) - 1)) ** 0.5
    for i in range(1, s.stock_size):
        at: Counter[object] = Counter({card: places[card, "stock", i] for card in cards})
        assert abs(excess(at, len(cards))) < 4


def arrastre_view(own: str, hidden: str, sizes: tuple[int, int, int]) -> np.record:
    """Makes what seat 0 of four knows in arrastre, with nothing shown."""
    view = new_view()
    view.players, view.seat, view.muestra = 4, 0, -1
    view.own = card_set(own)
    view.played = (1 << 40) - 1 & ~int(view.own) & ~card_set(hidden)
    view["size"][:] = [int(view.own).bit_count(), *sizes]
    return view


@pytest.mark.kernel
def test_a_view_without_a_consistent_deal_has_none() -> None:
    hidden = "2C 4C 5C 2E 4E 5E"
    view = arrastre_view("1O 3O", hidden, (2, 2, 2))
    assert Sampler(view, 0).ways == 1
    # nobody may hold the 2C
    view.void[1:] = card_set("2C")
    assert Sampler(view, 0).ways == 0
    # only seat 1 may hold the three copas, and it needs two cards
    view.void[1:] = [0, card_set("2C 4C 5C"), card_set("2C 4C 5C")]
    assert Sampler(view, 0).ways == 0
    # two seats that need four cards may hold copas alone, of which there are three
    view.void[1:] = [card_set("2E 4E 5E"), card_set("2E 4E 5E"), 0]
    assert Sampler(view, 0).ways == 0


@pytest.mark.kernel
def test_a_view_whose_cards_do_not_add_up_has_no_consistent_deal() -> None:
    assert Sampler(arrastre_view("1O 3O", "2C 4C 5C 2E 4E", (2, 2, 2)), 0).ways == 0
    assert Sampler(arrastre_view("1O 3O", "2C 4C 5C 2E 4E 5E 6E", (2, 2, 2)), 0).ways == 0
    # seat 2 has shown more cards than it holds
    view = arrastre_view("1O 3O", "2C 4C 5C 2E 4E 5E", (2, 2, 2))
    view.known[2] = card_set("2C 4C 5C")
    assert Sampler(view, 0).ways == 0


@pytest.mark.kernel
def test_known_cards_leave_the_classes_to_the_others() -> None:
    view = arrastre_view("1O 3O", "12C 10C 2E 4E 5E 6E", (2, 2, 2))
    view.known[2] = card_set("12C 10C")
    view.void[1] = card_set("2E")
    # the 2E is seat 3's, with one of three others
    sampler = Sampler(view, 3)
    assert sampler.ways == 3
    found = {tuple(sampler.draw().hand.tolist()) for _ in range(60)}
    assert len(found) == 3
    assert all(hands[2] == card_set("12C 10C") and hands[3] & card_set("2E") for hands in found)


def count_contradictions(positions: int, worlds: int, first: int, chance: float) -> int:
    """Samples deals for many positions; returns how many of those had shown voids."""
    state = new_state()
    voids = 0
    for number, deal in enumerate(samples(positions, chance, first)):
        view = position_of(deal).view
        sampler = Sampler(view, number)
        assert sampler.ways > 0
        voids += int(sampler.worlds.has_voids)
        wrong = contradictions(view, sampler.base, sampler.worlds, state, worlds, seed_state(number))
        assert wrong == 0
    return voids


@pytest.mark.kernel
def test_samples_never_contradict_the_view() -> None:
    """20,000 samples of 1,000 positions, windows and biased deals among them."""
    positions, worlds = (1_000, 20) if JIT else (150, 4)
    assert count_contradictions(positions, worlds, 0, 0.1) > positions // 20


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_a_million_samples_never_contradict_the_view() -> None:
    assert count_contradictions(20_000, 50, 1_000, 0.2) > 1_000


def check_explanations(positions: int, worlds: int, first: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    again = new_view()
    for number, deal in enumerate(samples(positions, 0.1, first)):
        view = position_of(deal).view
        sampler = Sampler(view, number)
        seen["with voids"] += int(sampler.worlds.has_voids)
        seen["swap window"] += deal.decision == DECIDE_SWAP
        seen["after a swap"] += deal.history.swap is not None
        seen["after a cante"] += bool(deal.history.cantes)
        seen["arrastre"] += deal.state.stock_size == 0
        for _ in range(worlds):
            world = sampler.draw()
            # who is asked in a window is known of the own seat alone
            make_view(world, deal.asked, again)
            assert again.tobytes() == view.tobytes()
            assert explains(deal, deal.asked, world)
    return seen


def test_samples_are_ends_of_legal_deals_with_the_same_view() -> None:
    seen = check_explanations(600, 2, 5_000)
    assert len(seen) == 5
    assert min(seen.values()) > 20


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_twenty_thousand_samples_are_ends_of_legal_deals_with_the_same_view() -> None:
    assert min(check_explanations(5_000, 4, 20_000).values()) > 200


def test_the_true_deal_is_among_the_samples() -> None:
    for deal, view in small_arrastres(8, 100):
        sampler = Sampler(view, 2)
        truth = deal.state.hand.tolist()
        assert any(sampler.draw().hand.tolist() == truth for _ in range(2_000))
        assert deal.decision != DECIDE_NOTHING


def test_the_two_judges_of_samples_agree() -> None:
    """Every way to deal the hidden cards is listed if and only if some legal deal ends in it."""
    verdicts: Counter[bool] = Counter()
    for deal, _ in small_arrastres(12, 100):
        listed = consistent_hands(deal, deal.asked)
        for hands in all_hands(deal, deal.asked):
            world = new_state()
            world.hand[:] = hands
            world.muestra = -1
            verdict = explains(deal, deal.asked, world)
            assert verdict == (hands in listed)
            verdicts[verdict] += 1
    assert min(verdicts[True], verdicts[False]) > 50
