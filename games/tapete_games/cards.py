"""Cards of the Spanish pack at the border: suits, printed ranks, and their notation.

>>> parse_card("12E")
Card(rank=12, suit=<Suit.ESPADAS: 2>)
>>> str(Card(1, Suit.OROS))
'1O'
"""

from enum import IntEnum
from typing import NamedTuple

__all__ = ["PRINTED_RANKS", "Card", "CardError", "Suit", "parse_card", "parse_cards"]

PRINTED_RANKS = (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)
"""The printed indices of the 40-card pack: 10 is the sota, 11 the caballo, 12 the rey."""


class CardError(ValueError):
    """A text that is not a card."""


class Suit(IntEnum):
    """A suit, numbered as in the kernels."""

    OROS = 0
    COPAS = 1
    ESPADAS = 2
    BASTOS = 3

    @property
    def letter(self) -> str:
        """The letter of the notation: O, C, E or B."""
        return "OCEB"[self]


class Card(NamedTuple):
    """A card: printed rank and suit."""

    rank: int
    suit: Suit

    def __str__(self) -> str:
        return f"{self.rank}{self.suit.letter}"


def parse_card(text: str) -> Card:
    """Reads a card from its notation, as `12E`.

    Raises:
        CardError: The text is not a card of the 40-card pack.
    """
    rank, letter = text[:-1], text[-1:]
    if letter not in "OCEB" or rank not in {str(r) for r in PRINTED_RANKS} or not letter:
        raise CardError(
            f"{text!r} is not a card: expected a printed index (1-7, 10, 11, 12) and a suit (O, C, E, B)"
        )
    return Card(int(rank), Suit("OCEB".index(letter)))


def parse_cards(text: str) -> list[Card]:
    """Reads cards separated by blanks, as `1O 12E 7C`.

    Raises:
        CardError: One of them is not a card.
    """
    return [parse_card(word) for word in text.split()]
