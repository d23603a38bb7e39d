"""Makes the blueprint: `python -m tapete_bots.gile.equilibrium.train`, some forty minutes on two cores.

For each depth of stacks the deal that nothing follows (its third void deal ends it) is solved first: what
it is worth to the mano is what a void deal before it pays, and so on. Depths are trained side by side.
Prints what the best responses win: exactly, by `best_response`.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter

import numpy as np

from tapete_bots.gile.equilibrium.best_response import Exploit, best_response, exploitability
from tapete_bots.gile.equilibrium.blueprint import MENU, Key, pack_strategy, save_blueprint, unpack_strategy
from tapete_bots.gile.equilibrium.odds import make_odds
from tapete_bots.gile.equilibrium.training import Trainer
from tapete_bots.gile.equilibrium.tree import MENUS, build_tree

DEPTHS = (100.0, 30.0, 10.0, 4.0)
"""Antes; the deepest first, for it takes longest."""

VOID_DEALS = 3
"""The default of L7."""

SEED = 1


def train_depth(depth: float, iterations: int, seed: int = SEED) -> dict[Key, np.ndarray]:
    """Trains the strategies of one depth; returns them as shipped, by void deals left."""
    tree, odds = build_tree(MENUS[MENU], depth), make_odds()
    found: dict[Key, np.ndarray] = {}
    again, chain = 0.0, Exploit(0.0, 0.0)
    for left in range(1, VOID_DEALS + 1):
        began = perf_counter()
        trainer = Trainer(tree, odds, seed, again)
        trainer.train(iterations)
        took = perf_counter() - began
        found[depth, left] = pack_strategy(trainer.strategy())
        strategy = unpack_strategy(tree, found[depth, left])
        # The responder goes on as the best response after a void deal too.
        chain = Exploit(
            best_response(tree, strategy, odds, 0, chain.mano),
            best_response(tree, strategy, odds, 1, -chain.dealer),
        )
        again = exploitability(tree, strategy, odds, again).value
        print(
            f"depth {depth:g}, {left} void deals left: {iterations:,} iterations in {took:.0f} s, "
            f"worth {again:+.4f} antes to the mano, exploitability {chain.per_player:.4f} antes a deal",
            flush=True,
        )
    return found


def main() -> None:
    """Trains all depths and writes the file."""
    parser = argparse.ArgumentParser(description="Train the blueprint of `equilibrium`.")
    parser.add_argument("--iterations", type=int, default=400_000, help="of each strategy (default 400,000)")
    parser.add_argument("--threads", type=int, default=2, help="depths trained side by side (default 2)")
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("blueprint.npz"))
    options = parser.parse_args()
    strategies: dict[Key, np.ndarray] = {}
    make_odds()
    with ThreadPoolExecutor(options.threads) as pool:
        for found in pool.map(lambda depth: train_depth(depth, options.iterations), DEPTHS):
            strategies |= found
    with options.output.open("wb") as file:
        save_blueprint(file, strategies)
    print(f"wrote {options.output}, {options.output.stat().st_size:,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
