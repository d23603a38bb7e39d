"""Gilé: the referee of a deal and of a sitting, views, moves and the text record.

`state` holds codes and records, `engine` the rules as kernels over them; everything here stands on these two.
"""

from tapete_games.edition import RULES_EDITION
from tapete_games.gile.check import read_view
from tapete_games.gile.deal import Deal, Pot, shuffled_pack
from tapete_games.gile.history import Action, Draw, History
from tapete_games.gile.moves import (
    MoveError,
    amount_of,
    card_code,
    card_of,
    card_set,
    format_cards,
    format_move,
    kind_of,
    parse_move,
)
from tapete_games.gile.record import Record, RecordedDeal, read_record, record_of, replay, write_record
from tapete_games.gile.rules import MAX_STACK, STARTING_STACK, Limit, Rules
from tapete_games.gile.sitting import Sitting
from tapete_games.gile.view import read_move, write_move

__all__ = [
    "MAX_STACK",
    "RULES_EDITION",
    "STARTING_STACK",
    "Action",
    "Deal",
    "Draw",
    "History",
    "Limit",
    "MoveError",
    "Pot",
    "Record",
    "RecordedDeal",
    "Rules",
    "Sitting",
    "amount_of",
    "card_code",
    "card_of",
    "card_set",
    "format_cards",
    "format_move",
    "kind_of",
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
