"""What a strategy loses at most: an exact best response to it, and the strategy's exploitability.

The responder knows all its cards, the discarded ones too, and may discard any of its cards; the strategy's
player knows the class of the cards in hand. Both bet by the tree's menu. One walk down the tree carries, for
each class that the player may hold, how likely its own decisions lead there; on the way back a value is made
for each class of cards that the responder may have seen, as in Johanson, Waugh, Bowling and Zinkevich,
"Accelerating Best Response Calculation in Large Extensive Games" (IJCAI 2011), sections 3 and 4.

The pack is whole again after a void deal: what was set aside is forgotten by both. In the rules (L7) each
knows two cards more that the other cannot have.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numba
import numpy as np
from numba import int64

from tapete_bots.gile.equilibrium.odds import Odds
from tapete_bots.gile.equilibrium.shapes import CLASS_SCORE, CLASSES, SCORES, classes_of
from tapete_bots.gile.equilibrium.tree import BET, DRAW, FOLDED, NODE, SHOWDOWN, VOID, Tree, classes_at
from tapete_games.kernel import kernel, recursive_kernel

__all__ = ["Exploit", "best_response", "exploitability"]

LONGEST_ROUND = 16
# Place in SCORES of each class of four cards.
SCORE_PLACE = np.searchsorted(SCORES, CLASS_SCORE)


@recursive_kernel(
    numba.void(
        numba.from_dtype(NODE)[::1],
        int64[::1],
        numba.float64[::1],
        int64[::1],
        int64,
        int64,
        int64,
        numba.float64[:, :, ::1],
        numba.float64[:, ::1],
    )
)
def _walk_last_round(
    nodes: np.ndarray,
    children: np.ndarray,
    strategy: np.ndarray,
    last_score: np.ndarray,
    number: int,
    responder: int,
    step: int,
    work: np.ndarray,
    out: np.ndarray,
) -> None:
    """Writes into out[step] what each score of the responder is worth below a node of the last round.

    Args:
        nodes: NODE[...].
        children: Tree.children.
        strategy: float64[rows].
        last_score: SCORE_PLACE.
        number: Of the node.
        responder: Player 0 or 1.
        step: Decisions of this round above the node.
        work: float64[LONGEST_ROUND, 2, 65]; work[step, 0] has the probability of each class of the other's.
        out: float64[LONGEST_ROUND, scores], written at `step`, and below for work.
    """
    n = nodes[number]
    value = out[step]
    reach = work[step, 0]
    scores = len(value)
    if n.kind == FOLDED:
        total = 0.0
        for c in range(65):
            total += reach[c]
        wins = n.paid[1 - responder] if n.player == responder else -n.paid[responder]
        for i in range(scores):
            value[i] = total * wins
        return
    if n.kind == SHOWDOWN:
        by_score = work[step, 1]
        total = 0.0
        for i in range(scores):
            by_score[i] = 0.0
        for c in range(65):
            by_score[last_score[c]] += reach[c]
            total += reach[c]
        below = 0.0
        for i in range(scores):
            # The dealer wins a tie.
            beaten = below + (by_score[i] if responder == 1 else 0.0)
            value[i] = beaten * n.paid[1 - responder] - (total - beaten) * n.paid[responder]
            below += by_score[i]
        return
    deeper = int64(step + 1)
    for i in range(scores):
        value[i] = -1e30 if n.player == responder else 0.0
    for k in range(n.size):
        after = work[deeper, 0]
        for c in range(65):
            after[c] = reach[c] if n.player == responder else reach[c] * strategy[n.row + k * 65 + c]
        child = children[n.first + k]
        _walk_last_round(nodes, children, strategy, last_score, child, responder, deeper, work, out)
        for i in range(scores):
            if n.player == responder:
                value[i] = max(value[i], out[deeper, i])
            else:
                value[i] += out[deeper, i]


@kernel
def _last_round(
    nodes: np.ndarray,
    children: np.ndarray,
    strategy: np.ndarray,
    last_score: np.ndarray,
    number: int,
    responder: int,
    reach: np.ndarray,
    other_last: np.ndarray,
    drawn: int,
    values: np.ndarray,
) -> None:
    """Writes what is below the root of a last round: float64[seen, scores], by all cards seen and own score.

    `reach` is by class of the other's four cards as dealt, `other_last` that of the odds for the responder's
    number of discards, `drawn` the other's number of discards.
    """
    work = np.zeros((LONGEST_ROUND, 2, 65))
    out = np.zeros((LONGEST_ROUND, values.shape[1]))
    for k in range(len(values)):
        work[0, 0] = 0.0
        for c in range(65):
            if reach[c] > 0.0:
                for f in range(65):
                    work[0, 0, f] += reach[c] * other_last[k, drawn, c, f]
        _walk_last_round(nodes, children, strategy, last_score, number, responder, int64(0), work, out)
        values[k] = out[0]


class _Walk:
    """One responder against one strategy: each method returns values by class of the responder's cards."""

    def __init__(self, tree: Tree, strategy: np.ndarray, odds: Odds, responder: int, again: float) -> None:
        self._tree = tree
        self._strategy = strategy
        self._odds = odds
        self._responder = responder
        self._again = again
        self._other_second = odds.other_second
        sizes = [0, *(len(classes_of(4 + count)) for count in range(tree.most_drawn + 1))]
        # Where the cards seen after each number of own discards begin and end.
        self._runs = np.cumsum(sizes)

    def _policy(self, number: int, k: int) -> np.ndarray:
        """Returns by class the probability of the k-th child."""
        n = self._tree.nodes[number]
        classes = classes_at(n["stage"])
        return self._strategy[n["row"] + k * classes : n["row"] + (k + 1) * classes]

    def _children(self, number: int) -> list[int]:
        n = self._tree.nodes[number]
        return [int(c) for c in self._tree.children[n["first"] : n["first"] + n["size"]]]

    def _folded(self, number: int) -> float:
        n, own = self._tree.nodes[number], self._responder
        return float(n["paid"][1 - own] if n["player"] == own else -n["paid"][own])

    def first(self, number: int, reach: np.ndarray) -> np.ndarray:
        """Values a node of the first round: float64[10]; `reach` is by class of the other's first two."""
        n = self._tree.nodes[number]
        if n["kind"] == FOLDED:
            return self._odds.other_first @ reach * self._folded(number)
        if n["kind"] == VOID:
            return self._odds.other_first @ reach * (self._again if self._responder == 0 else -self._again)
        if n["stage"] > 0:
            return self._odds.second @ self.second(number, self._odds.pair @ reach)
        return self._decide(self.first, number, reach)

    def second(self, number: int, reach: np.ndarray) -> np.ndarray:
        """Values a node of the second round or the draws: float64[65]; `reach` is by class of four cards."""
        n = self._tree.nodes[number]
        if n["kind"] == FOLDED:
            return self._other_second @ reach * self._folded(number)
        if n["kind"] == BET:
            return self._decide(self.second, number, reach)
        if n["player"] == self._responder:
            return self._discard(number, reach)
        total = np.zeros(CLASSES[4])
        for k, child in enumerate(self._children(number)):
            total += self.second(child, reach * self._policy(number, k))
        return total

    def _decide(
        self, walk: Callable[[int, np.ndarray], np.ndarray], number: int, reach: np.ndarray
    ) -> np.ndarray:
        children = self._children(number)
        if self._tree.nodes[number]["player"] == self._responder:
            return np.maximum.reduce([walk(child, reach) for child in children])
        return np.add.reduce(
            [walk(child, reach * self._policy(number, k)) for k, child in enumerate(children)]
        )

    def _discard(self, number: int, reach: np.ndarray) -> np.ndarray:
        """Values the responder's discards: each class of hands chooses the best set of cards."""
        draws = self._odds.draws
        best = np.full(CLASSES[4], -np.inf)
        for count, child in enumerate(self._children(number)):
            values = self._after_draw(child, count, reach)
            for k in np.flatnonzero(draws.count == count):
                run = slice(draws.start[k], draws.start[k + 1] if k + 1 < len(draws.start) else None)
                value = draws.chance[run] @ values[draws.seen[run], draws.score[run]]
                best[draws.owner[k]] = max(best[draws.owner[k]], value)
        # Classes that are not in a toy pack.
        return np.where(np.isfinite(best), best, 0.0)

    def _after_draw(self, number: int, count: int, reach: np.ndarray) -> np.ndarray:
        """Values by all cards seen and own score what follows the responder's draw of `count` cards."""
        n = self._tree.nodes[number]
        if n["kind"] == DRAW:
            return np.add.reduce(
                [
                    self._after_draw(child, count, reach * self._policy(number, k))
                    for k, child in enumerate(self._children(number))
                ]
            )
        run = slice(*self._runs[count : count + 2])
        values = np.zeros((len(self._odds.other_last), len(SCORES)))
        _last_round(
            self._tree.nodes,
            self._tree.children,
            self._strategy,
            SCORE_PLACE,
            number,
            self._responder,
            reach,
            self._odds.other_last[run],
            int(n["drawn"][1 - self._responder]),
            values[run],
        )
        return values


