"""What the service costs: ChooseMove with `random` beside a plain gRPC echo of equal sizes, in one run.

    python -m benchmarks rpc [--calls N] [--json]

Both servers are grpc.aio in processes of their own; the echo server neither parses nor builds a message.
One blocking client sends bytes to both in turns of 50 calls, so that whatever else the machine does
disturbs both alike. Positions of a whole deal are asked in turn.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median, quantiles
from typing import Any

import grpc

from tapete.v1 import Budget, ChooseMoveRequest, GameView, ListLegalMovesRequest
from tapete_games.guinote.deal import Deal, shuffled_pack
from tapete_games.guinote.rules import Rules

TURN = 50

TAPETE = """
from tapete_server import ServerConfig, serve
serve(ServerConfig(port=0, log_calls={log_calls}), on_ready=lambda port: print(port, flush=True))
"""

# Reads the size of the reply from the method's name, so that every question has a reply of its size.
ECHO = """
import asyncio, grpc, grpc.aio

class Echo(grpc.GenericRpcHandler):
    def service(self, details):
        reply = bytes(int(details.method.rpartition("/")[2]))

        async def answer(request, context):
            return reply

        return grpc.unary_unary_rpc_method_handler(answer)

async def main():
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((Echo(),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await server.wait_for_termination()

asyncio.run(main())
"""


@contextmanager
def server(script: str) -> Iterator[grpc.Channel]:
    """Runs a server that prints its port."""
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        with grpc.insecure_channel(f"127.0.0.1:{int(process.stdout.readline())}") as channel:
            yield channel
    finally:
        process.kill()
        process.wait()


def views(players: int) -> list[GameView]:
    """Makes the views of each seat asked in one deal, played by drawing lots."""
    deal = Deal(Rules(), players, 0, shuffled_pack(11))
    found = []
    while not deal.is_over:
        found.append(GameView(guinote=deal.view()))
        moves = deal.legal_moves()
        deal.play(moves[len(found) * 7 % len(moves)])
    return found


def questions(bot: str | None) -> list[bytes]:
    """Makes requests for a move, or for legal moves when there is no bot."""
    made: list[bytes] = []
    for players in (2, 4):
        for view in views(players):
            if bot is None:
                made.append(ListLegalMovesRequest(view=view).SerializeToString())
            else:
                budget = Budget(iterations=0) if bot == "ismcts" else None
                made.append(ChooseMoveRequest(view=view, bot=bot, budget=budget).SerializeToString())
    return made


def time_calls(calls: list[tuple[Any, bytes]]) -> list[float]:
    """Makes each call; returns the milliseconds of each."""
    times = []
    for call, request in calls:
        started = time.perf_counter()
        call(request)
        times.append((time.perf_counter() - started) * 1000)
    return times


def compare(
    tapete: grpc.Channel, echo: grpc.Channel, method: str, requests: list[bytes], calls: int
) -> dict[str, Any]:
    """Times a method beside an echo whose replies have the same sizes."""
    ask: Any = tapete.unary_unary(f"/tapete.v1.BotService/{method}")
    sizes = [len(ask(request)) for request in requests]
    pairs = []
    for request, size in zip(requests, sizes, strict=True):
        echo_call: Any = echo.unary_unary(f"/echo.Echo/{size}")
        pairs.append(((ask, request), (echo_call, request)))
    ours: list[float] = []
    theirs: list[float] = []
    for start in range(-2 * TURN, calls, TURN):
        turn = [pairs[i % len(pairs)] for i in range(start + 2 * TURN, start + 3 * TURN)]
        taken = time_calls([pair[0] for pair in turn]), time_calls([pair[1] for pair in turn])
        # The first turns warm both up.
        if start >= 0:
            ours += taken[0]
            theirs += taken[1]
    return {
        "calls": len(ours),
        "request_bytes": round(sum(map(len, requests)) / len(requests)),
        "reply_bytes": round(sum(sizes) / len(sizes)),
        "p50_ms": round(median(ours), 3),
        "p99_ms": round(quantiles(ours, n=100)[98], 3),
        "echo_p50_ms": round(median(theirs), 3),
        "echo_p99_ms": round(quantiles(theirs, n=100)[98], 3),
        "ratio_p50": round(median(ours) / median(theirs), 2),
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--calls", type=int, default=3000, help="calls of each kind (default 3000)")
    parser.add_argument("--json", action="store_true", help="print JSON lines instead of a table")
    parser.add_argument("--no-log", action="store_true", help="let the server log no successful calls")


def run(options: argparse.Namespace) -> None:
    """Prints the table."""
    kinds = [
        ("ChooseMove, random", "ChooseMove", "random"),
        ("ChooseMove, heuristic", "ChooseMove", "heuristic"),
        ("ChooseMove, ismcts without iterations", "ChooseMove", "ismcts"),
        ("ListLegalMoves", "ListLegalMoves", None),
    ]
    if not options.json:
        print("| call | request, reply bytes | p50, p99 ms | echo p50, p99 ms | ratio of p50 |")
        print("|---|---|---|---|---|")
    with server(TAPETE.format(log_calls=not options.no_log)) as tapete, server(ECHO) as echo:
        for name, method, bot in kinds:
            row = compare(tapete, echo, method, questions(bot), options.calls)
            if options.json:
                print(json.dumps({"benchmark": "rpc", "call": name, **row}))
            else:
                print(
                    f"| {name} | {row['request_bytes']}, {row['reply_bytes']} "
                    f"| {row['p50_ms']}, {row['p99_ms']} "
                    f"| {row['echo_p50_ms']}, {row['echo_p99_ms']} | {row['ratio_p50']} |",
                    flush=True,
                )
