"""Written-out deals of Guiñote, which tests of views start from."""

from dataclasses import dataclass

from tapete.v1 import Card, GuinoteView
from tapete_games.guinote import Deal, Rules, parse_move
from tapete_games.guinote.view import WIRE_CARDS

DEFAULT = Rules()


@dataclass(frozen=True)
class Game:
    """A deal and all its moves in notation."""

    players: int
    dealer: int
    pack: str
    moves: str
    rules: Rules = DEFAULT
    vueltas: tuple[int, int] | None = None

    def before(self, move: str, seat: int | None = None) -> GuinoteView:
        """Returns the view of the seat that is about to make `move`, or of another seat at that moment."""
        return self.deal_before(move).view(seat)

    def deal_before(self, move: str) -> Deal:
        """Plays the deal up to `move`, without it."""
        pack = [parse_move(card) for card in self.pack.split()]
        deal = Deal(self.rules, self.players, self.dealer, pack, vueltas=self.vueltas)
        for text in self.moves.split(", "):
            if text == move:
                return deal
            deal.play(parse_move(text))
        assert not move, f"{move} is not played"
        return deal


FOUR = Game(
    players=4,
    dealer=0,
    # Seats 1, 2, 3, 0 twice; the muestra; the stock.
    pack=(
        "3C 1O 10B  1B 5C 10C  2B 5B 1C  7B 12O 11E  10E 2E 12B  6O 7O 5E  4B 6E 7E  1E 12E 11B  "
        "6C  4C 5O 11O 2C 2O 3E 3B 7C 4O 10O 4E 12C 6B 3O 11C"
    ),
    moves=(
        "10E, 6O, 7E, 7B, sing B, 2E, 5E, 2B, 12E, 11E, 3E, 5C, 1C, swap, 4O, 2C, 10B, 7O, sing O, "
        "2O, 1O, 5O, 11O, 12B, 3B, 4B, 11B, sing C, 12C, 6C, 6B, 3C, 3O, 10C, 6E, 12O, 1B, 5B, 1E, 4C, "
        "4E, 11C, 7C, 10O"
    ),
)
"""Trumps are copas. Seat 3 swaps in window (a) after 3 tricks, and draws its 7C again in the last draw."""

TWO = Game(
    players=2,
    dealer=0,
    # Seats 1, 0 twice; the muestra; the stock.
    pack=(
        "3C 11E 1E  1O 3E 12E  4O 10B 7C  10E 2C 3B  "
        "6O  1C 4E 7E 11C 2O 5O 4B 3O 5C 4C 6E 10C 12B 12C 11B 7B 5B 2B 2E 12O 11O 10O 6C 5E 7O 6B 1B"
    ),
    moves=(
        "1E, 2C, 11E, 3E, pass, sing E, 1O, 4O, 7E, 10B, 4E, 7C, 2O, 1C, 4B, 3C, 6E, 11C, 11B, 7B, 5B, 5O, "
        "sing C, 2B, 12E, 3O, 10E, 10C, 3B, swap, 12C, 6B, 2E, 5E, pass, sing O, 10O, 11O, 12B, 1B, 6O, 12O, "
        "7O, 4C, 5C, 6C"
    ),
)
"""Trumps are oros. Seat 1 swaps on its own turn after 13 tricks, as the leader."""

LEADER_SWAPS = Game(
    players=4,
    dealer=3,
    # Seats 0, 1, 2, 3 twice; the muestra; the stock.
    pack=(
        "2E 6E 7C  12B 6B 5B  4O 10C 11B  12C 3B 3E  10E 3C 12E  2C 6O 11O  7O 10O 1O  5O 5E 4B  "
        "12O  11C 5C 2B 7B 6C 4E 11E 3O 2O 4C 7E 1C 10B 1B 1E"
    ),
    moves="3C, 2C, 4O, 4B, pass, pass, swap, sing O, 1O, 5O, 7C, 6O",
    rules=Rules(cante_per_member=True),
)
"""Trumps are oros. After the first trick seat 2, its winner, swaps on its own turn: the rey makes a pair
with its sota. Its partner, seat 0, had 12E 10E and passed. The deal is not written to its end."""


def card(text: str) -> Card:
    """Returns the message of a card in notation."""
    return WIRE_CARDS[parse_move(text)]
