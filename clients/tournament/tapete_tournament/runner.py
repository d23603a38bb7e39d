"""Plays what is missing of a tournament, in processes of their own, and stores each unit as it ends."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice

from tapete_tournament.definition import Tournament
from tapete_tournament.play import Played, Player
from tapete_tournament.schedule import Unit, list_units
from tapete_tournament.store import Store

__all__ = ["run"]

_player: Player


def _prepare(tournament: Tournament) -> None:
    """Makes a worker ready."""
    global _player  # noqa: PLW0603 - what a pool leaves to its workers
    # Ctrl-C is the parent's to handle.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _player = Player(tournament)


def _play(unit: Unit) -> Played:
    return _player.play(unit)


def _missing(tournament: Tournament, store: Store) -> Iterator[Unit]:
    finished = store.finished()
    return (unit for unit in list_units(tournament) if unit.number not in finished)


def run(
    tournament: Tournament,
    store: Store,
    workers: int | None = None,
    on_unit: Callable[[Played], None] | None = None,
) -> None:
    """Plays until all units are finished.

    Workers are spawned, never forked, and have a thread each. Which of them plays a unit, and in what order
    units end, changes nothing about any of them.

    Args:
        tournament: The tournament.
        store: Its store.
        workers: Number of processes; 0 plays in this one, None takes one for each core.
        on_unit: Called after each unit that was stored.
    """
    missing = _missing(tournament, store)
    first = list(islice(missing, 1))
    if not first:
        return
    units = (unit for part in (first, missing) for unit in part)
    if workers == 0:
        player = Player(tournament)
        for unit in units:
            _keep(store, player.play(unit), on_unit)
        return
    context = multiprocessing.get_context("spawn")
    count = workers or os.cpu_count() or 1
    with ProcessPoolExecutor(count, context, _prepare, (tournament,)) as pool:
        # A few units ahead of the workers, whatever the length of the schedule.
        waiting = {pool.submit(_play, unit) for unit in islice(units, 4 * count)}
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                _keep(store, future.result(), on_unit)
            waiting |= {pool.submit(_play, unit) for unit in islice(units, len(done))}


def _keep(store: Store, played: Played, on_unit: Callable[[Played], None] | None) -> None:
    store.add(played)
    if on_unit is not None:
        on_unit(played)
