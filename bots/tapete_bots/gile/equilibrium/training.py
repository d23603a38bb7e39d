"""Monte Carlo counterfactual regret minimization over all own hands at once, with linear weights.

Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo Sampling for Regret Minimization in Extensive Games"
(NIPS 2009); the t-th iteration counts t times, as in linear CFR (Brown and Sandholm, "Solving
Imperfect-Information Games via Discounted Regret Minimization", AAAI 2019, section 3).

An iteration walks the tree once for each player who learns. The cards of the other player are sampled; all
actions of both are walked, and the learner has all its hands at once, each as likely as the other's cards
leave it ("opponent-public chance sampling" in Johanson, Bard, Lanctot, Gibson and Bowling, "Efficient Nash
Equilibrium Approximation through Monte Carlo CFR", AAMAS 2012, section 4). External sampling, which draws
the other's actions too, was tried first: for the same time it was left with half as much again
(benchmarks/README.md).

Which cards to discard, given how many, is not trained: `discard_by_class`. A player remembers all that is
public and the class of the cards in hand; the first two cards are forgotten for the four, the four for
those of the last round.
"""

from dataclasses import dataclass
from functools import cache

import numba
import numpy as np
from numba import int64

from tapete_bots.gile.equilibrium.odds import Odds, seen_classes
from tapete_bots.gile.equilibrium.shapes import (
    CLASS_SCORE,
    CLASSES,
    canonical,
    class_tables,
    discard_by_class,
    shape_of,
    shapes_of,
)
from tapete_bots.gile.equilibrium.tree import BET, DRAW, FOLDED, NODE, SHOWDOWN, VOID, Tree, classes_at
from tapete_bots.gile.hands import HANDS, OFFSET, list_hands, load_tables, set_rank
from tapete_games.bits import below, mix, next_random
from tapete_games.gile.settle import score
from tapete_games.gile.state import CARDS, PACK
from tapete_games.kernel import inline_kernel, kernel, recursive_kernel

__all__ = ["Trainer", "all_discards"]

# What is dealt to the other player: class of the first two cards, of the four; then by number of discards the
# class of the last four, their score, and the class of all cards seen.
FIRST_CLASS, SECOND_CLASS, LAST_CLASS, LAST_SCORE, SEEN, COLUMNS = 0, 1, 2, 7, 12, 17
# Rows of what a node works in: values, those of its children, and three more.
LONGEST_PATH, CHILDREN, POLICY, FACTOR, REST, ROWS = 32, 8, 9, 10, 11, 12
# The policy of every so many iterations is averaged: a walk of the whole tree.
AVERAGED = 200
# How much a class counts in the average where its own decisions do not lead: else such a place would keep
# what was done there in the first iterations, and the best of hands might fold.
LEAST = 1e-6
# What the other player does less often than this is not walked.
NEVER = 1e-4


TABLES = np.dtype(
    [
        # By the cards that the other has seen and the own discards: class at the end, class as dealt. What
        # one seat knows of the other's cards is the same from both sides.
        ("last", "f4", (1390, 5, 65, 65)),
        ("end", "f8", (1390, 5, 65)),  # class at the end
        ("second", "f8", (65, 65)),  # class of the own four cards, given the other's
        ("first", "f8", (65, 10)),  # class of the own first two, given the other's four
        ("pair", "f8", (65, 10)),  # Odds.pair
        ("score", "i8", 65),  # CLASS_SCORE
        ("prior", "f8", 10),  # Odds.first
        ("next", "f8", (10, 65)),  # Odds.second
        ("drawn", "f8", (5, 65, 65)),  # class after so many discards by class before
    ]
)


@kernel
def _list_discards(tables: np.record, hands: np.ndarray, out: np.ndarray) -> None:
    order = np.arange(4)
    for i in range(len(hands)):
        for size in range(5):
            out[set_rank(hands[i]), size] = discard_by_class(tables, hands[i], size, order)


@cache
def all_discards() -> np.ndarray:
    """Returns int64[HANDS, 5]: what a hand of four discards, by its rank and the number of discards."""
    hands, out = np.empty(HANDS, np.int64), np.empty((HANDS, 5), np.int64)
    list_hands(PACK, 4, hands)
    _list_discards(load_tables().view(np.recarray)[0], hands, out)
    return out


@cache
def _seen_classes() -> np.ndarray:
    """Returns int16[1 << 20]: the number of a shape of 4 to 8 cards in `seen_classes`."""
    table = np.full(1 << 20, -1, np.int16)
    numbers = seen_classes()
    for size in range(4, 9):
        for shape in shapes_of(size):
            table[shape] = numbers[canonical(shape)]
    return table


