"""Strength at Gilé in chips a hand: one bot among others, the same cards once from each seat.

    python -m benchmarks chips BOT OTHER --seats 5 --deals 400

One deal is one observation: its cards, the order of the stock's renewals too, are played as often as there
are seats, and the bot sits at each of them once. Stacks of 100, an ante of 1, no limit. Each finished deal
is a line of a file; a run that was killed goes on where it stood.
"""

import argparse
import csv
import fcntl
import re
import signal
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.estimate import Estimate
from benchmarks.gile_table import GileTable
from benchmarks.ledger import Ledger, finish
from benchmarks.table import seed_of
from tapete.v1 import Game
from tapete_bots.registry import BotIdError, find_bot
from tapete_games.gile import STARTING_STACK, Rules, shuffled_pack

RESULTS = Path(__file__).with_name("results") / "chips.csv"
STORES = Path("build") / "chips"
COLUMNS = ("bot", "other", "seats", "deals", "chips_per_hand", "error", "seed", "command")
SEED = 1


@dataclass(frozen=True)
class Field:
    """One bot among others; what a file of results is about."""

    bot: str
    other: str
    seats: int
    seed: int = SEED

    @property
    def name(self) -> str:
        """Name of its file."""
        return re.sub(r"[^A-Za-z0-9_.=-]+", "-", f"{self.seats}s_{self.bot}_{self.other}_{self.seed}")

    def command(self, deals: int) -> str:
        """The command that makes the figure again."""
        return (
            f"python -m benchmarks chips '{self.bot}' '{self.other}' --seats {self.seats} "
            f"--deals {deals} --seed {self.seed}"
        )


def play_rotations(table: GileTable, field: Field, number: int) -> list[int]:
    """Plays the cards of one deal with the bot at each seat; returns its chips of each."""
    bot, other = (find_bot(text, Game.GAME_GILE) for text in (field.bot, field.other))
    pack = shuffled_pack(seed_of(64, "cards", field.seed, field.seats, number))
    renewals = seed_of(63, "stock", field.seed, field.seats, number)
    won = []
    for seat in range(field.seats):
        bots = [other] * field.seats
        bots[seat] = bot
        seed = seed_of(32, "search", field.seed, field.seats, number, seat)
        won.append(table.play_deal(bots, field.seats - 1, pack, renewals, seed)[seat])
    return won


_work: Callable[[int], list[int]]


def _prepare_worker(field: Field) -> None:
    global _work  # noqa: PLW0603 - what a pool leaves to its workers
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    table = GileTable(Rules(), (STARTING_STACK,) * field.seats)
    _work = lambda number: play_rotations(table, field, number)  # noqa: E731


def _run_deal(number: int) -> tuple[int, list[Any]]:
    return number, _work(number)


def estimate(deals: Iterable[list[int]]) -> Estimate:
    """Estimates the bot's chips a hand."""
    return Estimate.of([sum(won) / len(won) for won in deals])


def describe(field: Field, deals: list[list[int]]) -> str:
    """Says in a line what the deals show."""
    others = field.other if field.seats == 2 else f"{field.seats - 1} {field.other}"
    return f"{field.bot} against {others}: {estimate(deals):+.2f} chips a hand, {len(deals)} deals"


def save_row(field: Field, deals: list[list[int]], path: Path) -> None:
    """Writes the row of a field into the table of results, in place of an earlier one."""
    found = estimate(deals)
    figures = [f"{found.mean:.3f}", f"{found.error:.3f}"]
    command = field.command(len(deals))
    row = [field.bot, field.other, str(field.seats), str(len(deals)), *figures, str(field.seed), command]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", newline="") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        rows = [old for old in csv.reader(file) if old and old[0] != COLUMNS[0]]
        key = [row[i] for i in (0, 1, 2, 6)]
        rows = [old for old in rows if [old[i] for i in (0, 1, 2, 6)] != key]
        rows = sorted([*rows, row], key=lambda r: (r[2], r[0], r[1]))
        file.seek(0)
        file.truncate()
        csv.writer(file, lineterminator="\n").writerows([list(COLUMNS), *rows])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("bots", nargs="*", metavar="BOT", help="two ids of bots, with options")
    parser.add_argument("--seats", type=int, choices=(2, 3, 4, 5), default=2, help="table size (default 2)")
    parser.add_argument("--deals", type=int, default=1000, help="number of deals (default 1000)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed of the run (default {SEED})")
    parser.add_argument("--workers", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--table", action="store_true", help="print the table of results")
    parser.add_argument("--stores", type=Path, default=STORES, help=f"folder of finished deals ({STORES})")
    parser.add_argument("--results", type=Path, default=RESULTS, help="table that gets the row")


def print_table(results: Path) -> None:
    """Prints the table of results as it stands in the README."""
    with results.open(newline="") as file:
        rows = list(csv.DictReader(file))
    print("| seats | | deals | chips a hand |\n|---|---|---|---|")
    for row in rows:
        found = Estimate(float(row["chips_per_hand"]), float(row["error"]))
        others = f"{int(row['seats']) - 1} × " if row["seats"] != "2" else ""
        name = f"`{row['bot']}` against {others}`{row['other']}`"
        print(f"| {row['seats']} | {name} | {int(row['deals']):,} | {found:+.2f} |")


def run(options: argparse.Namespace) -> None:
    """Runs the field that the arguments name."""
    if options.table:
        print_table(options.results)
        return
    if len(options.bots) != 2:
        raise SystemExit("chips: expected two bots")
    try:
        for bot in options.bots:
            find_bot(bot, Game.GAME_GILE)
    except BotIdError as error:
        raise SystemExit(f"chips: {error}") from None
    field = Field(*options.bots, options.seats, options.seed)
    ledger = Ledger(options.stores / f"{field.name}.jsonl", {"field": asdict(field)})
    finish(
        ledger,
        range(options.deals),
        _run_deal,
        workers=options.workers,
        prepare=_prepare_worker,
        arguments=(field,),
        block=1 if "ismcts" in field.bot + field.other else 25,
        describe=lambda: describe(field, list(ledger.pieces.values())),
    )
    deals = [ledger.pieces[number] for number in range(options.deals)]
    save_row(field, deals, options.results)
    print(describe(field, deals), flush=True)
