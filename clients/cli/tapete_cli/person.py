"""The person at a table: what is read from them, and what every game is played with."""

import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from rich.console import Console

from tapete.v1 import ChooseMoveResponse, GameView
from tapete_cli.deal import derive

__all__ = ["LeaveTable", "MoveChooser", "PlaySettings", "Table", "save_record", "try_bot"]

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


class Table(Generic[R]):
    """A table with one person at it, bots at all other seats."""

    def __init__(
        self, console: Console, bots: MoveChooser, settings: PlaySettings[R], read: Callable[[str], str]
    ) -> None:
        """Makes a table.

        Args:
            console: Where it is drawn.
            bots: Who answers for the other seats, and gives hints.
            settings: Rules, seats and bots.
            read: Shows a prompt and returns a line; raises EOFError or KeyboardInterrupt when there is none.
        """
        self._console = console
        self._bots = bots
        self._settings = settings
        self._read = read

    def answer(self, view: GameView, deals: int, moves: int) -> ChooseMoveResponse:
        """Asks the bot, for a move or a hint, after so many deals and moves."""
        settings = self._settings
        return self._bots.choose_move(
            view,
            bot=settings.bot,
            iterations=settings.iterations,
            time=settings.time,
            seed=derive(settings.seed, "bot", deals, moves),
        )

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


def try_bot(bots: MoveChooser, settings: PlaySettings[Any], view: GameView) -> None:
    """Asks for a move without search, so that what the bot refuses is told before anything is drawn."""
    bots.choose_move(view, bot=settings.bot, iterations=0, time=settings.time)


def save_record(console: Console, settings: PlaySettings[Any], write: Callable[[list[str]], str]) -> None:
    """Writes the record, if one is wished, and says where.

    Args:
        console: Where to say it.
        settings: Where the record goes, and who plays.
        write: Makes the text, given the name of each seat.
    """
    if settings.record is not None:
        text = write(["you", *[settings.bot or "bot"] * (settings.players - 1)])
        console.print(f"The record is in {_write_new(settings.record, text)}.", markup=False)


def _write_new(path: Path, text: str) -> Path:
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