@kernel
def _deal(
    cards: np.ndarray, classes: np.ndarray, discards: np.ndarray, seen: np.ndarray, x: int, dealt: np.ndarray
) -> int:
    """Deals to the other player: int64[COLUMNS] is written; returns the generator's state."""
    for i in range(8):
        x = next_random(x)
        j = i + below(x, CARDS - i)
        cards[i], cards[j] = cards[j], cards[i]
    two = 1 << cards[0] | 1 << cards[1]
    hand = two | 1 << cards[2] | 1 << cards[3]
    rank = set_rank(hand)
    dealt[FIRST_CLASS] = classes[OFFSET[2] + set_rank(two)]
    dealt[SECOND_CLASS] = classes[OFFSET[4] + rank]
    drawn = 0
    for size in range(5):
        last = hand & ~discards[rank, size] | drawn
        dealt[LAST_CLASS + size] = classes[OFFSET[4] + set_rank(last)]
        dealt[LAST_SCORE + size] = score(last)
        dealt[SEEN + size] = seen[shape_of(hand | drawn)]
        if size < 4:
            drawn |= 1 << cards[4 + size]
    return x


@inline_kernel
def _class_at(n: np.record, dealt: np.ndarray) -> int:
    """Returns the class of the cards that the other player holds at a node of its own."""
    if n.kind == DRAW or n.stage == 1:
        return dealt[SECOND_CLASS]
    return dealt[FIRST_CLASS if n.stage == 0 else LAST_CLASS + n.drawn[n.player]]


@inline_kernel
def _take_up(
    n: np.record,
    child: np.record,
    learner: int,
    other: np.ndarray,
    tables: np.record,
    values: np.ndarray,
    out: np.ndarray,
) -> None:
    """Turns the values of a child into those of the classes at node `n`."""
    if n.stage == 0 and child.stage == 1:
        for c in range(10):
            out[c] = 0.0
        for b in range(65):
            for c in range(10):
                out[c] += values[b] * tables.pair[b, c]
    elif n.kind == DRAW and child.kind != DRAW:
        chances = tables.last[other[SEEN + child.drawn[1 - learner]], child.drawn[learner]]
        for b in range(65):
            out[b] = 0.0
        if child.drawn[learner] == 0:
            for b in range(65):
                out[b] = chances[b, b] * values[b]
        else:
            for c in range(65):
                x = values[c]
                for b in range(65):
                    out[b] += chances[c, b] * x
    else:
        for c in range(10 if n.stage == 0 else 65):
            out[c] = values[c]


@inline_kernel
def _norm_regrets(
    regrets: np.ndarray, n: np.record, classes: int, factor: np.ndarray, rest: np.ndarray
) -> None:
    """Writes by class how positive regrets become probabilities: each times `factor`, plus `rest`."""
    for c in range(classes):
        factor[c] = 0.0
    for k in range(n.size):
        at = n.row + k * classes
        for c in range(classes):
            factor[c] += max(regrets[at + c], 0.0)
    for c in range(classes):
        rest[c] = 0.0 if factor[c] > 0.0 else 1.0 / n.size
        factor[c] = 1.0 / factor[c] if factor[c] > 0.0 else 0.0


