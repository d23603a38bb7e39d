"""What a corruption of a real view is, and the views that are corrupted."""

from collections.abc import Callable
from dataclasses import dataclass
from types import EllipsisType

from tapete.v1 import GuinoteDecision, GuinoteSwapWindow, GuinoteView
from tests.games.view_games import FOUR, TWO, card

SWAP = GuinoteDecision.GUINOTE_DECISION_SWAP
DECLARE = GuinoteDecision.GUINOTE_DECISION_DECLARE
PLAY = GuinoteDecision.GUINOTE_DECISION_PLAY
BEFORE_DRAW = GuinoteSwapWindow.GUINOTE_SWAP_WINDOW_BEFORE_DRAW
OWN_TURN = GuinoteSwapWindow.GUINOTE_SWAP_WINDOW_OWN_TURN
# Field 999, a number: nothing that any message of the wire has.
UNKNOWN = b"\xb8\x3e\x01"

Change = Callable[[GuinoteView], object]


@dataclass(frozen=True)
class Case:
    """A corruption and the whole of what is to be found wrong with it."""

    name: str
    view: GuinoteView
    change: Change
    expected: tuple[tuple[str, str, str], ...]
    """Path below the view, reason without its prefix, a part of the sentence (the rule, mostly)."""
    has_more: bool = False
    """Whether further violations follow from the same fault."""


CASES: list[Case] = []


def case(
    name: str, view: GuinoteView, change: Change, *expected: tuple[str, str, str] | EllipsisType
) -> None:
    """Adds a case; an ellipsis says that further violations follow from the same fault."""
    whole = tuple(violation for violation in expected if not isinstance(violation, EllipsisType))
    CASES.append(Case(name, view, change, whole, ... in expected))


def put(view: GuinoteView, place: str, text: str) -> None:
    """Puts a card at `hand[i]`, `muestra` or `trick.card`, as `3.1`."""
    if place == "muestra":
        view.muestra.CopyFrom(card(text))
    elif place.startswith("hand"):
        view.hand[int(place[5])].CopyFrom(card(text))
    else:
        trick, i = map(int, place.split("."))
        view.tricks[trick].cards[i].CopyFrom(card(text))


def exchange(view: GuinoteView, one: str, two: str) -> None:
    """Exchanges two cards, by their notation, wherever they stand in tricks and hand."""
    cards = [*(c for trick in view.tricks for c in trick.cards), *view.hand]
    for c in cards:
        if c == card(one):
            c.CopyFrom(card(two))
        elif c == card(two):
            c.CopyFrom(card(one))


def late() -> GuinoteView:
    """Four players, seat 0 to play on 12C 6C in the seventh trick, after the swap and three cantes."""
    return FOUR.before("6B")


def early() -> GuinoteView:
    """Four players, seat 3 asked to swap before the draw that follows the third trick."""
    return FOUR.before("swap")


def two() -> GuinoteView:
    """Two players, seat 0 asked to announce after fifteen tricks."""
    return TWO.before("sing O")
