"""What a tournament is: a game, a table, entrants, a format, and how many deals."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from tapete.v1 import Game
from tapete_bots.registry import BotIdError, find_bot

__all__ = ["Format", "Tournament", "TournamentError", "make_tournament", "read_definition"]

SEATS = {"guinote": (2, 4), "gile": (2, 3, 4, 5)}
GAMES = {"guinote": Game.GAME_GUINOTE, "gile": Game.GAME_GILE}
MOST_DEALS = 10_000_000


class TournamentError(ValueError):
    """A tournament that cannot be held, or not like this."""


class Format(StrEnum):
    """Who plays whom."""

    ROUND_ROBIN = "round-robin"
    """Everybody with everybody."""
    GAUNTLET = "gauntlet"
    """The first entrant with each of the others."""


@dataclass(frozen=True)
class Tournament:
    """A tournament; what it says determines every card and, for budgets of iterations, every move.

    The unit of play is a deal with all its rotations: the same cards once for each way to turn the line-up
    around the table. At Guiñote an entrant plays a side, both seats of it with four players; at Gilé a seat.
    """

    game: str
    """`guinote` or `gile`."""
    players: int
    """Seats at the table."""
    bots: tuple[str, ...]
    """Ids of the entrants, options included; at least two, each once."""
    deals: int
    """How many deals each line-up plays, each with all its rotations."""
    format: Format = Format.ROUND_ROBIN
    seed: int = 1
    """Seed of cards and bots, 0 to 2**63 - 1."""

    def __post_init__(self) -> None:
        if self.game not in SEATS:
            raise TournamentError(f"game is {self.game!r}: expected guinote or gile")
        if self.players not in SEATS[self.game]:
            allowed = " or ".join(", ".join(map(str, SEATS[self.game])).rsplit(", ", 1))
            raise TournamentError(f"players is {self.players}: expected {allowed} for {self.game}")
        if len(self.bots) < 2:
            raise TournamentError(f"bots names {len(self.bots)}: a tournament needs at least two entrants")
        if not 1 <= self.deals <= MOST_DEALS:
            raise TournamentError(f"deals is {self.deals}: expected 1 to {MOST_DEALS:,}")
        if not 0 <= self.seed < 1 << 63:
            raise TournamentError(f"seed is {self.seed}: expected 0 to 2**63 - 1")
        ids: dict[str, str] = {}
        for name in self.bots:
            try:
                bot = find_bot(name, GAMES[self.game])
            except BotIdError as error:
                raise TournamentError(str(error)) from None
            if GAMES[self.game] not in bot.games:
                raise TournamentError(f"{bot.id} does not play {self.game}")
            if bot.id in ids:
                raise TournamentError(f"{ids[bot.id]!r} and {name!r} are the same entrant, {bot.id}")
            ids[bot.id] = name
        # The full ids say the version: a store is about these bots and no later ones.
        object.__setattr__(self, "bots", tuple(ids))

    @property
    def positions(self) -> int:
        """Entrants at a table, and so rotations of a deal: sides at Guiñote, seats at Gilé."""
        return 2 if self.game == "guinote" else self.players


def read_definition(path: Path, changes: Mapping[str, Any]) -> Tournament:
    """Reads a definition in TOML: the fields of `Tournament` by name.

    Args:
        path: The file.
        changes: Fields that are given elsewhere and count before the file's.

    Raises:
        TournamentError: It is no definition, or not of a tournament that can be held.
        OSError: The file cannot be read.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TournamentError(f"{path} is not TOML: {error}") from None
    return make_tournament({**found, **changes}, str(path))


def make_tournament(values: Mapping[str, Any], source: str = "the definition") -> Tournament:
    """Makes a tournament of named values, which may come from a file.

    Raises:
        TournamentError: A name is unknown or missing, or a value is not of its kind.
    """
    kinds: dict[str, type | tuple[type, ...]] = {
        "game": str,
        "players": int,
        "bots": (list, tuple),
        "deals": int,
        "format": str,
        "seed": int,
    }
    for name, value in values.items():
        if name not in kinds:
            raise TournamentError(f"{source} has {name!r}: known are {', '.join(kinds)}")
        if not isinstance(value, kinds[name]) or isinstance(value, bool):
            raise TournamentError(f"{name} in {source} is {value!r}: expected {_KIND_NAMES[name]}")
    missing = [f.name for f in fields(Tournament) if f.name not in values and f.name in _REQUIRED]
    if missing:
        raise TournamentError(f"{source} does not say {', '.join(missing)}")
    if not all(isinstance(name, str) for name in values["bots"]):
        raise TournamentError(f"bots in {source} is {values['bots']!r}: expected {_KIND_NAMES['bots']}")
    try:
        kind = Format(values.get("format", Format.ROUND_ROBIN))
    except ValueError:
        raise TournamentError(f"format is {values['format']!r}: expected {' or '.join(Format)}") from None
    return Tournament(**{**values, "bots": tuple(values["bots"]), "format": kind})


_REQUIRED = ("game", "players", "bots", "deals")
_KIND_NAMES = {
    "game": "guinote or gile",
    "players": "a whole number",
    "bots": "a list of ids of bots",
    "deals": "a whole number",
    "format": " or ".join(Format),
    "seed": "a whole number",
}
