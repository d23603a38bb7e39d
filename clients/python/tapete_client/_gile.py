"""Views of Gilé from numbers and texts, for programs that would rather not spell messages.

>>> view = gile_view(stacks=(100, 100, 80), seat=2, dealer=0, hand="1O 12O", first=[(1, "bet 2")])
>>> view.gile.actions[0].amount
2
"""

from collections.abc import Iterable

from tapete.v1 import (
    GameView,
    GileAction,
    GileActionKind,
    GileDecision,
    GileDraw,
    GileRound,
    GileRules,
    GileSetAside,
    GileView,
)
from tapete_client._checks import check_number, check_pair, check_text
from tapete_client._notation import items, read_cards

__all__ = ["gile_view"]

_KINDS = {
    "check": GileActionKind.GILE_ACTION_KIND_CHECK,
    "bet": GileActionKind.GILE_ACTION_KIND_BET,
    "call": GileActionKind.GILE_ACTION_KIND_CALL,
    "raise": GileActionKind.GILE_ACTION_KIND_RAISE,
    "fold": GileActionKind.GILE_ACTION_KIND_FOLD,
}


def gile_view(
    *,
    stacks: Iterable[int],
    seat: int,
    dealer: int,
    hand: str,
    first: Iterable[tuple[int, str]] = (),
    second: Iterable[tuple[int, str]] = (),
    last: Iterable[tuple[int, str]] = (),
    draws: Iterable[tuple[int, int]] = (),
    discarded: str = "",
    set_aside: Iterable[str] = (),
    decision: GileDecision.ValueType = GileDecision.GILE_DECISION_BET,
    rules: GileRules | None = None,
) -> GameView:
    """Makes a view of Gilé from plain numbers and cards in notation. It is not checked: the server does.

    Args:
        stacks: Chips of each seat at the start of the deal, before the antes; 0 for a seat not dealt in.
        seat: The seat that is asked.
        dealer: The seat that dealt.
        hand: The cards now in the seat's hand.
        first: Seat and action of each action of the first betting round: `check`, `bet 5`, `call`,
            `raise 12` (to a total of 12 in the round) or `fold`.
        second: Those of the second round.
        last: Those of the last round.
        draws: Seat and number of cards of each service so far.
        discarded: The cards that the seat itself has discarded.
        set_aside: The seat's own two cards of each void deal.
        decision: What the seat is asked.
        rules: The switches and settings in force; None means the default rules.

    Raises:
        TypeError: An argument is of a type that it cannot have.
        ValueError: A text is not a card or an action, or a number is negative.
    """
    if rules is not None and not isinstance(rules, GileRules):
        raise TypeError(f"rules is a {type(rules).__name__}: expected a GileRules or None")
    if check_number("decision", decision) >= 2**31:
        raise ValueError(f"decision is {decision}: expected a value of GileDecision")
    rounds = (
        ("first", first, GileRound.GILE_ROUND_FIRST),
        ("second", second, GileRound.GILE_ROUND_SECOND),
        ("last", last, GileRound.GILE_ROUND_LAST),
    )
    return GameView(
        gile=GileView(
            rules=rules,
            seat=check_number("seat", seat),
            dealer=check_number("dealer", dealer),
            stacks=[check_number(f"stacks[{i}]", stack) for i, stack in items("stacks", stacks)],
            hand=read_cards("hand", hand),
            set_aside=[
                GileSetAside(cards=read_cards(f"set_aside[{i}]", check_text("set_aside", cards, "two cards")))
                for i, cards in items("set_aside", set_aside)
            ],
            actions=[
                _action(f"{name}[{i}]", action, number)
                for name, actions, number in rounds
                for i, action in items(name, actions)
            ],
            draws=[_draw(f"draws[{i}]", draw) for i, draw in items("draws", draws)],
            discarded=read_cards("discarded", discarded),
            decision=decision,
        )
    )


def _action(name: str, action: object, number: GileRound.ValueType) -> GileAction:
    seat, text = check_pair(name, action, 2, "a seat and an action, as (0, 'bet 5')")
    word, _, amount = check_text(name, text, "an action, as 'bet 5'").partition(" ")
    has_amount = word in ("bet", "raise")
    if word not in _KINDS or (not amount.isdecimal() if has_amount else amount):
        raise ValueError(f"{name} is {text!r}: expected check, bet N, call, raise N or fold")
    message = GileAction(round=number, seat=check_number(name, seat), kind=_KINDS[word])
    if has_amount:
        message.amount = check_number(name, int(amount))
    return message


def _draw(name: str, draw: object) -> GileDraw:
    seat, count = check_pair(name, draw, 2, "a seat and a number of cards, as (0, 2)")
    return GileDraw(seat=check_number(name, seat), count=check_number(name, count))
