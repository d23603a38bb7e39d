"""Ways to spoil a view of Gilé, each with the fault that must be found.

Each corruption names the view that it starts from, what it changes, the path of the field at fault and
the reason.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tapete.v1 import (
    Card,
    ErrorReason,
    GileAction,
    GileActionKind,
    GileDraw,
    GileRound,
    GileSetAside,
    GileView,
)
from tapete_games.gile import Deal, Rules, format_cards, parse_move, shuffled_pack

CHECK, BET, CALL, RAISE, FOLD = (GileActionKind.ValueType(kind) for kind in (1, 2, 3, 4, 5))
FIRST, SECOND, LAST = (GileRound.ValueType(number) for number in (1, 2, 3))


def played(deal: Deal, *moves: str) -> Deal:
    for move in moves:
        deal.play(parse_move(move))
    return deal


def table(*stacks: int, rules: Rules | None = None) -> Deal:
    return Deal(rules or Rules(), stacks, len(stacks) - 1, shuffled_pack(3), 5)


def first_round() -> GileView:
    """Seat 2 of 3, before whom the others checked and bet 4."""
    return played(table(100, 100, 100), "check", "bet 4").view()


def second_round() -> GileView:
    """Seat 1 of 4, after a void deal, a bet, a raise, calls and a fold."""
    deal = played(table(100, 100, 100, 100), *["check"] * 4, "bet 2", "raise 5", "call", "fold", "call")
    return played(deal, "check").view()


def discarding() -> GileView:
    """Seat 1 of 3, which is to discard after seat 0."""
    deal = played(table(100, 100, 100), "bet 1", "call", "call", "check", "check", "check")
    return played(deal, f"discard {' '.join(words(deal, 0)[:2])}").view()


def last_round() -> GileView:
    """Seat 2 of 3, which has discarded two, before a bet and a call."""
    deal = played(table(100, 100, 100), "bet 1", "call", "call", "check", "check", "check")
    for seat in range(3):
        played(deal, f"discard {' '.join(words(deal, seat)[:2])}")
    return played(deal, "bet 3", "call").view()


def all_in() -> GileView:
    """Seat 2 of 3, after a short all-in over a bet of 10."""
    return played(table(100, 15, 100), "bet 10", "raise 14").view()


def closed() -> GileView:
    """Seat 0 of 3, which bet 10, was raised by a short all-in and called behind."""
    return played(table(100, 15, 100), "bet 10", "raise 14", "call").view()


def words(deal: Deal, seat: int) -> list[str]:
    return format_cards(deal.hand(seat)).split()


@dataclass(frozen=True)
class Corruption:
    """One way to spoil a view."""

    name: str
    view: Callable[[], GileView]
    spoil: Callable[[GileView], object]
    path: str
    reason: str


def action(
    number: GileRound.ValueType, seat: int, kind: GileActionKind.ValueType, amount: int = 0
) -> GileAction:
    message = GileAction(round=number, seat=seat, kind=kind)
    if amount:
        message.amount = amount
    return message


def unknown(message: object) -> None:
    message.MergeFromString(b"\xf8\x07\x01")  # type: ignore[attr-defined]


def pass_out(view: GileView) -> None:
    """Lets all three seats pass in the first round."""
    del view.actions[1]
    view.actions.extend([action(FIRST, 1, CHECK), action(FIRST, 2, CHECK)])


def put(message: object, field: str, value: object) -> None:
    setattr(message, field, value)


def other_card(view: GileView) -> Card:
    """A card that the view does not show."""
    shown = [*view.hand, *view.discarded, *(card for aside in view.set_aside for card in aside.cards)]
    return next(
        card
        for card in (Card(suit=1 + i % 4, rank=rank) for i in range(4) for rank in (1, 12, 11, 10, 7, 3, 2))  # type: ignore[arg-type]
        if card not in shown
    )


CORRUPTIONS = [
    # --- fields
    Corruption("no stacks", first_round, lambda v: v.ClearField("stacks"), "stacks", "MISSING_FIELD"),
    Corruption(
        "one stack", first_round, lambda v: v.stacks.__delitem__(slice(1, 3)), "stacks", "IMPOSSIBLE_STACKS"
    ),
    Corruption("six stacks", first_round, lambda v: v.stacks.extend([5] * 3), "stacks", "IMPOSSIBLE_STACKS"),
    Corruption(
        "a huge stack",
        first_round,
        lambda v: v.stacks.__setitem__(1, 100_000_001),
        "stacks[1]",
        "OUT_OF_RANGE",
    ),
    Corruption(
        "one seat with chips",
        first_round,
        lambda v: v.stacks.__setitem__(slice(0, 2), [0, 0]),
        "stacks",
        "IMPOSSIBLE_STACKS",
    ),
    Corruption(
        "a dealer without chips",
        first_round,
        lambda v: v.stacks.__setitem__(2, 0),
        "dealer",
        "IMPOSSIBLE_STACKS",
    ),
    Corruption("no seat", first_round, lambda v: v.ClearField("seat"), "seat", "MISSING_FIELD"),
    Corruption("a seat beyond the table", first_round, lambda v: put(v, "seat", 3), "seat", "OUT_OF_RANGE"),
    Corruption("no dealer", first_round, lambda v: v.ClearField("dealer"), "dealer", "MISSING_FIELD"),
    Corruption(
        "a dealer beyond the table", first_round, lambda v: put(v, "dealer", 7), "dealer", "OUT_OF_RANGE"
    ),
    Corruption("no decision", first_round, lambda v: v.ClearField("decision"), "decision", "MISSING_FIELD"),
    Corruption(
        "an unknown decision", first_round, lambda v: put(v, "decision", 9), "decision", "OUT_OF_RANGE"
    ),
    Corruption(
        "an unknown limit", first_round, lambda v: put(v.rules, "limit", 4), "rules.limit", "OUT_OF_RANGE"
    ),
    Corruption(
        "a huge ante", first_round, lambda v: put(v.rules, "ante", 1_000_001), "rules.ante", "OUT_OF_RANGE"
    ),
    Corruption(
        "a minimum bet of nothing",
        first_round,
        lambda v: put(v.rules, "minimum_bet", 0),
        "rules.minimum_bet",
        "OUT_OF_RANGE",
    ),
    Corruption(
        "no void deals to end",
        first_round,
        lambda v: put(v.rules, "void_deals", 0),
        "rules.void_deals",
        "OUT_OF_RANGE",
    ),
    Corruption(
        "too many void deals to end",
        first_round,
        lambda v: put(v.rules, "void_deals", 11),
        "rules.void_deals",
        "OUT_OF_RANGE",
    ),
    Corruption("an unknown field", first_round, unknown, "", "UNKNOWN_FIELD"),
    Corruption("an unknown rule", first_round, lambda v: unknown(v.rules), "rules", "UNKNOWN_FIELD"),
    Corruption(
        "an unknown field of an action",
        first_round,
        lambda v: unknown(v.actions[1]),
        "actions[1]",
        "UNKNOWN_FIELD",
    ),
    Corruption(
        "an unknown field of a card", first_round, lambda v: unknown(v.hand[1]), "hand[1]", "UNKNOWN_FIELD"
    ),
    Corruption(
        "an unknown field of a service",
        last_round,
        lambda v: unknown(v.draws[2]),
        "draws[2]",
        "UNKNOWN_FIELD",
    ),
    Corruption(
        "a hundred actions too many",
        first_round,
        lambda v: v.actions.extend([v.actions[0]] * 1_000),
        "actions",
        "TOO_MANY",
    ),
    # --- cards
    Corruption(
        "a rank of the larger pack",
        first_round,
        lambda v: put(v.hand[0], "rank", 5),
        "hand[0].rank",
        "OUT_OF_RANGE",
    ),
    Corruption("no suit", first_round, lambda v: put(v.hand[1], "suit", 0), "hand[1].suit", "MISSING_FIELD"),
    Corruption(
        "a fifth suit", first_round, lambda v: put(v.hand[1], "suit", 5), "hand[1].suit", "OUT_OF_RANGE"
    ),
    Corruption("one card", first_round, lambda v: v.hand.pop(), "hand", "WRONG_HAND_SIZE"),
    Corruption("three cards", first_round, lambda v: v.hand.append(other_card(v)), "hand", "WRONG_HAND_SIZE"),
    Corruption("five cards", second_round, lambda v: v.hand.append(other_card(v)), "hand", "TOO_MANY"),
    Corruption(
        "two cards in the second round",
        second_round,
        lambda v: v.hand.__delitem__(slice(2, 4)),
        "hand",
        "WRONG_HAND_SIZE",
    ),
    Corruption(
        "a card twice in the hand",
        second_round,
        lambda v: v.hand[3].CopyFrom(v.hand[0]),
        "hand[3]",
        "DUPLICATE_CARD",
    ),
    Corruption(
        "a card set aside and held",
        second_round,
        lambda v: v.hand[2].CopyFrom(v.set_aside[0].cards[1]),
        "hand[2]",
        "DUPLICATE_CARD",
    ),
    Corruption(
        "a card set aside twice",
        second_round,
        lambda v: v.set_aside[0].cards[1].CopyFrom(v.set_aside[0].cards[0]),
        "set_aside[0].cards[1]",
        "DUPLICATE_CARD",
    ),
    Corruption(
        "one card set aside",
        second_round,
        lambda v: v.set_aside[0].cards.pop(),
        "set_aside[0].cards",
        "WRONG_HAND_SIZE",
    ),
    Corruption(
        "three cards set aside",
        second_round,
        lambda v: v.set_aside[0].cards.append(other_card(v)),
        "set_aside[0].cards",
        "TOO_MANY",
    ),
    Corruption(
        "a card discarded and held",
        last_round,
        lambda v: v.hand[1].CopyFrom(v.discarded[0]),
        "hand[1]",
        "DUPLICATE_CARD",
    ),
    Corruption(
        "a card discarded twice",
        last_round,
        lambda v: v.discarded[1].CopyFrom(v.discarded[0]),
        "discarded[1]",
        "DUPLICATE_CARD",
    ),
    Corruption(
        "fewer discards than served", last_round, lambda v: v.discarded.pop(), "discarded", "WRONG_DISCARDS"
    ),
    Corruption(
        "more discards than served",
        last_round,
        lambda v: v.discarded.append(other_card(v)),
        "discarded",
        "WRONG_DISCARDS",
    ),
    Corruption(
        "discards before the discards",
        first_round,
        lambda v: v.discarded.append(other_card(v)),
        "discarded",
        "WRONG_DISCARDS",
    ),
    Corruption(
        "five discards",
        last_round,
        lambda v: v.discarded.extend([other_card(v)] * 3),
        "discarded",
        "TOO_MANY",
    ),
    # --- void deals
    Corruption(
        "as many void deals as end it",
        second_round,
        lambda v: put(v.rules, "void_deals", 1),
        "set_aside",
        "WRONG_VOID_DEALS",
    ),
    Corruption(
        "ten void deals",
        second_round,
        lambda v: v.set_aside.extend([v.set_aside[0]] * 9),
        "set_aside",
        "TOO_MANY",
    ),
    Corruption(
        "a void deal of seats that cannot bet",
        lambda: table(1, 100, 1).view(),
        lambda v: v.set_aside.append(GileSetAside(cards=[other_card(v)] * 2)),
        "set_aside[0].cards[1]",
        "DUPLICATE_CARD",
    ),
    Corruption(
        "a deal that is void by its log",
        first_round,
        pass_out,
        "actions[2]",
        "WRONG_VOID_DEALS",
    ),
    # --- the betting log
    Corruption(
        "no seat of an action",
        first_round,
        lambda v: v.actions[0].ClearField("seat"),
        "actions[0].seat",
        "MISSING_FIELD",
    ),
    Corruption(
        "no kind of an action",
        first_round,
        lambda v: v.actions[0].ClearField("kind"),
        "actions[0].kind",
        "MISSING_FIELD",
    ),
    Corruption(
        "no round of an action",
        first_round,
        lambda v: v.actions[0].ClearField("round"),
        "actions[0].round",
        "MISSING_FIELD",
    ),
    Corruption(
        "an unknown kind",
        first_round,
        lambda v: put(v.actions[0], "kind", 6),
        "actions[0].kind",
        "OUT_OF_RANGE",
    ),
    Corruption(
        "an unknown round",
        first_round,
        lambda v: put(v.actions[0], "round", 4),
        "actions[0].round",
        "OUT_OF_RANGE",
    ),
    Corruption(
        "a bet without an amount",
        first_round,
        lambda v: v.actions[1].ClearField("amount"),
        "actions[1].amount",
        "MISSING_FIELD",
    ),
    Corruption(
        "a bet of nothing",
        first_round,
        lambda v: put(v.actions[1], "amount", 0),
        "actions[1].amount",
        "OUT_OF_RANGE",
    ),
    Corruption(
        "a check with an amount",
        first_round,
        lambda v: put(v.actions[0], "amount", 3),
        "actions[0].amount",
        "OUT_OF_RANGE",
    ),
    Corruption(
        "an action out of turn",
        first_round,
        lambda v: put(v.actions[0], "seat", 1),
        "actions[0].seat",
        "WRONG_TURN",
    ),
    Corruption(
        "an action of another round",
        first_round,
        lambda v: put(v.actions[1], "round", SECOND),
        "actions[1].round",
        "WRONG_ROUND",
    ),
    Corruption(
        "a check over a bet",
        first_round,
        lambda v: v.actions.append(action(FIRST, 2, CHECK)),
        "actions[2]",
        "ILLEGAL_ACTION",
    ),
    Corruption(
        "a bet over a bet",
        first_round,
        lambda v: v.actions.append(action(FIRST, 2, BET, 9)),
        "actions[2]",
        "ILLEGAL_ACTION",
    ),
    Corruption(
        "a fold with nothing to call",
        first_round,
        lambda v: put(v.actions[0], "kind", FOLD),
        "actions[0]",
        "ILLEGAL_ACTION",
    ),
    Corruption(
        "a call with nothing to call",
        first_round,
        lambda v: put(v.actions[0], "kind", CALL),
        "actions[0]",
        "ILLEGAL_ACTION",
    ),
    Corruption(
        "a raise with nothing to raise",
        first_round,
        lambda v: v.actions[0].MergeFrom(action(FIRST, 0, RAISE, 4)),
        "actions[0]",
        "ILLEGAL_ACTION",
    ),
    Corruption(
        "a bet above the stack",
        first_round,
        lambda v: put(v.actions[1], "amount", 100),
        "actions[1]",
        "ILLEGAL_ACTION",
    ),
    Corruption(
        "a bet below the minimum",
        first_round,
        lambda v: put(v.rules, "minimum_bet", 5),
        "actions[1]",
        "ILLEGAL_ACTION",
    ),
    Corruption(
        "a bet above the pot limit",
        first_round,
        lambda v: put(v.rules, "limit", 2),
        "actions[1]",
        "ILLEGAL_ACTION",
    ),
    Corruption(
        "a bet of another size than fixed",
        first_round,
        lambda v: put(v.rules, "limit", 3),
        "actions[1]",
        "ILLEGAL_ACTION",
    ),
    Corruption(
        "a raise below the last one",
        second_round,
        lambda v: put(v.actions[1], "amount", 3),
        "actions[1]",
        "ILLEGAL_ACTION",
    ),
    Corruption(
        "a raise that was not reopened",
        closed,
        lambda v: v.actions.append(action(FIRST, 0, RAISE, 50)),
        "actions[3]",
        "ILLEGAL_ACTION",
    ),
    Corruption(
        "a raise that nobody can answer",
        lambda: played(table(100, 20), "check", "bet 19").view(),
        lambda v: v.actions.append(action(FIRST, 0, RAISE, 50)),
        "actions[2]",
        "ILLEGAL_ACTION",
    ),
    Corruption(
        "a raise too small after a short all-in",
        all_in,
        lambda v: v.actions.append(action(FIRST, 2, RAISE, 20)),
        "actions[2]",
        "ILLEGAL_ACTION",
    ),
    Corruption(
        "an action of a seat that folded",
        second_round,
        lambda v: v.actions.append(action(SECOND, 3, CHECK)),
        "actions[6].seat",
        "WRONG_TURN",
    ),
    Corruption(
        "an action before the discards are served",
        discarding,
        lambda v: v.actions.append(action(LAST, 0, CHECK)),
        "actions[6]",
        "WRONG_ROUND",
    ),
    Corruption(
        "an action after the end",
        first_round,
        lambda v: v.actions.extend([action(FIRST, 2, FOLD), action(FIRST, 0, FOLD), action(FIRST, 1, CHECK)]),
        "actions[4]",
        "DEAL_OVER",
    ),
    # --- services
    Corruption(
        "no seat of a service",
        last_round,
        lambda v: v.draws[1].ClearField("seat"),
        "draws[1].seat",
        "MISSING_FIELD",
    ),
    Corruption(
        "no count of a service",
        last_round,
        lambda v: v.draws[1].ClearField("count"),
        "draws[1].count",
        "MISSING_FIELD",
    ),
    Corruption(
        "a service of five cards",
        last_round,
        lambda v: put(v.draws[1], "count", 5),
        "draws[1].count",
        "OUT_OF_RANGE",
    ),
    Corruption(
        "a service out of turn",
        last_round,
        lambda v: put(v.draws[0], "seat", 1),
        "draws[0].seat",
        "WRONG_TURN",
    ),
    Corruption(
        "a service before its time",
        first_round,
        lambda v: v.draws.append(GileDraw(seat=0, count=1)),
        "draws[0]",
        "WRONG_DISCARDS",
    ),
    Corruption(
        "a second service of a seat",
        last_round,
        lambda v: v.draws.append(GileDraw(seat=0, count=1)),
        "draws",
        "TOO_MANY",
    ),
    Corruption("a missing service", last_round, lambda v: v.draws.pop(), "actions[6]", "WRONG_ROUND"),
    # --- who is asked what
    Corruption("another seat's turn", first_round, lambda v: put(v, "seat", 0), "seat", "NOT_YOUR_TURN"),
    Corruption("a seat that folded", second_round, lambda v: put(v, "seat", 3), "seat", "NOT_YOUR_TURN"),
    Corruption(
        "discards asked in a betting round",
        first_round,
        lambda v: put(v, "decision", 2),
        "decision",
        "WINDOW_CLOSED",
    ),
    Corruption(
        "a bet asked while discarding",
        discarding,
        lambda v: put(v, "decision", 1),
        "decision",
        "WINDOW_CLOSED",
    ),
    Corruption(
        "a deal that is over",
        first_round,
        lambda v: v.actions.extend([action(FIRST, 2, FOLD), action(FIRST, 0, FOLD)]),
        "decision",
        "DEAL_OVER",
    ),
]


def reason_of(name: str) -> "ErrorReason.ValueType":
    return ErrorReason.Value(f"ERROR_REASON_{name}")
