"""Determinizations of Guiñote: full deals sampled from what one seat knows.

Held fixed: the seat's own hand, every card played, every card that others have shown to hold (cantes,
the swap, the last draw), the muestra. Never given to a seat: cards that it has shown not to hold by
failing to follow, to beat or to trump in arrastre. Sampled: all other cards, over the other hands and
the order of the stock. Distribution: uniform over the deals consistent with all of this.

While there is stock nobody has shown anything missing, and a shuffle is uniform. In arrastre the hidden
cards fall into at most seven classes by the set of seats that may hold them; how many cards of each
class go to each seat is drawn with the exact number of ways as weight, the rest again is a shuffle.
"""

import numpy as np

from tapete_games.bits import below, lowest, next_random, popcount
from tapete_games.guinote.playout import shuffle
from tapete_games.guinote.state import PACK, copy_public
from tapete_games.kernel import inline_kernel, kernel

WORLDS = np.dtype(
    [
        ("cards", "i8", 40),  # the hidden cards; with voids: sorted by class
        ("hidden", "i8"),  # how many
        ("seat", "i8"),
        ("need", "i8", 4),  # hidden cards of each seat
        ("rival", "i8", 3),  # the other seats in playing order, -1 for none
        ("has_voids", "i8"),
        (
            "first",
            "i8",
            9,
        ),  # first card of each class; class k holds the cards that the rivals in set k may hold
        (
            "ways",
            "i8",
            (8, 7, 7, 7),
        ),  # ways to deal the classes from k on to rivals that still need a, b, c cards
    ]
)

# CHOOSE[n * 19 + k], n and k up to 18
CHOOSE = np.zeros(19 * 19, dtype=np.int64)
for _n in range(19):
    CHOOSE[_n * 19] = 1
    for _k in range(1, _n + 1):
        CHOOSE[_n * 19 + _k] = CHOOSE[(_n - 1) * 19 + _k - 1] + (CHOOSE[(_n - 1) * 19 + _k] if _n else 0)


def new_worlds() -> np.record:
    """Makes an empty WORLDS record."""
    return np.zeros(1, WORLDS).view(np.recarray)[0]


@kernel
def prepare(v: np.record, base: np.record, z: np.record) -> int:
    """Prepares sampling for VIEW `v`.

    Args:
        v: What the seat knows.
        base: STATE, written: all that every sample has in common.
        z: WORLDS, written.

    Returns:
        The number of ways to deal the hidden cards of the other hands if voids are known, else 1; 0 when
        no deal is consistent.
    """
    copy_public(base, v)
    base.asked_again = 0
    seat = v.seat
    players = v.players
    z.seat = seat
    hidden = PACK & ~v.played & ~v.own
    for q in range(4):
        base.hand[q] = 0
        z.need[q] = 0
    base.hand[seat] = v.own
    for i in range(28):
        base.stock[i] = 0
    if v.stock_size > 0:
        base.stock[0] = v.muestra
        hidden &= ~(1 << v.muestra)
    total = v.stock_size - 1 if v.stock_size > 0 else 0
    for q in range(players):
        if q != seat:
            hidden &= ~v.known[q]
            base.hand[q] = v.known[q]
            z.need[q] = v["size"][q] - popcount(v.known[q])
            total += z.need[q]
            if z.need[q] < 0:
                return 0
    z.hidden = popcount(hidden)
    if z.hidden != total:
        return 0
    z.has_voids = 0
    for i in range(3):
        z.rival[i] = (seat + 1 + i) & (players - 1) if i < players - 1 else -1
        if i < players - 1 and v.void[z.rival[i]] & hidden:
            z.has_voids = 1
    if not z.has_voids:
        n = 0
        while hidden:
            z.cards[n] = lowest(hidden)
            hidden &= hidden - 1
            n += 1
        return 1
    return count_ways(v, z, hidden)


@inline_kernel
def may_hold(v: np.record, z: np.record, card: int) -> int:
    """Returns the set of rivals (bits 0-2) that may hold a hidden card."""
    rivals = 0
    for i in range(3):
        if z.rival[i] >= 0 and not v.void[z.rival[i]] >> card & 1:
            rivals |= 1 << i
    return rivals