def best_response(tree: Tree, strategy: np.ndarray, odds: Odds, responder: int, again: float = 0.0) -> float:
    """Returns what the best response of a player wins against a strategy, in antes a deal.

    Args:
        tree: Public tree.
        strategy: float64[rows], the strategy of the other player.
        odds: Tables of the same pack and number of discards.
        responder: Player that responds, 0 (the mano) or 1.
        again: What the mano wins on average after a void deal; 0 after the last one, when the antes go back.
    """
    walk = _Walk(tree, strategy, odds, responder, again)
    return float(odds.first @ walk.first(0, np.ones(CLASSES[2])))


@dataclass(frozen=True)
class Exploit:
    """What best responses win against a strategy, in antes a deal."""

    mano: float
    """As the mano."""
    dealer: float
    """As the dealer."""

    @property
    def per_player(self) -> float:
        """Exploitability: what the strategy loses at most on average over both places."""
        return (self.mano + self.dealer) / 2

    @property
    def value(self) -> float:
        """Estimate of what the mano wins in equilibrium: half way between the bounds that both set."""
        return (self.mano - self.dealer) / 2


def exploitability(tree: Tree, strategy: np.ndarray, odds: Odds, again: float = 0.0) -> Exploit:
    """Measures a strategy; an equilibrium's exploitability is 0.

    Args:
        tree: Public tree.
        strategy: float64[rows], the actions of each class at a node adding to 1.
        odds: Tables of the same pack and number of discards.
        again: What the mano wins on average after a void deal.
    """
    return Exploit(*(best_response(tree, strategy, odds, responder, again) for responder in (0, 1)))
