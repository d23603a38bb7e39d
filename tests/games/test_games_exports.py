"""The public surface of tapete_games: a name that comes or goes shows here."""

import tapete_games
from tapete_games import gile, guinote


def test_exported_members() -> None:
    assert sorted(tapete_games.__all__) == [
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
    assert sorted(guinote.__all__) == [
        "Cante",
        "Deal",
        "History",
        "Malas",
        "Match",
        "MoveError",
        "RULES_EDITION",
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
    assert sorted(gile.__all__) == [
        "Action",
        "Deal",
        "Draw",
        "History",
        "Limit",
        "MAX_STACK",
        "MoveError",
        "Pot",
        "RULES_EDITION",
        "Record",
        "RecordedDeal",
        "Rules",
        "STARTING_STACK",
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


def test_exported_members_exist() -> None:
    for module in (tapete_games, gile, guinote):
        assert all(hasattr(module, name) for name in module.__all__)
