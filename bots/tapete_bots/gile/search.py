"""Information set Monte Carlo tree search for Gilé.

After Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012: one
tree from the view of the searching seat, one sampled world an iteration. Nodes are the information sets of
that seat alone: the public actions since the root and, once it was served new cards, what its hand is worth.

Departures from the paper
    The other seats do not search: in the tree as in the rollouts they follow `policy` in the style that
    the world gives them. If they had nodes of their own, these would learn from worlds in which the searching
    seat always holds its real hand: they would fold to its strong hands and call its bluffs, as if its cards
    lay open. What is found is a best response to the opponent model of `worlds`, not an equilibrium.
    Selection is value + exploration * spread * prior * sqrt(visits of the node) / (1 + visits), "PUCT"
    (Silver et al. 2017, after Rosin 2011), where spread is the standard deviation of the returns at the
    node: pots of 3 and of 300 chips are explored alike. The prior is half the policy's, half uniform.
    Bets are those of the menu of `policy`, made legal; of the sets of cards to discard the best of each size.

The utility is the change of the seat's stack from the root on, in chips.
"""

import numpy as np

from tapete_bots.gile.hands import OFFSET, best_discard, set_rank
from tapete_bots.gile.policy import (
    FEAR,
    SLOTS,
    STYLES,
    bet_policy,
    draw_slot,
    slot_move,
    table_equity,
)
from tapete_bots.gile.worlds import fill, step
from tapete_games.bits import mix, next_random, popcount
from tapete_games.gile.engine import apply
from tapete_games.gile.settle import score
from tapete_games.gile.state import (
    DECIDE_DISCARD,
    DECIDE_NOTHING,
    DISCARD,
    LAST,
)
from tapete_games.kernel import kernel

__all__ = ["NODE", "TASK", "iterate", "new_tree"]

# Places of the tree tried for a key before it is given up.
TRIES = 8
# Longest way from the root to the end in own decisions.
DEPTH = 64

NODE = np.dtype(
    [
        ("key", "i8"),  # 0 for an empty place
        ("visits", "i8", SLOTS),
        ("chips", "f8", SLOTS),  # sum of the returns of each slot
        ("prior", "f8", SLOTS),  # 0 where there is no legal move
        ("squares", "f8"),  # sum of the squares of all returns
    ]
)
TASK = np.dtype(
    [
        ("exploration", "f8"),
        ("moves", "i8", SLOTS),  # moves of the slots at the root, -1 for none
        ("prior", "f8", SLOTS),  # prior of the slots at the root
        ("squares", "f8", SLOTS),  # sums of the squares of the returns at the root
        ("steps", "i8"),  # steps from world to world before each iteration
    ]
)


def new_tree(capacity: int) -> np.ndarray:
    """Makes an empty tree of NODE: the root and a hash table of `capacity` - 1 places."""
    return np.zeros(capacity, NODE)


@kernel
def _find(tree: np.ndarray, key: int) -> int:
    """Returns the place of a key or an empty place for it, -1 if the table is full around it."""
    size = len(tree) - 1
    at = key % size
    for _ in range(TRIES):
        if tree[1 + at].key == key or tree[1 + at].key == 0:
            return 1 + at
        at = at + 1 if at + 1 < size else 0
    return -1


@kernel
def _select(node: np.record, exploration: float) -> int:
    """Returns the slot to try."""
    visits = 0
    chips = 0.0
    for i in range(SLOTS):
        visits += node.visits[i]
        chips += node.chips[i]
    mean = chips / max(visits, 1)
    spread = np.sqrt(max(node.squares / max(visits, 1) - mean * mean, 0.0)) + 1.0
    bonus = exploration * spread * np.sqrt(visits + 1.0)
    best = -1
    best_value = 0.0
    for i in range(SLOTS):
        if node.prior[i] == 0.0:
            continue
        n = node.visits[i]
        value = (node.chips[i] / n if n else mean) + bonus * node.prior[i] / (1.0 + n)
        if best < 0 or value > best_value:
            best = i
            best_value = value
    return best


