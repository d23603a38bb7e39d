"""A brute-force checker of the exact endgame: plain minimax over the referee's engine.

It has no pruning, no hash table, no equal cards and no trick logic of its own: it tries every legal move
of every decision that the engine asks for, passes included.
"""

import numba
import numpy as np
from numba import int64

from tapete_bots.guinote.equity import point_value
from tapete_games.bits import lowest
from tapete_games.guinote.engine import apply, legal_moves
from tapete_games.guinote.state import DECIDE_NOTHING, STATE, copy_state
from tapete_games.kernel import recursive_kernel

DEEPEST = 64
_SIGNATURE = int64(numba.from_dtype(STATE)[::1], int64)


@recursive_kernel(_SIGNATURE)
def minimax(states: np.ndarray, depth: int) -> int:
    """Returns the value of `states[depth]` for side 0, in the units of `tapete_bots.guinote.endgame`."""
    s = states[depth]
    if s.decision == DECIDE_NOTHING:
        difference = s.points[0] - s.points[1]
        if s.tute_side >= 0:
            difference = 230 if s.tute_side == 0 else -230
        return int64(point_value(s) * 1_000_000 + 0.5) * 1024 + difference + 512
    todo = legal_moves(s, s.asked, s.hand[s.asked])
    maximizes = s.asked & 1 == 0
    best = -(1 << 50) if maximizes else 1 << 50
    one = int64(1)
    while todo:
        move = lowest(todo)
        todo &= todo - 1
        copy_state(states[depth + 1], s)
        apply(states[depth + 1], move)
        value = minimax(states, depth + one)
        best = max(best, value) if maximizes else min(best, value)
    return best


def new_states() -> np.ndarray:
    """Makes the stack of states to work in; `states[0]` is the position."""
    return np.zeros(DEEPEST, STATE).view(np.recarray)
