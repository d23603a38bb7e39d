"""Views of Guiñote from numbers and cards in notation, for programs that would rather not spell messages.

>>> view = guinote_view(players=2, seat=1, dealer=0, muestra="4O", hand="1O 3C 7E 2B 10O 12O")
>>> view.guinote.hand[0]
suit: SUIT_OROS
rank: 1
<BLANKLINE>
"""

from collections.abc import Iterable

from tapete.v1 import (
    GameView,
    GuinoteCante,
    GuinoteDecision,
    GuinoteRules,
    GuinoteScore,
    GuinoteSwap,
    GuinoteTrick,
    GuinoteView,
)
from tapete_client._checks import check_number, check_pair, check_text
from tapete_client._notation import card, items, read_cards, suit

__all__ = ["guinote_view"]


def guinote_view(
    *,
    players: int,
    seat: int,
    dealer: int,
    muestra: str,
    hand: str,
    tricks: Iterable[tuple[int, str]] = (),
    decision: GuinoteDecision.ValueType = GuinoteDecision.GUINOTE_DECISION_PLAY,
    cantes: Iterable[tuple[int, str, int]] = (),
    swap: GuinoteSwap | None = None,
    vueltas: tuple[int, int] | None = None,
    coto: tuple[int, int] = (0, 0),
    rules: GuinoteRules | None = None,
) -> GameView:
    """Makes a view of Guiñote from plain numbers and cards in notation. It is not checked: the server does.

    Args:
        players: 2 or 4.
        seat: The seat that is asked.
        dealer: The seat that dealt; the next one led the first trick.
        muestra: The card first turned up, whatever was swapped for it later.
        hand: The cards now in the seat's hand.
        tricks: Leader and cards in the order played, of each trick so far; the last may be incomplete.
        decision: What the seat is asked.
        cantes: Seat, letter of the suit and number of tricks complete by then, of each cante so far.
        swap: The swap of this deal; None if nobody has swapped.
        vueltas: Points that the even and the odd side carry into a deal of vueltas; None in a first deal.
        coto: Points of the coto of the even and the odd side.
        rules: The switches in force; None means the default rules.

    Raises:
        TypeError: An argument is of a type that it cannot have.
        ValueError: A text is not a card or a suit, or a number is negative.
    """
    for name, message, kind in (("rules", rules, GuinoteRules), ("swap", swap, GuinoteSwap)):
        if message is not None and not isinstance(message, kind):
            raise TypeError(f"{name} is a {type(message).__name__}: expected a {kind.__name__} or None")
    if check_number("decision", decision) >= 2**31:
        raise ValueError(f"decision is {decision}: expected a value of GuinoteDecision")
    return GameView(
        guinote=GuinoteView(
            rules=rules,
            players=check_number("players", players),
            seat=check_number("seat", seat),
            dealer=check_number("dealer", dealer),
            muestra=card(check_text("muestra", muestra, "a card in notation, as '4O'")),
            hand=read_cards("hand", hand),
            tricks=[_trick(f"tricks[{i}]", trick) for i, trick in items("tricks", tricks)],
            cantes=[_cante(f"cantes[{i}]", cante) for i, cante in items("cantes", cantes)],
            swap=swap,
            vueltas=None if vueltas is None else _score("vueltas", vueltas),
            coto=_score("coto", coto),
            decision=decision,
        )
    )


def _trick(name: str, trick: object) -> GuinoteTrick:
    leader, played = check_pair(name, trick, 2, "a leader and cards, as (0, '1O 12E')")
    return GuinoteTrick(leader=check_number(name, leader), cards=read_cards(name, played))


def _cante(name: str, cante: object) -> GuinoteCante:
    seat, letter, after = check_pair(name, cante, 3, "a seat, a suit and a number of tricks, as (0, 'B', 1)")
    return GuinoteCante(
        seat=check_number(name, seat), suit=suit(letter), after_tricks=check_number(name, after)
    )


def _score(name: str, score: object) -> GuinoteScore:
    even, odd = check_pair(name, score, 2, "the points of both sides, as (0, 0)")
    return GuinoteScore(even_side=check_number(name, even), odd_side=check_number(name, odd))
