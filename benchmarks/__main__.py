"""Prints the figures of benchmarks/README.md.

Without a name a quick version of all of them runs, in less than five minutes on an idle machine.
"""

import argparse
import importlib
import sys
import tempfile
from pathlib import Path

NAMES = (
    "speed",
    "openspiel",
    "compile",
    "rpc",
    "strength",
    "chips",
    "selfplay",
    "fairness",
    "endgame",
    "tune",
    "gile",
    "equilibrium",
)
# What the quick version runs; it neither reads nor writes results that are kept.
QUICK = (
    "speed --times 9",
    "openspiel --times 2",
    "compile --warm 3",
    "rpc --calls 1000",
    "endgame --endings 2000",
    "fairness --decisions 200 --served 60 --worlds 100000 --replayed 200",
    "selfplay --hands 500 --store {folder}/selfplay.jsonl",
    "strength heuristic random --players 2 --pairs 300 {stores}",
    "strength heuristic random --players 4 --pairs 300 {stores}",
    "strength ismcts?iterations=4000 heuristic?endgame=exact --players 2 --pairs 20 {stores}",
    "strength ismcts?iterations=4000 heuristic --players 4 --pairs 20 {stores}",
    "gile speed",
    "gile selfplay --hands 500",
    "gile fairness --decisions 200",
    "chips heuristic random --seats 5 --deals 300 --stores {folder} --results {folder}/chips.csv",
)


def parser_of() -> argparse.ArgumentParser:
    """Makes the parser; every benchmark declares its own arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(metavar="NAME")
    for name in NAMES:
        module = importlib.import_module(f"benchmarks.{name}")
        command = commands.add_parser(
            name,
            help=(module.__doc__ or "").partition("\n")[0],
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def run_quick(parser: argparse.ArgumentParser) -> None:
    """Runs the quick version."""
    with tempfile.TemporaryDirectory() as folder:
        stores = f"--stores {folder} --results {Path(folder) / 'strength.csv'}"
        heading = ""
        for line in QUICK:
            words = line.format(folder=folder, stores=stores).split()
            if words[0] != heading:
                heading = words[0]
                print(f"\n## {heading}\n", flush=True)
            options = parser.parse_args(words)
            options.run(options)


def main() -> None:
    """Runs the benchmark that is named."""
    parser = parser_of()
    if len(sys.argv) == 1:
        run_quick(parser)
        return
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
