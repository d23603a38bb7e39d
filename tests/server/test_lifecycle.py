"""From start to end: binding, warm-up, health, reflection, drain."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tapete.v1 import ListBotsRequest, ListLegalMovesRequest, StoppedBy, StreamAnalysisRequest
from tapete_server import ServerConfig, ServerError, start_server
from tapete_server.catalogue import BUILT_IN
from tests.server.rig import (
    Gate,
    Loop,
    Running,
    question,
    refused,
    running,
    server_process,
    wait_for,
    with_probes,
)

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
SERVICES = ("", "tapete.v1.BotService")


def _health(channel: grpc.Channel, service: str = "") -> int:
    stub = health_pb2_grpc.HealthStub(channel)
    return int(stub.Check(health_pb2.HealthCheckRequest(service=service)).status)


def _wait(event: threading.Event) -> None:
    event.wait(30)


def test_before_the_warm_up_is_over_calls_are_refused_and_health_says_so(
    loop: Loop, caplog: pytest.LogCaptureFixture
) -> None:
    may_end = threading.Event()
    catalogue = replace(BUILT_IN, warm_up=lambda: _wait(may_end))
    with caplog.at_level("INFO", logger="tapete_server"), running(loop, catalogue, ready=False) as server:
        for service in SERVICES:
            assert _health(server.channel, service) == NOT_SERVING
        for call in (
            lambda: server.stub.ChooseMove(question()),
            lambda: server.stub.ListLegalMoves(ListLegalMovesRequest(view=question().view)),
            lambda: server.raw("ChooseMove")(b"\xff"),
        ):
            refusal = refused(call)
            assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "NOT_READY")
            assert refusal.retry_seconds
        assert server.stub.ListBots(ListBotsRequest()).bots
        may_end.set()
        loop.run(server.server.ready())
        for service in SERVICES:
            assert _health(server.channel, service) == SERVING
        assert server.stub.ChooseMove(question()).HasField("move")
    assert any("event=ready warm_up_seconds=" in record.getMessage() for record in caplog.records)


def test_a_warm_up_that_fails_is_an_error_of_the_server(loop: Loop) -> None:
    def fail() -> None:
        raise OSError("no room for kernels")

    with running(loop, replace(BUILT_IN, warm_up=fail), ready=False) as server:
        with pytest.raises(ServerError, match="no room for kernels"):
            loop.run(server.server.ready())
        assert _health(server.channel) == NOT_SERVING


def test_health_of_a_service_that_does_not_exist_is_not_found(server: Running) -> None:
    with pytest.raises(grpc.RpcError) as raised:
        _health(server.channel, "tapete.v9.BotService")
    assert raised.value.code() is grpc.StatusCode.NOT_FOUND


def test_a_watcher_of_health_is_told_of_the_drain(loop: Loop) -> None:
    with running(loop, BUILT_IN) as server:
        stub = health_pb2_grpc.HealthStub(server.channel)
        watch = stub.Watch(health_pb2.HealthCheckRequest(service="tapete.v1.BotService"))
        assert next(watch).status == SERVING
        loop.loop.call_soon_threadsafe(server.server.drain)
        assert next(watch).status == NOT_SERVING


def _reflected(channel: grpc.Channel, **request: str) -> reflection_pb2.ServerReflectionResponse:
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    return next(stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(**request)])))


def test_reflection_lists_the_services_and_their_files(server: Running) -> None:
    listed = _reflected(server.channel, list_services="").list_services_response
    assert {"tapete.v1.BotService", "grpc.health.v1.Health"} <= {service.name for service in listed.service}
    found = _reflected(server.channel, file_containing_symbol="tapete.v1.BotService")
    assert any(b"ChooseMove" in file for file in found.file_descriptor_response.file_descriptor_proto)


def test_reflection_can_be_switched_off(loop: Loop) -> None:
    with running(loop, BUILT_IN, ServerConfig(threads=1, reflection=False)) as server:
        with pytest.raises(grpc.RpcError) as raised:
            _reflected(server.channel, list_services="")
        assert raised.value.code() is grpc.StatusCode.UNIMPLEMENTED


def _assert_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    """Checks that grpc's core, which writes to the descriptor itself, has added nothing."""
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0"])
def test_a_port_that_is_taken_is_a_sentence_and_nothing_else(
    loop: Loop, server: Running, host: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ServerError, match="another program has this port"):
        loop.run(start_server(ServerConfig(host=host, port=server.server.port)))
    _assert_quiet(capfd)


@pytest.mark.parametrize(
    ("host", "sentence"),
    [
        ("192.0.2.1", r"cannot listen on 192\.0\.2\.1:0: cannot assign"),
        ("nowhere.invalid", r"cannot listen on nowhere\.invalid:0: the host is not known"),
    ],
)
def test_a_host_that_is_not_ours_is_a_sentence_and_nothing_else(
    loop: Loop, host: str, sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ServerError, match=sentence):
        loop.run(start_server(ServerConfig(host=host, port=0)))
    _assert_quiet(capfd)


@pytest.mark.parametrize("host", ["localhost", "0.0.0.0"])
def test_names_and_wildcards_can_be_listened_on(loop: Loop, host: str) -> None:
    server, port = loop.run(start_server(ServerConfig(host=host, port=0, threads=1)))
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            assert _health(channel) in {SERVING, NOT_SERVING}
    finally:
        loop.run(server.stop_now())


