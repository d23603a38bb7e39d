"""Corruptions of what happened: cards, duties, cantes, swaps; importing this module adds them to `CASES`."""

from tapete.v1 import GuinoteDecision, GuinoteSwapWindow, GuinoteTrick, GuinoteView
from tests.games.view_corruptions import (
    BEFORE_DRAW,
    DECLARE,
    OWN_TURN,
    SWAP,
    Change,
    case,
    early,
    exchange,
    late,
    put,
    two,
)
from tests.games.view_corruptions_fields import carry
from tests.games.view_games import FOUR, LEADER_SWAPS, TWO, card

# --- cards, tricks, hand --------------------------------------------------------------------------

case(
    "card twice in the hand",
    two(),
    lambda v: put(v, "hand[1]", "12O"),
    ("hand[1]", "DUPLICATE_CARD", "hand[0] already"),
)
case(
    "card played and in the hand",
    late(),
    lambda v: put(v, "hand[2]", "6C"),
    ("hand[2]", "DUPLICATE_CARD", "tricks[6].cards[1]"),
)
case(
    "card played twice",
    late(),
    lambda v: put(v, "5.3", "5C"),
    ("tricks[5].cards[3]", "DUPLICATE_CARD", "tricks[2].cards[2] already: there is one of each card (G1)"),
)
case(
    "muestra in the hand",
    early(),
    lambda v: put(v, "hand[4]", "6C"),
    ("hand[4]", "DUPLICATE_CARD", "lies under the stock (G4"),
)
case("muestra played", early(), lambda v: put(v, "2.2", "6C"), ("tricks[2].cards[2]", "DUPLICATE_CARD", "G4"))
case("short trick", late(), lambda v: v.tricks[2].cards.pop(), ("tricks[2]", "WRONG_TRICK_SIZE", "G6"))
case(
    "long trick",
    late(),
    lambda v: v.tricks[4].cards.append(card("4E")),
    ("tricks[4]", "WRONG_TRICK_SIZE", "5 cards"),
)
case(
    "empty trick",
    early(),
    lambda v: v.tricks.append(GuinoteTrick(leader=3)),
    ("tricks[3]", "WRONG_TRICK_SIZE", "no card"),
)
case(
    "card missing from the hand",
    late(),
    lambda v: v.hand.pop(),
    ("hand", "WRONG_HAND_SIZE", "leaves 4 (G3, G8)"),
)
case(
    "card too many in arrastre",
    late(),
    lambda v: v.hand.append(card("4E")),
    ("hand", "WRONG_HAND_SIZE", "leaves 4"),
)
case(
    "drawn before the swap",
    early(),
    lambda v: v.hand.append(card("4E")),
    ("hand", "WRONG_HAND_SIZE", "leaves 5"),
)
case(
    "not drawn before the cante",
    FOUR.before("sing O"),
    lambda v: v.hand.pop(),
    ("hand", "WRONG_HAND_SIZE", "leaves 6"),
)
case(
    "another dealer",
    early(),
    lambda v: setattr(v, "dealer", 1),
    ("tricks[0].leader", "WRONG_LEADER", "seat 2 is the mano (G3)"),
)
case(
    "another leader",
    early(),
    lambda v: setattr(v.tricks[2], "leader", 1),
    ("tricks[2].leader", "WRONG_LEADER", "G9"),
)

# --- duties in arrastre ---------------------------------------------------------------------------


def swapped(one: str, two: str) -> Change:
    return lambda view: exchange(view, one, two)


