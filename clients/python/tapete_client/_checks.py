"""Checks of arguments, made alike by both clients and the helpers.

A value of the wrong type raises TypeError, one that no message could carry ValueError; both with a
sentence that names the argument.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

__all__ = ["check_messages", "check_number", "check_pair", "check_text", "check_time"]

_LARGEST = 2**32 - 1

_LONGEST = timedelta(days=3650)


def _type_error(name: str, value: object, expected: str) -> TypeError:
    shown = repr(value)
    if len(shown) > 60:
        shown = f"a {type(value).__name__}"
    return TypeError(f"{name} is {shown}: expected {expected}")


def check_time(name: str, value: Any) -> timedelta:
    """Returns a time of at most ten years."""
    if not isinstance(value, timedelta):
        raise _type_error(name, value, "a timedelta, as timedelta(seconds=1)")
    if not -_LONGEST <= value <= _LONGEST:
        raise ValueError(f"{name} is {value}: out of range, expected at most {_LONGEST.days} days")
    return value


def check_number(name: str, value: Any) -> int:
    """Returns a whole number that fits a field of messages."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise _type_error(name, value, "a whole number")
    number = int(value)
    if not 0 <= number <= _LARGEST:
        shown = str(number) if abs(number) < 10**20 else "a number of many digits"
        raise ValueError(f"{name} is {shown}: out of range, expected 0 to {_LARGEST}")
    return number


def check_text(name: str, value: Any, expected: str) -> str:
    """Returns a text that can be sent."""
    if not isinstance(value, str):
        raise _type_error(name, value, expected)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} is {value!r}: it has halves of characters (surrogates)") from None
    return value


def check_messages(name: str, values: Any, kind: type) -> list[Any]:
    """Returns messages of one kind as a list."""
    expected = f"a list of {kind.__name__}"
    if not isinstance(values, Iterable) or isinstance(values, str):
        raise _type_error(name, values, expected)
    found = list(values)
    for value in found:
        if not isinstance(value, kind):
            raise _type_error(name, value, expected)
    return found


def check_pair(name: str, value: Any, size: int, expected: str) -> tuple[Any, ...]:
    """Returns a tuple of a known size."""
    if not isinstance(value, tuple | list) or len(value) != size:
        raise _type_error(name, value, expected)
    return tuple(value)
