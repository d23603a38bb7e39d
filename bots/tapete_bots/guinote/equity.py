"""The worth of the points carried into vueltas, and the utility that search maximises.

A first deal may end with the point undecided. V(x, y) is the probability that a side with x points wins
the point when the other has y and the first side leads the deal of vueltas. It was tabulated by self-play
of the rule policy (`tapete_bots.guinote.equity_table` makes the file again): one deal played to its end
tells for every x and y at once who would have reached 101 first.

The utility of a deal for side 0 is the probability of winning the point. A share of the difference of
points may be mixed in by the search, because an outcome of 0 or 1 is noisy at small budgets.
"""

from importlib.resources import files

import numpy as np

from tapete_games.guinote.engine import point_winner
from tapete_games.guinote.state import FIXED_ROTATION
from tapete_games.kernel import inline_kernel, kernel

# EQUITY[players // 4, x * 101 + y], x points of the side that leads the vueltas, both 0 to 100
EQUITY = np.load(files("tapete_bots.guinote").joinpath("equity.npy"))  # type: ignore[arg-type]


@inline_kernel
def vueltas_value(players: int, x: int, y: int, leads: int) -> float:
    """Returns the probability that side 0, carrying x against y, wins the point.

    Args:
        players: 2 or 4.
        x: Points of side 0, 0 to 100.
        y: Points of side 1, 0 to 100.
        leads: Side that leads the vueltas.
    """
    row = players // 4
    return EQUITY[row, x * 101 + y] if leads == 0 else 1.0 - EQUITY[row, y * 101 + x]


@inline_kernel
def next_leader_side(s: np.record) -> int:
    """Returns the side that leads the deal after this one (G5)."""
    dealer = s.dealer + 1 if s.rules & FIXED_ROTATION else s.latest_winner
    return (dealer + 1) & 1


@kernel
def point_value(s: np.record) -> float:
    """Returns the probability that side 0 wins the point of a STATE whose deal is over."""
    winner = point_winner(s)
    if winner >= 0:
        return 1.0 - winner
    return vueltas_value(s.players, s.points[0], s.points[1], next_leader_side(s))
