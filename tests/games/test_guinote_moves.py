"""Cards and moves of Guiñote as text, and as messages."""

import contextlib

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from tapete.v1 import Card, ErrorReason, Game, GameMove, GuinoteMove, GuinoteTute, Suit
from tapete_games.cards import Card as PrintedCard
from tapete_games.cards import CardError
from tapete_games.cards import Suit as PrintedSuit
from tapete_games.errors import ViewError
from tapete_games.guinote import (
    MoveError,
    card_code,
    card_of,
    format_cards,
    format_move,
    move_list,
    parse_move,
    read_move,
    write_move,
)
from tapete_games.guinote.state import MOVES, PASS, SING, STRENGTH_TO_RANK, SWAP, TUTE
from tapete_games.wire import read_game_move, write_game_move

UNKNOWN = b"\xa2\x06\x01x"  # field 100, which nobody has defined


def test_a_code_is_suit_times_ten_plus_strength() -> None:
    for code in range(40):
        suit, strength = divmod(code, 10)
        assert card_of(code) == PrintedCard(STRENGTH_TO_RANK[strength], PrintedSuit(suit))
        assert card_code(card_of(code)) == code


def test_there_is_no_8() -> None:
    with pytest.raises(CardError, match="8O is not a card"):
        card_code(PrintedCard(8, PrintedSuit.OROS))


def test_moves_as_text() -> None:
    assert [format_move(code) for code in (0, 39, SING, SING + 3, SWAP, TUTE, PASS)] == [
        "2O",
        "1B",
        "sing O",
        "sing B",
        "swap",
        "tute",
        "pass",
    ]
    assert [parse_move(format_move(code)) for code in range(MOVES)] == list(range(MOVES))


@pytest.mark.parametrize("text", ["", "8O", "1X", "sing", "sing X", "Swap", "1O ", "sing  O"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(MoveError, match="is not a move: expected a card"):
        parse_move(text)


@given(st.integers(0, (1 << MOVES) - 1))
def test_move_list_is_ascending_and_whole(moves: int) -> None:
    members = move_list(moves)
    assert members == sorted(set(members))
    assert sum(1 << move for move in members) == moves


def test_hands_are_written_suit_by_suit_the_strongest_first() -> None:
    cards = sum(1 << parse_move(card) for card in ["10C", "1C", "11C", "2B", "3O"])
    assert format_cards(cards) == "3O 1C 10C 11C 2B"
    assert format_cards(0) == "-"


def test_messages_of_moves_round_trip() -> None:
    for code in range(MOVES):
        assert read_move(write_move(code)) == code
        assert read_game_move(write_game_move(Game.GAME_GUINOTE, code), Game.GAME_GUINOTE) == code


@pytest.mark.parametrize(
    ("move", "path", "reason"),
    [
        (GameMove(), "move", "MISSING_FIELD"),
        (GameMove(guinote=GuinoteMove()), "move.guinote", "MISSING_FIELD"),
        (GameMove(guinote=GuinoteMove(play=Card())), "move.guinote.play.suit", "MISSING_FIELD"),
        (GameMove(guinote=GuinoteMove(play=Card(rank=1))), "move.guinote.play.suit", "MISSING_FIELD"),
        (
            GameMove(guinote=GuinoteMove(play=Card(suit=Suit.SUIT_OROS, rank=8))),
            "move.guinote.play.rank",
            "OUT_OF_RANGE",
        ),
        (
            GameMove(guinote=GuinoteMove(play=Card(suit=Suit.ValueType(5), rank=1))),
            "move.guinote.play.suit",
            "OUT_OF_RANGE",
        ),
        (GameMove(guinote=GuinoteMove(sing=Suit.SUIT_UNSPECIFIED)), "move.guinote.sing", "MISSING_FIELD"),
        (GameMove(guinote=GuinoteMove(sing=Suit.ValueType(-1))), "move.guinote.sing", "OUT_OF_RANGE"),
        (GameMove.FromString(UNKNOWN), "move", "UNKNOWN_FIELD"),
        (GameMove(guinote=GuinoteMove.FromString(UNKNOWN)), "move.guinote", "UNKNOWN_FIELD"),
        (
            GameMove(guinote=GuinoteMove(play=Card.FromString(UNKNOWN))),
            "move.guinote.play",
            "UNKNOWN_FIELD",
        ),
        (
            GameMove(guinote=GuinoteMove(tute=GuinoteTute.FromString(UNKNOWN))),
            "move.guinote.tute",
            "UNKNOWN_FIELD",
        ),
    ],
)
def test_messages_that_are_no_moves(move: GameMove, path: str, reason: str) -> None:
    with pytest.raises(ViewError) as caught:
        read_game_move(move, Game.GAME_GUINOTE)
    (violation,) = caught.value.violations
    assert (violation.path, ErrorReason.Name(violation.reason)) == (path, f"ERROR_REASON_{reason}")
    assert caught.value.total == 1


@given(st.binary(max_size=40))
def test_any_bytes_are_a_move_or_refused(data: bytes) -> None:
    try:
        move = GameMove.FromString(data)
    except DecodeError:
        return
    with contextlib.suppress(ViewError):
        assert 0 <= read_game_move(move, Game.GAME_GUINOTE) < MOVES
