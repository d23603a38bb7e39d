"""Reads a view from the wire and checks it against its own history; `docs/guinote.md` lists every check.

First the fields are read, one by one, then the history they tell is replayed (see `judge`). All that is
wrong is reported together, in the order of the message and then of the history. The replay is left out
where a fault in the fields leaves nothing definite to replay.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np

from tapete.v1 import Card as WireCard
from tapete.v1 import (
    ErrorReason,
    Game,
    GuinoteCante,
    GuinoteDecision,
    GuinoteMalas,
    GuinoteRules,
    GuinoteScore,
    GuinoteSwap,
    GuinoteSwapWindow,
    GuinoteView,
)
from tapete_games.errors import ViewError, Violation
from tapete_games.fields import NO_CARD, FieldReader, read_suit
from tapete_games.guinote.findings import find_violations
from tapete_games.guinote.judge import judge
from tapete_games.guinote.moves import card_of, move_list
from tapete_games.guinote.rules import MAX_POINTS_PER_COTO, SWITCHES, Malas, Rules
from tapete_games.guinote.state import POINT
from tapete_games.guinote.view import CARD_READER
from tapete_games.position import Position

__all__ = ["read_view"]

_MISSING = ErrorReason.ERROR_REASON_MISSING_FIELD
_RANGE = ErrorReason.ERROR_REASON_OUT_OF_RANGE
_TOO_MANY = ErrorReason.ERROR_REASON_TOO_MANY
_SCORE = ErrorReason.ERROR_REASON_IMPOSSIBLE_SCORE
_CANTE = ErrorReason.ERROR_REASON_ILLEGAL_CANTE
_SWAP = ErrorReason.ERROR_REASON_ILLEGAL_SWAP
_TRICK_SIZE = ErrorReason.ERROR_REASON_WRONG_TRICK_SIZE

_CODES = CARD_READER.codes
_FLAGS = tuple(SWITCHES.items())
_VUELTAS_TOTALS = (130, 150, 170, 190)


def read_view(view: GuinoteView, path: str = "view.guinote") -> Position:
    """Reads and checks a view.

    Args:
        view: The message; left as it is.
        path: Its path, for the violations.

    Raises:
        ViewError: Something in it is wrong, or no deal of the hidden cards explains it.
    """
    reader = _Reader(path)
    history = reader.read(view)
    if history is not None:
        verdict = judge(history)
        if verdict.moves and not reader.total:
            record: np.record = verdict.view.view(np.recarray)[0]
            legal_moves = tuple(move_list(verdict.moves))
            return Position(Game.GAME_GUINOTE, record, reader.rules, view.seat, legal_moves, reader.coto)
        for violation in find_violations(history, verdict.codes, reader.hand, path):
            reader.add(violation)
    raise ViewError(reader.violations, reader.total)


class _Reader(FieldReader):
    """Reads the fields of a view into a HISTORY."""

    def __init__(self, path: str) -> None:
        super().__init__(path, CARD_READER)
        self.rules = Rules()
        self.coto = (0, 0)
        self.hand: list[int] = []

    def read(self, view: GuinoteView) -> np.ndarray | None:
        """Returns the history of the view as the cells of a HISTORY; None if it is not definite enough."""
        self.refuse_unknown_fields(view)
        flags, malas = self._read_rules(view.rules) if view.HasField("rules") else (0, Malas.THIRTY)
        players = self._read_players(view)
        most = (players or 4) - 1
        seat = self.number(view, "seat", "", 0, most)
        dealer = self.number(view, "dealer", "", 0, most)
        muestra = NO_CARD
        if view.HasField("muestra"):
            muestra = self.card(view.muestra, "muestra")
        else:
            self.block("muestra", _MISSING, "the muestra as first turned up is required (G4)")
        hand = self.hand = self._read_hand(view)
        leaders, cards = self._read_tricks(view, players)
        self._find_duplicates(view, hand, cards)
        complete = len(leaders) - (len(leaders) > 0 and len(view.tricks[-1].cards) < players)
        swap = self._read_swap(view.swap, players, complete) if view.HasField("swap") else (0, 0, 0)
        cantes = self._read_cantes(view, players, complete) if view.cantes else _NO_CANTES
        vueltas = self._read_vueltas(view.vueltas) if view.HasField("vueltas") else (0, 0, 0)
        if view.HasField("coto"):
            self._read_coto(view.coto)
        decision = self._read_decision(view.decision)
        if not self.is_definite:
            return None
        own = 0
        for card in hand:
            own |= 1 << card
        # In the order of HISTORY.
        flat = [players, dealer, flags, malas, muestra, *vueltas, seat, own, decision, *swap, *cantes]
        flat += [len(cards), *leaders, *[0] * (20 - len(leaders)), *cards, *[0] * (40 - len(cards))]
        return np.array(flat, np.int64)

    # --- single fields ---

    def _read_rules(self, rules: GuinoteRules) -> tuple[int, int]:
        flags = 0
        for name, flag in _FLAGS:
            if getattr(rules, name):
                flags |= flag
        # The wire counts from 1, and 0 is the default.
        malas = rules.malas - 1 if rules.malas else Malas.THIRTY
        points = rules.points_per_coto if rules.HasField("points_per_coto") else Rules.points_per_coto
        if not 0 <= malas <= 2:
            expected = "1 to 3 (" + ", ".join(GuinoteMalas.keys()[1:]) + ")"
            self.fault("rules.malas", _RANGE, f"malas is {rules.malas}: expected {expected} (G24)")
            malas = Malas.THIRTY
        if not 1 <= points <= MAX_POINTS_PER_COTO:
            message = f"points_per_coto is {points}: expected 1 to {MAX_POINTS_PER_COTO} (G26)"
            self.fault("rules.points_per_coto", _RANGE, message)
            points = MAX_POINTS_PER_COTO
        self.rules = _rules(flags, malas, points)
        return flags, malas

    def _read_players(self, view: GuinoteView) -> int:
        """Reads the number of players; 0 if it is wrong."""
        if not view.HasField("players"):
            self.block("players", _MISSING, "players is required: 2 or 4 (G2)")
        elif view.players in (2, 4):
            return view.players
        else:
            self.block("players", _RANGE, f"players is {view.players}: expected 2 or 4 (G2)")
        return 0

    def _read_decision(self, decision: int) -> int:
        if decision == 0:
            self.block("decision", _MISSING, "the decision asked for is required")
        elif not 1 <= decision <= 3:
            expected = "1 to 3 (" + ", ".join(GuinoteDecision.keys()[1:]) + ")"
            self.block("decision", _RANGE, f"the decision is {decision}: expected {expected}")
        return decision - 1

    # --- cards ---

    def _read_hand(self, view: GuinoteView) -> list[int]:
        cards: Iterable[WireCard] = view.hand
        if len(view.hand) > 6:
            self.block("hand", _TOO_MANY, f"there are {len(view.hand)} cards in the hand: at most 6 (G3)")
            cards = view.hand[:6]
        hand = [_CODES.get((card.suit, card.rank), NO_CARD) for card in cards]
        if NO_CARD in hand:
            hand = [self.card(view.hand[i], f"hand[{i}]") for i in range(len(hand))]
        return hand

    def _read_tricks(self, view: GuinoteView, players: int) -> tuple[list[int], list[int]]:
        """Reads the leaders and, in the order played, the cards of the tricks."""
        leaders: list[int] = []
        cards: list[int] = []
        count, most = len(view.tricks), 40 // players if players else 20
        if count > most:
            self.block("tricks", _TOO_MANY, f"there are {count} tricks: at most {most} (G3, G4)")
            count = most
        for number, trick in enumerate(view.tricks):
            if number == count:
                break
            leader = trick.leader
            # An absent leader reads as 0.
            if leader >= players or not (leader or trick.HasField("leader")):
                leader = self.number(trick, "leader", f"tricks[{number}].", 0, (players or 4) - 1)
            leaders.append(leader)
            if len(trick.cards) == players:
                codes = [_CODES.get((card.suit, card.rank), NO_CARD) for card in trick.cards]
            else:
                codes = self._read_odd_trick(view, number, players)
            if NO_CARD in codes:
                field = f"tricks[{number}].cards"
                codes = [self.card(trick.cards[i], f"{field}[{i}]") for i in range(len(codes))]
            cards += codes
        return leaders, cards

    def _read_odd_trick(self, view: GuinoteView, number: int, players: int) -> list[int]:
        """Reads a trick that has not one card of each seat: only the last one may have fewer."""
        trick = view.tricks[number]
        size = len(trick.cards)
        codes = [_CODES.get((card.suit, card.rank), NO_CARD) for card in trick.cards[: players or 4]]
        field = f"tricks[{number}]"
        if size == 0:
            self.block(field, _TRICK_SIZE, "it has no card: a trick is stated from its first card on")
        elif size > (players or 4):
            message = f"it has {size} cards: at most one of each of {players or 4} seats (G6)"
            self.block(field, _TRICK_SIZE, message)
        elif players and number + 1 < len(view.tricks):
            message = (
                f"it has {size} cards but is not the last one: expected one of each of {players} seats (G6)"
            )
            self.block(field, _TRICK_SIZE, message)
        return codes

    def _find_duplicates(self, view: GuinoteView, hand: list[int], cards: list[int]) -> None:
        """Refuses cards that stand twice in tricks and hand; the muestra's place the replay judges."""
        if len({*hand, *cards}) == len(hand) + len(cards):
            return
        places: dict[int, str] = {}
        for field, card in _places(view):
            code = _CODES.get((card.suit, card.rank), NO_CARD)
            if code == NO_CARD:
                continue
            if code in places:
                message = f"{card_of(code)} stands at {places[code]} already: there is one of each card (G1)"
                self.block(field, ErrorReason.ERROR_REASON_DUPLICATE_CARD, message)
            else:
                places[code] = field

    # --- announcements ---

    def _read_swap(self, swap: GuinoteSwap, players: int, complete: int) -> tuple[int, int, int]:
        seat = self.number(swap, "seat", "swap.", 0, (players or 4) - 1)
        after = self.number(swap, "after_tricks", "swap.", 1, 4 if players == 4 else 14)
        window = swap.window
        if window == 0:
            self.block("swap.window", _MISSING, "the window of the swap is required (G17)")
        elif not 1 <= window <= 2:
            expected = "1 or 2 (" + ", ".join(GuinoteSwapWindow.keys()[1:]) + ")"
            self.block("swap.window", _RANGE, f"the window is {window}: expected {expected} (G17)")
        if players and after > complete:
            message = f"the swap is after {after} tricks, but only {complete} are complete (G17)"
            self.block("swap.after_tricks", _SWAP, message)
        return seat, after, window

    def _read_cantes(self, view: GuinoteView, players: int, complete: int) -> list[int]:
        """Reads the cantes as HISTORY holds them: four seats, four suits, four numbers of tricks."""
        cantes = [0] * 12
        if len(view.cantes) > 4:
            message = f"there are {len(view.cantes)} cantes: at most 4, one a suit (G19)"
            self.block("cantes", _TOO_MANY, message)
        latest = 0
        for i, cante in enumerate(view.cantes):
            if i == 4:
                break
            seat, suit, after = self._read_cante(cante, f"cantes[{i}].", players)
            field = f"cantes[{i}].after_tricks"
            if players and after > complete:
                message = f"the cante is after {after} tricks, but only {complete} are complete (G21)"
                self.block(field, _CANTE, message)
            elif 0 < after < latest:
                message = f"the cante is after {after} tricks, the one before it after {latest}: oldest first"
                self.block(field, _CANTE, message)
            latest = max(latest, after)
            cantes[i], cantes[4 + i], cantes[8 + i] = seat, suit, after
        return cantes

    def _read_cante(self, cante: GuinoteCante, prefix: str, players: int) -> tuple[int, int, int]:
        seat = self.number(cante, "seat", prefix, 0, (players or 4) - 1)
        suit = read_suit(cante.suit, f"{self.path}.{prefix}suit")
        after = self.number(cante, "after_tricks", prefix, 1, 9 if players == 4 else 19)
        if isinstance(suit, Violation):
            self.is_definite = False
            self.add(suit)
            suit = 0
        return seat, suit, after

    # --- scores ---

    def _read_score(self, score: GuinoteScore, field: str) -> tuple[int, int] | None:
        """Reads a pair of numbers; None if one is missing."""
        is_whole = True
        for side in ("even_side", "odd_side"):
            if not score.HasField(side):
                self.fault(f"{field}.{side}", _MISSING, f"{side} is required (G2)")
                is_whole = False
        return (score.even_side, score.odd_side) if is_whole else None

    def _read_vueltas(self, score: GuinoteScore) -> tuple[int, int, int]:
        """Reads the points carried, with a 1 before them in a deal of vueltas."""
        carried = self._read_score(score, "vueltas")
        if carried is None:
            return 0, 0, 0
        is_possible = True
        for side, points in zip(("even_side", "odd_side"), carried, strict=True):
            if points >= POINT:
                message = f"{points} points are carried: a side with {POINT} goes to no vueltas (G24, G25)"
                self.fault(f"vueltas.{side}", _SCORE, message)
                is_possible = False
        if is_possible and sum(carried) not in _VUELTAS_TOTALS:
            expected = ", ".join(map(str, _VUELTAS_TOTALS))
            message = (
                f"{carried[0]} and {carried[1]} points add up to {sum(carried)}: the cards, the last ten and "
                f"the cantes of the deal before make one of {expected} (G1, G19, G23)"
            )
            self.fault("vueltas", _SCORE, message)
            is_possible = False
        return (1, *carried) if is_possible else (0, 0, 0)

    def _read_coto(self, score: GuinoteScore) -> None:
        coto = self._read_score(score, "coto")
        if coto is None:
            return
        self.coto = coto
        for side, points in zip(("even_side", "odd_side"), coto, strict=True):
            if points >= self.rules.points_per_coto:
                most = self.rules.points_per_coto
                message = f"the side has {points} points: at {most} the coto is won and the match over (G26)"
                self.fault(f"coto.{side}", _SCORE, message)


_NO_CANTES = [0] * 12


@lru_cache(maxsize=256)
def _rules(flags: int, malas: int, points_per_coto: int) -> Rules:
    return Rules.of_flags(flags, Malas(malas), points_per_coto)


def _places(view: GuinoteView) -> Iterator[tuple[str, WireCard]]:
    """Lists the cards of tricks and hand with the paths of their fields."""
    for number, trick in enumerate(view.tricks[:20]):
        for i, card in enumerate(trick.cards[:4]):
            yield f"tricks[{number}].cards[{i}]", card
    for i, card in enumerate(view.hand[:6]):
        yield f"hand[{i}]", card
