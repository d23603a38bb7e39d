"""Equilibrium of heads-up Gilé: exploitability as it is trained, and what a local best response wins.

python -m benchmarks equilibrium curve --menu half --iterations 1280000   # after 20,000, 40,000, ...
python -m benchmarks equilibrium local --deals 20000 --depth 100          # on and off the menu
python -m benchmarks equilibrium lookup                                   # time of an answer
"""

import argparse
import time
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from benchmarks.estimate import Estimate
from tapete.v1 import Game
from tapete_bots.bot import Budget, Control
from tapete_bots.gile.equilibrium.best_response import exploitability
from tapete_bots.gile.equilibrium.blueprint import Blueprint, load_blueprint
from tapete_bots.gile.equilibrium.odds import Odds, make_odds, seen_classes
from tapete_bots.gile.equilibrium.reading import locate
from tapete_bots.gile.equilibrium.shapes import (
    CLASS_SCORE,
    SCORES,
    canonical,
    cards_of,
    classes_of,
    count_shape,
    discard_by_class,
    shape_of,
    shapes_of,
)
from tapete_bots.gile.equilibrium.training import Trainer
from tapete_bots.gile.equilibrium.tree import ALL_IN, FOLD, MENUS, SIZED, build_tree, classes_at, complete
from tapete_bots.gile.hands import load_tables, set_rank
from tapete_bots.registry import find_bot
from tapete_games.gile.engine import apply, deal, greatest_total, least_total
from tapete_games.gile.state import (
    BET as BET_MOVE,
)
from tapete_games.gile.state import (
    CALL,
    CARDS,
    CHECK,
    DECIDE_DISCARD,
    DECIDE_NOTHING,
    DISCARD,
    LAST,
    LAST_ONE_IN,
    RAISE,
    STATE,
    make_view,
    new_view,
)
from tapete_games.gile.state import FOLD as FOLD_MOVE
from tests.bots.gile_situations import position_of, samples

# Pot shares that the local best response may bet besides all its chips.
ON_MENU = (0.5,)
OFF_MENU = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0)
# Places at which a bet under consideration may be read: the reading is not known before it is made.
READINGS = (0.125, 0.375, 0.625, 0.875)
TABLES = load_tables().view(np.recarray)[0]
ORDER = np.arange(4)
# BEATS[player, place in SCORES, class of the other's four cards]: whether a score wins; the dealer wins ties.
BEATS = np.array(
    [[(points + player > CLASS_SCORE).astype(float) for points in SCORES] for player in range(2)]
)


# --- curve --------------------------------------------------------------------------------------


def print_curve(menu: str, depth: float, iterations: int, seed: int) -> None:
    """Trains and prints a row at each doubling."""
    odds, tree = make_odds(), build_tree(MENUS[menu], depth)
    trainer = Trainer(tree, odds, seed)
    trainer.train(1)
    print(f"menu {menu}, depth {depth:g}: {len(tree.nodes):,} nodes, {tree.rows:,} entries")
    print("| iterations | CPU | mano's best response | dealer's | exploitability |\n|---|---|---|---|---|")
    took, stop = 0.0, 20_000
    while stop <= iterations:
        began = time.thread_time()
        trainer.train(stop - trainer.iterations)
        took += time.thread_time() - began
        found = exploitability(tree, complete(tree, trainer.strategy()), odds)
        print(
            f"| {stop:,} | {took:.0f} s | {found.mano:+.4f} | {found.dealer:+.4f} | {found.per_player:.4f} |",
            flush=True,
        )
        stop *= 2


# --- local best response ------------------------------------------------------------------------


@cache
def chances_to_win() -> np.ndarray:
    """Returns float64[2, 65, 65]: by player, own and other's class of four, the chance to win without bets.

    Both discard the number of cards that is best by the tables.
    """
    odds = make_odds()
    draws = odds.draws
    best = [int(TABLES.best_size[set_rank(int(cards_of(shape)))]) for shape in classes_of(4)]
    wins = np.zeros((2, 65, 65))
    total = np.zeros((65, 65))
    for own in range(65):
        run = canonical_run(odds, own, best[own])
        for seen, place, chance in zip(draws.seen[run], draws.score[run], draws.chance[run], strict=True):
            ends = chance * _usual_ends(int(seen))
            total[own] += ends.sum(1)
            for player in range(2):
                wins[player, own] += ends @ BEATS[player, place]
    return np.divide(wins, total, out=np.full_like(wins, 0.5), where=total > 0)


