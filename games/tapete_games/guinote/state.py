"""The state of a deal of Guiñote: codes of cards, moves and rules, and the records that kernels work on.

Codes
    card        suit * 10 + strength; suits 0-3 are oros, copas, espadas, bastos; strengths 0-9 are the
                printed 2 4 5 6 7 11 10 12 3 1 (the sota beats the caballo, G1). A set of cards is an int64.
    move        0-39 plays that card, 40-43 sings that suit, SWAP, TUTE, PASS. A set of moves is an int64.
    seat, side  seats 0 to players - 1 in playing order; the side of a seat is `seat & 1` (G2).

Two records hold a deal. A STATE has all cards; the referee and the determinizations of a search use
it. A VIEW is what one seat knows and has no place for another seat's cards or the order of the stock.
They share the fields of PUBLIC_FIELDS.
"""

import numpy as np

from tapete_games.bits import popcount
from tapete_games.kernel import inline_kernel, kernel

# --- the pack -----------------------------------------------------------------------------------

PACK = (1 << 40) - 1
STRENGTH_TO_RANK = (2, 4, 5, 6, 7, 11, 10, 12, 3, 1)
SOTA, REY, SIETE = 6, 7, 4
SOTAS = sum(1 << (suit * 10 + SOTA) for suit in range(4))
REYES = SOTAS << 1
POINTS = np.array([0, 0, 0, 0, 0, 2, 3, 4, 10, 11] * 4, dtype=np.int64)


