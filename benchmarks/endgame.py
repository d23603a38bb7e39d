"""Regret of the exact second phase of two players, against a brute-force checker.

The checker (tests/bots/endgame_checker.py) is plain minimax over the referee's engine: every legal move of
every decision, no pruning, no table. Endings have two to six cards a hand, half of them six; half are of
vueltas, over all switches and malas. The solver's value of each legal move must be the checker's, and the
regret is what the move that it would play loses by the checker: in millionths of the probability of
winning the point, and in points among moves of the same probability.
"""

import argparse
import multiprocessing
import random
import time

import numpy as np

from benchmarks.table import seed_of
from tapete_bots.guinote import endgame
from tapete_games.guinote import Deal, Malas, Rules, move_list, shuffled_pack
from tapete_games.guinote.engine import apply
from tapete_games.guinote.state import TUTE, copy_state, make_view, new_view
from tests.bots.endgame_checker import minimax, new_states

BLOCK = 200
SEED = 1


def random_ending(generator: random.Random) -> np.record | None:
    """Plays a deal at random until an ending is reached; None if it is over before."""
    rules = Rules.of_flags(generator.randrange(32), Malas(generator.randrange(3)))
    vueltas = None
    if generator.random() < 0.5:
        both = generator.choice((130, 150, 170, 190))
        own = generator.randrange(both - 100, 101)
        vueltas = (own, both - own)
    cards = shuffled_pack(generator.getrandbits(64))
    deal = Deal(rules, 2, generator.randrange(2), cards, vueltas=vueltas)
    left = generator.choice((12, 12, 12, 12, 12, 11, 10, 9, 7, 5))
    while not deal.is_over:
        held = deal.hand(0).bit_count() + deal.hand(1).bit_count()
        if held <= left and deal.state.stock_size == 0:
            return deal.state
        moves = deal.legal_moves()
        deal.play(generator.choice([move for move in moves if move != TUTE] or moves))
    return None


def ending(number: int) -> np.record:
    """Returns an ending that is a function of its number."""
    attempt = 0
    while True:
        found = random_ending(random.Random(seed_of(64, "ending", SEED, number, attempt)))
        if found is not None:
            return found
        attempt += 1


def check_block(block: int) -> tuple[int, int, float, float]:
    """Checks a block of endings.

    Returns:
        Moves valued otherwise than by the checker, moves played with regret, the largest regret in the
        units of the solver, seconds spent in the solver.
    """
    states = new_states()
    view = new_view()
    game, table, values = endgame.new_game(), endgame.new_table(), np.zeros(47, np.int64)
    differing = regretted = 0
    largest = took = 0.0
    for number in range(block * BLOCK, (block + 1) * BLOCK):
        state = ending(number)
        make_view(state, state.asked, view)
        if number == block * BLOCK:  # compiled or loaded before it is timed
            endgame.solve(view, game, table, values)
        start = time.thread_time()
        moves = move_list(endgame.solve(view, game, table, values))
        took += time.thread_time() - start
        sign = 1 if view.seat == 0 else -1
        truth = {}
        for move in moves:
            copy_state(states[0], state)
            apply(states[0], move)
            truth[move] = sign * int(minimax(states, 0))
            differing += truth[move] != sign * int(values[move])
        played = max(moves, key=lambda move: sign * int(values[move]))
        regret = max(truth.values()) - truth[played]
        regretted += regret != 0
        largest = max(largest, regret)
    return differing, regretted, largest, took


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--endings", type=int, default=2000, help="endings, in all (default 2000)")
    parser.add_argument("--workers", type=int, default=1, help="processes (default 1)")


def run(options: argparse.Namespace) -> None:
    """Prints the counts."""
    context = multiprocessing.get_context("spawn")
    blocks = -(-options.endings // BLOCK)
    with context.Pool(options.workers) as pool:
        found = pool.map(check_block, range(blocks), 1)
    differing, regretted, largests, took = zip(*found, strict=True)
    done = blocks * BLOCK
    print(
        f"{done:,} endings: {sum(differing)} moves valued otherwise than by the checker, "
        f"{sum(regretted)} moves played with regret, largest regret "
        f"{max(largests) / endgame.SCALE:.2f} millionths; solver {sum(took) / done * 1e6:.0f} µs an ending"
    )
