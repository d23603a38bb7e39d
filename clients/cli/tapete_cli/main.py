"""Entry point of the `tapete` command."""

# ruff: noqa: PLC0415 - engines and the server are imported where they are used: numba takes half a second.

import contextlib
import errno
import functools
import os
import secrets
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec

import typer
from typer.core import TyperGroup

from tapete.v1 import ListBotsResponse, ListLegalMovesResponse
from tapete_cli.arguments import (
    AnteOption,
    BotOption,
    CotoOption,
    FixedRotation,
    GameName,
    GameOption,
    IterationsOption,
    JsonOption,
    LatestOnly,
    LimitName,
    LimitOption,
    MalasName,
    MalasOption,
    MinimumBetOption,
    NoTute,
    PartnerRelief,
    PerMember,
    PlayersOption,
    SeedOption,
    ServerOption,
    StackOption,
    SuitRank,
    TimeOption,
    ViewArgument,
    VoidDealsOption,
    check_players,
    check_record,
    check_rules,
    check_server,
    milliseconds,
    open_view,
    read_carried,
    read_gile_rules,
    read_guinote_rules,
)
from tapete_cli.messages import write_json
from tapete_cli.screen import (
    error_console,
    error_json,
    make_console,
    prepare_streams,
    show_answer,
    show_bots,
    show_error,
)
from tapete_client import InvalidRequestError, TapeteClient, TapeteError, UnknownBotError, format_move

if TYPE_CHECKING:
    from tapete_cli.in_process import InProcessClient

# grpc's own notes on connections that come and go are no business of whoever runs a command.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

FAULT, USAGE, REFUSED, SERVER = 1, 2, 3, 4
INTERRUPTED = 130

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG, errno.EROFS)
"""What it means that somebody's disk takes no more; none of them is a fault of ours."""


class _Command(TyperGroup):
    """The command; output that cannot be written is a sentence, whoever writes it."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            try:
                return super().main(*args, **kwargs)
            finally:
                sys.stdout.flush()
        except OSError as error:
            if error.errno not in (*_NO_ROOM, errno.EPIPE):
                raise
            # What is still in the buffers cannot be written either: the interpreter shall not try at exit.
            _drop(sys.stdout)
            try:
                if error.errno != errno.EPIPE:
                    where = error.filename or "the output"
                    sys.stderr.write(f"Error: cannot write {where}: {os.strerror(error.errno).lower()}\n")
                    sys.stderr.flush()
            except OSError:
                _drop(sys.stderr)
            sys.exit(FAULT)


def _drop(stream: Any) -> None:
    """Lets all further output of a standard stream go nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


app = typer.Typer(
    cls=_Command,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done; 2 wrong usage, or no such bot; 3 the view is refused; 4 the server failed or"
    " was not reached; 1 the output could not be written, or a fault of tapete itself.",
)

P = ParamSpec("P")


def _exit_code(error: TapeteError) -> int:
    if isinstance(error, UnknownBotError):
        return USAGE
    if isinstance(error, InvalidRequestError):
        about_view = any(violation.path.split(".")[0] == "view" for violation in error.violations)
        return REFUSED if about_view else USAGE
    return SERVER


def _reports_errors(command: Callable[P, None]) -> Callable[P, None]:
    """Turns what a command raises into a message and an exit code; nobody sees a stack trace."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except TapeteError as error:
            if kwargs.get("as_json"):
                typer.echo(error_json(error), err=True)
            else:
                show_error(error_console(), error)
            raise typer.Exit(_exit_code(error)) from None
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # Whoever read our output has enough.
            raise
        except Exception as error:
            if isinstance(error, OSError) and error.errno in _NO_ROOM:
                raise
            if os.environ.get("TAPETE_TRACEBACK"):
                raise
            typer.echo(f"Error: a fault of tapete itself: {type(error).__name__}: {error}", err=True)
            typer.echo("Set TAPETE_TRACEBACK=1 to see where, and please report it.", err=True)
            raise typer.Exit(FAULT) from None

    return run


def _connect(
    server: str | None, notes: bool = True
) -> "AbstractContextManager[TapeteClient | InProcessClient]":
    """Returns who answers: a server, or this process.

    Args:
        server: Address; None for this process.
        notes: Whether standard error is told when the first answer takes long.
    """
    if server is not None:
        return TapeteClient(check_server(server))
    from tapete_cli.in_process import InProcessClient

    def say(note: str) -> None:
        # One plain line, wherever it goes; it comes in a thread of its own.
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"{note}\n")
            sys.stderr.flush()

    return InProcessClient(say if notes else None)


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(f"tapete {version('tapete')}")
        raise typer.Exit


@app.callback()
def main(
    _version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Bots for Spanish card games, served over gRPC."""
    prepare_streams()