@kernel
def count_ways(v: np.record, z: np.record, hidden: int) -> int:
    """Sorts the hidden cards into classes and counts the ways to deal them out."""
    n = 0
    for k in range(1, 8):
        z.first[k] = n
        rest = hidden
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            if may_hold(v, z, card) == k:
                z.cards[n] = card
                n += 1
    z.first[8] = n
    if n != z.hidden:
        return 0  # nobody may hold some card
    # backwards over the classes; behind the last one nobody may need anything more
    for k in range(7, 0, -1):
        size = z.first[k + 1] - z.first[k]
        for a in range(7):
            for b in range(7):
                for c in range(7):
                    z.ways[k, a, b, c] = ways_from(z, k, size, a, b, c)
    need_c = z.need[z.rival[2]] if z.rival[2] >= 0 else 0
    need_b = z.need[z.rival[1]] if z.rival[1] >= 0 else 0
    return z.ways[1, z.need[z.rival[0]], need_b, need_c]


@inline_kernel
def split_ways(z: np.record, k: int, size: int, i: int, j: int, a: int, b: int, c: int) -> int:
    """Counts the deals in which rivals 0, 1, 2 get i, j, size - i - j cards of class k."""
    m = size - i - j
    if i > a or j > b or m > c or m < 0:
        return 0
    if (i and not k & 1) or (j and not k & 2) or (m and not k & 4):
        return 0
    after = 1
    if k < 7:
        after = z.ways[k + 1, a - i, b - j, c - m]
    elif i != a or j != b or m != c:
        after = 0
    return CHOOSE[size * 19 + i] * CHOOSE[(size - i) * 19 + j] * after


@kernel
def ways_from(z: np.record, k: int, size: int, a: int, b: int, c: int) -> int:
    """Counts the deals of the classes from k on to rivals that need a, b and c more cards."""
    total = 0
    for i in range(min(size, a) + 1):
        for j in range(min(size - i, b) + 1):
            total += split_ways(z, k, size, i, j, a, b, c)
    return total


@kernel
def sample(s: np.record, base: np.record, z: np.record, x: int) -> int:
    """Writes a uniformly drawn consistent deal into STATE `s`.

    Args:
        s: STATE, written.
        base: STATE made by `prepare`.
        z: WORLDS made by `prepare`; its cards are reordered.
        x: State of the generator.

    Returns:
        The generator's state.
    """
    copy_public(s, base)
    s.asked_again = 0
    if z.has_voids:
        for q in range(4):
            s.hand[q] = base.hand[q]
        return sample_classes(s, z, x)
    x = shuffle(z.cards, z.hidden, x)
    n = 0
    for q in range(4):
        hand = base.hand[q]
        for _ in range(z.need[q]):
            hand |= 1 << z.cards[n]
            n += 1
        s.hand[q] = hand
    s.stock[0] = base.stock[0]
    for i in range(1, base.stock_size):
        s.stock[i] = z.cards[n]
        n += 1
    return x


@kernel
def sample_classes(s: np.record, z: np.record, x: int) -> int:
    """Deals the hidden cards class by class."""
    a = z.need[z.rival[0]]
    b = z.need[z.rival[1]] if z.rival[1] >= 0 else 0
    c = z.need[z.rival[2]] if z.rival[2] >= 0 else 0
    for k in range(1, 8):
        first = z.first[k]
        size = z.first[k + 1] - first
        if size == 0:
            continue
        x = next_random(x)
        r = below(x, z.ways[k, a, b, c])
        i = 0
        j = 0
        while True:
            r -= split_ways(z, k, size, i, j, a, b, c)
            if r < 0:
                break
            j += 1
            if j > size - i:
                j = 0
                i += 1
        for t in range(size - 1, 0, -1):
            x = next_random(x)
            o = below(x, t + 1)
            card = z.cards[first + t]
            z.cards[first + t] = z.cards[first + o]
            z.cards[first + o] = card
        for t in range(size):
            q = z.rival[0] if t < i else z.rival[1] if t < i + j else z.rival[2]
            s.hand[q] |= 1 << z.cards[first + t]
        a -= i
        b -= j
        c -= size - i - j
    return x
