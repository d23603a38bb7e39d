"""Reads requests: bytes to messages, messages to checked questions, all violations together.

The view itself is checked by the game (`tapete_games.wire`); here stands what belongs to the service.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import TypeVar

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

from tapete.v1 import Budget as WireBudget
from tapete.v1 import (
    ChooseMoveRequest,
    ErrorReason,
    Game,
    GameMove,
    ListBotsRequest,
    ListLegalMovesRequest,
    StreamAnalysisRequest,
)
from tapete_bots.bot import Budget
from tapete_games.errors import ViewError, Violation
from tapete_games.position import Position
from tapete_games.wire import is_legal, read_game_move, read_position, write_game_move
from tapete_server.errors import InvalidRequestError, MalformedRequestError

__all__ = ["Question", "parse", "read_analysis", "read_choose", "read_legal", "read_list_bots"]

MAX_BOT_CHARACTERS = 200
MAX_ITERATIONS = 10_000_000
MAX_TIME = timedelta(seconds=600)
MAX_LEGAL_MOVES = 64
DEFAULT_INTERVAL = timedelta(milliseconds=200)
MIN_INTERVAL = timedelta(milliseconds=10)
MAX_INTERVAL = timedelta(seconds=60)

M = TypeVar("M", bound=Message)


@dataclass(frozen=True)
class Question:
    """A checked request for a move."""

    position: Position
    bot: str
    """Id as the caller wrote it; may be empty."""
    budget: Budget
    seed: int


def parse(message_type: type[M], raw: bytes) -> M:
    """Parses a request.

    Raises:
        MalformedRequestError: The bytes are no such message.
    """
    try:
        return message_type.FromString(raw)
    except DecodeError:
        raise MalformedRequestError(message_type.DESCRIPTOR.full_name) from None


class _Findings:
    """Collects the violations of one request."""

    def __init__(self) -> None:
        self.violations: list[Violation] = []
        self.count = 0

    def add(self, path: str, reason: "ErrorReason.ValueType", message: str) -> None:
        self.violations.append(Violation(path, reason, message))
        self.count += 1

    def add_all(self, error: ViewError) -> None:
        self.violations += error.violations
        self.count += error.total

    def check(self) -> None:
        """Raises InvalidRequestError if there are any."""
        if self.violations:
            raise InvalidRequestError(self.violations, count=self.count)


def _unknown_fields(message: Message, path: str) -> Iterator[tuple[str, int]]:
    """Lists path and number of each field that these stubs do not know, at any depth."""
    for unknown in UnknownFieldSet(message):  # type: ignore[attr-defined]
        yield path, unknown.field_number
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.is_repeated:
            for i, item in enumerate(value):
                yield from _unknown_fields(item, f"{path}.{field.name}[{i}]")
        else:
            yield from _unknown_fields(value, f"{path}.{field.name}")


def _refuse_unknown_fields(message: Message, path: str, found: _Findings) -> None:
    for where, number in _unknown_fields(message, path):
        found.add(
            where,
            ErrorReason.ERROR_REASON_UNKNOWN_FIELD,
            f"Field number {number} is not known to this server; it may be older than the client.",
        )


def _read_duration(
    duration: Duration, path: str, least: timedelta, most: timedelta, found: _Findings
) -> timedelta | None:
    seconds = duration.seconds + duration.nanos / 1e9
    if not (0 <= duration.nanos < 10**9 and least.total_seconds() <= seconds <= most.total_seconds()):
        found.add(
            path,
            ErrorReason.ERROR_REASON_OUT_OF_RANGE,
            f"{duration.seconds} s and {duration.nanos} ns is not a time from {least.total_seconds():g} s"
            f" to {most.total_seconds():g} s.",
        )
        return None
    return timedelta(seconds=duration.seconds, microseconds=duration.nanos // 1000)


def _read_budget(wire: WireBudget, path: str, found: _Findings) -> Budget:
    _refuse_unknown_fields(wire, path, found)
    iterations = wire.iterations if wire.HasField("iterations") else None
    if iterations is not None and iterations > MAX_ITERATIONS:
        found.add(
            f"{path}.iterations",
            ErrorReason.ERROR_REASON_OUT_OF_RANGE,
            f"{iterations} is more than {MAX_ITERATIONS} iterations.",
        )
    time = None
    if wire.HasField("time"):
        time = _read_duration(wire.time, f"{path}.time", timedelta(0), MAX_TIME, found)
    return Budget(iterations=iterations, time=time)


@lru_cache(maxsize=1024)
def _size_on_wire(game: "Game.ValueType", code: int) -> int:
    return write_game_move(game, code).ByteSize()


def _check_legal_moves(moves: list[GameMove], position: Position, path: str, found: _Findings) -> None:
    """Compares the moves that the caller holds legal with the rules."""
    if len(moves) > MAX_LEGAL_MOVES:
        message = f"{len(moves)} is more than {MAX_LEGAL_MOVES} moves."
        found.add(path, ErrorReason.ERROR_REASON_TOO_MANY, message)
        return
    given: dict[int, int] = {}
    before = found.count
    for i, move in enumerate(moves):
        where = f"{path}[{i}]"
        try:
            code = read_game_move(move, position.game, where)
        except ViewError as error:
            found.add_all(error)
            continue
        # Equal sizes leave no room for an unknown field; only unequal ones are worth the walk.
        if move.ByteSize() != _size_on_wire(position.game, code):
            _refuse_unknown_fields(move, where, found)
        given.setdefault(code, i)
    if found.count > before:
        return
    reason = ErrorReason.ERROR_REASON_LEGAL_MOVES_DIFFER
    for code in sorted(code for code in given if not is_legal(position, code)):
        found.add(f"{path}[{given[code]}]", reason, "The rules do not allow this move here.")
    missing = len(set(position.legal_moves) - given.keys())
    if missing:
        found.add(path, reason, f"{missing} moves that the rules allow are missing.")


def read_choose(request: ChooseMoveRequest, path: str = "") -> Question:
    """Checks a request for a move.

    Args:
        request: The request.
        path: Path of the request itself with a final dot, empty at the top.

    Raises:
        InvalidRequestError: With all violations.
    """
    found = _Findings()
    if len(request.bot) > MAX_BOT_CHARACTERS:
        found.add(
            f"{path}bot",
            ErrorReason.ERROR_REASON_OUT_OF_RANGE,
            f"{len(request.bot)} is more than {MAX_BOT_CHARACTERS} characters.",
        )
    if request.level:
        found.add(f"{path}level", ErrorReason.ERROR_REASON_NOT_OFFERED, "Levels are not offered yet.")
    if request.reproduction_token:
        found.add(
            f"{path}reproduction_token",
            ErrorReason.ERROR_REASON_NOT_OFFERED,
            "Reproduction tokens are not offered yet.",
        )
    budget = Budget()
    if request.HasField("budget"):
        budget = _read_budget(request.budget, f"{path}budget", found)
    position = None
    try:
        position = read_position(request.view, f"{path}view")
    except ViewError as error:
        found.add_all(error)
    else:
        if request.legal_moves:
            _check_legal_moves(list(request.legal_moves), position, f"{path}legal_moves", found)
    found.check()
    assert position is not None
    return Question(position, request.bot, budget, request.seed)


def read_analysis(request: StreamAnalysisRequest) -> tuple[Question, timedelta]:
    """Checks a request for an analysis; returns the question and the least time between two partials.

    Raises:
        InvalidRequestError: With all violations.
    """
    found = _Findings()
    interval: timedelta | None = DEFAULT_INTERVAL
    if request.HasField("interval"):
        interval = _read_duration(request.interval, "interval", MIN_INTERVAL, MAX_INTERVAL, found)
    question = None
    if not request.HasField("choose"):
        found.add("choose", ErrorReason.ERROR_REASON_MISSING_FIELD, "The question is missing.")
    else:
        try:
            question = read_choose(request.choose, "choose.")
        except InvalidRequestError as error:
            found.violations += error.violations
            found.count += error.violation_count
    found.check()
    assert question is not None
    assert interval is not None
    return question, interval


def read_legal(request: ListLegalMovesRequest) -> Position:
    """Checks a request for legal moves.

    Raises:
        InvalidRequestError: With all violations.
    """
    try:
        return read_position(request.view, "view")
    except ViewError as error:
        raise InvalidRequestError(error.violations, count=error.total) from None


def read_list_bots(request: ListBotsRequest) -> "Game.ValueType":
    """Checks a request for the list of bots; returns the game to keep.

    Raises:
        InvalidRequestError: The server does not know the game.
    """
    if request.game not in Game.values():
        message = f"{request.game} is not a game that this server knows."
        raise InvalidRequestError([Violation("game", ErrorReason.ERROR_REASON_OUT_OF_RANGE, message)])
    return request.game
