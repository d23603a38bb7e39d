"""The state of a deal of Gilé: codes of cards, moves and rules, and the records that kernels work on.

Codes
    card   suit * 7 + place; suits 0-3 are oros, copas, espadas, bastos; places 0-6 are the printed
           7 2 3 10 11 12 1, so that points never fall. A set of cards is an int64.
    move   kind << 32 | argument: the argument of BET and RAISE is the seat's total of this round after it,
           that of DISCARD a set of cards; the other kinds have none.
    seat   seats 0 to seats - 1 in playing order. A seat without chips is not dealt in.

Two records hold a deal. A STATE has all cards; the referee and the determinizations of a search use it.
A VIEW is what one seat knows and has no place for another seat's cards or the order of the stock. They
share the fields of PUBLIC_FIELDS.

Time is counted in *renewals* of the stock (L10): each card that a seat is served is marked with the number
of renewals before it, for a card that was seen and put away can come back after a renewal, not before.
"""

import numpy as np

from tapete_games.kernel import inline_kernel, kernel

# --- the pack -----------------------------------------------------------------------------------

CARDS, SUIT_SIZE, SEATS = 28, 7, 5
PACK = (1 << CARDS) - 1
SUIT = (1 << SUIT_SIZE) - 1
PLACE_TO_RANK = (7, 2, 3, 10, 11, 12, 1)
_POINTS = (7, 10, 10, 10, 10, 10, 11)
# POINTS[cards of one suit]: their sum (L1).
POINTS = np.array([sum(p for i, p in enumerate(_POINTS) if s >> i & 1) for s in range(128)], dtype=np.int64)

# --- moves, decisions, rules --------------------------------------------------------------------

KIND = 32
FOLD, CHECK, CALL, BET, RAISE, DISCARD = (kind << KIND for kind in range(6))
ARGUMENT = (1 << KIND) - 1
DECIDE_BET, DECIDE_DISCARD, DECIDE_NOTHING = 0, 1, 2
FIRST, SECOND, LAST = 0, 1, 2
LIMIT_NONE, LIMIT_POT, LIMIT_FIXED = 0, 1, 2
MAX_RAISES = 3
MAX_VOID_DEALS = 10
# More renewals than any deal has: ten void deals of five seats need five, the services two more.
MAX_RENEWALS = 12
LOG = 64
SEAT, STAGE = 40, 48

# --- why a move is illegal ----------------------------------------------------------------------

LEGAL = 0
NOT_ASKED_TO_BET = 1  # a bet, call, ... where discards are asked for
NOT_ASKED_TO_DISCARD = 2
NOTHING_TO_FOLD_TO = 3  # folding with nothing to call (L13)
BET_TO_CALL = 4  # checking with something to call (L14)
NOTHING_TO_CALL = 5
ALREADY_BET = 6  # a bet after a bet: it is a raise (L14)
NOTHING_TO_RAISE = 7
TOO_SMALL = 8  # below the least bet or raise, and not all in (L14, L15)
TOO_LARGE = 9  # above the limit (L15)
NOT_ENOUGH_CHIPS = 10  # above the stack (L6)
NOT_REOPENED = 11  # a raise after a short all-in by a seat that has acted (L15)
NOBODY_TO_ANSWER = 12  # a raise that nobody has the chips to answer (L13)
RAISES_USED = 13  # a fourth raise with a fixed limit (L15)
NOT_HELD = 14  # a discard of a card that is not in the hand
DEAL_OVER = 15

# --- how a deal ends ----------------------------------------------------------------------------

UNDER_WAY, SHOWDOWN, LAST_ONE_IN, VOID = 0, 1, 2, 3

# --- records ------------------------------------------------------------------------------------

