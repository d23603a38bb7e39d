"""Whole matches of Guiñote as golden records: any change of the rules or of the record shows as a difference.

`python -m tests.games.guinote_golden` writes them anew.
"""

import random
from pathlib import Path

from tapete_games.guinote import Malas, Match, Rules, record_of, shuffled_pack, write_record
from tapete_games.guinote.state import PASS, SING

FOLDER = Path(__file__).parent / "golden"
MATCHES = {
    "guinote_2p.txt": (2, Rules(points_per_coto=2), 194),
    "guinote_4p.txt": (
        4,
        Rules(partner_relief=True, cante_per_member=True, malas=Malas.OFF, points_per_coto=2),
        9,
    ),
}


def make(name: str) -> str:
    """Plays a match at random, announcing and swapping more often than not, and writes it down."""
    players, rules, seed = MATCHES[name]
    # random() is the part of the generator that Python promises to keep.
    rng = random.Random(seed)
    match = Match(rules, players, dealer=players - 1)
    while match.winner is None:
        deal = match.new_deal(shuffled_pack(seed + len(match.deals)))
        while not deal.is_over:
            legal = deal.legal_moves()
            special = [move for move in legal if SING <= move < PASS]
            options = special if special and rng.random() < 0.6 else legal
            deal.play(options[int(rng.random() * len(options))])
        match.finish(deal)
    names = [f"player {seat}" for seat in range(players - 1)]
    return write_record(record_of(match, [*names, "random@1"], seed))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file_name in MATCHES:
        (FOLDER / file_name).write_text(make(file_name), encoding="utf-8")
