"""The bot that plays the blueprint, and the heuristic where there is none."""

import math
from collections.abc import Callable
from hashlib import blake2b

import numpy as np

from tapete.v1 import DecidedBy, Game, MoveReason, StoppedBy
from tapete_bots.bot import Answer, Budget, Candidate, Control, Report
from tapete_bots.gile.bots import rule_of_thumb
from tapete_bots.gile.equilibrium.blueprint import Blueprint, load_blueprint
from tapete_bots.gile.equilibrium.reading import locate
from tapete_bots.gile.equilibrium.shapes import canonical, classes_of, discard_by_class, shape_of
from tapete_bots.gile.equilibrium.tree import ALL_IN, DRAW, FOLD, SIZED, Tree
from tapete_bots.gile.hands import load_tables
from tapete_bots.gile.policy import STYLES
from tapete_bots.thinking import forced
from tapete_games.gile.engine import greatest_total, least_total
from tapete_games.gile.rules import Limit, Rules
from tapete_games.gile.state import BET, CALL, CHECK, DECIDE_BET, DISCARD, RAISE
from tapete_games.gile.state import FOLD as FOLD_MOVE
from tapete_games.position import Position

__all__ = ["EquilibriumBot", "is_inside", "warm_up"]

_TABLES = load_tables().view(np.recarray)[0]


def is_inside(rules: Rules, v: np.record) -> bool:
    """Tells whether the blueprint was made for a deal: two seats dealt in, no limit, suits without rank.

    Any ante will do, if the minimum bet is not greater: amounts count in antes. A seat whose stack was not
    more than its ante has nothing to bet with.
    """
    stacks = [int(stack) for stack in v.stack if stack > 0]
    return (
        len(stacks) == 2
        and rules.limit == Limit.NONE
        and not rules.suit_rank
        and rules.minimum_bet <= rules.ante < min(stacks)
    )


def find_strategy(rules: Rules, v: np.record) -> Blueprint:
    """Finds the strategy of the nearest depth, by ratio, and of as many void deals left, or most of them."""
    blueprint = load_blueprint()
    depth = min(int(stack) for stack in v.stack if stack > 0) / rules.ante
    left = min(rules.void_deals - int(v.voids), max(left for _, left in blueprint))
    nearest = min({depth for depth, _ in blueprint}, key=lambda known: abs(math.log(known / depth)))
    return blueprint[nearest, left]


class EquilibriumBot:
    """Plays heads-up by a strategy computed in advance, which no opponent beats by much in the long run."""

    def __init__(self, bot_id: str) -> None:
        self.id = bot_id
        self.games = (Game.GAME_GILE,)

    def choose(
        self, position: Position, budget: Budget, seed: int, control: Control, report: Report | None = None
    ) -> Answer:
        """Answers in a fraction of a millisecond; the seed draws among mixed actions and reads foreign sizes.

        A client that keeps one seed for a deal keeps one reading of it.
        """
        if len(position.legal_moves) == 1:
            return forced(position.legal_moves[0])
        v = position.view
        if not isinstance(position.rules, Rules) or not is_inside(position.rules, v):
            return _outside(v, seed)
        strategy = find_strategy(position.rules, v)
        node = locate(strategy.tree, v, _reader(v, seed))
        if node < 0:
            # The bet is small enough to be taken for none, or all was put in as the deal was read.
            if v.decision != DECIDE_BET:
                return _outside(v, seed)
            shares = {_stay(v): 1.0}
        else:
            shares = _shares(strategy, node, v, seed)
            if not shares:
                return _outside(v, seed)
        move = _draw_move(shares, _number(seed, "move", v.tobytes()))
        best = sorted(shares, key=lambda other: (other != move, -shares[other], other))
        return Answer(
            move,
            tuple(Candidate(other, probability=shares[other]) for other in best),
            DecidedBy.DECIDED_BY_BLUEPRINT,
            StoppedBy.STOPPED_BY_DONE,
            MoveReason.MOVE_REASON_EQUILIBRIUM,
        )


def _outside(v: np.record, seed: int) -> Answer:
    move = rule_of_thumb(v, STYLES[0], seed)
    return Answer(
        move,
        (Candidate(move),),
        DecidedBy.DECIDED_BY_HEURISTIC,
        StoppedBy.STOPPED_BY_DONE,
        MoveReason.MOVE_REASON_OUTSIDE_BLUEPRINT,
    )


def _number(seed: int, purpose: str, data: bytes) -> float:
    """Returns a number from 0 to 1, a function of its arguments."""
    digest = blake2b(data, digest_size=8, salt=seed.to_bytes(16, "little"), person=purpose.encode()).digest()
    return (int.from_bytes(digest, "little") >> 11) / (1 << 53)


def _reader(v: np.record, seed: int) -> Callable[[int], float]:
    """Returns what reads a foreign size: a function of the seed and the log up to it."""
    return lambda place: _number(seed, "reading", bytes([int(v.voids)]) + v.log[: place + 1].tobytes())


def _stay(v: np.record) -> int:
    return CALL if v.level > v.staked[v.seat] else CHECK


def _shares(strategy: Blueprint, node: int, v: np.record, seed: int) -> dict[int, float]:
    """Returns the moves of a node with their probabilities; those of one and the same move are added."""
    cards = int(v.own)
    class_of_cards = classes_of(cards.bit_count())[canonical(int(shape_of(cards)))]
    tree = strategy.tree
    first = int(tree.nodes[node]["first"])
    shares: dict[int, float] = {}
    for i, share in enumerate(strategy.policy(node, class_of_cards)):
        if share:
            move = _move(tree, node, int(tree.actions[first + i]), v, seed)
            shares[move] = shares.get(move, 0.0) + share
    return shares


def _move(tree: Tree, node: int, action: int, v: np.record, seed: int) -> int:
    """Returns the legal move that is nearest to an action."""
    if tree.nodes[node]["kind"] == DRAW:
        order = np.array(sorted(range(4), key=lambda suit: _number(seed, f"suit {suit}", v.tobytes())))
        return DISCARD | int(discard_by_class(_TABLES, int(v.own), action, order))
    to_call = int(v.level - v.staked[v.seat])
    if action == FOLD:
        return FOLD_MOVE if to_call else CHECK
    least = int(least_total(v))
    if action < ALL_IN or least == 0:
        return _stay(v)
    greatest = int(greatest_total(v))
    total = greatest
    if action >= SIZED:
        total = int(v.level) + math.ceil(tree.menu.sizes[action - SIZED] * (int(v.pot) + to_call))
    return (RAISE if v.level else BET) | min(max(total, least), greatest)


def _draw_move(shares: dict[int, float], u: float) -> int:
    for move, share in shares.items():
        u -= share
        if u < 0.0:
            return move
    return move


def warm_up() -> None:
    """Loads the blueprint and compiles or loads the kernels."""
    for strategy in load_blueprint().values():
        strategy.policy(0, 0)
    discard_by_class(_TABLES, 0b1111, 2, np.arange(4))
    shape_of(0b1111)
