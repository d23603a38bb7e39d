"""Reading the fields of messages: what views and moves of every game have in common."""

from collections.abc import Iterator, Mapping

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from tapete.v1 import Card, ErrorReason
from tapete_games.errors import MAX_VIOLATIONS, ViewError, Violation

__all__ = ["NO_CARD", "CardReader", "FieldReader", "has_unknown_fields", "read_kind", "read_suit"]

NO_CARD = -1

_MISSING = ErrorReason.ERROR_REASON_MISSING_FIELD
_RANGE = ErrorReason.ERROR_REASON_OUT_OF_RANGE


def has_unknown_fields(message: Message) -> bool:
    """Tells whether `message` itself, its submessages aside, has fields that this version does not know."""
    return len(UnknownFieldSet(message)) > 0


def unknown_fields(path: str) -> Violation:
    """Makes the violation of a part of a move that has unknown fields."""
    message = "there are fields here that this version does not know; it refuses them lest it drop a rule"
    return Violation(path, ErrorReason.ERROR_REASON_UNKNOWN_FIELD, message)


def read_kind(move: Message, path: str, kinds: str) -> str:
    """Reads which move a message holds, and refuses fields that this version does not know.

    Args:
        move: A message with a `oneof` of the name `move`; of a move without contents its submessage is
            looked at too.
        path: Its path.
        kinds: What it may hold, in words.

    Raises:
        ViewError: Nothing is set, or there are unknown fields.
    """
    if has_unknown_fields(move):
        raise ViewError([unknown_fields(path)])
    kind = move.WhichOneof("move")
    if kind is None:
        text = f"a move is required: one of {kinds}"
        raise ViewError([Violation(path, _MISSING, text)])
    content = getattr(move, kind)
    if isinstance(content, Message) and has_unknown_fields(content):
        raise ViewError([unknown_fields(f"{path}.{kind}")])
    return str(kind)


def read_suit(suit: int, path: str) -> int | Violation:
    """Reads a suit: 0 to 3, or what is wrong with it at `path`."""
    if 1 <= suit <= 4:
        return suit - 1
    if suit == 0:
        return Violation(path, _MISSING, "a suit is required")
    return Violation(path, _RANGE, f"the suit is {suit}: expected 1 to 4 (oros, copas, espadas, bastos)")


class CardReader:
    """Reads the cards of one game's pack.

    Attributes:
        codes: The engine's code of each card by its suit and rank on the wire.
    """

    def __init__(self, cards: tuple[Card, ...], ranks: str) -> None:
        """Makes a reader.

        Args:
            cards: The message of each card by its code.
            ranks: What a rank must be, in words, with the number of the rule.
        """
        self.codes: Mapping[tuple[int, int], int] = {
            (card.suit, card.rank): code for code, card in enumerate(cards)
        }
        self._ranks = ranks

    def faults(self, card: Card, path: str) -> Iterator[Violation]:
        """Lists what is wrong with a card."""
        if isinstance(suit := read_suit(card.suit, f"{path}.suit"), Violation):
            yield suit
        if (1, card.rank) not in self.codes:
            yield Violation(f"{path}.rank", _RANGE, f"the rank is {card.rank}: expected {self._ranks}")

    def read(self, card: Card, path: str) -> int | Violation:
        """Reads a card of a move: its code, or the first thing that is wrong with it."""
        if has_unknown_fields(card):
            return unknown_fields(path)
        code = self.codes.get((card.suit, card.rank))
        return next(self.faults(card, path)) if code is None else code


class FieldReader:
    """Reads the fields of a view one by one and gathers what is wrong with them.

    Attributes:
        path: Path of the view.
        violations: The first violations, at most MAX_VIOLATIONS.
        total: How many there are.
        is_definite: Whether the fields that a replay needs are all in order.
    """

    def __init__(self, path: str, cards: CardReader) -> None:
        self.path = path
        self.violations: list[Violation] = []
        self.total = 0
        self.is_definite = True
        self._cards = cards

    def add(self, violation: Violation) -> None:
        """Notes a violation; past MAX_VIOLATIONS it is only counted."""
        self.total += 1
        if len(self.violations) < MAX_VIOLATIONS:
            self.violations.append(violation)

    def fault(self, field: str, reason: "ErrorReason.ValueType", message: str) -> None:
        """Notes a fault."""
        self.add(Violation(f"{self.path}.{field}", reason, message))

    def block(self, field: str, reason: "ErrorReason.ValueType", message: str) -> None:
        """Notes a fault that leaves nothing definite to replay."""
        self.is_definite = False
        self.fault(field, reason, message)

    def number(self, message: Message, field: str, prefix: str, least: int, most: int) -> int:
        """Reads a required number, -1 if it is wrong; `prefix` is the path of `message` with its dot."""
        if not message.HasField(field):
            self.block(prefix + field, _MISSING, f"{field} is required: {least} to {most}")
            return -1
        value: int = getattr(message, field)
        if not least <= value <= most:
            self.block(prefix + field, _RANGE, f"{field} is {value}: expected {least} to {most}")
            return -1
        return value

    def card(self, card: Card, field: str) -> int:
        """Reads a card, NO_CARD if it is wrong."""
        code = self._cards.codes.get((card.suit, card.rank), NO_CARD)
        if code == NO_CARD:
            self.is_definite = False
            for violation in self._cards.faults(card, f"{self.path}.{field}"):
                self.add(violation)
        return code

    def refuse_unknown_fields(self, view: Message) -> None:
        """Notes a violation for each message in the view that has fields unknown to this version."""
        known = type(view)()
        known.CopyFrom(view)
        known.DiscardUnknownFields()
        if known.ByteSize() == view.ByteSize():
            return
        for path in _paths_of_unknown_fields(view, self.path):
            message = (
                "it has a field that this version does not know; to skip it might drop a rule in silence"
            )
            self.add(Violation(path, ErrorReason.ERROR_REASON_UNKNOWN_FIELD, message))


def _paths_of_unknown_fields(message: Message, path: str) -> Iterator[str]:
    """Lists the paths of the messages in `message` that carry fields unknown to this version."""
    if has_unknown_fields(message):
        yield path
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if isinstance(value, Message):
            yield from _paths_of_unknown_fields(value, f"{path}.{field.name}")
        else:
            for i, member in enumerate(value):
                yield from _paths_of_unknown_fields(member, f"{path}.{field.name}[{i}]")
