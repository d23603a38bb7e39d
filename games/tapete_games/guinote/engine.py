"""The rules of Guiñote as kernels: the one engine of referee, view checker, bots and tournaments.

Kernels that take `s` and a `hand` read public fields only, so that they serve STATE and VIEW alike.
`apply` stops at every decision, for referee and replays; `tapete_games.guinote.settle` goes from card play
to card play over the same steps, for searches.
"""

import numpy as np

from tapete_games.guinote.state import (
    BEAT,
    CANTE_ALLOWANCE_USED,
    CANTE_ALREADY_SUNG,
    CANTE_NO_TRICK_WON,
    CANTE_NOT_HELD,
    CANTE_PER_MEMBER,
    DEAL_OVER,
    DECIDE_DECLARE,
    DECIDE_NOTHING,
    DECIDE_PLAY,
    DECIDE_SWAP,
    LAST_TEN,
    LEGAL,
    MALAS_CARDS_ONLY_LOSES,
    MALAS_THIRTY,
    MINIMUM_MALAS,
    MUST_BEAT,
    MUST_FOLLOW,
    MUST_OVERTRUMP,
    MUST_TRUMP,
    NO_TUTE,
    NOT_ASKED,
    NOT_HELD,
    NOTHING_TO_PASS,
    PARTNER_RELIEF,
    PASS,
    POINT,
    POINTS,
    REYES,
    SIETE,
    SING,
    SOTA,
    SOTAS,
    SUIT,
    SWAP,
    SWAP_AFTER_LATEST_TRICK_ONLY,
    SWAP_DONE,
    SWAP_MUESTRA_GONE,
    SWAP_NO_TRICK_WON,
    SWAP_NOT_LATEST_TRICK,
    TUTE,
    TUTE_ABOLISHED,
    TUTE_NOT_HELD,
)
from tapete_games.kernel import inline_kernel, kernel

# --- the deal -----------------------------------------------------------------------------------


