"""A file of finished pieces of work, so that a run that was killed goes on where it stood."""

import fcntl
import json
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from tapete_games.kernel import cache_directory

__all__ = ["Ledger", "finish"]


class Ledger:
    """Finished pieces by number: a first line that says of what work, then a line a piece."""

    def __init__(self, path: Path, about: Mapping[str, object]) -> None:
        """Opens or creates the file.

        Args:
            path: The file.
            about: What the work is; a file about other work is refused.

        Raises:
            ValueError: The file is about other work.
        """
        self.path = path
        self.pieces: dict[int, list[Any]] = {}
        self._header = {**about, "kernels": cache_directory().name}
        if path.exists():
            self._read(path.read_text())

    def _read(self, text: str) -> str:
        """Reads the pieces; returns the text without a last line that was cut off by a kill."""
        whole = text[: text.rfind("\n") + 1]
        lines = whole.splitlines()
        if not lines:
            return json.dumps(self._header) + "\n"
        found = json.loads(lines[0])
        kernels = self._header["kernels"]
        if found | {"kernels": kernels} != self._header:
            raise ValueError(f"{self.path} is about other work: {lines[0]}")
        if found["kernels"] != kernels:
            sys.stderr.write(f"{self.path}: the kernels have changed since it was begun; it goes on\n")
            self._header = found
        for line in lines[1:]:
            number, *values = json.loads(line)
            self.pieces[number] = values
        return whole

    @contextmanager
    def writing(self) -> Iterator[TextIO]:
        """Opens the file for more pieces, and reads once more those of a run that has just ended.

        Raises:
            ValueError: Another run writes to it.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ValueError(f"another run writes to {self.path}") from None
            file.seek(0)
            text = file.read()
            whole = self._read(text)
            if whole != text:
                file.truncate(0)
                file.write(whole)
                file.flush()
            yield file

    def add(self, number: int, values: list[Any], file: TextIO) -> None:
        """Adds a piece, at once and for good."""
        self.pieces[number] = values
        file.write(json.dumps([number, *values]) + "\n")
        file.flush()


def finish(
    ledger: Ledger,
    numbers: Iterable[int],
    work: Callable[[int], tuple[int, list[Any]]],
    *,
    workers: int,
    prepare: Callable[..., None] | None = None,
    arguments: tuple[Any, ...] = (),
    block: int = 1,
    describe: Callable[[], str],
) -> None:
    """Does the pieces that are missing, in processes of their own, and adds each to the ledger.

    Args:
        ledger: The ledger.
        numbers: Numbers of the pieces wanted.
        work: Does a piece; returns its number and values. A function of a module, as `prepare`.
        workers: Number of processes.
        prepare: Makes a worker ready.
        arguments: What `prepare` is given.
        block: Pieces handed to a worker at a time.
        describe: Says where the work stands, once a minute.
    """
    numbers = list(numbers)
    if ledger.pieces.keys() >= set(numbers):
        return
    context = multiprocessing.get_context("spawn")
    started = reported = time.monotonic()
    with ledger.writing() as file, context.Pool(workers, prepare, arguments) as pool:
        missing = [number for number in numbers if number not in ledger.pieces]
        for done, (number, values) in enumerate(pool.imap_unordered(work, missing, block), 1):
            ledger.add(number, values, file)
            now = time.monotonic()
            if now - reported > 60:
                reported = now
                left = (now - started) / done * (len(missing) - done)
                sys.stderr.write(f"{describe()}; {left / 60:.0f} min left\n")