@app.command()
@_reports_errors
def serve(
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="HOST", help="Address to listen on. Others than loopback are open to anybody."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="Port; 0 takes a free one.")
    ] = 50051,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads", metavar="N", min=1, max=1024, help="Searches at once. Default: one a core."
        ),
    ] = None,
    queue_limit: Annotated[
        int,
        typer.Option(
            "--queue-limit", metavar="N", min=0, max=100_000, help="Calls that may wait for a thread."
        ),
    ] = 64,
    drain_s: Annotated[
        float,
        typer.Option(
            "--drain-s", metavar="N", min=0.1, max=3600, help="Seconds that running calls get at the end."
        ),
    ] = 10.0,
    reflection: Annotated[
        bool, typer.Option("--reflection/--no-reflection", help="Describe the services to tools.")
    ] = True,
    log_calls: Annotated[
        bool, typer.Option("--log-calls/--no-log-calls", help="Log also the calls that succeed.")
    ] = True,
) -> None:
    """Serves the bots over gRPC until SIGTERM or Ctrl-C."""
    from tapete_server import ServerConfig, ServerError
    from tapete_server import serve as serve_until_stopped

    config = ServerConfig(
        host=host,
        port=port,
        threads=threads or ServerConfig().threads,
        queue_limit=queue_limit,
        drain=timedelta(seconds=drain_s),
        reflection=reflection,
        log_calls=log_calls,
    )
    console = make_console()

    def say_ready(port: int) -> None:
        console.print(f"Tapete serves on {host}:{port}. Ctrl-C stops it.")

    try:
        serve_until_stopped(config, on_ready=say_ready)
    except ServerError as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(SERVER) from None


@app.command()
@_reports_errors
def bots(server: ServerOption = None, as_json: JsonOption = False) -> None:
    """Lists the bots and their options."""
    with _connect(server, notes=not as_json) as client:
        found = client.list_bots()
    if as_json:
        typer.echo(write_json(ListBotsResponse(bots=found)))
    else:
        show_bots(make_console(), found)


