"""Says what the replay of a view's history finds wrong: the field, the reason, a sentence with the rule."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tapete.v1 import ErrorReason
from tapete_games.errors import Violation
from tapete_games.guinote import engine, state
from tapete_games.guinote.judge import (
    AFTER_THE_LEADERS_SWAP,
    BEFORE_DRAW,
    HAND_FULL,
    HISTORY,
    KNOWN_ELSEWHERE,
    NO_DECLARE_WINDOW,
    NO_STEP,
    NO_SWAP_WINDOW,
    NOT_IN_TURN,
    PLAYED_BEFORE,
    STEP_CANTE,
    STEP_DECISION,
    STEP_HAND_ELSEWHERE,
    STEP_HAND_LACKS,
    STEP_HAND_SIZE,
    STEP_HIDDEN,
    STEP_LEADER,
    STEP_SWAP,
    STEPS,
    UNDER_THE_STOCK,
    judge,
)
from tapete_games.guinote.moves import card_of, format_cards, move_list
from tapete_games.guinote.reasons import explain, reason_of, switches_allowing
from tapete_games.guinote.state import SING, SOTA, SWAP

__all__ = ["find_violations"]

_HELD = ErrorReason.ERROR_REASON_CARD_NOT_HELD
_DUPLICATE = ErrorReason.ERROR_REASON_DUPLICATE_CARD
_CANTE = ErrorReason.ERROR_REASON_ILLEGAL_CANTE

_FOR_ALL_TO_SEE = "for all to see, from a cante, the swap or the last draw (G8, G18, G21)"


def find_violations(
    history: np.ndarray, codes: np.ndarray, hand: list[int], path: str
) -> Iterator[Violation]:
    """Lists what a replay found, in the order of the history.

    Args:
        history: The cells of a HISTORY.
        codes: The cells that the replay has written.
        hand: Cards of the seat's own hand in the order of the message.
        path: Path of the view.
    """
    h = history.view(HISTORY).view(np.recarray)[0]
    found = [step for step in range(STEPS) if codes[step] != state.LEGAL]
    for step in sorted(found, key=lambda step: _time(h, step)):
        # What is judged at the end has the state of the end; anything else the state before its step.
        verdict = judge(history, step if step < STEP_DECISION else NO_STEP)
        before, view = verdict.state.view(np.recarray)[0], verdict.view.view(np.recarray)[0]
        yield from _Finding(h, before, view, hand, step, int(codes[step]), path).violations()


def _time(h: np.record, step: int) -> tuple[int, int, int]:
    """Returns a key that sorts steps as they happened: tricks complete, order between tricks, step."""
    if step < STEP_LEADER:
        return step // int(h.players), 3, step
    if step < STEP_CANTE:
        return step - STEP_LEADER, 2, step
    if step < STEP_SWAP:
        return int(h.cante_after[step - STEP_CANTE]), 1, step
    if step == STEP_SWAP:
        return int(h.swap_after), 0 if h.swap_window == BEFORE_DRAW else 1, step
    return 20, 0, step


@dataclass(frozen=True)
class _Finding:
    """One step that the replay found wrong."""

    history: np.record
    state: np.record
    """STATE before the step."""
    view: np.record
    """VIEW, for what is judged at the end."""
    hand: list[int]
    step: int
    code: int
    path: str

    def violations(self) -> Iterator[Violation]:
        """Lists the violations of this step: one, or one a card of the seat's own hand."""
        step = self.step
        if step == STEP_HAND_ELSEWHERE:
            yield from self._cards_elsewhere()
        elif step == STEP_HAND_LACKS:
            yield self._cards_lacking()
        elif step == STEP_HIDDEN:
            yield self._hidden()
        elif self.code == state.DEAL_OVER:
            yield self._say(ErrorReason.ERROR_REASON_DEAL_OVER, self._why_over())
        elif step < STEP_LEADER:
            yield self._card(int(self.history.card[step]))
        elif step < STEP_CANTE:
            yield self._leader()
        elif step < STEP_SWAP:
            yield self._cante()
        elif step == STEP_SWAP:
            yield self._swap()
        elif step == STEP_DECISION:
            yield self._moment()
        else:
            assert step == STEP_HAND_SIZE
            yield self._hand_size()

    def _say(self, reason: "ErrorReason.ValueType", message: str, field: str | None = None) -> Violation:
        """Makes a violation, at the field of the step if no other is given."""
        field = self._field() if field is None else field
        return Violation(f"{self.path}.{field}" if field else self.path, reason, message)

    def _field(self) -> str:
        players = int(self.history.players)
        if self.step < STEP_LEADER:
            return f"tricks[{self.step // players}].cards[{self.step % players}]"
        if self.step < STEP_CANTE:
            return f"tricks[{self.step - STEP_LEADER}]"
        if self.step < STEP_SWAP:
            return f"cantes[{self.step - STEP_CANTE}]"
        return "swap" if self.step == STEP_SWAP else "decision"

    # --- what happened ---

    def _why_over(self) -> str:
        s = self.state
        if s.tricks * s.players == 40:
            return f"all {s.tricks} tricks are complete: the deal is over (G23, G24)"
        return (
            f"a side has {max(s.points)} points after {s.tricks} tricks: at {state.POINT} it has won the "
            "point of vueltas, and the deal is over (G25)"
        )

    def _card(self, card: int) -> Violation:
        s, seat = self.state, int(self.state.turn)
        if self.code >= KNOWN_ELSEWHERE:
            return self._not_held(seat, 1 << card, "played")
        s.decision = state.DECIDE_PLAY
        hand = int(s.hand[seat])
        due = format_cards(int(engine.legal_cards(s, hand)) & state.PACK)
        first = self.step - int(s.trick_size)
        table = " ".join(str(card_of(int(c))) for c in self.history.card[first : self.step])
        message = (
            f"seat {seat} cannot have played {card_of(card)} on {table}: {explain(self.code)}; it held {due}"
        )
        return self._say(reason_of(self.code), message + self._switches(seat, hand, card))

    def _leader(self) -> Violation:
        trick, turn = self.step - STEP_LEADER, self.state.turn
        why = f"seat {turn} won the trick before (G9)" if trick else f"seat {turn} is the mano (G3)"
        message = f"the leader is seat {self.history.leader[trick]}, but {why}"
        return self._say(ErrorReason.ERROR_REASON_WRONG_LEADER, message, f"tricks[{trick}].leader")

    def _cante(self) -> Violation:
        s, i = self.state, self.step - STEP_CANTE
        seat, suit = int(self.history.cante_seat[i]), int(self.history.cante_suit[i])
        pair = 3 << (suit * 10 + SOTA)
        if self.code == AFTER_THE_LEADERS_SWAP:
            message = (
                f"seat {seat} cannot announce once the leader, seat {s.turn}, has swapped on its turn (G21)"
            )
            return self._say(_CANTE, message)
        if self.code >= KNOWN_ELSEWHERE:
            return self._not_held(seat, pair, "shown")
        s.decision = state.DECIDE_DECLARE
        message = (
            f"seat {seat} cannot have sung {format_cards(pair)} after {s.tricks} tricks: {explain(self.code)}"
        )
        return self._say(_CANTE, message + self._switches(seat, int(s.hand[seat]) | pair, SING + suit))

    def _swap(self) -> Violation:
        h, s = self.history, self.state
        seat = int(h.swap_seat)
        if self.code >= KNOWN_ELSEWHERE:
            return self._not_held(seat, 1 << int(s.swap_card), "swapped")
        s.decision = state.DECIDE_SWAP if h.swap_window == BEFORE_DRAW else state.DECIDE_PLAY
        if self.code == state.NOT_ASKED:
            why = f"it was not its turn, but that of seat {s.turn} (G17)"
        else:
            why = explain(self.code) + self._switches(seat, int(s.hand[seat]), SWAP)
        message = (
            f"seat {seat} cannot have swapped {card_of(int(s.swap_card))} after {s.tricks} tricks: {why}"
        )
        return self._say(ErrorReason.ERROR_REASON_ILLEGAL_SWAP, message)

    def _switches(self, seat: int, hand: int, move: int) -> str:
        """Names the switches that would make a move legal the other way."""
        s, h = self.state, self.history
        sung = range(max(self.step - STEP_CANTE, 0)) if self.step < STEP_SWAP else range(0)
        has_sung = any(h.cante_seat[i] == seat and h.cante_after[i] == s.tricks for i in sung)
        names = switches_allowing(s, seat, hand, move, has_sung=has_sung)
        return f"; it would be legal {' or '.join(names)}" if names else ""

    def _not_held(self, seat: int, cards: int, deed: str) -> Violation:
        s = self.state
        message = f"seat {seat} cannot have {deed} {format_cards(cards)}: "
        if self.code == UNDER_THE_STOCK:
            return self._say(
                _DUPLICATE, f"{message}{card_of(int(s.muestra))} lay under the stock then (G4, G18)"
            )
        if self.code == PLAYED_BEFORE:
            message += f"{format_cards(cards & int(s.played))} had been played before (G16, G19)"
        elif self.code == KNOWN_ELSEWHERE:
            message += self._holder(cards, seat)
        else:
            assert self.code == HAND_FULL
            message += f"its hand was full with {format_cards(int(s.known[seat]))} (G3), {_FOR_ALL_TO_SEE}"
        return self._say(_HELD, message)

    def _holder(self, cards: int, seat: int) -> str:
        """Says which seat other than `seat` holds some of the cards."""
        holders = [
            f"seat {q} held {format_cards(cards & int(known))}"
            for q, known in enumerate(self.state.known)
            if q != seat and cards & int(known)
        ]
        return f"{' and '.join(holders)} then, {_FOR_ALL_TO_SEE}"

    # --- the moment of the view ---

    def _moment(self) -> Violation:
        h, s = self.history, self.state
        if self.code == NOT_IN_TURN:
            message = f"it is the turn of seat {s.turn}, not of seat {h.seat} (G6, G9)"
            return self._say(ErrorReason.ERROR_REASON_NOT_YOUR_TURN, message, "seat")
        if s.tricks == 0:
            why = "no trick is complete"
        elif s.trick_size:
            why = "a trick is on the table"
        elif s.tricks * s.players > 40 - 6 * s.players:
            why = "no draw follows in arrastre"
        else:
            why = "an announcement or a swap after the latest trick shows that the draw has been made"
        if self.code == NO_DECLARE_WINDOW:
            message = (
                f"nothing can be announced: {why}; the window is before the lead that follows a trick (G21)"
            )
        else:
            assert self.code == NO_SWAP_WINDOW
            message = (
                f"nothing can be swapped: {why}; the window is before the draw that follows a trick (G17)"
            )
        return self._say(ErrorReason.ERROR_REASON_WINDOW_CLOSED, message)

    def _hand_size(self) -> Violation:
        expected = self.view["size"][self.history.seat]
        message = f"there are {len(self.hand)} cards in the hand: the history leaves {expected} (G3, G8)"
        return self._say(ErrorReason.ERROR_REASON_WRONG_HAND_SIZE, message, "hand")

    def _cards_elsewhere(self) -> Iterator[Violation]:
        for i, card in enumerate(self.hand):
            if not self.code >> card & 1:
                continue
            message = f"{card_of(card)} cannot be in this hand: "
            if card == self.state.muestra:
                yield self._say(_DUPLICATE, message + "it lies under the stock (G4, G18)", f"hand[{i}]")
            else:
                message += self._holder(1 << card, int(self.history.seat))
                yield self._say(_HELD, message, f"hand[{i}]")

    def _cards_lacking(self) -> Violation:
        message = f"the hand must have {format_cards(self.code)}, {_FOR_ALL_TO_SEE}, and has not"
        return self._say(_HELD, message, "hand")

    def _hidden(self) -> Violation:
        v, seats = self.view, move_list(self.code)
        hidden = state.PACK & ~(int(v.played) | int(v.own))
        for q in range(int(v.players)):
            hidden &= ~int(v.known[q])
        room = left = 0
        for q in seats:
            room += int(v["size"][q]) - int(v.known[q]).bit_count()
            left |= hidden & ~int(v.void[q])
        who = f"seat{'s' * (len(seats) > 1)} {' and '.join(map(str, seats))}"
        message = (
            f"no deal of the hidden cards explains the history: of {format_cards(hidden)} {who} must hold "
            f"{room}, but after what was played in arrastre can hold only {format_cards(left)} (G10 to G13)"
        )
        return self._say(ErrorReason.ERROR_REASON_NO_CONSISTENT_DEAL, message, "")
