"""Who wins how much: the score of a hand, the order of hands, and the pots (L2, L15 to L17)."""

import numpy as np

from tapete_games.gile.state import POINTS, SEATS, SUIT, SUIT_SIZE
from tapete_games.kernel import inline_kernel, kernel

__all__ = ["best_suit", "rank_hand", "score", "settle_showdown"]


@inline_kernel
def score(cards: int) -> int:
    """Returns the best sum of cards of one suit (L2)."""
    best = POINTS[cards & SUIT]
    for suit in range(1, 4):
        best = max(best, POINTS[cards >> suit * SUIT_SIZE & SUIT])
    return best


@inline_kernel
def best_suit(cards: int) -> int:
    """Returns the suit of the counted combination, the better suit of two that are equal (L17)."""
    suit = 0
    for other in range(1, 4):
        if POINTS[cards >> other * SUIT_SIZE & SUIT] > POINTS[cards >> suit * SUIT_SIZE & SUIT]:
            suit = other
    return suit


@kernel
def rank_hand(s: np.record, seat: int, cards: int) -> int:
    """Returns a number that is higher for the better hand; no two seats have the same (L16, L17)."""
    place = SEATS - (seat - s.mano + s.seats) % s.seats
    if s.suit_rank:
        return score(cards) * 64 + (3 - best_suit(cards)) * 8 + place
    # The dealer is before all others, then they come in playing order.
    return score(cards) * 64 + (8 if seat == s.dealer else place)


@kernel
def settle_showdown(s: np.record) -> None:
    """Pays the pots of STATE `s` to the best hands (L15, L16).

    What the seats have paid is cut into layers at each amount that some seat has paid in all. A layer goes
    to the best hand among those that paid into it; an excess that nobody called is a layer of one seat.
    """
    below = 0
    while True:
        top = 0
        for q in range(s.seats):
            if s.paid[q] > below and (top == 0 or s.paid[q] < top):
                top = s.paid[q]
        if top == 0:
            return
        amount = 0
        winner = -1
        best = -1
        for q in range(s.seats):
            if s.paid[q] < top:
                continue
            amount += top - below
            if s.playing >> q & 1:
                rank = rank_hand(s, q, s.hand[q])
                if rank > best:
                    best = rank
                    winner = q
        s.chips[winner] += amount
        below = top
