"""Where a view stands in a tree of few sizes: foreign sizes are read as one of the two nearest.

A size between two of the menu is read as the smaller with the probability

    (B - x) (1 + A) / ((B - A) (1 + x))

where x, A and B are pot shares (the pseudo-harmonic mapping of Ganzfried and Sandholm, "Action Translation in
Extensive-Form Games with Large Action Spaces", IJCAI 2013, section 5): no size then gains much by lying
just above or below one of the menu. A bet below the smallest size may be read as none at all; one more raise
than the tree has, as a call.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from tapete_bots.gile.equilibrium.tree import ALL_IN, BET, DRAW, SIZED, STAY, Tree
from tapete_games.gile.state import ARGUMENT, DECIDE_BET, KIND, LAST, LOG, RAISE, SEAT, STAGE
from tapete_games.gile.state import BET as BET_MOVE

__all__ = ["locate", "pot_share", "smaller_share"]


def smaller_share(x: float, small: float, large: float) -> float:
    """Returns the probability of reading the pot share `x` as `small` rather than `large`."""
    if x <= small:
        return 1.0
    if x >= large:
        return 0.0
    return (large - x) * (1 + small) / ((large - small) * (1 + x))


def pot_share(total: int, level: int, staked: int, pot: int) -> float:
    """Returns a bet or raise as a share of the pot after calling.

    Args:
        total: The seat's total of the round after it.
        level: The highest total of the round before it.
        staked: The seat's total before it.
        pot: The pot before it.
    """
    return (total - level) / (pot + level - staked)


class _Money:
    """The chips of a deal, followed along its log."""

    def __init__(self, v: np.record) -> None:
        self.paid = [min(int(stack), int(v.ante)) for stack in v.stack]
        self.staked = [0] * len(self.paid)
        self.level = 0
        self.stage = 0

    def open(self, stage: int) -> None:
        if stage != self.stage:
            self.stage = stage
            self.level = 0
            self.staked = [0] * len(self.paid)

    def pay_to(self, seat: int, total: int) -> None:
        self.paid[seat] += total - self.staked[seat]
        self.staked[seat] = total
        self.level = max(self.level, total)


def locate(tree: Tree, v: np.record, draw: Callable[[int], float]) -> int:
    """Finds the node of a tree at which a view of a heads-up deal stands.

    Args:
        tree: Public tree of stacks about as deep.
        v: VIEW that asks for a bet or discards, of a deal between two seats.
        draw: Gives for the place of an action in the log a number from 0 to 1, by which a foreign size is
            read.

    Returns:
        A node at which the seat decides as it is asked; -1 if the deal as it was read asks for nothing
        here: the bet to answer was taken for none, or a bet for all chips.
    """
    players = [q for q in range(v.seats) if v.stack[q] > 0]
    cap = min(int(v.stack[q]) for q in players)
    money = _Money(v)
    node = 0
    for place in range(min(int(v.log_size), LOG)):
        entry = int(v.log[place])
        stage, seat = entry >> STAGE, entry >> SEAT & 7
        kind, total = entry >> KIND & 7, entry & ARGUMENT
        money.open(stage)
        node = _catch_up(tree, node, stage, v)
        raises = kind << KIND in (BET_MOVE, RAISE)
        if not raises:
            total = min(money.level, money.staked[seat] + int(v.stack[seat]) - money.paid[seat])
        n = tree.nodes[node]
        is_here = n["kind"] == BET and n["stage"] == stage and n["player"] == _player(v, seat)
        if is_here and not raises:
            node = _step(tree, node, STAY)
        elif is_here:
            others = [q for q in players if q != seat]
            pot = sum(money.paid)
            share = pot_share(total, money.level, money.staked[seat], pot)
            most = (cap - money.paid[others[0]]) / (pot + money.level - money.staked[seat])
            u = draw(place) if seat != v.seat else 0.5
            node = _step(tree, node, _read(tree, node, share, most, u, nearest=seat == v.seat))
        money.pay_to(seat, total)
    if v.decision == DECIDE_BET:
        node = _catch_up(tree, node, int(v.stage), v)
        n = tree.nodes[node]
        is_asked = n["kind"] == BET and n["stage"] == v.stage
    else:
        node = _catch_up(tree, node, LAST, v)
        n = tree.nodes[node]
        is_asked = n["kind"] == DRAW
    return node if is_asked and n["player"] == _player(v, int(v.seat)) else -1


def _player(v: np.record, seat: int) -> int:
    return 0 if seat == v.mano else 1


def _step(tree: Tree, node: int, action: int) -> int:
    child = tree.child(node, action)
    return node if child < 0 else child


def _catch_up(tree: Tree, node: int, stage: int, v: np.record) -> int:
    """Closes rounds before `stage` that are still open as they were read, and follows the discards made."""
    while True:
        n = tree.nodes[node]
        if n["kind"] == BET and n["stage"] < stage:
            node = _step(tree, node, STAY)
        elif n["kind"] == DRAW:
            drawn = int(v.drawn[v.mano if n["player"] == 0 else _dealer(v)])
            if drawn < 0:
                return node
            node = _step(tree, node, drawn)
        else:
            return node


def _dealer(v: np.record) -> int:
    return next(q for q in range(v.seats) if v.stack[q] > 0 and q != v.mano)


def _read(tree: Tree, node: int, share: float, most: float, u: float, *, nearest: bool) -> int:
    """Reads a bet or raise as an action of the node.

    Args:
        tree: Public tree.
        node: A BET node.
        share: Pot share of the bet.
        most: Pot share of a bet of all that can be lost.
        u: Number from 0 to 1: below the probability of the smaller size, that is taken.
        nearest: Whether the likelier reading is taken: of own bets, which come from the menu but for
            rounding.
    """
    n = tree.nodes[node]
    actions = [int(a) for a in tree.actions[n["first"] : n["first"] + n["size"]]]
    known = [(tree.menu.sizes[a - SIZED], a) for a in actions if a >= SIZED]
    if ALL_IN in actions:
        known = [(size, a) for size, a in known if size < most] + [(most, ALL_IN)]
    # Passing in the first round would void the deal.
    if n["stage"] > 0 or n["paid"][0] != n["paid"][1]:
        known = [(0.0, STAY), *known]
    if not known:
        return STAY
    for (small, lower), (large, upper) in pairwise(known):
        if share < large:
            chance = smaller_share(share, small, large)
            return lower if (chance >= 0.5 if nearest else u < chance) else upper
    return known[-1][1]
