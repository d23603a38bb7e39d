"""A best response by brute force: every deal of a toy pack, every set of cards a seat may know, no classes.

The responder's value is worked out apart for each of its first two cards, next two, discard and draw, over a
list of all that the other may hold. It shares with the walk in classes the tree, and which row of the
strategy and which discard belong to the other's cards; all chances are counted here card by card. At most one
card is discarded.

Sets of cards are bits by the place of a card in the pack.
"""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, permutations

import numpy as np

from tapete_bots.gile.equilibrium.shapes import canonical, classes_of, discard_by_class, shape_of
from tapete_bots.gile.equilibrium.tree import BET, DRAW, FOLDED, SHOWDOWN, VOID, Tree
from tapete_bots.gile.hands import load_tables

TABLES = load_tables().view(np.recarray)[0]


def points(card: int) -> int:
    return {0: 7, 6: 11}.get(card % 7, 10)


def score(cards: list[int]) -> int:
    return max(sum(points(card) for card in cards if card // 7 == suit) for suit in range(4))


class Judge:
    def __init__(self, tree: Tree, strategy: np.ndarray, pack: int, responder: int, again: float) -> None:
        self.tree, self.strategy, self.me, self.again = tree, strategy, responder, again
        self.cards = [card for card in range(28) if pack >> card & 1]
        self.whole = (1 << len(self.cards)) - 1
        self.classes = np.full(self.whole + 1, -1)
        self.scores = np.zeros(self.whole + 1, np.int64)
        # One column for each way to break a tie between equal suits; the columns count equally often.
        self.discards = np.zeros((12, self.whole + 1), np.int64)
        for size in (2, 4):
            for held in self.sets(self.whole, size):
                cards = self.of(held)
                mask = sum(1 << card for card in cards)
                self.classes[held] = classes_of(size)[canonical(int(shape_of(mask)))]
                if size == 4:
                    self.scores[held] = score(cards)
                    self.discards[:, held] = self.ties(mask)

    def ties(self, mask: int) -> list[int]:
        outs = [int(discard_by_class(TABLES, mask, 1, np.array(order))) for order in permutations(range(4))]
        counts = Counter(1 << self.cards.index(out.bit_length() - 1) for out in outs)
        return [place for place, count in counts.items() for _ in range(count // 2)]

    def of(self, held: int) -> list[int]:
        return [card for place, card in enumerate(self.cards) if held >> place & 1]

    def sets(self, held: int, size: int) -> list[int]:
        places = [place for place in range(len(self.cards)) if held >> place & 1]
        return [sum(1 << place for place in some) for some in combinations(places, size)]

    def children(self, node: int) -> list[int]:
        n = self.tree.nodes[node]
        return [int(c) for c in self.tree.children[n["first"] : n["first"] + n["size"]]]

    def policy(self, node: int, child: int, held: np.ndarray) -> np.ndarray:
        n = self.tree.nodes[node]
        return self.strategy[n["row"] + child * (10 if n["stage"] == 0 else 65) + self.classes[held]]

    def walk(
        self,
        node: int,
        stage: int,
        own: int,
        held: np.ndarray,
        weights: np.ndarray,
        go_on: Callable[[int, np.ndarray], float],
    ) -> float:
        """Values a betting round; `go_on` values what comes after it."""
        n, me = self.tree.nodes[node], self.me
        if n["kind"] == FOLDED:
            return float(weights.sum() * (n["paid"][1 - me] if n["player"] == me else -n["paid"][me]))
        if n["kind"] == VOID:
            return float(weights.sum() * (self.again if me == 0 else -self.again))
        if n["kind"] == SHOWDOWN:
            # The dealer, who is player 1, wins a tie (L16).
            wins = self.scores[own] + me > self.scores[held]
            return float((weights * np.where(wins, n["paid"][1 - me], -n["paid"][me])).sum())
        if n["kind"] != BET or n["stage"] != stage:
            return go_on(node, weights)
        children = self.children(node)
        if n["player"] == me:
            return max(self.walk(child, stage, own, held, weights, go_on) for child in children)
        return sum(
            self.walk(child, stage, own, held, weights * self.policy(node, k, held), go_on)
            for k, child in enumerate(children)
        )

    def value(self) -> float:
        """Returns what the best response wins, in antes a deal."""
        total = 0.0
        pairs = self.sets(self.whole, 2)
        # Suits are alike: one pair of each class stands for all.
        for number in set(self.classes[pairs]):
            alike = [pair for pair in pairs if self.classes[pair] == number]
            total += len(alike) / len(pairs) * self.first(alike[0])
        return total

    def first(self, own: int) -> float:
        pairs = self.sets(self.whole & ~own, 2)
        held = np.array(pairs)

        def go_on(node: int, weights: np.ndarray) -> float:
            return sum(self.second(node, own | more, held, weights) for more in pairs) / len(pairs)

        return self.walk(0, 0, 0, held, np.full(len(pairs), 1 / len(pairs)), go_on)

    def second(self, node: int, own: int, first: np.ndarray, first_weights: np.ndarray) -> float:
        worlds = [
            (pair | more, weight * len(first))
            for pair, weight in zip(map(int, first), first_weights, strict=True)
            if not pair & own
            for more in self.sets(self.whole & ~own & ~pair, 2)
        ]
        held = np.array([cards for cards, _ in worlds])
        weights = np.array([weight for _, weight in worlds]) / len(worlds)
        return self.walk(
            node, 1, 0, held, weights, lambda node, weights: self.draw(node, own, own, held, held, weights)
        )

    def draw(
        self, node: int, own: int, seen: int, held: np.ndarray, other_seen: np.ndarray, weights: np.ndarray
    ) -> float:
        n = self.tree.nodes[node]
        if n["kind"] != DRAW:
            return self.walk(node, 2, own, held, weights, lambda node, weights: float("nan"))
        none, one = self.children(node)
        # How many cards the next one may be, whoever takes it.
        left = self.whole.bit_count() - seen.bit_count() - int(other_seen[0]).bit_count()
        if n["player"] == self.me:
            values = [self.draw(none, own, seen, held, other_seen, weights)]
            for out in self.sets(own, 1):
                value = 0.0
                for new in self.sets(self.whole & ~seen, 1):
                    may = other_seen & new == 0
                    value += self.draw(
                        one, own ^ out | new, seen | new, held[may], other_seen[may], weights[may] / left
                    )
                values.append(value)
            return max(values)
        stays = self.draw(none, own, seen, held, other_seen, weights * self.policy(node, 0, held))
        parts = []
        for new in self.sets(self.whole & ~seen, 1):
            may = other_seen & new == 0
            shares = weights[may] * self.policy(node, 1, held[may]) / left / len(self.discards)
            for column in self.discards:
                kept = held[may] & ~column[held[may]]
                parts.append((kept | new, other_seen[may] | new, shares))
        after = [np.concatenate(column) for column in zip(*parts, strict=True)]
        return stays + self.draw(one, own, seen, after[0], after[1], after[2])
