"""Errors of the service, free of any transport.

Exception
├── ServiceError                 an answer to one call: a code, an ErrorReason and a sentence
│   ├── InvalidRequestError      fields are at fault: all violations together
│   ├── MalformedRequestError    not even a message
│   ├── NotFoundError            no such bot
│   ├── NotReadyError            still warming up
│   ├── OverloadedError          the queue is full
│   ├── DeadlineTooShortError    no time for any answer
│   ├── ShuttingDownError        draining
│   └── InternalError            a fault of ours; the log has its id
└── ServerError                  the server cannot start: a sentence for the operator
"""

import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta

from google.rpc import code_pb2

from tapete.v1 import ErrorReason
from tapete_games.errors import Violation

__all__ = [
    "DeadlineTooShortError",
    "InternalError",
    "InvalidRequestError",
    "MalformedRequestError",
    "NotFoundError",
    "NotReadyError",
    "OverloadedError",
    "ServerError",
    "ServiceError",
    "ShuttingDownError",
]


class ServiceError(Exception):
    """The answer to a call that fails."""

    code: int = code_pb2.INTERNAL
    """A number of google.rpc.Code."""

    def __init__(
        self,
        reason: "ErrorReason.ValueType",
        message: str,
        *,
        metadata: Mapping[str, str] | None = None,
        retry_after: timedelta | None = None,
    ) -> None:
        """Makes an error.

        Args:
            reason: Machine-readable reason.
            message: A sentence.
            metadata: What belongs to the reason, as documented with it.
            retry_after: When the same call may be sent again; None if repeating it is of no use.
        """
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.metadata = dict(metadata or {})
        self.retry_after = retry_after
        self.violations: tuple[Violation, ...] = ()
        self.violation_count = 0


class InvalidRequestError(ServiceError):
    """The request is wrong; no repetition of it will ever be right."""

    code = code_pb2.INVALID_ARGUMENT

    def __init__(
        self,
        violations: Sequence[Violation],
        *,
        count: int | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        """Makes an error from at least one violation.

        Args:
            violations: The violations, most important first; the error has the reason of the first.
            count: Number of violations found, if more than are given.
            metadata: What belongs to the reason of the first violation.
        """
        first = violations[0]
        super().__init__(first.reason, f"{first.path}: {first.message}", metadata=metadata)
        self.violations = tuple(violations)
        self.violation_count = len(violations) if count is None else count


class MalformedRequestError(ServiceError):
    """The bytes are no message of the expected type."""

    code = code_pb2.INVALID_ARGUMENT

    def __init__(self, message_name: str) -> None:
        """Makes an error for bytes that should have been a `message_name`."""
        super().__init__(
            ErrorReason.ERROR_REASON_MALFORMED_REQUEST, f"The request is not a valid {message_name} message."
        )


class NotFoundError(ServiceError):
    """There is no bot of this id."""

    code = code_pb2.NOT_FOUND


class NotReadyError(ServiceError):
    """The server is still warming up."""

    code = code_pb2.UNAVAILABLE

    def __init__(self) -> None:
        """Makes an error that asks for a repetition in a second."""
        super().__init__(
            ErrorReason.ERROR_REASON_NOT_READY,
            "The server is still warming up; ask again when its health is SERVING.",
            retry_after=timedelta(seconds=1),
        )


class OverloadedError(ServiceError):
    """All threads are busy and the queue is full."""

    code = code_pb2.RESOURCE_EXHAUSTED

    def __init__(self, queue_limit: int, retry_after: timedelta) -> None:
        """Makes an error for a full queue."""
        super().__init__(
            ErrorReason.ERROR_REASON_OVERLOADED,
            f"All threads are busy and {queue_limit} calls already wait; ask again later.",
            retry_after=retry_after,
        )


class DeadlineTooShortError(ServiceError):
    """The deadline of the call leaves no time for an answer."""

    code = code_pb2.DEADLINE_EXCEEDED

    def __init__(self, remaining: float, least: float) -> None:
        """Makes an error from the seconds that were left and the least that is needed."""
        super().__init__(
            ErrorReason.ERROR_REASON_DEADLINE_TOO_SHORT,
            f"The deadline leaves {max(remaining, 0) * 1000:.1f} ms;"
            f" an answer needs at least {least * 1000:.1f} ms.",
        )


class ShuttingDownError(ServiceError):
    """The server takes no more calls."""

    code = code_pb2.UNAVAILABLE

    def __init__(self) -> None:
        """Makes an error that asks for a repetition, elsewhere or after the restart."""
        super().__init__(
            ErrorReason.ERROR_REASON_SHUTTING_DOWN,
            "The server is shutting down; ask another replica, or again after its restart.",
            retry_after=timedelta(seconds=1),
        )


class InternalError(ServiceError):
    """A fault of the server. The caller learns an id and nothing else; the log has the rest."""

    def __init__(self) -> None:
        """Draws an id."""
        self.error_id = secrets.token_hex(8)
        super().__init__(
            ErrorReason.ERROR_REASON_INTERNAL,
            f"The server failed; its log has the details under error id {self.error_id}.",
            metadata={"error_id": self.error_id},
        )


class ServerError(Exception):
    """The server cannot start or warm up; the text is a sentence for the operator."""
