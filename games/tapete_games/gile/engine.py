"""The rules of Gilé as kernels over the records of `state`; rule numbers are those of docs/rules.md.

`deal` starts a deal, `apply` makes a legal move and goes on by itself to the next decision: it closes
betting rounds, deals anew after a void deal, renews the stock, and ends the deal. `why_illegal` is the one
place that knows what is legal; it needs the public fields and the hand of the seat in turn alone, so that it
judges views as it judges states.

Constants are passed as int64(0): for a literal argument numba would compile a function once more.
"""

import numpy as np
from numba import int64

from tapete_games.bits import below, lowest, mix, next_random, popcount
from tapete_games.gile.settle import settle_showdown
from tapete_games.gile.state import (
    ALREADY_BET,
    ARGUMENT,
    BET,
    BET_TO_CALL,
    CALL,
    CARDS,
    CHECK,
    DEAL_OVER,
    DECIDE_BET,
    DECIDE_DISCARD,
    DECIDE_NOTHING,
    DISCARD,
    FIRST,
    FOLD,
    KIND,
    LAST,
    LAST_ONE_IN,
    LEGAL,
    LIMIT_FIXED,
    LIMIT_POT,
    LOG,
    MAX_RAISES,
    MAX_RENEWALS,
    NOBODY_TO_ANSWER,
    NOT_ASKED_TO_BET,
    NOT_ASKED_TO_DISCARD,
    NOT_ENOUGH_CHIPS,
    NOT_HELD,
    NOT_REOPENED,
    NOTHING_TO_CALL,
    NOTHING_TO_FOLD_TO,
    NOTHING_TO_RAISE,
    RAISE,
    RAISES_USED,
    SEAT,
    SEATS,
    SECOND,
    SHOWDOWN,
    STAGE,
    TOO_LARGE,
    TOO_SMALL,
    UNDER_WAY,
    VOID,
)
from tapete_games.kernel import inline_kernel, kernel

__all__ = ["apply", "deal", "greatest_total", "least_total", "renewal_order", "why_illegal"]


@inline_kernel
def _first_from(seats: int, seat: int) -> int:
    """Returns the first member of a non-empty set of seats in playing order from `seat` on."""
    rest = seats >> seat
    return seat + lowest(rest) if rest else lowest(seats)


@inline_kernel
def _with_chips(s: np.record) -> int:
    """Returns the set of the seats still in that have chips behind."""
    seats = 0
    for q in range(s.seats):
        if s.chips[q] > 0:
            seats |= 1 << q
    return seats & s.playing


# --- the stock ----------------------------------------------------------------------------------


@kernel
def _shuffle_pack(cards: np.ndarray, seed: int, renewal: int) -> None:
    """Writes all cards into `cards` in the order of a renewal, a function of seed and number alone (L10)."""
    for i in range(CARDS):
        cards[i] = i
    x = mix(mix(seed) ^ renewal)
    for i in range(CARDS - 1, 0, -1):
        x = next_random(x)
        j = below(x, i + 1)
        cards[i], cards[j] = cards[j], cards[i]


def renewal_order(seed: int, renewal: int) -> np.ndarray:
    """Returns all 28 cards in the order in which those of a renewed stock are served.

    Args:
        seed: Seed of the deal.
        renewal: Number of the renewal, from 1.
    """
    cards = np.empty(CARDS, np.int64)
    _shuffle_pack(cards, seed, renewal)
    return cards


@kernel
def _renew(s: np.record, served_seat: int) -> None:
    """Makes a new stock of the cards that are in nobody's hand (L10), but for discards of `served_seat`."""
    pool = s.set_aside
    for q in range(s.seats):
        if s.folded >> q & 1:
            pool |= s.hand[q]
            s.hand[q] = 0
        if q != served_seat:
            pool |= s.discards[q]
            s.discards[q] = 0
        for i in range(MAX_RENEWALS):
            s.aside[q, i] = 0
    s.set_aside = 0
    s.folded = 0
    renewals = s.renewals + 1
    s.renewals = renewals
    _shuffle_pack(s.stock, s.seed, renewals)
    size = 0
    for i in range(CARDS):
        if pool >> s.stock[i] & 1:
            s.stock[size] = s.stock[i]
            size += 1
    s.next_card = 0
    s.stock_size = size


