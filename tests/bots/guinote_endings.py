"""Random endings of two-player Guiñote: no stock, all cards known, every switch, with many announcements."""

import random
from collections.abc import Iterator

import numpy as np

from tapete_games.guinote.engine import apply, legal_moves, open_declare
from tapete_games.guinote.moves import move_list
from tapete_games.guinote.state import DECIDE_NOTHING, PACK, POINT, POINTS, REY, SOTA, new_state
from tests.games.guinote_biased import random_vueltas

TRES, AS = 8, 9


def ending(rng: random.Random, tricks_left: int) -> np.record:
    """Makes a STATE in arrastre between two tricks, or some decisions later, that is not over.

    Args:
        rng: Where it comes from.
        tricks_left: Cards in each hand between the tricks, 1 to 6.
    """
    while True:
        s = _between_tricks(rng, tricks_left)
        for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 2, 3))):
            if s.decision != DECIDE_NOTHING:
                apply(s, rng.choice(move_list(legal_moves(s, s.asked, s.hand[s.asked]))))
        if s.decision != DECIDE_NOTHING:
            return s


def endings(count: int, seed: int, sizes: tuple[int, ...]) -> Iterator[np.record]:
    """Makes endings, with the tricks left taken in turn from `sizes`."""
    rng = random.Random(seed)
    for i in range(count):
        yield ending(rng, sizes[i % len(sizes)])


def _cards_in_hand(rng: random.Random, tricks_left: int, keeps_points: bool) -> list[list[int]]:
    """Draws both hands, with more ases and treses, or else more reyes and sotas, than chance has."""
    favoured = {AS, TRES} if keeps_points else {SOTA, REY}
    bias = 50 if keeps_points else rng.choice((1, 3, 10))
    cards = sorted(range(40), key=lambda card: rng.random() ** (bias if card % 10 in favoured else 1))
    cards = cards[: 2 * tricks_left]
    rng.shuffle(cards)
    hands = [cards[:tricks_left], cards[tricks_left:]]
    if tricks_left >= 4 and rng.random() < (0.02 if keeps_points else 0.1):
        # four reyes or sotas in one hand
        rank = rng.choice((SOTA, REY))
        four = [suit * 10 + rank for suit in range(4)]
        others = [card for card in cards if card not in four]
        others += [card for card in range(40) if card not in {*four, *others}]
        hands = [[*four, *others[: tricks_left - 4]], others[tricks_left - 4 : 2 * tricks_left - 4]]
    for hand in hands:
        # a pair to sing
        if tricks_left > 1 and rng.random() < (0.1 if keeps_points and tricks_left < 5 else 0.4):
            suit = rng.randrange(4)
            pair = [suit * 10 + SOTA, suit * 10 + REY]
            if not {*pair} & {*hands[0], *hands[1]}:
                hand[:2] = pair
    return hands


def _between_tricks(rng: random.Random, tricks_left: int) -> np.record:
    """Makes a STATE that asks for the first decision after a trick."""
    # Vueltas get here only if many points are left: 130 or more were carried, and at 201 they are over.
    is_vueltas = tricks_left >= 3 and rng.random() < 0.35
    while True:
        s = _position(rng, tricks_left, is_vueltas)
        if is_vueltas:
            total = sum(random_vueltas(rng)) + int(s.points.sum())
            if total > 2 * (POINT - 1):
                continue
            s.vueltas = 1
            even = rng.randint(total - POINT + 1, POINT - 1)
            s.points[:] = (even, total - even)
        open_declare(s, s.turn)
        return s


def _position(rng: random.Random, tricks_left: int, keeps_points: bool) -> np.record:
    s = new_state()
    hands = _cards_in_hand(rng, tricks_left, keeps_points)
    assert len({*hands[0], *hands[1]}) == 2 * tricks_left
    s.hand[:2] = [sum(1 << card for card in hand) for hand in hands]
    s.players = 2
    s.rules = rng.randrange(32)
    s.malas = rng.randrange(3)
    s.dealer = rng.randrange(2)
    s.trump = rng.randrange(4)
    s.muestra = s.swap_card = -1
    s.played = PACK & ~int(s.hand[0] | s.hand[1])
    s.tricks = 20 - tricks_left
    s.tute_side = -1
    s.latest_winner = s.turn = rng.randrange(2)
    s.may_sing = 1 << int(s.latest_winner)
    won = int(rng.triangular(0, int(s.tricks) + 0.999))
    s.tricks_won[:] = (won, s.tricks - won)
    # Points of cards: from one side alone having them to both having some.
    gone = sum(int(POINTS[card]) for card in move_list(s.played))
    mine = rng.choice((0, gone, rng.randint(0, gone), rng.randint(0, gone)))
    s.card_points[:] = (mine, gone - mine)
    s.points[:] = s.card_points
    for suit in range(4):
        held = [hand >> (suit * 10 + SOTA) & 3 for hand in s.hand[:2].tolist()]
        # A suit was sung if nobody holds its cards any more, or the singer still does.
        if rng.random() < 0.35 and 0 in held:
            singer = rng.randrange(2) if held == [0, 0] else held.index(0) ^ 1
            s.sung |= 1 << (suit * 10 + SOTA)
            s.points[singer] += 40 if suit == s.trump else 20
    return s
