"""Admission: bounded threads, a bounded queue, an honest refusal."""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tapete.v1 import ListBotsRequest, ListLegalMovesRequest, StoppedBy, StreamAnalysisRequest
from tapete_server import ServerConfig
from tests.server.rig import (
    Gate,
    Loop,
    Running,
    question,
    refused,
    running,
    server_process,
    unpack,
    wait_for,
    with_probes,
)


def test_past_the_queue_limit_calls_are_refused_with_a_hint(loop: Loop, gate: Gate) -> None:
    with running(loop, with_probes(gate), ServerConfig(threads=2, queue_limit=3)) as server:
        pool = server.server.core.room.pool
        accepted = [server.stub.ChooseMove.future(question(bot="gate")) for _ in range(5)]
        wait_for(lambda: (pool.running, pool.queued) == (2, 3))
        assert gate.started == 2
        started = time.monotonic()
        for call in (
            lambda: server.stub.ChooseMove(question(bot="gate")),
            lambda: list(server.stub.StreamAnalysis(StreamAnalysisRequest(choose=question(bot="gate")))),
        ):
            refusal = refused(call)
            assert (refusal.code, refusal.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED")
            assert refusal.retry_seconds is not None
            assert 0.05 <= refusal.retry_seconds <= 5
        assert time.monotonic() - started < 1
        # What needs no thread is answered all the same.
        assert server.stub.ListBots(ListBotsRequest()).bots
        assert server.stub.ListLegalMoves(ListLegalMovesRequest(view=question().view)).moves
        health = health_pb2_grpc.HealthStub(server.channel)
        assert health.Check(health_pb2.HealthCheckRequest()).status == health_pb2.HealthCheckResponse.SERVING
        gate.open.set()
        for call in accepted:
            assert call.result(10).HasField("move")
        assert gate.started == 5
        assert server.stub.ChooseMove(question(bot="gate")).HasField("move")


def test_a_queue_of_none_refuses_at_once(loop: Loop, gate: Gate) -> None:
    with running(loop, with_probes(gate), ServerConfig(threads=1, queue_limit=0)) as server:
        held = server.stub.ChooseMove.future(question(bot="gate"))
        wait_for(lambda: gate.started == 1)
        assert refused(lambda: server.stub.ChooseMove(question(bot="gate"))).reason == "OVERLOADED"
        gate.open.set()
        held.result(5)
        assert server.stub.ChooseMove(question(bot="ismcts", iterations=5)).HasField("move")


def test_calls_are_answered_first_come_first_served(loop: Loop, gate: Gate) -> None:
    with running(loop, with_probes(gate), ServerConfig(threads=1)) as server:
        pool = server.server.core.room.pool
        order: list[int] = []
        calls = []
        for i in range(6):
            call = server.stub.ChooseMove.future(question(bot="gate"))
            call.add_done_callback(partial(_note, order, i))
            calls.append(call)
            wait_for(partial(lambda number: pool.running + pool.queued == number, i + 1))
        gate.open.set()
        for call in calls:
            call.result(10)
        wait_for(lambda: len(order) == 6)
        assert order == sorted(order)


def _note(order: list[int], number: int, call: object) -> None:
    order.append(number)


@pytest.mark.long
def test_under_fivefold_load_the_work_done_does_not_collapse(server: Running) -> None:
    def call(_: int) -> str:
        try:
            server.stub.ChooseMove(question(bot="ismcts", plies=2, iterations=3000))
        except grpc.RpcError as error:
            return unpack(error).reason
        return "OK"

    def answers(callers: int, seconds: float) -> tuple[float, set[str]]:
        done: list[str] = []
        end = time.monotonic() + seconds

        def caller(i: int) -> None:
            while time.monotonic() < end:
                done.append(call(i))

        started = time.monotonic()
        with ThreadPoolExecutor(callers) as executor:
            list(executor.map(caller, range(callers)))
        return done.count("OK") / (time.monotonic() - started), set(done)

    alone, _ = answers(2, 2)
    crowded, outcomes = answers(20, 3)
    assert outcomes <= {"OK", "OVERLOADED"}
    # The clients of this test share the cores with the server.
    assert crowded > 0.5 * alone


@pytest.mark.long
def test_deadlines_hold_when_all_threads_are_busy() -> None:
    # In a process of its own: with its clients in one process the server would wait for their lock.
    with server_process("port=0, threads=2") as server:

        def call(_: int) -> str:
            try:
                request = question(bot="ismcts", plies=2, iterations=10_000_000)
                response = server.stub.ChooseMove(request, timeout=0.5)
            except grpc.RpcError as error:
                return str(error.code().name)
            assert response.analysis.stopped_by == StoppedBy.STOPPED_BY_DEADLINE
            return "OK"

        with ThreadPoolExecutor(12) as executor:
            outcomes = list(executor.map(call, range(72)))
    assert set(outcomes) <= {"OK", "DEADLINE_EXCEEDED"}
    assert outcomes.count("OK") >= 54, outcomes