@kernel
def _serve(s: np.record, seat: int, place: int) -> None:
    """Serves a card, as the one at `place` of `served`."""
    if s.stock_size == 0:
        _renew(s, seat)
    card = s.stock[s.next_card]
    s.next_card += 1
    s.stock_size -= 1
    s.hand[seat] |= 1 << card
    s.gone[seat, card] = 0
    s.served[seat, place] = s.renewals


@kernel
def _deal_two(s: np.record, place: int) -> None:
    """Deals two cards to each seat still in, from the mano on (L7, L8)."""
    for i in range(s.seats):
        seat = (s.mano + i) % s.seats
        if s.playing >> seat & 1:
            _serve(s, seat, place)
            _serve(s, seat, place + 1)


# --- the course of a deal -----------------------------------------------------------------------


@kernel
def deal(
    s: np.record,
    stack: np.ndarray,
    seats: int,
    dealer: int,
    limit: int,
    suit_rank: int,
    ante: int,
    minimum_bet: int,
    void_limit: int,
    pack: np.ndarray,
    seed: int,
) -> None:
    """Takes the antes and deals the first two cards (L5 to L7).

    Args:
        s: STATE, written.
        stack: Chips of each seat, int64[seats] or longer; at least two seats have some.
        seats: Number of seats, 2 to 5.
        dealer: Seat that deals, one with chips.
        limit: LIMIT_NONE, LIMIT_POT or LIMIT_FIXED.
        suit_rank: Switch of L17.
        ante: Chips, not negative.
        minimum_bet: Chips, at least 1.
        void_limit: Void deals in a row that end the deal, 1 to MAX_VOID_DEALS.
        pack: int64[28], the cards in dealing order.
        seed: Seed of the renewals' shuffles.
    """
    for q in range(SEATS):
        s.hand[q] = 0
        s.discards[q] = 0
        s.stack[q] = stack[q] if q < seats else 0
        s.paid[q] = min(s.stack[q], ante)
        s.chips[q] = s.stack[q] - s.paid[q]
        s.staked[q] = 0
        s.drawn[q] = -1
        for i in range(CARDS):
            s.gone[q, i] = 0
        for i in range(8):
            s.served[q, i] = -1
        for i in range(MAX_RENEWALS):
            s.aside[q, i] = 0
    for i in range(LOG):
        s.log[i] = 0
    s.log_size = 0
    s.set_aside = 0
    for i in range(CARDS):
        s.stock[i] = pack[i]
    s.next_card = 0
    s.stock_size = CARDS
    s.seed = seed
    s.seats = seats
    s.limit = limit
    s.suit_rank = suit_rank
    s.ante = ante
    s.minimum_bet = minimum_bet
    s.void_limit = void_limit
    s.dealer = dealer
    s.playing = 0
    s.pot = 0
    for q in range(seats):
        s.pot += s.paid[q]
        if s.stack[q] > 0:
            s.playing |= 1 << q
    s.mano = _first_from(s.playing & ~(1 << dealer), (dealer + 1) % seats)
    s.folded = 0
    s.voids = 0
    s.renewals = 0
    s.aggressor = -1
    s.ended = UNDER_WAY
    s.turn = s.mano
    _deal_two(s, int64(0))
    if not _opens_round(s, int64(FIRST)):
        _go_on(s)


@kernel
def _opens_round(s: np.record, stage: int) -> bool:
    """Opens a betting round; tells whether anybody is asked (L13)."""
    s.stage = stage
    s.level = 0
    s.step = s.minimum_bet * (2 if s.limit == LIMIT_FIXED and stage == LAST else 1)
    s.raises = 0
    s.spoken = 0
    s.closed = 0
    for q in range(s.seats):
        s.staked[q] = 0
    able = _with_chips(s)
    # Fewer than two of them: there is nobody to bet against.
    if not able & (able - 1):
        return False
    s.decision = DECIDE_BET
    s.turn = _first_from(able, s.mano)
    return True


