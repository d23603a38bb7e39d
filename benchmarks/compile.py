"""The first answer of a new process: with an empty cache of kernels, and with a warm one.

Each is a process of its own that reads and checks a view, makes every bot ready and asks `ismcts` for a
move of 1,000 iterations. Wall-clock time is from the start of the process, CPU time is of all its threads.
Compilation is what the cold start costs over the warm one.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

from benchmarks.table import seed_of
from tapete.v1 import GameView
from tapete_games.guinote import Deal, Rules, shuffled_pack

_SCRIPT = """
import json, sys, time
from tapete.v1 import GameView
from tapete_bots.bot import Budget, Control
from tapete_bots.registry import find_bot, warm_up
from tapete_games.wire import read_position
warm_up()
position = read_position(GameView.FromString(bytes.fromhex(sys.argv[1])))
find_bot("ismcts").choose(position, Budget(1000), 1, Control())
print(json.dumps([time.time(), time.process_time()]))
"""


def first_answer(cache: str, view: bytes) -> tuple[float, float]:
    """Runs a new process; returns its seconds to the first answer, wall-clock and CPU."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    start = time.time()
    script = [sys.executable, "-c", _SCRIPT, view.hex()]
    output = subprocess.run(script, env=environment, check=True, capture_output=True, text=True).stdout
    moment, cpu = json.loads(output)
    return moment - start, cpu


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--cold", type=int, default=1, help="cold starts (default 1)")
    parser.add_argument("--warm", type=int, default=5, help="warm starts (default 5)")


def run(options: argparse.Namespace) -> None:
    """Prints the table."""
    deal = Deal(Rules(), 4, 0, shuffled_pack(seed_of(64, "compile")))
    view = GameView(guinote=deal.view()).SerializeToString()
    cold = []
    for _ in range(options.cold):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(first_answer(cache, view))
            warm = [first_answer(cache, view) for _ in range(options.warm)]
    print("| first answer of a new process | wall-clock | CPU |\n|---|---|---|")
    rows = {
        name: [median(column) for column in zip(*values, strict=True)]
        for name, values in (("cold", cold), ("warm", warm))
    }
    for name, text in (("cold", "empty cache of kernels"), ("warm", "warm cache")):
        print(f"| {text} | {rows[name][0]:.2f} s | {rows[name][1]:.2f} s |")
    wall, cpu = (a - b for a, b in zip(rows["cold"], rows["warm"], strict=True))
    print(f"| so compilation takes | {wall:.2f} s | {cpu:.2f} s |")
