"""The settings of a server."""

import os
from dataclasses import dataclass, field
from datetime import timedelta

__all__ = ["ServerConfig"]


def _cores() -> int:
    """Counts the cores that this process may use."""
    return len(os.sched_getaffinity(0))


@dataclass(frozen=True, kw_only=True)
class ServerConfig:
    """How a server listens, how much it accepts and how it stops."""

    host: str = "127.0.0.1"
    """Address to listen on. The default reaches this machine alone: there is no authentication."""
    port: int = 50051
    """TCP port, 0 to 65535; 0 takes a free one."""
    threads: int = field(default_factory=_cores)
    """Searches that run at once, at least 1. Default: one a core."""
    queue_limit: int = 64
    """Calls that may wait for a thread, at least 0; past it calls are refused as OVERLOADED."""
    max_message_bytes: int = 256 * 1024
    """Size of the largest request."""
    max_think: timedelta = timedelta(seconds=600)
    """Longest thinking for one answer, whatever budget and deadline say."""
    reply_margin: timedelta = timedelta(milliseconds=10)
    """Least part of a deadline kept for replying; long deadlines and measured delays make it grow."""
    least_time: timedelta = timedelta(milliseconds=2)
    """A call with less time than this until its deadline is refused as DEADLINE_TOO_SHORT."""
    drain: timedelta = timedelta(seconds=10)
    """Time that running calls get to finish once the server was asked to stop."""
    drain_notice: timedelta = timedelta(0)
    """Time between health NOT_SERVING and the first refused call, for load balancers to notice."""
    reflection: bool = True
    """Whether the server describes its services to tools such as grpcurl."""
    log_calls: bool = True
    """Whether each successful call leaves a line in the log; failed ones always do."""

    def __post_init__(self) -> None:
        """Checks the ranges.

        Raises:
            ValueError: A setting is outside its range.
        """
        for name, value, least, most in (
            ("port", self.port, 0, 65535),
            ("threads", self.threads, 1, 1024),
            ("queue_limit", self.queue_limit, 0, 100_000),
            ("max_message_bytes", self.max_message_bytes, 1024, 64 * 1024 * 1024),
        ):
            if not least <= value <= most:
                raise ValueError(f"{name} is {value}; it must be {least} to {most}")
        for name, time in (("max_think", self.max_think), ("drain", self.drain)):
            if time <= timedelta(0):
                raise ValueError(f"{name} is {time.total_seconds()} s; it must be more than 0 s")
        for name, time in (
            ("reply_margin", self.reply_margin),
            ("least_time", self.least_time),
            ("drain_notice", self.drain_notice),
        ):
            if time < timedelta(0):
                raise ValueError(f"{name} is {time.total_seconds()} s; it must not be negative")

    @property
    def address(self) -> str:
        """The address as `host:port`, IPv6 hosts in brackets."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