@cache
def first_chances_to_win() -> np.ndarray:
    """Returns float64[2, 10, 10]: the same by classes of the first two cards, as if both were independent."""
    odds = make_odds()
    return np.einsum("ab,pbc,dc->pad", odds.second, chances_to_win(), odds.second)


@cache
def canonical_run(odds: Odds, number: int, count: int) -> slice:
    """Returns the entries of the draws after the discard by class."""
    draws = odds.draws
    shape = list(classes_of(4))[number]
    cards = int(cards_of(shape))
    kept = shape - int(shape_of(int(discard_by_class(TABLES, cards, count, ORDER))))
    ends = np.append(draws.start[1:], len(draws.seen))
    four = [k for k in range(len(draws.owner)) if draws.owner[k] == number and draws.count[k] == count]
    # Runs of one class and count are in the order of the shapes that are discarded.
    outs = [out for out in shapes_of(count) if count_shape(out, shape)]
    k = four[[shape - out for out in outs].index(kept)]
    return slice(int(draws.start[k]), int(ends[k]))


@dataclass
class LocalBestResponse:
    """Lisý and Bowling, "Equilibrium Approximation Quality of Current No-Limit Poker Bots" (2017).

    It knows the blueprint, and so how likely each hand of the other is; at each decision it takes the
    action that would win most if nobody bet after the answer. The other's hand is never dealt: its actions
    are drawn from all its hands together, and what is won at a showdown is a mean over them. Own cards are
    drawn evenly, and the deal counts by how likely the other's actions leave them.
    """

    depth: int
    sizes: tuple[float, ...]
    seed: int
    bets: int = 0
    off_menu: int = 0
    odds: Odds = field(default_factory=make_odds)

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)
        self._states, self._view = np.zeros(2, STATE).view(np.recarray), new_view()
        self._state = self._states[0]

    def play(self, player: int) -> float:
        """Plays a deal as the mano (0) or the dealer; returns the chips won, a sample without bias."""
        for left in (3, 2, 1):
            won = self._play_deal(player, load_blueprint()[float(self.depth), left])
            if won is not None:
                return won
        return 0.0

    def _play_deal(self, player: int, blueprint: Blueprint) -> float | None:
        """Plays until the end; None if the deal is void."""
        s, rng = self._state, self._rng
        pack = rng.permutation(CARDS).astype(np.int64)
        deal(s, np.full(5, self.depth), 2, 1, 0, 0, 1, 1, 3, pack, 0)
        self._player, self._blueprint = player, blueprint
        self._coins = rng.random(64)
        self._reach, self._weight, self._own_seen = np.ones(10), 1.0, 0
        self._stage, self._last = -1, np.ones(65)
        while s.decision != DECIDE_NOTHING:
            if s.voids:
                return None
            self._look()
            move = self._own_move() if s.turn == player else self._other_move()
            apply(s, move)
        if s.voids:
            return None
        if s.ended == LAST_ONE_IN:
            return float(self._weight * (s.chips[player] - s.stack[player]))
        self._look()
        odds = self._likely() @ (self._score() + player > CLASS_SCORE)
        return float(self._weight * min(s.paid[0], s.paid[1]) * (2 * odds - 1))

    # What is known of the other's hand.

    def _seen(self) -> int:
        return int(self._state.hand[self._player] | self._state.discards[self._player])

    def _score(self) -> int:
        shape = canonical(int(shape_of(int(self._state.hand[self._player]))))
        return int(CLASS_SCORE[classes_of(4)[shape]])

    def _masses(self) -> np.ndarray:
        """Returns how likely each class of the other's hand led here, not normed."""
        s = self._state
        seen = canonical(int(shape_of(self._seen())))
        if len(self._reach) == 10:
            return self._reach * self.odds.other_first[classes_of(2)[seen]]
        number = seen_classes()[seen]
        other = int(s.drawn[1 - self._player])
        if other < 0:
            return self._reach * self.odds.other_last[number, 0].sum(1)
        return (self._reach @ self.odds.other_last[number, other]) * self._last

    def _likely(self) -> np.ndarray:
        masses = self._masses()
        return masses / masses.sum()

    def _look(self) -> None:
        """Takes notice of new own cards: a deal counts by how likely the other's actions are with them."""
        s = self._state
        seen = self._seen()
        if len(self._reach) == 10 and s.stage > 0:
            before = (self._reach * self.odds.other_first[self._first_class]).sum()
            self._reach = self.odds.pair @ self._reach
            self._weight *= self._masses().sum() / before
        elif self._own_seen and seen != self._own_seen and self._own_seen.bit_count() >= 4:
            self._weight *= self._masses().sum() / self._mass
        if len(self._reach) == 10:
            self._first_class = classes_of(2)[canonical(int(shape_of(seen)))]
        self._own_seen, self._mass = seen, self._masses().sum()

    # The other.

    def _policy(self, readings: float | None = None) -> tuple[np.ndarray, list[int], int]:
        """Returns the other's policy, float64[actions, classes], its actions and the node."""
        s, v = self._state, self._view
        make_view(s, s.turn, v)
        tree = self._blueprint.tree
        last = min(int(s.log_size), 64) - 1
        node = locate(
            tree, v, lambda place: readings if readings is not None and place == last else self._coins[place]
        )
        classes = len(self._reach) if s.drawn[1 - self._player] < 0 else 65
        if node < 0:
            return np.ones((1, classes)), [1], node
        n = tree.nodes[node]
        size = int(n["size"])
        units = self._blueprint.units[n["row"] : n["row"] + size * classes_at(n["stage"])]
        weights = units.reshape(size, -1).astype(float) ** 2
        total = weights.sum(0)
        policy = np.where(total > 0, weights / np.where(total > 0, total, 1), 1 / size)
        return policy, [int(a) for a in tree.actions[n["first"] : n["first"] + size]], node

    def _other_move(self) -> int:
        s = self._state
        policy, actions, node = self._policy()
        masses = policy @ self._masses()
        k = int(self._rng.choice(len(actions), p=masses / masses.sum()))
        if s.decision == DECIDE_DISCARD:
            self._reach = self._reach * policy[k]
            hand, cards = int(s.hand[s.turn]), 0
            for _ in range(actions[k]):
                cards |= hand & -hand
                hand &= hand - 1
            # The mass is that of all classes dealt; those of the last round follow from it.
            self._mass = masses[k]
            return int(DISCARD | cards)
        if s.stage == LAST:
            self._last = self._last * policy[k]
        else:
            self._reach = self._reach * policy[k]
        self._mass = masses[k]
        return self._translate(actions[k], node)

    def _translate(self, action: int, node: int) -> int:
        s = self._state
        to_call = int(s.level - s.staked[s.turn])
        stay = CALL if to_call else CHECK
        least = int(least_total(s))
        if action == FOLD and node >= 0:
            return FOLD_MOVE if to_call else CHECK
        if node < 0 or action < ALL_IN or least == 0:
            return stay
        if action == ALL_IN:
            return self._raise_to(int(greatest_total(s)))
        return self._bet(self._blueprint.tree.menu.sizes[action - SIZED])

    def _raise_to(self, total: int) -> int:
        return int((RAISE if self._state.level else BET_MOVE) | total)

    def _bet(self, share: float) -> int:
        s = self._state
        total = int(s.level) + int(np.ceil(share * int(s.pot + s.level - s.staked[s.turn])))
        return self._raise_to(min(max(total, int(least_total(s))), int(greatest_total(s))))

    # The responder.

    def _wins(self) -> np.ndarray:
        """Returns the chance to win against each class of the other's hand if nobody bets any more."""
        s, player = self._state, self._player
        own = canonical(int(shape_of(int(s.hand[player]))))
        if s.stage == LAST:
            return (int(CLASS_SCORE[classes_of(4)[own]]) + player > CLASS_SCORE).astype(float)
        if s.stage == 0:
            return first_chances_to_win()[player, classes_of(2)[own]]
        return chances_to_win()[player, classes_of(4)[own]]

    def _own_move(self) -> int:
        s = self._state
        if s.decision == DECIDE_DISCARD:
            return self._own_discard()
        wins, likely = self._wins(), self._likely()
        to_call, pot = int(s.level - s.staked[s.turn]), int(s.pot)
        odds = float(likely @ wins)
        options = {CALL if to_call else CHECK: odds * pot - (1 - odds) * to_call}
        if to_call:
            options[FOLD_MOVE] = 0.0
        if least_total(s):
            moves = {self._bet(size) for size in self.sizes} | {self._raise_to(int(greatest_total(s)))}
            options |= {move: self._worth(move, wins, likely) for move in moves}
        move = max(options, key=lambda m: options[m])
        if move >= BET_MOVE:
            self.bets += 1
            self.off_menu += move not in {self._bet(0.5), self._raise_to(int(greatest_total(s)))}
        return move

    def _worth(self, move: int, wins: np.ndarray, likely: np.ndarray) -> float:
        """Returns what a bet is worth if the other folds as the blueprint says, and nobody bets after."""
        pot, paid = int(self._state.pot), int(self._state.paid[self._player])
        self._states[1] = self._states[0]
        s = self._state = self._states[1]
        apply(s, move)
        cost = int(s.paid[self._player]) - paid
        more = min(int(s.level - s.staked[s.turn]), int(s.chips[s.turn]))
        total = 0.0
        for reading in READINGS:
            policy, actions, node = self._policy(reading)
            folds = policy[0] if node >= 0 and actions[0] == FOLD else np.zeros(len(likely))
            stays = likely * (1 - folds)
            total += float(likely @ folds) * pot + float(stays @ (wins * (pot + more) - (1 - wins) * cost))
        self._state = self._states[0]
        return total / len(READINGS)

    def _own_discard(self) -> int:
        """Discards the canonical set of the number that wins most against what the other may hold."""
        s, player = self._state, self._player
        hand = int(s.hand[player])
        number = classes_of(4)[canonical(int(shape_of(hand)))]
        other = int(s.drawn[1 - player])
        best = []
        for count in range(5):
            run = canonical_run(self.odds, number, count)
            seen, where = np.unique(self.odds.draws.seen[run], return_inverse=True)
            tables = self.odds.other_last[seen, other] if other >= 0 else np.array([*map(_usual_ends, seen)])
            ends = self._reach @ tables
            beats = BEATS[player, self.odds.draws.score[run]]
            best.append(float(self.odds.draws.chance[run] @ (ends[where] * beats).sum(1)))
        count = int(np.argmax(best))
        return int(DISCARD | discard_by_class(TABLES, hand, count, ORDER))


