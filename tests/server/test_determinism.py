"""The same request gives the same bytes: in any process, with any number of threads, after anything."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tapete.v1 import ChooseMoveRequest
from tests.server.rig import SERVICE, Process, Running, question, server_process


def _requests() -> list[bytes]:
    requests: list[ChooseMoveRequest] = []
    for players in (2, 4):
        for bot in ("random", "heuristic", "ismcts"):
            for seed, plies in enumerate((0, 7, 16, 25, 36)):
                request = question(bot=bot, seed=seed, plies=plies, players=players, iterations=400)
                request.seed = 77 + seed
                requests.append(request)
    return [request.SerializeToString(deterministic=True) for request in requests]


def _answers(server: Running | Process, requests: list[bytes], callers: int = 1) -> list[bytes]:
    call: Any = server.channel.unary_unary(SERVICE + "ChooseMove")
    with ThreadPoolExecutor(callers) as executor:
        return list(executor.map(call, requests))


def test_the_same_bytes_again_and_at_once(server: Running) -> None:
    requests = _requests()
    first = _answers(server, requests)
    assert _answers(server, requests, callers=8) == first


def test_another_seed_may_give_another_move(server: Running) -> None:
    request = question(bot="random", plies=0)
    moves = set()
    for seed in range(40):
        request.seed = seed
        moves.add(server.stub.ChooseMove(request).move.SerializeToString())
    assert len(moves) > 1


def test_an_absent_seed_is_0(server: Running) -> None:
    request = question(bot="ismcts", plies=2, iterations=200)
    absent = server.stub.ChooseMove(request)
    request.seed = 0
    assert server.stub.ChooseMove(request) == absent


@pytest.mark.long
@pytest.mark.timeout(300)
def test_the_same_bytes_in_new_processes_before_and_after_1000_other_requests(server: Running) -> None:
    requests = _requests()
    expected = _answers(server, requests)
    others = [
        question(
            bot=("random", "heuristic", "ismcts")[i % 3], seed=i, plies=i % 37, iterations=60
        ).SerializeToString()
        for i in range(1000)
    ]
    for threads in (1, 2):
        with server_process(f"port=0, threads={threads}, log_calls=False") as process:
            assert _answers(process, requests, callers=4) == expected
            if threads == 2:
                _answers(process, others, callers=6)
                assert _answers(process, requests, callers=4) == expected
