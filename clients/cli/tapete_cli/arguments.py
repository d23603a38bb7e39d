"""Arguments of the commands: their types, help and checks."""

import re
import sys
import tempfile
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tapete.v1 import GameView
from tapete_cli.messages import read_view

if TYPE_CHECKING:
    from tapete_games.guinote.rules import Rules

__all__ = [
    "BotOption",
    "CotoOption",
    "FixedRotation",
    "GameName",
    "GameOption",
    "IterationsOption",
    "JsonOption",
    "LatestOnly",
    "MalasName",
    "MalasOption",
    "NoTute",
    "PartnerRelief",
    "PerMember",
    "PlayersOption",
    "SeedOption",
    "ServerOption",
    "TimeOption",
    "ViewArgument",
    "check_players",
    "check_record",
    "check_server",
    "milliseconds",
    "open_view",
    "read_carried",
    "read_rules",
]


_CARRIED_TOTALS = (130, 150, 170, 190)
"""Points of both sides together that a first deal can end with."""


class GameName(StrEnum):
    """A game on the command line."""

    GUINOTE = "guinote"


class MalasName(StrEnum):
    """The setting `malas` on the command line."""

    THIRTY = "thirty"
    OFF = "off"
    CARDS_ONLY_LOSES = "cards-only-loses"


ViewArgument = Annotated[
    str,
    typer.Argument(metavar="VIEW", help="JSON file with a GameView or a GuinoteView; - for standard input."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, errors too.")]
ServerOption = Annotated[
    str | None,
    typer.Option("--server", metavar="HOST:PORT", help="Ask this server. Default: answer in this process."),
]
BotOption = Annotated[
    str,
    typer.Option("--bot", metavar="ID", help="Bot, as ismcts or ismcts?exploration=0.7. Default: ismcts."),
]
IterationsOption = Annotated[
    int | None,
    typer.Option("--iterations", metavar="N", min=0, max=10_000_000, help="Most iterations of a search."),
]
TimeOption = Annotated[
    int | None,
    typer.Option("--time-ms", metavar="N", min=0, max=600_000, help="Longest thinking time in milliseconds."),
]
SeedOption = Annotated[
    int, typer.Option("--seed", metavar="N", min=0, max=2**32 - 1, help="Seed of the bot.")
]
GameOption = Annotated[GameName, typer.Option("--game", metavar="guinote", help="Game.")]
PlayersOption = Annotated[int, typer.Option("--players", metavar="2|4", help="Number of players.")]
FixedRotation = Annotated[
    bool, typer.Option("--fixed-rotation", help="Rule: the deal passes to dealer + 1 (G5).")
]
PartnerRelief = Annotated[
    bool, typer.Option("--partner-relief", help="Rule: no duty to beat or trump a winning partner (G14).")
]
LatestOnly = Annotated[
    bool,
    typer.Option(
        "--swap-after-latest-trick-only", help="Rule: only the winners of the latest trick swap (G16)."
    ),
]
PerMember = Annotated[
    bool,
    typer.Option("--cante-per-member", help="Rule: a trick won gives each member of a side a cante (G20)."),
]
NoTute = Annotated[bool, typer.Option("--no-tute", help="Rule: there is no tute (G22).")]
MalasOption = Annotated[
    MalasName,
    typer.Option(
        "--malas", metavar="thirty|off|cards-only-loses", help="Rule: the minimum from cards (G24)."
    ),
]
CotoOption = Annotated[
    int,
    typer.Option(
        "--points-per-coto", metavar="N", min=1, max=20, help="Rule: points that win the coto (G26)."
    ),
]


def read_rules(
    fixed_rotation: bool,
    partner_relief: bool,
    swap_after_latest_trick_only: bool,
    cante_per_member: bool,
    no_tute: bool,
    malas: MalasName,
    points_per_coto: int,
) -> "Rules":
    """Makes the rules of the switches of a command line."""
    from tapete_games.guinote.rules import Malas, Rules  # noqa: PLC0415 - it brings numba

    return Rules(
        fixed_rotation=fixed_rotation,
        partner_relief=partner_relief,
        swap_after_latest_trick_only=swap_after_latest_trick_only,
        cante_per_member=cante_per_member,
        no_tute=no_tute,
        malas=Malas[malas.name],
        points_per_coto=points_per_coto,
    )


def check_players(players: int) -> int:
    """Returns a number of players that the game allows."""
    if players not in (2, 4):
        raise typer.BadParameter(f"{players}: expected 2 or 4 (G2).", param_hint="'--players'")
    return players


def check_record(path: Path | None) -> Path | None:
    """Returns the file of a record once it is sure that it can be written: a match is too long to lose.

    A file that exists is refused, and none is made: that is done at the end, if there is a record.
    """
    if path is not None:
        try:
            path.parent.stat()
            if path.is_symlink() or path.exists():
                raise typer.BadParameter(
                    f"{path} exists already: a record never overwrites a file", param_hint="'--record'"
                )
            tempfile.TemporaryFile(dir=path.parent).close()
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise typer.BadParameter(f"cannot write {path}: {reason}", param_hint="'--record'") from None
    return path


def check_server(address: str) -> str:
    """Returns the address of a server if it is HOST:PORT: no URL, and no name of a socket."""
    found = re.fullmatch(r"[^\s/?#@]+:([0-9]{1,5})", address)
    if found is None or not 0 < int(found[1]) < 65536:
        raise typer.BadParameter(f"{address!r} is not HOST:PORT", param_hint="'--server'")
    return address


def open_view(source: str) -> GameView:
    """Reads the view of a command line."""
    try:
        raw = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise typer.BadParameter(f"cannot read {source}: {reason}", param_hint="VIEW") from None
    return read_view(raw.decode("utf-8-sig", errors="replace"))


def milliseconds(value: int | None) -> timedelta | None:
    """Returns a number of milliseconds as a time."""
    return None if value is None else timedelta(milliseconds=value)


def read_carried(text: str | None) -> tuple[int, int] | None:
    """Reads the points carried into vueltas, as `80-70`."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", text)
    if found is None or max(int(found[1]), int(found[2])) > 100:
        raise typer.BadParameter(
            f"{text!r}: expected the points of both sides, each 0 to 100, as 80-70.", param_hint="'--vueltas'"
        )
    even, odd = int(found[1]), int(found[2])
    if even + odd not in _CARRIED_TOTALS:
        raise typer.BadParameter(
            f"{text!r} adds up to {even + odd}: the deal before makes 130, 150, 170 or 190 points of both"
            " sides together, as 80-70 (G1, G19, G23).",
            param_hint="'--vueltas'",
        )
    return even, odd
