"""Speed of engine, search and exact endgame, beside the C prototype in the same run.

Repetitions of both take turns; times are CPU time of the thread, a ratio is one of medians. A repetition
takes a few milliseconds, so that on a busy machine most are not interrupted. The C program
(reference/guinote.c) needs gcc; without it our own figures alone are printed.
"""

import argparse
import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.table import seed_of
from tapete.v1 import Game
from tapete_bots.bot import Budget, Control
from tapete_bots.guinote import bots, endgame
from tapete_bots.registry import find_bot
from tapete_games.bits import below, mix, next_random, nth, popcount
from tapete_games.guinote import Rules, move_list, shuffled_pack
from tapete_games.guinote.engine import deal, legal_cards, legal_moves
from tapete_games.guinote.playout import random_playouts
from tapete_games.guinote.settle import play_and_settle
from tapete_games.guinote.state import DECIDE_NOTHING, DECIDE_PLAY, make_view, new_state, new_view
from tapete_games.kernel import kernel
from tapete_games.position import Position

ITERATIONS = 20_000
HANDS = 4_000
STARTS = 5


def load_reference() -> ctypes.CDLL | None:
    """Compiles and loads the C prototype; None without a compiler."""
    compiler = shutil.which("gcc")
    if compiler is None:
        return None
    source = Path(__file__).with_name("reference") / "library.c"
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "reference.so"
        flags = ["-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC"]
        subprocess.run([compiler, *flags, "-o", library, source, "-lm"], check=True)
        reference = ctypes.CDLL(str(library))
    reference.reference_playouts.restype = ctypes.c_int64
    reference.reference_endgame.restype = ctypes.c_double
    reference.reference_search.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_uint64]
    reference.reference_endgame.argtypes = [ctypes.c_uint64]
    reference.reference_init()
    return reference


