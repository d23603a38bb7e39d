"""Fairness and reproducibility: hidden cards never matter, and the same request gives the same bytes.

Hidden cards are permuted in the referee's *state*, in front of everything that makes a view: the view is
then made, sent, read and answered anew. Decisions come from biased deals of 2 and 4 players over all
switches; in the windows of swapping and announcing every seat is asked.
"""

import argparse
import copy
import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks.table import seed_of
from tapete.v1 import Budget as WireBudget
from tapete.v1 import ChooseMoveRequest, GameView
from tapete_bots.bot import Answer, Budget, Control
from tapete_bots.guinote import search, worlds
from tapete_bots.registry import find_bot
from tapete_games.guinote import Deal
from tapete_games.guinote.state import DECIDE_PLAY, make_view, new_state, new_view
from tapete_games.wire import read_position
from tests.bots.guinote_situations import permute_hidden, samples
from tests.bots.guinote_worlds_checker import contradictions, explains
from tests.server.rig import Process, server_process

# The chance that a decision of a deal is taken, so that positions of many deals come together.
CHANCE = 0.2
PER_POSITION = 500
OTHERS = 1000
BOTS = (
    "random",
    "heuristic",
    "heuristic?endgame=exact",
    "ismcts?iterations=100",
    "ismcts?iterations=100&rollout=random",
    "ismcts?iterations=100&endgame=off",
)


def questions(count: int) -> Iterator[tuple[Deal, int]]:
    """Yields so many decisions with the seat that is asked; in a window, with each seat."""
    for deal in samples(count, CHANCE):
        seats = [deal.asked] if deal.decision == DECIDE_PLAY else range(deal.players)
        for seat in seats:
            yield deal, seat


def permuted(deal: Deal, seat: int, generator: random.Random) -> tuple[Deal, int]:
    """Returns the deal with the cards that a seat cannot see permuted, and how many have moved."""
    other = copy.deepcopy(deal)
    moved = permute_hidden(other.state, seat, generator)
    return other, moved


def view_of(deal: Deal, seat: int) -> bytes:
    """Writes the view of a seat."""
    return GameView(guinote=deal.view(seat)).SerializeToString(deterministic=True)


def answer_of(view: bytes, bot: str) -> Answer:
    """Reads a view and asks a bot."""
    position = read_position(GameView.FromString(view))
    return find_bot(bot).choose(position, Budget(), 7, Control())


def count_changes(count: int) -> Counter[str]:
    """Asks every bot before and after a permutation, in this process."""
    counts: Counter[str] = Counter()
    generator = random.Random(seed_of(64, "permutations"))
    for deal, seat in questions(count):
        other, moved = permuted(deal, seat, generator)
        counts["questions"] += 1
        counts["cards moved"] += moved
        before, after = view_of(deal, seat), view_of(other, seat)
        counts["views changed"] += before != after
        for bot in BOTS:
            counts["answers"] += 1
            counts["answers changed"] += answer_of(before, bot) != answer_of(after, bot)
    return counts


# --- through a server ---------------------------------------------------------------------------


def request_of(view: bytes, bot: str) -> bytes:
    """Writes a request for a move."""
    message = ChooseMoveRequest(view=GameView.FromString(view), bot=bot, seed=7)
    if bot == "ismcts":
        message.budget.CopyFrom(WireBudget(iterations=100))
    return message.SerializeToString(deterministic=True)


def ask(server: Process, requests: list[bytes], callers: int) -> list[bytes]:
    """Asks a server for all replies, by some callers at once."""
    call: Any = server.channel.unary_unary("/tapete.v1.BotService/ChooseMove")
    with ThreadPoolExecutor(callers) as executor:
        return list(executor.map(call, requests))


def count_served(count: int) -> Counter[str]:
    """Asks real servers in processes of their own; compares replies byte by byte."""
    counts: Counter[str] = Counter()
    generator = random.Random(seed_of(64, "served"))
    bots = ("random", "heuristic", "ismcts")
    before, after = [], []
    for i, (deal, seat) in enumerate(questions(count)):
        other, moved = permuted(deal, seat, generator)
        counts["cards moved"] += moved
        before.append(request_of(view_of(deal, seat), bots[i % 3]))
        after.append(request_of(view_of(other, seat), bots[i % 3]))
    strangers = [
        request_of(view_of(deal, deal.asked), bots[i % 3])
        for i, deal in enumerate(samples(OTHERS, CHANCE, 10_000))
    ]
    with server_process("port=0, threads=1, log_calls=False") as server:
        first = ask(server, before, 1)
        counts["replies"] = len(first)
        counts["replies changed by permuting"] = differing(first, ask(server, after, 1))
    for threads in (1, 2):
        with server_process(f"port=0, threads={threads}, log_calls=False") as server:
            replies = ask(server, before, 4)
            counts[f"replies changed by a new process, {threads} thread{'s' * (threads > 1)}"] = differing(
                first, replies
            )
            ask(server, strangers, 4)
            again = ask(server, before, 4)
            name = f"replies changed by {OTHERS} other requests, {threads} thread{'s' * (threads > 1)}"
            counts[name] = differing(first, again)
    return counts


def differing(a: list[bytes], b: list[bytes]) -> int:
    """Counts the places at which two lists differ."""
    return sum(x != y for x, y in zip(a, b, strict=True))


# --- sampled worlds -----------------------------------------------------------------------------


def count_contradictions(count: int, replayed: int) -> Counter[str]:
    """Samples deals from views, and judges them; the first ones by replaying the whole deal as well."""
    counts: Counter[str] = Counter()
    view, base, world, prepared = new_view(), new_state(), new_state(), worlds.new_worlds()
    for number, (deal, seat) in enumerate(questions(count // PER_POSITION)):
        make_view(deal.state, seat, view)
        ways = worlds.prepare(view, base, prepared)
        assert ways > 0
        counts["views"] += 1
        counts["views with cards that a seat has shown not to hold"] += bool(prepared.has_voids)
        counts["sampled deals"] += PER_POSITION
        counts["contradictions"] += int(
            contradictions(view, base, prepared, world, PER_POSITION, search.seed_state(number))
        )
        # only the seat that is really asked is asked again when another deal is replayed
        if seat == deal.asked and counts["sampled deals replayed"] < replayed:
            random_state = search.seed_state(~number)
            for _ in range(5):
                random_state = worlds.sample(world, base, prepared, random_state)
                counts["sampled deals replayed"] += 1
                counts["sampled deals that do not replay to the view"] += not explains(deal, seat, world)
    return counts


# --- printing -----------------------------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--decisions", type=int, default=500, help="decisions in this process (default 500)")
    parser.add_argument("--served", type=int, default=200, help="decisions through a server (default 200)")
    parser.add_argument("--worlds", type=int, default=100_000, help="deals sampled (default 100000)")
    parser.add_argument("--replayed", type=int, default=500, help="sampled deals replayed (default 500)")


def run(options: argparse.Namespace) -> None:
    """Prints the counts."""
    parts = (
        ("in this process", count_changes, (options.decisions,)),
        ("through servers", count_served, (options.served,)),
        ("sampled deals", count_contradictions, (options.worlds, options.replayed)),
    )
    for name, count, arguments in parts:
        print(f"| {name} | |\n|---|---|")
        for what, number in count(*arguments).items():
            print(f"| {what} | {number:,} |")
        print(flush=True)
