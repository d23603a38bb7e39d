"""The replay of a view's history: one kernel call that plays it through the engine and judges every step.

A history shows no hidden cards, and yet it can be judged without a guess. The replay deals each seat, from
the start, every card that it is ever known to hold: what it plays later, what it announces, the card it
swaps; the seat asked also has its own hand. All other cards are one dummy, a bit beyond the pack. Then

- a play in arrastre is illegal only because of cards held. Against the cards known the engine's verdict is
  therefore right whatever the hidden cards are, and what they must not be is recorded in `void`;
- before the arrastre any order of the stock is possible. A seat can have held a card when it played or
  showed it unless it lay elsewhere for all to see, or the seat's hand was full of other known cards. (For
  each seat this is the feasibility of unit jobs with deadlines: one card a draw, each due at its first use.)
- in arrastre what is hidden must fit into the other hands: `crowded_seats` applies Hall's theorem.

So a view passes exactly if some deal of the hidden cards explains it. A step that is illegal is carried out
all the same, as far as possible, so that later ones are judged too.
"""

from typing import NamedTuple

import numpy as np
from numba import config

from tapete_games.bits import popcount
from tapete_games.guinote.engine import (
    deal,
    draw,
    legal_moves,
    put_card,
    shown_void,
    sing,
    swap,
    take_trick,
    why_illegal,
)
from tapete_games.guinote.state import (
    DEAL_OVER,
    DECIDE_DECLARE,
    DECIDE_NOTHING,
    DECIDE_PLAY,
    DECIDE_SWAP,
    LEGAL,
    NOT_HELD,
    PACK,
    PASS,
    SING,
    SOTA,
    STATE,
    SWAP,
    SWAP_MUESTRA_GONE,
    VIEW,
    copy_public,
)
from tapete_games.kernel import inline_kernel, kernel

__all__ = ["HISTORY", "Verdict", "judge"]

DUMMY = 40
NO_STEP = -1
NO_WINDOW, BEFORE_DRAW, OWN_TURN = 0, 1, 2

# --- steps: the cells of `codes` ----------------------------------------------------------------

STEP_CARD = 0  # + number of the card in the order played, 0 to 39
STEP_LEADER = 40  # + number of the trick, 0 to 19
STEP_CANTE = 60  # + number of the cante, 0 to 3
STEP_SWAP = 64
STEP_DECISION = 65
STEP_HAND_SIZE = 66
# In these three a set stands for the code:
STEP_HAND_ELSEWHERE = 67  # cards of the seat's own hand that lie elsewhere for all to see
STEP_HAND_LACKS = 68  # cards that its own hand must have, and has not
STEP_HIDDEN = 69  # seats for whom too few hidden cards are left
STEPS = 70

# --- why a step is wrong: these beside the engine's codes ----------------------------------------

KNOWN_ELSEWHERE = 32  # another seat holds the card for all to see
UNDER_THE_STOCK = 33
PLAYED_BEFORE = 34
HAND_FULL = 35  # the hand is full of other known cards
WRONG_LEADER = 36
AFTER_THE_LEADERS_SWAP = 37  # the partner's window to announce is over
NOT_IN_TURN = 38
NO_SWAP_WINDOW = 39
NO_DECLARE_WINDOW = 40
WRONG_HAND_SIZE = 41

# --- the history of a view, all numbers in range --------------------------------------------------

HISTORY = np.dtype(
    [
        ("players", "i8"),
        ("dealer", "i8"),
        ("rules", "i8"),  # set of switches
        ("malas", "i8"),
        ("muestra", "i8"),  # card first turned up
        ("vueltas", "i8"),  # 1 in a deal of vueltas, else 0
        ("carried", "i8", 2),  # points carried by each side
        ("seat", "i8"),  # seat asked
        ("own", "i8"),  # set of the cards in its hand
        ("decision", "i8"),  # asked for
        ("swap_seat", "i8"),
        ("swap_after", "i8"),  # tricks complete, at most as many as there are
        ("swap_window", "i8"),  # NO_WINDOW without a swap
        ("cante_seat", "i8", 4),
        ("cante_suit", "i8", 4),
        ("cante_after", "i8", 4),  # tricks complete, at most as many as there are; 0 for no cante
        ("plays", "i8"),  # number of cards played
        ("leader", "i8", 20),
        ("card", "i8", 40),  # in the order played, all different
    ]
)