def seconds(work: Callable[[], object]) -> float:
    """Returns the CPU time of the thread for `work`."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


def in_turns(ours: Callable[[], object], theirs: Callable[[], object] | None, times: int) -> list[float]:
    """Times both in turns and returns the medians; the first round of each is not counted."""
    found: list[list[float]] = [[], []]
    works = [ours] if theirs is None else [ours, theirs]
    for round_ in range(times + 1):
        for i, work in enumerate(works):
            took = seconds(work)
            if round_:
                found[i].append(took)
    return [median(values) for values in found if values]


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    what: str
    players: int
    ours: float
    """A second."""
    theirs: float | None
    """A second; None without the C program or where it has nothing like it."""

    def __str__(self) -> str:
        beside = "- | -" if self.theirs is None else f"{self.theirs:,.0f} | {self.ours / self.theirs:.2f}"
        return f"| {self.what}, {self.players}p | {self.ours:,.0f} | {beside} |"


def playouts(players: int, reference: ctypes.CDLL | None, times: int) -> Row:
    """Measures uniformly random play of whole hands, dealing and shuffling included."""
    s, pack = new_state(), np.zeros(40, np.int64)
    theirs = partial(reference.reference_playouts, players, HANDS) if reference else None
    medians = in_turns(partial(random_playouts, s, players, HANDS, 1, pack), theirs, times)
    rates = [HANDS / took for took in medians]
    return Row("random playouts of a hand", players, rates[0], rates[1] if reference else None)


def start_position(players: int, seed: int) -> Position:
    """Returns the position of the mano at the start of a hand."""
    state, view = new_state(), new_view()
    deal(state, players, players - 1, 0, 0, shuffled_pack(seed_of(64, "start", seed)))
    make_view(state, state.asked, view)
    legal = move_list(legal_moves(view, view.seat, view.own))
    return Position(Game.GAME_GUINOTE, view, Rules(), int(view.seat), tuple(legal))


def iterations(players: int, rollout: str, reference: ctypes.CDLL | None, times: int) -> Row:
    """Measures the search's iterations at the start of a hand, with the bot's own settings."""
    bot = find_bot(f"ismcts?rollout={rollout}")
    assert isinstance(bot, bots.IsmctsBot)
    positions = [start_position(players, seed) for seed in range(STARTS)]

    def search_from(position: Position) -> None:
        bot._prepare(position, 5)
        bot._iterate(position, ITERATIONS)

    medians = [
        in_turns(
            partial(search_from, position),
            partial(reference.reference_search, players, ITERATIONS, 7 + seed) if reference else None,
            times,
        )
        for seed, position in enumerate(positions)
    ]
    rates = [ITERATIONS * STARTS / sum(took) for took in zip(*medians, strict=True)]
    what = f"ISMCTS iterations, {rollout} rollouts"
    return Row(what, players, rates[0], rates[1] if reference else None)


def answers(players: int, times: int) -> Row:
    """Measures the iterations of whole answers of the default bot, with their slices and their candidates."""
    bot = find_bot("ismcts")
    positions = [start_position(players, seed) for seed in range(STARTS)]

    took = sum(
        in_turns(partial(bot.choose, position, Budget(ITERATIONS), 5, Control()), None, times)[0]
        for position in positions
    )
    return Row("the same, whole answers of `ismcts`", players, ITERATIONS * STARTS / took, None)


@kernel
def _play_out_stock(s: np.record, players: int, seed: int, pack: np.ndarray) -> int:
    """Deals `pack` and plays at random until the stock is gone; returns whether the deal goes on."""
    x = mix(seed)
    deal(s, players, 0, 0, 0, pack)
    while s.decision != DECIDE_NOTHING and s.stock_size > 0:
        cards = legal_cards(s, s.hand[s.turn])
        x = next_random(x)
        play_and_settle(s, nth(cards, below(x, popcount(cards))))
    return 1 if s.decision == DECIDE_PLAY else 0


def endings(count: int) -> list[np.record]:
    """Returns views of two players with six cards each, reached by random play."""
    s = new_state()
    found: list[np.record] = []
    seed = 0
    while len(found) < count:
        seed += 1
        if _play_out_stock(s, 2, seed, shuffled_pack(seed_of(64, "ending", seed))):
            view = new_view()
            make_view(s, s.turn, view)
            view.may_sing = 0
            found.append(view)
    return found


def exact_endgame(reference: ctypes.CDLL | None, count: int) -> tuple[list[float], list[float]]:
    """Returns the microseconds of each solve of the second phase, ours and those of the C program."""
    game, table, values = endgame.new_game(), endgame.new_table(), np.zeros(47, np.int64)
    ours, theirs = [], []
    for seed, view in enumerate([*endings(20), *endings(count)]):
        took = seconds(partial(endgame.solve, view, game, table, values)) * 1e6
        if seed >= 20:
            ours.append(took)
            if reference:
                theirs.append(reference.reference_endgame(1000 + seed))
    return ours, theirs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--times", type=int, default=15, help="repetitions of each start (default 15)")
    parser.add_argument("--endings", type=int, default=1000, help="endings solved (default 1000)")


def run(options: argparse.Namespace) -> None:
    """Prints the table."""
    reference = load_reference()
    if reference is None:
        print("gcc was not found: the C prototype is left out, and with it the ratios.\n")
    print("| | ours, a second | C | ratio |\n|---|---|---|---|")
    for players in (2, 4):
        print(playouts(players, reference, 10 * options.times), flush=True)
    for players in (2, 4):
        print(iterations(players, "random", reference, options.times), flush=True)
    for players in (2, 4):
        print(iterations(players, "rules", None, options.times), flush=True)
        print(answers(players, options.times), flush=True)
    ours, theirs = exact_endgame(reference, options.endings)
    print(f"\nExact second phase of two players, 12 cards, {len(ours)} endings:")
    print(f"ours, all legal moves valued: mean {np.mean(ours):.0f} µs, longest {max(ours):.0f} µs")
    if theirs:
        print(
            f"C, by points, the best move alone: mean {np.mean(theirs):.0f} µs, longest {max(theirs):.0f} µs"
        )
