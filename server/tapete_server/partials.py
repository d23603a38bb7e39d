"""The latest partial answer of a search, on its way from the bot's thread to the stream."""

import asyncio
import time

from tapete_bots.bot import Answer

__all__ = ["Partials"]


class Partials:
    """Holds one answer at most: a reader that is slow misses some, and nothing piles up."""

    def __init__(self, interval: float) -> None:
        """Makes a place for partial answers at least `interval` seconds apart; the first comes after one."""
        self._loop = asyncio.get_running_loop()
        self._interval = interval
        self._next = time.monotonic() + interval
        self._latest: Answer | None = None
        self._event = asyncio.Event()

    def report(self, answer: Answer) -> None:
        """Takes an answer, in the bot's thread."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + self._interval
            self._loop.call_soon_threadsafe(self._put, answer)

    def _put(self, answer: Answer) -> None:
        self._latest = answer
        self._event.set()

    def wake(self) -> None:
        """Wakes the reader without an answer: the search has ended."""
        self._event.set()

    async def take(self) -> Answer | None:
        """Waits for news and returns the latest answer; None when woken without one."""
        await self._event.wait()
        self._event.clear()
        answer, self._latest = self._latest, None
        return answer
