"""Cards and moves of Gilé as text, and as messages."""

import contextlib

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from tapete.v1 import Card, ErrorReason, Game, GameMove, GileCall, GileDiscard, GileMove, GuinoteMove, Suit
from tapete_games.cards import Card as PrintedCard
from tapete_games.cards import CardError, parse_cards
from tapete_games.cards import Suit as PrintedSuit
from tapete_games.errors import ViewError
from tapete_games.gile import (
    MAX_STACK,
    MoveError,
    amount_of,
    card_code,
    card_of,
    card_set,
    format_cards,
    format_move,
    kind_of,
    parse_move,
    read_move,
    write_move,
)
from tapete_games.gile.moves import is_between, sorted_hand
from tapete_games.gile.state import (
    BET,
    CALL,
    CHECK,
    DISCARD,
    FOLD,
    PACK,
    PLACE_TO_RANK,
    POINTS,
    RAISE,
    SUIT_SIZE,
)
from tapete_games.wire import read_game_move, write_game_move

UNKNOWN = b"\xa2\x06\x01x"  # field 100, which nobody has defined
CARD_SETS = st.sets(st.integers(0, 27), max_size=4).map(card_set)
MOVES = st.one_of(
    st.sampled_from([FOLD, CHECK, CALL]),
    st.builds(int.__or__, st.sampled_from([BET, RAISE]), st.integers(1, MAX_STACK)),
    CARD_SETS.map(DISCARD.__or__),
)


def test_l1_a_code_is_suit_times_seven_plus_place() -> None:
    for code in range(28):
        suit, place = divmod(code, 7)
        assert card_of(code) == PrintedCard(PLACE_TO_RANK[place], PrintedSuit(suit))
        assert card_code(card_of(code)) == code


def test_l1_points_of_the_places() -> None:
    ranks = {PLACE_TO_RANK[place]: int(POINTS[1 << place]) for place in range(SUIT_SIZE)}
    assert ranks == {1: 11, 12: 10, 11: 10, 10: 10, 7: 7, 3: 10, 2: 10}


@pytest.mark.parametrize("rank", [4, 5, 6])
def test_l1_there_is_no_4_5_or_6(rank: int) -> None:
    with pytest.raises(CardError, match=f"{rank}O is not a card of the 28-card pack: expected 1, 2, 3, 7"):
        card_code(PrintedCard(rank, PrintedSuit.OROS))


@given(MOVES)
def test_moves_round_trip_as_text_and_as_messages(move: int) -> None:
    assert parse_move(format_move(move)) == move
    assert read_move(write_move(move)) == move
    assert read_game_move(write_game_move(Game.GAME_GILE, move), Game.GAME_GILE) == move
    assert kind_of(move) | amount_of(move) == move


@pytest.mark.parametrize(
    ("text", "kind", "amount"),
    [
        ("fold", FOLD, 0),
        ("check", CHECK, 0),
        ("call", CALL, 0),
        ("bet 1", BET, 1),
        ("raise 100000000", RAISE, 100_000_000),
        ("discard -", DISCARD, 0),
        ("discard 7O", DISCARD, 1),
        ("discard 2O 7O", DISCARD, 3),
    ],
)
def test_moves_as_text(text: str, kind: int, amount: int) -> None:
    assert parse_move(text) == kind | amount


@pytest.mark.parametrize("text", ["bet 1000000000", "bet ٣", "Fold", "fold ", "raise  5", "discard -  ", "7"])
def test_texts_that_come_near_a_move(text: str) -> None:
    with pytest.raises(MoveError, match="is not a move"):
        parse_move(text)


@pytest.mark.parametrize("text", ["discard 1O 12O 11O 10O 7O", "discard 7O 7O"])
def test_l9_no_more_than_four_cards_and_each_once(text: str) -> None:
    with pytest.raises(MoveError, match=r"none \(-\) to four cards"):
        parse_move(text)


