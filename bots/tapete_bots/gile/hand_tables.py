"""Makes the tables of `tapete_bots.gile.hands`: `python -m tapete_bots.gile.hand_tables`, some ten seconds.

What is best to discard depends on what the others will have, and that on what they discard: the
distribution of final scores is made anew from the best discards until it stays, which three rounds do.
All draws are enumerated: 20,475 hands, 16 sets to discard of each, up to 10,626 draws for each of these.
"""

import sys
from pathlib import Path

import numpy as np

from tapete_bots.gile.equity import count_draws
from tapete_bots.gile.hands import BINOMIAL, HANDS, OFFSET, SETS, TABLES, list_hands, set_rank, subset
from tapete_games.bits import popcount
from tapete_games.gile.state import CARDS, PACK
from tapete_games.kernel import kernel

ROUNDS = 3
# How often a seat discards the best number of cards, and how often each of the four others: else a seat that
# discards none would be taken for one of the few hands that nothing improves.
BEST, OTHER = 0.9, 0.025


@kernel
def find_discards(
    tables: np.record, hands: np.ndarray, worth: np.ndarray, scores: np.ndarray, after: np.ndarray
) -> None:
    """Finds the best discards of all hands.

    Args:
        tables: `best`, `best_size` and `before` of four cards are written.
        hands: int64[HANDS], all hands of four.
        worth: float64[48], worth of a final score.
        scores: float64[5, 48], set to the final scores of random hands, those that discard their best number
            of cards, by that number.
        after: float64[5, 48], set to the final scores of random hands by the number of discards, BEST or not.
    """
    scores[:] = 0.0
    after[:] = 0.0
    histogram = np.zeros(48, np.int64)
    scores_of = np.zeros((5, 48))
    for hand in hands:
        rank = set_rank(hand)
        best_value = -1.0
        value_of = np.full(5, -1.0)
        for places in range(16):
            size = popcount(places)
            out = subset(hand, places)
            histogram[:] = 0
            total = count_draws(hand ^ out, PACK & ~hand, size, histogram)
            value = 0.0
            for points in range(48):
                value += histogram[points] * worth[points]
            value /= total
            if value > value_of[size]:
                value_of[size] = value
                tables.best[rank, size] = places
                for points in range(48):
                    scores_of[size, points] = histogram[points] / total
            if value > best_value + 1e-12:
                best_value = value
                tables.best_size[rank] = size
        tables.before[OFFSET[4] + rank] = best_value
        best = tables.best_size[rank]
        for points in range(48):
            scores[best, points] += scores_of[best, points]
            for size in range(5):
                after[size, points] += (BEST if size == best else OTHER) * scores_of[size, points]


@kernel
def find_kept(tables: np.record, hands: np.ndarray, total: np.ndarray) -> None:
    """Fills in what follows from the hands of four: all of sets that are kept, `before` of two cards."""
    total[:] = 0.0
    kept_hands = np.zeros(SETS)
    for hand in hands:
        rank = set_rank(hand)
        value = tables.before[OFFSET[4] + rank]
        for places in range(16):
            key = OFFSET[popcount(places)] + set_rank(subset(hand, places))
            total[key] += 1.0
            if popcount(places) == 2:
                tables.before[key] += value
        places = int(tables.best[rank, tables.best_size[rank]])
        kept = hand & ~subset(hand, places)
        key = OFFSET[popcount(kept)] + set_rank(kept)
        kept_hands[key] += 1.0
        tables.kept_before[key] += value
    for key in range(SETS):
        tables.kept[key] = kept_hands[key] / total[key]
        if kept_hands[key]:
            tables.kept_before[key] /= kept_hands[key]
        if OFFSET[2] <= key < OFFSET[3]:
            tables.before[key] /= total[key]


def beating(scores: np.ndarray) -> np.ndarray:
    """Returns for each score the probability of beating one drawn from `scores`, a tie counting half."""
    share = scores / scores.sum()
    return np.asarray(np.cumsum(share) - share / 2)


def make_tables() -> np.ndarray:
    """Makes the tables: an array of one TABLES."""
    array = np.zeros(1, TABLES)
    tables = array.view(np.recarray)[0]
    hands = np.empty(HANDS, np.int64)
    list_hands(PACK, 4, hands)
    # In the order of their ranks: sums of floats depend on it.
    hands.sort()
    histogram = np.zeros(48, np.int64)
    count_draws(0, PACK, 4, histogram)
    worth = beating(histogram.astype(float))
    scores, after = np.zeros((5, 48)), np.zeros((5, 48))
    for _ in range(ROUNDS):
        find_discards(tables, hands, worth, scores, after)
        worth = beating(scores.sum(0))
    for size in range(5):
        tables.equal[size] = after[size] / after[size].sum()
        tables.below[size] = beating(after[size]) - tables.equal[size] / 2
    tables.tie = ((scores.sum(0) / scores.sum()) ** 2).sum()
    find_kept(tables, hands, np.zeros(SETS))
    for stage, size in enumerate((2, 4)):
        ranked = np.sort(tables.before[OFFSET[size] : OFFSET[size] + BINOMIAL[size * 32 + CARDS]])[::-1]
        for n in range(17):
            tables.best_before[stage, n] = ranked[: max(1, len(ranked) * n // 16)].mean()
    return array


if __name__ == "__main__":
    path = Path(__file__).with_name("hands.npy")
    np.save(path, make_tables())
    print(f"wrote {path.name}, {path.stat().st_size:,} bytes", file=sys.stderr)