case(
    "does not follow",
    FOUR.before("10O"),
    swapped("4O", "4B"),
    (
        "tricks[5].cards[2]",
        "ILLEGAL_CARD",
        "4O on 12B 3B: in arrastre a player follows suit if able (G10); it held 5B",
    ),
)
case(
    "does not follow, with a card still in the hand",
    FOUR.before("6B"),
    swapped("11B", "10O"),
    ("tricks[5].cards[3]", "ILLEGAL_CARD", "(G10); it held 11B 6B"),
)
case(
    "does not beat",
    FOUR.before("10O"),
    swapped("5B", "1B"),
    ("tricks[5].cards[2]", "ILLEGAL_CARD", "beats the cards on the table if able (G10); it held 1B"),
)
case(
    "does not beat the partner",
    FOUR.before("10O"),
    swapped("6B", "1B"),
    ("tricks[5].cards[3]", "ILLEGAL_CARD", "(G10); it held 1B; it would be legal with partner_relief"),
)
case(
    "does not trump",
    FOUR.before("10O"),
    swapped("5O", "5E"),
    ("tricks[4].cards[2]", "ILLEGAL_CARD", "must trump if able (G12); it held 12C 10C 11C"),
)
case(
    "does not trump with a trump announced",
    FOUR.before("12O"),
    lambda v: put(v, "7.1", "1B"),
    (
        "tricks[7].cards[1]",
        "ILLEGAL_CARD",
        "1B on 3O: in arrastre a player who cannot follow suit must trump if able (G12); it held 10C",
    ),
    ("tricks[7].cards[2]", "ILLEGAL_CARD", "(G12); it held 7C; it would be legal with partner_relief"),
)
case(
    "does not overtrump",
    FOUR.before("12O"),
    swapped("4C", "10C"),
    (
        "tricks[7].cards[2]",
        "ILLEGAL_CARD",
        "must play a higher trump than the one on the table (G12); it held 7C",
    ),
)

# --- cards that everybody knows to be elsewhere ---------------------------------------------------

case(
    "card of a cante played by another seat",
    FOUR.before("10O"),
    swapped("4O", "10B"),
    ("tricks[3].cards[0]", "CARD_NOT_HELD", "seat 1 held 10B then, for all to see"),
)
case(
    "card of a cante played before it",
    FOUR.before("10O"),
    swapped("4O", "12O"),
    ("cantes[1]", "CARD_NOT_HELD", "12O had been played before (G16, G19)"),
)
case(
    "card of a cante in the hand of another seat",
    FOUR.before("2C"),
    lambda v: put(v, "hand[0]", "10B"),
    ("hand[0]", "CARD_NOT_HELD", "seat 1 held 10B then"),
)
case(
    "card of an own cante neither played nor in the hand",
    FOUR.before("6B"),
    swapped("10O", "3O"),
    ("hand", "CARD_NOT_HELD", "must have 10O"),
)
case(
    "muestra taken by another seat",
    FOUR.before("2C"),
    lambda v: put(v, "hand[5]", "6C"),
    ("hand[5]", "CARD_NOT_HELD", "seat 3 held 6C"),
)
case(
    "card left under the stock by the swap",
    FOUR.before("2C"),
    lambda v: put(v, "hand[5]", "7C"),
    ("hand[5]", "DUPLICATE_CARD", "G18"),
)
case(
    "card of the last draw in another hand",
    FOUR.before("6B"),
    lambda v: put(v, "hand[0]", "7C"),
    ("hand[0]", "CARD_NOT_HELD", "seat 3 held 7C"),
    ...,
)
case(
    "swapped, but without the muestra",
    FOUR.before("4O"),
    swapped("6C", "1E"),
    ("hand", "CARD_NOT_HELD", "must have 6C"),
)
case(
    "card of the last draw played before it",
    FOUR.before("10O"),
    swapped("2C", "7C"),
    ("tricks[3].cards[1]", "DUPLICATE_CARD", "7C lay under the stock then (G4, G18)"),
)
case(
    "a card more than the known ones leave room for",
    FOUR.before("4E"),
    swapped("6C", "11C"),
    ("tricks[8].cards[1]", "CARD_NOT_HELD", "its hand was full with 7C 6C (G3)"),
)
case(
    "swaps a card that was played",
    FOUR.before("2C"),
    lambda v: put(v, "2.2", "7C"),
    ("swap", "CARD_NOT_HELD", "7C had been played before (G16, G19)"),
)

# --- cantes ---------------------------------------------------------------------------------------


