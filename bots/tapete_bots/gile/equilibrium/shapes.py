"""Hands of Gilé as far as the score can tell them apart.

Five of a suit's seven cards count 10, so a set of cards is, but for names, four *holdings*: whether a suit
has the as, whether it has the seven, how many tens. A *shape* packs the holdings of the four suits into one
number; shapes that differ by the order of the suits alone are one *class*. There are 10 classes of two
cards and 65 of four (L3 counts their scores), and nothing is lost by them as long as suits have no rank
(L17).

    holding   as + 2 * seven + 4 * tens, 0 to 23
    shape     holding of suit 0 | suit 1 << 5 | suit 2 << 10 | suit 3 << 15
    class     rank among the shapes of its size whose holdings never rise, these in ascending order
"""

from functools import cache
from math import comb

import numpy as np

from tapete_bots.gile.hands import OFFSET, SETS, best_discard, list_hands, set_rank
from tapete_games.gile.state import PACK, PLACE_TO_RANK, SUIT, SUIT_SIZE
from tapete_games.kernel import inline_kernel, kernel

__all__ = [
    "CLASSES",
    "CLASS_SCORE",
    "SCORES",
    "canonical",
    "cards_of",
    "class_tables",
    "classes_of",
    "count_shape",
    "discard_by_class",
    "holdings",
    "pack_shape",
    "score_of",
    "shape_of",
    "shapes_of",
]

_AS, _SEVEN = PLACE_TO_RANK.index(1), PLACE_TO_RANK.index(7)
# HOLDING[cards of one suit]
HOLDING = np.array(
    [
        (s >> _AS & 1) + 2 * (s >> _SEVEN & 1) + 4 * (s & ~(1 << _AS | 1 << _SEVEN)).bit_count()
        for s in range(128)
    ],
    np.int64,
)
# CLASSES[n]: number of classes of n cards; of two and four in the whole pack.
CLASSES = {2: 10, 4: 65}
# All scores of four cards (L3), ascending.
SCORES = (7, 10, 11, 17, 18, 20, 21, 27, 28, 30, 31, 37, 38, 40, 41)

Shape = tuple[int, int, int, int]


def _size(holding: int) -> int:
    return (holding & 1) + (holding >> 1 & 1) + (holding >> 2)


def _points(holding: int) -> int:
    return 11 * (holding & 1) + 7 * (holding >> 1 & 1) + 10 * (holding >> 2)


def pack_shape(holdings: tuple[int, ...]) -> int:
    """Packs four holdings into a shape."""
    return sum(holding << 5 * suit for suit, holding in enumerate(holdings))


def holdings(shape: int) -> Shape:
    """Returns the four holdings of a shape."""
    return (shape & 31, shape >> 5 & 31, shape >> 10 & 31, shape >> 15 & 31)


@inline_kernel
def shape_of(cards: int) -> int:
    """Returns the shape of a set of cards."""
    shape = 0
    for suit in range(4):
        shape |= HOLDING[cards >> suit * SUIT_SIZE & SUIT] << 5 * suit
    return shape


@cache
def shapes_of(size: int, pack: int = PACK) -> tuple[int, ...]:
    """Lists the shapes of so many cards out of a pack."""
    found = {0: 0}
    for suit, whole in enumerate(holdings(int(shape_of(pack)))):
        of_suit = [h for h in range(24) if not h & ~whole & 3 and h >> 2 <= whole >> 2]
        found = {
            shape | h << 5 * suit: held + _size(h)
            for shape, held in found.items()
            for h in of_suit
            if held + _size(h) <= size
        }
    return tuple(shape for shape, held in found.items() if held == size)


def count_shape(shape: int, pack: int) -> int:
    """Counts the sets of cards of a shape that a pack, itself given as a shape, holds."""
    count = 1
    for some, whole in zip(holdings(shape), holdings(pack), strict=True):
        count *= comb(whole >> 2, some >> 2) if not some & ~whole & 3 else 0
    return count


def canonical(shape: int) -> int:
    """Returns the shape of the same class whose holdings never rise."""
    return pack_shape(tuple(sorted(holdings(shape), reverse=True)))


def score_of(shape: int) -> int:
    """Returns the best sum of a suit (L2)."""
    return max(map(_points, holdings(shape)))


@cache
def classes_of(size: int, pack: int = PACK) -> dict[int, int]:
    """Numbers the classes of so many cards that occur in a pack by their canonical shapes."""
    return {shape: i for i, shape in enumerate(sorted({canonical(s) for s in shapes_of(size, pack)}))}


# Score of each class of four cards.
CLASS_SCORE = np.array([score_of(shape) for shape in classes_of(4)], np.int64)


@cache
def class_tables() -> np.ndarray:
    """Returns int64[SETS]: the class of each set of two or four cards, by its rank; -1 for others."""
    table = np.full(SETS, -1, np.int64)
    for size in (2, 4):
        classes = classes_of(size)
        by_shape = np.full(1 << 20, -1, np.int64)
        for shape in shapes_of(size):
            by_shape[shape] = classes[canonical(shape)]
        hands = np.empty(comb(28, size), np.int64)
        _classify(PACK, size, hands, by_shape, table)
    return table


@kernel
def _classify(pack: int, size: int, hands: np.ndarray, by_shape: np.ndarray, table: np.ndarray) -> None:
    for i in range(list_hands(pack, size, hands)):
        table[OFFSET[size] + set_rank(hands[i])] = by_shape[shape_of(hands[i])]


# TENS[n]: the first n of a suit's five tens.
_TENS = np.array([sum([1 << p for p in range(7) if p not in (_AS, _SEVEN)][:n]) for n in range(6)], np.int64)


@inline_kernel
def _suit_cards(holding: int) -> int:
    """Returns the cards of one suit with a holding, the first of the tens."""
    return (holding & 1) << _AS | (holding >> 1 & 1) << _SEVEN | _TENS[holding >> 2]


@kernel
def cards_of(shape: int) -> int:
    """Returns one set of cards of a shape."""
    cards = 0
    for suit in range(4):
        cards |= _suit_cards(shape >> 5 * suit & 31) << suit * SUIT_SIZE
    return cards


@kernel
def discard_by_class(tables: np.record, hand: int, size: int, order: np.ndarray) -> int:
    """Returns the best set of `size` cards to discard; hands of one class discard and keep the same holdings.

    (`best_discard` may choose differently among sets that are equally good.) Of suits with equal holdings the
    one that is earlier in `order`, int64[4], is treated first: an order drawn at random gives nothing away.
    """
    suits = order.copy()
    shape = shape_of(hand)
    for i in range(1, 4):
        j = i
        while j > 0 and shape >> 5 * suits[j] & 31 > shape >> 5 * suits[j - 1] & 31:
            suits[j], suits[j - 1] = suits[j - 1], suits[j]
            j -= 1
    model = 0
    for i in range(4):
        model |= _suit_cards(shape >> 5 * suits[i] & 31) << i * SUIT_SIZE
    out = best_discard(tables, model, size)
    cards = 0
    for i in range(4):
        of_model = out >> i * SUIT_SIZE & SUIT
        own = hand >> suits[i] * SUIT_SIZE & SUIT
        picked = own & of_model & (1 << _AS | 1 << _SEVEN)
        tens = own & ~(1 << _AS | 1 << _SEVEN)
        for _ in range(HOLDING[of_model] >> 2):
            picked |= tens & -tens
            tens &= tens - 1
        cards |= picked << suits[i] * SUIT_SIZE
    return cards
