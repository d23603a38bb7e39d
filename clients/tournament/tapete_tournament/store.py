"""The store of a tournament: SQLite, a row a finished unit with the records of its games.

A unit is written in one transaction: killed at any moment, the store has it whole or not at all.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from tapete_tournament.definition import Tournament, TournamentError
from tapete_tournament.play import Played

__all__ = ["Result", "Store"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS unit (
    number INTEGER PRIMARY KEY,
    scores TEXT NOT NULL,
    thinking TEXT NOT NULL,
    moves TEXT NOT NULL,
    seconds REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS record (
    unit INTEGER NOT NULL,
    rotation INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (unit, rotation)
) STRICT, WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Result:
    """What the statistics read of a unit."""

    number: int
    scores: tuple[tuple[int, ...], ...]
    """By rotation and position."""
    thinking: tuple[float, ...]
    moves: tuple[int, ...]
    seconds: float


class Store:
    """Holds the finished units of one tournament; one process writes to it."""

    def __init__(self, path: Path, tournament: Tournament) -> None:
        """Opens or creates the store.

        Raises:
            TournamentError: It is about another tournament, or no store at all, or another run writes to it.
            OSError: The folder cannot be made.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        # The number of deals may grow from run to run; everything else is what the units are about.
        about = asdict(tournament) | {"format": tournament.format.value}
        del about["deals"]
        wanted = json.dumps(about, sort_keys=True)
        try:
            self._connection = sqlite3.connect(path, timeout=0, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode = WAL")
            # One writer for as long as the run lasts.
            self._connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._connection.execute("BEGIN EXCLUSIVE")
            for statement in _SCHEMA.split(";"):
                self._connection.execute(statement)
            self._connection.execute("INSERT OR IGNORE INTO about VALUES ('tournament', ?)", (wanted,))
            rows = self._connection.execute("SELECT value FROM about WHERE name = 'tournament'")
            (found,) = rows.fetchone()
            self._connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise TournamentError(f"another run writes to {path}") from None
            raise TournamentError(f"{path} cannot be opened: {error}") from None
        except sqlite3.DatabaseError:
            raise TournamentError(f"{path} is not the store of a tournament") from None
        if found != wanted:
            self.close()
            raise TournamentError(f"{path} is about another tournament: {found}")

    def close(self) -> None:
        """Closes the store."""
        self._connection.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def finished(self) -> set[int]:
        """Returns the numbers of the units that are finished."""
        return {number for (number,) in self._connection.execute("SELECT number FROM unit")}

    def add(self, played: Played) -> None:
        """Adds a unit, at once and for good."""
        row = (
            played.number,
            json.dumps(played.scores),
            json.dumps(played.thinking),
            json.dumps(played.moves),
            played.seconds,
        )
        records = [(played.number, rotation, text) for rotation, text in enumerate(played.records)]
        with closing(self._connection.cursor()) as cursor:
            cursor.execute("BEGIN")
            cursor.execute("INSERT INTO unit VALUES (?, ?, ?, ?, ?)", row)
            cursor.executemany("INSERT INTO record VALUES (?, ?, ?)", records)
            cursor.execute("COMMIT")

    def results(self, units: int) -> Iterator[Result]:
        """Yields the finished ones of the first so many units, in order."""
        rows = self._connection.execute("SELECT * FROM unit WHERE number < ? ORDER BY number", (units,))
        for number, scores, thinking, moves, seconds in rows:
            yield Result(
                number,
                tuple(map(tuple, json.loads(scores))),
                tuple(json.loads(thinking)),
                tuple(json.loads(moves)),
                seconds,
            )

    def record(self, unit: int, rotation: int) -> str | None:
        """Returns the record of a game, None if it is not finished."""
        row = self._connection.execute(
            "SELECT text FROM record WHERE unit = ? AND rotation = ?", (unit, rotation)
        ).fetchone()
        return str(row[0]) if row else None