def sing(view: GuinoteView, seat: int, suit: str, after_tricks: int, place: int | None = None) -> None:
    cantes = [*view.cantes]
    new = type(cantes[0] if cantes else LEADER_SWAPS.before("1O").cantes[0])
    cante = new(seat=seat, suit=card(f"1{suit}").suit, after_tricks=after_tricks)
    cantes.insert(len(cantes) if place is None else place, cante)
    del view.cantes[:]
    view.cantes.extend(cantes)


case(
    "sings after the other side's trick",
    late(),
    lambda v: setattr(v.cantes[2], "seat", 1),
    ("cantes[2]", "ILLEGAL_CANTE", "only the side that won the latest trick"),
)
case(
    "sings a suit twice",
    late(),
    lambda v: setattr(v.cantes[2], "suit", card("1O").suit),
    ("cantes[2]", "ILLEGAL_CANTE", "once a deal, and this one has been (G19)"),
)
case(
    "sings twice for one trick",
    FOUR.before("2O"),
    lambda v: sing(v, 2, "C", 4),
    ("cantes[2]", "ILLEGAL_CANTE", "allows no further cante (G20); it would be legal with cante_per_member"),
)
case(
    "sings twice itself for one trick",
    FOUR.before("2O"),
    lambda v: sing(v, 0, "E", 4),
    ("cantes[2]", "ILLEGAL_CANTE", "allows no further cante (G20)"),
)
case(
    "sings with the muestra under the stock",
    LEADER_SWAPS.before("swap"),
    lambda v: sing(v, 2, "O", 1),
    ("cantes[0]", "DUPLICATE_CARD", "12O lay under the stock then (G4, G18)"),
)
case(
    "partner sings after the leader has swapped",
    LEADER_SWAPS.before("1O"),
    lambda v: sing(v, 0, "E", 1),
    ("cantes[1]", "ILLEGAL_CANTE", "once the leader, seat 2, has swapped on its turn (G21)"),
)
case(
    "latest cante first",
    late(),
    lambda v: sing(v, 3, "E", 3),
    ("cantes[3].after_tricks", "ILLEGAL_CANTE", "oldest first"),
)
case(
    "sings in the future",
    late(),
    lambda v: setattr(v.cantes[2], "after_tricks", 7),
    ("cantes[2].after_tricks", "ILLEGAL_CANTE", "only 6 are complete (G21)"),
)

# --- the swap -------------------------------------------------------------------------------------


def swap(view: GuinoteView, seat: int, after_tricks: int, window: "GuinoteSwapWindow.ValueType") -> None:
    view.swap.seat, view.swap.after_tricks, view.swap.window = seat, after_tricks, window


case(
    "swaps without a trick",
    FOUR.before("2C"),
    lambda v: swap(v, 2, 1, BEFORE_DRAW),
    ("swap", "ILLEGAL_SWAP", "a side must have won a trick in this deal before it swaps (G16)"),
)


def swap_two_tricks_late(view: GuinoteView) -> None:
    view.rules.swap_after_latest_trick_only = True
    swap(view, 3, 2, BEFORE_DRAW)


case(
    "swaps after the other side's trick",
    late(),
    swap_two_tricks_late,
    ("swap", "ILLEGAL_SWAP", "(G16); it would be legal without swap_after_latest_trick_only"),
)
case(
    "swaps when the stock has gone",
    late(),
    lambda v: swap(v, 3, 4, OWN_TURN),
    ("swap", "ILLEGAL_SWAP", "no longer lies under the stock (G16)"),
)
case(
    "swaps before its turn when the stock has gone",
    FOUR.before("1O"),
    lambda v: swap(v, 3, 4, OWN_TURN),
    ("swap", "ILLEGAL_SWAP", "no longer lies under the stock (G16)"),
)
case(
    "swaps before its turn",
    FOUR.before("2C"),
    lambda v: swap(v, 1, 3, OWN_TURN),
    ("swap", "ILLEGAL_SWAP", "it was not its turn, but that of seat 0 (G17)"),
)
case(
    "swaps in the future",
    FOUR.before("2C"),
    lambda v: swap(v, 3, 4, BEFORE_DRAW),
    ("swap.after_tricks", "ILLEGAL_SWAP", "only 3 are complete (G17)"),
)

# --- the moment -----------------------------------------------------------------------------------


