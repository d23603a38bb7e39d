"""The fit of the rule policy's weights by self-play; how `heuristic_1.npy` came about.

An antithetic evolution strategy (Salimans et al., "Evolution strategies as a scalable alternative to
reinforcement learning", 2017): weights disturbed one way play weights disturbed the opposite way over paired
deals, the mean difference of points gives the gradient along that direction, and Adam climbs. The result is
the running average of the weights, a thousandth-fine.

The weights of heuristic@1 were made from `first_guess` with seed 1 and 420 seconds for each table size on
one core of a 2-core x86-64 server (some 1,700 steps with two players, 1,450 with four), then rounded to four
decimals. They are frozen: another fit would be another version of the bot. The time limit makes the number
of steps, and so the last decimals, depend on the machine; `--steps` does not.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from benchmarks.estimate import Estimate
from tapete_bots.guinote import policy
from tapete_bots.guinote.policy import (
    KEEP_PLAIN,
    KEEP_TRUMP,
    LAST_PLAIN,
    LAST_TRUMP,
    LEAD_LONG,
    OTHERS_ADD,
    PAIR_HELD,
    PAIR_HOPED,
    PARTNER_WILL,
    PARTNER_WILL_POINT,
    SUIT_WILL,
    SUIT_WILL_POINT,
    SWAP_CARD,
    TRUMP_WILL,
    TRUMP_WILL_POINT,
    VOID_LEAD,
    WEIGHTS,
    WIN,
    WIN_LAST,
    WIN_TO_SING,
    best_card,
)
from tapete_games.bits import mix
from tapete_games.guinote.engine import deal
from tapete_games.guinote.playout import shuffle
from tapete_games.guinote.settle import play_and_settle
from tapete_games.guinote.state import DECIDE_NOTHING, new_state
from tapete_games.kernel import kernel

PAIRS = 3000  # for each direction
DIRECTIONS = 12  # for each step
DISTURBANCE = 0.5
FIRST_RATE, LAST_RATE = 0.15, 0.01
CHECK_PAIRS, CHECK_SEED = 10_000, 999
# A tute wins the point whatever the points are.
TUTE_POINTS = 100


def first_guess() -> np.ndarray:
    """Returns weights set by hand, the start of every fit."""
    w = np.zeros(WEIGHTS)
    w[KEEP_PLAIN : KEEP_PLAIN + 10] = [0, 0.2, 0.4, 0.6, 0.8, 1, 1, 1, 4, 6]
    w[KEEP_TRUMP : KEEP_TRUMP + 10] = [4, 4.2, 4.4, 4.6, 5, 6, 7, 8, 12, 15]
    w[LAST_PLAIN : LAST_PLAIN + 10] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 2, 3]
    w[LAST_TRUMP : LAST_TRUMP + 10] = [3, 3.2, 3.4, 3.6, 3.8, 4, 4.5, 5, 8, 10]
    w[PAIR_HELD], w[PAIR_HOPED] = 0.8, 0.12
    w[WIN], w[WIN_LAST], w[WIN_TO_SING] = 0.5, 2, 0.5
    w[SUIT_WILL], w[SUIT_WILL_POINT], w[TRUMP_WILL], w[TRUMP_WILL_POINT] = 0.4, 0.06, 0.1, 0.08
    w[PARTNER_WILL], w[PARTNER_WILL_POINT], w[OTHERS_ADD] = 0.3, 0.06, 1.0
    w[SWAP_CARD], w[LEAD_LONG], w[VOID_LEAD] = 6, 0, 0
    return w


@kernel
def duel(
    s: np.record,
    players: int,
    pairs: int,
    seed: int,
    pack: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    differences: np.ndarray,
) -> None:
    """Plays paired deals between two sets of weights.

    Args:
        s: STATE to work in.
        players: 2 or 4.
        pairs: Number of pairs.
        seed: Seed of the deals.
        pack: int64, 40 cells to work in.
        first: float64, WEIGHTS weights.
        second: The other weights.
        differences: float64 (pairs), written: mean difference of points of the two deals, for `first`.
    """
    x = mix(seed)
    for i in range(40):
        pack[i] = i
    for pair in range(pairs):
        x = shuffle(pack, 40, x)
        total = 0
        for side in range(2):
            deal(s, players, pair & (players - 1), 0, 0, pack)
            while s.decision != DECIDE_NOTHING:
                hand = s.hand[s.turn]
                w = first if s.turn & 1 == side else second
                play_and_settle(s, best_card(s, hand, w))
            if s.tute_side >= 0:
                total += TUTE_POINTS if s.tute_side == side else -TUTE_POINTS
            else:
                total += s.points[side] - s.points[1 - side]
        differences[pair] = total * 0.5


def scales() -> np.ndarray:
    """Returns how far each weight is disturbed: points by a point, shares and chances by less."""
    scale = np.ones(WEIGHTS)
    for weight, size in (
        (policy.PAIR_HELD, 0.2),
        (policy.PAIR_HOPED, 0.1),
        (policy.WIN_TO_SING, 0.2),
        (policy.SUIT_WILL, 0.15),
        (policy.SUIT_WILL_POINT, 0.02),
        (policy.TRUMP_WILL, 0.15),
        (policy.TRUMP_WILL_POINT, 0.02),
        (policy.PARTNER_WILL, 0.15),
        (policy.PARTNER_WILL_POINT, 0.02),
        (policy.OTHERS_ADD, 0.5),
    ):
        scale[weight] = size
    return scale


class Fit:
    """A fit under way."""

    def __init__(self, players: int, seed: int) -> None:
        self.players = players
        self.weights = first_guess()
        self.average = self.weights.copy()
        self.steps = 0
        self._rng = np.random.default_rng(seed)
        self._state = new_state()
        self._pack = np.zeros(40, np.int64)
        self._scale = scales()
        self._gradient = np.zeros(WEIGHTS)
        self._square = np.zeros(WEIGHTS)

    def beats(self, first: np.ndarray, second: np.ndarray, pairs: int, seed: int) -> np.ndarray:
        """Returns the differences of points of paired deals, for `first`."""
        differences = np.zeros(pairs)
        duel(self._state, self.players, pairs, seed, self._pack, first, second, differences)
        return differences

    def step(self, done: float) -> None:
        """Makes a step, the shorter the larger the share `done` of the fit."""
        gradient = np.zeros(WEIGHTS)
        for _ in range(DIRECTIONS):
            direction = self._rng.normal(size=WEIGHTS)
            away = DISTURBANCE * self._scale * direction
            seed = int(self._rng.integers(1 << 40))
            gained = self.beats(self.weights + away, self.weights - away, PAIRS, seed).mean()
            gradient += direction * gained / (2 * DISTURBANCE * DIRECTIONS)
        self.steps += 1
        self._gradient = 0.9 * self._gradient + 0.1 * gradient
        self._square = 0.98 * self._square + 0.02 * gradient * gradient
        mean = self._gradient / (1 - 0.9**self.steps)
        size = np.sqrt(self._square / (1 - 0.98**self.steps)) + 1e-3
        rate = FIRST_RATE * (1 - done) + LAST_RATE
        self.weights = self.weights + rate * self._scale * mean / size
        self.average = 0.97 * self.average + 0.03 * self.weights


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--players", type=int, choices=(2, 4), default=4, help="table size (default 4)")
    parser.add_argument("--seed", type=int, default=1, help="seed (default 1)")
    parser.add_argument("--seconds", type=float, default=420, help="length of the fit (default 420)")
    parser.add_argument("--steps", type=int, help="length of the fit in steps, in place of seconds")
    parser.add_argument("--output", type=Path, help="file of the weights (build/weights_4p.npy)")


def run(options: argparse.Namespace) -> None:
    """Fits weights, says now and then how they do, and saves them apart from the frozen ones."""
    fit = Fit(options.players, options.seed)
    start = time.monotonic()
    done = 0.0
    while done < 1:
        fit.step(done)
        done = fit.steps / options.steps if options.steps else (time.monotonic() - start) / options.seconds
        if fit.steps % 25 == 0 or done >= 1:
            gained = Estimate.of(fit.beats(fit.average, first_guess(), CHECK_PAIRS, CHECK_SEED))
            print(
                f"{options.players}p, step {fit.steps}: {gained:+} points a hand over the start", flush=True
            )
    path = options.output or Path("build") / f"weights_{options.players}p.npy"
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, np.round(fit.average, 4))
    frozen = policy.WEIGHTS_OF[options.players // 4]
    gained = Estimate.of(fit.beats(fit.average, frozen, CHECK_PAIRS, CHECK_SEED))
    print(f"{path}: {gained:+} points a hand over the frozen weights")
