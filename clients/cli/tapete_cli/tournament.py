"""`tapete tournament`: plays what is missing, with a bar of progress, and prints the standings."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from tapete_cli.screen import error_console, is_utf, make_console
from tapete_tournament.definition import Tournament
from tapete_tournament.play import Played
from tapete_tournament.runner import run
from tapete_tournament.schedule import count_units
from tapete_tournament.standings import standings_of, to_csv, to_json, to_text
from tapete_tournament.store import Store

__all__ = ["hold"]


@contextmanager
def _progress() -> Iterator[Progress]:
    """Yields what shows progress on a terminal; elsewhere it is silent."""
    console = error_console()
    columns = (
        TextColumn("{task.description}"),
        *((BarColumn(),) if is_utf(console) else ()),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield progress


def hold(tournament: Tournament, path: Path, workers: int | None, csv: Path | None, as_json: bool) -> None:
    """Holds a tournament, or goes on with it.

    Args:
        tournament: The tournament.
        path: Its store.
        workers: Number of processes, None for one a core.
        csv: File that gets the standings as CSV too.
        as_json: Whether the standings are printed as JSON.
    """
    units = count_units(tournament)
    with Store(path, tournament) as store, _progress() as progress:
        done = sum(number < units for number in store.finished())
        task = progress.add_task("deals", total=units, completed=done, rate="")

        def advance(_: Played) -> None:
            speed = progress.tasks[task].speed
            progress.update(task, advance=1, rate=f"{speed:.1f}/s" if speed else "")

        run(tournament, store, workers, advance)
        found = standings_of(tournament, store.results(units))
    if csv is not None:
        csv.write_text(to_csv(found), encoding="utf-8")
    if as_json:
        make_console().file.write(to_json(found))
    else:
        make_console().file.write(to_text(found))
