"""BotService over gRPC: bytes in, bytes out, every error a status with details.

Requests arrive as raw bytes, so that a malformed one is answered with INVALID_ARGUMENT; grpc itself
would answer UNKNOWN with the text of a Python exception. For the same reason every exception is caught
here: what is not a ServiceError becomes INTERNAL with an id, and only the log learns more.
"""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeAlias

import grpc
import grpc.aio
from google.protobuf.message import Message
from google.rpc import code_pb2

from tapete.v1 import (
    ChooseMoveRequest,
    ErrorReason,
    ListBotsRequest,
    ListLegalMovesRequest,
    StreamAnalysisRequest,
)
from tapete_server.core import BotCore, Reply
from tapete_server.errors import InternalError, ServiceError
from tapete_server.log import line, logger
from tapete_server.requests import parse
from tapete_server.status import write_status

__all__ = ["SERVICE", "GrpcService"]

SERVICE = "tapete.v1.BotService"

Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"
_CODES = {code.value[0]: code for code in grpc.StatusCode}


def _deadline(context: Context) -> float | None:
    """Returns the moment of `time.monotonic()` at which the caller stops waiting, if it ever does."""
    remaining: float | None = context.time_remaining()
    if remaining is None or math.isinf(remaining):
        return None
    return time.monotonic() + remaining


def _trailers(reply: Reply[Any]) -> tuple[tuple[str, str], ...]:
    return (("tapete-think-ms", f"{reply.think_ms:.3f}"), ("tapete-queue-ms", f"{reply.queue_ms:.3f}"))


def _serialise(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


class GrpcService:
    """The four methods as gRPC handlers."""

    def __init__(self, core: BotCore, *, log_calls: bool) -> None:
        """Makes the handlers of a service.

        Args:
            core: The service.
            log_calls: Whether successful calls are logged.
        """
        self._core = core
        self._log_calls = log_calls
        self._calls = 0
        self._idle = asyncio.Event()
        self._idle.set()

    def handler(self) -> grpc.GenericRpcHandler:
        """Makes the handler of BotService, to be added to a grpc.aio server."""
        unary = grpc.unary_unary_rpc_method_handler
        stream = grpc.unary_stream_rpc_method_handler
        return grpc.method_handlers_generic_handler(
            SERVICE,
            {
                "ListBots": unary(self._list_bots),
                "ChooseMove": unary(self._choose_move),
                "StreamAnalysis": stream(self._stream_analysis),
                "ListLegalMoves": unary(self._list_legal_moves),
            },
        )

    async def idle(self) -> None:
        """Waits until no call is being answered."""
        await self._idle.wait()

    async def _list_bots(self, raw: bytes, context: Context) -> bytes:
        async def call() -> Reply[Any]:
            return self._core.list_bots(parse(ListBotsRequest, raw))

        return await self._answer("ListBots", call, context)

    async def _list_legal_moves(self, raw: bytes, context: Context) -> bytes:
        async def call() -> Reply[Any]:
            return self._core.list_legal_moves(parse(ListLegalMovesRequest, raw))

        return await self._answer("ListLegalMoves", call, context)

    async def _choose_move(self, raw: bytes, context: Context) -> bytes:
        async def call() -> Reply[Any]:
            self._core.check_room()
            return await self._core.choose(parse(ChooseMoveRequest, raw), _deadline(context))

        return await self._answer("ChooseMove", call, context)

    async def _stream_analysis(self, raw: bytes, context: Context) -> None:
        async def call() -> Reply[Any]:
            self._core.check_room()
            request = parse(StreamAnalysisRequest, raw)
            async with aclosing(self._core.analyse(request, _deadline(context))) as replies:
                async for reply in replies:
                    if reply.message.is_final:
                        return reply
                    await context.write(_serialise(reply.message))
            raise RuntimeError("the analysis ended without a final answer")

        await context.write(await self._answer("StreamAnalysis", call, context))

    async def _answer(
        self, method: str, call: Callable[[], Awaitable[Reply[Any]]], context: Context
    ) -> bytes:
        """Makes a call, logs it, and aborts the RPC if it fails."""
        arrival = time.monotonic()
        self._calls += 1
        self._idle.clear()
        try:
            reply = await call()
            message = _serialise(reply.message)
        except ServiceError as raised:
            error = raised
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                logger.info(line("call", method=method, code="CANCELLED", total_ms=_since(arrival)))
                raise
            error = _fault(method)
        except Exception:
            error = _fault(method)
        else:
            if self._log_calls:
                # After this task has handed the reply to grpc: the caller need not wait for the log.
                asyncio.get_running_loop().call_soon(_log_reply, method, reply, _since(arrival))
            context.set_trailing_metadata(_trailers(reply))
            return message
        finally:
            self._calls -= 1
            if not self._calls:
                self._idle.set()
        await self._abort(method, error, context, arrival)
        raise AssertionError("abort raises")

    async def _abort(self, method: str, error: ServiceError, context: Context, arrival: float) -> None:
        status = write_status(error)
        logger.info(
            line(
                "call",
                method=method,
                code=code_pb2.Code.Name(error.code),
                reason=ErrorReason.Name(error.reason),
                violations=error.violation_count,
                total_ms=_since(arrival),
            )
        )
        await context.abort(
            _CODES[error.code],
            status.message,
            (("grpc-status-details-bin", status.SerializeToString(deterministic=True)),),
        )


def _log_reply(method: str, reply: Reply[Any], total_ms: float) -> None:
    logger.info(
        line(
            "call",
            method=method,
            code="OK",
            **reply.log,
            think_ms=reply.think_ms,
            queue_ms=reply.queue_ms,
            total_ms=total_ms,
        )
    )


def _since(arrival: float) -> float:
    return (time.monotonic() - arrival) * 1000


def _fault(method: str) -> InternalError:
    """Logs the exception being handled under a new id."""
    fault = InternalError()
    logger.exception(line("fault", method=method, error_id=fault.error_id))
    return fault
