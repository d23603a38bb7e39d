"""The log: one line an event, `key=value` pairs, never a payload."""

import json
import logging
import sys
import time

__all__ = ["configure_logging", "line", "logger"]

logger = logging.getLogger("tapete_server")

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:/?&@+,[]")


def _write_value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    text = str(value)
    # Quotes keep a value with spaces or control characters, which may come from a caller, one value.
    return text if text and _PLAIN.issuperset(text) else json.dumps(text)


def line(event: str, **values: object) -> str:
    """Writes one line.

    >>> line("call", method="ChooseMove", code="OK", think_ms=12.5, note="two words")
    'event=call method=ChooseMove code=OK think_ms=12.500 note="two words"'
    """
    return " ".join([f"event={event}", *(f"{key}={_write_value(value)}" for key, value in values.items())])


class _Formatter(logging.Formatter):
    """Puts time (UTC, milliseconds) and level before the line."""

    def __init__(self) -> None:
        super().__init__()
        self._second = -1
        self._text = ""

    def format(self, record: logging.LogRecord) -> str:
        second = int(record.created)
        if second != self._second:
            # Thousands of lines share a second, and strftime is half of the cost of a line.
            self._text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
            self._second = second
        return f"time={self._text}.{int(record.msecs):03d}Z level={record.levelname} {super().format(record)}"


def configure_logging() -> None:
    """Sends the log to standard error, unless the program has set up logging itself."""
    if logger.handlers or logging.getLogger().handlers:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter())
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
