"""Views and moves of Guiñote in the notation of cards, for programs that would rather not spell messages.

>>> format_card(card("12E"))
'12E'
>>> view = guinote_view(players=2, seat=1, dealer=0, muestra="4O", hand="1O 3C 7E 2B 10O 12O")
>>> view.guinote.hand[0]
suit: SUIT_OROS
rank: 1
<BLANKLINE>
"""

from collections.abc import Iterable

from tapete.v1 import (
    Card,
    GameMove,
    GameView,
    GuinoteCante,
    GuinoteDecision,
    GuinoteRules,
    GuinoteScore,
    GuinoteSwap,
    GuinoteTrick,
    GuinoteView,
    Suit,
)
from tapete_client._checks import check_number, check_pair, check_text

__all__ = ["card", "cards", "format_card", "format_move", "guinote_view", "suit"]

_SUITS = {"O": Suit.SUIT_OROS, "C": Suit.SUIT_COPAS, "E": Suit.SUIT_ESPADAS, "B": Suit.SUIT_BASTOS}
_LETTERS = {suit: letter for letter, suit in _SUITS.items()}
_RANKS = ("1", "2", "3", "4", "5", "6", "7", "10", "11", "12")


def suit(letter: str) -> Suit.ValueType:
    """Returns the suit of a letter: O, C, E or B.

    Raises:
        TypeError: It is no text.
        ValueError: It is another letter.
    """
    check_text("suit", letter, "O, C, E or B")
    if letter not in _SUITS:
        raise ValueError(f"{letter!r} is not a suit: expected O, C, E or B")
    return _SUITS[letter]


def card(text: str) -> Card:
    """Returns the card that is written as its printed index and the letter of its suit, as `12E`.

    Raises:
        TypeError: It is no text.
        ValueError: The text is not a card of the 40-card pack.
    """
    check_text("card", text, "a card in notation, as '12E'")
    if text[:-1] not in _RANKS or text[-1:] not in _SUITS:
        raise ValueError(
            f"{text!r} is not a card: expected a printed index (1-7, 10, 11, 12) and a suit (O, C, E, B)"
        )
    return Card(rank=int(text[:-1]), suit=_SUITS[text[-1]])


def cards(text: str) -> list[Card]:
    """Returns the cards of a text that separates them by blanks, as `1O 12E 7C`.

    Raises:
        TypeError: It is no text.
        ValueError: One of them is not a card.
    """
    return _cards("cards", text)


def _cards(name: str, text: str) -> list[Card]:
    check_text(name, text, "a text of cards, as '1O 12E 7C'")
    return [card(word) for word in text.split()]


def format_card(card: Card) -> str:
    """Returns a card in notation, as `12E`; a suit that does not exist is written `?`."""
    return f"{card.rank}{_LETTERS.get(card.suit, '?')}"


def format_move(move: GameMove) -> str:
    """Returns a move in notation: `12E`, `sing O`, `swap`, `tute` or `pass`.

    Raises:
        ValueError: The move is none that this client knows.
    """
    kind = move.guinote.WhichOneof("move")
    match kind:
        case "play":
            return format_card(move.guinote.play)
        case "sing":
            return f"sing {_LETTERS.get(move.guinote.sing, '?')}"
        case "swap" | "tute":
            return str(kind)
        case "no_action":
            return "pass"
    raise ValueError(f"a move of a kind that this client does not know: {move}")


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
            hand=_cards("hand", hand),
            tricks=[_trick(f"tricks[{i}]", trick) for i, trick in _items("tricks", tricks)],
            cantes=[_cante(f"cantes[{i}]", cante) for i, cante in _items("cantes", cantes)],
            swap=swap,
            vueltas=None if vueltas is None else _score("vueltas", vueltas),
            coto=_score("coto", coto),
            decision=decision,
        )
    )


def _items(name: str, values: object) -> Iterable[tuple[int, object]]:
    if not isinstance(values, Iterable) or isinstance(values, str):
        raise TypeError(f"{name} is a {type(values).__name__}: expected a list of tuples")
    return enumerate(values)


def _trick(name: str, trick: object) -> GuinoteTrick:
    leader, played = check_pair(name, trick, 2, "a leader and cards, as (0, '1O 12E')")
    return GuinoteTrick(leader=check_number(name, leader), cards=_cards(name, played))


def _cante(name: str, cante: object) -> GuinoteCante:
    seat, letter, after = check_pair(name, cante, 3, "a seat, a suit and a number of tricks, as (0, 'B', 1)")
    return GuinoteCante(
        seat=check_number(name, seat), suit=suit(letter), after_tricks=check_number(name, after)
    )


def _score(name: str, score: object) -> GuinoteScore:
    even, odd = check_pair(name, score, 2, "the points of both sides, as (0, 0)")
    return GuinoteScore(even_side=check_number(name, even), odd_side=check_number(name, odd))
