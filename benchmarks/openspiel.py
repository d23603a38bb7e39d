"""The search beside OpenSpiel's ISMCTS, C++ and Python, in the same run.

OpenSpiel has no Guiñote. Its nearest game is Oh Hell: here 40 cards, 4 players, 9 tricks, searched from the
first card on, after the bidding (36 plies to come); ours is a hand of 4 players from its first card (40
plies). All with random rollouts; ours with the rollouts of the default bot too, and whole
answers. Times are CPU time of the
thread; repetitions take turns.
"""

import argparse
import random
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import version
from statistics import median
from typing import Any

import numpy as np

from benchmarks.speed import seconds, start_position
from tapete_bots.bot import Budget, Control
from tapete_bots.registry import find_bot

GAME = "oh_hell(players=4,num_suits=4,num_cards_per_suit=10,num_tricks_fixed=9)"
# Iterations of a search: the same for both fast ones, since a deeper tree takes longer an iteration.
OURS, CPP, PYTHON = 20_000, 20_000, 2_000
STARTS = 3


def _start(game: Any, seed: int) -> Any:
    """Deals and bids at random; the first card is to be played."""
    generator = random.Random(seed)
    state = game.new_initial_state()
    while state.is_chance_node() or state.move_number() < _BEFORE_PLAY:
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(generator.choices(actions, chances)[0])
        else:
            state.apply_action(generator.choice(state.legal_actions()))
    return state


# Number of tricks, dealer, 36 cards, the card turned up, four bids.
_BEFORE_PLAY = 1 + 1 + 36 + 1 + 4


def searches(states: list[Any], game: Any) -> dict[str, tuple[int, list[Callable[[], object]]]]:
    """Returns the searches by name: iterations of each, and one for each start."""
    pyspiel = import_module("pyspiel")
    ismcts = import_module("open_spiel.python.algorithms.ismcts")
    mcts = import_module("open_spiel.python.algorithms.mcts")
    cpp = pyspiel.ISMCTSBot(7, pyspiel.RandomRolloutEvaluator(1, 7), 0.7, CPP)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(7))
    python = ismcts.ISMCTSBot(game, evaluator, 0.7, PYTHON, random_state=np.random.RandomState(7))
    positions = [start_position(4, seed) for seed in range(STARTS)]

    def of(bot: Any) -> list[Callable[[], object]]:
        return [partial(bot.step, state) for state in states]

    def ours(bot_id: str) -> list[Callable[[], object]]:
        bot = find_bot(bot_id)
        return [partial(bot.choose, position, Budget(OURS), 7, Control()) for position in positions]

    return {
        "`ismcts?rollout=random`, Guiñote": (OURS, ours("ismcts?rollout=random")),
        "`ismcts`, Guiñote": (OURS, ours("ismcts")),
        "OpenSpiel C++, Oh Hell": (CPP, of(cpp)),
        "OpenSpiel Python, Oh Hell": (PYTHON, of(python)),
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--times", type=int, default=5, help="repetitions of each (default 5)")


def run(options: argparse.Namespace) -> None:
    """Prints the table."""
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        print("OpenSpiel is not installed: it comes with the extra `bench` (`make bench`).")
        return
    game = pyspiel.load_game(GAME)
    works = searches([_start(game, seed) for seed in range(STARTS)], game)
    took: dict[str, list[float]] = {name: [] for name in works}
    for bots in (searches for _, searches in works.values()):
        bots[0]()
    for _ in range(options.times):
        for name, (_, bots) in works.items():
            took[name].append(sum(seconds(work) for work in bots))
    rates = {name: works[name][0] * STARTS / median(took[name]) for name in works}
    cpp = rates["OpenSpiel C++, Oh Hell"]
    print(f"OpenSpiel {version('open_spiel')}, {GAME}\n")
    print("| 4 players | iterations a second | over OpenSpiel's C++ |\n|---|---|---|")
    for name, rate in rates.items():
        print(f"| {name} | {rate:,.0f} | {rate / cpp:,.2f} |")
