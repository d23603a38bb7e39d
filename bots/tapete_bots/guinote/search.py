"""Single-observer information set Monte Carlo tree search for Guiñote.

Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012,
section V-B (SO-ISMCTS). All moves of Guiñote are public, so that one tree keyed by moves serves all
seats. Each iteration samples a consistent deal (`worlds`), descends, adds a node, plays on by the rollout
policy and adds the utility along the path. Exploration uses *availability* counts: how often a move was
legal when its node was visited.

Departures from the paper
    The bound is value + exploration * prior * sqrt(available) / (1 + visits) instead of UCB1: a "predictor"
    (Rosin, "Multi-armed bandits with episode context", 2011; the form is that of Silver et al. 2017). The
    prior of the card that the rule policy would play in the sampled deal is raised by `TASK.prior`. With
    UCB1 every move of every node is tried, and at the budgets of a service the values of moves are then
    averages over replies that nobody would play: measured at 8,000 iterations with two players, UCB1 lost
    9 points a hand to its own rollout policy, this form won 7.
    A node behind a move is opened at its second visit (`TASK.patience`).
    The tree branches over cards alone: cantes, swaps and tutes after the root are made by the engine's
    fixed policy (`play_and_settle`), so that nodes behind them merge; at the root they are moves like others.
    The utility is `equity.point_value`, with a share of the difference of points.
"""

import numpy as np

from tapete_bots.guinote.equity import point_value
from tapete_bots.guinote.policy import best_card
from tapete_bots.guinote.worlds import sample
from tapete_games.bits import lowest, mix, popcount
from tapete_games.guinote.engine import announce_tute, draw, legal_cards, sing, swap
from tapete_games.guinote.playout import random_playout
from tapete_games.guinote.settle import announce, play_and_settle
from tapete_games.guinote.state import (
    DECIDE_DECLARE,
    DECIDE_NOTHING,
    DECIDE_SWAP,
    MOVES,
    PASS,
    SING,
    SWAP,
    TUTE,
)
from tapete_games.kernel import inline_kernel, kernel

# Utilities are whole numbers, so that sums do not depend on their order: 0 to UNIT.
UNIT = 1000
# A difference of so many points is worth as much as the point itself, where points are mixed in.
POINTS_SPAN = 500.0
LONGEST_PATH = 48
# Keeps the search's random numbers apart from every other use of the same seed, above all from the deal's.
SEARCH_STREAM = 0x5EA2C4
ROLLOUT_RULES, ROLLOUT_RANDOM = 0, 1

# A slot for each move of a node. Total and value are for the side that makes the move.
SLOT = np.dtype(
    [
        ("available", "i4"),  # times legal when its node was visited
        ("visits", "i4"),
        ("total", "i4"),  # of utilities
        ("value", "f4"),  # total / visits / UNIT
        ("inverse", "f4"),  # 1 / (1 + visits)
        ("child", "i4"),  # row of the node behind it, 0 for none yet
    ]
)
STEP = np.dtype([("node", "i4"), ("move", "i4"), ("side", "i4")])
# Sums over the iterations through each root move, for side 0; for the estimates of the answer.
ROOT = np.dtype(
    [("points", "f8"), ("points_squared", "f8"), ("probability", "f8"), ("probability_squared", "f8")]
)
# What a search is asked for, and where it stands.
TASK = np.dtype(
    [
        ("seat", "i8"),
        ("decision", "i8"),
        ("moves", "i8"),  # set of legal moves at the root
        ("favourite", "i8"),  # move of the rule policy at the root
        ("exploration", "f8"),
        ("prior", "f8"),  # extra prior of the policy's move, 0 to 1; the rest is shared equally
        ("patience", "i8"),  # visits of a move before the node behind it is opened, at least 1
        ("points_share", "f8"),  # share of the difference of points in the utility, 0 to 1
        ("rollout", "i8"),  # ROLLOUT_RULES or ROLLOUT_RANDOM
        ("capacity", "i8"),  # rows of the tree
        ("used", "i8"),  # rows used so far; 0 before the first iteration
        ("random", "i8"),  # state of the generator
    ]
)

ROOTS = 1 << 20
SQUARE_ROOT = np.sqrt(np.arange(ROOTS)).astype(np.float32)


@kernel
def make_root_move(s: np.record, task: np.record, move: int) -> None:
    """Makes a move of the root in STATE `s` and goes on to the next card play."""
    seat = task.seat
    if move < SING:
        play_and_settle(s, move)
        return
    if move == TUTE:
        announce_tute(s, seat)
        return
    if move == SWAP:
        swap(s, seat)
    elif move < SWAP:
        sing(s, seat, move - SING)
        if s.decision == DECIDE_NOTHING:
            return
    if task.decision == DECIDE_SWAP:
        draw(s, s.players)
        announce(s)
    elif task.decision == DECIDE_DECLARE:
        if move == PASS:
            s.may_sing &= ~(1 << seat)
        if seat == s.turn:
            announce(s)
    elif move == SWAP and s.trick_size == 0:
        announce(s)


@kernel
def roll_out(s: np.record, task: np.record, w: np.ndarray, x: int) -> int:
    """Plays STATE `s` to the end of the deal; returns the generator's state."""
    if task.rollout == ROLLOUT_RANDOM:
        return random_playout(s, x)
    while s.decision != DECIDE_NOTHING:
        play_and_settle(s, best_card(s, s.hand[s.turn], w))
    return x


