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
    from tapete_games.gile.rules import Rules as GileRules
    from tapete_games.guinote.rules import Rules

__all__ = [
    "AnteOption",
    "BotOption",
    "CotoOption",
    "FixedRotation",
    "GameName",
    "GameOption",
    "IterationsOption",
    "JsonOption",
    "LatestOnly",
    "LimitName",
    "LimitOption",
    "MalasName",
    "MalasOption",
    "MinimumBetOption",
    "NoTute",
    "PartnerRelief",
    "PerMember",
    "PlayersOption",
    "SeedOption",
    "ServerOption",
    "StackOption",
    "SuitRank",
    "TimeOption",
    "ViewArgument",
    "VoidDealsOption",
    "check_players",
    "check_record",
    "check_rules",
    "check_server",
    "milliseconds",
    "open_view",
    "read_carried",
    "read_gile_rules",
    "read_guinote_rules",
]


_CARRIED_TOTALS = (130, 150, 170, 190)
"""Points of both sides together that a first deal can end with."""


class GameName(StrEnum):
    """A game on the command line."""

    GUINOTE = "guinote"
    GILE = "gile"


class LimitName(StrEnum):
    """The setting `limit` on the command line."""

    NONE = "none"
    POT = "pot"
    FIXED = "fixed"


class MalasName(StrEnum):
    """The setting `malas` on the command line."""

    THIRTY = "thirty"
    OFF = "off"
    CARDS_ONLY_LOSES = "cards-only-loses"


ViewArgument = Annotated[
    str,
    typer.Argument(metavar="VIEW", help="JSON file with a view; - for standard input."),
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
GameOption = Annotated[GameName, typer.Option("--game", metavar="guinote|gile", help="Game.")]
PlayersOption = Annotated[
    int, typer.Option("--players", metavar="N", help="Players: 2 or 4; in Gilé 2 to 5.")
]
FixedRotation = Annotated[
    bool, typer.Option("--fixed-rotation", help="Guiñote: the deal passes to dealer + 1 (G5).")
]
PartnerRelief = Annotated[
    bool, typer.Option("--partner-relief", help="Guiñote: no duty to beat or trump a winning partner (G14).")
]
LatestOnly = Annotated[
    bool,
    typer.Option(
        "--swap-after-latest-trick-only", help="Guiñote: only the winners of the latest trick swap (G16)."
    ),
]
PerMember = Annotated[
    bool,
    typer.Option("--cante-per-member", help="Guiñote: each member of a side may sing after a trick (G20)."),
]
NoTute = Annotated[bool, typer.Option("--no-tute", help="Guiñote: there is no tute (G22).")]
MalasOption = Annotated[
    MalasName,
    typer.Option(
        "--malas", metavar="thirty|off|cards-only-loses", help="Guiñote: the minimum from cards (G24)."
    ),
]
CotoOption = Annotated[
    int,
    typer.Option(
        "--points-per-coto", metavar="N", min=1, max=20, help="Guiñote: points that win the coto (G26)."
    ),
]


LimitOption = Annotated[
    LimitName,
    typer.Option("--limit", metavar="none|pot|fixed", help="Gilé: how high bets and raises may go (L15)."),
]
SuitRank = Annotated[
    bool, typer.Option("--suit-rank", help="Gilé: a tie goes by suit, the dealer has no privilege (L17).")
]
AnteOption = Annotated[
    int, typer.Option("--ante", metavar="N", min=0, max=1_000_000, help="Gilé: the ante (L6).")
]
MinimumBetOption = Annotated[
    int, typer.Option("--minimum-bet", metavar="N", min=1, max=1_000_000, help="Gilé: the least bet (L6).")
]
VoidDealsOption = Annotated[
    int,
    typer.Option(
        "--void-deals", metavar="N", min=1, max=10, help="Gilé: void deals in a row that end a deal (L7)."
    ),
]
StackOption = Annotated[
    int,
    typer.Option("--stack", metavar="N", min=1, max=100_000_000, help="Gilé: chips of each seat (L6)."),
]

_RULES_OF = {
    GameName.GUINOTE: (
        "vueltas",
        "fixed_rotation",
        "partner_relief",
        "swap_after_latest_trick_only",
        "cante_per_member",
        "no_tute",
        "malas",
        "points_per_coto",
    ),
    GameName.GILE: ("limit", "suit_rank", "ante", "minimum_bet", "void_deals", "stack"),
}


def check_rules(context: typer.Context, game: GameName) -> None:
    """Refuses rules of another game than the one that is played."""
    for other, names in _RULES_OF.items():
        for name in names:
            source = context.get_parameter_source(name)
            if other is not game and source is not None and source.name == "COMMANDLINE":
                option = "--" + name.replace("_", "-")
                raise typer.BadParameter(
                    f"it belongs to {other.value}; the game is {game.value} (--game).",
                    param_hint=f"'{option}'",
                )


def read_gile_rules(
    limit: LimitName, suit_rank: bool, ante: int, minimum_bet: int, void_deals: int
) -> "GileRules":
    """Makes the rules of Gilé of the switches of a command line."""
    from tapete_games.gile.rules import Limit, Rules  # noqa: PLC0415 - it brings numba

    return Rules(Limit[limit.name], suit_rank, ante, minimum_bet, void_deals)


def read_guinote_rules(
    fixed_rotation: bool,
    partner_relief: bool,
    swap_after_latest_trick_only: bool,
    cante_per_member: bool,
    no_tute: bool,
    malas: MalasName,
    points_per_coto: int,
) -> "Rules":
    """Makes the rules of Guiñote of the switches of a command line."""
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


def check_players(players: int, game: GameName) -> int:
    """Returns a number of players that the game allows."""
    if game is GameName.GILE and not 2 <= players <= 5:
        raise typer.BadParameter(f"{players}: expected 2 to 5 (L4).", param_hint="'--players'")
    if game is GameName.GUINOTE and players not in (2, 4):
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