def ask(decision: "GuinoteDecision.ValueType") -> Change:
    return lambda view: setattr(view, "decision", decision)


case(
    "not in turn",
    FOUR.before("2C"),
    lambda v: setattr(v, "seat", 2),
    ("seat", "NOT_YOUR_TURN", "the turn of seat 0, not of seat 2 (G6, G9)"),
)
case(
    "asked to swap before the first trick",
    FOUR.before("10E"),
    ask(SWAP),
    ("decision", "WINDOW_CLOSED", "no trick is complete"),
)
case(
    "asked to swap with a trick on the table",
    FOUR.before("5E"),
    ask(SWAP),
    ("decision", "WINDOW_CLOSED", "on the table; the window is before the draw that follows a trick (G17)"),
)
case(
    "asked to swap in arrastre",
    FOUR.before("12B"),
    ask(SWAP),
    ("decision", "WINDOW_CLOSED", "no draw follows in arrastre"),
)
case(
    "asked to swap after a cante",
    FOUR.before("2E"),
    ask(SWAP),
    ("decision", "WINDOW_CLOSED", "shows that the draw has been made"),
)
case(
    "asked to swap after the leader's swap",
    TWO.before("12C"),
    ask(SWAP),
    ("decision", "WINDOW_CLOSED", "shows that the draw has been made"),
)
case(
    "asked to announce before the first trick",
    FOUR.before("10E"),
    ask(DECLARE),
    ("decision", "WINDOW_CLOSED", "no trick is complete"),
)
case(
    "asked to announce with a trick on the table",
    TWO.before("11O"),
    ask(DECLARE),
    ("decision", "WINDOW_CLOSED", "before the lead that follows a trick (G21)"),
)
case(
    "vueltas won by a trick, and then swapped",
    FOUR.before("2C"),
    lambda v: carry(v, 65, 65),
    ("swap", "DEAL_OVER", "111 points after 3 tricks"),
)
case(
    "vueltas won by a cante, and played on",
    FOUR.before("5E"),
    lambda v: carry(v, 50, 80),
    ("tricks[1]", "DEAL_OVER", "G25"),
)
case(
    "vueltas won by a cante, and asked",
    FOUR.before("2E"),
    lambda v: carry(v, 50, 80),
    ("decision", "DEAL_OVER", "103 points after 1 tricks"),
)
case(
    "vueltas won by a trick, and sung",
    FOUR.before("2O"),
    lambda v: carry(v, 95, 35),
    ("cantes[1]", "DEAL_OVER", "G25"),
)


def play_the_last_card(view: GuinoteView) -> None:
    view.tricks[-1].cards.append(view.hand.pop())


case(
    "all cards played",
    FOUR.before("10O"),
    play_the_last_card,
    ("decision", "DEAL_OVER", "all 10 tricks are complete"),
)

# --- hidden hands ---------------------------------------------------------------------------------

case(
    "four players, nobody left for a card",
    FOUR.before("4E"),
    swapped("10O", "6B"),
    (
        "",
        "NO_CONSISTENT_DEAL",
        "of 11C 6B seat 0 must hold 1, but after what was played in arrastre can hold only - (G10",
    ),
)
case(
    "two players, a suit that the other has not",
    TWO.before("1B"),
    swapped("7O", "5E"),
    ("", "NO_CONSISTENT_DEAL", "seat 0 must hold 2, but after what was played in arrastre can hold only 5C"),
)

# --- several at once ------------------------------------------------------------------------------


def spoil(view: GuinoteView) -> None:
    view.rules.points_per_coto = 30
    carry(view, 120, 10)
    view.tricks[4].leader = 2
    exchange(view, "11B", "10O")
    view.cantes[2].suit = card("1O").suit
    view.seat = 0
    view.hand.pop()


case(
    "faults everywhere",
    late(),
    spoil,
    ("rules.points_per_coto", "OUT_OF_RANGE", "G26"),
    ("vueltas.even_side", "IMPOSSIBLE_SCORE", "G25"),
    ("tricks[4].leader", "WRONG_LEADER", "G9"),
    ...,
)
