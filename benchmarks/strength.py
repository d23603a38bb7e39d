"""Strength over paired deals: the same cards twice, sides swapped; a pair is one observation.

    python -m benchmarks strength BOT OTHER --players 4 --pairs 3500
    python -m benchmarks strength --preset NAME      # one of those that --list shows
    python -m benchmarks strength --all              # every preset that is not finished

Each finished pair is a line of a file; a run that was killed goes on where it stood, with any number of
workers. All randomness is a function of the seed and the number of the pair, and the bots' seeds are none
of the deals'. With the unit `point` whole points are played, vueltas and all; the first deals, which are
the same as with the unit `hand`, give points and hands won.
"""

import argparse
import csv
import fcntl
import json
import re
import signal
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.estimate import Estimate
from benchmarks.ledger import Ledger, finish
from benchmarks.table import Table, seed_of
from tapete_bots.bot import Bot
from tapete_bots.registry import BotIdError, find_bot
from tapete_games.guinote.rules import Rules

RESULTS = Path(__file__).with_name("results") / "strength.csv"
STORES = Path("build") / "strength"
COLUMNS = (
    "bot",
    "other",
    "players",
    "unit",
    "pairs",
    "points_per_hand",
    "points_error",
    "hands_won",
    "hands_error",
    "points_won",
    "points_won_error",
    "deals_per_point",
    "seed",
    "command",
)
SEED = 1


@dataclass(frozen=True)
class Matchup:
    """Two bots at a table size; what a file of results is about."""

    bot: str
    other: str
    players: int
    unit: str = "point"
    """`point` or `hand`."""
    seed: int = SEED

    @property
    def name(self) -> str:
        """Name of its file."""
        text = f"{self.players}p_{self.unit}_{self.bot}_{self.other}_{self.seed}"
        return re.sub(r"[^A-Za-z0-9_.=-]+", "-", text)

    def command(self, pairs: int) -> str:
        """The command that makes the figures again."""
        return (
            f"python -m benchmarks strength '{self.bot}' '{self.other}' --players {self.players} "
            f"--unit {self.unit} --pairs {pairs} --seed {self.seed}"
        )


def _presets() -> dict[str, tuple[Matchup, int]]:
    presets: dict[str, tuple[Matchup, int]] = {}
    rivals = {2: ("heuristic?endgame=exact", "-exact"), 4: ("heuristic", "")}
    for players in (2, 4):
        presets[f"{players}p-heuristic-random"] = (Matchup("heuristic", "random", players), 3500)
    for iterations, text in ((4000, "4k"), (20000, "20k")):
        for players, (rival, suffix) in rivals.items():
            matchup = Matchup(f"ismcts?iterations={iterations}", rival, players)
            presets[f"{players}p-{text}-heuristic{suffix}"] = (matchup, 3500)
    for players in (2, 4):
        matchup = Matchup("ismcts?iterations=20000", "ismcts?iterations=2000", players)
        presets[f"{players}p-20k-2k"] = (matchup, 3500 if players == 2 else 2000)
        for low, text in ((2000, "2k"), (20000, "20k")):
            matchup = Matchup("ismcts?iterations=200000", f"ismcts?iterations={low}", players)
            presets[f"{players}p-200k-{text}"] = (matchup, 400)
    return presets


PRESETS = _presets()


# --- one pair -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """A finished pair: two values each, for the first bot on side 0 and on side 1."""

    points: tuple[int, int]
    """Difference of points of the first deal."""
    worth: tuple[float, float]
    """Whether the point was won, or its probability."""
    deals: tuple[int, int]


