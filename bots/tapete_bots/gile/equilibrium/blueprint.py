"""The blueprint: strategies near equilibrium for some depths of stacks, as they are shipped.

`blueprint.npz` holds for each depth and number of void deals left the strategy of a tree, a byte for each
probability. The trees are built anew, by the menu and the depth.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import IO

import numpy as np

from tapete_bots.gile.equilibrium.tree import MENUS, Tree, build_tree, classes_at, complete

__all__ = ["MENU", "Blueprint", "load_blueprint", "pack_strategy", "save_blueprint", "unpack_strategy"]

MENU = "shipped"
"""Name of the menu that the blueprint bets by."""


@dataclass(frozen=True)
class Blueprint:
    """A strategy for one depth of stacks."""

    tree: Tree
    units: np.ndarray
    """uint8[rows]: by entry of a strategy, the square root of the probability in 255ths."""

    def policy(self, node: int, class_of_cards: int) -> list[float]:
        """Returns the probabilities of the children of a node; all 0 if nothing was learnt there."""
        n = self.tree.nodes[node]
        classes = classes_at(n["stage"])
        first = int(n["row"]) + class_of_cards
        weights = [int(u) ** 2 for u in self.units[first : first + int(n["size"]) * classes : classes]]
        total = sum(weights)
        return [weight / total if total else 0.0 for weight in weights]


def pack_strategy(strategy: np.ndarray) -> np.ndarray:
    """Rounds the square roots of probabilities, float64[rows], to 255ths: uint8[rows].

    Rare actions keep their small probabilities: all in once in a hundred times is not twice in three hundred.
    """
    return np.rint(np.sqrt(strategy) * 255).astype(np.uint8)


def unpack_strategy(tree: Tree, units: np.ndarray) -> np.ndarray:
    """Returns the strategy of a blueprint, with equal shares where nothing was learnt: float64[rows]."""
    assert len(units) == tree.rows
    return complete(tree, units.astype(float) ** 2)


Key = tuple[float, int]
"""Depth of the stacks in antes, and void deals in a row that end the deal, the present one counted."""


def save_blueprint(file: IO[bytes], strategies: Mapping[Key, np.ndarray]) -> None:
    """Writes strategies, uint8[rows], by depth and void deals left."""
    arrays = {f"{depth:g}/{left}": units for (depth, left), units in strategies.items()}
    np.savez_compressed(file, allow_pickle=False, **arrays)


@cache
def load_blueprint() -> dict[Key, Blueprint]:
    """Loads the shipped strategies: a fraction of a second, once."""
    with files("tapete_bots.gile.equilibrium").joinpath("blueprint.npz").open("rb") as file:
        arrays = dict(np.load(file))
    found = {}
    for name, units in arrays.items():
        depth, _, left = name.partition("/")
        found[float(depth), int(left)] = Blueprint(build_tree(MENUS[MENU], float(depth)), units)
    return found