def _suit_set(card: int) -> int:
    return 1023 << (card // 10 * 10)


# SUIT[card]: all cards of its suit.
SUIT = np.array([_suit_set(card) for card in range(40)], dtype=np.int64)
# BEAT[trump * 40 + card]: all cards that beat it in a trick where it is the best so far (G6).
BEAT = np.array(
    [
        (_suit_set(card) & -(2 << card)) | (_suit_set(trump * 10) if card // 10 != trump else 0)
        for trump in range(4)
        for card in range(40)
    ],
    dtype=np.int64,
)

# --- moves, decisions, rules --------------------------------------------------------------------

SING, SWAP, TUTE, PASS, MOVES = 40, 44, 45, 46, 47
DECIDE_SWAP, DECIDE_DECLARE, DECIDE_PLAY, DECIDE_NOTHING = 0, 1, 2, 3

FIXED_ROTATION, PARTNER_RELIEF, SWAP_AFTER_LATEST_TRICK_ONLY, CANTE_PER_MEMBER, NO_TUTE = 1, 2, 4, 8, 16
MALAS_THIRTY, MALAS_OFF, MALAS_CARDS_ONLY_LOSES = 0, 1, 2

POINT, LAST_TEN, MINIMUM_MALAS = 101, 10, 30

# --- why a move is illegal ----------------------------------------------------------------------

LEGAL = 0
NOT_ASKED = 1
NOT_HELD = 2
MUST_FOLLOW = 3
MUST_BEAT = 4
MUST_TRUMP = 5
MUST_OVERTRUMP = 6
SWAP_NO_TRICK_WON = 7
SWAP_NOT_LATEST_TRICK = 8
SWAP_DONE = 9
SWAP_MUESTRA_GONE = 10
CANTE_NO_TRICK_WON = 11
CANTE_ALLOWANCE_USED = 12
CANTE_ALREADY_SUNG = 13
CANTE_NOT_HELD = 14
TUTE_ABOLISHED = 15
TUTE_NOT_HELD = 16
NOTHING_TO_PASS = 17
DEAL_OVER = 18

# --- records ------------------------------------------------------------------------------------

PUBLIC_FIELDS = [
    ("known", "i8", 4),  # cards that everybody knows to be in that hand (shown by cante, swap, last draw)
    ("void", "i8", 4),  # cards that everybody knows not to be in that hand (shown in arrastre)
    ("points", "i8", 2),  # of each side: carried + cards + last ten + cantes
    ("card_points", "i8", 2),  # of each side in this deal: from cards alone
    ("tricks_won", "i8", 2),
    ("players", "i8"),
    ("rules", "i8"),  # set of switches
    ("malas", "i8"),
    ("vueltas", "i8"),  # 1 in a deal of vueltas, else 0
    ("dealer", "i8"),
    ("trump", "i8"),  # suit
    ("muestra", "i8"),  # card now under the stock, -1 once drawn
    ("swap_card", "i8"),  # card that may be swapped for it, -1 once swapped
    ("stock_size", "i8"),  # cards to draw, the muestra included; 0 in arrastre
    ("played", "i8"),  # set of the cards played
    ("turn", "i8"),  # seat that plays the next card
    ("trick_size", "i8"),  # cards on the table
    ("lead", "i8"),  # first card on the table; meaningless while trick_size is 0, as the next three
    ("best", "i8"),  # winning card
    ("best_seat", "i8"),  # its seat
    ("trick_points", "i8"),  # points on the table
    ("tricks", "i8"),  # complete tricks
    ("latest_winner", "i8"),  # seat that won the latest trick, -1 before
    ("sung", "i8"),  # set of the sotas of the suits sung
    ("may_sing", "i8"),  # set of the seats with an allowance to sing now (G20)
    ("tute_side", "i8"),  # side that announced a tute, else -1
    ("decision", "i8"),  # kind of decision asked for, DECIDE_NOTHING when the deal is over
    ("asked", "i8"),  # seat that is asked
]
STATE = np.dtype(
    [
        ("hand", "i8", 4),  # set of cards of each seat
        ("stock", "i8", 28),  # stock[0] is the muestra, stock[stock_size - 1] is drawn next
        ("asked_again", "i8"),  # 1 while the leader declares again after a swap on its own turn (G21)
        *PUBLIC_FIELDS,
    ]
)
VIEW = np.dtype(
    [
        ("seat", "i8"),  # whose view it is
        ("own", "i8"),  # set of cards in the seat's hand
        ("size", "i8", 4),  # number of cards in each hand; read as v["size"], since arrays have a `size`
        *PUBLIC_FIELDS,
    ]
)


def new_state() -> np.record:
    """Makes an empty STATE."""
    return np.zeros(1, STATE).view(np.recarray)[0]


def new_view() -> np.record:
    """Makes an empty VIEW."""
    return np.zeros(1, VIEW).view(np.recarray)[0]


@inline_kernel
def copy_public(to: np.record, of: np.record) -> None:
    """Copies the fields that STATE and VIEW share."""
    for q in range(4):
        to.known[q] = of.known[q]
        to.void[q] = of.void[q]
    for side in range(2):
        to.points[side] = of.points[side]
        to.card_points[side] = of.card_points[side]
        to.tricks_won[side] = of.tricks_won[side]
    to.players = of.players
    to.rules = of.rules
    to.malas = of.malas
    to.vueltas = of.vueltas
    to.dealer = of.dealer
    to.trump = of.trump
    to.muestra = of.muestra
    to.swap_card = of.swap_card
    to.stock_size = of.stock_size
    to.played = of.played
    to.turn = of.turn
    to.trick_size = of.trick_size
    to.lead = of.lead
    to.best = of.best
    to.best_seat = of.best_seat
    to.trick_points = of.trick_points
    to.tricks = of.tricks
    to.latest_winner = of.latest_winner
    to.sung = of.sung
    to.may_sing = of.may_sing
    to.tute_side = of.tute_side
    to.decision = of.decision
    to.asked = of.asked


@inline_kernel
def copy_state(to: np.record, of: np.record) -> None:
    """Copies a STATE."""
    for q in range(4):
        to.hand[q] = of.hand[q]
    for i in range(28):
        to.stock[i] = of.stock[i]
    to.asked_again = of.asked_again
    copy_public(to, of)


@kernel
def make_view(s: np.record, seat: int, v: np.record) -> None:
    """Writes into VIEW `v` what `seat` knows of STATE `s`."""
    copy_public(v, s)
    v.seat = seat
    v.own = s.hand[seat]
    for q in range(4):
        v["size"][q] = popcount(s.hand[q])
