"""Both clients behind one blocking face, so that one test holds for both."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from tapete_client import AsyncTapeteClient, TapeteClient


class Caller:
    """Calls the methods of either client; streams come back as lists."""

    def __init__(self, target: str, runner: asyncio.Runner | None, **options: Any) -> None:
        self._runner = runner
        self._client: TapeteClient | AsyncTapeteClient = (
            TapeteClient(target, **options) if runner is None else AsyncTapeteClient(target, **options)
        )

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)

        def call(*arguments: Any, **options: Any) -> Any:
            result = method(*arguments, **options)
            if self._runner is not None:
                return self._runner.run(_wait(result))
            return list(result) if name == "stream_analysis" else result

        return call


async def _wait(result: Any) -> Any:
    if isinstance(result, AsyncIterator):
        return [message async for message in result]
    return await result