@recursive_kernel(
    numba.void(
        numba.from_dtype(NODE)[::1],
        int64[::1],
        int64[::1],
        numba.from_dtype(TABLES),
        numba.float64[::1],
        numba.float64[:, :, ::1],
        int64,
        int64,
        numba.float64,
        numba.float64,
        int64,
    )
)
def _walk(
    nodes: np.ndarray,
    children: np.ndarray,
    other: np.ndarray,
    tables: np.record,
    regrets: np.ndarray,
    work: np.ndarray,
    number: int,
    learner: int,
    again: float,
    weight: float,
    step: int,
) -> None:
    """Walks the tree below a node; writes into work[step, 0] what the learner wins there with each class.

    In the first two rounds a value is weighted by the probability of the class given the other's cards; in
    the last round, where it depends on the own score alone, it is not.

    Args:
        nodes: NODE[...].
        children: Tree.children.
        other: int64[COLUMNS], the other's cards.
        tables: TABLES.
        regrets: By entry of a strategy, changed.
        work: float64[LONGEST_PATH, ROWS, 65] to work in.
        number: Of the node.
        learner: Player 0 or 1.
        again: What the learner wins after a void deal.
        weight: Of this iteration, times the probability of what the other did above.
        step: Nodes above.
    """
    n = nodes[number]
    value = work[step, 0]
    deeper = int64(step + 1)
    below = work[deeper, 0]
    if n.kind == FOLDED:
        wins = n.paid[1 - learner] if n.player == learner else -n.paid[learner]
        if n.stage == 0:
            for c in range(10):
                value[c] = wins * tables.first[other[SECOND_CLASS], c]
        elif n.stage == 1:
            for c in range(65):
                value[c] = wins * tables.second[other[SECOND_CLASS], c]
        else:
            for c in range(65):
                value[c] = wins
        return
    if n.kind == SHOWDOWN:
        # The dealer wins a tie.
        to_beat = other[LAST_SCORE + n.drawn[1 - learner]] + (1 - learner)
        for c in range(65):
            value[c] = n.paid[1 - learner] if tables.score[c] >= to_beat else -n.paid[learner]
        return
    if n.kind == VOID:
        for c in range(10):
            value[c] = again * tables.first[other[SECOND_CLASS], c]
        return
    size = n.size
    classes = 10 if n.stage == 0 else 65
    for c in range(classes):
        value[c] = 0.0
    if n.player != learner:
        policy = work[step, POLICY]
        at = n.row + _class_at(n, other)
        total = 0.0
        for k in range(size):
            policy[k] = max(regrets[at + k * classes], 0.0)
            total += policy[k]
        for k in range(size):
            p = policy[k] / total if total > 0.0 else 1.0 / size
            if p < NEVER:
                continue
            child = children[n.first + k]
            _walk(nodes, children, other, tables, regrets, work, child, learner, again, weight * p, deeper)
            _take_up(n, nodes[child], learner, other, tables, below, work[step, 1])
            for c in range(classes):
                value[c] += p * work[step, 1, c]
        return
    factor, rest = work[step, FACTOR], work[step, REST]
    _norm_regrets(regrets, n, classes, factor, rest)
    for k in range(size):
        child = children[n.first + k]
        _walk(nodes, children, other, tables, regrets, work, child, learner, again, weight, deeper)
        _take_up(n, nodes[child], learner, other, tables, below, work[step, 1 + k])
        at = n.row + k * classes
        for c in range(classes):
            value[c] += (max(regrets[at + c], 0.0) * factor[c] + rest[c]) * work[step, 1 + k, c]
    is_last = n.kind == BET and n.stage == 2
    for k in range(size):
        at = n.row + k * classes
        if is_last:
            likely = tables.end[other[SEEN + n.drawn[1 - learner]], n.drawn[learner]]
            for c in range(classes):
                regrets[at + c] += weight * likely[c] * (work[step, 1 + k, c] - value[c])
        else:
            for c in range(classes):
                regrets[at + c] += weight * (work[step, 1 + k, c] - value[c])


@recursive_kernel(
    numba.void(
        numba.from_dtype(NODE)[::1],
        int64[::1],
        numba.from_dtype(TABLES),
        numba.float64[::1],
        numba.float64[::1],
        numba.float64[:, :, ::1],
        int64,
        int64,
        numba.float64,
        int64,
    )
)
def _add_policy(
    nodes: np.ndarray,
    children: np.ndarray,
    tables: np.record,
    regrets: np.ndarray,
    sums: np.ndarray,
    work: np.ndarray,
    number: int,
    player: int,
    least: float,
    step: int,
) -> None:
    """Adds a player's policy below a node to the sums, as often as its own decisions lead there.

    Args:
        nodes: NODE[...].
        children: Tree.children.
        tables: TABLES.
        regrets: By entry of a strategy.
        sums: Of the policies by entry, changed.
        work: float64[LONGEST_PATH, ROWS, 65]; work[step, 0] has how often, by class of cards.
        number: Of the node.
        player: 0 or 1.
        least: How often a class counts at the least, wherever its own decisions lead.
        step: Nodes above.
    """
    n = nodes[number]
    if n.size == 0:
        return
    reach = work[step, 0]
    deeper = int64(step + 1)
    after = work[deeper, 0]
    classes = 10 if n.stage == 0 else 65
    factor, rest = work[step, FACTOR], work[step, REST]
    _norm_regrets(regrets, n, classes, factor, rest)
    for k in range(n.size):
        child = nodes[children[n.first + k]]
        here = work[step, 1]
        at = n.row + k * classes
        for c in range(classes):
            here[c] = reach[c]
            if n.player == player:
                share = max(regrets[at + c], 0.0) * factor[c] + rest[c]
                here[c] *= share
                sums[at + c] += here[c] + least * share
        if child.size == 0:
            continue
        if n.stage == 0 and child.stage == 1:
            for b in range(65):
                after[b] = 0.0
                for c in range(10):
                    after[b] += here[c] * tables.next[c, b]
        elif n.kind == DRAW and child.kind != DRAW:
            ends = tables.drawn[child.drawn[player]]
            for c in range(65):
                after[c] = 0.0
            for b in range(65):
                for c in range(65):
                    after[c] += here[b] * ends[b, c]
        else:
            for c in range(classes):
                after[c] = here[c]
        _add_policy(
            nodes, children, tables, regrets, sums, work, children[n.first + k], player, least, deeper
        )


