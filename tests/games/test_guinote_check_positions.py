"""Views of real deals are read into what the referee knows, in every window and for every seat."""

import random
from pathlib import Path

import numpy as np
import pytest
from google.protobuf import json_format

from tapete.v1 import Game, GuinoteDecision, GuinoteView
from tapete_games.errors import MAX_VIOLATIONS, ViewError
from tapete_games.guinote import Deal, Rules, format_move, parse_move
from tapete_games.guinote.check import read_view
from tapete_games.guinote.state import DECIDE_PLAY, PASS, VIEW, make_view, new_view
from tests.games.guinote_biased import scenario
from tests.games.view_corruptions import BEFORE_DRAW, UNKNOWN, exchange, late
from tests.games.view_corruptions_history import sing, swap
from tests.games.view_games import FOUR, LEADER_SWAPS, TWO

DECLARE = GuinoteDecision.GUINOTE_DECISION_DECLARE
PLAY = GuinoteDecision.GUINOTE_DECISION_PLAY


def moves_of(view: GuinoteView) -> set[str]:
    return {format_move(move) for move in read_view(view).legal_moves}


def check_against_the_referee(deal: Deal) -> None:
    """Reads the view of each seat that can be asked now and compares every field with the referee's."""
    for seat in [deal.asked] if deal.decision == DECIDE_PLAY else range(deal.players):
        position = read_view(deal.view(seat))
        hands = [deal.hand(q) if q < deal.players else 0 for q in range(4)]
        own: dict[str, int | list[int]] = {
            "seat": seat,
            "own": hands[seat],
            "size": [hand.bit_count() for hand in hands],
        }
        # Who is asked in a window depends on hidden cards: a view only knows whose it is.
        own["asked"] = seat
        for field in VIEW.names or ():
            expected = own[field] if field in own else deal.state[field]
            assert np.array_equal(position.view[field], expected), field
        assert (position.game, position.seat) == (Game.GAME_GUINOTE, seat)
        assert (position.rules, position.coto) == (deal.rules, deal.coto)
        if seat == deal.asked:
            assert list(position.legal_moves) == deal.legal_moves()
        else:
            # A partner who is not asked now may have something to announce all the same.
            is_partner = (seat ^ deal.asked) & 1 == 0 and not deal.state.asked_again
            assert position.legal_moves == (PASS,) or (is_partner and PASS in position.legal_moves)


def play_and_check(seed: int) -> None:
    play = scenario(seed)
    rng = random.Random(seed)
    while not play.deal.is_over:
        check_against_the_referee(play.deal)
        play.deal.play(play.choose(rng))


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_a_view_is_read_as_the_referee_sees_it(first: int) -> None:
    for seed in range(first, first + 20):
        play_and_check(seed)


def test_a_view_is_read_as_make_view_writes_it() -> None:
    play = scenario(8)
    rng = random.Random(8)
    while not play.deal.is_over:
        expected = new_view()
        make_view(play.deal.state, play.deal.asked, expected)
        assert read_view(play.deal.view()).view.tobytes() == expected.tobytes()
        play.deal.play(play.choose(rng))


@pytest.mark.kernel
def test_a_view_is_read_as_the_referee_sees_it_without_numba() -> None:
    play_and_check(7)


@pytest.mark.slow
def test_no_view_of_three_thousand_deals_is_refused() -> None:
    for seed in range(1_000, 4_000):
        play_and_check(seed)


# --- windows --------------------------------------------------------------------------------------


def test_g21_a_leader_asked_to_play_can_still_announce() -> None:
    view = FOUR.before("sing O")
    assert view.decision == DECLARE
    assert moves_of(view) == {"sing O", "pass"}
    view.decision = PLAY
    assert moves_of(view) == {"12O", "10O", "2O", "1E", "11B", "6B", "sing O"}


def test_g22_a_leader_asked_to_play_can_still_announce_a_tute() -> None:
    pack = [
        parse_move(card)
        for card in ["12O", "12C", "12E", "2C", "2O", "2E", "12B", "1O", "3O", "4C", "4E", "4B", "7C"]
    ]
    deal = Deal(Rules(), 2, 1, [*pack, *(card for card in range(40) if card not in pack)])
    for move in ("1O", "2O"):
        deal.play(parse_move(move))
    view = deal.view()
    assert moves_of(view) == {"tute", "pass"}
    view.decision = PLAY
    assert "tute" in moves_of(view)
    view.rules.no_tute = True
    assert "tute" not in moves_of(view)


