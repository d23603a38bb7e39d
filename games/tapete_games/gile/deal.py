"""The referee of a deal of Gilé.

>>> from tapete_games.gile.moves import parse_move
>>> deal = Deal(Rules(), stacks=(100, 100), dealer=1, pack=shuffled_pack(7))
>>> deal.asked, " / ".join(format_move(move) for move in deal.legal_moves())
(0, 'check / bet 1 / bet 99')
>>> deal.play(parse_move("bet 2"))
>>> deal.asked, deal.view().actions[0].amount
(1, 2)
>>> deal.play(parse_move("fold"))
>>> deal.returns
(1, -1)
"""

from collections.abc import Sequence
from operator import index
from typing import NamedTuple

import numpy as np

from tapete.v1 import GileView
from tapete_games.bits import members
from tapete_games.errors import IllegalMoveError
from tapete_games.gile import engine
from tapete_games.gile.history import Action, Draw, History
from tapete_games.gile.moves import amount_of, format_cards, format_move, kind_of
from tapete_games.gile.reasons import explain, limits_allowing, reason_of
from tapete_games.gile.rules import MAX_STACK, Rules
from tapete_games.gile.state import (
    BET,
    CALL,
    CARDS,
    CHECK,
    DECIDE_BET,
    DECIDE_DISCARD,
    DECIDE_NOTHING,
    DISCARD,
    FOLD,
    LEGAL,
    RAISE,
    STATE,
)
from tapete_games.gile.view import write_view
from tapete_games.kernel import kernel
from tapete_games.referee import Referee, cells_of

__all__ = ["MAX_SEED", "Deal", "Pot", "check_stacks", "legal_moves_of", "shuffled_pack"]

MAX_SEED = 2**63 - 1
"""Largest seed of the renewals of the stock."""

_CELL = cells_of(STATE)


# Kernels are called with the array that holds the record: numba dispatches on it ten times faster.
@kernel
def _referee_move(states: np.ndarray, move: int) -> int:
    """Makes `move` on states[0] and returns LEGAL, or changes nothing and says why it is illegal."""
    s = states[0]
    why = engine.why_illegal(s, s.hand[s.turn], move)
    if why == LEGAL:
        engine.apply(s, move)
    return why


@kernel
def _choices(records: np.ndarray, out: np.ndarray) -> None:
    """Writes what the seat in turn of records[0], a STATE or VIEW, may do.

    Args:
        records: An array of one.
        out: int64[5]: decision, chips to call, bet to call or raise, least and greatest total.
    """
    s = records[0]
    out[0] = s.decision
    out[1] = s.level - s.staked[s.turn]
    out[2] = s.level
    out[3] = engine.least_total(s)
    out[4] = engine.greatest_total(s)


class Pot(NamedTuple):
    """A pot: the main one or a side pot (L15)."""

    chips: int
    seats: tuple[int, ...]
    """Seats still in that may win it; an excess that one seat alone has paid goes back to it."""


def shuffled_pack(seed: int) -> np.ndarray:
    """Returns the 28 cards in an order that is a function of the seed alone (numpy's PCG64)."""
    return np.random.Generator(np.random.PCG64(seed)).permutation(CARDS)


def check_stacks(stacks: Sequence[int], dealer: int) -> None:
    """Checks that a deal may begin (L4 to L6).

    Raises:
        ValueError: There are too few or too many seats or chips, or the dealer has none.
    """
    if not 2 <= len(stacks) <= 5:
        raise ValueError(f"{len(stacks)} stacks: expected 2 to 5 (L4)")
    if not all(0 <= stack <= MAX_STACK for stack in stacks):
        raise ValueError(f"stacks {tuple(stacks)}: expected 0 to {MAX_STACK} chips each (L6)")
    if sum(stack > 0 for stack in stacks) < 2:
        raise ValueError(f"stacks {tuple(stacks)}: expected chips on two seats at least (L6)")
    if not 0 <= dealer < len(stacks) or not stacks[dealer]:
        raise ValueError(f"dealer {dealer}: expected a seat with chips (L5, L6)")