def test_hands_are_written_suit_by_suit_the_as_first() -> None:
    cards = card_set(card_code(card) for card in parse_cards("2B 7O 1O 3C 12C 10O 11O"))
    assert format_cards(cards) == "1O 11O 10O 7O 12C 3C 2B"
    assert [str(card_of(code)) for code in sorted_hand(cards)] == format_cards(cards).split()
    assert format_cards(0) == "-"


@given(st.integers(0, PACK))
def test_a_hand_that_is_written_is_whole(cards: int) -> None:
    assert card_set(sorted_hand(cards)) == cards


def test_amounts_between_the_listed_ones() -> None:
    listed = [FOLD, CALL, RAISE | 10, RAISE | 20]
    assert [amount for amount in range(8, 23) if is_between(RAISE | amount, listed)] == list(range(10, 21))
    assert not is_between(BET | 15, listed)
    assert not is_between(CALL, listed)
    assert not is_between(RAISE | 10, [FOLD, CALL])


@pytest.mark.parametrize(
    ("move", "path", "reason"),
    [
        (GameMove(), "move", "MISSING_FIELD"),
        (GameMove.FromString(UNKNOWN), "move", "UNKNOWN_FIELD"),
        (GameMove(guinote=GuinoteMove()), "move.guinote", "OUT_OF_RANGE"),
        (GameMove(gile=GileMove()), "move.gile", "MISSING_FIELD"),
        (GameMove(gile=GileMove.FromString(UNKNOWN)), "move.gile", "UNKNOWN_FIELD"),
        (GameMove(gile=GileMove(call=GileCall.FromString(UNKNOWN))), "move.gile.call", "UNKNOWN_FIELD"),
        (GameMove(gile=GileMove(bet=0)), "move.gile.bet", "OUT_OF_RANGE"),
        (GameMove(gile=GileMove(bet=MAX_STACK + 1)), "move.gile.bet", "OUT_OF_RANGE"),
        (GameMove(gile=GileMove(raise_to=0)), "move.gile.raise_to", "OUT_OF_RANGE"),
        (GameMove(gile=GileMove(raise_to=2**32 - 1)), "move.gile.raise_to", "OUT_OF_RANGE"),
        (
            GameMove(gile=GileMove(discard=GileDiscard.FromString(UNKNOWN))),
            "move.gile.discard",
            "UNKNOWN_FIELD",
        ),
        (
            GameMove(gile=GileMove(discard=GileDiscard(cards=[Card()]))),
            "move.gile.discard.cards[0].suit",
            "MISSING_FIELD",
        ),
        (
            GameMove(gile=GileMove(discard=GileDiscard(cards=[Card(suit=Suit.SUIT_OROS, rank=5)]))),
            "move.gile.discard.cards[0].rank",
            "OUT_OF_RANGE",
        ),
        (
            GameMove(gile=GileMove(discard=GileDiscard(cards=[Card(suit=Suit.SUIT_OROS, rank=7)] * 2))),
            "move.gile.discard.cards[1]",
            "DUPLICATE_CARD",
        ),
        (
            GameMove(gile=GileMove(discard=GileDiscard(cards=[Card()] * 5))),
            "move.gile.discard.cards",
            "TOO_MANY",
        ),
    ],
)
def test_messages_that_are_no_moves(move: GameMove, path: str, reason: str) -> None:
    with pytest.raises(ViewError) as caught:
        read_game_move(move, Game.GAME_GILE)
    (violation,) = caught.value.violations
    assert (violation.path, ErrorReason.Name(violation.reason)) == (path, f"ERROR_REASON_{reason}")
    assert caught.value.total == 1


@given(st.binary(max_size=40))
def test_any_bytes_are_a_move_or_refused(data: bytes) -> None:
    try:
        move = GileMove.FromString(data)
    except DecodeError:
        return
    with contextlib.suppress(ViewError):
        code = read_move(move)
        assert parse_move(format_move(code)) == code
