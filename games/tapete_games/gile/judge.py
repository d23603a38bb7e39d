"""Replays what a view of Gilé tells, and says what of it cannot have been.

The betting log, the services and the void deals are played again on a deal of the same stacks with other
cards: nothing but discards looks at cards. What comes out is the public state of the real deal. The
first thing that breaks a rule ends the replay, for whose turn it is afterwards nobody can tell.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numba import int64

from tapete.v1 import ErrorReason
from tapete_games.bits import members
from tapete_games.errors import Violation
from tapete_games.gile import engine
from tapete_games.gile.history import Action, Draw
from tapete_games.gile.moves import card_of
from tapete_games.gile.reasons import explain, limits_allowing, reason_of
from tapete_games.gile.rules import Rules
from tapete_games.gile.state import (
    CARDS,
    CHECK,
    DECIDE_BET,
    DECIDE_DISCARD,
    DECIDE_NOTHING,
    DISCARD,
    FIRST,
    LAST,
    LEGAL,
    MAX_RENEWALS,
    STATE,
    VIEW,
    make_view,
)
from tapete_games.kernel import RECORDS, kernel

__all__ = ["Replay"]

_TURN = ErrorReason.ERROR_REASON_WRONG_TURN
_DISCARDS = ErrorReason.ERROR_REASON_WRONG_DISCARDS
_VOID = ErrorReason.ERROR_REASON_WRONG_VOID_DEALS
_DUPLICATE = ErrorReason.ERROR_REASON_DUPLICATE_CARD

_ROUNDS = ("the first", "the second", "the last")
_PACK = np.arange(CARDS)

# What ends a replay: everything is told, or what is wrong with the void deals, an action or a service.
_TOLD, _NO_BETS, _BAD_ACTION, _BAD_DRAW, _MORE_ACTIONS, _MORE_DRAWS = range(6)
# What is wrong with an action, beside the engine's reasons.
_WRONG_ROUND, _WRONG_TURN, _WOULD_BE_VOID = 100, 101, 102


@kernel
def _replay(
    states: np.ndarray,
    stacks: np.ndarray,
    settings: np.ndarray,
    pack: np.ndarray,
    actions: np.ndarray,
    draws: np.ndarray,
    aside: np.ndarray,
    end: np.ndarray,
) -> None:
    """Replays a history on states[0]; all arrays are int64.

    Args:
        states: STATE[1], written.
        stacks: Chips of each seat.
        settings: Dealer, limit, suit_rank, ante, minimum_bet, void_limit, seat of the view, void deals.
        pack: Any 28 cards.
        actions: (n, 3): stage, seat, move.
        draws: (n, 2): seat, count.
        aside: (void deals, 3), written: renewals before each of the seat's two cards of a void deal, and
            renewals after which they may be back.
        end: (4), written: what ended the replay, at which entry of its list, why, and renewals after which
            the seat's discards may be back.
    """
    s = states[0]
    seat = settings[6]
    engine.deal(
        s,
        stacks,
        len(stacks),
        settings[0],
        settings[1],
        settings[2],
        settings[3],
        settings[4],
        settings[5],
        pack,
        int64(0),
    )
    end[:] = 0
    for i in range(settings[7]):
        if s.decision != DECIDE_BET or s.stage != FIRST:
            end[0] = _NO_BETS
            return
        aside[i, 0] = s.served[seat, 0]
        aside[i, 1] = s.served[seat, 1]
        aside[i, 2] = s.renewals + 1
        while s.voids == i:
            engine.apply(s, int64(CHECK))
    next_action = 0
    next_draw = 0
    while s.decision != DECIDE_NOTHING:
        if s.decision == DECIDE_DISCARD:
            if next_draw == len(draws):
                break
            end[0], end[1] = _BAD_DRAW, next_draw
            if draws[next_draw, 0] != s.turn:
                return
            hand = s.hand[s.turn]
            cards = 0
            for _ in range(draws[next_draw, 1]):
                cards |= hand & -hand
                hand &= hand - 1
            engine.apply(s, DISCARD | cards)
            if draws[next_draw, 0] == seat:
                end[3] = s.renewals + 1
            next_draw += 1
        else:
            if next_action == len(actions):
                break
            end[0], end[1] = _BAD_ACTION, next_action
            end[2] = _why_not(s, actions[next_action])
            if end[2] != LEGAL:
                return
            engine.apply(s, actions[next_action, 2])
            next_action += 1
    end[0] = _TOLD
    if next_action < len(actions):
        end[0], end[1] = _MORE_ACTIONS, next_action
    elif next_draw < len(draws):
        end[0], end[1] = _MORE_DRAWS, next_draw


@kernel
def _why_not(s: np.record, action: np.ndarray) -> int:
    """Says why an action cannot have been the next one, or LEGAL."""
    if action[0] != s.stage:
        return _WRONG_ROUND
    if action[1] != s.turn:
        return _WRONG_TURN
    why = engine.why_illegal(s, s.hand[s.turn], action[2])
    if why == LEGAL and s.stage == FIRST and s.level == 0 and action[2] == CHECK:
        waiting = 0
        for q in range(s.seats):
            if q != s.turn and s.playing >> q & 1 and s.chips[q] > 0 and not s.spoken >> q & 1:
                waiting += 1
        return LEGAL if waiting else _WOULD_BE_VOID
    return why


@kernel
def _make_view(states: np.ndarray, seat: int, views: np.ndarray) -> None:
    make_view(states[0], seat, views[0])


class Replay:
    """One replay.

    Attributes:
        state: STATE as the replay leaves it; its cards are not those of the real deal.
    """

    def __init__(
        self,
        rules: Rules,
        stacks: Sequence[int],
        dealer: int,
        seat: int,
        void_deals: int,
        actions: Sequence[Action],
        draws: Sequence[Draw],
        path: str,
    ) -> None:
        """Replays.

        Args:
            rules: Rules in force.
            stacks: Chips of each seat at the start.
            dealer: Seat that dealt.
            seat: Whose view it is.
            void_deals: Number of void deals, below MAX_VOID_DEALS.
            actions: The betting log.
            draws: The services.
            path: Path of the view.
        """
        self._states = np.zeros(1, STATE).view(RECORDS)
        self.state: np.record = self._states.view(np.recarray)[0]
        self._seat = seat
        self._path = path
        self._void_limit = rules.void_deals
        self._actions = actions
        self._draws = draws
        self._aside = np.zeros((void_deals, 3), np.int64)
        self._end = np.zeros(4, np.int64)
        if void_deals >= rules.void_deals:
            return
        settings = [dealer, int(rules.limit), int(rules.suit_rank), rules.ante, rules.minimum_bet]
        _replay(
            self._states,
            np.array(stacks, np.int64),
            np.array([*settings, rules.void_deals, seat, void_deals], np.int64),
            _PACK,
            np.array(actions, np.int64).reshape(-1, 3),
            np.array(draws, np.int64).reshape(-1, 2),
            self._aside,
            self._end,
        )

    # --- the public history ---

    def violations(self) -> Iterator[Violation]:
        """Says what ended the replay before its time, if anything did."""
        if len(self._aside) >= self._void_limit:
            text = f"there are {len(self._aside)} void deals: {self._void_limit} of them end the deal (L7)"
            yield Violation(f"{self._path}.set_aside", _VOID, text)
            return
        end, i, why, _ = self._end.tolist()
        if end == _NO_BETS:
            text = "no deal can be void: fewer than two seats have chips to bet after the antes (L7)"
            yield Violation(f"{self._path}.set_aside", _VOID, text)
        elif end == _BAD_ACTION:
            yield self._bad_action(self._actions[i], why, f"{self._path}.actions[{i}]")
        elif end == _MORE_ACTIONS:
            yield self._left_over_action(f"{self._path}.actions[{i}]")
        elif end == _BAD_DRAW:
            turn = self.state.turn
            text = f"seat {self._draws[i].seat} is served, but it is the turn of seat {turn} (L9)"
            yield Violation(f"{self._path}.draws[{i}].seat", _TURN, text)
        elif end == _MORE_DRAWS:
            yield self._left_over_draw(f"{self._path}.draws[{i}]")

    def _bad_action(self, action: Action, why: int, path: str) -> Violation:
        s = self.state
        if why == _WRONG_ROUND:
            open_round = _ROUNDS[s.stage]
            text = f"it is of {_ROUNDS[action.stage]} round, but {open_round} is open (L7, L8, L11, L13)"
            return Violation(f"{path}.round", ErrorReason.ERROR_REASON_WRONG_ROUND, text)
        if why == _WRONG_TURN:
            text = f"seat {action.seat} acts, but it is the turn of seat {s.turn} (L13)"
            return Violation(f"{path}.seat", _TURN, text)
        if why == _WOULD_BE_VOID:
            text = (
                "all seats have passed: the deal is void. Void deals have no actions; the seat's own cards "
                "of each stand in set_aside (L7)"
            )
            return Violation(path, _VOID, text)
        hand = int(s.hand[s.turn])
        text = explain(why, s, hand, action.move)
        if limits := limits_allowing(s, hand, action.move):
            text += f"; with {' or '.join(limits)} it would be legal"
        return Violation(path, reason_of(why), text)

    def _left_over_action(self, path: str) -> Violation:
        if self.state.decision == DECIDE_NOTHING:
            return Violation(path, ErrorReason.ERROR_REASON_DEAL_OVER, "the deal is over (L11, L12)")
        text = f"the discards come first: it is the turn of seat {self.state.turn} to be served (L9)"
        return Violation(path, ErrorReason.ERROR_REASON_WRONG_ROUND, text)

    def _left_over_draw(self, path: str) -> Violation:
        s = self.state
        if s.stage == LAST or s.decision == DECIDE_NOTHING:
            text = "no seat that is still in is left to be served (L9)"
        else:
            text = f"nobody is served before {_ROUNDS[1]} betting round is over (L9)"
        return Violation(path, _DISCARDS, text)

    # --- the own cards ---

    def own_cards(
        self, hand: Sequence[int], set_aside: Sequence[Sequence[int]], discarded: Sequence[int]
    ) -> Iterator[Violation]:
        """Judges the cards that the seat states as its own, against what it was served and when."""
        marks = self._states["served"][0, self._seat].tolist()
        first = [mark for mark in marks[:4] if mark >= 0]
        drawn = [mark for mark in marks[4:] if mark >= 0]
        yield from self._sizes(len(hand), len(first), len(discarded), len(drawn))
        gone: dict[int, tuple[int, str]] = {}
        for i, cards in enumerate(set_aside):
            *served, back = self._aside[i].tolist()
            yield from self._again(cards, f"set_aside[{i}].cards", gone, [served])
            for j, card in enumerate(cards):
                gone[card] = back, f"set_aside[{i}].cards[{j}]"
        yield from self._again(discarded, "discarded", gone, [first])
        late = [card for card in discarded if card in gone]
        yield from self._again([*hand, *late], "hand", gone, [first, drawn], len(hand))
        for i, card in enumerate(hand):
            if card in discarded:
                text = f"{card_of(card)} stands in discarded too: it was not served for itself (L10)"
                yield Violation(f"{self._path}.hand[{i}]", _DUPLICATE, text)

    def _sizes(self, hand: int, expected: int, discarded: int, drawn: int) -> Iterator[Violation]:
        if hand != expected:
            text = f"there are {hand} cards in the hand: expected {expected} (L7 to L9)"
            yield Violation(f"{self._path}.hand", ErrorReason.ERROR_REASON_WRONG_HAND_SIZE, text)
        if discarded != drawn:
            text = f"there are {discarded} cards: the seat was served {drawn} for them (L9)"
            yield Violation(f"{self._path}.discarded", _DISCARDS, text)

    def _again(
        self,
        cards: Sequence[int],
        field: str,
        gone: dict[int, tuple[int, str]],
        served: Sequence[Sequence[int]],
        size: int | None = None,
    ) -> Iterator[Violation]:
        """Judges cards that were put away before: they came back only after a renewal of the stock (L10).

        Of the cards that may be back after some renewal, there cannot be more than were served after it.
        """
        if gone.keys().isdisjoint(cards):
            return
        for mark in range(1, MAX_RENEWALS):
            places = sum(at >= mark for part in served for at in part)
            late = [i for i, card in enumerate(cards) if card in gone and gone[card][0] >= mark]
            if len(late) <= places:
                continue
            i = late[-1] if size is None else next((i for i in reversed(late) if i < size), late[-1])
            text = (
                f"{card_of(cards[i])} stands at {gone[cards[i]][1]} already, and the seat was served "
                f"{places or 'no'} cards after that one could have come back with a new stock (L10)"
            )
            yield Violation(f"{self._path}.{field}[{i}]", _DUPLICATE, text)
            return

    def view(self, hand: int, set_aside: Sequence[Sequence[int]], discarded: Sequence[int]) -> np.ndarray:
        """Returns the VIEW of the seat, with its own cards: an array of one."""
        views = np.zeros(1, VIEW).view(RECORDS)
        _make_view(self._states, self._seat, views)
        views["own"] = hand
        gone = views["gone"][0]
        gone[:] = 0
        for cards, back in zip(set_aside, self._aside[:, 2], strict=True):
            gone[list(cards)] = back
        if discarded:
            gone[list(discarded)] = self._end[3]
        gone[members(hand)] = 0
        return views

    def is_consistent(self, v: np.record) -> bool:
        """Tells whether the cards that came back with a new stock find room where they may be."""
        if not v.renewals:
            return True
        hidden = [c for c in range(CARDS) if not int(v.own) >> c & 1 and 0 < v.gone[c] <= v.renewals]
        return all(
            sum(v.gone[card] >= mark for card in hidden) <= _places_since(v, mark)
            for mark in range(1, int(v.renewals) + 1)
        )


def _places_since(v: np.record, mark: int) -> int:
    """Counts the places that the seat cannot see and that were served after `mark` renewals or more.

    Where it is not known which of a seat's first cards it kept, as many as possible are counted.
    """
    count = int(v.stock_size)
    for q in range(v.seats):
        if q == v.seat:
            continue
        count += sum(int(v.aside[q, renewals]) for renewals in range(mark, MAX_RENEWALS))
        drawn = max(0, int(v.drawn[q]))
        first = sum(int(at) >= mark for at in v.served[q][:4])
        holds = bool((v.playing | v.folded) >> q & 1)
        # Its discards lie about unless the stock was renewed after its service.
        if drawn and v.served[q][3 + drawn] == v.renewals:
            count += first if holds else min(first, drawn)
        elif holds:
            count += min(first, 4 - drawn)
        if holds:
            count += sum(int(at) >= mark for at in v.served[q][4:])
    return count