@cache
def _usual_ends(seen: int) -> np.ndarray:
    """Returns the other's classes as dealt and at the end if it discards its best number of cards."""
    best = np.array([int(TABLES.best_size[set_rank(int(cards_of(shape)))]) for shape in classes_of(4)])
    return np.ascontiguousarray(make_odds().other_last[seen, best, np.arange(65)])


def print_local(depth: int, deals: int, seed: int) -> None:
    """Prints what the local best response wins with the menu's sizes, and with others."""
    for name, sizes in (("sizes of the menu", ON_MENU), ("seven sizes and all in", OFF_MENU)):
        responder = LocalBestResponse(depth, sizes, seed)
        began = time.perf_counter()
        won = np.array([[responder.play(player) for player in range(2)] for _ in range(deals)])
        print(
            f"depth {depth}, {name}: {Estimate.of(won.mean(1)):+.3f} antes a deal over both places (mano "
            f"{Estimate.of(won[:, 0]):+.3f}, dealer {Estimate.of(won[:, 1]):+.3f}), {deals:,} deals of each, "
            f"{responder.off_menu / max(responder.bets, 1):.0%} of its bets off the menu, "
            f"{time.perf_counter() - began:.0f} s",
            flush=True,
        )


# --- lookup -------------------------------------------------------------------------------------


