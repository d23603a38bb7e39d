"""Who sits together in which deal: a function of the definition alone.

Units are numbered deal by deal, so that any prefix of them is nearly balanced. Two entrants meet in every
pairing of the format. At tables of more than two each deal has one line-up, redrawn: places are filled from
shuffled rounds of all entrants, so that everybody plays as often as everybody else, but for one place.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations

from tapete_tournament.definition import Format, Tournament

__all__ = ["Unit", "count_units", "list_units", "seed_of"]


@dataclass(frozen=True)
class Unit:
    """A deal with all its rotations: what is played, stored and counted as one."""

    number: int
    """From 0."""
    deal: int
    """Number of the deal, from 0; the same number means the same cards."""
    line_up: tuple[int, ...]
    """Entrant at each position; in rotation r, position p sits where p + r did."""


def seed_of(bits: int, *parts: object) -> int:
    """Returns a seed that is a function of the parts, the first of which says what it is for."""
    digest = blake2b("/".join(map(str, parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> (64 - bits)


def _pairings(tournament: Tournament) -> list[tuple[int, ...]]:
    pairs = list(combinations(range(len(tournament.bots)), 2))
    return [pair for pair in pairs if tournament.format == Format.ROUND_ROBIN or pair[0] == 0]


def count_units(tournament: Tournament) -> int:
    """Returns the number of units."""
    return tournament.deals * (len(_pairings(tournament)) if tournament.positions == 2 else 1)


def list_units(tournament: Tournament) -> Iterator[Unit]:
    """Yields all units in order."""
    number = 0
    if tournament.positions == 2:
        pairings = _pairings(tournament)
        for deal in range(tournament.deals):
            for line_up in pairings:
                yield Unit(number, deal, line_up)
                number += 1
        return
    for deal, line_up in enumerate(_redrawn(tournament)):
        yield Unit(deal, deal, line_up)


def _redrawn(tournament: Tournament) -> Iterator[tuple[int, ...]]:
    """Yields the line-up of each deal at a table of more than two."""
    fixed = (0,) if tournament.format == Format.GAUNTLET else ()
    drawn = [i for i in range(len(tournament.bots)) if i not in fixed]
    size = tournament.positions - len(fixed)
    generator = random.Random(seed_of(64, "line-ups", tournament.seed))
    waiting: list[int] = []
    for _ in range(tournament.deals):
        line_up: list[int] = []
        while len(line_up) < size:
            if not waiting:
                waiting = generator.sample(drawn, len(drawn))
            # Nobody sits twice at a table that could have somebody else.
            new = next((i for i in waiting if i not in line_up), waiting[0] if len(drawn) < size else None)
            if new is None:
                extra = generator.sample(drawn, len(drawn))
                new = next(i for i in extra if i not in line_up)
                extra.remove(new)
                waiting += extra
            else:
                waiting.remove(new)
            line_up.append(new)
        yield fixed + tuple(line_up)