@kernel
def mix_prior(s: np.record, probabilities: np.ndarray) -> None:
    """Turns probabilities of the policy into a prior: half of them, half uniform over different moves."""
    count = 0
    last = -1
    for i in range(SLOTS):
        move = slot_move(s, i)
        # Slots of small stacks may mean the same bet.
        if move < 0 or (i > 1 and move == last):
            probabilities[i] = -1.0
            continue
        last = move
        count += 1
    for i in range(SLOTS):
        probabilities[i] = 0.0 if probabilities[i] < 0.0 else 0.5 * probabilities[i] + 0.5 / count


@kernel
def _hand_key(tables: np.record, s: np.record, seat: int) -> int:
    """Returns what a node knows of the own hand: its score at the last round, its worth before."""
    hand = s.hand[seat]
    if s.stage == LAST:
        return score(hand)
    return 64 + int(tables.before[OFFSET[popcount(hand)] + set_rank(hand)] * 24.0)


@kernel
def _follow_policy(
    tables: np.record, s: np.record, style: np.ndarray, u: float, probabilities: np.ndarray
) -> int:
    """Returns the slot that the seat in turn bets by, as `u`, 0 to 1, draws it."""
    equity = table_equity(tables, s, s.turn, s.hand[s.turn], style[FEAR])
    bet_policy(s, equity, style, probabilities)
    return draw_slot(probabilities, u)


@kernel
def iterate(
    task: np.record,
    iterations: int,
    tables: np.record,
    v: np.record,
    w: np.record,
    moments: np.ndarray,
    base: np.ndarray,
    cells: np.ndarray,
    s: np.record,
    tree: np.ndarray,
    path: np.ndarray,
    probabilities: np.ndarray,
) -> None:
    """Adds iterations to a search.

    Args:
        task: TASK; `squares` is added to.
        iterations: How many.
        tables: TABLES.
        v: VIEW at the root.
        w: WORLD, walked on.
        moments: STATE[LOG + 1] of `worlds.prepare`.
        base: int64 cells of a STATE with the public fields of the view.
        cells: int64 cells of `s`.
        s: STATE to work in.
        tree: NODE[capacity]; tree[0] is the root.
        path: int64[DEPTH, 2] to work in.
        probabilities: float64[SLOTS] to work in.
    """
    me = v.seat
    own_style = STYLES[0]
    for _ in range(iterations):
        step(tables, v, w, moments, probabilities, task.steps)
        for i in range(len(cells)):
            cells[i] = base[i]
        fill(v, w, s)
        x = mix(w.random)
        began = s.chips[me]
        slot = _select(tree[0], task.exploration)
        path[0, 0] = 0
        path[0, 1] = slot
        depth = 1
        key = mix(slot)
        is_growing = True
        voids = s.voids
        apply(s, task.moves[slot])
        while s.decision != DECIDE_NOTHING:
            seat = s.turn
            hand = s.hand[seat]
            if s.decision == DECIDE_DISCARD:
                count = int(tables.best_size[set_rank(hand)])
                key = mix(key ^ count)
                apply(s, DISCARD | best_discard(tables, hand, count))
                continue
            x = next_random(x)
            u = (x >> 10) / (1 << 53)
            # Behind a void deal all is new; the tree ends there.
            if seat != me or not is_growing or s.voids != voids or depth == DEPTH:
                style = own_style if seat == me else STYLES[w.style[seat]]
                slot = _follow_policy(tables, s, style, u, probabilities)
            else:
                own_key = mix(key ^ _hand_key(tables, s, me)) | 1
                at = _find(tree, own_key)
                if at < 0:
                    is_growing = False
                    slot = _follow_policy(tables, s, own_style, u, probabilities)
                else:
                    node = tree[at]
                    if node.key == 0:
                        node.key = own_key
                        _follow_policy(tables, s, own_style, u, probabilities)
                        mix_prior(s, probabilities)
                        for i in range(SLOTS):
                            node.prior[i] = probabilities[i]
                        is_growing = False
                    slot = _select(node, task.exploration)
                    path[depth, 0] = at
                    path[depth, 1] = slot
                    depth += 1
            key = mix(key ^ (8 + slot))
            apply(s, slot_move(s, slot))
        chips = float(s.chips[me] - began)
        for i in range(depth):
            node = tree[path[i, 0]]
            node.visits[path[i, 1]] += 1
            node.chips[path[i, 1]] += chips
            node.squares += chips * chips
        task.squares[path[0, 1]] += chips * chips
