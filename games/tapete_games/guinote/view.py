"""Guiñote on the wire: views, moves and rules as messages.

Views are read by `check`, which judges them; this module writes them, and reads and writes moves.
"""

from tapete.v1 import (
    Card,
    GuinoteCante,
    GuinoteDecision,
    GuinoteMalas,
    GuinoteMove,
    GuinotePass,
    GuinoteRules,
    GuinoteScore,
    GuinoteSwap,
    GuinoteSwapMuestra,
    GuinoteSwapWindow,
    GuinoteTrick,
    GuinoteTute,
    GuinoteView,
    Suit,
)
from tapete_games.errors import ViewError, Violation
from tapete_games.fields import CardReader, read_kind, read_suit
from tapete_games.guinote.history import History
from tapete_games.guinote.moves import card_of, sorted_hand
from tapete_games.guinote.rules import SWITCHES, Malas, Rules
from tapete_games.guinote.state import PASS, SING, SWAP, TUTE

__all__ = [
    "CARD_READER",
    "WIRE_CARDS",
    "ViewWriter",
    "read_move",
    "write_move",
]

WIRE_CARDS = tuple(
    Card(suit=Suit.ValueType(card.suit + 1), rank=card.rank) for card in (card_of(code) for code in range(40))
)
"""The message of each card by its code. They are shared: messages that hold them copy them."""

CARD_READER = CardReader(WIRE_CARDS, "1 to 7, 10, 11 or 12 (G1)")
"""Reads the cards of the pack."""

# The wire counts suits, decisions and malas from 1; 0 is unspecified.
_SUITS = tuple(Suit.ValueType(suit + 1) for suit in range(4))
_DECISIONS = tuple(GuinoteDecision.ValueType(decision + 1) for decision in range(3))
_BEFORE_DRAW = GuinoteSwapWindow.GUINOTE_SWAP_WINDOW_BEFORE_DRAW
_OWN_TURN = GuinoteSwapWindow.GUINOTE_SWAP_WINDOW_OWN_TURN


def _write_rules(rules: Rules) -> GuinoteRules | None:
    """Writes the rules; None, which the wire leaves out, when all are default."""
    if rules == Rules():
        return None
    message = GuinoteRules()
    for name in SWITCHES:
        if getattr(rules, name):
            setattr(message, name, True)
    if rules.malas != Malas.THIRTY:
        message.malas = GuinoteMalas.ValueType(rules.malas + 1)
    if rules.points_per_coto != Rules.points_per_coto:
        message.points_per_coto = rules.points_per_coto
    return message


class ViewWriter:
    """Writes the views of one deal.

    What everybody sees is written once and grows with the history: a view costs a copy of it.
    """

    def __init__(
        self,
        rules: Rules,
        players: int,
        dealer: int,
        muestra: int,
        history: History,
        *,
        vueltas: tuple[int, int] | None = None,
        coto: tuple[int, int] = (0, 0),
    ) -> None:
        """Makes a writer.

        Args:
            rules: Rules in force.
            players: 2 or 4.
            dealer: Seat that dealt.
            muestra: Card first turned up.
            history: What has been played and announced; the caller lets it grow between the views.
            vueltas: Points carried by each side in a deal of vueltas, else None.
            coto: Points of the coto won by each side.
        """
        self._history = history
        self._cantes_written = 0
        self._public = GuinoteView(
            rules=_write_rules(rules),
            players=players,
            dealer=dealer,
            muestra=WIRE_CARDS[muestra],
            vueltas=vueltas and GuinoteScore(even_side=vueltas[0], odd_side=vueltas[1]),
            coto=GuinoteScore(even_side=coto[0], odd_side=coto[1]) if coto != (0, 0) else None,
        )

    def write(self, seat: int, hand: int, decision: int) -> GuinoteView:
        """Writes what a seat knows now.

        Args:
            seat: Whose view it is.
            hand: Set of the cards in its hand.
            decision: Kind of decision, as in the engine; not DECIDE_NOTHING.
        """
        self._catch_up()
        view = GuinoteView()
        view.CopyFrom(self._public)
        view.seat = seat
        view.hand.extend([WIRE_CARDS[card] for card in sorted_hand(hand)])
        view.decision = _DECISIONS[decision]
        return view

    def _catch_up(self) -> None:
        """Writes what has been added to the history since the last view."""
        public, history = self._public, self._history
        tricks = public.tricks
        # The last trick written may have been incomplete.
        if tricks:
            trick = history.tricks[len(tricks) - 1]
            cards = tricks[-1].cards
            if len(cards) < len(trick.cards):
                cards.extend([WIRE_CARDS[card] for card in trick.cards[len(cards) :]])
        for trick in history.tricks[len(tricks) :]:
            tricks.append(GuinoteTrick(leader=trick.leader, cards=[WIRE_CARDS[card] for card in trick.cards]))
        for seat, suit, after_tricks in history.cantes[self._cantes_written :]:
            public.cantes.append(GuinoteCante(seat=seat, suit=_SUITS[suit], after_tricks=after_tricks))
            self._cantes_written += 1
        if history.swap and not public.HasField("swap"):
            seat, after_tricks, is_before_draw = history.swap
            window = _BEFORE_DRAW if is_before_draw else _OWN_TURN
            public.swap.CopyFrom(GuinoteSwap(seat=seat, after_tricks=after_tricks, window=window))


def write_move(code: int) -> GuinoteMove:
    """Writes a move."""
    if code < SING:
        return GuinoteMove(play=WIRE_CARDS[code])
    if code < SWAP:
        return GuinoteMove(sing=_SUITS[code - SING])
    if code == SWAP:
        return GuinoteMove(swap=GuinoteSwapMuestra())
    if code == TUTE:
        return GuinoteMove(tute=GuinoteTute())
    return GuinoteMove(no_action=GuinotePass())


def read_move(move: GuinoteMove, path: str = "move.guinote") -> int:
    """Reads a move.

    Args:
        move: The message.
        path: Its path, for the violations.

    Returns:
        The engine's code.

    Raises:
        ViewError: It is not a move: nothing is set, a card or suit does not exist, or there are fields
            that this version does not know.
    """
    match kind := read_kind(move, path, "play, swap, sing, tute, no_action"):
        case "play":
            code = CARD_READER.read(move.play, f"{path}.play")
            if isinstance(code, Violation):
                raise ViewError([code])
            return code
        case "sing":
            suit = read_suit(move.sing, f"{path}.sing")
            if isinstance(suit, Violation):
                raise ViewError([suit])
            return SING + suit
    return {"swap": SWAP, "tute": TUTE, "no_action": PASS}[kind]