@pytest.mark.parametrize(
    "settings",
    [{"port": -1}, {"port": 65536}, {"threads": 0}, {"queue_limit": -1}, {"drain": timedelta(0)}],
)
def test_settings_have_ranges(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=str(next(iter(settings)))):
        ServerConfig(**settings)  # type: ignore[arg-type]


def test_a_drain_lets_running_calls_finish_and_refuses_new_ones(loop: Loop, gate: Gate) -> None:
    config = ServerConfig(threads=1, drain=timedelta(seconds=8))
    with running(loop, with_probes(gate), config) as server:
        calls = [server.stub.ChooseMove.future(question(bot="gate")) for _ in range(3)]
        wait_for(lambda: server.server.core.room.pool.queued == 2)
        loop.loop.call_soon_threadsafe(server.server.drain)
        wait_for(lambda: server.server.core.phase.name == "DRAINING")
        stub = server.stub
        for call in (
            lambda: stub.ChooseMove(question(), timeout=5),
            lambda: list(stub.StreamAnalysis(StreamAnalysisRequest(choose=question()), timeout=5)),
            lambda: stub.ListLegalMoves(ListLegalMovesRequest(view=question().view), timeout=5),
            lambda: stub.ListBots(ListBotsRequest(), timeout=5),
        ):
            refusal = refused(call)
            assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN")
            assert refusal.retry_seconds
        gate.open.set()
        assert all(call.result(5).HasField("move") for call in calls)


def test_a_watcher_of_health_does_not_hold_up_the_drain(loop: Loop) -> None:
    with running(loop, BUILT_IN, ServerConfig(threads=1, drain=timedelta(seconds=30))) as server:
        watch = health_pb2_grpc.HealthStub(server.channel).Watch(health_pb2.HealthCheckRequest())
        assert next(watch).status == SERVING
        started = time.monotonic()
        loop.loop.call_soon_threadsafe(server.server.drain)
        loop.run(server.server.wait(), 10)
        assert time.monotonic() - started < 5


def test_a_long_search_ends_with_the_drain_and_answers(loop: Loop) -> None:
    config = ServerConfig(threads=1, drain=timedelta(seconds=1))
    with running(loop, BUILT_IN, config) as server:
        call = server.stub.ChooseMove.future(question(bot="ismcts", plies=2, iterations=10_000_000))
        wait_for(lambda: server.thinking() == 1)
        loop.loop.call_soon_threadsafe(server.server.drain)
        response = call.result(5)
    assert response.analysis.stopped_by == StoppedBy.STOPPED_BY_DEADLINE
    assert response.analysis.iterations > 0


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_drains_and_the_process_ends_well(number: signal.Signals) -> None:
    with server_process("port=0, threads=1, drain=timedelta(seconds=5)") as server:
        call = server.stub.ChooseMove.future(question(bot="ismcts", plies=2, iterations=60_000))
        time.sleep(0.05)
        server.process.send_signal(number)
        assert call.result(10).analysis.iterations > 0
        assert server.process.wait(10) == 0
    log = "".join(server.log)
    assert "event=draining" in log
    assert "event=stopped" in log
    assert "Traceback" not in log


@pytest.mark.long
def test_a_second_signal_stops_at_once() -> None:
    with server_process("port=0, threads=1, drain=timedelta(seconds=60)") as server:
        call = server.stub.ChooseMove.future(question(bot="ismcts", plies=2, iterations=10_000_000))
        time.sleep(0.3)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        assert server.process.poll() is None
        server.process.send_signal(signal.SIGTERM)
        started = time.monotonic()
        assert server.process.wait(5) == 0
        assert time.monotonic() - started < 3
        with pytest.raises(grpc.RpcError):
            call.result(5)


_SLOW = """
import time
from dataclasses import replace
from tapete_server import ServerConfig, serve
from tapete_server.catalogue import BUILT_IN
serve(ServerConfig(port=0), catalogue=replace(BUILT_IN, warm_up=lambda: time.sleep(60)))
"""


@pytest.mark.long
def test_a_signal_during_the_warm_up_ends_the_process_well() -> None:
    process = subprocess.Popen([sys.executable, "-c", _SLOW], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    with process, process.stderr:
        assert "event=listening" in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
        assert "Traceback" not in process.stderr.read()


@pytest.mark.long
def test_a_signal_while_kernels_compile_ends_the_process_well(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "from tapete_server import *; serve(ServerConfig(port=0))"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
    )
    assert process.stderr is not None
    with process, process.stderr:
        assert "event=listening" in process.stderr.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        log = process.stderr.read()
    assert "event=ready" not in log
    assert "Traceback" not in log


@pytest.mark.long
def test_calls_that_meet_a_stop_end_as_documented() -> None:
    outcomes: list[str] = []
    with server_process("port=0, threads=2, log_calls=False") as server:

        def caller(seed: int) -> None:
            while server.process.poll() is None:
                try:
                    server.stub.ChooseMove(question(bot="ismcts", seed=seed, iterations=500), timeout=5)
                    outcomes.append("OK")
                except grpc.RpcError as error:
                    outcomes.append(error.code().name)
                    time.sleep(0.01)

        with ThreadPoolExecutor(8) as executor:
            callers = [executor.submit(caller, seed) for seed in range(8)]
            time.sleep(0.5)
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(10) == 0
            for done in callers:
                done.result(10)
    assert outcomes.count("OK") > 20
    assert set(outcomes) <= {"OK", "UNAVAILABLE", "CANCELLED"}
