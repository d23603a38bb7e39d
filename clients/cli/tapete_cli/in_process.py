"""The service without a server: the same core, the same errors, in this process."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import TracebackType
from typing import Self

from tapete.v1 import (
    Bot,
    ChooseMoveRequest,
    ChooseMoveResponse,
    GameMove,
    GameView,
    ListBotsRequest,
    ListLegalMovesRequest,
)
from tapete_bots import registry
from tapete_client import error_from_status
from tapete_server import BotCore, ServerConfig, ServiceError
from tapete_server.core import Phase
from tapete_server.status import write_status

__all__ = ["InProcessClient"]


NOTE_AFTER = timedelta(seconds=2)
NOTE = "Still at work: the first answer on a machine takes some seconds, since the bots are compiled then."


class InProcessClient:
    """Answers as a TapeteClient does, by the server's own core. Kernels are loaded when first needed."""

    def __init__(self, note: Callable[[str], None] | None = None) -> None:
        """Makes a service of this process.

        Args:
            note: Is told, in another thread, when the first answer takes long.
        """
        self._note = note
        self._runner = asyncio.Runner()
        self._core = BotCore(ServerConfig())
        self._core.phase = Phase.SERVING
        self._is_warm = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the service."""
        self._runner.close()

    def list_bots(self) -> list[Bot]:
        """Returns the bots, in order of their ids."""
        with self._answering():
            return list(self._core.list_bots(ListBotsRequest()).message.bots)

    def list_legal_moves(self, view: GameView) -> list[GameMove]:
        """Returns the legal moves of a view."""
        with self._answering():
            return list(self._core.list_legal_moves(ListLegalMovesRequest(view=view)).message.moves)

    def choose_move(
        self,
        view: GameView,
        *,
        bot: str = "",
        iterations: int | None = None,
        time: timedelta | None = None,
        seed: int | None = None,
    ) -> ChooseMoveResponse:
        """Returns a legal move, and how it was found. Compiling and loading takes nothing of `time`."""
        request = ChooseMoveRequest(view=view, bot=bot, seed=seed)
        if iterations is not None:
            request.budget.iterations = iterations
        if time is not None:
            request.budget.time.FromTimedelta(time)
        if time is not None and not self._is_warm:
            with self._answering():
                registry.warm_up()
            self._is_warm = True
        with self._answering(time):
            return self._runner.run(self._choose(request))

    async def _choose(self, request: ChooseMoveRequest) -> ChooseMoveResponse:
        return (await self._core.choose(request)).message

    @contextmanager
    def _answering(self, thinking: timedelta | None = None) -> Iterator[None]:
        """Turns errors into those that a client raises; notes a first answer that takes long."""
        patience = NOTE_AFTER + (thinking or timedelta(0))
        timer = threading.Timer(patience.total_seconds(), self._note or print, [NOTE])
        if self._note is not None:
            timer.start()
        self._note = None
        try:
            yield
        except ServiceError as error:
            raise error_from_status(write_status(error)) from error
        finally:
            timer.cancel()