@inline_kernel
def hand_size(s: np.record, q: int) -> int:
    """Returns the number of cards in the hand of seat `q` by the arithmetic of G3 and G8."""
    n = s.players
    draws = (40 - 6 * n - s.stock_size) // n
    leader = (s.turn - s.trick_size) & (n - 1)
    has_played = 1 if (q - leader) & (n - 1) < s.trick_size else 0
    return 6 + draws - s.tricks - has_played


@inline_kernel
def why_not_there(s: np.record, seat: int, cards: int) -> int:
    """Says why `seat` cannot have `cards` in its hand, going by what everybody knows, or LEGAL."""
    if cards & s.played:
        return PLAYED_BEFORE
    for q in range(s.players):
        if q != seat and s.known[q] & cards:
            return KNOWN_ELSEWHERE
    if s.muestra >= 0 and cards >> s.muestra & 1:
        return UNDER_THE_STOCK
    if popcount(s.known[seat] | cards) > hand_size(s, seat):
        return HAND_FULL
    return LEGAL


@inline_kernel
def put_into(s: np.record, seat: int, cards: int) -> None:
    """Sees to it that `seat` has `cards`, and nobody else, so that a step can be carried out."""
    for q in range(s.players):
        s.hand[q] &= ~cards
        if q != seat:
            s.known[q] &= ~cards
    s.hand[seat] |= cards


@inline_kernel
def begins(s: np.record, codes: np.ndarray, step: int, stop: int) -> bool:
    """Tells whether `step` is to be judged: the deal must not be over, nor the replay stop here."""
    if s.decision == DECIDE_NOTHING:
        codes[step] = DEAL_OVER
        return False
    return step != stop


