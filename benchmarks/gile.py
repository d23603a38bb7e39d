"""Gilé: speed of kernel and search, self-play through the wire, hidden cards moved.

python -m benchmarks gile speed [--pokerkit]   # hands a second, iterations a second
python -m benchmarks gile selfplay --hands N   # through referee and wire, for faults
python -m benchmarks gile fairness --decisions N
python -m benchmarks gile served --decisions N # the same through real servers, byte by byte
"""

import argparse
import copy
import time
from collections import Counter

import numpy as np

from benchmarks.fairness import ask, differing
from benchmarks.table import seed_of
from tapete.v1 import ChooseMoveRequest, Game, GameView
from tapete_bots.bot import Budget, Control
from tapete_bots.registry import find_bot
from tapete_games.bits import below, next_random
from tapete_games.gile import Deal, Limit, Rules, shuffled_pack
from tapete_games.gile.engine import apply, deal, greatest_total, least_total
from tapete_games.gile.state import (
    BET,
    CALL,
    CARDS,
    CHECK,
    DECIDE_DISCARD,
    DECIDE_NOTHING,
    DISCARD,
    FOLD,
    RAISE,
    STATE,
)
from tapete_games.kernel import kernel
from tapete_games.wire import is_legal, read_position
from tests.bots.chance import Chance
from tests.bots.gile_situations import permute_hidden, position_of, position_of_state, samples
from tests.server.rig import server_process

BOTS = (
    "random",
    "heuristic",
    "heuristic?style=tight",
    "heuristic?style=loose",
    "heuristic?style=aggressive",
    "heuristic?style=station",
    "ismcts?iterations=50",
    "ismcts?iterations=50&belief=uniform",
    "equilibrium",
)
STACKS = (1, 2, 5, 20, 60, 100, 100, 300)


# --- speed --------------------------------------------------------------------------------------


@kernel
def play_random(states: np.ndarray, seats: int, hands: int, pack: np.ndarray, stack: np.ndarray) -> int:
    """Plays hands of random legal actions; returns how many decisions they had."""
    s = states[0]
    x = np.int64(1)
    decisions = 0
    for hand in range(hands):
        for i in range(CARDS - 1, 0, -1):
            x = next_random(x)
            j = below(x, i + 1)
            pack[i], pack[j] = pack[j], pack[i]
        deal(s, stack, seats, hand % seats, 0, 0, 1, 1, 3, pack, hand)
        while s.decision != DECIDE_NOTHING:
            decisions += 1
            x = next_random(x)
            if s.decision == DECIDE_DISCARD:
                cards = 0
                places = below(x, 16)
                rest = s.hand[s.turn]
                while rest:
                    low = rest & -rest
                    if places & 1:
                        cards |= low
                    places >>= 1
                    rest ^= low
                apply(s, DISCARD | cards)
                continue
            to_call = s.level - s.staked[s.turn]
            least = least_total(s)
            kind = below(x, (2 if to_call else 1) + (1 if least else 0))
            if kind == 0:
                apply(s, CALL if to_call else CHECK)
            elif kind == 1 and to_call:
                apply(s, FOLD)
            else:
                x = next_random(x)
                total = least if below(x, 4) else greatest_total(s)
                apply(s, (RAISE if s.level else BET) | total)
    return decisions


def measure_speed(*, with_pokerkit: bool) -> None:
    """Prints hands and iterations a second."""
    states = np.zeros(1, STATE)
    stack = np.full(5, 100, np.int64)
    play_random(states, 5, 1, np.arange(CARDS), stack)
    kernel_hands = 0.0
    for seats in (2, 3, 4, 5):
        best = min(_seconds(states, seats, stack) for _ in range(3))
        kernel_hands = 100_000 / best
        print(f"{seats} seats: {kernel_hands:,.0f} random hands a second")
    if with_pokerkit:
        hands = pokerkit_hands(300)
        print(f"PokerKit, five-card draw of 5 seats, no limit: {hands:,.0f} random hands a second")
        print(f"the kernel is {kernel_hands / hands:,.0f} times as fast")
    for seats in (2, 5):
        bot = find_bot("ismcts", Game.GAME_GILE)
        table = Deal(Rules(), (100,) * seats, seats - 1, shuffled_pack(1))
        position = read_position(GameView(gile=table.view()))
        bot.choose(position, Budget(iterations=1_000), 0, Control())
        began = time.perf_counter()
        bot.choose(position, Budget(iterations=200_000), 0, Control())
        rate = 200_000 / (time.perf_counter() - began)
        print(f"ismcts, {seats} seats, first bet: {rate:,.0f} iterations a second")
    samples = [_random_view(number) for number in range(400)]
    began = time.perf_counter()
    for view in samples:
        read_position(view)
    print(f"a view is read and checked in {(time.perf_counter() - began) / len(samples) * 1e6:,.0f} µs")


def _seconds(states: np.ndarray, seats: int, stack: np.ndarray) -> float:
    began = time.perf_counter()
    play_random(states, seats, 100_000, np.arange(CARDS), stack)
    return time.perf_counter() - began


def pokerkit_hands(hands: int) -> float:
    """Returns the random hands a second of PokerKit's no-limit five-card draw with five seats."""
    import random  # noqa: PLC0415

    from pokerkit import Automation, NoLimitDeuceToSevenLowballSingleDraw  # noqa: PLC0415 - of the dev extra

    automations = tuple(a for a in Automation if a is not Automation.RUNOUT_COUNT_SELECTION)
    chance = random.Random(1)
    began = time.perf_counter()
    for _ in range(hands):
        state = NoLimitDeuceToSevenLowballSingleDraw.create_state(automations, True, 1, (1, 2), 2, 100, 5)
        while state.status:
            if state.can_stand_pat_or_discard():
                state.stand_pat_or_discard(
                    state.hole_cards[state.stand_patter_or_discarder_index][: chance.randrange(5)]
                )
                continue
            options = [state.check_or_call]
            if state.can_fold():
                options.append(state.fold)
            if state.can_complete_bet_or_raise_to():
                options.append(state.complete_bet_or_raise_to)
            chance.choice(options)()
    return hands / (time.perf_counter() - began)


