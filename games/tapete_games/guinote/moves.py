"""Cards and moves of Guiñote as text and as the engine's codes.

>>> format_move(card_code(Card(7, Suit.OROS))), format_move(parse_move("sing O"))
('7O', 'sing O')
>>> format_cards(1 << parse_move("2C") | 1 << parse_move("12C") | 1 << parse_move("3O"))
'3O 12C 2C'
"""

from tapete_games.bits import members as move_list
from tapete_games.cards import Card, CardError, Suit
from tapete_games.guinote.state import MOVES, PASS, SING, STRENGTH_TO_RANK, SWAP, TUTE

__all__ = [
    "MoveError",
    "card_code",
    "card_of",
    "format_cards",
    "format_move",
    "move_list",
    "parse_move",
    "sorted_hand",
]

_CARDS = tuple(Card(rank, suit) for suit in Suit for rank in STRENGTH_TO_RANK)
_CODES = {card: code for code, card in enumerate(_CARDS)}
_NAMES = (
    *(str(card) for card in _CARDS),
    *(f"sing {suit.letter}" for suit in Suit),
    "swap",
    "tute",
    "pass",
)
_MOVES = {name: code for code, name in enumerate(_NAMES)}
# Place of each card in a hand as people hold it: suit by suit, the strongest first.
_PLACE = tuple(suit * 10 + 9 - strength for suit in range(4) for strength in range(10))

assert len(_NAMES) == MOVES
assert (_MOVES["sing O"], _MOVES["swap"], _MOVES["tute"], _MOVES["pass"]) == (SING, SWAP, TUTE, PASS)


class MoveError(ValueError):
    """A text that is not a move."""


def card_code(card: Card) -> int:
    """Returns the engine's code of a card.

    Raises:
        CardError: The pack has no such card.
    """
    try:
        return _CODES[card]
    except KeyError:
        raise CardError(f"{card} is not a card of the 40-card pack") from None


def card_of(code: int) -> Card:
    """Returns the card of an engine's code, 0 to 39."""
    return _CARDS[code]


def format_move(code: int) -> str:
    """Writes a move: `7O`, `sing O`, `swap`, `tute` or `pass`."""
    return _NAMES[code]


def parse_move(text: str) -> int:
    """Reads a move as `format_move` writes it.

    Raises:
        MoveError: The text is not a move.
    """
    code = _MOVES.get(text)
    if code is None:
        raise MoveError(f"{text!r} is not a move: expected a card (7O), sing O|C|E|B, swap, tute or pass")
    return code


def sorted_hand(cards: int) -> list[int]:
    """Lists a set of cards suit by suit, the strongest first."""
    return sorted(move_list(cards), key=_PLACE.__getitem__)


def format_cards(cards: int) -> str:
    """Writes a set of cards suit by suit, the strongest first; `-` for none."""
    return " ".join(_NAMES[code] for code in sorted_hand(cards)) or "-"
