"""Guiñote passes the suite of all games."""

import copy
import random

import pytest

from tapete_games.guinote import Deal, shuffled_pack
from tapete_games.guinote.moves import move_list
from tapete_games.guinote.state import MOVES, PACK, POINTS
from tests.games.conformance import Conformance
from tests.games.guinote_biased import random_rules, random_vueltas


def deal_of_seed(seed: int) -> Deal:
    rng = random.Random(seed)
    players = rng.choice((2, 4))
    vueltas = random_vueltas(rng) if rng.random() < 0.3 else None
    return Deal(random_rules(rng), players, rng.randrange(players), shuffled_pack(seed), vueltas=vueltas)


def fingerprint(deal: Deal) -> object:
    return deal.state.tobytes(), copy.deepcopy(deal.history), list(deal.moves)


def illegal_moves(deal: Deal) -> list[int]:
    legal = deal.legal_moves()
    assert set(legal) <= set(range(MOVES))
    return [move for move in range(MOVES) if move not in legal]


def check_conservation(deal: Deal) -> None:
    s = deal.state
    places = [
        int(s.played),
        *s.hand[: deal.players].tolist(),
        *(1 << card for card in s.stock[: s.stock_size].tolist()),
    ]
    assert sum(places) == PACK
    assert sum(map(int.bit_count, places)) == 40
    # G1, G23: 120 in cards, 10 for the final trick, and the cantes.
    unplayed = sum(int(POINTS[card]) for card in range(40) if not s.played >> card & 1)
    assert sum(s.card_points) + s.trick_points + unplayed == 120
    ten = 10 if s.tricks * deal.players == 40 else 0
    cantes = sum(40 if cante.suit == s.trump else 20 for cante in deal.history.cantes)
    assert sum(deal.points) == sum(deal.vueltas or (0, 0)) + sum(s.card_points) + ten + cantes


def reshuffled(deal: Deal, rng: random.Random) -> Deal:
    """Deals the other hands and the stock anew, the muestra aside."""
    twin = copy.deepcopy(deal)
    s, own = twin.state, twin.asked
    others = [seat for seat in range(twin.players) if seat != own]
    hidden = [card for seat in others for card in move_list(s.hand[seat])]
    below = 1 if s.muestra >= 0 else 0
    hidden += s.stock[below : s.stock_size].tolist()
    rng.shuffle(hidden)
    for seat in others:
        size = int(s.hand[seat]).bit_count()
        s.hand[seat] = sum(1 << hidden.pop() for _ in range(size))
    for i in range(below, s.stock_size):
        s.stock[i] = hidden.pop()
    assert not hidden
    return twin


GUINOTE = Conformance(
    deal=deal_of_seed,
    illegal_moves=illegal_moves,
    fingerprint=fingerprint,
    check_conservation=check_conservation,
    reshuffled=reshuffled,
    # 40 cards, a swap, four cantes, a tute, and passes: at most four between two tricks.
    longest=40 + 1 + 4 + 1 + 4 * 19,
)


@pytest.mark.parametrize("seed", range(40))
def test_conformance(seed: int) -> None:
    GUINOTE.check(seed)
