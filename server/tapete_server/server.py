"""A server from start to end: bind, warm up, serve, drain."""

import asyncio
import errno
import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress

import grpc
import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from tapete_server.catalogue import BUILT_IN, Catalogue
from tapete_server.config import ServerConfig
from tapete_server.core import BotCore, Phase
from tapete_server.errors import ServerError
from tapete_server.grpc_service import SERVICE, GrpcService
from tapete_server.log import configure_logging, line, logger
from tapete_server.pool import run_in_thread

__all__ = ["RunningServer", "serve", "start_server"]

_HEALTH_NAMES = ("", SERVICE)
# Searches that were told to end need this long to answer before the server closes.
_LAST_ANSWERS = 0.5
# Replies on their way, refusals among them, get this long to leave.
_LAST_REPLIES = 0.2


def _options(config: ServerConfig) -> list[tuple[str, int]]:
    return [
        # By default a second server on the same port would take half of the calls in silence.
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", config.max_message_bytes),
        ("grpc.max_concurrent_streams", 1024),
        ("grpc.max_metadata_size", 16 * 1024),
        ("grpc.keepalive_time_ms", 60_000),
        ("grpc.keepalive_timeout_ms", 20_000),
        # Clients may ping every 10 s; grpc's default is 5 minutes.
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
    ]


class RunningServer:
    """A server that listens. Made by `start_server`."""

    def __init__(self, config: ServerConfig, catalogue: Catalogue) -> None:
        """Makes a server that does not listen yet."""
        self.config = config
        self.core = BotCore(config, catalogue)
        self.port = 0
        """The port that it listens on."""
        self._catalogue = catalogue
        # (health sets `aio` at run time, which pyright does not follow)
        self._health = health.aio.HealthServicer()  # pyright: ignore[reportAttributeAccessIssue]
        self._service = GrpcService(self.core, log_calls=config.log_calls)
        self._server = grpc.aio.server(options=_options(config))
        self._warming: asyncio.Task[None] | None = None
        self._drained: asyncio.Task[None] | None = None

    async def listen(self) -> None:
        """Binds the port and starts to warm up.

        Raises:
            ServerError: The address cannot be bound.
        """
        for name in _HEALTH_NAMES:
            await self._health.set(name, health_pb2.HealthCheckResponse.NOT_SERVING)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        self._server.add_generic_rpc_handlers((self._service.handler(),))
        if self.config.reflection:
            names = (SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)
            reflection.enable_server_reflection(names, self._server)
        why = _why_not_bound(self.config)
        if why is not None:
            raise ServerError(why)
        try:
            self.port = self._server.add_insecure_port(self.config.address)
        except RuntimeError as error:
            # Another program may have taken the port in this moment.
            why = _why_not_bound(self.config) or f"cannot listen on {self.config.address}: grpc refused it"
            raise ServerError(why) from error
        await self._server.start()
        logger.info(line("listening", host=self.config.host, port=self.port, threads=self.config.threads))
        loop = asyncio.get_running_loop()
        self._warming = loop.create_task(self._warm_up())

    async def _warm_up(self) -> None:
        """Warms up in other threads; the loop answers health checks meanwhile."""
        started = time.monotonic()
        try:
            await run_in_thread(self._catalogue.warm_up)
            await self.core.room.rehearse(self._catalogue.rehearse)
        except Exception as error:
            logger.exception(line("warm_up_failed"))
            raise ServerError(f"warming up failed: {type(error).__name__}: {error}") from error
        if self.core.phase is Phase.WARMING_UP:
            self.core.phase = Phase.SERVING
            for name in _HEALTH_NAMES:
                await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
            logger.info(line("ready", warm_up_seconds=time.monotonic() - started))

    async def ready(self) -> None:
        """Waits for the end of the warm-up.

        Raises:
            ServerError: The warm-up failed.
        """
        assert self._warming is not None
        await asyncio.shield(self._warming)

    def drain(self) -> "asyncio.Task[None]":
        """Begins to stop: no new calls, running ones finish; the task ends when the server has stopped."""
        if self._drained is None:
            self._drained = asyncio.get_running_loop().create_task(self._drain())
        return self._drained

    async def _drain(self) -> None:
        logger.info(line("draining", seconds=self.config.drain.total_seconds()))
        await self._health.enter_graceful_shutdown()
        await asyncio.sleep(self.config.drain_notice.total_seconds())
        self.core.phase = Phase.DRAINING
        grace = self.config.drain.total_seconds()
        # Long searches end early and answer with what they have.
        self.core.room.end_by(time.monotonic() + max(grace - _LAST_ANSWERS, grace / 2))
        # Not by grpc's own grace: that would wait for watchers of health, and would end new calls
        # without a reason. These are refused by the core meanwhile.
        with suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await self._service.idle()
        await self._server.stop(_LAST_REPLIES)
        self.core.room.cancel_all()

    async def stop_now(self) -> None:
        """Stops at once; running calls end CANCELLED."""
        logger.info(line("stopping"))
        self.core.phase = Phase.DRAINING
        self.core.room.cancel_all()
        await self._server.stop(None)

    async def wait(self) -> None:
        """Waits until the server has stopped."""
        await self._server.wait_for_termination()