@kernel
def set_out(h: np.record, s: np.record) -> None:
    """Deals into STATE `s` the cards that HISTORY `h` shows, and dummies for the others."""
    n = h.players
    pack = np.full(40, DUMMY, np.int64)
    pack[6 * n] = h.muestra
    deal(s, n, h.dealer, h.rules, h.malas, pack)
    s.vueltas = h.vueltas
    for side in range(2):
        s.points[side] = h.carried[side]
    for i in range(h.plays):
        s.hand[(h.leader[i // n] + i) & (n - 1)] |= 1 << h.card[i]  # i % n and i agree modulo n
    for i in range(4):
        if h.cante_after[i] > 0:
            s.hand[h.cante_seat[i]] |= 3 << (h.cante_suit[i] * 10 + SOTA)
    if h.swap_window != NO_WINDOW:
        s.hand[h.swap_seat] |= 1 << s.swap_card
    s.hand[h.seat] |= h.own
    for q in range(n):
        s.hand[q] &= ~(1 << h.muestra)


@inline_kernel
def is_swap_due(h: np.record, s: np.record, codes: np.ndarray, window: int) -> bool:
    """Tells whether the swap comes after the tricks complete now, in `window`, and is still to be made."""
    if h.swap_window != window or h.swap_after != s.tricks:
        return False
    return s.swap_card >= 0 and codes[STEP_SWAP] == LEGAL


@kernel
def judge_swap(h: np.record, s: np.record, codes: np.ndarray, stop: int) -> bool:
    """Judges the swap (G16, G17) and carries it out; False where the replay ends."""
    if not begins(s, codes, STEP_SWAP, stop):
        return False
    seat = h.swap_seat
    s.decision = DECIDE_SWAP if h.swap_window == BEFORE_DRAW else DECIDE_PLAY
    # Once drawn there is no muestra to exchange, whatever else may be wrong.
    if s.muestra < 0:
        codes[STEP_SWAP] = SWAP_MUESTRA_GONE
        return True
    why = why_illegal(s, seat, s.hand[seat], SWAP)
    if why in (LEGAL, NOT_HELD):
        why = why_not_there(s, seat, 1 << s.swap_card)
    codes[STEP_SWAP] = why
    put_into(s, seat, 1 << s.swap_card)
    swap(s, seat)
    return True


@inline_kernel
def is_after_the_leaders_swap(h: np.record, s: np.record) -> bool:
    """Tells whether the leader, about to lead, has swapped: then nobody else may announce (G21)."""
    if h.swap_window != OWN_TURN or h.swap_after != s.tricks or h.swap_seat != s.turn:
        return False
    return s.swap_card < 0 and s.trick_size == 0


@kernel
def judge_cante(h: np.record, s: np.record, i: int, codes: np.ndarray) -> None:
    """Judges cante `i` (G19 to G21); a legal one is sung, another has no effect."""
    seat = h.cante_seat[i]
    suit = h.cante_suit[i]
    s.decision = DECIDE_DECLARE
    # The hand has the pair for certain: the engine judges the side's right to sing alone.
    pair = 3 << (suit * 10 + SOTA)
    why = why_illegal(s, seat, s.hand[seat] | pair, SING + suit)
    if why == LEGAL:
        why = why_not_there(s, seat, pair)
    if why == LEGAL and seat != s.turn and is_after_the_leaders_swap(h, s):
        why = AFTER_THE_LEADERS_SWAP
    codes[STEP_CANTE + i] = why
    if why == LEGAL:
        sing(s, seat, suit)


@kernel
def judge_card(h: np.record, s: np.record, i: int, codes: np.ndarray) -> None:
    """Judges the play of card `i` (G7, G10 to G15) and plays it."""
    seat = s.turn
    card = h.card[i]
    s.decision = DECIDE_PLAY
    why = why_not_there(s, seat, 1 << card)
    if why == LEGAL:
        why = why_illegal(s, seat, s.hand[seat], card)
    codes[STEP_CARD + i] = why
    put_into(s, seat, 1 << card)
    s.void[seat] |= shown_void(s, card)
    put_card(s, card, s.players)
    if s.trick_size == s.players:
        take_trick(s)


@inline_kernel
def is_before_the_draw(h: np.record, s: np.record) -> bool:
    """Tells whether the view is asked in window (a), between its last trick and the draw (G17)."""
    if h.decision != DECIDE_SWAP or h.plays != s.tricks * s.players or s.stock_size == 0:
        return False
    for i in range(4):
        if h.cante_after[i] == s.tricks:
            return False
    return h.swap_window != OWN_TURN or h.swap_after != s.tricks


@inline_kernel
def needs_muestra(h: np.record, s: np.record, i: int) -> bool:
    """Tells whether the leader can sing cante `i` only with the muestra that still lies under the stock."""
    if h.cante_seat[i] != s.turn or s.muestra < 0:
        return False
    return 3 << (h.cante_suit[i] * 10 + SOTA) >> s.muestra & 1 != 0


@kernel
def judge_between_tricks(h: np.record, s: np.record, codes: np.ndarray, stop: int) -> bool:
    """Goes from a complete trick to the next lead: swap, draw, cantes; False where the replay ends.

    The swap on the leader's own turn is not recorded in the order of the cantes. It comes as late as it can:
    before the leader's first cante that needs the muestra, else after all of them.
    """
    if s.tricks == 0:
        return True
    if is_swap_due(h, s, codes, BEFORE_DRAW) and not judge_swap(h, s, codes, stop):
        return False
    if s.decision != DECIDE_NOTHING and s.stock_size > 0 and not is_before_the_draw(h, s):
        draw(s, s.players)
        for q in range(s.players):
            s.known[q] &= ~s.played  # a muestra wrongly played from under the stock
    for i in range(4):
        if h.cante_after[i] != s.tricks:
            continue
        is_leaders_swap = h.swap_seat == s.turn and is_swap_due(h, s, codes, OWN_TURN)
        if is_leaders_swap and needs_muestra(h, s, i) and not judge_swap(h, s, codes, stop):
            return False
        if not begins(s, codes, STEP_CANTE + i, stop):
            return False
        judge_cante(h, s, i, codes)
    return True


@kernel
def judge_plays(h: np.record, s: np.record, codes: np.ndarray, stop: int) -> bool:
    """Judges the history up to the moment of the view; False where the replay ends."""
    for i in range(h.plays):
        if s.trick_size == 0:
            if not judge_between_tricks(h, s, codes, stop):
                return False
            step = STEP_LEADER + s.tricks
            if not begins(s, codes, step, stop):
                return False
            leader = h.leader[s.tricks]
            codes[step] = LEGAL if leader == s.turn else WRONG_LEADER
            s.turn = leader
        is_own_swap = h.swap_seat == s.turn and is_swap_due(h, s, codes, OWN_TURN)
        if is_own_swap and not judge_swap(h, s, codes, stop):
            return False
        if not begins(s, codes, STEP_CARD + i, stop):
            return False
        judge_card(h, s, i, codes)
    if s.trick_size == 0 and not judge_between_tricks(h, s, codes, stop):
        return False
    # A swap that is still due was made on the seat's own turn, and the seat has not played since.
    return not is_swap_due(h, s, codes, OWN_TURN) or judge_swap(h, s, codes, stop)


@inline_kernel
def why_not_asked(h: np.record, s: np.record) -> int:
    """Says why the seat cannot be asked for this decision now (G17, G21), or LEGAL."""
    if h.decision == DECIDE_PLAY:
        return LEGAL if h.seat == s.turn else NOT_IN_TURN
    if h.decision == DECIDE_SWAP:
        return LEGAL if s.tricks > 0 and is_before_the_draw(h, s) else NO_SWAP_WINDOW
    return LEGAL if s.tricks > 0 and s.trick_size == 0 else NO_DECLARE_WINDOW


@kernel
def crowded_seats(v: np.record) -> int:
    """Returns a set of seats for whom VIEW `v` leaves too few hidden cards in arrastre, or 0.

    Each set of other seats must find as many hidden cards that some member can hold as its hands have room
    for (Hall's theorem). All hidden cards then have a place, for there is no stock.
    """
    hidden = PACK & ~(v.played | v.own)
    for q in range(v.players):
        if q != v.seat:
            hidden &= ~v.known[q]
    for seats in range(1, 1 << v.players):
        if seats >> v.seat & 1:
            continue
        room = 0
        cards = 0
        for q in range(v.players):
            if seats >> q & 1:
                room += v["size"][q] - popcount(v.known[q])
                cards |= hidden & ~v.void[q]
        if room > popcount(cards):
            return seats
    return 0


@kernel
def judge_moment(h: np.record, s: np.record, v: np.record, codes: np.ndarray) -> None:
    """Judges the moment of the view, writes VIEW `v` from STATE `s`, and judges its hands."""
    codes[STEP_DECISION] = why_not_asked(h, s)
    s.decision = h.decision
    s.asked = h.seat
    copy_public(v, s)
    v.seat = h.seat
    v.own = h.own
    elsewhere = 0
    for q in range(s.players):
        v["size"][q] = hand_size(s, q)
        if q != h.seat:
            elsewhere |= s.known[q]
    if s.muestra >= 0:
        elsewhere |= 1 << s.muestra
    if popcount(h.own) != v["size"][h.seat]:
        codes[STEP_HAND_SIZE] = WRONG_HAND_SIZE
    codes[STEP_HAND_ELSEWHERE] = h.own & elsewhere
    codes[STEP_HAND_LACKS] = s.known[h.seat] & ~h.own


@kernel
def replay(histories: np.ndarray, states: np.ndarray, views: np.ndarray, codes: np.ndarray, stop: int) -> int:
    """Replays and judges a history.

    Args:
        histories: HISTORY, one; read.
        states: STATE, one; left as it is at the end, or before step `stop`.
        views: VIEW, one; written if the replay comes to the moment of the view.
        codes: int64, STEPS zeros; where a step is wrong, its cell is set to the code that says why.
        stop: Step to stop at, or NO_STEP.

    Returns:
        The set of the legal moves of the seat asked; 0 if something is wrong, or at `stop`.
    """
    h = histories[0]
    s = states[0]
    v = views[0]
    set_out(h, s)
    if not judge_plays(h, s, codes, stop) or not begins(s, codes, STEP_DECISION, stop):
        return 0
    judge_moment(h, s, v, codes)
    for step in range(STEPS):
        if codes[step] != LEGAL:
            return 0
    if v.stock_size == 0:
        codes[STEP_HIDDEN] = crowded_seats(v)
        if codes[STEP_HIDDEN]:
            return 0
    if h.decision == DECIDE_DECLARE and h.seat != s.turn and is_after_the_leaders_swap(h, s):
        return 1 << PASS
    return legal_moves(v, h.seat, h.own)


class Verdict(NamedTuple):
    """What a replay finds. The arrays hold one row each."""

    moves: int
    """Set of the legal moves of the seat asked; 0 if something is wrong."""
    state: np.ndarray
    """STATE at the end of the replay, the hidden cards missing."""
    view: np.ndarray
    """VIEW of the seat asked, if the replay came to the moment of the view; else zeros."""
    codes: np.ndarray
    """int64, STEPS cells: why each step is wrong, LEGAL where it is not."""


# Numba dispatches faster on plain arrays; without it rows need attributes.
_ROWS = np.recarray if config.DISABLE_JIT else np.ndarray


def judge(history: np.ndarray, stop: int = NO_STEP) -> Verdict:
    """Replays and judges a history.

    Args:
        history: int64, the cells of HISTORY.
        stop: Step to stop before, so as to see the state it finds.
    """
    state, view, codes = np.zeros(1, STATE), np.zeros(1, VIEW), np.zeros(STEPS, np.int64)
    rows = history.view(HISTORY).view(_ROWS), state.view(_ROWS), view.view(_ROWS)
    return Verdict(replay(*rows, codes, stop), state, view, codes)
