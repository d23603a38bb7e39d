"""Requests and deadlines, made alike for both clients."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from tapete.v1 import (
    ChooseMoveRequest,
    Game,
    GameMove,
    GameView,
    GileView,
    GuinoteView,
    ListBotsRequest,
    ListLegalMovesRequest,
    StreamAnalysisRequest,
)
from tapete_client._checks import check_messages, check_number, check_text, check_time
from tapete_client._errors import UnavailableError

__all__ = [
    "CHANNEL_OPTIONS",
    "DEFAULT_TIMEOUT",
    "NO_FINAL_ANSWER",
    "View",
    "call_timeout",
    "choose_request",
    "closed_error",
    "legal_moves_request",
    "list_bots_request",
    "stream_request",
]

View = GameView | GuinoteView | GileView
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


_LONGEST_CALL = timedelta(days=3650)


def closed_error() -> UnavailableError:
    """Makes the error of a call of a client that was closed."""
    return UnavailableError("This client is closed: make a new one for further calls.")


def _game_view(view: Any) -> GameView:
    if isinstance(view, GuinoteView):
        return GameView(guinote=view)
    if isinstance(view, GileView):
        return GameView(gile=view)
    if not isinstance(view, GameView):
        raise TypeError(f"view is a {type(view).__name__}: expected a GameView, a GuinoteView or a GileView")
    return view


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
        TypeError: An argument is of a type that it cannot have.
        ValueError: A value does not fit its field.
    """
    request = ChooseMoveRequest(
        view=_game_view(view),
        bot=check_text("bot", bot, "the id of a bot, as 'ismcts'"),
        seed=None if seed is None else check_number("seed", seed),
        legal_moves=check_messages("legal_moves", legal_moves, GameMove),
    )
    if iterations is not None:
        request.budget.iterations = check_number("iterations", iterations)
    if time is not None:
        request.budget.time.FromTimedelta(check_time("time", time))
    return request


def stream_request(choose: ChooseMoveRequest, interval: timedelta | None) -> StreamAnalysisRequest:
    """Makes a StreamAnalysisRequest."""
    request = StreamAnalysisRequest(choose=choose)
    if interval is not None:
        request.interval.FromTimedelta(check_time("interval", interval))
    return request


def legal_moves_request(view: View) -> ListLegalMovesRequest:
    """Makes a ListLegalMovesRequest."""
    return ListLegalMovesRequest(view=_game_view(view))


def list_bots_request(game: Game.ValueType) -> ListBotsRequest:
    """Makes a ListBotsRequest."""
    number = check_number("game", game)
    if number >= 2**31:
        raise ValueError(f"game is {number}: expected a value of Game")
    return ListBotsRequest(game=Game.ValueType(number))


def call_timeout(own: timedelta | None, default: timedelta, thinking: timedelta | None = None) -> timedelta:
    """Returns the timeout of a call: its own, else the client's on top of the thinking time asked for.

    Raises:
        TypeError: One of them is no timedelta.
        ValueError: It is not above 0, or longer than ten years.
    """
    if own is None:
        timeout = check_time("timeout", default)
        if thinking is not None:
            timeout = min(timeout + max(check_time("time", thinking), timedelta(0)), _LONGEST_CALL)
    else:
        timeout = check_time("timeout", own)
    if timeout <= timedelta(0):
        raise ValueError(f"timeout is {timeout}: it must be above 0")
    return timeout