@pytest.mark.parametrize("seat", range(4))
def test_g17_any_seat_can_be_asked_before_the_draw(seat: int) -> None:
    expected = {"swap", "pass"} if seat == 3 else {"pass"}
    assert moves_of(FOUR.before("swap", seat)) == expected


@pytest.mark.parametrize("seat", range(4))
def test_g17_any_seat_can_be_asked_before_the_draw_after_the_swap(seat: int) -> None:
    view = FOUR.before("swap", seat)
    exchange(view, "7C", "6C")
    swap(view, 3, 3, BEFORE_DRAW)
    assert moves_of(view) == {"pass"}


@pytest.mark.parametrize("seat", range(4))
def test_g21_any_seat_can_be_asked_to_announce(seat: int) -> None:
    announced = {0: {"sing O"}, 2: {"sing C"}}.get(seat, set())
    assert moves_of(FOUR.before("sing O", seat)) == {*announced, "pass"}


@pytest.mark.parametrize("seat", range(4))
def test_g21_after_the_leaders_swap_only_the_leader_may_announce(seat: int) -> None:
    expected = {"sing O", "pass"} if seat == 2 else {"pass"}
    assert moves_of(LEADER_SWAPS.before("sing O", seat)) == expected


def test_g21_the_partner_may_have_sung_before_the_leaders_swap() -> None:
    view = LEADER_SWAPS.before("1O")
    sing(view, 0, "E", 1, place=0)
    read_view(view)


def test_g16_a_swap_on_the_own_turn_is_offered_with_the_cards() -> None:
    view = LEADER_SWAPS.before("swap")
    assert view.decision == PLAY
    assert "swap" in moves_of(view)


# --- what may be left out -------------------------------------------------------------------------


def test_absent_rules_coto_and_vueltas_are_the_default() -> None:
    view = TWO.before("12C")
    assert not view.HasField("rules")
    position = read_view(view)
    assert (position.rules, position.coto, int(position.view.vueltas)) == (Rules(), (0, 0), 0)


def test_the_order_of_the_hand_is_free() -> None:
    view = TWO.before("12C")
    turned = GuinoteView()
    turned.CopyFrom(view)
    del turned.hand[:]
    turned.hand.extend(reversed(view.hand))
    assert read_view(turned).view.tobytes() == read_view(view).view.tobytes()


def test_reading_leaves_the_view_as_it_is() -> None:
    view = late()
    view.hand[0].MergeFromString(UNKNOWN)
    before = view.SerializeToString(deterministic=True)
    with pytest.raises(ViewError):
        read_view(view)
    assert view.SerializeToString(deterministic=True) == before


# --- many violations ------------------------------------------------------------------------------


def test_violations_past_the_limit_are_counted() -> None:
    view = late()
    for trick in view.tricks:
        for card in trick.cards:
            card.rank = 9
    with pytest.raises(ViewError) as caught:
        read_view(view)
    assert caught.value.total == 26
    assert len(caught.value.violations) == MAX_VIOLATIONS
    assert "the first of 26 violations" in str(caught.value)


def test_the_path_of_the_view_is_the_callers() -> None:
    view = late()
    view.ClearField("seat")
    with pytest.raises(ViewError) as caught:
        read_view(view, "request.position")
    assert caught.value.violations[0].path == "request.position.seat"


def test_an_empty_view_lists_what_is_required() -> None:
    with pytest.raises(ViewError) as caught:
        read_view(GuinoteView())
    paths = [violation.path.removeprefix("view.guinote.") for violation in caught.value.violations]
    assert paths == ["players", "seat", "dealer", "muestra", "decision"]


def test_the_example_of_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "guinote.md").read_text(encoding="utf-8")
    example = page.split("```json\n")[1].split("```")[0]
    view = json_format.Parse(example, GuinoteView())
    assert moves_of(view) == {"1O", "10O", "7O", "10C", "11C", "11B", "swap"}
