"""Fixtures of the clients' tests."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from tests.clients.both_clients import Caller
from tests.clients.command import PROGRAM, serving
from tests.clients.flaky import FlakyServer, running


@pytest.fixture(scope="session", autouse=True)
def no_note() -> Iterator[None]:
    """A busy machine shall not make commands print the note on long first answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tapete_cli.in_process.NOTE_AFTER", timedelta(minutes=10))
        yield


@pytest.fixture(scope="session")
def runner() -> Iterator[asyncio.Runner]:
    """The one event loop of all asyncio clients: grpc.aio minds several in a process."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(params=["blocking", "asyncio"])
def connect(request: pytest.FixtureRequest, runner: asyncio.Runner) -> Iterator[Callable[..., Caller]]:
    """Makes clients of one of the two kinds."""
    made: list[Caller] = []

    def make(target: str, **options: Any) -> Caller:
        made.append(Caller(target, runner if request.param == "asyncio" else None, **options))
        return made[-1]

    yield make
    for caller in made:
        caller.close()


@pytest.fixture
def flaky() -> FlakyServer:
    return FlakyServer()


@pytest.fixture
def flaky_port(flaky: FlakyServer) -> Iterator[int]:
    with running(flaky) as port:
        yield port


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Address of a real server in a process of its own."""
    with serving(*PROGRAM, "serve", "--port", "0", "--threads", "2") as address:
        yield address
