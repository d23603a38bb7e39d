"""Random deals: where people get their first view from."""

import hashlib
import random

from tapete.v1 import GameView
from tapete_games import gile, guinote

__all__ = ["DealOverError", "derive", "random_gile_view", "random_guinote_view"]


class DealOverError(Exception):
    """A deal ended before the decision that was asked for.

    Attributes:
        plies: Number of decisions that it had.
    """

    def __init__(self, plies: int) -> None:
        super().__init__(f"the deal is over after {plies} decisions")
        self.plies = plies


def derive(seed: int, *purpose: object) -> int:
    """Returns a seed for one purpose, 0 to 2**32 - 1: no two purposes share their random numbers."""
    text = " ".join(map(str, (seed, *purpose)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def random_guinote_view(
    rules: guinote.Rules, players: int, seed: int, plies: int, vueltas: tuple[int, int] | None
) -> GameView:
    """Deals and plays at random, and returns what the seat that is asked then knows.

    Args:
        rules: Rules in force.
        players: 2 or 4.
        seed: Decides the dealer, the cards and the moves.
        plies: Decisions made before: cards played, and also swaps, cantes and passes.
        vueltas: Points carried into a deal of vueltas; None for the first deal of a point.

    Raises:
        DealOverError: The deal has no more decisions than that.
    """
    chance = random.Random(derive(seed, "moves"))
    dealer = derive(seed, "dealer") % players
    deal = guinote.Deal(rules, players, dealer, guinote.shuffled_pack(derive(seed, "pack")), vueltas=vueltas)
    for ply in range(plies + 1):
        if deal.is_over:
            raise DealOverError(ply)
        if ply < plies:
            deal.play(chance.choice(deal.legal_moves()))
    return GameView(guinote=deal.view())


def random_gile_view(rules: gile.Rules, players: int, stack: int, seed: int, plies: int) -> GameView:
    """Deals and plays at random, and returns what the seat that is asked then knows.

    Args:
        rules: Rules in force.
        players: 2 to 5.
        stack: Chips of each seat at the start.
        seed: Decides the dealer, the cards and the moves.
        plies: Decisions made before: actions and discards.

    Raises:
        DealOverError: The deal has no more decisions than that.
    """
    chance = random.Random(derive(seed, "moves"))
    dealer = derive(seed, "dealer") % players
    pack = gile.shuffled_pack(derive(seed, "pack"))
    deal = gile.Deal(rules, (stack,) * players, dealer, pack, derive(seed, "stock"))
    for ply in range(plies + 1):
        if deal.is_over:
            raise DealOverError(ply)
        if ply < plies:
            deal.play(_random_move(deal, chance))
    return GameView(gile=deal.view())


def _random_move(deal: gile.Deal, chance: random.Random) -> int:
    """Draws a move, mostly one after which the deal goes on: a check, a call, some least bets and folds."""
    names = {gile.format_move(move).partition(" ")[0]: move for move in reversed(deal.legal_moves())}
    if "discard" in names:
        return chance.choice(deal.legal_moves())
    stays = names.get("check", names.get("call", 0))
    others = [names[name] for name in ("bet", "raise", "fold") if name in names]
    return chance.choice(others) if others and chance.random() < 0.35 else stays
