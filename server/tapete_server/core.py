"""The service itself, free of any transport: messages in, messages or ServiceErrors out.

Cancelling the task that awaits an answer cancels the search behind it. Deadlines are moments of
`time.monotonic()`.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar

from tapete.v1 import (
    ChooseMoveRequest,
    ChooseMoveResponse,
    ErrorReason,
    Game,
    ListBotsRequest,
    ListBotsResponse,
    ListLegalMovesRequest,
    ListLegalMovesResponse,
    StoppedBy,
    StreamAnalysisRequest,
    StreamAnalysisResponse,
)
from tapete_bots.bot import Answer, Bot
from tapete_bots.registry import (
    BotIdError,
    InvalidOptionError,
    RetiredBotError,
    UnknownBotError,
    UnknownOptionError,
)
from tapete_games.errors import Violation
from tapete_games.wire import is_legal
from tapete_server.answers import write_bots, write_choice, write_legal_moves, write_partial
from tapete_server.catalogue import BUILT_IN, Catalogue
from tapete_server.config import ServerConfig
from tapete_server.errors import (
    InvalidRequestError,
    NotFoundError,
    NotReadyError,
    ServiceError,
    ShuttingDownError,
)
from tapete_server.partials import Partials
from tapete_server.requests import Question, read_analysis, read_choose, read_legal, read_list_bots
from tapete_server.search import Search, SearchRoom

__all__ = ["BotCore", "Phase", "Reply"]

R = TypeVar("R")

_STOPPED_BY = {value: name.removeprefix("STOPPED_BY_") for name, value in StoppedBy.items()}


class Phase(Enum):
    """Where a server is between start and end."""

    WARMING_UP = "warming up"
    SERVING = "serving"
    DRAINING = "draining"


@dataclass(frozen=True)
class Reply(Generic[R]):
    """An answer with what was measured on the way, which is no part of the message."""

    message: R
    think_ms: float = 0.0
    """Time that the bot took."""
    queue_ms: float = 0.0
    """Time spent waiting for a thread."""
    log: dict[str, object] = field(default_factory=dict)
    """What the log says about it."""


class BotCore:
    """Answers the calls of BotService; lives on one event loop."""

    def __init__(self, config: ServerConfig, catalogue: Catalogue = BUILT_IN) -> None:
        """Makes a service that is not ready yet: `phase` is set by its owner."""
        self.phase = Phase.WARMING_UP
        self.room = SearchRoom(config)
        self._catalogue = catalogue

    def list_bots(self, request: ListBotsRequest) -> Reply[ListBotsResponse]:
        """Lists the bots; also while warming up.

        Raises:
            ServiceError: The call is refused.
        """
        if self.phase is Phase.DRAINING:
            raise ShuttingDownError
        game = read_list_bots(request)
        return Reply(write_bots(self._catalogue.infos(), game))

    def list_legal_moves(self, request: ListLegalMovesRequest) -> Reply[ListLegalMovesResponse]:
        """Lists the legal moves of a view.

        Raises:
            ServiceError: The call is refused.
        """
        self._check_phase()
        return Reply(write_legal_moves(read_legal(request)))

    async def choose(
        self, request: ChooseMoveRequest, deadline: float | None = None
    ) -> Reply[ChooseMoveResponse]:
        """Answers a view with a move.

        Raises:
            ServiceError: The call is refused.
        """
        self.check_room()
        question = read_choose(request)
        bot = self._bot(question, "bot")
        search = await self.room.begin(bot, question, deadline)
        answer = _legal(await self.room.finish(search), question, bot)
        message = write_choice(answer, question.position, bot.id, question.seed)
        return Reply(message, *_times(search), _log(answer, bot))

    async def analyse(
        self, request: StreamAnalysisRequest, deadline: float | None = None
    ) -> AsyncGenerator[Reply[StreamAnalysisResponse], None]:
        """Answers a view with partial results and, at last, exactly one final answer.

        Raises:
            ServiceError: The call is refused.
        """
        self.check_room()
        question, interval = read_analysis(request)
        bot = self._bot(question, "choose.bot")
        partials = Partials(interval.total_seconds())
        search = await self.room.begin(bot, question, deadline, partials.report)
        try:
            if search.job is not None:
                search.job.result.add_done_callback(lambda _: partials.wake())
                while not search.job.result.done():
                    answer = await partials.take()
                    if answer is not None and not search.job.result.done():
                        message = self._partial(answer, question, bot, is_final=False)
                        yield Reply(message)
            answer = await self.room.finish(search)
            message = self._partial(answer, question, bot, is_final=True)
            yield Reply(message, *_times(search), _log(answer, bot))
        finally:
            self.room.leave(search)

    @staticmethod
    def _partial(answer: Answer, question: Question, bot: Bot, *, is_final: bool) -> StreamAnalysisResponse:
        return write_partial(
            _legal(answer, question, bot), question.position, bot.id, question.seed, is_final=is_final
        )

    def check_room(self) -> None:
        """Checks that a question would be accepted now, before anything is spent on it.

        Raises:
            NotReadyError, ShuttingDownError, OverloadedError: It would not.
        """
        self._check_phase()
        self.room.pool.check_room()

    def _check_phase(self) -> None:
        if self.phase is not Phase.SERVING:
            raise NotReadyError if self.phase is Phase.WARMING_UP else ShuttingDownError

    def _bot(self, question: Question, path: str) -> Bot:
        """Finds the bot of a question."""
        game = question.position.game
        try:
            bot = self._catalogue.find(question.bot, game)
        except BotIdError as error:
            raise _refusal(error, path) from None
        if game not in bot.games:
            name = Game.Name(game)
            reason = ErrorReason.ERROR_REASON_GAME_NOT_PLAYED
            violation = Violation(path, reason, f"{bot.id} does not play {name}.")
            raise InvalidRequestError([violation], metadata={"bot": bot.id, "game": name})
        return bot


def _refusal(error: BotIdError, path: str) -> ServiceError:
    """Translates the error of an id that names no bot."""
    reason = ErrorReason.ERROR_REASON_INVALID_OPTION
    metadata = {}
    match error:
        case UnknownBotError():
            metadata = {"bot": error.bot, "known": ", ".join(error.known)}
            return NotFoundError(ErrorReason.ERROR_REASON_UNKNOWN_BOT, str(error), metadata=metadata)
        case RetiredBotError():
            metadata = {"bot": error.bot, "successor": error.successor}
            return NotFoundError(ErrorReason.ERROR_REASON_RETIRED_BOT, str(error), metadata=metadata)
        case UnknownOptionError():
            reason = ErrorReason.ERROR_REASON_UNKNOWN_OPTION
            metadata = {"option": error.option, "known": ", ".join(error.known)}
        case InvalidOptionError():
            metadata = {"option": error.option, "value": error.value, "expected": error.expected}
    return InvalidRequestError([Violation(path, reason, str(error))], metadata=metadata)


def _legal(answer: Answer, question: Question, bot: Bot) -> Answer:
    """Holds bots to the rules: an illegal move is a fault of ours and never leaves the server."""
    if not is_legal(question.position, answer.move):
        raise RuntimeError(f"{bot.id} chose {answer.move}, legal are {question.position.legal_moves}")
    return answer


def _times(search: Search) -> tuple[float, float]:
    return search.think_seconds * 1000, search.queue_seconds * 1000


def _log(answer: Answer, bot: Bot) -> dict[str, object]:
    return {"bot": bot.id, "iterations": answer.iterations, "stopped_by": _STOPPED_BY[answer.stopped_by]}
