"""Cards and moves of Gilé as text and as the engine's codes.

>>> format_move(parse_move("raise 12")), format_move(parse_move("discard 2C 7O"))
('raise 12', 'discard 7O 2C')
>>> format_move(parse_move("discard -")), format_cards(0)
('discard -', '-')
"""

import re
from collections.abc import Iterable

from tapete_games.bits import members
from tapete_games.cards import Card, CardError, Suit, parse_cards
from tapete_games.gile.state import (
    ARGUMENT,
    BET,
    CALL,
    CARDS,
    CHECK,
    DISCARD,
    FOLD,
    KIND,
    PLACE_TO_RANK,
    RAISE,
)

__all__ = [
    "MoveError",
    "amount_of",
    "card_code",
    "card_of",
    "card_set",
    "format_cards",
    "format_move",
    "is_between",
    "kind_of",
    "parse_move",
    "sorted_hand",
]

_CARDS = tuple(Card(rank, suit) for suit in Suit for rank in PLACE_TO_RANK)
_CODES = {card: code for code, card in enumerate(_CARDS)}
_WORDS = {FOLD: "fold", CHECK: "check", CALL: "call", BET: "bet", RAISE: "raise", DISCARD: "discard"}
_SIMPLE = {"fold": FOLD, "check": CHECK, "call": CALL}
_AMOUNT = re.compile(r"(bet|raise) ([1-9][0-9]{0,8})")
# Place of each card in a hand as people hold it: suit by suit, the as first, then as printed from above.
_ORDER = {1: 0, 12: 1, 11: 2, 10: 3, 7: 4, 3: 5, 2: 6}
_PLACE = tuple(card.suit * 7 + _ORDER[card.rank] for card in _CARDS)

assert len(_CARDS) == CARDS


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
        raise CardError(
            f"{card} is not a card of the 28-card pack: expected 1, 2, 3, 7, 10, 11 or 12"
        ) from None


def card_of(code: int) -> Card:
    """Returns the card of an engine's code, 0 to 27."""
    return _CARDS[code]


def card_set(cards: Iterable[int]) -> int:
    """Returns the set of some cards."""
    return sum(1 << card for card in set(cards))


def sorted_hand(cards: int) -> list[int]:
    """Lists a set of cards suit by suit, the as first."""
    return sorted(members(cards), key=_PLACE.__getitem__)


def format_cards(cards: int) -> str:
    """Writes a set of cards suit by suit, the as first; `-` for none."""
    return " ".join(str(_CARDS[code]) for code in sorted_hand(cards)) or "-"


def kind_of(move: int) -> int:
    """Returns the kind of a move: FOLD, CHECK, CALL, BET, RAISE or DISCARD."""
    return move >> KIND << KIND


def amount_of(move: int) -> int:
    """Returns the argument of a move: the total of a bet or raise, or the set of cards discarded."""
    return move & ARGUMENT


def is_between(move: int, moves: Iterable[int]) -> bool:
    """Tells whether a move is a bet or raise between two of that kind among `moves`."""
    kind = kind_of(move)
    totals = [other for other in moves if kind_of(other) == kind]
    return kind in (BET, RAISE) and bool(totals) and min(totals) <= move <= max(totals)


def format_move(move: int) -> str:
    """Writes a move: `fold`, `check`, `call`, `bet 5`, `raise 12` or `discard 7O 2C`."""
    kind = kind_of(move)
    word = _WORDS[kind]
    if kind in (BET, RAISE):
        return f"{word} {amount_of(move)}"
    return f"{word} {format_cards(amount_of(move))}" if kind == DISCARD else word


def parse_move(text: str) -> int:
    """Reads a move as `format_move` writes it, discards in any order.

    Raises:
        MoveError: The text is not a move.
    """
    if text in _SIMPLE:
        return _SIMPLE[text]
    if match := _AMOUNT.fullmatch(text):
        return (BET if match[1] == "bet" else RAISE) | int(match[2])
    word, _, rest = text.partition(" ")
    if word == "discard" and rest:
        try:
            cards = [] if rest == "-" else [card_code(card) for card in parse_cards(rest)]
        except CardError as error:
            raise MoveError(f"{text!r} is not a move: {error}") from None
        if len(set(cards)) == len(cards) <= 4:
            return DISCARD | card_set(cards)
    raise MoveError(
        f"{text!r} is not a move: expected fold, check, call, bet N, raise N, "
        "or discard and none (-) to four cards (discard 7O 2C)"
    )
