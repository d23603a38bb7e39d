"""What can go wrong with a call, as exceptions.

    TapeteError
    ├── InvalidRequestError     the request is refused: violations say which field and why
    ├── UnknownBotError         no bot has this id
    │   └── RetiredBotError     this version is retired: its successor is named
    ├── UnavailableError        no server answered; the call may be repeated
    │   └── NotReadyError       the server is still warming up
    ├── OverloadedError         the server's queue is full
    ├── DeadlineError           the deadline passed, or leaves no time for an answer
    └── ServerError             a fault of the server, or a call that it does not know

`error_from_status` is the one place where a status and its details become one of them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from tapete.v1 import ErrorReason

__all__ = [
    "DeadlineError",
    "InvalidRequestError",
    "NotReadyError",
    "OverloadedError",
    "RetiredBotError",
    "ServerError",
    "TapeteError",
    "UnavailableError",
    "UnknownBotError",
    "Violation",
    "error_from_call",
    "error_from_status",
]

DOMAIN = "tapete"
"""The domain of our reasons in google.rpc.ErrorInfo."""

DETAILS_KEY = "grpc-status-details-bin"
"""The trailer that carries a google.rpc.Status."""


@dataclass(frozen=True)
class Violation:
    """One field that is at fault."""

    path: str
    """Path of the field, zero-based and in snake_case, as `view.guinote.tricks[3].cards[1]`."""
    reason: str
    """Name of the ErrorReason, as `ERROR_REASON_DUPLICATE_CARD`."""
    message: str
    """What is wrong, as a sentence."""

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class TapeteError(Exception):
    """A call that did not succeed."""

    def __init__(
        self,
        message: str,
        *,
        status: grpc.StatusCode = grpc.StatusCode.UNKNOWN,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
        violations: tuple[Violation, ...] = (),
        violation_count: int | None = None,
        retry_after: timedelta | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        """What went wrong, for people."""
        self.status = status
        """The gRPC status code."""
        self.reason = reason
        """Name of the ErrorReason, as `ERROR_REASON_UNKNOWN_BOT`; empty where none was sent."""
        self.metadata: dict[str, str] = dict(metadata or {})
        """Further facts, by the keys that the ErrorReason documents."""
        self.violations = violations
        """The fields at fault, at most 20; empty where no field is."""
        self.violation_count = len(violations) if violation_count is None else violation_count
        """How many fields are at fault, those included that `violations` leaves out."""
        self.retry_after = retry_after
        """How long the server asks to wait before the call is repeated; None where it does not say."""


class InvalidRequestError(TapeteError):
    """The request is refused; repeating it will not help. `violations` says which field and why."""


class UnknownBotError(TapeteError):
    """No bot has this id."""

    @property
    def bot(self) -> str:
        """The id asked for."""
        return self.metadata.get("bot", "")

    @property
    def known(self) -> str:
        """The ids that the server knows, separated by commas."""
        return self.metadata.get("known", "")


class RetiredBotError(UnknownBotError):
    """This version of the bot is retired."""

    @property
    def successor(self) -> str:
        """The id that took its place."""
        return self.metadata.get("successor", "")


class UnavailableError(TapeteError):
    """No server answered, also after the retries. The call may be repeated."""


class NotReadyError(UnavailableError):
    """The server is still warming up. `retry_after` says how long to wait."""


class OverloadedError(TapeteError):
    """The server's queue is full. `retry_after` says how long to wait."""


class DeadlineError(TapeteError):
    """The deadline passed without an answer, or leaves no time for one."""


class ServerError(TapeteError):
    """A fault of the server, or a call that it does not know."""

    @property
    def error_id(self) -> str:
        """The id under which the server's log has the fault; empty where none was sent."""
        return self.metadata.get("error_id", "")


_BY_REASON: dict[str, type[TapeteError]] = {
    ErrorReason.Name(reason): error
    for reason, error in {
        ErrorReason.ERROR_REASON_UNKNOWN_BOT: UnknownBotError,
        ErrorReason.ERROR_REASON_RETIRED_BOT: RetiredBotError,
        ErrorReason.ERROR_REASON_NOT_READY: NotReadyError,
        ErrorReason.ERROR_REASON_OVERLOADED: OverloadedError,
        ErrorReason.ERROR_REASON_DEADLINE_TOO_SHORT: DeadlineError,
    }.items()
}
# Reasons that this client does not know, and statuses that come without one, go by their status.
_BY_STATUS: dict[grpc.StatusCode, type[TapeteError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidRequestError,
    grpc.StatusCode.FAILED_PRECONDITION: InvalidRequestError,
    grpc.StatusCode.OUT_OF_RANGE: InvalidRequestError,
    grpc.StatusCode.NOT_FOUND: UnknownBotError,
    grpc.StatusCode.UNAVAILABLE: UnavailableError,
    grpc.StatusCode.CANCELLED: UnavailableError,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineError,
}


# So ends the message of a status that leaves violations out.
_COUNT = re.compile(r"\(([0-9]{1,9}) violations, [0-9]+ listed\)$")

_STATUS_CODES = {code.value[0]: code for code in grpc.StatusCode}


def error_from_call(call: Any) -> TapeteError:
    """Makes the exception for a failed call.

    Args:
        call: A grpc.RpcError of either client: it has `code`, `details` and `trailing_metadata`.
    """
    # Not dict(metadata): that of the asyncio client has keys() of its own kind in older grpcio.
    trailers = dict(iter(call.trailing_metadata() or ()))
    try:
        status = status_pb2.Status.FromString(trailers.get(DETAILS_KEY, b""))
    except DecodeError:
        status = status_pb2.Status()
    # Proxies may replace the status of a call and leave our details behind.
    status.code = call.code().value[0]
    status.message = call.details() or ""
    return error_from_status(status)


def error_from_status(status: status_pb2.Status) -> TapeteError:
    """Makes the exception for a google.rpc.Status that is not OK."""
    code = _STATUS_CODES.get(status.code, grpc.StatusCode.UNKNOWN)
    reason = ""
    metadata: dict[str, str] = {}
    violations: tuple[Violation, ...] = ()
    retry_after: timedelta | None = None
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        bad_request = error_details_pb2.BadRequest()
        retry_info = error_details_pb2.RetryInfo()
        if detail.Unpack(info) and info.domain == DOMAIN:
            reason, metadata = info.reason, dict(info.metadata)
        elif detail.Unpack(bad_request):
            violations = tuple(
                Violation(v.field, v.reason, v.description) for v in bad_request.field_violations
            )
        elif detail.Unpack(retry_info):
            retry_after = retry_info.retry_delay.ToTimedelta()
    count = _COUNT.search(status.message) if violations else None
    kind = _BY_REASON.get(reason) or _BY_STATUS.get(code, ServerError)
    return kind(
        status.message or f"The call ended with {code.name} and no message.",
        status=code,
        reason=reason,
        metadata=metadata,
        violations=violations,
        violation_count=int(count[1]) if count else None,
        retry_after=retry_after,
    )