@kernel
def _iterate(
    nodes: np.ndarray,
    children: np.ndarray,
    tables: np.record,
    classes: np.ndarray,
    discards: np.ndarray,
    seen: np.ndarray,
    again: float,
    first: int,
    count: int,
    regrets: np.ndarray,
    sums: np.ndarray,
    cards: np.ndarray,
    random: np.ndarray,
) -> None:
    """Does the iterations `first` to `first + count - 1`; `cards` and `random` go on from the last one."""
    other = np.zeros(COLUMNS, np.int64)
    work = np.zeros((LONGEST_PATH, ROWS, 65))
    if first == 1:
        random[0] = mix(random[0])
    for i in range(first, first + count):
        for player in range(2):
            random[0] = _deal(cards, classes, discards, seen, random[0], other)
            wins = again if player == 0 else -again
            _walk(
                nodes,
                children,
                other,
                tables,
                regrets,
                work,
                int64(0),
                int64(player),
                wins,
                float(i),
                int64(0),
            )
        if i % AVERAGED == 0:
            for player in range(2):
                for c in range(10):
                    work[0, 0, c] = i * tables.prior[c]
                least = i * LEAST
                _add_policy(
                    nodes, children, tables, regrets, sums, work, int64(0), int64(player), least, int64(0)
                )


@cache
def _make_tables(odds: Odds) -> np.record:
    tables = np.zeros(1, TABLES).view(np.recarray)[0]
    tables.last = odds.other_last.transpose(0, 1, 3, 2)
    tables.end = odds.other_last.sum(2)
    tables.second = odds.other_second
    tables.first = odds.other_second @ odds.pair
    tables.pair = odds.pair
    tables.score = CLASS_SCORE
    tables.prior = odds.first
    tables.next = odds.second
    for count in range(5):
        ends = np.tensordot(odds.first @ odds.second, odds.other_last[: CLASSES[4], count], 1)
        tables.drawn[count] = ends / ends.sum(1, keepdims=True)
    return tables


@dataclass
class Trainer:
    """A strategy in training; the same tree, seed and iterations give the same numbers."""

    tree: Tree
    odds: Odds
    """Of the whole pack."""
    seed: int
    again: float = 0.0
    """What the mano wins on average after a void deal; 0 after the last one, when the antes go back."""

    def __post_init__(self) -> None:
        self.iterations = 0
        self._regrets = np.zeros(self.tree.rows)
        self._sums = np.zeros(self.tree.rows)
        self._random = np.array([self.seed], np.int64)
        self._cards = np.arange(CARDS)
        self._tables = _make_tables(self.odds)

    def train(self, iterations: int) -> None:
        """Adds so many iterations; does not hold the interpreter's lock."""
        _iterate(
            self.tree.nodes,
            self.tree.children,
            self._tables,
            class_tables(),
            all_discards(),
            _seen_classes(),
            self.again,
            self.iterations + 1,
            iterations,
            self._regrets,
            self._sums,
            self._cards,
            self._random,
        )
        self.iterations += iterations

    def strategy(self) -> np.ndarray:
        """Returns the average strategy: float64[rows].

        The actions of a class at a node add to 1, or are all 0 if nothing was learnt there.
        """
        strategy = np.empty(self.tree.rows)
        for n in self.tree.nodes[self.tree.nodes["size"] > 0]:
            run = slice(n["row"], n["row"] + n["size"] * classes_at(n["stage"]))
            block = self._sums[run].reshape(n["size"], -1)
            total = block.sum(0)
            regrets = self._regrets[run].reshape(n["size"], -1)
            # Where the other never led, nothing was learnt.
            shares = np.where((regrets != 0).any(0), block / np.where(total > 0, total, 1), 0)
            strategy[run] = shares.ravel()
        return strategy
