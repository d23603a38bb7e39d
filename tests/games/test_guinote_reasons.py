"""Why a move is illegal, in words."""

import re

import pytest

from tapete.v1 import ErrorReason
from tapete_games.errors import IllegalMoveError
from tapete_games.guinote import Rules, engine, parse_move, state
from tapete_games.guinote.reasons import explain, reason_of, switches_allowing
from tests.games.guinote_positions import card_set, deal_of, play, trick_of

CODES = {
    name: value
    for name, value in vars(engine).items()
    if name.startswith(("MUST_", "NOT_", "SWAP_", "CANTE_", "TUTE_", "NOTHING_", "DEAL_OVER"))
    and name not in ("CANTE_PER_MEMBER", "SWAP_AFTER_LATEST_TRICK_ONLY")
}


def test_the_codes_are_numbered_from_1() -> None:
    assert sorted(CODES.values()) == list(range(1, state.DEAL_OVER + 1))


@pytest.mark.parametrize("code", CODES.values(), ids=CODES.keys())
def test_each_code_has_a_reason_and_a_clause_with_its_rule(code: int) -> None:
    assert reason_of(code) != ErrorReason.ERROR_REASON_UNSPECIFIED
    assert re.search(r"\(.*G\d+.*\)", explain(code))


@pytest.mark.parametrize(
    ("table", "hand", "card", "rules", "hint"),
    [
        ("12C 4C", "7C 3C", "7C", Rules(), ["with partner_relief"]),
        ("12C 4C", "7C 3C", "7C", Rules(partner_relief=True), None),
        ("4C 12C", "7C 3C", "7C", Rules(), []),
    ],
)
def test_g14_hint(table: str, hand: str, card: str, rules: Rules, hint: list[str] | None) -> None:
    s = trick_of(table, rules=rules)
    s.decision = state.DECIDE_PLAY
    move, held = parse_move(card), card_set(hand)
    if hint is None:
        assert engine.why_illegal(s, s.turn, held, move) == state.LEGAL
    else:
        before = s.tobytes()
        assert switches_allowing(s, s.turn, held, move, has_sung=False) == hint
        assert s.tobytes() == before


SINGERS = ["12C 10C 3B 2C 2E 12E", "4B 4C 4E 5C 5E 5B", "7O 11B 6B 12B 10B 6C", "7B 7C 7E 6E 11C 10E"]


def refusal(rules: Rules, moves: list[str], move: str) -> str:
    deal = deal_of(SINGERS, "1O", rules=rules)
    play(deal, *moves)
    with pytest.raises(IllegalMoveError) as caught:
        play(deal, move)
    return str(caught.value)


def test_g20_hint_for_the_member_that_has_not_sung() -> None:
    deal = deal_of(SINGERS, "1O")
    play(deal, "3B 4B 6B 7B", "pass", "pass", "sing B")  # seat 2 passes its swap, seat 0 its cante
    assert (deal.asked, deal.decision) == (0, state.DECIDE_PLAY)
    with pytest.raises(IllegalMoveError, match="; with cante_per_member it would be legal"):
        play(deal, "sing C")


def test_g20_no_hint_for_the_one_that_has() -> None:
    text = refusal(Rules(), ["3B 4B 6B 7B", "pass", "sing C"], "sing C")
    assert "it would be legal" not in text


def test_g22_hint() -> None:
    deal = deal_of(["12O 12C 12E 12B 3B 2B", "4B 4C 4E 5E 6E 7E"], "1O", rules=Rules(no_tute=True))
    play(deal, "3B 4B")
    with pytest.raises(IllegalMoveError, match="; without no_tute it would be legal"):
        play(deal, "tute")


def test_g16_hint() -> None:
    rules = Rules(swap_after_latest_trick_only=True)
    deal = deal_of(["7O 3C 2C 4C 5C 6C", "1C 2E 4E 5E 6E 7E"], "1O", rules=rules)
    play(deal, "3C 2E pass 2C 1C 4E")
    with pytest.raises(IllegalMoveError, match="; without swap_after_latest_trick_only it would be legal"):
        play(deal, "swap")


def test_the_message_holds_the_position() -> None:
    text = refusal(Rules(), ["3B"], "sing C")
    assert text.startswith("seat 1: sing C is illegal: it is not the moment: cards are played in turn (G6),")
    assert text.endswith(". Asked to play; hand 5C 4C 5E 4E 5B 4B; on the table 3B; trumps O")
