"""How good a hand of Gilé is, by enumeration of all that the unseen cards may be.

The tables of `hands` look at the own cards alone; this looks at which cards cannot be in another hand. The
`heuristic` bot and the root of the search judge by it: some thousand hands, a fraction of a millisecond.
"""

import numpy as np

from tapete_bots.gile.hands import HANDS, OFFSET, list_hands, set_rank, subset
from tapete_games.bits import popcount
from tapete_games.gile.settle import score
from tapete_games.gile.state import CARDS, PACK
from tapete_games.kernel import kernel, recursive_kernel

__all__ = ["chance_after", "chance_before", "count_draws", "discard_values", "unseen_cards"]


@kernel
def unseen_cards(v: np.record) -> int:
    """Returns the set of the cards that may be in another hand or in the stock."""
    cards = PACK & ~v.own
    for card in range(CARDS):
        if v.gone[card] > v.renewals:
            cards &= ~(1 << card)
    return cards


@recursive_kernel("int64(int64, int64, int64, int64[::1])")
def count_draws(kept: int, unseen: int, count: int, histogram: np.ndarray) -> int:
    """Adds to `histogram[score]` all hands of `kept` and `count` cards of `unseen`; returns how many."""
    if count == 0:
        histogram[score(kept)] += 1
        return 1
    total = 0
    rest = unseen
    while rest:
        low = rest & -rest
        rest ^= low
        total += count_draws(kept | low, rest, count - 1, histogram)
    return total


@kernel
def discard_values(worth: np.ndarray, hand: int, unseen: int, values: np.ndarray) -> None:
    """Writes what each set of discards is worth on average over all draws.

    Args:
        worth: float64[48], worth of a final score.
        hand: Four cards.
        unseen: Cards that may be served.
        values: float64[16], written: by the set of places in the hand, cards ascending.
    """
    histogram = np.zeros(48, np.int64)
    for places in range(16):
        histogram[:] = 0
        total = count_draws(hand ^ subset(hand, places), unseen, popcount(places), histogram)
        values[places] = 0.0
        for i in range(48):
            values[places] += histogram[i] * worth[i]
        values[places] /= total


@kernel
def chance_before(tables: np.record, hand: int, unseen: int) -> float:
    """Returns the probability of beating another hand at the showdown, before the discards.

    The worth of the own hand by the tables, against the mean of all hands of unseen cards.
    """
    size = popcount(hand)
    hands = np.empty(HANDS, np.int64)
    count = list_hands(unseen, size, hands)
    total = 0.0
    for i in range(count):
        total += tables.before[OFFSET[size] + set_rank(hands[i])]
    return 0.5 + tables.before[OFFSET[size] + set_rank(hand)] - total / count


@kernel
def chance_after(
    tables: np.record, hand: int, unseen: int, drawn: int, below: np.ndarray, equal: np.ndarray
) -> None:
    """Writes how likely a hand scores less or the same whose seat discarded `drawn` cards.

    Each hand of unseen cards counts as often as one that kept 4 - drawn of its cards and drew the others.
    Some weight goes to seats that discard another number than the best.

    Args:
        tables: TABLES.
        hand: The own hand.
        unseen: Cards that the other hand is made of.
        drawn: Number of cards, 0 to 4.
        below: float64[5], written at `drawn`.
        equal: float64[5], written at `drawn`.
    """
    own = score(hand)
    total = 0.0
    less = 0.0
    same = 0.0
    hands = np.empty(HANDS, np.int64)
    for i in range(list_hands(unseen, popcount(hand), hands)):
        weight = 0.03
        for places in range(16):
            if popcount(places) == 4 - drawn:
                weight += tables.kept[OFFSET[4 - drawn] + set_rank(subset(hands[i], places))]
        total += weight
        theirs = score(hands[i])
        if theirs < own:
            less += weight
        elif theirs == own:
            same += weight
    below[drawn] = less / total
    equal[drawn] = same / total
