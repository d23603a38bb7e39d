"""Requests and deadlines, made alike for both clients."""

from collections.abc import Iterable
from datetime import timedelta

from tapete.v1 import (
    ChooseMoveRequest,
    GameMove,
    GameView,
    GuinoteView,
    ListLegalMovesRequest,
    StreamAnalysisRequest,
)

__all__ = [
    "CHANNEL_OPTIONS",
    "DEFAULT_TIMEOUT",
    "NO_FINAL_ANSWER",
    "View",
    "call_timeout",
    "choose_request",
    "legal_moves_request",
    "stream_request",
]

View = GameView | GuinoteView
"""A view of some game, or one that names its game by its type."""

DEFAULT_TIMEOUT = timedelta(seconds=30)

NO_FINAL_ANSWER = "The stream of analyses ended without a final answer."

CHANNEL_OPTIONS = (
    # The retry policy decides when to try again; grpc's own pause after a lost connection (1 s and more)
    # would only make its tries fail at once.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
)


def _game_view(view: View) -> GameView:
    return view if isinstance(view, GameView) else GameView(guinote=view)


def choose_request(
    view: View,
    bot: str,
    iterations: int | None,
    time: timedelta | None,
    seed: int | None,
    legal_moves: Iterable[GameMove],
) -> ChooseMoveRequest:
    """Makes a ChooseMoveRequest; what is None stays absent.

    Raises:
        ValueError: A number does not fit its field.
    """
    request = ChooseMoveRequest(view=_game_view(view), bot=bot, seed=seed, legal_moves=legal_moves)
    if iterations is not None:
        request.budget.iterations = iterations
    if time is not None:
        request.budget.time.FromTimedelta(time)
    return request


def stream_request(choose: ChooseMoveRequest, interval: timedelta | None) -> StreamAnalysisRequest:
    """Makes a StreamAnalysisRequest."""
    request = StreamAnalysisRequest(choose=choose)
    if interval is not None:
        request.interval.FromTimedelta(interval)
    return request


def legal_moves_request(view: View) -> ListLegalMovesRequest:
    """Makes a ListLegalMovesRequest."""
    return ListLegalMovesRequest(view=_game_view(view))


def call_timeout(own: timedelta | None, default: timedelta, thinking: timedelta | None = None) -> timedelta:
    """Returns the timeout of a call: its own, else the client's on top of the thinking time asked for.

    Raises:
        ValueError: It is not above 0.
    """
    timeout = default + (thinking or timedelta(0)) if own is None else own
    if timeout <= timedelta(0):
        raise ValueError(f"timeout is {timeout}: it must be above 0")
    return timeout
