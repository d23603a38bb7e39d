"""A server that fails as it is told to: the retry policy cannot be tested on one that works."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import error_details_pb2, status_pb2

from tapete.v1 import (
    Bot,
    BotServiceServicer,
    ChooseMoveResponse,
    ListBotsResponse,
    ListLegalMovesResponse,
    StreamAnalysisResponse,
    add_BotServiceServicer_to_server,
)


@dataclass(frozen=True)
class Failure:
    """One failed call."""

    status: grpc.StatusCode
    message: str = "as told"
    reason: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    violations: tuple[tuple[str, str, str], ...] = ()
    retry_after: timedelta | None = None
    after_messages: int = 0
    """Messages that a stream sends before it fails."""
    raw_details: bytes | None = None

    def details(self) -> bytes:
        if self.raw_details is not None:
            return self.raw_details
        messages: list[Any] = []
        if self.reason:
            messages.append(
                error_details_pb2.ErrorInfo(reason=self.reason, domain="tapete", metadata=self.metadata)
            )
        if self.violations:
            messages.append(
                error_details_pb2.BadRequest(
                    field_violations=[
                        error_details_pb2.BadRequest.FieldViolation(
                            field=path, reason=reason, description=text
                        )
                        for path, reason, text in self.violations
                    ]
                )
            )
        if self.retry_after is not None:
            info = error_details_pb2.RetryInfo()
            info.retry_delay.FromTimedelta(self.retry_after)
            messages.append(info)
        status = status_pb2.Status(code=self.status.value[0], message=self.message)
        for message in messages:
            packed = AnyMessage()
            packed.Pack(message)
            status.details.append(packed)
        serialized: bytes = status.SerializeToString()
        return serialized


class FlakyServer(BotServiceServicer):
    """Fails with `failures` in turn, then answers."""

    def __init__(self) -> None:
        self.failures: deque[Failure] = deque()
        self.requests: list[Any] = []
        self.deadlines: list[float] = []
        self.hold: Callable[[], object] | None = None
        self.sends_final = True

    def _fail_or_go_on(self, request: Any, context: Any) -> Failure | None:
        self.requests.append(request)
        self.deadlines.append(context.time_remaining())
        if self.hold is not None:
            self.hold()
        failure = self.failures.popleft() if self.failures else None
        if failure is not None and not failure.after_messages:
            self._fail(failure, context)
        return failure

    def _fail(self, failure: Failure, context: Any) -> None:
        context.set_trailing_metadata((("grpc-status-details-bin", failure.details()),))
        context.abort(failure.status, failure.message)

    def ListBots(self, request: Any, context: Any) -> ListBotsResponse:  # noqa: N802
        self._fail_or_go_on(request, context)
        return ListBotsResponse(bots=[Bot(id="flaky@1")])

    def ChooseMove(self, request: Any, context: Any) -> ChooseMoveResponse:  # noqa: N802
        self._fail_or_go_on(request, context)
        response = ChooseMoveResponse()
        response.move.guinote.no_action.SetInParent()
        return response

    def StreamAnalysis(self, request: Any, context: Any) -> Iterator[StreamAnalysisResponse]:  # noqa: N802
        failure = self._fail_or_go_on(request, context)
        for _ in range(failure.after_messages if failure else 2):
            yield StreamAnalysisResponse()
        if failure:
            self._fail(failure, context)
        if self.sends_final:
            yield StreamAnalysisResponse(is_final=True)

    def ListLegalMoves(self, request: Any, context: Any) -> ListLegalMovesResponse:  # noqa: N802
        self._fail_or_go_on(request, context)
        response = ListLegalMovesResponse()
        response.moves.add().guinote.tute.SetInParent()
        return response


@contextmanager
def running(servicer: FlakyServer, port: int = 0) -> Iterator[int]:
    """Serves on loopback; gives the port."""
    server = grpc.server(ThreadPoolExecutor(4), options=[("grpc.so_reuseport", 0)])
    add_BotServiceServicer_to_server(servicer, server)
    bound = server.add_insecure_port(f"127.0.0.1:{port}")
    server.start()
    try:
        yield bound
    finally:
        server.stop(None).wait()
