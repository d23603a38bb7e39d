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


@pytest.mark.parametrize("text", ["", "E", "12", "8O", "9C", "13B", "01O", "12e", "12X", "E12", "1 O"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        card(text)


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
