"""The decisions of frozen bots as digests: an id never changes its play without a new version.

`python -m tests.bots.frozen_decisions guinote heuristic@1` writes the digests of a bot anew, before its
version is released; afterwards the file stays as it is.
"""

import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tapete.v1 import Game
from tapete_bots.bot import Budget, Control
from tapete_bots.registry import find_bot
from tapete_games.guinote import Deal, Malas, Rules
from tapete_games.guinote.state import PASS, SING
from tapete_games.position import Position
from tests.bots import gile_situations
from tests.bots.chance import Chance
from tests.bots.guinote_situations import position_of

BUDGET = Budget(iterations=50)
FOLDER = Path(__file__).parent / "frozen"
SIZES = (1_000, 10_000)
"""Decisions that a digest covers: the first so many."""


def _deal(chance: Chance) -> Deal:
    """Deals at random, under random rules, often in vueltas."""
    pack = chance.shuffled(40)
    players = 2 + 2 * chance.below(2)
    vueltas = None
    if chance.is_likely(0.3):
        even = 50 + chance.below(51)
        vueltas = even, 150 - even
    rules = Rules.of_flags(chance.below(32), Malas(chance.below(3)))
    return Deal(rules, players, chance.below(players), pack, vueltas=vueltas)


def gile_positions(count: int) -> Iterator[Position]:
    """Yields so many decisions of Gilé, always the same ones."""
    return map(gile_situations.position_of, gile_situations.samples(count))


def positions(count: int) -> Iterator[Position]:
    """Yields so many decisions of Guiñote, always the same ones, each with a choice to make."""
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


def digests(bot_id: str, most: int = SIZES[-1], game: "Game.ValueType" = Game.GAME_GUINOTE) -> dict[int, str]:
    """Returns the sha256 of the moves of a bot, for each of the sizes.

    A bot that searches is given 50 iterations, one that draws the seed 0. A move of Guiñote is one byte, one
    of Gilé eight, the lowest first.
    """
    bot = find_bot(bot_id, game)
    digest = hashlib.sha256()
    found = {}
    size = 1 if game == Game.GAME_GUINOTE else 8
    for number, position in enumerate((positions if size == 1 else gile_positions)(most), 1):
        digest.update(bot.choose(position, BUDGET, 0, Control()).move.to_bytes(size, "little"))
        if number in SIZES:
            found[number] = digest.hexdigest()
    return found


def path_of(bot_id: str, game: "Game.ValueType") -> Path:
    name = re.sub("[@?=]", "_", bot_id)
    return FOLDER / ("gile" if game == Game.GAME_GILE else ".") / f"{name}.sha256"


def read(bot_id: str, game: "Game.ValueType" = Game.GAME_GUINOTE) -> dict[int, str]:
    """Reads the committed digests."""
    lines = path_of(bot_id, game).read_text(encoding="ascii").splitlines()
    return {int(size): digest for digest, size in map(str.split, lines)}


def write(bot_id: str, game: "Game.ValueType") -> None:
    """Writes the digests."""
    lines = [f"{digest} {size}\n" for size, digest in digests(bot_id, game=game).items()]
    path_of(bot_id, game).write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    for name in sys.argv[2:]:
        write(name, Game.Value(f"GAME_{sys.argv[1].upper()}"))
