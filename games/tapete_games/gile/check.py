"""Reads a view of Gilé from the wire and checks it against its own history; see `docs/gile.md`.

First the fields are read, one by one, then the history they tell is replayed (see `judge`). All that is
wrong is reported together; the replay is left out where a fault in the fields leaves nothing definite.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from tapete.v1 import (
    Card,
    ErrorReason,
    Game,
    GileAction,
    GileActionKind,
    GileDecision,
    GileLimit,
    GileRound,
    GileRules,
    GileView,
)
from tapete_games.errors import ViewError, Violation
from tapete_games.fields import NO_CARD, FieldReader
from tapete_games.gile.deal import legal_moves_of
from tapete_games.gile.history import Action, Draw
from tapete_games.gile.judge import Replay
from tapete_games.gile.moves import card_of, card_set
from tapete_games.gile.rules import MAX_CHIPS, MAX_STACK, MAX_VOID_DEALS, Limit, Rules
from tapete_games.gile.state import BET, DECIDE_NOTHING, RAISE
from tapete_games.gile.view import CARD_READER, KINDS
from tapete_games.position import Position

__all__ = ["read_view"]

_MISSING = ErrorReason.ERROR_REASON_MISSING_FIELD
_RANGE = ErrorReason.ERROR_REASON_OUT_OF_RANGE
_TOO_MANY = ErrorReason.ERROR_REASON_TOO_MANY
_STACKS = ErrorReason.ERROR_REASON_IMPOSSIBLE_STACKS

# Actions of a view; five seats of 100 chips cannot make more than 700.
MAX_ACTIONS = 1_000
_DECISIONS = ("a bet", "discards")


def read_view(view: GileView, path: str = "view.gile") -> Position:
    """Reads and checks a view.

    Args:
        view: The message; left as it is.
        path: Its path, for the violations.

    Raises:
        ViewError: Something in it is wrong, or no deal of the hidden cards explains it.
    """
    reader = _Reader(path)
    position = reader.read(view)
    if position is None or reader.total:
        raise ViewError(reader.violations, reader.total)
    return position


class _Reader(FieldReader):
    """Reads the fields of a view and replays them."""

    def __init__(self, path: str) -> None:
        super().__init__(path, CARD_READER)

    def read(self, view: GileView) -> Position | None:
        """Returns the position; None if something is wrong, which is noted."""
        self.refuse_unknown_fields(view)
        rules = self._read_rules(view.rules) if view.HasField("rules") else Rules()
        seats = self._read_stacks(view.stacks)
        seat = self.number(view, "seat", "", 0, (seats or 5) - 1)
        dealer = self.number(view, "dealer", "", 0, (seats or 5) - 1)
        if self.is_definite and view.stacks[dealer] == 0:
            self.block("dealer", _STACKS, f"seat {dealer} has no chips and does not deal (L5, L6)")
        hand = self._read_cards(view.hand, "hand", 4, "L8")
        set_aside = self._read_set_aside(view)
        discarded = self._read_cards(view.discarded, "discarded", 4, "L9")
        actions = self._read_actions(view, seats or 5)
        draws = self._read_draws(view, seats or 5)
        decision = self._read_decision(view.decision)
        if not self.is_definite:
            return None
        replay = Replay(rules, view.stacks, dealer, seat, len(set_aside), actions, draws, self.path)
        if not self._note(replay.violations()):
            return None
        if not self._asks(replay, seat, decision):
            return None
        if not self._note(replay.own_cards(hand, set_aside, discarded)):
            return None
        own = card_set(hand)
        records = replay.view(own, set_aside, discarded)
        record: np.record = records.view(np.recarray)[0]
        if not replay.is_consistent(record):
            text = "own cards that came back with a new stock are more than there are places for them (L10)"
            reason = ErrorReason.ERROR_REASON_NO_CONSISTENT_DEAL
            self.add(Violation(self.path, reason, text))
            return None
        legal_moves = tuple(legal_moves_of(records, own))
        return Position(Game.GAME_GILE, record, rules, seat, legal_moves)

    def _note(self, violations: Iterator[Violation]) -> bool:
        """Notes violations; tells whether there were none."""
        before = self.total
        for violation in violations:
            self.add(violation)
        return self.total == before

    def _asks(self, replay: Replay, seat: int, decision: int) -> bool:
        """Checks that the deal waits for this decision of this seat."""
        s = replay.state
        before = self.total
        if s.decision == DECIDE_NOTHING:
            text = "the deal is over: there is nothing to decide (L7, L11, L12)"
            self.fault("decision", ErrorReason.ERROR_REASON_DEAL_OVER, text)
        elif s.turn != seat:
            text = f"seat {seat} is not asked: it is the turn of seat {s.turn} (L9, L13)"
            self.fault("seat", ErrorReason.ERROR_REASON_NOT_YOUR_TURN, text)
        elif s.decision != decision:
            text = f"{_DECISIONS[s.decision]} is asked for here, not {_DECISIONS[decision]} (L9, L13)"
            self.fault("decision", ErrorReason.ERROR_REASON_WINDOW_CLOSED, text)
        return self.total == before

    # --- rules, stacks, decision ---

    def _read_rules(self, message: GileRules) -> Rules:
        limit = message.limit - 1 if message.limit else Limit.NONE
        if not 0 <= limit <= 2:
            expected = "1 to 3 (" + ", ".join(GileLimit.keys()[1:]) + ")"
            self.block("rules.limit", _RANGE, f"limit is {message.limit}: expected {expected} (L15)")
            limit = Limit.NONE
        numbers: dict[str, int] = {}
        ranges: tuple[tuple[Literal["ante", "minimum_bet", "void_deals"], int, int, str], ...] = (
            ("ante", 0, MAX_CHIPS, "L6"),
            ("minimum_bet", 1, MAX_CHIPS, "L6"),
            ("void_deals", 1, MAX_VOID_DEALS, "L7"),
        )
        for name, least, most, rule in ranges:
            # An absent setting is its default.
            value: int = getattr(message, name) if message.HasField(name) else getattr(Rules, name)
            if least <= value <= most:
                numbers[name] = value
            else:
                self.block(f"rules.{name}", _RANGE, f"{name} is {value}: expected {least} to {most} ({rule})")
        return Rules(Limit(limit), message.suit_rank, **numbers)

    def _read_stacks(self, stacks: Sequence[int]) -> int:
        """Returns the number of seats; 0 if the stacks are wrong."""
        if not stacks:
            self.block("stacks", _MISSING, "the stacks are required: 2 to 5, one a seat (L4, L6)")
            return 0
        if not 2 <= len(stacks) <= 5:
            self.block("stacks", _STACKS, f"there are {len(stacks)} stacks: expected 2 to 5 (L4)")
            return 0
        for i, stack in enumerate(stacks):
            if stack > MAX_STACK:
                self.block(f"stacks[{i}]", _RANGE, f"the stack is {stack}: expected 0 to {MAX_STACK} (L6)")
        if sum(stack > 0 for stack in stacks) < 2:
            text = "fewer than two seats have chips: there is no deal without two (L6)"
            self.block("stacks", _STACKS, text)
        return len(stacks)

    def _read_decision(self, decision: int) -> int:
        if decision == 0:
            self.block("decision", _MISSING, "the decision asked for is required")
        elif not 1 <= decision <= 2:
            expected = "1 or 2 (" + ", ".join(GileDecision.keys()[1:]) + ")"
            self.block("decision", _RANGE, f"the decision is {decision}: expected {expected}")
        return decision - 1

    # --- cards ---

    def _read_cards(self, cards: Sequence[Card], field: str, most: int, rule: str) -> list[int]:
        if len(cards) > most:
            self.block(field, _TOO_MANY, f"there are {len(cards)} cards: at most {most} ({rule})")
        codes: list[int] = []
        for i, card in enumerate(cards[:most]):
            code = self.card(card, f"{field}[{i}]")
            if code != NO_CARD and code in codes:
                text = f"{card_of(code)} stands at {field}[{codes.index(code)}] already (L1)"
                self.block(f"{field}[{i}]", ErrorReason.ERROR_REASON_DUPLICATE_CARD, text)
            codes.append(code)
        return codes

    def _read_set_aside(self, view: GileView) -> list[list[int]]:
        if len(view.set_aside) >= MAX_VOID_DEALS:
            text = f"there are {len(view.set_aside)} void deals: at most {MAX_VOID_DEALS - 1} (L7)"
            self.block("set_aside", _TOO_MANY, text)
        found = []
        for i, cards in enumerate(view.set_aside[: MAX_VOID_DEALS - 1]):
            field = f"set_aside[{i}].cards"
            found.append(self._read_cards(cards.cards, field, 2, "L7"))
            if len(cards.cards) < 2:
                text = f"there are {len(cards.cards)} cards: the seat had two in the void deal (L7)"
                self.block(field, ErrorReason.ERROR_REASON_WRONG_HAND_SIZE, text)
        return found

    # --- history ---

    def _read_actions(self, view: GileView, seats: int) -> list[Action]:
        if len(view.actions) > MAX_ACTIONS:
            text = f"there are {len(view.actions)} actions: at most {MAX_ACTIONS}"
            self.block("actions", _TOO_MANY, text)
        return [
            self._read_action(action, f"actions[{i}].", seats)
            for i, action in enumerate(view.actions[:MAX_ACTIONS])
        ]

    def _read_action(self, action: GileAction, prefix: str, seats: int) -> Action:
        seat = self.number(action, "seat", prefix, 0, seats - 1)
        if action.round == 0:
            self.block(f"{prefix}round", _MISSING, "the betting round is required")
        elif not 1 <= action.round <= 3:
            expected = "1 to 3 (" + ", ".join(GileRound.keys()[1:]) + ")"
            self.block(f"{prefix}round", _RANGE, f"the round is {action.round}: expected {expected}")
        if action.kind == 0:
            self.block(f"{prefix}kind", _MISSING, "the kind of action is required")
        elif action.kind not in KINDS:
            expected = "1 to 5 (" + ", ".join(GileActionKind.keys()[1:]) + ")"
            self.block(f"{prefix}kind", _RANGE, f"the kind is {action.kind}: expected {expected}")
        kind = KINDS.get(action.kind, 0)
        amount = 0
        if kind in (BET, RAISE):
            amount = self.number(action, "amount", prefix, 1, MAX_STACK)
        elif action.HasField("amount"):
            text = f"the amount is {action.amount}: only a bet and a raise have one (L14)"
            self.block(f"{prefix}amount", _RANGE, text)
        return Action(action.round - 1, seat, kind | max(amount, 0))

    def _read_draws(self, view: GileView, seats: int) -> list[Draw]:
        if len(view.draws) > seats:
            self.block("draws", _TOO_MANY, f"there are {len(view.draws)} services: one a seat (L9)")
        return [
            Draw(
                self.number(draw, "seat", f"draws[{i}].", 0, seats - 1),
                self.number(draw, "count", f"draws[{i}].", 0, 4),
            )
            for i, draw in enumerate(view.draws[:seats])
        ]
