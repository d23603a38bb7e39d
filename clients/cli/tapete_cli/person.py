"""The person at a table: what is read from them, and what every game is played with."""

import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from rich.console import Console

from tapete.v1 import ChooseMoveResponse, GameView

__all__ = ["LeaveTable", "MoveChooser", "Person", "PlaySettings", "write_new"]

R = TypeVar("R")


class MoveChooser(Protocol):
    """What is asked for moves and hints: a server's client or this process."""

    def choose_move(
        self,
        view: GameView,
        *,
        bot: str = "",
        iterations: int | None = None,
        time: timedelta | None = None,
        seed: int | None = None,
    ) -> ChooseMoveResponse:
        """Chooses a move."""
        ...


@dataclass(frozen=True)
class PlaySettings(Generic[R]):
    """What a game is played with."""

    rules: R
    players: int
    seed: int
    bot: str = ""
    iterations: int | None = None
    time: timedelta | None = None
    stack: int | None = None
    """Chips of each seat in games with chips; None for the game's own number."""
    record: Path | None = None
    """Where the record of the match is written when it ends or is left; None for nowhere."""


class LeaveTable(Exception):  # noqa: N818 - no error
    """The person has left the table."""


class Person:
    """Reads what a person types."""

    def __init__(self, console: Console, read: Callable[[str], str]) -> None:
        """Makes a person who types at `read` and reads on `console`."""
        self._console = console
        self._read = read

    def line(self, prompt: str) -> str:
        """Shows a prompt and returns the line typed.

        Raises:
            LeaveTable: The person wants to leave, or there are no more lines.
        """
        try:
            text = self._read(prompt).strip()
        except (EOFError, KeyboardInterrupt):
            self._console.print()
            raise LeaveTable from None
        if not sys.stdin.isatty():
            # A terminal shows what is typed; a transcript should too.
            self._console.print(text, markup=False)
        if text.lower() in ("q", "quit", "exit"):
            raise LeaveTable
        return text


def write_new(path: Path, text: str) -> Path:
    """Writes a file that does not exist yet, whole or not at all, and returns where it is.

    Where a file has appeared meanwhile, it stays, and the record is written beside it.
    """
    beside = path.with_name(f"tapete-{secrets.token_hex(4)}.txt")
    try:
        with beside.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None
    if path.is_symlink() or path.exists():
        return beside
    beside.rename(path)
    return path
