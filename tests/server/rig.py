"""What the tests of the server share: real servers on one event loop, real views, probe bots."""

import asyncio
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import grpc
import numpy as np
from google.rpc import error_details_pb2, status_pb2

from tapete.v1 import (
    BotServiceStub,
    Budget,
    ChooseMoveRequest,
    DecidedBy,
    ErrorReason,
    Game,
    GameView,
    MoveReason,
    StoppedBy,
)
from tapete_bots.bot import Answer, Cancelled, Control, Report
from tapete_bots.bot import Budget as BotBudget
from tapete_games.guinote.deal import Deal, shuffled_pack
from tapete_games.guinote.rules import Rules
from tapete_games.kernel import kernel
from tapete_games.position import Position
from tapete_server import RunningServer, ServerConfig, start_server
from tapete_server.catalogue import BUILT_IN, Catalogue

T = TypeVar("T")

SERVICE = "/tapete.v1.BotService/"


class Loop:
    """One event loop in a thread of its own: grpc.aio minds several in a process."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T], seconds: float = 60) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(seconds)

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(10)


@dataclass
class Running:
    """A server of this process and a client of it."""

    server: RunningServer
    channel: grpc.Channel
    loop: Loop

    @property
    def stub(self) -> Any:
        return BotServiceStub(self.channel)

    def raw(self, method: str) -> Any:
        """A call that sends and receives bytes."""
        return self.channel.unary_unary(SERVICE + method)

    def thinking(self) -> int:
        return self.server.core.room.pool.running


@contextmanager
def running(
    loop: Loop, catalogue: Catalogue, config: ServerConfig | None = None, *, ready: bool = True
) -> Iterator[Running]:
    """Runs a server on a free port."""
    settings = replace(config or ServerConfig(threads=2), port=0)
    server, port = loop.run(start_server(settings, catalogue))
    try:
        if ready:
            loop.run(server.ready(), 120)
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield Running(server, channel, loop)
    finally:
        loop.run(server.stop_now())


# --- probe bots ---------------------------------------------------------------------------------


@kernel
def _count(counter: np.ndarray, steps: int) -> int:
    x = 1
    for _ in range(steps):
        x ^= x << 13
        x ^= x >> 7
        x ^= x << 17
        counter[0] += 1
    return x


class Probe:
    """A bot made for one test; `play` is what it does."""

    def __init__(
        self, name: str, play: Callable[[Position, BotBudget, Control, Report | None], Answer]
    ) -> None:
        self.id = f"{name}@1"
        self.games = (Game.GAME_GUINOTE,)
        self._play = play

    def choose(
        self, position: Position, budget: BotBudget, seed: int, control: Control, report: Report | None = None
    ) -> Answer:
        return self._play(position, budget, control, report)


def answer(position: Position, iterations: int = 0, stopped_by: Any = None) -> Answer:
    return Answer(
        move=position.legal_moves[0],
        candidates=(),
        decided_by=DecidedBy.DECIDED_BY_RANDOM,
        stopped_by=StoppedBy.STOPPED_BY_DONE if stopped_by is None else stopped_by,
        reason=MoveReason.MOVE_REASON_RANDOM,
        iterations=iterations,
    )


class Spinner(Probe):
    """Counts in a nogil kernel until cancelled or out of time; `counter` shows whether it still runs."""

    SLICE = 200_000

    def __init__(self) -> None:
        super().__init__("spin", self._spin)
        self.counter = np.zeros(1, np.int64)
        self.started = 0
        _count(np.zeros(1, np.int64), 1)

    def _spin(self, position: Position, budget: BotBudget, control: Control, report: Report | None) -> Answer:
        self.started += 1
        done = 0
        while control.remaining() > 0:
            if control.is_cancelled:
                raise Cancelled
            _count(self.counter, self.SLICE)
            done += 1
            if budget.iterations is not None and done >= budget.iterations:
                return answer(position, done, StoppedBy.STOPPED_BY_ITERATIONS)
            if report is not None:
                report(answer(position, done))
        return answer(position, done, StoppedBy.STOPPED_BY_DEADLINE)


class Gate(Probe):
    """Holds its thread until the test lets it go."""

    def __init__(self) -> None:
        super().__init__("gate", self._wait)
        self.open = threading.Event()
        self.started = 0

    def _wait(self, position: Position, budget: BotBudget, control: Control, report: Report | None) -> Answer:
        self.started += 1
        while not self.open.wait(0.002):
            if control.is_cancelled:
                raise Cancelled
            if control.remaining() <= 0:
                return answer(position, stopped_by=StoppedBy.STOPPED_BY_DEADLINE)
        return answer(position)


def raising(error: BaseException) -> Callable[..., Answer]:
    def play(*_: Any) -> Answer:
        raise error

    return play


def with_probes(*probes: Any) -> Catalogue:
    """The built-in bots and some probes, found by the name before the `@`."""
    by_name = {probe.id.partition("@")[0]: probe for probe in probes}

    def find(text: str, game: Game.ValueType) -> Any:
        return by_name.get(text.partition("@")[0]) or BUILT_IN.find(text, game)

    return replace(BUILT_IN, find=find)


# --- questions ----------------------------------------------------------------------------------


def deal_after(seed: int, plies: int, players: int = 4, rules: Rules | None = None) -> Deal:
    """A deal after some random moves, or fewer if it ends before."""
    generator = random.Random(seed)
    deal = Deal(rules or Rules(), players, seed % players, shuffled_pack(seed))
    for _ in range(plies):
        move = generator.choice(deal.legal_moves())
        before = deal
        deal.play(move)
        if deal.is_over:
            return before if not before.is_over else deal_after(seed + 1000, plies // 2, players, rules)
    return deal


def view_after(seed: int, plies: int, players: int = 4) -> GameView:
    return GameView(guinote=deal_after(seed, plies, players).view())


def question(
    bot: str = "random", seed: int = 3, plies: int = 9, players: int = 4, **budget: Any
) -> ChooseMoveRequest:
    """A question about some real position."""
    request = ChooseMoveRequest(view=view_after(seed, plies, players), bot=bot)
    if budget:
        request.budget.CopyFrom(Budget(**budget))
    return request


# --- errors -------------------------------------------------------------------------------------


@dataclass
class Refusal:
    """A failed call, unpacked."""

    code: grpc.StatusCode
    message: str
    reason: str
    metadata: dict[str, str]
    violations: list[tuple[str, str]]
    """Path and reason of each."""
    retry_seconds: float | None
    details_bytes: int


def unpack(error: grpc.RpcError) -> Refusal:
    trailers: dict[str, Any] = dict(error.trailing_metadata() or ())  # type: ignore[arg-type]
    raw = trailers.get("grpc-status-details-bin", b"")
    status = status_pb2.Status.FromString(raw)
    refusal = Refusal(error.code(), error.details() or "", "", {}, [], None, len(raw))
    for detail in status.details:
        info, bad, retry = (
            error_details_pb2.ErrorInfo(),
            error_details_pb2.BadRequest(),
            error_details_pb2.RetryInfo(),
        )
        if detail.Unpack(info):
            assert info.domain == "tapete"
            assert ErrorReason.Value(info.reason)
            refusal.reason, refusal.metadata = info.reason.removeprefix("ERROR_REASON_"), dict(info.metadata)
        elif detail.Unpack(bad):
            for violation in bad.field_violations:
                assert violation.description
                reason = violation.reason.removeprefix("ERROR_REASON_")
                refusal.violations.append((violation.field, reason))
        elif detail.Unpack(retry):
            refusal.retry_seconds = retry.retry_delay.ToTimedelta().total_seconds()
    if raw:
        assert status.code == error.code().value[0]
        assert status.message == error.details()
    return refusal


def refused(call: Callable[[], Any]) -> Refusal:
    """Makes a call that must fail."""
    try:
        result = call()
    except grpc.RpcError as error:
        return unpack(error)
    raise AssertionError(f"not refused: {result}")


def wait_for(condition: Callable[[], bool], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to pass"
        time.sleep(0.001)


# --- servers in processes of their own ----------------------------------------------------------

_SCRIPT = """
import sys
from datetime import timedelta
from tapete_server import ServerConfig, serve
serve(ServerConfig({settings}), on_ready=lambda port: print(port, flush=True))
"""


@dataclass
class Process:
    """A server in a process of its own."""

    process: "subprocess.Popen[str]"
    port: int
    channel: grpc.Channel
    log: list[str]
    """The lines of its log so far."""

    @property
    def stub(self) -> Any:
        return BotServiceStub(self.channel)


@contextmanager
def server_process(settings: str) -> Iterator[Process]:
    """Runs `serve` in a new process, given the arguments of its ServerConfig."""
    process = subprocess.Popen(
        [sys.executable, "-c", _SCRIPT.format(settings=settings)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    log: list[str] = []
    # A pipe that nobody reads would in the end stop the server.
    reader = threading.Thread(target=log.extend, args=(process.stderr,), daemon=True)
    reader.start()
    try:
        port = process.stdout.readline()
        assert port, log
        with grpc.insecure_channel(f"127.0.0.1:{int(port)}") as channel:
            yield Process(process, int(port), channel, log)
    finally:
        process.kill()
        process.wait(10)
        reader.join(10)
        process.stdout.close()
        process.stderr.close()
