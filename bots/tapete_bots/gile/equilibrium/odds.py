"""What the cards that a seat has seen say about the other seat's: exact tables for a best response.

A seat that was dealt four cards and drew d has seen 4 + d cards, and the other seat's first two, next two
and draws are random among the rest. By the symmetry of suits and tens, only the class of the seen cards
counts.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import comb

import numpy as np

from tapete_bots.gile.equilibrium.shapes import (
    CLASSES,
    SCORES,
    canonical,
    cards_of,
    classes_of,
    count_shape,
    discard_by_class,
    score_of,
    shape_of,
    shapes_of,
)
from tapete_bots.gile.hands import load_tables
from tapete_games.gile.state import PACK
from tapete_games.kernel import kernel

__all__ = ["Draws", "Odds", "keeps", "make_odds", "seen_classes"]


@dataclass(frozen=True, eq=False)
class Draws:
    """What may be drawn for each set of cards that a hand may discard, one run of entries a set."""

    owner: np.ndarray
    """int64[sets]: class of four cards that may discard it."""
    count: np.ndarray
    """int64[sets]: number of cards."""
    start: np.ndarray
    """int64[sets]: first entry of each run."""
    seen: np.ndarray
    """int64[entries]: class of all cards seen after the draw."""
    score: np.ndarray
    """int64[entries]: place of the final score in SCORES."""
    chance: np.ndarray
    """float64[entries]: probability of the draw."""


@dataclass(frozen=True, eq=False)
class Odds:
    """Probabilities by classes; those of seen cards are numbered as in `seen_classes`."""

    most_drawn: int
    first: np.ndarray
    """float64[10]: that the first two cards are of a class."""
    second: np.ndarray
    """float64[10, 65]: that a hand is of a class, given the class of its first two cards."""
    pair: np.ndarray
    """float64[65, 10]: that the first two cards of a hand are of a class."""
    other_first: np.ndarray
    """float64[10, 10]: class of the other's first two, given one's own."""
    other_last: np.ndarray
    """float64[seen, other's discards, 65, 65]: probability of the other's class of four cards as dealt and of
    its class at the end, given the cards seen."""
    draws: Draws

    @property
    def other_second(self) -> np.ndarray:
        """float64[65, 65]: class of the other's four cards as dealt, given one's own."""
        return np.asarray(self.other_last[: CLASSES[4], 0].sum(2))


def seen_classes(most_drawn: int = 4) -> dict[int, int]:
    """Numbers the classes of the cards that a seat may have seen, those of four cards first."""
    numbers: dict[int, int] = {}
    for count in range(most_drawn + 1):
        numbers |= {shape: len(numbers) + i for shape, i in classes_of(4 + count).items()}
    return numbers


def _holdings(shapes: Sequence[int]) -> np.ndarray:
    return np.array([[s >> 5 * suit & 31 for suit in range(4)] for s in shapes], np.int64).reshape(-1, 4)


@kernel
def _ways(some: np.ndarray, whole: np.ndarray, choose: np.ndarray) -> float:
    """Counts the sets of cards with the holdings `some` among cards with the holdings `whole`."""
    ways = 1.0
    for suit in range(4):
        if some[suit] & ~whole[suit] & 3:
            return 0.0
        ways *= choose[whole[suit] >> 2, some[suit] >> 2]
    return ways


@kernel
def _count_others(
    rest: np.ndarray,
    hands: np.ndarray,
    hand_class: np.ndarray,
    kept: np.ndarray,
    share: np.ndarray,
    drawn: np.ndarray,
    class_of: np.ndarray,
    choose: np.ndarray,
    size: int,
    out: np.ndarray,
) -> None:
    """Adds to `out[seen, size, class dealt, class at the end]` the ways to get from the one to the other.

    Args:
        rest: int64[seen, 4], holdings of the cards not seen.
        hands: int64[n, 4], holdings of all hands of four.
        hand_class: int64[n].
        kept: int64[n, 4], holdings of what such a hand keeps.
        share: float64[n], how often it does.
        drawn: int64[m, 4], holdings of all sets of `size` cards.
        class_of: int64[1 << 20], class of a shape of four cards.
        choose: float64[6, 6].
        size: Number of discards.
        out: float64[seen, most_drawn + 1, 65, 65].
    """
    left = np.zeros(4, np.int64)
    for k in range(len(rest)):
        for h in range(len(hands)):
            ways = _ways(hands[h], rest[k], choose) * share[h]
            if ways == 0.0:
                continue
            for suit in range(4):
                left[suit] = rest[k, suit] - hands[h, suit]
            for t in range(len(drawn)):
                more = _ways(drawn[t], left, choose)
                if more == 0.0:
                    continue
                shape = 0
                for suit in range(4):
                    shape |= (kept[h, suit] + drawn[t, suit]) << 5 * suit
                out[k, size, hand_class[h], class_of[shape]] += ways * more


@cache
def make_odds(pack: int = PACK, most_drawn: int = 4) -> Odds:
    """Makes the tables, by enumeration: some ten seconds for the whole pack.

    Args:
        pack: Cards in play: all of them, but for toy packs, which have at least 8 + 2 * most_drawn cards and
            the same holding of each suit.
        most_drawn: Most cards that a seat may discard.
    """
    whole = int(shape_of(pack))
    size_of_pack = pack.bit_count()
    two, four = classes_of(2), classes_of(4)
    class_of = np.full(1 << 20, -1, np.int64)
    for shape in shapes_of(4):
        class_of[shape] = four[canonical(shape)]
    choose = np.array([[comb(n, k) for k in range(6)] for n in range(6)], float)

    first = np.zeros(CLASSES[2])
    second = np.zeros((CLASSES[2], CLASSES[4]))
    other_first = np.zeros((CLASSES[2], CLASSES[2]))
    for a, i in two.items():
        first[i] = sum(count_shape(s, whole) for s in shapes_of(2) if canonical(s) == a)
        for b in shapes_of(2) if first[i] else ():
            ways = count_shape(b, whole - a)
            other_first[i, two[canonical(b)]] += ways
            if ways:
                second[i, class_of[a + b]] += ways
    dealt = second * first[:, None]
    with np.errstate(invalid="ignore"):
        pair = np.nan_to_num(dealt / dealt.sum(0)).T.copy()
    first /= first.sum()
    left = comb(size_of_pack - 2, 2)
    return Odds(
        most_drawn,
        first,
        second / left,
        pair,
        other_first / left,
        _others(pack, most_drawn, class_of, choose),
        _list_draws(whole, most_drawn),
    )


def keeps(shape: int, size: int) -> list[tuple[int, float]]:
    """Returns the shapes that a hand of four may keep when it discards so many cards, with probabilities."""
    tables = load_tables().view(np.recarray)[0]
    cards = int(cards_of(shape))
    orders = [np.array(order) for order in permutations(range(4))]
    found = Counter(
        int(shape_of(cards & ~int(discard_by_class(tables, cards, size, order)))) for order in orders
    )
    return [(kept, count / len(orders)) for kept, count in found.items()]


def _others(pack: int, most_drawn: int, class_of: np.ndarray, choose: np.ndarray) -> np.ndarray:
    whole = int(shape_of(pack))
    seen = seen_classes(most_drawn)
    rest = _holdings([whole - shape if count_shape(shape, whole) else 0 for shape in seen])
    shapes = shapes_of(4)
    hands = _holdings(shapes)
    out = np.zeros((len(seen), most_drawn + 1, CLASSES[4], CLASSES[4]))
    for size in range(most_drawn + 1):
        # Which of two equal suits loses a card is drawn by lot: such a hand is listed once for each.
        listed = [(i, kept, share) for i, shape in enumerate(shapes) for kept, share in keeps(shape, size)]
        owner = np.array([i for i, _, _ in listed])
        _count_others(
            rest,
            hands[owner],
            class_of[np.array(shapes)][owner],
            _holdings([kept for _, kept, _ in listed]),
            np.array([share for _, _, share in listed]),
            _holdings(shapes_of(size)),
            class_of,
            choose,
            size,
            out,
        )
    ways = out.sum((2, 3), keepdims=True)
    return out / np.where(ways > 0, ways, 1)


def _list_draws(whole: int, most_drawn: int) -> Draws:
    """Lists for each class of four cards all that it may discard, and all that may come for it."""
    # owner, count and start of each run; seen, score and chance of each entry
    runs: list[tuple[int, int, int]] = []
    entries: list[tuple[int, int, float]] = []
    classes = seen_classes(most_drawn)
    drawn = [shapes_of(count) for count in range(most_drawn + 1)]
    four = classes_of(4)
    for hand, number in four.items():
        rest = whole - hand
        for count in range(most_drawn + 1) if count_shape(hand, whole) else ():
            for out in (s for s in drawn[count] if count_shape(s, hand)):
                ways = {t: count_shape(t, rest) for t in drawn[count]}
                total = sum(ways.values())
                runs.append((number, count, len(entries)))
                entries += [
                    (
                        classes[canonical(hand + more)],
                        SCORES.index(score_of(hand - out + more)),
                        n / total,
                    )
                    for more, n in ways.items()
                    if n
                ]
    owner, counts, start = np.array(runs, np.int64).T
    seen, scores, chance = zip(*entries, strict=True)
    return Draws(owner, counts, start, np.array(seen, np.int64), np.array(scores, np.int64), np.array(chance))