@app.command()
@_reports_errors
def move(
    view: ViewArgument,
    bot: BotOption = "",
    iterations: IterationsOption = None,
    time_ms: TimeOption = None,
    seed: SeedOption = 0,
    server: ServerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answers a view with a move.

    The move stands alone on the first line; below it, how it was found.
    """
    position = open_view(view)
    with _connect(server, notes=not as_json) as client:
        answer = client.choose_move(
            position, bot=bot, iterations=iterations, time=milliseconds(time_ms), seed=seed
        )
    if as_json:
        typer.echo(write_json(answer))
    else:
        show_answer(make_console(), answer)


@app.command()
@_reports_errors
def legal(view: ViewArgument, server: ServerOption = None, as_json: JsonOption = False) -> None:
    """Lists the legal moves of a view, one a line.

    Also the cheap way to check a view.
    """
    position = open_view(view)
    with _connect(server, notes=not as_json) as client:
        moves = client.list_legal_moves(position)
    if as_json:
        typer.echo(write_json(ListLegalMovesResponse(moves=moves)))
    else:
        for legal_move in moves:
            typer.echo(format_move(legal_move))


@app.command()
@_reports_errors
def deal(
    context: typer.Context,
    game: GameOption = GameName.GUINOTE,
    players: PlayersOption = 4,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Seed of the cards and of the play.")
    ] = 0,
    plies: Annotated[
        int,
        typer.Option(
            "--plies",
            metavar="N",
            min=0,
            help="Decisions made before: cards, swaps, passes, bets, ...",
        ),
    ] = 0,
    vueltas: Annotated[
        str | None,
        typer.Option("--vueltas", metavar="A-B", help="Points carried into a deal of vueltas, as 80-70."),
    ] = None,
    fixed_rotation: FixedRotation = False,
    partner_relief: PartnerRelief = False,
    swap_after_latest_trick_only: LatestOnly = False,
    cante_per_member: PerMember = False,
    no_tute: NoTute = False,
    malas: MalasOption = MalasName.THIRTY,
    points_per_coto: CotoOption = 3,
    limit: LimitOption = LimitName.NONE,
    suit_rank: SuitRank = False,
    ante: AnteOption = 1,
    minimum_bet: MinimumBetOption = 1,
    void_deals: VoidDealsOption = 3,
    stack: StackOption = 100,
) -> None:
    """Prints a view of a random deal as JSON.

    It is what the seat that is asked knows after so many random decisions.
    """
    from tapete_cli.deal import DealOverError, random_gile_view, random_guinote_view

    check_rules(context, game)
    check_players(players, game)
    try:
        if game is GameName.GILE:
            gile_rules = read_gile_rules(limit, suit_rank, ante, minimum_bet, void_deals)
            view = random_gile_view(gile_rules, players, stack, seed, plies)
        else:
            rules = read_guinote_rules(
                fixed_rotation,
                partner_relief,
                swap_after_latest_trick_only,
                cante_per_member,
                no_tute,
                malas,
                points_per_coto,
            )
            view = random_guinote_view(rules, players, seed, plies, read_carried(vueltas))
    except DealOverError as error:
        raise typer.BadParameter(
            f"{plies}: this deal is over after {error.plies} decisions.", param_hint="'--plies'"
        ) from None
    typer.echo(write_json(view))


@app.command()
@_reports_errors
def tournament(
    more: Annotated[list[str] | None, typer.Argument(metavar="ID", help="More entrants.")] = None,
    bots: Annotated[
        str | None,
        typer.Option("--bots", metavar="ID ID...", help="Entrants, as ismcts?iterations=2000 heuristic."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="TOML", help="Definition: these options by name."),
    ] = None,
    game: Annotated[GameName | None, typer.Option("--game", metavar="guinote|gile", help="Game.")] = None,
    players: Annotated[
        int | None, typer.Option("--players", metavar="N", help="Seats: 2 or 4; in Gilé 2 to 5.")
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option("--deals", metavar="N", help="Deals of each line-up, each with all its rotations."),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="round-robin (default) or gauntlet."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Seed of cards and bots.")] = None,
    store: Annotated[
        Path,
        typer.Option("--store", metavar="FILE", help="Finished games; a run goes on here."),
    ] = Path("tournament.sqlite"),
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", metavar="N", min=1, max=1024, help="Processes. Default: one for each core."
        ),
    ] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Standings as CSV too.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Lets bots play each other, the same cards from every seat, and prints the standings.

    Started again with the same options it goes on where it stood; with more deals it plays those too.
    """
    from tapete_cli.tournament import hold
    from tapete_tournament.definition import TournamentError, make_tournament, read_definition

    given = {
        "game": game.value if game else None,
        "players": players,
        "bots": [*([bots] if bots else []), *(more or [])] or None,
        "deals": deals,
        "format": form,
        "seed": seed,
    }
    values = {name: value for name, value in given.items() if value is not None}
    try:
        definition = read_definition(file, values) if file else make_tournament(values, "the command")
        hold(definition, store, workers, csv, as_json)
    except TournamentError as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(USAGE) from None
    except FileNotFoundError as error:
        typer.echo(f"Error: there is no file {error.filename}", err=True)
        raise typer.Exit(USAGE) from None


@app.command()
@_reports_errors
def play(
    context: typer.Context,
    game: GameOption = GameName.GUINOTE,
    players: PlayersOption = 4,
    bot: BotOption = "",
    iterations: IterationsOption = None,
    time_ms: TimeOption = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", metavar="N", min=0, help="Seed of the cards. Default: a new one, which is shown."
        ),
    ] = None,
    server: ServerOption = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Write a record of the match here.")
    ] = None,
    fixed_rotation: FixedRotation = False,
    partner_relief: PartnerRelief = False,
    swap_after_latest_trick_only: LatestOnly = False,
    cante_per_member: PerMember = False,
    no_tute: NoTute = False,
    malas: MalasOption = MalasName.THIRTY,
    points_per_coto: CotoOption = 3,
    limit: LimitOption = LimitName.NONE,
    suit_rank: SuitRank = False,
    ante: AnteOption = 1,
    minimum_bet: MinimumBetOption = 1,
    void_deals: VoidDealsOption = 3,
    stack: StackOption = 100,
) -> None:
    """Plays in the terminal: you against bots.

    A coto of Guiñote, or Gilé until you leave or one has all the chips.
    """
    from tapete_cli.person import PlaySettings

    check_rules(context, game)
    common: dict[str, Any] = {
        "players": check_players(players, game),
        "seed": secrets.randbelow(2**32) if seed is None else seed,
        "bot": bot,
        "iterations": iterations,
        "time": milliseconds(time_ms),
        "record": check_record(record),
    }
    with _connect(server) as client:
        if game is GameName.GILE:
            from tapete_cli.gile import play as play_gile
            from tapete_games.gile.rules import MAX_STACK

            if stack * players > MAX_STACK:
                raise typer.BadParameter(
                    f"{stack}: {players} seats have more than {MAX_STACK} chips together (L6).",
                    param_hint="'--stack'",
                )
            gile_rules = read_gile_rules(limit, suit_rank, ante, minimum_bet, void_deals)
            play_gile(make_console(), client, PlaySettings(gile_rules, stack=stack, **common))
            return
        from tapete_cli.guinote import play as play_guinote

        rules = read_guinote_rules(
            fixed_rotation,
            partner_relief,
            swap_after_latest_trick_only,
            cante_per_member,
            no_tute,
            malas,
            points_per_coto,
        )
        play_guinote(make_console(), client, PlaySettings(rules, **common))
