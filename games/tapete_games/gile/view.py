"""Gilé on the wire: views, moves and rules as messages.

Views are read by `check`, which judges them; this module writes them, and reads and writes moves.
"""

from collections.abc import Sequence

from tapete.v1 import (
    Card,
    ErrorReason,
    GileAction,
    GileActionKind,
    GileCall,
    GileCheck,
    GileDecision,
    GileDiscard,
    GileDraw,
    GileFold,
    GileLimit,
    GileMove,
    GileRound,
    GileRules,
    GileSetAside,
    GileView,
    Suit,
)
from tapete_games.errors import ViewError, Violation
from tapete_games.fields import CardReader, read_kind
from tapete_games.gile.history import Action, History
from tapete_games.gile.moves import amount_of, card_of, kind_of, sorted_hand
from tapete_games.gile.rules import MAX_STACK, Limit, Rules
from tapete_games.gile.state import BET, CALL, CARDS, CHECK, DISCARD, FOLD, RAISE

__all__ = ["CARD_READER", "KINDS", "read_move", "write_move", "write_view"]

WIRE_CARDS = tuple(
    Card(suit=Suit.ValueType(card.suit + 1), rank=card.rank) for card in map(card_of, range(CARDS))
)
"""The message of each card by its code. They are shared: messages that hold them copy them."""

CARD_READER = CardReader(WIRE_CARDS, "1, 2, 3, 7, 10, 11 or 12 (L1)")
"""Reads the cards of the pack."""

KINDS = {
    GileActionKind.GILE_ACTION_KIND_CHECK: CHECK,
    GileActionKind.GILE_ACTION_KIND_BET: BET,
    GileActionKind.GILE_ACTION_KIND_CALL: CALL,
    GileActionKind.GILE_ACTION_KIND_RAISE: RAISE,
    GileActionKind.GILE_ACTION_KIND_FOLD: FOLD,
}
"""The engine's kind of each kind of action."""

_WIRE_KINDS = {kind: wire for wire, kind in KINDS.items()}


def _write_cards(cards: int) -> list[Card]:
    return [WIRE_CARDS[card] for card in sorted_hand(cards)]


def _write_rules(rules: Rules) -> GileRules | None:
    """Writes the rules; None, which the wire leaves out, when all are default."""
    if rules == Rules():
        return None
    message = GileRules(suit_rank=rules.suit_rank)
    # The wire counts limits from 1; 0 is unspecified.
    if rules.limit != Limit.NONE:
        message.limit = GileLimit.ValueType(rules.limit + 1)
    for name in ("ante", "minimum_bet", "void_deals"):
        if getattr(rules, name) != getattr(Rules, name):
            setattr(message, name, getattr(rules, name))
    return message


def _write_action(action: Action) -> GileAction:
    kind = kind_of(action.move)
    message = GileAction(
        round=GileRound.ValueType(action.stage + 1), seat=action.seat, kind=_WIRE_KINDS[kind]
    )
    if kind in (BET, RAISE):
        message.amount = amount_of(action.move)
    return message


def write_view(
    rules: Rules,
    stacks: Sequence[int],
    dealer: int,
    history: History,
    seat: int,
    hand: int,
    decision: int,
) -> GileView:
    """Writes what a seat knows.

    Args:
        rules: Rules in force.
        stacks: Chips of each seat at the start of the deal.
        dealer: Seat that dealt.
        history: The course of the deal; of its cards only those of the seat are written.
        seat: Whose view it is.
        hand: Set of the cards in its hand.
        decision: Kind of decision, as in the engine; not DECIDE_NOTHING.
    """
    return GileView(
        rules=_write_rules(rules),
        seat=seat,
        dealer=dealer,
        stacks=stacks,
        hand=_write_cards(hand),
        set_aside=[GileSetAside(cards=_write_cards(cards[seat])) for cards in history.set_aside],
        actions=map(_write_action, history.actions),
        draws=[GileDraw(seat=draw.seat, count=draw.size) for draw in history.draws],
        discarded=_write_cards(history.discarded.get(seat, 0)),
        decision=GileDecision.ValueType(decision + 1),
    )


def write_move(code: int) -> GileMove:
    """Writes a move."""
    match kind_of(code):
        case kind if kind == BET:
            return GileMove(bet=amount_of(code))
        case kind if kind == RAISE:
            return GileMove(raise_to=amount_of(code))
        case kind if kind == DISCARD:
            return GileMove(discard=GileDiscard(cards=_write_cards(amount_of(code))))
        case kind if kind == CALL:
            return GileMove(call=GileCall())
        case kind if kind == CHECK:
            return GileMove(check=GileCheck())
        case _:
            return GileMove(fold=GileFold())


def read_move(move: GileMove, path: str = "move.gile") -> int:
    """Reads a move.

    Args:
        move: The message.
        path: Its path, for the violations.

    Returns:
        The engine's code.

    Raises:
        ViewError: It is not a move: nothing is set, an amount or a card is impossible, or there are fields
            that this version does not know.
    """
    match kind := read_kind(move, path, "fold, check, call, bet, raise_to, discard"):
        case "bet":
            return BET | _read_amount(move.bet, f"{path}.bet")
        case "raise_to":
            return RAISE | _read_amount(move.raise_to, f"{path}.raise_to")
        case "discard":
            return DISCARD | _read_discard(move.discard, f"{path}.discard")
    return {"fold": FOLD, "check": CHECK, "call": CALL}[kind]


def _read_amount(amount: int, path: str) -> int:
    if not 1 <= amount <= MAX_STACK:
        text = f"the amount is {amount}: expected 1 to {MAX_STACK} chips (L6, L14)"
        raise ViewError([Violation(path, ErrorReason.ERROR_REASON_OUT_OF_RANGE, text)])
    return amount


def _read_discard(discard: GileDiscard, path: str) -> int:
    if len(discard.cards) > 4:
        text = f"there are {len(discard.cards)} cards: at most 4 are discarded (L9)"
        raise ViewError([Violation(f"{path}.cards", ErrorReason.ERROR_REASON_TOO_MANY, text)])
    cards = 0
    for i, card in enumerate(discard.cards):
        code = CARD_READER.read(card, f"{path}.cards[{i}]")
        if isinstance(code, Violation):
            raise ViewError([code])
        if cards >> code & 1:
            text = f"{card_of(code)} is discarded twice: there is one of each card (L1)"
            raise ViewError([Violation(f"{path}.cards[{i}]", ErrorReason.ERROR_REASON_DUPLICATE_CARD, text)])
        cards |= 1 << code
    return cards
