"""Fixtures of the server's tests."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tapete_bots.bot import Answer
from tapete_games.position import Position
from tests.server.rig import Gate, Loop, Probe, Running, Spinner, answer, raising, running, with_probes


class StrangeError(Exception):
    """What a bot with a fault raises."""


def _illegal(position: Position, *_: Any) -> Answer:
    return replace(answer(position), move=({*range(47)} - set(position.legal_moves)).pop())


@pytest.fixture(scope="session")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture(scope="session")
def spinner() -> Spinner:
    return Spinner()


@pytest.fixture(scope="session")
def server(loop: Loop, spinner: Spinner) -> Iterator[Running]:
    """The server of most tests: the built-in bots, a spinner and bots with faults."""
    catalogue = with_probes(
        spinner,
        Probe("raise", raising(StrangeError("secret text"))),
        Probe("cancelled", raising(asyncio.CancelledError())),
        Probe("exit", raising(SystemExit(3))),
        Probe("illegal", _illegal),
    )
    with running(loop, catalogue) as server:
        yield server


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.open.set()