# --- self-play ----------------------------------------------------------------------------------


def random_deal(number: int) -> Deal:
    """Deals at random: 2 to 5 seats, all limits and switches, stacks from one chip up."""
    chance = np.random.default_rng(seed_of(63, "gile", number))
    seats = int(chance.integers(2, 6))
    rules = Rules(
        limit=Limit(int(chance.integers(3))),
        suit_rank=bool(chance.integers(2)),
        ante=int(chance.integers(4)),
        minimum_bet=int(chance.integers(1, 4)),
        void_deals=int(chance.integers(1, 5)),
    )
    stacks = [int(chance.choice(STACKS)) for _ in range(seats)]
    return Deal(rules, stacks, int(chance.integers(seats)), shuffled_pack(number), number)


def _random_view(number: int) -> GameView:
    """A view some way into a deal of heuristics."""
    bot = find_bot("heuristic", Game.GAME_GILE)
    table = random_deal(number)
    view = GameView(gile=table.view())
    for step in range(number % 12):
        if table.is_over:
            break
        view = GameView(gile=table.view())
        table.play(bot.choose(read_position(view), Budget(), step, Control()).move)
    return view


def self_play(first: int, hands: int) -> Counter[str]:
    """Plays hands of mixed bots through referee and wire; returns what happened."""
    counts: Counter[str] = Counter()
    for number in range(first, first + hands):
        table = random_deal(number)
        bots = [BOTS[seed_of(32, "bot", number, seat) % len(BOTS)] for seat in range(len(table.stacks))]
        moves = 0
        while not table.is_over:
            data = GameView(gile=table.view()).SerializeToString()
            position = read_position(GameView.FromString(data))
            counts["wrong legal moves"] += list(position.legal_moves) != table.legal_moves()
            bot = find_bot(bots[table.asked], Game.GAME_GILE)
            move = bot.choose(position, Budget(), seed_of(32, "move", number, moves), Control()).move
            counts["illegal moves"] += not is_legal(position, move)
            table.play(move)
            moves += 1
        counts["hands"] += 1
        counts["decisions"] += moves
        counts["chips lost or found"] += sum(table.chips) != sum(table.stacks)
        counts["void deals"] += int(table.state.voids)
        counts["hands with a renewed stock"] += int(table.state.renewals > 0)
        counts["hands with an all-in"] += any(
            chips == 0 and stack for chips, stack in zip(table.chips, table.stacks, strict=True)
        )
    return counts


# --- fairness -----------------------------------------------------------------------------------


def fairness(decisions: int) -> Counter[str]:
    """Moves what the seat in turn cannot see, makes the view anew, and asks again."""
    counts: Counter[str] = Counter()
    chance = Chance(1)
    for number, table in enumerate(samples(decisions, 101)):
        bot = find_bot(BOTS[number % len(BOTS)], Game.GAME_GILE)
        before = bot.choose(position_of(table), Budget(), number, Control())
        state = table.state.copy()
        counts["hidden cards moved"] += permute_hidden(state, chance)
        after = bot.choose(position_of_state(state, table.rules), Budget(), number, Control())
        counts["questions"] += 1
        counts["answers changed"] += before != after
    return counts


def request_of(table: Deal, number: int) -> bytes:
    """Writes the question of the seat in turn, to one bot after the other."""
    bot = BOTS[number % len(BOTS)]
    message = ChooseMoveRequest(view=GameView(gile=table.view()), bot=bot, seed=number)
    return message.SerializeToString(deterministic=True)


def served(decisions: int) -> Counter[str]:
    """Asks real servers in processes of their own; compares replies byte by byte."""
    counts: Counter[str] = Counter()
    chance = Chance(2)
    before, after = [], []
    for number, table in enumerate(samples(decisions, 202)):
        before.append(request_of(table, number))
        other = copy.deepcopy(table)
        counts["hidden cards moved"] += permute_hidden(other.state, chance)
        after.append(request_of(other, number))
    with server_process("port=0, threads=1, log_calls=False") as server:
        first = ask(server, before, 1)
        counts["replies"] = len(first)
        counts["replies changed by permuting"] = differing(first, ask(server, after, 1))
    for threads in (1, 2):
        with server_process(f"port=0, threads={threads}, log_calls=False") as server:
            strange = ask(server, before[::-1], 4)[::-1]
            name = f"replies changed by a new process, another order, threads={threads}, 4 callers"
            counts[name] = differing(first, strange)
    return counts


# --- the command --------------------------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("what", choices=("speed", "selfplay", "fairness", "served"))
    parser.add_argument("--pokerkit", action="store_true", help="compare with PokerKit (dev extra)")
    parser.add_argument("--hands", type=int, default=2_000, help="hands of self-play (default 2000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first hand (default 0)")
    parser.add_argument("--decisions", type=int, default=2_000, help="questions of fairness (default 2000)")


def run(options: argparse.Namespace) -> None:
    """Runs one of the four."""
    if options.what == "speed":
        measure_speed(with_pokerkit=options.pokerkit)
        return
    if options.what == "selfplay":
        counts = self_play(options.first, options.hands)
    else:
        counts = (fairness if options.what == "fairness" else served)(options.decisions)
    for name, count in counts.items():
        print(f"{name}: {count:,}")
