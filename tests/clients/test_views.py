"""Cards, moves and views made from notation."""

import pytest

from tapete.v1 import (
    Card,
    GameMove,
    GuinoteDecision,
    GuinoteMove,
    GuinotePass,
    GuinoteSwapMuestra,
    GuinoteTute,
    Suit,
)
from tapete_client import card, cards, format_card, format_move, guinote_view, suit


def test_every_card_of_the_pack_is_read_and_written() -> None:
    pack = [f"{rank}{letter}" for letter in "OCEB" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)]
    assert [format_card(read) for read in cards(" ".join(pack))] == pack
    assert card("12E") == Card(rank=12, suit=Suit.SUIT_ESPADAS)


def test_what_is_no_text_is_refused() -> None:
    for call in (card, cards, suit):
        with pytest.raises(TypeError, match="is 5: expected"):
            call(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "E", "12", "8O", "9C", "13B", "01O", "12e", "12X", "E12", "1 O"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        card(text)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"hand": ["1O"]}, TypeError, "hand is ..1O..: expected"),
        ({"muestra": 4}, TypeError, "muestra is 4: expected"),
        ({"players": "2"}, TypeError, "players is '2': expected"),
        ({"seat": -1}, ValueError, "seat is -1: out of range"),
        ({"tricks": ["1O 2O"]}, TypeError, r"tricks\[0\] is '1O 2O': expected"),
        ({"tricks": [(0, "1O"), (1, 7)]}, TypeError, r"tricks\[1\] is 7: expected"),
        ({"tricks": 3}, TypeError, "tricks is a int"),
        ({"cantes": [(0, "O")]}, TypeError, r"cantes\[0\] is .*: expected"),
        ({"vueltas": 80}, TypeError, "vueltas is 80: expected"),
        ({"coto": (1, -2)}, ValueError, "coto is -2: out of range"),
        ({"rules": {}}, TypeError, "rules is a dict: expected a GuinoteRules"),
        ({"swap": True}, TypeError, "swap is a bool: expected a GuinoteSwap"),
        ({"decision": None}, TypeError, "decision is None: expected"),
        ({"decision": 2**31}, ValueError, "expected a value of GuinoteDecision"),
    ],
)
def test_arguments_of_a_view_are_named(
    options: dict[str, object], error: type[Exception], message: str
) -> None:
    arguments = {"players": 2, "seat": 1, "dealer": 0, "muestra": "4O", "hand": "1O 3C", **options}
    with pytest.raises(error, match=message):
        guinote_view(**arguments)  # type: ignore[arg-type]


def test_suits_are_letters() -> None:
    assert suit("B") is Suit.SUIT_BASTOS
    with pytest.raises(ValueError, match="is not a suit"):
        suit("")


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (GuinoteMove(play=card("7O")), "7O"),
        (GuinoteMove(sing=Suit.SUIT_COPAS), "sing C"),
        (GuinoteMove(swap=GuinoteSwapMuestra()), "swap"),
        (GuinoteMove(tute=GuinoteTute()), "tute"),
        (GuinoteMove(no_action=GuinotePass()), "pass"),
    ],
)
def test_moves_in_notation(move: GuinoteMove, text: str) -> None:
    assert format_move(GameMove(guinote=move)) == text


def test_a_move_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="does not know"):
        format_move(GameMove())


def test_a_view_from_plain_numbers_and_notation() -> None:
    view = guinote_view(
        players=2,
        seat=1,
        dealer=0,
        muestra="4O",
        hand="1O 3C",
        tricks=[(1, "2C 5C"), (0, "7B")],
        cantes=[(0, "B", 1)],
        vueltas=(80, 70),
        coto=(0, 2),
        decision=GuinoteDecision.GUINOTE_DECISION_DECLARE,
    ).guinote
    assert view.HasField("seat")
    assert view.tricks[1].leader == 0
    assert view.tricks[1].HasField("leader")
    assert [format_card(played) for played in view.tricks[0].cards] == ["2C", "5C"]
    assert (view.cantes[0].suit, view.cantes[0].after_tricks) == (Suit.SUIT_BASTOS, 1)
    assert (view.vueltas.even_side, view.vueltas.odd_side) == (80, 70)
    assert (view.coto.even_side, view.coto.odd_side) == (0, 2)
    assert not view.HasField("rules")
    assert not guinote_view(players=2, seat=0, dealer=1, muestra="4O", hand="").guinote.HasField("vueltas")
