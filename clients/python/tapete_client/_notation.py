"""Cards and moves in notation.

>>> format_card(card("12E"))
'12E'
"""

from collections.abc import Iterable

from tapete.v1 import Card, GameMove, GileMove, Suit
from tapete_client._checks import check_text

__all__ = ["card", "cards", "format_card", "format_move", "items", "read_cards", "suit"]

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
    return read_cards("cards", text)


def read_cards(name: str, text: str) -> list[Card]:
    check_text(name, text, "a text of cards, as '1O 12E 7C'")
    return [card(word) for word in text.split()]


def format_card(card: Card) -> str:
    """Returns a card in notation, as `12E`; a suit that does not exist is written `?`."""
    return f"{card.rank}{_LETTERS.get(card.suit, '?')}"


def format_move(move: GameMove) -> str:
    """Returns a move in notation.

    Guiñote: `12E`, `sing O`, `swap`, `tute` or `pass`. Gilé: `fold`, `check`, `call`, `bet 5`, `raise 12`,
    `discard 7O 2C` or `discard -`.

    Raises:
        ValueError: The move is none that this client knows.
    """
    if move.HasField("gile"):
        return _format_gile_move(move.gile)
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


def _format_gile_move(move: GileMove) -> str:
    match move.WhichOneof("move"):
        case "fold" | "check" | "call" as kind:
            return str(kind)
        case "bet":
            return f"bet {move.bet}"
        case "raise_to":
            return f"raise {move.raise_to}"
        case "discard":
            return f"discard {' '.join(map(format_card, move.discard.cards)) or '-'}"
    raise ValueError(f"a move of a kind that this client does not know: {move}")


def items(name: str, values: object) -> Iterable[tuple[int, object]]:
    """Numbers the entries of a list of tuples."""
    if not isinstance(values, Iterable) or isinstance(values, str):
        raise TypeError(f"{name} is a {type(values).__name__}: expected a list of tuples")
    return enumerate(values)
