"""Why a move is illegal, in words: the table from the engine's codes to reasons and sentences.

>>> explain(state.MUST_OVERTRUMP)
'a player who cannot follow suit must play a higher trump than the one on the table (G12)'
"""

import numpy as np

from tapete.v1 import ErrorReason
from tapete_games.guinote import engine, state
from tapete_games.guinote.rules import SWITCHES

__all__ = ["explain", "reason_of", "switches_allowing"]

_CARD = ErrorReason.ERROR_REASON_ILLEGAL_CARD
_HELD = ErrorReason.ERROR_REASON_CARD_NOT_HELD
_SWAP = ErrorReason.ERROR_REASON_ILLEGAL_SWAP
_CANTE = ErrorReason.ERROR_REASON_ILLEGAL_CANTE

_TABLE: dict[int, tuple["ErrorReason.ValueType", str]] = {
    state.NOT_ASKED: (
        ErrorReason.ERROR_REASON_WINDOW_CLOSED,
        (
            "it is not the moment: cards are played in turn (G6), the swap comes before a draw or on the "
            "holder's own turn (G17), cantes and tute come between a draw and the lead (G21)"
        ),
    ),
    state.NOT_HELD: (_HELD, "the card is not in the hand of the seat (G27)"),
    state.MUST_FOLLOW: (_CARD, "in arrastre a player follows suit if able (G10)"),
    state.MUST_BEAT: (
        _CARD,
        "in arrastre a player who follows suit beats the cards on the table if able (G10)",
    ),
    state.MUST_TRUMP: (_CARD, "in arrastre a player who cannot follow suit must trump if able (G12)"),
    state.MUST_OVERTRUMP: (
        _CARD,
        "a player who cannot follow suit must play a higher trump than the one on the table (G12)",
    ),
    state.SWAP_NO_TRICK_WON: (_SWAP, "a side must have won a trick in this deal before it swaps (G16)"),
    state.SWAP_NOT_LATEST_TRICK: (
        _SWAP,
        "with swap_after_latest_trick_only a side must have won the latest trick to swap (G16)",
    ),
    state.SWAP_DONE: (_SWAP, "there is one swap a deal, and it has been made (G16)"),
    state.SWAP_MUESTRA_GONE: (_SWAP, "the muestra no longer lies under the stock (G16)"),
    state.CANTE_NO_TRICK_WON: (
        _CANTE,
        "only the side that won the latest trick may announce, and never before the first (G19, G21, G22)",
    ),
    state.CANTE_ALLOWANCE_USED: (_CANTE, "the trick won allows no further cante (G20)"),
    state.CANTE_ALREADY_SUNG: (_CANTE, "each suit is sung once a deal, and this one has been (G19)"),
    state.CANTE_NOT_HELD: (_HELD, "rey and sota of the suit must both be in the hand of the seat (G19)"),
    state.TUTE_ABOLISHED: (_CANTE, "with no_tute there is no tute (G22)"),
    state.TUTE_NOT_HELD: (_HELD, "a tute is four reyes or four sotas in one hand (G22)"),
    state.NOTHING_TO_PASS: (
        ErrorReason.ERROR_REASON_WINDOW_CLOSED,
        "only in the windows of swapping and announcing can a seat pass (G17, G21)",
    ),
    state.DEAL_OVER: (ErrorReason.ERROR_REASON_DEAL_OVER, "the deal is over (G22 to G25)"),
}


def reason_of(code: int) -> "ErrorReason.ValueType":
    """Returns the machine-readable reason of an engine's code other than LEGAL."""
    return _TABLE[code][0]


def explain(code: int) -> str:
    """Returns the clause that says why a move is illegal, with the number of the rule.

    Args:
        code: The engine's code, other than LEGAL.
    """
    return _TABLE[code][1]


def switches_allowing(s: np.record, seat: int, hand: int, move: int, *, has_sung: bool) -> list[str]:
    """Lists what would make an illegal move legal now, as `with partner_relief` or `without no_tute`.

    Each entry turns over one switch alone.

    Args:
        s: STATE or VIEW at the moment of the move; left as it is.
        seat: The seat that moves.
        hand: Set of its cards.
        move: The move.
        has_sung: Whether the seat itself has sung since the latest trick.
    """
    rules, may_sing = int(s.rules), int(s.may_sing)
    names = []
    try:
        for name, flag in SWITCHES.items():
            s.rules = rules ^ flag
            # What the side has already used up depends on the switch.
            if flag == state.CANTE_PER_MEMBER and not rules & flag and not has_sung:
                s.may_sing = may_sing | 1 << seat
            if engine.why_illegal(s, seat, hand, move) == state.LEGAL:
                names.append(f"{'without' if rules & flag else 'with'} {name}")
            s.may_sing = may_sing
    finally:
        s.rules, s.may_sing = rules, may_sing
    return names
