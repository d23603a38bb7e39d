"""Writes a ServiceError as google.rpc.Status, within the limits of gRPC trailers.

Trailers end at 8 KiB, base64 and percent-encoding included, so the details are held to 4 KiB and the
message to 400 bytes.
"""

from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from tapete.v1 import ErrorReason
from tapete_server.errors import ServiceError

__all__ = ["DOMAIN", "MAX_DETAILS_BYTES", "MAX_VIOLATIONS", "write_status"]

DOMAIN = "tapete"
MAX_VIOLATIONS = 20
MAX_DETAILS_BYTES = 4096
_MAX_MESSAGE_BYTES = 400
_MAX_DESCRIPTION_BYTES = 600
_MAX_PATH_BYTES = 200
_MAX_METADATA_BYTES = 500


def _shorten(text: str, most: int) -> str:
    """Cuts a text to `most` bytes of UTF-8, whole characters, and marks the cut."""
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= most:
        return encoded.decode()
    return encoded[: most - 3].decode("utf-8", "ignore") + "…"


def _packed(message: ErrorInfo | BadRequest | RetryInfo) -> Any:
    packed = Any()
    packed.Pack(message)
    return packed


def _bad_request(error: ServiceError, room: int) -> BadRequest:
    """Writes as many violations as fit into `room` bytes, in their order and without a gap."""
    bad = BadRequest()
    for violation in error.violations[:MAX_VIOLATIONS]:
        field = BadRequest.FieldViolation(
            field=_shorten(violation.path, _MAX_PATH_BYTES),
            description=_shorten(violation.message, _MAX_DESCRIPTION_BYTES),
            reason=ErrorReason.Name(violation.reason),
        )
        # Tag and length take at most 3 bytes at these sizes.
        room -= field.ByteSize() + 3
        if room < 0:
            break
        bad.field_violations.append(field)
    return bad


def write_status(error: ServiceError) -> Status:
    """Writes code, message and details: ErrorInfo always, BadRequest and RetryInfo where they apply.

    Where violations had to be left out, the message ends with their count.
    """
    info = ErrorInfo(
        reason=ErrorReason.Name(error.reason),
        domain=DOMAIN,
        metadata={key: _shorten(value, _MAX_METADATA_BYTES) for key, value in error.metadata.items()},
    )
    details = [_packed(info)]
    if error.retry_after is not None:
        delay = Duration()
        delay.FromTimedelta(error.retry_after)
        details.append(_packed(RetryInfo(retry_delay=delay)))
    message = _shorten(error.message, _MAX_MESSAGE_BYTES)
    if error.violations:
        # 150 bytes hold the type URL of BadRequest and the framing of all details.
        room = MAX_DETAILS_BYTES - 150 - sum(detail.ByteSize() for detail in details)
        bad = _bad_request(error, room)
        details.insert(1, _packed(bad))
        listed = len(bad.field_violations)
        if error.violation_count > listed:
            message += f" ({error.violation_count} violations, {listed} listed)"
        elif listed > 1:
            message += f" (and {listed - 1} more violations)" if listed > 2 else " (and 1 more violation)"
    return Status(code=error.code, message=message, details=details)
