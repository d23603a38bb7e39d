"""The public surface of the client, pinned."""

import subprocess
import sys

import tapete_client

EXPORTS = {
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
}


def test_the_exports_are_exactly_these() -> None:
    assert set(tapete_client.__all__) == EXPORTS
    assert all(hasattr(tapete_client, name) for name in EXPORTS)


def test_the_client_brings_no_engine_along() -> None:
    program = (
        "import sys, tapete_client;"
        "print([m for m in ('numba', 'numpy', 'tapete_games', 'typer', 'rich') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