@kernel
def _go_on(s: np.record) -> None:
    """Goes on to the next decision after a betting round has ended."""
    if s.stage == FIRST:
        if s.level == 0 and s.spoken:
            _void(s)
            return
        _deal_two(s, int64(2))
        if _opens_round(s, int64(SECOND)):
            return
    if s.stage == SECOND:
        s.decision = DECIDE_DISCARD
        s.turn = _first_from(s.playing, s.mano)
    else:
        settle_showdown(s)
        _end(s, SHOWDOWN)


@kernel
def _void(s: np.record) -> None:
    """Sets the dealt cards aside and deals again, or ends the deal (L7)."""
    s.voids += 1
    s.log_size = 0
    for i in range(LOG):
        s.log[i] = 0
    for q in range(s.seats):
        if s.playing >> q & 1:
            s.set_aside |= s.hand[q]
            for card in range(CARDS):
                if s.hand[q] >> card & 1:
                    s.gone[q, card] = s.renewals + 1
            s.hand[q] = 0
            for i in range(2):
                s.aside[q, s.served[q, i]] += 1
                s.served[q, i] = -1
    if s.voids == s.void_limit:
        for q in range(s.seats):
            s.chips[q] = s.stack[q]
        _end(s, VOID)
        return
    _deal_two(s, int64(0))
    _opens_round(s, int64(FIRST))


@inline_kernel
def _end(s: np.record, how: int) -> None:
    s.decision = DECIDE_NOTHING
    s.ended = how


# --- moves --------------------------------------------------------------------------------------


@kernel
def _greatest(s: np.record) -> int:
    """Returns the greatest total that limit and stack allow (L6, L15), legal to raise or not."""
    level = s.level
    all_in = s.staked[s.turn] + s.chips[s.turn]
    if s.limit == LIMIT_FIXED:
        return min(level + s.step, all_in)
    if s.limit == LIMIT_POT:
        return min(level + max(s.step, s.pot + level - s.staked[s.turn]), all_in)
    return all_in


@kernel
def _why_no_raise(s: np.record) -> int:
    """Says why the seat in turn may raise to no total at all; LEGAL if it may (L13, L15)."""
    if s.closed >> s.turn & 1:
        return NOT_REOPENED
    answers = False
    for q in range(s.seats):
        # A seat that is all in for the bet or less has no chips for a raise.
        if q != s.turn and s.playing >> q & 1 and s.staked[q] + s.chips[q] > s.level:
            answers = True
    if not answers:
        return NOBODY_TO_ANSWER
    if s.limit == LIMIT_FIXED and s.raises == MAX_RAISES:
        return RAISES_USED
    if s.staked[s.turn] + s.chips[s.turn] <= s.level:
        return NOT_ENOUGH_CHIPS
    return LEGAL


@kernel
def least_total(s: np.record) -> int:
    """Returns the least total of a bet or raise of the seat in turn; 0 if none is legal (L14, L15)."""
    if s.decision != DECIDE_BET or (s.level > 0 and _why_no_raise(s) != LEGAL):
        return 0
    return min(s.level + s.step, s.staked[s.turn] + s.chips[s.turn])


@kernel
def greatest_total(s: np.record) -> int:
    """Returns the greatest total of a bet or raise of the seat in turn; 0 if none is legal (L15)."""
    return _greatest(s) if least_total(s) > 0 else 0


