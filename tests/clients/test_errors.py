"""Statuses and their details as exceptions, over a real connection."""

from collections.abc import Callable
from datetime import timedelta

import grpc
import pytest

from tapete.v1 import ErrorReason, GuinoteView
from tapete_client import (
    DeadlineError,
    InvalidRequestError,
    NotReadyError,
    OverloadedError,
    RetiredBotError,
    RetryPolicy,
    ServerError,
    TapeteError,
    UnavailableError,
    UnknownBotError,
    Violation,
)
from tests.clients.both_clients import Caller
from tests.clients.flaky import Failure, FlakyServer

Connect = Callable[..., Caller]
Status = grpc.StatusCode


def fail(connect: Connect, flaky: FlakyServer, port: int, failure: Failure) -> TapeteError:
    flaky.failures.append(failure)
    with pytest.raises(TapeteError) as caught:
        connect(f"127.0.0.1:{port}", retry=RetryPolicy(tries=1)).choose_move(GuinoteView())
    assert isinstance(caught.value.__cause__, grpc.RpcError)
    return caught.value


# The status of each reason is the one that error_reason.proto documents.
EXPECTED = {
    **{
        reason: (Status.INVALID_ARGUMENT, InvalidRequestError)
        for reason in ErrorReason.values()
        if 1 <= reason <= 30 or 42 <= reason <= 45
    },
    ErrorReason.ERROR_REASON_UNKNOWN_BOT: (Status.NOT_FOUND, UnknownBotError),
    ErrorReason.ERROR_REASON_RETIRED_BOT: (Status.NOT_FOUND, RetiredBotError),
    ErrorReason.ERROR_REASON_NOT_READY: (Status.UNAVAILABLE, NotReadyError),
    ErrorReason.ERROR_REASON_OVERLOADED: (Status.RESOURCE_EXHAUSTED, OverloadedError),
    ErrorReason.ERROR_REASON_DEADLINE_TOO_SHORT: (Status.DEADLINE_EXCEEDED, DeadlineError),
    ErrorReason.ERROR_REASON_SHUTTING_DOWN: (Status.UNAVAILABLE, UnavailableError),
    ErrorReason.ERROR_REASON_INTERNAL: (Status.INTERNAL, ServerError),
}


def test_every_reason_is_expected_somewhere() -> None:
    assert set(EXPECTED) == set(ErrorReason.values()) - {ErrorReason.ERROR_REASON_UNSPECIFIED}


@pytest.mark.parametrize("reason", EXPECTED, ids=ErrorReason.Name)
def test_each_reason_has_its_exception(
    connect: Connect, flaky: FlakyServer, flaky_port: int, reason: ErrorReason.ValueType
) -> None:
    status, kind = EXPECTED[reason]
    error = fail(connect, flaky, flaky_port, Failure(status, reason=ErrorReason.Name(reason)))
    assert type(error) is kind
    assert error.reason == ErrorReason.Name(reason)
    assert error.status is status
    assert str(error) == error.message == "as told"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (Status.INVALID_ARGUMENT, InvalidRequestError),
        (Status.NOT_FOUND, UnknownBotError),
        (Status.UNAVAILABLE, UnavailableError),
        (Status.CANCELLED, UnavailableError),
        (Status.DEADLINE_EXCEEDED, DeadlineError),
        (Status.RESOURCE_EXHAUSTED, ServerError),
        (Status.UNIMPLEMENTED, ServerError),
        (Status.INTERNAL, ServerError),
    ],
)
def test_without_a_known_reason_the_status_decides(
    connect: Connect, flaky: FlakyServer, flaky_port: int, status: grpc.StatusCode, kind: type[TapeteError]
) -> None:
    assert type(fail(connect, flaky, flaky_port, Failure(status))) is kind
    newer = fail(connect, flaky, flaky_port, Failure(status, reason="ERROR_REASON_OF_A_LATER_VERSION"))
    assert type(newer) is kind
    assert newer.reason == "ERROR_REASON_OF_A_LATER_VERSION"


def test_violations_keep_path_reason_and_sentence(
    connect: Connect, flaky: FlakyServer, flaky_port: int
) -> None:
    violations = (
        ("view.guinote.tricks[3].cards[1]", "ERROR_REASON_DUPLICATE_CARD", "12E stands in two places."),
        ("view.guinote.seat", "ERROR_REASON_MISSING_FIELD", "The seat is absent (Guiñote)."),
    )
    error = fail(
        connect,
        flaky,
        flaky_port,
        Failure(Status.INVALID_ARGUMENT, reason="ERROR_REASON_DUPLICATE_CARD", violations=violations),
    )
    assert error.violations == tuple(Violation(*violation) for violation in violations)
    assert str(error.violations[0]) == "view.guinote.tricks[3].cards[1]: 12E stands in two places."


def test_violations_left_out_are_counted(connect: Connect, flaky: FlakyServer, flaky_port: int) -> None:
    listed = (("view.guinote.seat", "ERROR_REASON_OUT_OF_RANGE", "seat is 4: expected 0 to 3"),) * 2
    for message, count in (("seat is 4 (32 violations, 2 listed)", 32), ("seat is 4 (and 1 more)", 2)):
        failure = Failure(Status.INVALID_ARGUMENT, message=message, violations=listed)
        error = fail(connect, flaky, flaky_port, failure)
        assert (error.violation_count, len(error.violations)) == (count, 2)


def test_metadata_is_at_hand(connect: Connect, flaky: FlakyServer, flaky_port: int) -> None:
    unknown = fail(
        connect,
        flaky,
        flaky_port,
        Failure(
            Status.NOT_FOUND,
            reason="ERROR_REASON_UNKNOWN_BOT",
            metadata={"bot": "ismtcs", "known": "heuristic@1, ismcts@1, random@1"},
        ),
    )
    assert isinstance(unknown, UnknownBotError)
    assert (unknown.bot, unknown.known) == ("ismtcs", "heuristic@1, ismcts@1, random@1")
    retired = fail(
        connect,
        flaky,
        flaky_port,
        Failure(
            Status.NOT_FOUND,
            reason="ERROR_REASON_RETIRED_BOT",
            metadata={"bot": "ismcts@0", "successor": "ismcts@1"},
        ),
    )
    assert isinstance(retired, RetiredBotError)
    assert retired.successor == "ismcts@1"
    internal = fail(
        connect,
        flaky,
        flaky_port,
        Failure(Status.INTERNAL, reason="ERROR_REASON_INTERNAL", metadata={"error_id": "c0ffee"}),
    )
    assert isinstance(internal, ServerError)
    assert internal.error_id == "c0ffee"


def test_the_retry_hint_is_a_timedelta(connect: Connect, flaky: FlakyServer, flaky_port: int) -> None:
    hint = timedelta(seconds=1, milliseconds=250)
    failure = Failure(Status.RESOURCE_EXHAUSTED, reason="ERROR_REASON_OVERLOADED", retry_after=hint)
    assert fail(connect, flaky, flaky_port, failure).retry_after == hint


def test_broken_details_leave_the_status(connect: Connect, flaky: FlakyServer, flaky_port: int) -> None:
    error = fail(connect, flaky, flaky_port, Failure(Status.INVALID_ARGUMENT, raw_details=b"\xff\xff"))
    assert type(error) is InvalidRequestError
    assert error.violations == ()


def test_an_empty_message_is_replaced(connect: Connect, flaky: FlakyServer, flaky_port: int) -> None:
    assert "INTERNAL" in str(fail(connect, flaky, flaky_port, Failure(Status.INTERNAL, message="")))