def legal_moves_of(records: np.ndarray, hand: int) -> list[int]:
    """Lists the legal moves of the seat in turn, ascending; of bets or raises the least and the greatest.

    Args:
        records: An array of one STATE or VIEW.
        hand: Set of the cards in the hand of that seat.
    """
    choices = np.zeros(5, np.int64)
    _choices(records, choices)
    decision, to_call, level, least, greatest = choices.tolist()
    if decision == DECIDE_NOTHING:
        return []
    if decision == DECIDE_DISCARD:
        # All subsets, from the empty one up: the next is found by counting through the gaps.
        sets = [0]
        while sets[-1] != hand:
            sets.append((sets[-1] - hand) & hand)
        return [DISCARD | cards for cards in sets]
    moves = [FOLD, CALL] if to_call else [CHECK]
    if least:
        kind = RAISE if level else BET
        moves += sorted({kind | least, kind | greatest})
    return moves


class Deal(Referee):
    """One deal, from the antes to its end: knows all cards, refuses illegal moves.

    Attributes:
        rules: Rules in force.
        stacks: Chips of each seat at the start, before the antes; a seat with 0 is not dealt in.
        dealer: Seat that dealt.
        pack: The 28 cards in dealing order.
        seed: Seed of the renewals of the stock.
        history: What has been done; nobody but this object changes it.
        moves: All moves made; likewise.
    """

    _DTYPE = STATE
    _HAND, _DECISION, _ASKED = _CELL["hand"], _CELL["decision"], _CELL["turn"]
    _OVER = DECIDE_NOTHING

    def __init__(
        self,
        rules: Rules,
        stacks: Sequence[int],
        dealer: int,
        pack: Sequence[int] | np.ndarray,
        seed: int = 0,
    ) -> None:
        """Takes the antes and deals the first cards (L6, L7).

        Args:
            rules: Rules in force.
            stacks: Chips of each of 2 to 5 seats, 0 to MAX_STACK; at least two have some.
            dealer: Seat that deals, one with chips; the next one with chips is the mano.
            pack: The 28 cards in dealing order: two to each seat from the mano on, then whatever is dealt
                or drawn.
            seed: Seed of the shuffles when the stock is renewed (L10), 0 to MAX_SEED.

        Raises:
            ValueError: An argument is out of range, or `pack` is not the 28 cards.
            TypeError: A stack is no whole number.
        """
        check_stacks(stacks, dealer)
        cards = np.array(pack, dtype=np.int64)
        self.pack: list[int] = cards.tolist()
        if sorted(self.pack) != list(range(CARDS)):
            raise ValueError(f"the pack is not the 28 cards, each once: {self.pack}")
        if not 0 <= seed <= MAX_SEED:
            raise ValueError(f"seed {seed}: expected 0 to {MAX_SEED} (L10)")
        self.rules = rules
        self.stacks = tuple(map(index, stacks))
        self.dealer = dealer
        self.seed = seed
        self.history = History()
        self.moves: list[int] = []
        super().__init__()
        engine.deal(
            self._states[0],
            np.array(self.stacks, np.int64),
            len(self.stacks),
            dealer,
            int(rules.limit),
            int(rules.suit_rank),
            rules.ante,
            rules.minimum_bet,
            rules.void_deals,
            cards,
            seed,
        )

    @property
    def ended(self) -> int:
        """How the deal ended, as in the engine: SHOWDOWN, LAST_ONE_IN or VOID; UNDER_WAY before."""
        return int(self.state.ended)

    @property
    def chips(self) -> tuple[int, ...]:
        """Chips of each seat, those in the pot left out; what it goes on with once the deal is over."""
        return tuple(self._of_seats(_CELL["chips"]))

    @property
    def returns(self) -> tuple[int, ...] | None:
        """Chips that each seat has won or lost; None before the end."""
        if not self.is_over:
            return None
        return tuple(chips - stack for chips, stack in zip(self.chips, self.stacks, strict=True))

    @property
    def pots(self) -> list[Pot]:
        """The pots as they are now, the main pot first (L15)."""
        paid = [int(self.state.paid[q]) for q in range(len(self.stacks))]
        playing = members(self.state.playing)
        pots: list[Pot] = []
        below = 0
        for top in sorted({amount for amount in paid if amount}):
            chips = sum(min(amount, top) - min(amount, below) for amount in paid)
            seats = tuple(q for q in playing if paid[q] >= top)
            below = top
            # Layers that the same seats may win are one pot.
            if pots and (not seats or pots[-1].seats == seats):
                pots[-1] = Pot(pots[-1].chips + chips, pots[-1].seats)
            else:
                pots.append(Pot(chips, seats))
        return pots

    @property
    def next_dealer(self) -> int:
        """Seat that deals next: the next one that has chips (L5).

        Raises:
            ValueError: The deal is not over.
        """
        if not self.is_over:
            raise ValueError("nobody deals next before the deal is over")
        seats = len(self.stacks)
        after = [(self.dealer + i) % seats for i in range(1, seats + 1)]
        return next(seat for seat in after if self.chips[seat])

    def legal_moves(self) -> list[int]:
        """Lists the legal moves of the seat that is asked; of bets or raises the least and the greatest."""
        return legal_moves_of(self._states, self.hand(self.asked))

    def play(self, move: int) -> None:
        """Makes a move for the seat that is asked.

        Args:
            move: Code of the move.

        Raises:
            IllegalMoveError: The rules forbid it; nothing has changed.
            ValueError: There is no such code.
        """
        move = int(move)
        kind, argument = kind_of(move), amount_of(move)
        if kind not in (FOLD, CHECK, CALL, BET, RAISE, DISCARD) or (kind < BET and argument):
            raise ValueError(f"move {move}: there is no such code")
        if kind == DISCARD and argument >> CARDS:
            raise ValueError(f"move {move}: expected a set of the 28 cards")
        cells = self._cells
        seat, stage, voids = cells.item(self._ASKED), cells.item(_CELL["stage"]), cells.item(_CELL["voids"])
        # Their two cards lie aside if this passes out the first round.
        hands = tuple(self._of_seats(self._HAND)) if kind == CHECK else ()
        why = _referee_move(self._states, move)
        if why != LEGAL:
            raise self._refusal(seat, move, why)
        self.moves.append(move)
        history = self.history
        if kind == DISCARD:
            history.discarded[seat] = argument
            history.draws.append(Draw(seat, argument.bit_count()))
        elif cells.item(_CELL["voids"]) > voids:
            history.actions.clear()
            history.set_aside.append(hands)
        else:
            history.actions.append(Action(stage, seat, move))

    def view(self, seat: int | None = None) -> GileView:
        """Writes what the seat that is asked knows, with the decision that is asked for.

        Args:
            seat: Whose view: only the seat that is asked, the default, has one.

        Raises:
            ValueError: The deal is over, or another seat is asked.
        """
        if self.is_over:
            raise ValueError("the deal is over: no seat is asked for anything")
        asked = self.asked
        if seat is not None and seat != asked:
            raise ValueError(f"seat {seat} is not asked: it is the turn of seat {asked}")
        return write_view(
            self.rules, self.stacks, self.dealer, self.history, asked, self.hand(asked), self.decision
        )

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles a deal by its moves, for its arrays share memory."""
        start = (self.rules, self.stacks, self.dealer, self.pack, self.seed)
        return _played, (*start, tuple(self.moves))

    def _of_seats(self, cell: int) -> list[int]:
        """Returns a field of the state that each seat has one of."""
        return self._cells[cell : cell + len(self.stacks)].tolist()

    def _refusal(self, seat: int, move: int, why: int) -> IllegalMoveError:
        """Makes the error for an illegal move, with the position in notation."""
        s, hand = self.state, self.hand(seat)
        text = f"seat {seat}: {format_move(move)} is illegal: {explain(why, s, hand, move)}"
        if s.decision == DECIDE_BET:
            limits = limits_allowing(s, hand, move)
            if limits:
                text += f"; with {' or '.join(limits)} it would be legal"
            text += (
                f". Round {s.stage + 1}; pot {s.pot}; bet to {s.level}; the seat has staked "
                f"{s.staked[seat]} and has {s.chips[seat]} behind; hand {format_cards(hand)}"
            )
        elif s.decision == DECIDE_DISCARD:
            text += f". Hand {format_cards(hand)}"
        return IllegalMoveError(text, reason_of(why), why)


def _played(
    rules: Rules,
    stacks: Sequence[int],
    dealer: int,
    pack: Sequence[int],
    seed: int,
    moves: Sequence[int],
) -> Deal:
    deal = Deal(rules, stacks, dealer, pack, seed)
    for move in moves:
        deal.play(move)
    return deal
