"""Client of a Tapete server, for programs that ask for moves over gRPC.

It depends on grpcio and protobuf alone: no rules engine and no numba come with it. The messages are those
of `tapete.v1`.

    with TapeteClient("127.0.0.1:50051") as client:
        answer = client.choose_move(view, bot="ismcts", time=timedelta(seconds=1))
        print(format_move(answer.move))
"""

from tapete_client._async_client import AsyncTapeteClient
from tapete_client._client import TapeteClient
from tapete_client._errors import (
    DeadlineError,
    InvalidRequestError,
    NotReadyError,
    OverloadedError,
    RetiredBotError,
    ServerError,
    TapeteError,
    UnavailableError,
    UnknownBotError,
    Violation,
    error_from_status,
)
from tapete_client._gile import gile_view
from tapete_client._guinote import guinote_view
from tapete_client._notation import card, cards, format_card, format_move, suit
from tapete_client._retry import RetryPolicy

__all__ = [
    "AsyncTapeteClient",
    "DeadlineError",
    "InvalidRequestError",
    "NotReadyError",
    "OverloadedError",
    "RetiredBotError",
    "RetryPolicy",
    "ServerError",
    "TapeteClient",
    "TapeteError",
    "UnavailableError",
    "UnknownBotError",
    "Violation",
    "card",
    "cards",
    "error_from_status",
    "format_card",
    "format_move",
    "gile_view",
    "guinote_view",
    "suit",
]
