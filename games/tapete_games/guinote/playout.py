"""Uniformly random play of whole deals: the measure of the engine's speed."""

import numpy as np

from tapete_games.bits import below, mix, next_random, nth, popcount
from tapete_games.guinote.engine import DECIDE_NOTHING, deal, legal_cards, play_and_settle
from tapete_games.kernel import inline_kernel, kernel

__all__ = ["random_playout", "random_playouts", "shuffle"]


@inline_kernel
def shuffle(pack: np.ndarray, n: int, x: int) -> int:
    """Shuffles the first `n` cards of `pack` in place (Fisher-Yates); returns the generator's state."""
    for i in range(n - 1, 0, -1):
        x = next_random(x)
        j = below(x, i + 1)
        card = pack[i]
        pack[i] = pack[j]
        pack[j] = card
    return x


@inline_kernel
def random_playout(s: np.record, x: int) -> int:
    """Plays STATE `s` from a card play to the end at random; returns the generator's state."""
    while s.decision != DECIDE_NOTHING:
        cards = legal_cards(s, s.hand[s.turn])
        x = next_random(x)
        play_and_settle(s, nth(cards, below(x, popcount(cards))))
    return x


@kernel
def random_playouts(s: np.record, players: int, deals: int, seed: int, pack: np.ndarray) -> int:
    """Deals and plays `deals` deals at random under the default rules.

    Args:
        s: STATE to work in.
        players: 2 or 4.
        deals: Number of deals.
        seed: Seed.
        pack: int64, 40 cells to work in.

    Returns:
        A checksum of all final points.
    """
    x = mix(seed)
    checksum = 0
    for i in range(40):
        pack[i] = i
    for _ in range(deals):
        x = shuffle(pack, 40, x)
        deal(s, players, 0, 0, 0, pack)
        x = random_playout(s, x)
        checksum = (checksum * 31 + s.points[0] * 512 + s.points[1]) & 0xFFFFFFFFFFFF
    return checksum