@kernel
def deal(s: np.record, players: int, dealer: int, rules: int, malas: int, pack: np.ndarray) -> None:
    """Deals `pack` into STATE `s` (G3, G4); the mano is asked to lead.

    Args:
        s: Written whole. For vueltas the caller then sets `vueltas` and `points`.
        players: 2 or 4.
        dealer: Seat of the dealer.
        rules: Set of switches.
        malas: MALAS_THIRTY, MALAS_OFF or MALAS_CARDS_ONLY_LOSES.
        pack: 40 cards (int64) in dealing order: three to each seat from the mano on, twice; then the
            muestra; then the stock, the card drawn first in front.
    """
    for q in range(4):
        s.hand[q] = 0
        s.known[q] = 0
        s.void[q] = 0
    for side in range(2):
        s.points[side] = 0
        s.card_points[side] = 0
        s.tricks_won[side] = 0
    mano = (dealer + 1) & (players - 1)
    for i in range(6 * players):
        s.hand[(mano + i // 3) & (players - 1)] |= 1 << pack[i]
    n = 40 - 6 * players
    s.stock[0] = pack[6 * players]
    for i in range(1, n):
        s.stock[n - i] = pack[6 * players + i]
    s.asked_again = 0
    s.players = players
    s.rules = rules
    s.malas = malas
    s.vueltas = 0
    s.dealer = dealer
    muestra = pack[6 * players]
    s.muestra = muestra
    trump = muestra // 10
    s.trump = trump
    s.swap_card = trump * 10 + (SIETE if muestra % 10 != SIETE else 0)
    s.stock_size = n
    s.played = 0
    s.turn = mano
    s.trick_size = 0
    s.lead = 0
    s.best = 0
    s.best_seat = mano
    s.trick_points = 0
    s.tricks = 0
    s.latest_winner = -1
    s.sung = 0
    s.may_sing = 0
    s.tute_side = -1
    s.decision = DECIDE_PLAY
    s.asked = mano


# --- what is legal ------------------------------------------------------------------------------


@inline_kernel
def is_relieved(s: np.record) -> bool:
    """Tells whether the partner of the seat in turn is winning the trick, with relief in force (G14)."""
    return s.rules & PARTNER_RELIEF != 0 and s.players == 4 and (s.best_seat ^ s.turn) & 1 == 0


@inline_kernel
def legal_cards(s: np.record, hand: int) -> int:
    """Returns the cards of `hand` that the seat in turn may play (G7, G10-G15)."""
    if s.stock_size > 0 or s.trick_size == 0:
        return hand
    follow = hand & SUIT[s.lead]
    win = hand & BEAT[s.trump * 40 + s.best]
    if is_relieved(s):
        return follow or hand
    # G10 beat in suit, else follow; G12 trump, overtrump; G13 anything. Trumps are the only cards of
    # another suit that beat, and after a trump no card of the suit led does (G11).
    # (Plainly: follow & win or follow or win or hand, written so that it compiles to selects.)
    beat = follow & win
    free = win if win else hand
    suit = beat if beat else follow
    return suit if follow else free


@inline_kernel
def shown_void(s: np.record, card: int) -> int:
    """Returns the cards that the seat in turn shows not to hold by playing `card` in arrastre."""
    if s.stock_size > 0 or s.trick_size == 0:
        return 0
    bit = 1 << card
    suit = SUIT[s.lead]
    win = BEAT[s.trump * 40 + s.best]
    if suit & bit:
        if win & bit or is_relieved(s):
            return 0
        return suit & win
    if win & bit or is_relieved(s):
        return suit
    return suit | win


@kernel
def why_illegal_card(s: np.record, hand: int, card: int) -> int:
    """Says why the seat in turn may not play `card` from `hand`, or LEGAL."""
    if not hand >> card & 1:
        return NOT_HELD
    if legal_cards(s, hand) >> card & 1:
        return LEGAL
    if hand & SUIT[s.lead]:
        return MUST_BEAT if SUIT[s.lead] >> card & 1 else MUST_FOLLOW
    return MUST_OVERTRUMP if s.best // 10 == s.trump else MUST_TRUMP


@inline_kernel
def why_illegal_swap(s: np.record, seat: int, hand: int) -> int:
    """Says why `seat`, holding `hand`, may not swap the muestra (G16), or LEGAL. Windows are not judged."""
    if s.swap_card < 0:
        return SWAP_DONE
    if s.stock_size == 0:
        return SWAP_MUESTRA_GONE
    if s.tricks_won[seat & 1] == 0:
        return SWAP_NO_TRICK_WON
    if s.rules & SWAP_AFTER_LATEST_TRICK_ONLY and (s.latest_winner ^ seat) & 1:
        return SWAP_NOT_LATEST_TRICK
    if not hand >> s.swap_card & 1:
        return NOT_HELD
    return LEGAL


@inline_kernel
def why_illegal_cante(s: np.record, seat: int, hand: int, suit: int) -> int:
    """Says why `seat`, holding `hand`, may not sing `suit` (G19, G20), or LEGAL. The window is not judged."""
    if s.latest_winner < 0 or (s.latest_winner ^ seat) & 1:
        return CANTE_NO_TRICK_WON
    if s.sung >> (suit * 10 + SOTA) & 1:
        return CANTE_ALREADY_SUNG
    if not s.may_sing >> seat & 1:
        return CANTE_ALLOWANCE_USED
    if hand >> (suit * 10 + SOTA) & 3 != 3:
        return CANTE_NOT_HELD
    return LEGAL


@inline_kernel
def why_illegal_tute(s: np.record, seat: int, hand: int) -> int:
    """Says why `seat`, holding `hand`, may not announce a tute (G22), or LEGAL. The window is not judged."""
    if s.rules & NO_TUTE:
        return TUTE_ABOLISHED
    if s.latest_winner < 0 or (s.latest_winner ^ seat) & 1:
        return CANTE_NO_TRICK_WON
    if hand & REYES != REYES and hand & SOTAS != SOTAS:
        return TUTE_NOT_HELD
    return LEGAL


@kernel
def announcements(s: np.record, seat: int, hand: int) -> int:
    """Returns the moves by which `seat` may announce something now: cantes and tute (G19-G22)."""
    moves = 0
    for suit in range(4):
        if why_illegal_cante(s, seat, hand, suit) == LEGAL:
            moves |= 1 << (SING + suit)
    if why_illegal_tute(s, seat, hand) == LEGAL:
        moves |= 1 << TUTE
    return moves


@inline_kernel
def is_lead_window(s: np.record, seat: int) -> bool:
    """Tells whether `seat` is about to lead a trick that is not the first of the deal (G21)."""
    return s.trick_size == 0 and s.tricks > 0 and s.turn == seat


@kernel
def legal_moves(s: np.record, seat: int, hand: int) -> int:
    """Returns the legal moves of `seat`, holding `hand`, under the decision that `s` asks for.

    Any seat may be asked in the windows of swapping and declaring; one with nothing to decide gets
    PASS alone. A card is played by the seat in turn alone: the caller checks that.

    Args:
        s: STATE or VIEW; public fields only are read.
        seat: The seat.
        hand: Set of its cards.
    """
    if s.decision == DECIDE_SWAP:
        return 1 << PASS | (1 << SWAP if why_illegal_swap(s, seat, hand) == LEGAL else 0)
    if s.decision == DECIDE_DECLARE:
        return 1 << PASS | announcements(s, seat, hand)
    if s.decision == DECIDE_NOTHING:
        return 0
    moves = legal_cards(s, hand)
    if why_illegal_swap(s, seat, hand) == LEGAL:
        moves |= 1 << SWAP
    if is_lead_window(s, seat):
        moves |= announcements(s, seat, hand)
    return moves


@kernel
def why_illegal(s: np.record, seat: int, hand: int, move: int) -> int:
    """Says why `seat`, holding `hand`, may not make `move` now, or LEGAL.

    Args:
        s: STATE or VIEW; public fields only are read.
        seat: The seat.
        hand: Set of its cards.
        move: Code of the move, 0 to MOVES - 1.
    """
    if s.decision == DECIDE_NOTHING:
        return DEAL_OVER
    is_play = s.decision == DECIDE_PLAY
    if is_play and s.turn != seat:
        return NOT_ASKED
    if move < SING:
        return why_illegal_card(s, hand, move) if is_play else NOT_ASKED
    if move == PASS:
        return NOTHING_TO_PASS if is_play else LEGAL
    if move == SWAP:
        return NOT_ASKED if s.decision == DECIDE_DECLARE else why_illegal_swap(s, seat, hand)
    if s.decision == DECIDE_SWAP or (is_play and not is_lead_window(s, seat)):
        return NOT_ASKED
    return why_illegal_tute(s, seat, hand) if move == TUTE else why_illegal_cante(s, seat, hand, move - SING)


# --- the steps ----------------------------------------------------------------------------------


@inline_kernel
def put_card(s: np.record, card: int, players: int) -> None:
    """Plays `card` for the seat in turn onto the table; the trick is not yet taken.

    This and the next steps are given `s.players` as an argument, so that loops made for one table size
    (`playout`) compile to code for it.
    """
    p = s.turn
    bit = 1 << card
    s.hand[p] ^= bit
    s.known[p] &= ~bit
    s.played |= bit
    s.trick_points += POINTS[card]
    if s.trick_size == 0:
        s.lead = card
        s.best = card
        s.best_seat = p
    else:
        # selects, not branches: nothing predicts who wins
        wins = BEAT[s.trump * 40 + s.best] >> card & 1
        s.best = card if wins else s.best
        s.best_seat = p if wins else s.best_seat
    s.trick_size += 1
    s.turn = (p + 1) & (players - 1)


@inline_kernel
def has_reached(s: np.record, side: int) -> bool:
    """Tells whether `side` has just won the point of vueltas (G25)."""
    return s.vueltas != 0 and s.points[side] >= POINT


@inline_kernel
def take_trick(s: np.record) -> None:
    """Gives the complete trick to its winner (G6, G9, G23); ends the deal if that ends it."""
    winner = s.best_seat
    side = winner & 1
    s.points[side] += s.trick_points
    s.card_points[side] += s.trick_points
    s.tricks_won[side] += 1
    s.tricks += 1
    s.trick_size = 0
    s.trick_points = 0
    s.turn = winner
    s.latest_winner = winner
    s.may_sing = 5 << side if s.players == 4 else 1 << side
    if s.tricks * s.players == 40:
        s.points[side] += LAST_TEN
        s.decision = DECIDE_NOTHING
    elif has_reached(s, side):
        s.decision = DECIDE_NOTHING


@inline_kernel
def swap(s: np.record, seat: int) -> None:
    """Exchanges the swap card of `seat` for the muestra (G16, G18)."""
    gained = 1 << s.muestra
    s.hand[seat] ^= 1 << s.swap_card | gained
    s.known[seat] |= gained
    s.known[seat] &= ~(1 << s.swap_card)
    s.muestra = s.swap_card
    s.stock[0] = s.swap_card
    s.swap_card = -1


@inline_kernel
def draw(s: np.record, players: int) -> None:
    """Lets every seat draw a card, the winner of the trick first (G8)."""
    n = players
    top = s.stock_size
    for i in range(n):
        top -= 1
        s.hand[(s.turn + i) & (n - 1)] |= 1 << s.stock[top]
    s.stock_size = top
    if top == 0:
        s.known[(s.turn + n - 1) & (n - 1)] |= 1 << s.muestra
        s.muestra = -1


@inline_kernel
def sing(s: np.record, seat: int, suit: int) -> None:
    """Announces rey and sota of `suit` for `seat` (G19, G20); in vueltas this may win the point."""
    sota = 1 << (suit * 10 + SOTA)
    s.sung |= sota
    s.known[seat] |= sota * 3
    s.points[seat & 1] += 40 if suit == s.trump else 20
    if s.rules & CANTE_PER_MEMBER:
        s.may_sing &= ~(1 << seat)
    else:
        s.may_sing = 0
    if has_reached(s, seat & 1):
        s.decision = DECIDE_NOTHING


@inline_kernel
def announce_tute(s: np.record, seat: int) -> None:
    """Announces a tute for `seat`: its side wins the point at once (G22)."""
    s.tute_side = seat & 1
    s.decision = DECIDE_NOTHING


@kernel
def point_winner(s: np.record) -> int:
    """Returns the side that has won the point once the deal is over, or -1 for vueltas (G22-G25)."""
    if s.tute_side >= 0:
        return s.tute_side
    last = s.latest_winner & 1
    if s.vueltas:
        return 0 if s.points[0] >= POINT else 1
    if s.malas == MALAS_CARDS_ONLY_LOSES:
        for side in range(2):
            if s.points[side] >= POINT and s.card_points[side] < MINIMUM_MALAS:
                return 1 - side
    qualified = 0
    for side in range(2):
        cards = s.card_points[side] + (LAST_TEN if side == last else 0)
        if s.points[side] >= POINT and (s.malas != MALAS_THIRTY or cards >= MINIMUM_MALAS):
            qualified |= 1 << side
    if qualified == 3:
        return last
    return qualified - 1


# --- stopping at every decision ------------------------------------------------------------------


@kernel
def open_declare(s: np.record, first: int) -> None:
    """Asks the next seat that may announce something, from `first` on, else the leader for its card."""
    partner = (s.turn + 2) & (s.players - 1)
    s.decision = DECIDE_DECLARE
    if first == s.turn and announcements(s, first, s.hand[first]):
        s.asked = first
    elif not s.asked_again and partner != s.turn and announcements(s, partner, s.hand[partner]):
        s.asked = partner
    else:
        s.decision = DECIDE_PLAY
        s.asked = s.turn
        s.asked_again = 0


@inline_kernel
def draw_and_declare(s: np.record) -> None:
    """Goes on from window (a), or from a trick of the arrastre, to the window of announcing."""
    if s.stock_size > 0:
        draw(s, s.players)
    open_declare(s, s.turn)


@inline_kernel
def between_tricks(s: np.record) -> None:
    """Opens the first window after a trick: swap (a), else draw and declare."""
    if s.stock_size > 0:
        for q in range(s.players):
            if why_illegal_swap(s, q, s.hand[q]) == LEGAL:
                s.decision = DECIDE_SWAP
                s.asked = q
                return
    draw_and_declare(s)


@kernel
def apply(s: np.record, move: int) -> None:
    """Makes a legal move of the seat that is asked, and asks for the next decision.

    Args:
        s: STATE, changed in place.
        move: A legal move; the caller has checked it.
    """
    seat = s.asked
    if move < SING:
        s.void[seat] |= shown_void(s, move)
        put_card(s, move, s.players)
        if s.trick_size < s.players:
            s.asked = s.turn
            return
        take_trick(s)
        if s.decision != DECIDE_NOTHING:
            between_tricks(s)
    elif move == SWAP:
        before = announcements(s, seat, s.hand[seat])
        swap(s, seat)
        if s.decision == DECIDE_SWAP:
            draw_and_declare(s)
        elif is_lead_window(s, seat) and announcements(s, seat, s.hand[seat]) & ~before:
            s.decision = DECIDE_DECLARE
            s.asked_again = 1
    elif move == TUTE:
        announce_tute(s, seat)
    elif move == PASS:
        if s.decision == DECIDE_SWAP:
            draw_and_declare(s)
        elif seat == s.turn:
            open_declare(s, -1)
        else:
            s.decision = DECIDE_PLAY
            s.asked = s.turn
    else:
        sing(s, seat, move - SING)
        if s.decision == DECIDE_DECLARE:
            open_declare(s, seat)
