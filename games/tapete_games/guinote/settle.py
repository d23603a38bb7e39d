"""Play that stops at card plays only: searches go from one to the next.

The decisions between tricks are made by a fixed policy over the steps of the engine: swap if the muestra is
the higher trump (after a trick, or as leader after the draw), announce a tute, sing the forty first.
"""

import numpy as np

from tapete_games.bits import lowest
from tapete_games.guinote.engine import (
    announce_tute,
    draw,
    put_card,
    sing,
    swap,
    take_trick,
    why_illegal_swap,
)
from tapete_games.guinote.state import CANTE_PER_MEMBER, DECIDE_NOTHING, LEGAL, NO_TUTE, REYES, SOTA, SOTAS
from tapete_games.kernel import inline_kernel


@inline_kernel
def swap_upwards(s: np.record, first: int, end: int) -> None:
    """Swaps for the holder of the swap card, if that is a seat from `first` up to `end` - 1 and may."""
    if s.swap_card < 0 or s.muestra < s.swap_card:
        return
    for q in range(first, end):
        if s.hand[q] >> s.swap_card & 1:
            if why_illegal_swap(s, q, s.hand[q]) == LEGAL:
                swap(s, q)
            return


@inline_kernel
def announce(s: np.record) -> None:
    """Announces what the side that leads can: a tute, else the forty, else the first suit."""
    forty = 1 << (s.trump * 10 + SOTA)
    for i in range(0, s.players, 2):
        q = (s.turn + i) & (s.players - 1)
        h = s.hand[q]
        if not s.rules & NO_TUTE and (h & REYES == REYES or h & SOTAS == SOTAS):
            announce_tute(s, q)
            return
        pairs = h & h >> 1 & SOTAS & ~s.sung
        if pairs and s.may_sing >> q & 1:
            other = s.hand[(q + 2) & (s.players - 1)]
            # one allowance for the side: leave it to the partner who has the forty
            is_shared = s.may_sing >> ((q + 2) & 3) & 1 and not s.rules & CANTE_PER_MEMBER
            if is_shared and not pairs & forty and other & other >> 1 & forty & ~s.sung:
                continue
            sing(s, q, s.trump if pairs & forty else lowest(pairs) // 10)
            if s.decision == DECIDE_NOTHING:
                return


@inline_kernel
def settle(s: np.record, players: int) -> None:
    """Makes all decisions between a trick just taken and the next lead, by the fixed policy."""
    if s.stock_size > 0:
        swap_upwards(s, 0, players)
        draw(s, players)
        swap_upwards(s, s.turn, s.turn + 1)
    announce(s)


@inline_kernel
def play_and_settle(s: np.record, card: int) -> None:
    """Plays a legal card for the seat in turn and goes on to the next card play, or to the end."""
    put_card(s, card, s.players)
    if s.trick_size == s.players:
        take_trick(s)
        if s.decision != DECIDE_NOTHING:
            settle(s, s.players)
