"""The referee of a deal of Guiñote.

>>> deal = Deal(Rules(), players=2, dealer=1, pack=shuffled_pack(7))
>>> deal.asked, " ".join(format_move(move) for move in deal.legal_moves())
(0, '2O 7O 5C 1C 3E 5B')
>>> deal.play(deal.legal_moves()[1])
>>> deal.asked, deal.view().tricks[0].leader
(1, 0)
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tapete.v1 import GuinoteView
from tapete_games.errors import IllegalMoveError
from tapete_games.guinote import engine, state
from tapete_games.guinote.history import Cante, History, Swap, Trick
from tapete_games.guinote.moves import format_cards, format_move, move_list
from tapete_games.guinote.reasons import explain, reason_of, switches_allowing
from tapete_games.guinote.rules import Rules
from tapete_games.guinote.state import (
    DECIDE_NOTHING,
    DECIDE_PLAY,
    DECIDE_SWAP,
    LEGAL,
    MOVES,
    PASS,
    SING,
    STATE,
    SWAP,
    TUTE,
)
from tapete_games.guinote.view import ViewWriter
from tapete_games.kernel import kernel
from tapete_games.referee import Referee, cells_of

__all__ = ["Deal", "shuffled_pack"]

_CELL = cells_of(STATE)

_PACK = list(range(40))
_DECISION_NAMES = ("to swap or pass", "to announce or pass", "to play")


# Kernels are called with the array that holds the record: numba dispatches on it ten times faster.
@kernel
def _referee_deal(
    states: np.ndarray,
    players: int,
    dealer: int,
    flags: int,
    malas: int,
    pack: np.ndarray,
    carried: np.ndarray,
) -> None:
    """Deals `pack` into states[0]; `carried` is both sides' points in vueltas, else empty."""
    s = states[0]
    engine.deal(s, players, dealer, flags, malas, pack)
    if carried.size:
        s.vueltas = 1
        s.points[0] = carried[0]
        s.points[1] = carried[1]


@kernel
def _referee_move(states: np.ndarray, move: int) -> int:
    """Makes `move` on states[0] and returns LEGAL, or changes nothing and says why it is illegal."""
    s = states[0]
    why = engine.why_illegal(s, s.asked, s.hand[s.asked], move)
    if why == LEGAL:
        engine.apply(s, move)
    return why


@kernel
def _referee_moves(states: np.ndarray) -> int:
    """Returns the legal moves of the seat that states[0] asks."""
    s = states[0]
    return engine.legal_moves(s, s.asked, s.hand[s.asked])


@kernel
def _referee_winner(states: np.ndarray) -> int:
    """Returns the side that has won the point of states[0], or -1."""
    return engine.point_winner(states[0])


def shuffled_pack(seed: int) -> np.ndarray:
    """Returns the 40 cards in an order that is a function of the seed alone (numpy's PCG64)."""
    return np.random.Generator(np.random.PCG64(seed)).permutation(40)