def play_pair(table: Table, bots: tuple[Bot, Bot], matchup: Matchup, pair: int) -> Pair:
    """Plays the same cards twice, sides swapped."""
    points, worths, deals = [], [], []
    for side in (0, 1):
        result = table.play_point(
            bots if side == 0 else bots[::-1],
            pair % matchup.players,
            (matchup.seed, matchup.players, pair),
            seed_of(32, "search", matchup.seed, matchup.players, pair, side),
            whole=matchup.unit == "point",
        )
        points.append(result.first.points if side == 0 else -result.first.points)
        worths.append(round(result.worth if side == 0 else 1.0 - result.worth, 6))
        deals.append(result.deals)
    return Pair((points[0], points[1]), (worths[0], worths[1]), (deals[0], deals[1]))


_work: Callable[[int], Pair]


def _prepare_worker(matchup: Matchup) -> None:
    """Makes table and bots of a worker process."""
    global _work  # noqa: PLW0603 - what a pool leaves to its workers
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    table = Table(matchup.players, Rules())
    bots = (find_bot(matchup.bot), find_bot(matchup.other))
    _work = lambda pair: play_pair(table, bots, matchup, pair)  # noqa: E731


def _run_pair(pair: int) -> tuple[int, list[Any]]:
    played = _work(pair)
    return pair, [played.points, played.worth, played.deals]


# --- figures ------------------------------------------------------------------------------------


def figures(pairs: list[Pair]) -> dict[str, Estimate]:
    """Estimates points a hand, share of hands won and of points won; a drawn hand is half a win."""
    return {
        "points": Estimate.of([sum(pair.points) / 2 for pair in pairs]),
        "hands": Estimate.of([sum((p > 0) + 0.5 * (p == 0) for p in pair.points) / 2 for pair in pairs]),
        "worth": Estimate.of([sum(pair.worth) / 2 for pair in pairs]),
    }


def describe(matchup: Matchup, pairs: list[Pair]) -> str:
    """Says in a line what the pairs show."""
    found = figures(pairs)
    by = "whole points" if matchup.unit == "point" else "first deals, by the table of vueltas"
    return (
        f"{matchup.players}p {matchup.bot} over {matchup.other}: {found['points']:+.2f} points a hand, "
        f"hands won {found['hands'] * 100:.1f} %, P(point) {found['worth']:.3f} ({by}), {len(pairs)} pairs"
    )