def _why_not_bound(config: ServerConfig) -> str | None:
    """Says why an address cannot be bound, None if it can; grpc itself does not, and logs noise."""
    where = f"cannot listen on {config.address}"
    try:
        found = socket.getaddrinfo(
            config.host or None, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (socket.gaierror, UnicodeError):
        return f"{where}: the host is not known"
    codes = [_bind_error(family, address) for family, _, _, _, address in found]
    if errno.EADDRINUSE in codes:
        return f"{where}: another program has this port; stop it or choose another port"
    # As grpc does: one of the addresses of a name is enough.
    return None if 0 in codes else f"{where}: {os.strerror(codes[0]).lower()}"


def _bind_error(family: int, address: tuple[str | int | bytes, ...]) -> int:
    """Binds an address for a moment; returns 0 or the number of the error."""
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            # As grpc does: connections of an earlier server may still linger. SO_REUSEPORT stays off.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return error.errno or errno.EINVAL
    return 0


async def start_server(config: ServerConfig, catalogue: Catalogue = BUILT_IN) -> tuple[RunningServer, int]:
    """Starts a server that listens and warms up; `await server.ready()` to wait for it.

    Returns:
        The server and its port.

    Raises:
        ServerError: The address cannot be bound.
    """
    server = RunningServer(config, catalogue)
    await server.listen()
    return server, server.port


async def _serve(config: ServerConfig, on_ready: Callable[[int], None] | None, catalogue: Catalogue) -> None:
    loop = asyncio.get_running_loop()
    server = RunningServer(config, catalogue)
    stopping: list[asyncio.Task[None]] = []

    def on_signal() -> None:
        if not stopping:
            stopping.append(server.drain())
        elif len(stopping) == 1:
            stopping.append(loop.create_task(server.stop_now()))

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal)
    await server.listen()
    ready = loop.create_task(server.ready())
    ended = loop.create_task(server.wait())
    await asyncio.wait({ready, ended}, return_when=asyncio.FIRST_COMPLETED)
    if ready.done():
        error = ready.exception()
        if error is not None:
            await server.stop_now()
            raise error
        if on_ready is not None:
            on_ready(server.port)
    await ended
    await asyncio.gather(*stopping)
    logger.info(line("stopped"))


def serve(
    config: ServerConfig, on_ready: Callable[[int], None] | None = None, catalogue: Catalogue = BUILT_IN
) -> None:
    """Serves until SIGTERM or SIGINT; the first drains, a second one stops at once.

    Args:
        config: The settings.
        on_ready: Called once with the port when the warm-up is over.
        catalogue: The bots that are offered.

    Raises:
        ServerError: The server cannot bind its address or warm up; the text is for the operator.
    """
    configure_logging()
    asyncio.run(_serve(config, on_ready, catalogue))
