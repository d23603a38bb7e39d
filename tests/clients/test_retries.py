"""The retry policy: what is repeated, how often, after what pause, and never past the deadline."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import grpc
import pytest

from tapete.v1 import GameView, GuinoteView
from tapete_client import (
    DeadlineError,
    NotReadyError,
    OverloadedError,
    RetryPolicy,
    ServerError,
    TapeteClient,
    UnavailableError,
)
from tests.clients.both_clients import Caller
from tests.clients.flaky import Failure, FlakyServer, running

Connect = Callable[..., Caller]
QUICK = RetryPolicy(first_pause=timedelta(milliseconds=5), longest_pause=timedelta(milliseconds=20))
UNAVAILABLE = Failure(grpc.StatusCode.UNAVAILABLE)
NOT_READY = Failure(
    grpc.StatusCode.UNAVAILABLE, reason="ERROR_REASON_NOT_READY", retry_after=timedelta(milliseconds=20)
)
OVERLOADED = Failure(
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    reason="ERROR_REASON_OVERLOADED",
    retry_after=timedelta(milliseconds=20),
)
VIEW = GuinoteView(players=2)


def unused_port() -> int:
    with running(FlakyServer()) as port:
        return port


@pytest.mark.parametrize("status", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED])
def test_unanswered_calls_are_repeated(
    connect: Connect, flaky: FlakyServer, flaky_port: int, status: grpc.StatusCode
) -> None:
    client = connect(f"127.0.0.1:{flaky_port}", retry=QUICK)
    for call in (
        client.list_bots,
        partial(client.choose_move, VIEW),
        partial(client.list_legal_moves, VIEW),
        partial(client.stream_analysis, VIEW),
    ):
        flaky.failures.extend([Failure(status)] * 4)
        flaky.requests.clear()
        assert call()
        assert len(flaky.requests) == 5


def test_tries_are_bounded(connect: Connect, flaky: FlakyServer, flaky_port: int) -> None:
    flaky.failures.extend([UNAVAILABLE] * 9)
    with pytest.raises(UnavailableError) as caught:
        connect(f"127.0.0.1:{flaky_port}", retry=QUICK).choose_move(VIEW)
    assert len(flaky.requests) == 5
    assert caught.value.status is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize(
    "status",
    [
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.UNIMPLEMENTED,
    ],
)
def test_answers_are_not_repeated(
    connect: Connect, flaky: FlakyServer, flaky_port: int, status: grpc.StatusCode
) -> None:
    flaky.failures.extend([Failure(status)] * 2)
    with pytest.raises(Exception, match="as told"):
        connect(f"127.0.0.1:{flaky_port}", retry=QUICK).choose_move(VIEW)
    assert len(flaky.requests) == 1


def test_one_try_never_repeats(connect: Connect, flaky: FlakyServer, flaky_port: int) -> None:
    flaky.failures.append(NOT_READY)
    with pytest.raises(NotReadyError) as caught:
        connect(f"127.0.0.1:{flaky_port}", retry=RetryPolicy(tries=1)).choose_move(VIEW)
    assert caught.value.retry_after == timedelta(milliseconds=20)


def test_a_retry_hint_is_honoured_and_counts_for_no_try(
    connect: Connect, flaky: FlakyServer, flaky_port: int
) -> None:
    flaky.failures.extend([NOT_READY] * 8)
    begin = time.monotonic()
    assert connect(f"127.0.0.1:{flaky_port}", retry=QUICK).choose_move(VIEW)
    assert len(flaky.requests) == 9
    assert time.monotonic() - begin >= 8 * 0.020


def test_a_hint_past_the_deadline_gives_up_at_once(
    connect: Connect, flaky: FlakyServer, flaky_port: int
) -> None:
    flaky.failures.append(
        Failure(
            grpc.StatusCode.UNAVAILABLE, reason="ERROR_REASON_NOT_READY", retry_after=timedelta(seconds=30)
        )
    )
    begin = time.monotonic()
    with pytest.raises(NotReadyError) as caught:
        connect(f"127.0.0.1:{flaky_port}", retry=QUICK).choose_move(VIEW, timeout=timedelta(seconds=5))
    assert time.monotonic() - begin < 4
    assert caught.value.retry_after == timedelta(seconds=30)


def test_a_full_queue_is_the_callers_business_unless_it_says_otherwise(
    connect: Connect, flaky: FlakyServer, flaky_port: int
) -> None:
    flaky.failures.extend([OVERLOADED] * 3)
    with pytest.raises(OverloadedError) as caught:
        connect(f"127.0.0.1:{flaky_port}", retry=QUICK).choose_move(VIEW)
    assert caught.value.retry_after == timedelta(milliseconds=20)
    assert connect(f"127.0.0.1:{flaky_port}", retry=RetryPolicy(repeats_overloaded=True)).choose_move(VIEW)
    assert len(flaky.requests) == 4


def test_the_deadline_holds_for_all_tries_together(
    connect: Connect, flaky: FlakyServer, flaky_port: int
) -> None:
    policy = RetryPolicy(
        tries=1000, first_pause=timedelta(milliseconds=50), longest_pause=timedelta(milliseconds=50)
    )
    flaky.failures.extend([UNAVAILABLE] * 1000)
    begin = time.monotonic()
    with pytest.raises((UnavailableError, DeadlineError)):
        connect(f"127.0.0.1:{flaky_port}", retry=policy).choose_move(
            VIEW, timeout=timedelta(milliseconds=400)
        )
    assert time.monotonic() - begin < 2
    assert 2 <= len(flaky.requests) <= 16
    assert flaky.deadlines == sorted(flaky.deadlines, reverse=True)


def test_every_call_has_a_deadline(connect: Connect, flaky: FlakyServer, flaky_port: int) -> None:
    client = connect(f"127.0.0.1:{flaky_port}", timeout=timedelta(seconds=20))
    client.list_bots()
    client.choose_move(VIEW, time=timedelta(seconds=7))
    client.choose_move(VIEW, time=timedelta(seconds=7), timeout=timedelta(seconds=3))
    client.list_legal_moves(VIEW)
    client.stream_analysis(VIEW, time=timedelta(seconds=7))
    for found, expected in zip(flaky.deadlines, (20, 27, 3, 20, 27), strict=True):
        # grpc rounds timeouts up on the wire.
        assert abs(found - expected) < 1.5


def test_a_silent_server_ends_in_a_deadline_error(
    connect: Connect, flaky: FlakyServer, flaky_port: int
) -> None:
    release = threading.Event()
    flaky.hold = release.wait
    try:
        with pytest.raises(DeadlineError):
            connect(f"127.0.0.1:{flaky_port}").choose_move(VIEW, timeout=timedelta(milliseconds=200))
        with pytest.raises(DeadlineError):
            connect(f"127.0.0.1:{flaky_port}").stream_analysis(VIEW, timeout=timedelta(milliseconds=200))
    finally:
        release.set()


def test_a_server_that_starts_late_is_found(connect: Connect, flaky: FlakyServer) -> None:
    port = unused_port()
    client = connect(
        f"127.0.0.1:{port}", retry=RetryPolicy(tries=20, longest_pause=timedelta(milliseconds=200))
    )
    started = threading.Event()
    stop = threading.Event()

    def serve() -> None:
        time.sleep(0.7)
        with running(flaky, port):
            started.set()
            stop.wait(30)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        assert client.list_bots()[0].id == "flaky@1"
        assert started.is_set()
    finally:
        stop.set()
        thread.join()


def test_no_server_at_all_is_unavailable(connect: Connect) -> None:
    with pytest.raises(UnavailableError):
        connect(f"127.0.0.1:{unused_port()}", retry=QUICK).list_bots()


def test_a_stream_is_repeated_only_before_its_first_message(
    connect: Connect, flaky: FlakyServer, flaky_port: int
) -> None:
    client = connect(f"127.0.0.1:{flaky_port}", retry=QUICK)
    flaky.failures.append(UNAVAILABLE)
    messages = client.stream_analysis(VIEW)
    assert [message.is_final for message in messages] == [False, False, True]
    flaky.failures.append(Failure(grpc.StatusCode.UNAVAILABLE, after_messages=1))
    with pytest.raises(UnavailableError):
        client.stream_analysis(VIEW)
    assert len(flaky.requests) == 3


def test_a_stream_without_a_final_answer_is_a_fault(
    connect: Connect, flaky: FlakyServer, flaky_port: int
) -> None:
    flaky.sends_final = False
    with pytest.raises(ServerError, match="without a final answer"):
        connect(f"127.0.0.1:{flaky_port}").stream_analysis(VIEW)


def test_a_closed_stream_cancels_the_call(flaky: FlakyServer, flaky_port: int) -> None:
    with TapeteClient(f"127.0.0.1:{flaky_port}") as client:
        stream = client.stream_analysis(VIEW)
        assert not next(stream).is_final
        stream.close()
        with pytest.raises(StopIteration):
            next(stream)


def test_closing_the_client_ends_a_call_in_flight(flaky: FlakyServer, flaky_port: int) -> None:
    release = threading.Event()
    flaky.hold = release.wait
    client = TapeteClient(f"127.0.0.1:{flaky_port}")
    closer = threading.Timer(0.3, client.close)
    closer.start()
    try:
        with pytest.raises(UnavailableError):
            client.choose_move(VIEW)
    finally:
        release.set()
        closer.join()


def test_the_request_carries_what_was_asked_and_no_more(
    connect: Connect, flaky: FlakyServer, flaky_port: int
) -> None:
    client = connect(f"127.0.0.1:{flaky_port}")
    client.choose_move(VIEW)
    assert flaky.requests[-1].view == GameView(guinote=VIEW)
    assert not flaky.requests[-1].HasField("budget")
    assert not flaky.requests[-1].HasField("seed")
    legal = client.list_legal_moves(VIEW)
    client.stream_analysis(
        GameView(guinote=VIEW),
        bot="heuristic@1",
        iterations=0,
        time=timedelta(milliseconds=1500),
        seed=0,
        legal_moves=legal,
        interval=timedelta(milliseconds=50),
    )
    request = flaky.requests[-1]
    assert request.interval.ToTimedelta() == timedelta(milliseconds=50)
    assert request.choose.bot == "heuristic@1"
    assert request.choose.HasField("seed")
    assert request.choose.budget.HasField("iterations")
    assert request.choose.budget.time.ToTimedelta() == timedelta(milliseconds=1500)
    assert list(request.choose.legal_moves) == legal


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"iterations": -1}, "out of range"),
        ({"seed": 2**32}, "out of range"),
        ({"iterations": 10**5000}, "iterations is a number of many digits"),
        ({"timeout": timedelta(0)}, "must be above 0"),
        ({"timeout": timedelta.max}, "timeout is .*: out of range"),
        ({"time": timedelta.max}, "time is .*: out of range"),
        ({"bot": "\ud800"}, "bot is .*surrogates"),
    ],
)
def test_arguments_that_no_server_could_accept_raise_value_error(
    connect: Connect, options: dict[str, object], message: str
) -> None:
    client = connect("127.0.0.1:1")
    with pytest.raises(ValueError, match=message):
        client.choose_move(VIEW, **options)
    with pytest.raises(ValueError, match=message):
        client.stream_analysis(VIEW, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": 5},
        {"time": 0.5},
        {"time": "1 s"},
        {"iterations": 1.5},
        {"iterations": True},
        {"seed": "7"},
        {"bot": 3},
        {"legal_moves": 7},
        {"legal_moves": ["12E"]},
    ],
    ids=str,
)
def test_arguments_of_the_wrong_type_raise_type_error(connect: Connect, options: dict[str, object]) -> None:
    client = connect("127.0.0.1:1")
    message = f"^{next(iter(options))} is .*: expected "
    with pytest.raises(TypeError, match=message):
        client.choose_move(VIEW, **options)
    with pytest.raises(TypeError, match=message):
        client.stream_analysis(VIEW, **options)


def test_so_do_the_other_arguments(connect: Connect) -> None:
    client = connect("127.0.0.1:1")
    for call in (client.choose_move, client.list_legal_moves, client.stream_analysis):
        with pytest.raises(TypeError, match="view is a dict: expected a GameView"):
            call({"players": 2})
    with pytest.raises(TypeError, match="interval is 200: expected"):
        client.stream_analysis(VIEW, interval=200)
    with pytest.raises(TypeError, match="game is 'guinote': expected"):
        client.list_bots(game="guinote")
    with pytest.raises(ValueError, match="game is -1: out of range"):
        client.list_bots(game=-1)
    with pytest.raises(TypeError, match="timeout is 30: expected"):
        connect("127.0.0.1:1", timeout=30)
    with pytest.raises(TypeError, match="target is 50051: expected"):
        connect(50051)
    with pytest.raises(TypeError, match="first_pause is 1: expected"):
        RetryPolicy(first_pause=1)  # type: ignore[arg-type]


def test_a_closed_client_says_so(connect: Connect, flaky_port: int) -> None:
    for calls_before in (True, False):
        client = connect(f"127.0.0.1:{flaky_port}")
        if calls_before:
            client.list_bots()
        client.close()
        for call in (
            client.list_bots,
            partial(client.choose_move, VIEW),
            partial(client.list_legal_moves, VIEW),
            partial(client.stream_analysis, VIEW),
        ):
            with pytest.raises(UnavailableError, match="This client is closed"):
                call()


def test_policies_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="tries is 0"):
        RetryPolicy(tries=0)
    with pytest.raises(ValueError, match="pauses"):
        RetryPolicy(first_pause=timedelta(0))
    with pytest.raises(ValueError, match="pauses"):
        RetryPolicy(first_pause=timedelta(seconds=3))
