"""Why a move of Gilé is illegal, in words."""

import re

import pytest

from tapete.v1 import ErrorReason
from tapete_games.gile import parse_move, shuffled_pack, state
from tapete_games.gile.deal import Deal
from tapete_games.gile.reasons import explain, limits_allowing, reason_of
from tapete_games.gile.rules import Limit, Rules

CODES = {
    name: getattr(state, name)
    for name in (
        "NOT_ASKED_TO_BET",
        "NOT_ASKED_TO_DISCARD",
        "NOTHING_TO_FOLD_TO",
        "BET_TO_CALL",
        "NOTHING_TO_CALL",
        "ALREADY_BET",
        "NOTHING_TO_RAISE",
        "TOO_SMALL",
        "TOO_LARGE",
        "NOT_ENOUGH_CHIPS",
        "NOT_REOPENED",
        "NOBODY_TO_ANSWER",
        "RAISES_USED",
        "NOT_HELD",
        "DEAL_OVER",
    )
}


def after(*moves: str, rules: Rules | None = None) -> Deal:
    deal = Deal(rules or Rules(), (100, 100, 100), 2, shuffled_pack(1))
    for move in moves:
        deal.play(parse_move(move))
    return deal


def test_the_codes_are_numbered_from_1() -> None:
    assert list(CODES.values()) == list(range(1, state.DEAL_OVER + 1))


@pytest.mark.parametrize("code", CODES.values(), ids=CODES.keys())
def test_each_code_has_a_reason_and_a_clause_with_its_rule(code: int) -> None:
    assert reason_of(code) != ErrorReason.ERROR_REASON_UNSPECIFIED
    deal = after("bet 10")
    clause = explain(code, deal.state, deal.hand(1), parse_move("raise 15"))
    assert re.search(r"\((L\d+)(, L\d+)*\)$", clause)


def test_l6_a_seat_that_cannot_go_above_the_bet() -> None:
    deal = Deal(Rules(), (100, 40, 100), 2, shuffled_pack(1))
    deal.play(parse_move("bet 50"))
    clause = explain(state.NOT_ENOUGH_CHIPS, deal.state, deal.hand(1), parse_move("raise 20"))
    assert clause == "the seat cannot go above the 50 to call: it has 39 in this round at most (L6)"


@pytest.mark.parametrize("move", ["discard -", "fold", "call", "raise 10"])
def test_no_limit_allows_what_is_no_question_of_amounts(move: str) -> None:
    deal = after(rules=Rules(limit=Limit.FIXED))
    before = deal.state.tobytes()
    assert limits_allowing(deal.state, deal.hand(0), parse_move(move)) == []
    assert deal.state.tobytes() == before
