"""Errors as google.rpc.Status: complete, and never larger than a trailer may be."""

import pytest
from google.rpc.error_details_pb2 import BadRequest

from tapete.v1 import ErrorReason
from tapete_games.errors import Violation
from tapete_server.errors import InvalidRequestError, NotFoundError
from tapete_server.log import line
from tapete_server.status import MAX_DETAILS_BYTES, write_status

REASON = ErrorReason.ERROR_REASON_OUT_OF_RANGE


def _listed(error: InvalidRequestError) -> int:
    bad = BadRequest()
    assert write_status(error).details[1].Unpack(bad)
    return len(bad.field_violations)


def _size(error: InvalidRequestError) -> int:
    return sum(detail.ByteSize() for detail in write_status(error).details)


def test_twenty_short_violations_are_all_listed() -> None:
    error = InvalidRequestError([Violation(f"a[{i}]", REASON, "Short.") for i in range(20)])
    assert _listed(error) == 20
    assert write_status(error).message == "a[0]: Short. (and 19 more violations)"


def test_more_than_twenty_are_counted() -> None:
    error = InvalidRequestError([Violation("a", REASON, "Short.")] * 30, count=47)
    assert _listed(error) == 20
    assert write_status(error).message == "a: Short. (47 violations, 20 listed)"


@pytest.mark.parametrize("text", ["x", "ñ", "🂡"])
def test_long_texts_are_cut_to_fit(text: str) -> None:
    error = InvalidRequestError(
        [Violation("a" * 1000, REASON, text * 5000)] * 20, metadata={"bot": text * 5000}
    )
    assert 1 <= _listed(error) < 20
    assert _size(error) <= MAX_DETAILS_BYTES
    assert len(write_status(error).message.encode()) < 500


def test_surrogates_do_not_break_an_error() -> None:
    assert write_status(NotFoundError(ErrorReason.ERROR_REASON_UNKNOWN_BOT, "no \udcff")).message == "no ?"


def test_values_in_the_log_stay_one_value() -> None:
    assert line("x", a="1 b=2", c="\n", d="") == 'event=x a="1 b=2" c="\\n" d=""'