@inline_kernel
def open_slots(row: np.ndarray, fresh: int) -> None:
    """Opens the slots of moves that are legal here for the first time."""
    while fresh:
        slot = row[lowest(fresh)]
        slot.available = 0
        slot.visits = 0
        slot.total = 0
        slot.value = 0
        slot.inverse = 1
        slot.child = 0
        fresh &= fresh - 1


@inline_kernel
def select(
    row: np.ndarray, moves: int, task: np.record, favourite: int, unknown: float, square_root: np.ndarray
) -> int:
    """Returns the move of highest bound, and counts all `moves` as available once more.

    Args:
        row: Slots of the node.
        moves: Set of the moves legal in the sampled deal.
        task: TASK.
        favourite: Move of the rule policy, -1 for none.
        unknown: Value of a move that was never made.
        square_root: SQUARE_ROOT.
    """
    share = task.exploration * (1.0 - task.prior) / popcount(moves)
    extra = task.exploration * task.prior
    best = -1e30
    chosen = 0
    while moves:
        move = lowest(moves)
        moves &= moves - 1
        slot = row[move]
        slot.available += 1
        weight = share + extra if move == favourite else share
        value = slot.value if slot.visits else unknown
        bound = value + weight * square_root[min(slot.available, ROOTS - 1)] * slot.inverse
        if bound > best:
            best = bound
            chosen = move
    return chosen


@kernel
def iterate(
    task: np.record,
    iterations: int,
    base: np.record,
    worlds: np.record,
    w: np.ndarray,
    s: np.record,
    tried: np.ndarray,
    tree: np.ndarray,
    path: np.ndarray,
    root: np.ndarray,
    square_root: np.ndarray,
) -> None:
    """Adds iterations to a search.

    Args:
        task: TASK; `used` and `random` go on from call to call, so that slices of any size add up to
            the same search.
        iterations: Number of iterations to add.
        base: STATE made by `worlds.prepare`.
        worlds: WORLDS made by `worlds.prepare`.
        w: Weights of the rule policy.
        s: STATE to work in.
        tried: int64 (capacity): set of the moves opened in each row.
        tree: SLOT (capacity, MOVES).
        path: STEP (LONGEST_PATH) to work in.
        root: ROOT (MOVES), added to.
        square_root: SQUARE_ROOT (an argument, because numba caches no kernel that refers to so large a
            table).
    """
    x = task.random
    if task.used == 0:
        tried[0] = 0
        task.used = 1
    for _ in range(iterations):
        x = sample(s, base, worlds, x)
        node = 0
        depth = 0
        unknown = 0.5
        while s.decision != DECIDE_NOTHING:
            moves = task.moves if depth == 0 else legal_cards(s, s.hand[s.turn])
            side = (task.seat if depth == 0 else s.turn) & 1
            fresh = moves & ~tried[node]
            if fresh:
                open_slots(tree[node], fresh)
                tried[node] |= fresh
            move = lowest(moves)
            if moves & (moves - 1) == 0:
                tree[node, move].available += 1
            else:
                favourite = -1
                if depth == 0:
                    favourite = task.favourite
                elif task.prior > 0.0:
                    favourite = best_card(s, s.hand[s.turn], w)
                # a move never made is valued as the node is, for the side that moves
                move = select(
                    tree[node], moves, task, favourite, unknown if side == 0 else 1.0 - unknown, square_root
                )
            slot = tree[node, move]
            path[depth].node = node
            path[depth].move = move
            path[depth].side = side
            depth += 1
            if depth == 1:
                make_root_move(s, task, move)
            else:
                play_and_settle(s, move)
            if slot.visits < task.patience:
                break
            unknown = slot.value if side == 0 else 1.0 - slot.value
            if slot.child == 0:
                if task.used == task.capacity:
                    break
                tried[task.used] = 0
                slot.child = task.used
                task.used += 1
            node = slot.child
        x = roll_out(s, task, w, x)
        points = s.points[0] - s.points[1]
        probability = point_value(s)
        share = task.points_share
        utility = int(UNIT * ((1.0 - share) * probability + share * (0.5 + points / POINTS_SPAN)) + 0.5)
        for i in range(depth):
            step = path[i]
            slot = tree[step.node, step.move]
            slot.visits += 1
            slot.total += utility if step.side == 0 else UNIT - utility
            slot.value = slot.total / (slot.visits * float(UNIT))
            slot.inverse = 1.0 / (1 + slot.visits)
        r = root[path[0].move]
        r.points += points
        r.points_squared += points * points
        r.probability += probability
        r.probability_squared += probability * probability
    task.random = x


@kernel
def seed_state(seed: int) -> int:
    """Turns a seed into a state of the search's generator."""
    return mix(mix(seed) ^ SEARCH_STREAM)


def new_tree(capacity: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Allocates `tried`, `tree` and `path` for `iterate`; memory is touched only as rows are used."""
    tree = np.empty((capacity, MOVES), SLOT).view(np.recarray)
    return np.empty(capacity, np.int64), tree, np.empty(LONGEST_PATH, STEP).view(np.recarray)
