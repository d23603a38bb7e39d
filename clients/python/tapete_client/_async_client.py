"""The asyncio client."""

# ruff: noqa: ASYNC109 - a timeout is the deadline that the server is told, more than asyncio.timeout does.

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from datetime import timedelta
from types import TracebackType
from typing import Any, Self

import grpc
import grpc.aio

from tapete.v1 import (
    Bot,
    BotServiceStub,
    ChooseMoveResponse,
    Game,
    GameMove,
    StreamAnalysisRequest,
    StreamAnalysisResponse,
)
from tapete_client._checks import check_text
from tapete_client._errors import ServerError, error_from_call
from tapete_client._requests import (
    CHANNEL_OPTIONS,
    DEFAULT_TIMEOUT,
    NO_FINAL_ANSWER,
    View,
    call_timeout,
    choose_request,
    closed_error,
    legal_moves_request,
    list_bots_request,
    stream_request,
)
from tapete_client._retry import Attempts, RetryPolicy

__all__ = ["AsyncTapeteClient"]


class AsyncTapeteClient:
    """An asyncio client of one server. Tasks of one event loop may share it; `async with` closes it.

    Every call has a deadline and is repeated as the retry policy says. Every method raises a TapeteError
    when the call does not succeed, and TypeError or ValueError for an argument that no server could accept.
    """

    def __init__(
        self,
        target: str,
        *,
        timeout: timedelta = DEFAULT_TIMEOUT,
        retry: RetryPolicy | None = None,
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        """Makes a client; it connects at the first call.

        Args:
            target: Address of the server, as `127.0.0.1:50051`.
            timeout: Deadline of a call that has none of its own, with all its tries. A thinking time asked
                for comes on top.
            retry: When a call is repeated. None means `RetryPolicy()`.
            credentials: For TLS, as `grpc.ssl_channel_credentials()`. None means plain text.
        """
        self._is_closed = False
        check_text("target", target, "an address, as '127.0.0.1:50051'")
        self._timeout = call_timeout(timeout, DEFAULT_TIMEOUT)
        self._retry = retry or RetryPolicy()
        self._target = target
        self._credentials = credentials
        self._channel: grpc.aio.Channel | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connection; calls in flight are cancelled."""
        self._is_closed = True
        if self._channel is not None:
            await self._channel.close()

    @property
    def _stub(self) -> Any:
        self._check_open()
        # Made at the first call: a channel belongs to the event loop that runs then.
        if self._channel is None:
            if self._credentials is None:
                self._channel = grpc.aio.insecure_channel(self._target, options=CHANNEL_OPTIONS)
            else:
                self._channel = grpc.aio.secure_channel(
                    self._target, self._credentials, options=CHANNEL_OPTIONS
                )
        return BotServiceStub(self._channel)

    async def list_bots(
        self, *, game: Game.ValueType = Game.GAME_UNSPECIFIED, timeout: timedelta | None = None
    ) -> list[Bot]:
        """Returns the bots of the server, in order of their ids.

        Args:
            game: Keeps only the bots that play this game; unspecified keeps all.
            timeout: Deadline of the call; None means the client's.
        """
        response = await self._call(
            self._stub.ListBots, list_bots_request(game), call_timeout(timeout, self._timeout)
        )
        return list(response.bots)

    async def choose_move(
        self,
        view: View,
        *,
        bot: str = "",
        iterations: int | None = None,
        time: timedelta | None = None,
        seed: int | None = None,
        legal_moves: Iterable[GameMove] = (),
        timeout: timedelta | None = None,
    ) -> ChooseMoveResponse:
        """Returns a legal move, and how it was found.

        Args:
            view: What the seat that is asked knows.
            bot: Id of the bot, with or without version and options; empty means the server's default.
            iterations: Largest number of search iterations; 0 asks for an answer without search.
            time: Longest thinking time.
            seed: Seed of the bot's randomness, 0 to 2**32 - 1; None means 0. With a budget of iterations
                alone, equal requests have equal answers.
            legal_moves: The legal moves as the caller sees them; a server whose rules differ refuses the
                request. Empty: not given.
            timeout: Deadline of the call; None means the client's, plus `time`.

        Raises:
            InvalidRequestError: The view or an option is refused.
            UnknownBotError: The server has no such bot.
        """
        request = choose_request(view, bot, iterations, time, seed, legal_moves)
        response: ChooseMoveResponse = await self._call(
            self._stub.ChooseMove, request, call_timeout(timeout, self._timeout, time)
        )
        return response

    def stream_analysis(
        self,
        view: View,
        *,
        bot: str = "",
        iterations: int | None = None,
        time: timedelta | None = None,
        seed: int | None = None,
        legal_moves: Iterable[GameMove] = (),
        interval: timedelta | None = None,
        timeout: timedelta | None = None,
    ) -> AsyncGenerator[StreamAnalysisResponse, None]:
        """Yields partial answers and, last, the final one: that one alone has `is_final` set.

        Cancelling the task, or closing the iterator (`contextlib.aclosing`), cancels the call. The call is
        repeated only as long as nothing has been yielded.

        Args:
            view: What the seat that is asked knows.
            bot: As in `choose_move`.
            iterations: As in `choose_move`.
            time: As in `choose_move`.
            seed: As in `choose_move`.
            legal_moves: As in `choose_move`.
            interval: Least time between two partial answers, 10 ms to 60 s; None means 200 ms.
            timeout: Deadline of the whole stream; None means the client's, plus `time`.
        """
        request = stream_request(choose_request(view, bot, iterations, time, seed, legal_moves), interval)
        return self._stream(request, call_timeout(timeout, self._timeout, time))

    async def list_legal_moves(self, view: View, *, timeout: timedelta | None = None) -> list[GameMove]:
        """Returns the legal moves of the seat that is asked, never none; also the cheap way to check a view.

        Args:
            view: What the seat that is asked knows.
            timeout: Deadline of the call; None means the client's.

        Raises:
            InvalidRequestError: The view is refused.
        """
        response = await self._call(
            self._stub.ListLegalMoves, legal_moves_request(view), call_timeout(timeout, self._timeout)
        )
        return list(response.moves)

    def _check_open(self) -> None:
        if self._is_closed:
            raise closed_error()

    async def _call(self, method: Callable[..., Any], request: object, timeout: timedelta) -> Any:
        attempts = Attempts(self._retry, timeout)
        while True:
            self._check_open()
            try:
                return await method(request, timeout=attempts.remaining())
            except grpc.aio.AioRpcError as error:
                failure = error_from_call(error)
                pause = None if self._is_closed else attempts.pause_after(failure)
                if pause is None:
                    raise failure from error
            await asyncio.sleep(pause)

    async def _stream(
        self, request: StreamAnalysisRequest, timeout: timedelta
    ) -> AsyncGenerator[StreamAnalysisResponse, None]:
        attempts = Attempts(self._retry, timeout)
        latest: StreamAnalysisResponse | None = None
        while True:
            call = self._stub.StreamAnalysis(request, timeout=attempts.remaining())
            try:
                async for answer in call:
                    latest = answer
                    yield answer
                if latest is None or not latest.is_final:
                    raise ServerError(NO_FINAL_ANSWER)
                return
            except grpc.aio.AioRpcError as error:
                failure = error_from_call(error)
                pause = None if latest is not None or self._is_closed else attempts.pause_after(failure)
                if pause is None:
                    raise failure from error
            finally:
                call.cancel()
            await asyncio.sleep(pause)