PUBLIC_FIELDS = [
    ("stack", "i8", SEATS),  # chips at the start of the deal, before the ante; 0 is not dealt in
    ("chips", "i8", SEATS),  # chips behind
    ("paid", "i8", SEATS),  # chips put into the pot in the whole deal, ante included
    ("staked", "i8", SEATS),  # chips put in in this round: `level` minus this is to call
    ("drawn", "i8", SEATS),  # cards discarded and served (L9), -1 before
    # Renewals before each card that the seat was served in this deal (after void deals), -1 for none:
    # the first four as dealt, the last four as drawn.
    ("served", "i8", (SEATS, 8)),
    # Cards that the seat set aside in void deals since the last renewal, by the renewals before each.
    ("aside", "i8", (SEATS, MAX_RENEWALS)),
    ("seats", "i8"),
    ("limit", "i8"),
    ("suit_rank", "i8"),  # switch (L17)
    ("ante", "i8"),
    ("minimum_bet", "i8"),
    ("void_limit", "i8"),  # void deals in a row that end the deal
    ("dealer", "i8"),
    ("mano", "i8"),
    ("playing", "i8"),  # set of the seats still in
    ("folded", "i8"),  # set of the seats that have folded and whose cards are not in a renewed stock
    ("voids", "i8"),  # void deals so far
    ("renewals", "i8"),
    ("stock_size", "i8"),
    ("stage", "i8"),  # betting round, FIRST to LAST; the discards belong to SECOND
    ("pot", "i8"),  # sum of `paid`
    ("level", "i8"),  # highest `staked`
    ("step", "i8"),  # last full bet or raise of this round, at least the minimum bet
    ("raises", "i8"),  # raises in this round
    ("spoken", "i8"),  # set of the seats that have acted in this round
    ("closed", "i8"),  # set of the seats that may not raise before the next full bet or raise
    ("aggressor", "i8"),  # seat that bet or raised last in the deal, -1 before
    ("decision", "i8"),  # kind of decision asked for, DECIDE_NOTHING when the deal is over
    ("turn", "i8"),  # seat that is asked
    ("ended", "i8"),  # how the deal ended, or UNDER_WAY
    ("log_size", "i8"),  # bets, calls, ... so far in this deal; those of void deals are not counted
    ("log", "i8", LOG),  # the first LOG of them: stage << STAGE | seat << SEAT | move
]
STATE = np.dtype(
    [
        ("hand", "i8", SEATS),  # set of cards of each seat; those of a seat that folded stay
        ("discards", "i8", SEATS),  # set of the cards that each seat discarded, until a renewal takes them
        ("set_aside", "i8"),  # set of the cards set aside by void deals, until a renewal takes them
        ("stock", "i8", CARDS),  # stock[next_card] is served next
        ("next_card", "i8"),
        ("seed", "i8"),  # of the renewals' shuffles
        ("gone", "i1", (SEATS, 32)),  # as VIEW.gone, of each seat
        *PUBLIC_FIELDS,
    ]
)
VIEW = np.dtype(
    [
        ("seat", "i8"),  # whose view it is
        ("own", "i8"),  # set of cards in the seat's hand
        # Renewals after which a card that the seat has seen and put away may be anywhere, 0 for cards that
        # it has not put away: while gone[card] > renewals the card is in nobody's hand and not in the stock.
        ("gone", "i8", CARDS),
        *PUBLIC_FIELDS,
    ]
)


def new_state() -> np.record:
    """Makes an empty STATE."""
    return np.zeros(1, STATE).view(np.recarray)[0]


def new_view() -> np.record:
    """Makes an empty VIEW."""
    return np.zeros(1, VIEW).view(np.recarray)[0]


@kernel
def make_view(s: np.record, seat: int, v: np.record) -> None:
    """Writes into VIEW `v` what `seat` knows of STATE `s`."""
    v.seat = seat
    v.own = s.hand[seat]
    for card in range(CARDS):
        v.gone[card] = s.gone[seat, card]
    copy_public(v, s)


@inline_kernel
def copy_public(to: np.record, of: np.record) -> None:
    """Copies the fields that STATE and VIEW share."""
    for q in range(SEATS):
        to.stack[q] = of.stack[q]
        to.chips[q] = of.chips[q]
        to.paid[q] = of.paid[q]
        to.staked[q] = of.staked[q]
        to.drawn[q] = of.drawn[q]
        for i in range(8):
            to.served[q, i] = of.served[q, i]
        for i in range(MAX_RENEWALS):
            to.aside[q, i] = of.aside[q, i]
    for i in range(LOG):
        to.log[i] = of.log[i]
    to.seats = of.seats
    to.limit = of.limit
    to.suit_rank = of.suit_rank
    to.ante = of.ante
    to.minimum_bet = of.minimum_bet
    to.void_limit = of.void_limit
    to.dealer = of.dealer
    to.mano = of.mano
    to.playing = of.playing
    to.folded = of.folded
    to.voids = of.voids
    to.renewals = of.renewals
    to.stock_size = of.stock_size
    to.stage = of.stage
    to.pot = of.pot
    to.level = of.level
    to.step = of.step
    to.raises = of.raises
    to.spoken = of.spoken
    to.closed = of.closed
    to.aggressor = of.aggressor
    to.decision = of.decision
    to.turn = of.turn
    to.ended = of.ended
    to.log_size = of.log_size
