"""Guiñote: the referee of a deal and of a match, views, moves and the text record.

`state` holds codes and records, `engine` the rules as kernels over them; everything here stands on these two.
"""

from tapete_games.edition import RULES_EDITION
from tapete_games.guinote.check import read_view
from tapete_games.guinote.deal import Deal, shuffled_pack
from tapete_games.guinote.history import Cante, History, Swap, Trick
from tapete_games.guinote.match import Match
from tapete_games.guinote.moves import (
    MoveError,
    card_code,
    card_of,
    format_cards,
    format_move,
    move_list,
    parse_move,
)
from tapete_games.guinote.record import Record, RecordedDeal, read_record, record_of, replay, write_record
from tapete_games.guinote.rules import Malas, Rules
from tapete_games.guinote.view import read_move, write_move

__all__ = [
    "RULES_EDITION",
    "Cante",
    "Deal",
    "History",
    "Malas",
    "Match",
    "MoveError",
    "Record",
    "RecordedDeal",
    "Rules",
    "Swap",
    "Trick",
    "card_code",
    "card_of",
    "format_cards",
    "format_move",
    "move_list",
    "parse_move",
    "read_move",
    "read_record",
    "read_view",
    "record_of",
    "replay",
    "shuffled_pack",
    "write_move",
    "write_record",
]
