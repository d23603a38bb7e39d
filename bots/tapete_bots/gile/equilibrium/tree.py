"""The public tree of a heads-up deal of Gilé: what both seats see, with few sizes of bets.

Amounts are in antes. Both seats begin with the same number of antes, the *depth*: a longer stack cannot lose
more than the shorter one has. Player 0 is the mano, player 1 the dealer, who wins ties (L16).

    BET        children by action: fold, check or call, bets by pot share, all in; those that are illegal
               or the same as another are left out
    DRAW       children by number of cards discarded
    FOLDED     `player` has won
    SHOWDOWN
    VOID       both have passed in the first round (L7)

What comes after a void deal is a tree of its own, for the antes go back after the last one; here it is a
payment. A node is reached in one way only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from tapete_bots.gile.equilibrium.shapes import CLASSES

__all__ = [
    "ALL_IN",
    "BET",
    "DRAW",
    "FOLD",
    "FOLDED",
    "MENUS",
    "NODE",
    "SHOWDOWN",
    "SIZED",
    "STAY",
    "VOID",
    "Menu",
    "Tree",
    "build_tree",
    "classes_at",
    "complete",
]

BET, DRAW, FOLDED, SHOWDOWN, VOID = range(5)
# Actions: FOLD, STAY (check or call), ALL_IN, and SIZED + i for the i-th size of the menu.
FOLD, STAY, ALL_IN, SIZED = 0, 1, 2, 3

NODE = np.dtype(
    [
        ("kind", "i8"),  # BET to VOID
        ("player", "i8"),  # who decides, or in FOLDED who has won
        ("stage", "i8"),  # betting round, 0 to 2; draws belong to 1
        ("first", "i8"),  # place of its children among Tree.children
        ("size", "i8"),  # how many there are
        ("row", "i8"),  # first entry of its strategies: row + child * classes + class
        ("paid", "f8", 2),  # antes paid by each
        ("drawn", "i8", 2),  # cards discarded by each, -1 before
    ]
)


@dataclass(frozen=True)
class Menu:
    """The bets of a tree."""

    sizes: tuple[float, ...]
    """Pot shares of bets and raises, ascending; of the pot after calling."""
    all_in: bool
    """Whether a seat may always put in all it has."""
    raises: int = 1
    """Sized raises in a round."""


MENUS = {
    "half": Menu((0.5,), all_in=False),
    "shipped": Menu((0.5,), all_in=True),
    "large": Menu((0.5, 1.0), all_in=True),
}


@dataclass(frozen=True)
class Tree:
    """A public tree in arrays."""

    menu: Menu
    depth: float
    most_drawn: int
    nodes: np.ndarray
    """NODE[...]; the first is the root."""
    children: np.ndarray
    """int64[...], the children of all nodes."""
    actions: np.ndarray
    """int64[...], the action or number of discards that leads to each of them."""
    rows: int
    """Entries of a strategy."""

    def child(self, node: int, action: int) -> int:
        """Returns the child behind an action or number of discards, -1 if there is none."""
        n = self.nodes[node]
        for i in range(n["first"], n["first"] + n["size"]):
            if self.actions[i] == action:
                return int(self.children[i])
        return -1


Pair = tuple[float, float]
Counts = tuple[int, int]
Branch = tuple[int, Callable[[], int]]


@dataclass
class _Builder:
    menu: Menu
    depth: float
    most_drawn: int
    nodes: list[tuple[object, ...]] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    rows: int = 0

    def _add(
        self, kind: int, player: int, stage: int, paid: Pair, drawn: Counts, branches: Sequence[Branch] = ()
    ) -> int:
        """Adds a node, then its children, each made by a call; returns its number."""
        number, first, size = len(self.nodes), len(self.children), len(branches)
        self.nodes.append((kind, player, stage, first, size, self.rows, paid, drawn))
        self.rows += size * classes_at(stage)
        self.children += [-1] * size
        self.actions += [action for action, _ in branches]
        for i, (_, make) in enumerate(branches):
            self.children[first + i] = make()
        return number

    def bet(self, stage: int, player: int, paid: Pair, drawn: Counts, raises: int = 0) -> int:
        """Adds the decision of a player in a betting round after so many bets and raises."""
        own, other = paid[player], paid[1 - player]
        left = self.depth - other

        def pay(total: float) -> Pair:
            return (total, other) if player == 0 else (other, total)

        def raise_to(total: float) -> Callable[[], int]:
            return lambda: self.bet(stage, 1 - player, pay(total), drawn, raises + 1)

        branches: list[Branch] = []
        if own < other:
            branches.append((FOLD, lambda: self._add(FOLDED, 1 - player, stage, paid, drawn)))
        if own < other or player == 1:
            branches.append((STAY, lambda: self._close(stage, pay(other), drawn)))
        else:
            branches.append((STAY, lambda: self.bet(stage, 1, paid, drawn)))
        if raises <= self.menu.raises:
            for i, share in enumerate(self.menu.sizes):
                if share * 2 * other < left:
                    branches.append((SIZED + i, raise_to(other + share * 2 * other)))
        if self.menu.all_in and left > 0:
            branches.append((ALL_IN, raise_to(self.depth)))
        return self._add(BET, player, stage, paid, drawn, branches)

    def _close(self, stage: int, paid: Pair, drawn: Counts) -> int:
        """Adds what follows a betting round."""
        if stage == 0 and paid == (1.0, 1.0):
            return self._add(VOID, 0, 0, paid, drawn)
        if stage == 0:
            return self._open(1, paid, drawn)
        return self._draw(0, paid, drawn) if stage == 1 else self._add(SHOWDOWN, 0, 2, paid, drawn)

    def _open(self, stage: int, paid: Pair, drawn: Counts) -> int:
        """Adds a betting round, or what follows it if both are all in."""
        return self.bet(stage, 0, paid, drawn) if paid[0] < self.depth else self._close(stage, paid, drawn)

    def _draw(self, player: int, paid: Pair, drawn: Counts) -> int:
        def after(count: int) -> Callable[[], int]:
            if player == 0:
                return lambda: self._draw(1, paid, (count, -1))
            return lambda: self._open(2, paid, (drawn[0], count))

        branches = [(count, after(count)) for count in range(self.most_drawn + 1)]
        return self._add(DRAW, player, 1, paid, drawn, branches)


def classes_at(stage: int) -> int:
    """Returns the number of classes of the cards that a player holds at the decisions of a round."""
    return CLASSES[2 if stage == 0 else 4]


def complete(tree: Tree, strategy: np.ndarray) -> np.ndarray:
    """Returns a strategy whose entries add to 1 for each class at a node: equal shares where all are 0."""
    found = np.array(strategy, float)
    for n in tree.nodes[tree.nodes["size"] > 0]:
        block = found[n["row"] : n["row"] + n["size"] * classes_at(n["stage"])].reshape(n["size"], -1)
        total = block.sum(0)
        block[:] = np.where(total > 0, block / np.where(total > 0, total, 1), 1 / n["size"])
    return found


@cache
def build_tree(menu: Menu, depth: float, most_drawn: int = 4) -> Tree:
    """Builds the tree of a menu.

    Args:
        menu: Its bets.
        depth: Antes that each seat has, more than 1.
        most_drawn: Most cards that a seat may discard: 4, but for toy packs.
    """
    builder = _Builder(menu, float(depth), most_drawn)
    builder.bet(0, 0, (1.0, 1.0), (-1, -1))
    return Tree(
        menu,
        float(depth),
        most_drawn,
        np.array(builder.nodes, NODE),
        np.array(builder.children, np.int64),
        np.array(builder.actions, np.int64),
        builder.rows,
    )
