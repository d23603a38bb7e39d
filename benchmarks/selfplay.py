"""Self-play through the referee and the wire, for faults: illegal moves, refused views, crashes.

Whole cotos with 2 and 4 players; each has its own rules (all 32 sets of switches, the three malas, 1 to 3
points to the coto) and each seat its own bot. Every view travels as bytes and is read and checked; in the
windows of swapping and announcing every seat's view is. Finished chunks are kept in a file, so that a run
that was killed goes on.
"""

import argparse
import random
import sys
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.ledger import Ledger, finish
from benchmarks.table import seed_of
from tapete.v1 import GameView
from tapete_bots.bot import Budget, Control
from tapete_bots.registry import find_bot
from tapete_games.errors import IllegalMoveError, ViewError
from tapete_games.guinote import Deal, Malas, Match, Rules, shuffled_pack
from tapete_games.guinote.state import DECIDE_PLAY, POINTS, SWAP
from tapete_games.wire import read_position

SEED = 1
COTOS = 20  # a chunk
BOTS = (
    "random",
    "heuristic",
    "heuristic?endgame=exact",
    "ismcts?iterations=50",
    "ismcts?iterations=50&rollout=random",
    "ismcts?iterations=50&endgame=off",
)
FAULTS = ("illegal moves", "refused views", "wrong legal moves", "wrong sums", "endless points", "crashes")
COUNTS = (
    "hands",
    "hands of 2 players",
    "hands of 4 players",
    "hands played to the end: cards + last ten = 130",
    "hands cut short: cards won + cards not played = 120",
    "points",
    "points with vueltas",
    "cotos",
    "decisions",
    "views read",
    "swaps",
    "cantes",
    "tutes",
)


def ask(deal: Deal, bot: str, seed: int, counts: Counter[str]) -> int:
    """Asks a bot through the wire; in a window the other seats' views are read too."""
    seats = [deal.asked]
    if deal.decision != DECIDE_PLAY:
        seats += [seat for seat in range(deal.players) if seat != deal.asked]
    positions = []
    for seat in seats:
        counts["views read"] += 1
        message = GameView(guinote=deal.view(seat)).SerializeToString()
        positions.append(read_position(GameView.FromString(message)))
    if list(positions[0].legal_moves) != deal.legal_moves():
        counts["wrong legal moves"] += 1
    return find_bot(bot).choose(positions[0], Budget(), seed, Control()).move


def check_sums(deal: Deal, counts: Counter[str]) -> None:
    """Adds up the points of a deal that is over."""
    s = deal.state
    cards = int(s.card_points[0] + s.card_points[1])
    played = int(s.played)
    if s.tute_side >= 0:
        counts["tutes"] += 1
    cantes = sum(40 if cante.suit == s.trump else 20 for cante in deal.history.cantes)
    carried = sum(deal.vueltas or (0, 0))
    if played.bit_count() == 40:
        counts["hands played to the end: cards + last ten = 130"] += 1
        is_right = cards == 120 and sum(deal.points) == carried + cantes + 130
    else:
        counts["hands cut short: cards won + cards not played = 120"] += 1
        rest = sum(int(POINTS[card]) for card in range(40) if not played >> card & 1)
        is_right = cards + rest == 120 and sum(deal.points) == carried + cantes + cards
    counts["wrong sums"] += not is_right


def play_deal(deal: Deal, bots: list[str], seed: int, counts: Counter[str]) -> None:
    """Plays a deal to its end."""
    while not deal.is_over:
        counts["decisions"] += 1
        move = ask(deal, bots[deal.asked], (seed + len(deal.moves)) & 0xFFFFFFFF, counts)
        deal.play(move)
    counts["hands"] += 1
    counts[f"hands of {deal.players} players"] += 1
    counts["swaps"] += SWAP in deal.moves
    counts["cantes"] += len(deal.history.cantes)
    check_sums(deal, counts)


def play_coto(coto: int, counts: Counter[str]) -> None:
    """Plays a coto to its end."""
    generator = random.Random(seed_of(64, "selfplay", SEED, coto))
    players = generator.choice((2, 4))
    rules = Rules.of_flags(coto % 32, Malas(coto // 32 % 3), generator.randint(1, 3))
    bots = [generator.choice(BOTS) for _ in range(players)]
    match = Match(rules, players, generator.randrange(players))
    while match.winner is None:
        cards = shuffled_pack(seed_of(64, "selfplay cards", SEED, coto, len(match.deals)))
        deal = match.new_deal(cards)
        is_vueltas = deal.vueltas is not None
        play_deal(deal, bots, seed_of(32, "selfplay search", SEED, coto, len(match.deals)), counts)
        match.finish(deal)
        counts["points with vueltas"] += is_vueltas
        counts["points"] += match.vueltas is None
        # vueltas start at 130 or more in all and add 130: they cannot end undecided
        if is_vueltas and match.vueltas is not None:
            counts["endless points"] += 1
            return
    counts["cotos"] += 1


def play_chunk(chunk: int) -> tuple[int, list[Any]]:
    """Plays the cotos of a chunk and counts; a fault ends its coto."""
    counts: Counter[str] = Counter()
    for coto in range(chunk * COTOS, (chunk + 1) * COTOS):
        try:
            play_coto(coto, counts)
        except IllegalMoveError as error:
            counts["illegal moves"] += 1
            sys.stderr.write(f"coto {coto}: {error}\n")
        except ViewError as error:
            counts["refused views"] += 1
            sys.stderr.write(f"coto {coto}: {error}\n")
        except Exception:
            counts["crashes"] += 1
            sys.stderr.write(f"coto {coto}: {traceback.format_exc()}\n")
    return chunk, [counts]


def total(ledger: Ledger) -> Counter[str]:
    """Adds up the finished chunks."""
    counts: Counter[str] = Counter()
    for (found,) in ledger.pieces.values():
        counts.update(found)
    return counts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--hands", type=int, default=2000, help="at least so many hands (default 2000)")
    parser.add_argument("--workers", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--store", type=Path, help="file of finished chunks (build/selfplay.jsonl)")


def run(options: argparse.Namespace) -> None:
    """Plays chunks until there are enough hands, and prints the counts."""
    path = options.store or Path("build") / "selfplay.jsonl"
    ledger = Ledger(path, {"selfplay": SEED, "cotos": COTOS})
    while (hands := total(ledger)["hands"]) < options.hands:
        done = len(ledger.pieces)
        # a coto has fewer than four hands on average
        more = max(1, (options.hands - hands) // (4 * COTOS))
        finish(
            ledger,
            range(done + more),
            play_chunk,
            workers=options.workers,
            describe=lambda: f"{total(ledger)['hands']:,} hands",
        )
    counts = total(ledger)
    print("| | |\n|---|---|")
    for name in (*COUNTS, *FAULTS):
        print(f"| {name} | {counts[name]:,} |")
