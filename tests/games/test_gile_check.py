"""Views of Gilé: what a referee writes is read back, what is spoilt is refused."""

import random

import numpy as np
import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from tapete.v1 import ErrorReason, Game, GileView
from tapete_games.bits import members
from tapete_games.errors import ViewError
from tapete_games.gile import card_set, read_move, read_view, write_move
from tapete_games.gile.state import VIEW, make_view, new_view
from tapete_games.gile.view import WIRE_CARDS
from tests.games.gile_comparison import choose
from tests.games.gile_view_corruptions import CORRUPTIONS, Corruption, reason_of
from tests.games.gile_views import changed_view, deals, views

# A card of a hand, by suit and rank, as the engine's code.
CODES = {(card.suit, card.rank): code for code, card in enumerate(WIRE_CARDS)}


@pytest.mark.kernel
def test_a_view_read_back_is_what_the_seat_knows() -> None:
    """Field by field what the engine makes of the true state, and the same legal moves."""
    renewed = 0
    for seed, deal in enumerate(deals(60)):
        rng = random.Random(seed)
        mood = rng.choice(["quiet", "quiet", "even", "wild"])
        while not deal.is_over:
            position = read_view(deal.view())
            truth = new_view()
            make_view(deal.state, deal.asked, truth)
            assert VIEW.names
            for name in VIEW.names:
                assert np.array_equal(np.asarray(position.view[name]), np.asarray(truth[name])), name
            assert list(position.legal_moves) == deal.legal_moves()
            assert (position.game, position.seat, position.rules) == (Game.GAME_GILE, deal.asked, deal.rules)
            for move in position.legal_moves:
                assert read_move(write_move(move)) == move
            renewed += int(truth.renewals > 0)
            deal.play(choose(deal, rng, mood))
    assert renewed > 10


def test_a_view_shows_the_seats_own_cards_alone() -> None:
    """L9, L10: the cards of a view are its hand, its discards and what it set aside."""
    for seed, deal in enumerate(deals(150)):
        rng = random.Random(seed)
        own: dict[int, int] = {}
        while not deal.is_over:
            seat = deal.asked
            own[seat] = own.get(seat, 0) | deal.hand(seat)
            view = deal.view()
            cards = [*view.hand, *view.discarded, *(card for aside in view.set_aside for card in aside.cards)]
            shown = card_set(CODES[card.suit, card.rank] for card in cards)
            # Every other seat sees its own cards only; this one has had all of these.
            had = own[seat] | sum(
                1 << card for aside in deal.history.set_aside for card in members(aside[seat])
            )
            assert shown & ~had == 0
            deal.play(choose(deal, rng, "even"))
            own[seat] |= deal.hand(seat)


def test_the_order_of_cards_says_nothing() -> None:
    for view in views(40):
        other = GileView()
        other.CopyFrom(view)
        for cards in (other.hand, other.discarded, *(aside.cards for aside in other.set_aside)):
            reversed_cards = list(cards)[::-1]
            del cards[:]
            cards.extend(reversed_cards)
        assert read_view(other).view.tobytes() == read_view(view).view.tobytes()


@pytest.mark.parametrize("corruption", CORRUPTIONS, ids=lambda c: c.name)
def test_a_spoilt_view_is_refused_with_path_and_reason(corruption: Corruption) -> None:
    view = corruption.view()
    read_view(view)
    corruption.spoil(view)
    with pytest.raises(ViewError) as caught:
        read_view(view)
    path = f"view.gile.{corruption.path}" if corruption.path else "view.gile"
    faults = [(violation.path, violation.reason) for violation in caught.value.violations]
    assert (path, reason_of(corruption.reason)) in faults
    assert len(faults) == caught.value.total
    assert all(len(violation.message) > 15 for violation in caught.value.violations)


def test_there_are_many_corruptions() -> None:
    assert len({corruption.name for corruption in CORRUPTIONS}) == len(CORRUPTIONS) >= 80


def test_all_faults_are_told_at_once() -> None:
    view = CORRUPTIONS[0].view()
    view.hand[0].rank = 5
    view.actions[0].ClearField("seat")
    view.rules.ante = 2**31
    view.decision = 7  # type: ignore[assignment]
    with pytest.raises(ViewError) as caught:
        read_view(view)
    assert {violation.path.removeprefix("view.gile.") for violation in caught.value.violations} == {
        "rules.ante",
        "hand[0].rank",
        "actions[0].seat",
        "decision",
    }


def test_another_limit_that_would_allow_it_is_named() -> None:
    view = next(c for c in CORRUPTIONS if c.name == "a bet above the pot limit")
    spoilt = view.view()
    view.spoil(spoilt)
    with pytest.raises(ViewError, match="with GILE_LIMIT_NONE it would be legal"):
        read_view(spoilt)


# --- whatever comes -----------------------------------------------------------------------------

NUMBERS = st.one_of(st.integers(0, 5), st.integers(0, 120), st.integers(0, 2**32 - 1))


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=120))
def test_any_bytes_that_are_a_view_are_read_or_refused(data: bytes) -> None:
    view = GileView()
    try:
        view.ParseFromString(data)
    except DecodeError:
        return
    _read_or_refuse(view)


@settings(max_examples=600, deadline=None)
@given(st.integers(0, 400), st.lists(st.tuples(st.integers(0, 2**16), NUMBERS), min_size=1, max_size=4))
def test_changed_views_are_read_or_refused(number: int, changes: list[tuple[int, int]]) -> None:
    """A number somewhere in a true view is set to another, or an entry of a list is taken out or doubled."""
    _read_or_refuse(changed_view(number, changes))


def _read_or_refuse(view: GileView) -> None:
    try:
        position = read_view(view)
    except ViewError as error:
        violations = error.violations
    else:
        assert position.legal_moves
        return
    assert violations
    assert all(violation.path.startswith("view.gile") for violation in violations)
    assert ErrorReason.ERROR_REASON_UNSPECIFIED not in {violation.reason for violation in violations}