def print_lookup() -> None:
    """Prints the time of an answer."""
    bot = find_bot("equilibrium", Game.GAME_GILE)
    times = []
    for deal_ in samples(4000, seats=2, default_rules=True):
        position = position_of(deal_)
        began = time.perf_counter()
        bot.choose(position, Budget(), 1, Control())
        times.append(time.perf_counter() - began)
    times.sort()
    print(
        f"an answer of `equilibrium`: median {times[len(times) // 2] * 1e3:.2f} ms, "
        f"99 % within {times[len(times) * 99 // 100] * 1e3:.2f} ms"
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("what", choices=("curve", "local", "lookup"))
    parser.add_argument(
        "--menu", choices=tuple(MENUS), default="half", help="bets of the tree (default half)"
    )
    parser.add_argument("--depth", type=int, default=100, help="antes of each seat (default 100)")
    parser.add_argument("--iterations", type=int, default=1_280_000, help="last row of the curve")
    parser.add_argument("--deals", type=int, default=5_000, help="deals of the local best response")
    parser.add_argument("--seed", type=int, default=1, help="seed (default 1)")


def run(options: argparse.Namespace) -> None:
    """Prints what the arguments ask for."""
    if options.what == "curve":
        print_curve(options.menu, options.depth, options.iterations, options.seed)
    elif options.what == "local":
        print_local(options.depth, options.deals, options.seed)
    else:
        print_lookup()