@kernel
def why_illegal(s: np.record, hand: int, move: int) -> int:
    """Says why a move of the seat in turn is illegal, or LEGAL.

    Args:
        s: STATE or VIEW.
        hand: Cards in the hand of that seat.
        move: Code of a move.
    """
    kind = move >> KIND << KIND
    argument = move & ARGUMENT
    if s.decision == DECIDE_NOTHING:
        return DEAL_OVER
    if s.decision == DECIDE_DISCARD:
        if kind != DISCARD:
            return NOT_ASKED_TO_BET
        return NOT_HELD if argument & ~hand else LEGAL
    if kind == DISCARD:
        return NOT_ASKED_TO_DISCARD
    to_call = s.level - s.staked[s.turn]
    if kind == FOLD:
        return LEGAL if to_call else NOTHING_TO_FOLD_TO
    if kind == CHECK:
        return BET_TO_CALL if to_call else LEGAL
    if kind == CALL:
        return LEGAL if to_call else NOTHING_TO_CALL
    if kind == BET and s.level:
        return ALREADY_BET
    if kind == RAISE:
        if not s.level:
            return NOTHING_TO_RAISE
        why = _why_no_raise(s)
        if why != LEGAL:
            return why
    if argument > s.staked[s.turn] + s.chips[s.turn]:
        return NOT_ENOUGH_CHIPS
    if argument < least_total(s):
        return TOO_SMALL
    return TOO_LARGE if argument > _greatest(s) else LEGAL


@kernel
def apply(s: np.record, move: int) -> None:
    """Makes a legal move of the seat in turn and goes on to the next decision."""
    if s.decision == DECIDE_DISCARD:
        _discard(s, move & ARGUMENT)
        return
    seat = s.turn
    if s.log_size < LOG:
        s.log[s.log_size] = s.stage << STAGE | seat << SEAT | move
    s.log_size += 1
    spoken = s.spoken | 1 << seat
    s.spoken = spoken
    kind = move >> KIND << KIND
    if kind == FOLD:
        playing = s.playing & ~(1 << seat)
        s.playing = playing
        s.folded |= 1 << seat
        if not playing & (playing - 1):
            s.chips[lowest(playing)] += s.pot
            _end(s, LAST_ONE_IN)
            return
    elif kind == CALL:
        s.closed |= 1 << seat
        _pay(s, seat, min(s.level - s.staked[seat], s.chips[seat]))
    elif kind != CHECK:
        _raise_to(s, seat, move & ARGUMENT)
        s.raises += kind == RAISE
    after = (seat + 1) % s.seats
    waiting = 0
    for q in range(s.seats):
        if s.chips[q] > 0 and (s.staked[q] < s.level or not spoken >> q & 1):
            waiting |= 1 << q
    waiting &= s.playing
    if waiting:
        s.turn = _first_from(waiting, after)
    else:
        _go_on(s)


@inline_kernel
def _pay(s: np.record, seat: int, amount: int) -> None:
    s.chips[seat] -= amount
    s.staked[seat] += amount
    s.paid[seat] += amount
    s.pot += amount


@inline_kernel
def _raise_to(s: np.record, seat: int, total: int) -> None:
    """Bets or raises to `total`; all in for less than a full raise, it opens nothing (L15)."""
    by = total - s.level
    if by >= s.step:
        s.step = by
        s.closed = 0
    s.closed |= 1 << seat
    s.aggressor = seat
    s.level = total
    _pay(s, seat, total - s.staked[seat])


@kernel
def _discard(s: np.record, cards: int) -> None:
    """Discards cards of the seat in turn and serves as many (L9)."""
    seat = s.turn
    size = popcount(cards)
    s.hand[seat] &= ~cards
    s.discards[seat] = cards
    s.drawn[seat] = size
    for i in range(size):
        _serve(s, seat, 4 + i)
    for card in range(CARDS):
        if cards >> card & 1:
            s.gone[seat, card] = s.renewals + 1
    waiting = 0
    for q in range(s.seats):
        if s.drawn[q] < 0:
            waiting |= 1 << q
    waiting &= s.playing
    if waiting:
        s.turn = _first_from(waiting, (seat + 1) % s.seats)
    elif not _opens_round(s, int64(LAST)):
        _go_on(s)
