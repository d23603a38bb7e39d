"""What hands of Gilé are worth: tables by set of cards, made by `tapete_bots.gile.hand_tables`.

All of them look at the own cards alone: the cards that the others have are thought to come from a whole
pack. A set of up to four cards is found by its rank in colexicographic order.
"""

from importlib.resources import files

import numpy as np
from numba import int64

from tapete_games.bits import lowest
from tapete_games.kernel import inline_kernel, kernel

__all__ = [
    "BINOMIAL",
    "HANDS",
    "OFFSET",
    "SETS",
    "TABLES",
    "best_discard",
    "list_hands",
    "load_tables",
    "set_rank",
    "subset",
]

# BINOMIAL[k * 32 + n]: n over k
BINOMIAL = np.zeros(5 * 32, np.int64)
for _n in range(32):
    BINOMIAL[_n] = 1
    for _k in range(1, 5):
        BINOMIAL[_k * 32 + _n] = BINOMIAL[_k * 32 + _n - 1] + BINOMIAL[(_k - 1) * 32 + _n - 1] if _n else 0
HANDS = 20_475
# OFFSET[k]: rank of the first set of k cards among all sets of up to four
OFFSET = np.array([0, 1, 29, 407, 3_683], np.int64)
SETS = 3_683 + HANDS

TABLES = np.dtype(
    [
        # best[hand, n]: the n cards to discard, as a set of places in the hand, cards ascending
        ("best", "u1", (HANDS, 5)),
        # best_size[hand]: how many are best
        ("best_size", "u1", HANDS),
        # before[set]: probability of beating one other hand at the showdown, a tie counting half, before the
        # discards; for sets of two cards and of four
        ("before", "f4", SETS),
        # best_before[stage, n]: mean of `before` over the best n / 16 of all hands of the first (two cards)
        # or second (four) round; for n = 0 the best hand
        ("best_before", "f4", (2, 17)),
        # below[n, score], equal[n, score]: probabilities that a hand whose seat discarded n cards scores
        # less, and as much, after the discards
        ("below", "f4", (5, 48)),
        ("equal", "f4", (5, 48)),
        ("tie", "f4"),  # probability that two hands score the same at the showdown
        # kept[set]: how often a hand of this set and as many random cards as are missing keeps just this set
        ("kept", "f4", SETS),
        # kept_before[set]: mean of `before` over the hands of four cards that keep just this set
        ("kept_before", "f4", SETS),
    ]
)


@inline_kernel
def set_rank(cards: int) -> int:
    """Returns the rank of a set of cards among the sets of its size."""
    rank = 0
    k = 0
    while cards:
        k += 1
        rank += BINOMIAL[k * 32 + lowest(cards)]
        cards &= cards - 1
    return rank


@kernel
def subset(hand: int, places: int) -> int:
    """Returns the cards of a hand at a set of places, cards ascending."""
    cards = 0
    while places:
        low = hand & -hand
        if places & 1:
            cards |= low
        hand ^= low
        places >>= 1
    return cards


@kernel
def best_discard(tables: np.record, hand: int, size: int) -> int:
    """Returns the best set of `size` cards to discard from a hand of four."""
    return subset(hand, int64(tables.best[set_rank(hand), size]))


@kernel
def list_hands(cards: int, size: int, hands: np.ndarray) -> int:
    """Writes all sets of two or four cards out of `cards` into int64[n]; returns how many."""
    count = 0
    one = cards
    while one:
        a = one & -one
        one ^= a
        two = one
        while two:
            b = two & -two
            two ^= b
            if size == 2:
                hands[count] = a | b
                count += 1
                continue
            three = two
            while three:
                c = three & -three
                three ^= c
                four = three
                while four:
                    d = four & -four
                    four ^= d
                    hands[count] = a | b | c | d
                    count += 1
    return count


def load_tables() -> np.ndarray:
    """Loads the tables: an array of one TABLES."""
    return np.load(files("tapete_bots.gile").joinpath("hands.npy"))  # type: ignore[arg-type]