class Deal(Referee):
    """One deal, from the distribution of the cards to its end: knows all cards, refuses illegal moves.

    Attributes:
        rules: Rules in force.
        players: 2 or 4.
        dealer: Seat that dealt.
        pack: The 40 cards in dealing order.
        vueltas: Points that each side carries into a deal of vueltas; None in the first deal of a point.
        coto: Points of the coto won by each side before this deal.
        history: What has been played and announced; nobody but this object changes it.
        moves: All moves made, passes included; likewise.
    """

    _DTYPE = STATE
    _HAND, _DECISION, _ASKED = _CELL["hand"], _CELL["decision"], _CELL["asked"]
    _OVER = DECIDE_NOTHING

    def __init__(
        self,
        rules: Rules,
        players: int,
        dealer: int,
        pack: Sequence[int] | np.ndarray,
        *,
        vueltas: tuple[int, int] | None = None,
        coto: tuple[int, int] = (0, 0),
    ) -> None:
        """Deals the cards (G3, G4).

        Args:
            rules: Rules in force.
            players: 2 or 4.
            dealer: Seat that deals; the next one is the mano.
            pack: The 40 cards in dealing order: three to each seat from the mano on, twice; then the
                muestra; then the stock, the card drawn first in front.
            vueltas: Points that each side carries into a deal of vueltas, each 0 to 100.
            coto: Points of the coto won by each side so far.

        Raises:
            ValueError: An argument is out of range, or `pack` is not the 40 cards.
        """
        if players not in (2, 4):
            raise ValueError(f"{players} players: expected 2 or 4 (G2)")
        if not 0 <= dealer < players:
            raise ValueError(f"dealer {dealer}: expected a seat from 0 to {players - 1}")
        cards = np.array(pack, dtype=np.int64)
        self.pack: list[int] = cards.tolist()
        if sorted(self.pack) != _PACK:
            raise ValueError(f"the pack is not the 40 cards, each once: {self.pack}")
        if vueltas and not (0 <= vueltas[0] < state.POINT and 0 <= vueltas[1] < state.POINT):
            raise ValueError(f"vueltas at {vueltas[0]}-{vueltas[1]}: expected 0 to 100 each (G25)")
        self.rules = rules
        self.players = players
        self.dealer = dealer
        self.vueltas = vueltas
        self.coto = coto
        self.history = History()
        self.moves: list[int] = []
        super().__init__()
        carried = np.array(vueltas or (), dtype=np.int64)
        _referee_deal(self._states, players, dealer, rules.flags, int(rules.malas), cards, carried)

    @property
    def muestra(self) -> int:
        """Card first turned up, whatever was swapped for it later."""
        return self.pack[6 * self.players]

    @property
    def points(self) -> tuple[int, int]:
        """Points of each side: carried, cards, last ten and cantes."""
        return self._cells.item(_CELL["points"]), self._cells.item(_CELL["points"] + 1)

    @property
    def winner(self) -> int | None:
        """Side that has won the point (G22 to G25); None in a deal that is not over, or ended in vueltas."""
        if not self.is_over:
            return None
        side = _referee_winner(self._states)
        return None if side < 0 else int(side)

    @property
    def next_dealer(self) -> int:
        """Seat that deals next (G5).

        Raises:
            ValueError: The deal is not over.
        """
        if not self.is_over:
            raise ValueError("nobody deals next before the deal is over")
        if self.rules.fixed_rotation:
            return (self.dealer + 1) % self.players
        return self._cells.item(_CELL["latest_winner"])

    def legal_moves(self) -> list[int]:
        """Lists the legal moves of the seat that is asked, ascending; none once the deal is over."""
        return move_list(_referee_moves(self._states))

    def play(self, move: int) -> None:
        """Makes a move for the seat that is asked.

        Args:
            move: Code of the move.

        Raises:
            IllegalMoveError: The rules forbid it; nothing has changed (G27).
            ValueError: There is no such code.
        """
        move = int(move)
        if not 0 <= move < MOVES:
            raise ValueError(f"move {move}: expected a code from 0 to {MOVES - 1}")
        cells = self._cells
        seat, decision, tricks = (
            cells.item(self._ASKED),
            cells.item(self._DECISION),
            cells.item(_CELL["tricks"]),
        )
        is_lead = cells.item(_CELL["trick_size"]) == 0
        why = _referee_move(self._states, move)
        if why != LEGAL:
            raise self._refusal(seat, move, why)
        self.moves.append(move)
        history = self.history
        if move < SING:
            if is_lead:
                history.tricks.append(Trick(seat, [move]))
            else:
                history.tricks[-1].cards.append(move)
        elif move < SWAP:
            history.cantes.append(Cante(seat, move - SING, tricks))
        elif move == SWAP:
            history.swap = Swap(seat, tricks, decision == DECIDE_SWAP)
        elif move == TUTE:
            history.tute_seat = seat
        else:
            assert move == PASS

    def view(self, seat: int | None = None) -> GuinoteView:
        """Writes what a seat knows, with the decision that is asked for.

        Args:
            seat: Whose view; the seat that is asked by default. In the windows of swapping and announcing
                any seat may be asked: one with nothing to decide has a pass alone.

        Raises:
            ValueError: The deal is over, or another seat than the one in turn would be asked to play.
        """
        asked, decision = self._cells.item(self._ASKED), self._cells.item(self._DECISION)
        if decision == DECIDE_NOTHING:
            raise ValueError("the deal is over: no seat is asked for anything")
        if seat is None:
            seat = asked
        elif not 0 <= seat < self.players:
            raise ValueError(f"seat {seat}: expected 0 to {self.players - 1}")
        elif decision == DECIDE_PLAY and seat != asked:
            raise ValueError(f"seat {seat} is not asked: it is the turn of seat {asked}")
        return self._writer.write(seat, self._cells.item(self._HAND + seat), decision)

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles a deal by its moves, for its arrays share memory."""
        start = (self.rules, self.players, self.dealer, self.pack, self.vueltas, self.coto)
        return _played, (*start, tuple(self.moves))

    @cached_property
    def _writer(self) -> ViewWriter:
        return ViewWriter(
            self.rules,
            self.players,
            self.dealer,
            self.muestra,
            self.history,
            vueltas=self.vueltas,
            coto=self.coto,
        )

    def _refusal(self, seat: int, move: int, why: int) -> IllegalMoveError:
        """Makes the error for an illegal move, with the position in notation."""
        s = self.state
        text = f"seat {seat}: {format_move(move)} is illegal: {explain(why)}"
        if why != state.DEAL_OVER:
            has_sung = any(cante[::2] == (seat, s.tricks) for cante in self.history.cantes)
            names = switches_allowing(s, seat, self.hand(seat), move, has_sung=has_sung)
            if names:
                text += f"; {' or '.join(names)} it would be legal"
            table = self.history.tricks[-1].cards if s.trick_size else []
            text += (
                f". Asked {_DECISION_NAMES[s.decision]}; hand {format_cards(self.hand(seat))}; "
                f"on the table {' '.join(map(format_move, table)) or '-'}; trumps {'OCEB'[s.trump]}"
            )
        return IllegalMoveError(text, reason_of(why), why)


def _played(
    rules: Rules,
    players: int,
    dealer: int,
    pack: Sequence[int],
    vueltas: tuple[int, int] | None,
    coto: tuple[int, int],
    moves: Sequence[int],
) -> Deal:
    deal = Deal(rules, players, dealer, pack, vueltas=vueltas, coto=coto)
    for move in moves:
        deal.play(move)
    return deal
