"""Makes the table of `tapete_bots.guinote.equity` by self-play: `python -m tapete_bots.guinote.equity_table`.

Two million deals a table size take about half a minute on one core. The result is made monotone (more
own points never hurt, more points of the other side never help), which the exact endgame relies on.
"""

import sys
from pathlib import Path

import numpy as np

from tapete_bots.guinote.policy import WEIGHTS_OF, best_card
from tapete_games.bits import mix
from tapete_games.guinote.engine import deal
from tapete_games.guinote.playout import shuffle
from tapete_games.guinote.settle import play_and_settle
from tapete_games.guinote.state import DECIDE_NOTHING, POINT, new_state
from tapete_games.kernel import kernel

SEED = 20261201
DEALS = 2_000_000


@kernel
def count_wins(
    s: np.record, players: int, deals: int, seed: int, w: np.ndarray, pack: np.ndarray, wins: np.ndarray
) -> None:
    """Adds up in `wins[x, y]` the deals in which the leading side needs 101 - x and gets it first.

    Args:
        s: STATE to work in.
        players: 2 or 4.
        deals: Number of deals.
        seed: Seed.
        w: Weights of the policy.
        pack: int64, 40 cells to work in.
        wins: int64 (101, 101), added to.
    """
    x = mix(seed)
    # when each side first has so many points, in steps; a step scores for one side only
    first = np.zeros((2, POINT + 1), dtype=np.int64)
    for i in range(40):
        pack[i] = i
    for _ in range(deals):
        x = shuffle(pack, 40, x)
        deal(s, players, players - 1, 0, 0, pack)
        first[:] = 1_000_000
        reached = np.zeros(2, dtype=np.int64)
        step = 0
        while s.decision != DECIDE_NOTHING:
            play_and_settle(s, best_card(s, s.hand[s.turn], w))
            step += 1
            for side in range(2):
                points = min(s.points[side], POINT)
                if s.tute_side == side:
                    points = POINT
                for t in range(reached[side] + 1, points + 1):
                    first[side, t] = step
                reached[side] = max(reached[side], points)
        for a in range(POINT):
            for b in range(POINT):
                if first[0, POINT - a] < first[1, POINT - b]:
                    wins[a, b] += 1


def equity_table(players: int, deals: int = DEALS, seed: int = SEED) -> np.ndarray:
    """Returns V(x, y) for one table size: float32 (101 * 101), index x * 101 + y."""
    wins = np.zeros((POINT, POINT), dtype=np.int64)
    count_wins(
        new_state(), players, deals, seed, WEIGHTS_OF[players // 4], np.zeros(40, dtype=np.int64), wins
    )
    table = wins / deals
    table = np.maximum.accumulate(table, axis=0)
    table = np.minimum.accumulate(table, axis=1)
    # one unit of the sixth decimal is the precision of the endgame solver
    return np.round(table, 6).astype(np.float64).ravel()


def main() -> None:
    """Writes the table beside this module."""
    tables = np.stack([equity_table(players) for players in (2, 4)])
    np.save(Path(__file__).with_name("equity.npy"), tables)
    for row, players in enumerate((2, 4)):
        v = tables[row].reshape(POINT, POINT)
        sys.stdout.write(f"{players} players: V(60,40)={v[60, 40]:.3f} V(90,90)={v[90, 90]:.3f}\n")


if __name__ == "__main__":
    main()
