"""Many mixed calls: memory, descriptors and threads stay where they are."""

import random
import time
from pathlib import Path

import grpc
import pytest

from tapete.v1 import ChooseMoveRequest, ListLegalMovesRequest, StreamAnalysisRequest
from tests.server.rig import Process, question, server_process

CALLS = 40_000


def _rss_bytes(server: Process) -> int:
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))


def _count(server: Process, kind: str) -> int:
    return len(list(Path(f"/proc/{server.process.pid}/{kind}").iterdir()))


def _make_calls(server: Process, generator: random.Random, calls: int) -> None:
    questions = [
        question(bot=bot, seed=seed, plies=seed, iterations=30)
        for seed in range(30)
        for bot in ("random", "heuristic", "ismcts")
    ]
    long = question(bot="ismcts", plies=2, iterations=100_000)
    for _ in range(calls):
        request = generator.choice(questions)
        kind = generator.random()
        if kind < 0.10:
            call = server.stub.ChooseMove.future(long)
            time.sleep(generator.random() / 500)
            call.cancel()
        elif kind < 0.15:
            with pytest.raises(grpc.RpcError):
                server.stub.ChooseMove(_with_fault(request))
        elif kind < 0.25:
            list(server.stub.StreamAnalysis(StreamAnalysisRequest(choose=request)))
        elif kind < 0.45:
            server.stub.ListLegalMoves(ListLegalMovesRequest(view=request.view))
        else:
            server.stub.ChooseMove(request)


def _with_fault(request: ChooseMoveRequest) -> ChooseMoveRequest:
    broken = ChooseMoveRequest()
    broken.CopyFrom(request)
    broken.view.guinote.hand[0].rank = 9
    return broken


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_memory_descriptors_and_threads_stay_flat() -> None:
    generator = random.Random(1)
    with server_process("port=0, threads=2, log_calls=False") as server:
        _make_calls(server, generator, CALLS // 2)
        memory, files, threads = _rss_bytes(server), _count(server, "fd"), _count(server, "task")
        _make_calls(server, generator, CALLS // 2)
        growth = (_rss_bytes(server) - memory) / (CALLS // 2)
        assert _count(server, "fd") <= files + 2
        assert _count(server, "task") <= threads + 2
        print(f"growth: {growth:.0f} bytes a call")
        assert growth < 200