def save_row(matchup: Matchup, pairs: list[Pair], path: Path) -> None:
    """Writes the row of a matchup into the table of results, in place of an earlier one."""
    found = figures(pairs)
    deals = sum(sum(pair.deals) for pair in pairs) / (2 * len(pairs))
    row = [
        matchup.bot,
        matchup.other,
        matchup.players,
        matchup.unit,
        len(pairs),
        f"{found['points'].mean:.2f}",
        f"{found['points'].error:.2f}",
        f"{found['hands'].mean:.4f}",
        f"{found['hands'].error:.4f}",
        f"{found['worth'].mean:.4f}",
        f"{found['worth'].error:.4f}",
        f"{deals:.3f}",
        matchup.seed,
        matchup.command(len(pairs)),
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", newline="") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        rows = [old for old in csv.reader(file) if old and old[0] != COLUMNS[0]]
        key = [str(row[i]) for i in (0, 1, 2, 3, 12)]
        rows = [old for old in rows if [old[i] for i in (0, 1, 2, 3, 12)] != key]
        rows.append([str(cell) for cell in row])
        rows.sort(key=lambda r: (r[2], r[1], r[0], r[3]))
        file.seek(0)
        file.truncate()
        csv.writer(file, lineterminator="\n").writerows([list(COLUMNS), *rows])


# --- runs ---------------------------------------------------------------------------------------


def run_matchup(matchup: Matchup, pairs: int, workers: int, path: Path, results: Path) -> str:
    """Plays what is missing of the first `pairs` pairs and saves the figures; returns them in a line."""
    ledger = Ledger(path, {"matchup": asdict(matchup)})
    finish(
        ledger,
        range(pairs),
        _run_pair,
        workers=workers,
        prepare=_prepare_worker,
        arguments=(matchup,),
        # a search's pair takes seconds, others' milliseconds: those are handed over by the dozen
        block=1 if "ismcts" in matchup.bot + matchup.other else 25,
        describe=lambda: describe(matchup, _pairs(ledger, ledger.pieces)),
    )
    chosen = _pairs(ledger, range(pairs))
    save_row(matchup, chosen, results)
    return describe(matchup, chosen)


def _pairs(ledger: Ledger, numbers: Iterable[int]) -> list[Pair]:
    return [Pair(*ledger.pieces[number]) for number in numbers]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("bots", nargs="*", metavar="BOT", help="two ids of bots, with options")
    parser.add_argument("--players", type=int, choices=(2, 4), default=4, help="table size (default 4)")
    parser.add_argument("--unit", choices=("point", "hand"), default="point", help="what is played")
    parser.add_argument("--pairs", type=int, help="number of pairs (default 3500, or the preset's)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed of the run (default {SEED})")
    parser.add_argument("--workers", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--preset", action="append", default=[], choices=PRESETS, metavar="NAME")
    parser.add_argument("--all", action="store_true", help="all presets, one after another")
    parser.add_argument("--so-far", action="store_true", help="what the finished pairs show, of every run")
    parser.add_argument("--table", action="store_true", help="print the table of results")
    parser.add_argument("--list", action="store_true", help="list the presets")
    parser.add_argument("--stores", type=Path, default=STORES, help=f"folder of finished pairs ({STORES})")
    parser.add_argument("--results", type=Path, default=RESULTS, help="table that gets the row")


def _chosen(options: argparse.Namespace) -> list[tuple[Matchup, int]]:
    if options.bots:
        if len(options.bots) != 2:
            raise SystemExit("strength: expected two bots")
        bot, other = options.bots
        try:
            find_bot(bot), find_bot(other)
        except BotIdError as error:
            raise SystemExit(f"strength: {error}") from None
        matchup = Matchup(bot, other, options.players, options.unit, options.seed)
        return [(matchup, options.pairs or 3500)]
    names = list(PRESETS) if options.all else options.preset
    if not names:
        raise SystemExit("strength: expected two bots, --preset NAME, --all or --list")
    return [(PRESETS[name][0], options.pairs or PRESETS[name][1]) for name in names]


def print_so_far(stores: Path) -> None:
    """Prints what the finished pairs of every run show; a run that is under way is not disturbed."""
    for path in sorted(stores.glob("*.jsonl")):
        with path.open() as file:
            matchup = Matchup(**json.loads(file.readline())["matchup"])
        ledger = Ledger(path, {"matchup": asdict(matchup)})
        if ledger.pieces:
            print(describe(matchup, _pairs(ledger, ledger.pieces)))


def print_table(results: Path) -> None:
    """Prints the table of results as it stands in the README."""
    with results.open(newline="") as file:
        rows = list(csv.DictReader(file))
    print("| | pairs | points a hand | hands won | points won |\n|---|---|---|---|---|")
    for row in rows:
        points = Estimate(float(row["points_per_hand"]), float(row["points_error"]))
        hands = Estimate(float(row["hands_won"]), float(row["hands_error"])) * 100
        won = Estimate(float(row["points_won"]), float(row["points_won_error"])) * 100
        name = f"{row['players']}p: `{row['bot']}` over `{row['other']}`"
        pairs = int(row["pairs"])
        print(f"| {name} | {pairs:,} | {points:+.1f} | {hands:.1f} % | {won:.1f} % |")


def run(options: argparse.Namespace) -> None:
    """Runs the matchups that the arguments name."""
    if options.table:
        print_table(options.results)
        return
    if options.so_far:
        print_so_far(options.stores)
        return
    if options.list:
        for name, (matchup, pairs) in PRESETS.items():
            print(f"{name:24} {matchup.command(pairs)}")
        return
    for matchup, pairs in _chosen(options):
        path = options.stores / f"{matchup.name}.jsonl"
        print(run_matchup(matchup, pairs, options.workers, path, options.results), flush=True)
