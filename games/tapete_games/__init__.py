"""Rules of the Spanish card games: kernels, referees, views and records.

The wire's types go in and positions come out here (`read_position`); each game has its own package.
"""

from tapete_games.cards import Card, CardError, Suit, parse_card, parse_cards
from tapete_games.errors import GameError, IllegalMoveError, RecordError, ViewError, Violation
from tapete_games.position import Position
from tapete_games.wire import read_game_move, read_position, write_game_move

__all__ = [
    "Card",
    "CardError",
    "GameError",
    "IllegalMoveError",
    "Position",
    "RecordError",
    "Suit",
    "ViewError",
    "Violation",
    "parse_card",
    "parse_cards",
    "read_game_move",
    "read_position",
    "write_game_move",
]
