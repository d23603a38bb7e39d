"""Runs one bot for one question: admission, deadline, cancellation."""

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from tapete.v1 import StoppedBy
from tapete_bots.bot import Answer, Bot, Cancelled, Control, Report
from tapete_server.config import ServerConfig
from tapete_server.deadline import ReplyMargin
from tapete_server.errors import DeadlineTooShortError
from tapete_server.pool import Job, QueueTimeoutError, WorkPool
from tapete_server.requests import Question

__all__ = ["Search", "SearchRoom"]

# Share of its time that a call spends in the queue at most.
_PATIENCE = 0.9


@dataclass
class Search:
    """A search that has begun; `SearchRoom.finish` waits for its answer."""

    control: Control
    job: Job[Answer] | None
    """None for a bot that answered at once."""
    answer: Answer | None
    queue_seconds: float
    is_express: bool = False
    """Whether there was no time for a search."""
    think_seconds: float = 0.0


class SearchRoom:
    """The place where bots think: as many at once as there are threads, the others in a queue.

    Bots whose `is_instant` is true answer in microseconds and are run on the event loop: a change of
    threads would take longer than they do. A call that is still in the queue when the time for a search
    is over is answered by the express thread, where its bot finds the deadline passed and decides
    without a search.
    """

    def __init__(self, config: ServerConfig) -> None:
        """Makes an empty room."""
        self._least = config.least_time.total_seconds()
        self._max_think = config.max_think.total_seconds()
        self._margin = ReplyMargin(config.reply_margin.total_seconds())
        self.pool = WorkPool("tapete-search", config.threads, config.queue_limit)
        self._express = WorkPool("tapete-express", 1, 0, backlog=config.queue_limit)
        self._thinking: set[Control] = set()
        self._end = math.inf

    async def rehearse(self, function: Callable[[], None]) -> None:
        """Runs a function in every thread, before the first question."""
        await self.pool.run_everywhere(function)
        await self._express.run_everywhere(function)

    @property
    def thinking(self) -> int:
        """Number of searches whose answers are awaited."""
        return len(self._thinking)

    def end_by(self, moment: float) -> None:
        """Makes every search, running or to come, end by a moment of `time.monotonic()`."""
        self._end = min(self._end, moment)
        for control in self._thinking:
            control.deadline = min(control.deadline, self._end)

    def cancel_all(self) -> None:
        """Cancels every search."""
        for control in self._thinking:
            control.cancel()

    async def begin(
        self, bot: Bot, question: Question, deadline: float | None, report: Report | None = None
    ) -> Search:
        """Waits for a thread and starts a bot in it.

        Args:
            bot: Who thinks.
            question: About what.
            deadline: Moment of `time.monotonic()` by which the caller must have its answer, or None.
            report: Receives partial answers in the bot's thread.

        Raises:
            DeadlineTooShortError: No time for any answer.
            OverloadedError: The queue is full.
        """
        arrival = time.monotonic()
        due = math.inf if deadline is None else deadline
        self._check_time(due)
        if getattr(bot, "is_instant", False):
            control = Control(self._think_until(due, arrival))
            answer = bot.choose(question.position, question.budget, question.seed, control)
            return Search(control, None, answer, 0.0, think_seconds=time.monotonic() - arrival)
        pool = await self._enter(due, arrival)
        started = time.monotonic()
        # The express lane has no time to think in: its bots find their deadline reached.
        control = Control(self._think_until(due, arrival) if pool is self.pool else started)

        def think() -> Answer:
            # Between the slot and this line the caller may have gone.
            if control.is_cancelled:
                raise Cancelled
            self._check_time(due)
            return bot.choose(question.position, question.budget, question.seed, control, report)

        self._thinking.add(control)
        return Search(control, pool.start(think), None, started - arrival, pool is self._express)

    async def finish(self, search: Search) -> Answer:
        """Waits for the answer; cancels the search when the waiting task is cancelled."""
        if search.answer is not None:
            return search.answer
        job = search.job
        assert job is not None
        try:
            answer = await job.result
        except asyncio.CancelledError:
            # Too late by the whole margin, unless the caller has changed its mind before.
            delay = time.monotonic() - search.control.deadline
            if delay > 0 and not search.is_express:
                self._margin.miss(delay)
            raise
        finally:
            self.leave(search)
        now = time.monotonic()
        search.think_seconds = job.finished - job.started
        self._margin.observe(now - job.finished)
        if answer.stopped_by == StoppedBy.STOPPED_BY_DEADLINE and not search.is_express:
            self._margin.observe(now - search.control.deadline)
        return answer

    def leave(self, search: Search) -> None:
        """Ends a search whose answer nobody awaits any more."""
        if search.job is not None and not search.job.finished:
            search.control.cancel()
        self._thinking.discard(search.control)

    def _think_until(self, due: float, arrival: float) -> float:
        return min(due - self._margin.seconds(due - arrival), time.monotonic() + self._max_think, self._end)

    def _check_time(self, due: float) -> None:
        remaining = due - time.monotonic()
        if remaining < self._least:
            raise DeadlineTooShortError(remaining, self._least)

    async def _enter(self, due: float, arrival: float) -> WorkPool:
        """Waits for a slot in the pool; in the express lane once there is no time for a search."""
        patience = due - self._margin.seconds(due - arrival) - arrival
        if patience > 0:
            # What is left at the end of a long wait is worth little to a search, and much to being in
            # time: whole queues come to the express lane in the same moment.
            patience = min(patience, _PATIENCE * (due - arrival))
            try:
                await self.pool.acquire(None if math.isinf(patience) else patience)
            except QueueTimeoutError:
                pass
            else:
                return self.pool
        # It has a slot or is full; it never makes anybody wait.
        await self._express.acquire()
        return self._express
