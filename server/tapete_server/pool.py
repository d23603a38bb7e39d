"""Admission: a bounded number of threads, and a bounded queue of calls before them.

All bookkeeping happens on the event loop; the threads only run jobs. A slot is given back when its
*thread* is free again, not when its caller goes away, so that never more jobs run than there are
threads. The threads are daemons: a bot that ignores its cancellation cannot hold up the exit.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from queue import SimpleQueue
from typing import Generic, TypeVar, cast

from tapete_server.errors import OverloadedError

__all__ = ["Job", "QueueTimeoutError", "WorkPool", "run_in_thread"]

T = TypeVar("T")


class QueueTimeoutError(Exception):
    """No thread became free in time."""


class Job(Generic[T]):
    """One function that runs in a thread of a pool."""

    def __init__(self, function: Callable[[], T], loop: asyncio.AbstractEventLoop) -> None:
        """Makes a job whose result arrives on `loop`."""
        self._function = function
        self._loop = loop
        self.result: asyncio.Future[T] = loop.create_future()
        """Done when the function has returned or raised."""
        self.started = 0.0
        """Moment of `time.monotonic()` at which the function began."""
        self.finished = 0.0
        """Moment of `time.monotonic()` at which it ended."""

    def run(self, when_done: Callable[[], None]) -> None:
        """Runs the function in this thread and reports to the loop."""
        self.started = time.monotonic()
        value: T | None = None
        error: BaseException | None = None
        try:
            value = self._function()
        except BaseException as raised:
            error = raised
        self.finished = time.monotonic()
        # The loop is closed when the process is on its way out: nobody waits any more.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._deliver, value, error, when_done)

    def _deliver(self, value: T | None, error: BaseException | None, when_done: Callable[[], None]) -> None:
        when_done()
        if self.result.done():
            return
        if error is None:
            self.result.set_result(cast("T", value))
            return
        if isinstance(error, asyncio.CancelledError | StopIteration | KeyboardInterrupt | SystemExit):
            # These would act on the event loop itself if a future raised them.
            wrapped = RuntimeError(f"a bot raised {type(error).__name__}")
            wrapped.__cause__ = error
            error = wrapped
        self.result.set_exception(error)
        # Whoever awaited it may be gone; then nobody has to hear of it.
        self.result.exception()


class WorkPool:
    """Threads with a bounded first-come-first-served queue before them."""

    def __init__(self, name: str, threads: int, queue_limit: int, *, backlog: int = 0) -> None:
        """Makes a pool; its threads start with the first job.

        Args:
            name: Name of the threads.
            threads: Jobs that run at once.
            queue_limit: Callers that may wait for a slot.
            backlog: Slots beyond the threads. Their jobs lie ready for the threads, which go from one to
                the next without the event loop: right for jobs that take less than a change of threads.
        """
        self._name = name
        self._threads = threads
        self._queue_limit = queue_limit
        self._slots = threads + backlog
        self._free = self._slots
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._alive: list[threading.Thread] = []
        self._mean_seconds = 0.05

    @property
    def running(self) -> int:
        """Number of slots in use."""
        return self._slots - self._free

    @property
    def queued(self) -> int:
        """Number of callers that wait."""
        return len(self._waiting)

    @property
    def thread_ids(self) -> tuple[int, ...]:
        """Native ids of the threads."""
        return tuple(thread.native_id or 0 for thread in self._alive)

    def check_room(self) -> None:
        """Checks that one more caller would be accepted.

        Raises:
            OverloadedError: The queue is full.
        """
        if not self._free and len(self._waiting) >= self._queue_limit:
            raise OverloadedError(self._queue_limit, self._retry_after())

    def _retry_after(self) -> timedelta:
        """Estimates when half of the queue will be gone, 50 ms to 5 s."""
        seconds = self._mean_seconds * (1 + len(self._waiting) / 2) / self._threads
        return timedelta(milliseconds=round(1000 * min(max(seconds, 0.05), 5.0)))

    async def acquire(self, give_up_after: float | None = None) -> None:
        """Waits for a slot, which one `start` then uses.

        Args:
            give_up_after: Longest wait in seconds; None for any.

        Raises:
            OverloadedError: The queue is full.
            QueueTimeoutError: No thread became free in time.
        """
        if self._free and not self._waiting:
            self._free -= 1
            return
        self.check_room()
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            async with asyncio.timeout(give_up_after):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                self._release()
            else:
                with suppress(ValueError):
                    self._waiting.remove(turn)
            if isinstance(error, TimeoutError):
                raise QueueTimeoutError from None
            raise

    def _release(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def start(self, function: Callable[[], T]) -> Job[T]:
        """Starts a job in the slot that the caller has acquired; the job gives the slot back."""
        job = Job(function, asyncio.get_running_loop())

        def when_done() -> None:
            self._mean_seconds += 0.1 * (job.finished - job.started - self._mean_seconds)
            self._release()

        if len(self._alive) < min(self.running, self._threads):
            self._alive.append(self._spawn())
        self._jobs.put(lambda: job.run(when_done))
        return job

    async def run_everywhere(self, function: Callable[[], None]) -> None:
        """Runs a function once in each thread; the pool must be idle."""
        for _ in range(self._threads):
            await self.acquire()
        # No thread comes back for a second job before each has its first.
        together = threading.Barrier(self._threads)

        def run() -> None:
            together.wait()
            function()

        jobs = [self.start(run) for _ in range(self._threads)]
        await asyncio.gather(*(job.result for job in jobs))

    def _spawn(self) -> threading.Thread:
        thread = threading.Thread(target=self._work, name=f"{self._name}-{len(self._alive)}", daemon=True)
        thread.start()
        return thread

    def _work(self) -> None:
        while True:
            self._jobs.get()()


async def run_in_thread(function: Callable[[], T]) -> T:
    """Runs a function in a daemon thread made for it, which cannot hold up the exit."""
    job = Job(function, asyncio.get_running_loop())
    threading.Thread(target=job.run, args=(lambda: None,), name="tapete-warm-up", daemon=True).start()
    return await job.result
