"""The decisions of frozen bots as digests: an id never changes its play without a new version.

`python -m tests.bots.frozen_decisions heuristic@1` writes the digests of a bot anew, before its version is
released; afterwards the file stays as it is.
"""

import hashlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from tapete_bots.bot import Budget, Control
from tapete_bots.registry import find_bot
from tapete_games.guinote import Deal, Malas, Rules
from tapete_games.guinote.state import PASS, SING
from tapete_games.position import Position
from tests.bots.guinote_situations import position_of

BUDGET = Budget(iterations=50)
FOLDER = Path(__file__).parent / "frozen"
SIZES = (1_000, 10_000)
"""Decisions that a digest covers: the first so many."""


class Chance:
    """Random choices by `random()` alone: the part of Python's generator that it promises to keep."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def below(self, n: int) -> int:
        return int(self._random() * n)

    def is_likely(self, chance: float) -> bool:
        return self._random() < chance


def _deal(chance: Chance) -> Deal:
    """Deals at random, under random rules, often in vueltas."""
    pack = list(range(40))
    for i in range(39, 0, -1):
        j = chance.below(i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    players = 2 + 2 * chance.below(2)
    vueltas = None
    if chance.is_likely(0.3):
        even = 50 + chance.below(51)
        vueltas = even, 150 - even
    rules = Rules.of_flags(chance.below(32), Malas(chance.below(3)))
    return Deal(rules, players, chance.below(players), pack, vueltas=vueltas)


def positions(count: int) -> Iterator[Position]:
    """Yields so many decisions, always the same ones, each with a choice to make."""
    chance = Chance(1)
    while True:
        deal = _deal(chance)
        while not deal.is_over:
            legal = deal.legal_moves()
            if len(legal) > 1:
                yield position_of(deal)
                count -= 1
                if count == 0:
                    return
            # Announcements and swaps are made more often than not, so that what they show is seen too.
            special = [move for move in legal if SING <= move < PASS]
            options = special if special and chance.is_likely(0.6) else legal
            deal.play(options[chance.below(len(options))])


def digests(bot_id: str, most: int = SIZES[-1]) -> dict[int, str]:
    """Returns the sha256 of the moves of a bot, one byte each, for each of the sizes.

    A bot that searches is given 50 iterations, one that draws the seed 0.
    """
    bot = find_bot(bot_id)
    digest = hashlib.sha256()
    found = {}
    for number, position in enumerate(positions(most), 1):
        digest.update(bytes([bot.choose(position, BUDGET, 0, Control()).move]))
        if number in SIZES:
            found[number] = digest.hexdigest()
    return found


def path_of(bot_id: str) -> Path:
    return FOLDER / f"{bot_id.replace('@', '_')}.sha256"


def read(bot_id: str) -> dict[int, str]:
    """Reads the committed digests."""
    lines = path_of(bot_id).read_text(encoding="ascii").splitlines()
    return {int(size): digest for digest, size in map(str.split, lines)}


def write(bot_id: str) -> None:
    """Writes the digests."""
    lines = [f"{digest} {size}\n" for size, digest in digests(bot_id).items()]
    path_of(bot_id).write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(name)
