"""Positions of Guiñote for the tests of bots: of deals that are played, and put together by hand."""

import random
from collections.abc import Iterator

import numpy as np

from tapete.v1 import Game
from tapete_games.guinote import Deal, Malas, Rules, format_move
from tapete_games.guinote.engine import legal_moves, put_card
from tapete_games.guinote.moves import move_list
from tapete_games.guinote.state import (
    DECIDE_NOTHING,
    DECIDE_PLAY,
    PACK,
    POINTS,
    SIETE,
    make_view,
    new_state,
    new_view,
)
from tapete_games.position import Position
from tests.games.guinote_biased import Scenario, scenario
from tests.games.guinote_positions import card_set, codes


def position_of_view(view: np.record, rules: Rules, coto: tuple[int, int] = (0, 0)) -> Position:
    """Makes the position of a VIEW, with the legal moves of its seat."""
    seat = int(view.seat)
    moves = tuple(move_list(legal_moves(view, seat, view.own)))
    return Position(Game.GAME_GUINOTE, view, rules, seat, moves, coto)


def position_of(deal: Deal, seat: int | None = None) -> Position:
    """Makes the position of a seat, by default of the one asked, straight from the referee's state."""
    return position_of_state(deal.state, deal.asked if seat is None else seat, deal.rules, deal.coto)


def position_of_state(s: np.record, seat: int, rules: Rules, coto: tuple[int, int] = (0, 0)) -> Position:
    """Makes the position of a seat in a STATE."""
    view = new_view()
    make_view(s, seat, view)
    view.asked = seat
    return position_of_view(view, rules, coto)


def decisions(seed: int, chance: float = 1.0) -> Iterator[Deal]:
    """Plays the biased deal of a seed and yields it, at a share of its decisions, with a choice to make."""
    rng = random.Random(~seed)
    game: Scenario = scenario(seed)
    deal = game.deal
    while not deal.is_over:
        if rng.random() < chance and len(deal.legal_moves()) > 1:
            yield deal
        deal.play(game.choose(rng))


def samples(count: int, chance: float, first: int = 0) -> Iterator[Deal]:
    """Yields so many decisions of the deals of consecutive seeds, over all switches and both table sizes."""
    seed = first
    while True:
        for deal in decisions(seed, chance):
            yield deal
            count -= 1
            if count == 0:
                return
        seed += 1


def permute_hidden(s: np.record, seat: int, rng: random.Random) -> int:
    """Permutes in a STATE all cards that `seat` cannot see; returns how many lie elsewhere than before.

    Cards that everybody knows to be in some hand stay there, and so does the muestra.
    """
    others = [q for q in range(s.players) if q != seat]
    hands = {q: move_list(s.hand[q] & ~s.known[q]) for q in others}
    below = 1 if s.muestra >= 0 else 0
    places = [card for q in others for card in hands[q]] + s.stock[below : s.stock_size].tolist()
    cards = list(places)
    rng.shuffle(cards)
    moved = sum(a != b for a, b in zip(places, cards, strict=True))
    for q in others:
        s.hand[q] = int(s.hand[q] & s.known[q]) | sum(1 << cards.pop() for _ in hands[q])
    for i in range(below, s.stock_size):
        s.stock[i] = cards.pop()
    return moved


def situation(
    hand: str,
    table: str = "",
    *,
    muestra: str = "",
    trump: str = "O",
    players: int = 4,
    tricks: int = 1,
    played: str = "",
    unseen: str = "",
    malas: Malas = Malas.THIRTY,
) -> Position:
    """Puts a card play together: what seat 0 knows when it is its turn.

    Args:
        hand: Cards of seat 0.
        table: Cards on the table, in the order played.
        muestra: Card under the stock; none in arrastre.
        trump: Suit of the trumps.
        players: 2 or 4.
        tricks: Complete tricks.
        played: Cards of those tricks; the weakest of no use to this hand are added until there are enough.
        unseen: Cards that are not among the added ones.
        malas: How malas count.
    """
    s = new_state()
    s.players, s.trump, s.malas = players, "OCEB".index(trump), int(malas)
    s.muestra = codes(muestra)[0] if muestra else -1
    siete = s.trump * 10 + SIETE
    s.swap_card = siete if muestra else -1
    s.tricks, s.latest_winner = tricks, -1
    s.stock_size = 40 - players * (6 + tricks) if muestra else 0
    assert (s.stock_size > 0) == bool(muestra)
    laid = codes(table)
    own = card_set(hand)
    gone = card_set(played)
    kept = own | gone | card_set(table) | card_set(unseen) | (1 << int(s.muestra) if muestra else 0)
    spare = [card for card in range(40) if not kept >> card & 1]
    # plain suits in turn, from the bottom up, trumps last
    spare.sort(key=lambda card: (card // 10 == s.trump, card % 10, card))
    while gone.bit_count() < players * tricks:
        gone |= 1 << spare.pop(0)
    assert gone.bit_count() == players * tricks
    s.played = gone
    # half of what is gone is each side's
    points = sum(int(POINTS[card]) for card in move_list(gone))
    s.points[:] = s.card_points[:] = (points - points // 2, points // 2)
    s.decision = DECIDE_PLAY
    s.turn = -len(laid) % players
    for card in laid:
        s.hand[s.turn] |= 1 << card
        put_card(s, card, players)
    s.asked = s.turn
    left = 6 if s.stock_size else 40 // players - tricks
    s.hand[0] = own
    assert own.bit_count() == left
    rest = PACK & ~(own | s.played | (1 << int(s.muestra) if muestra else 0))
    hidden = move_list(rest)
    for q in range(1, players):
        has_played = (-q) % players <= len(laid)
        s.hand[q] = sum(1 << hidden.pop() for _ in range(left - has_played))
    assert len(hidden) == max(s.stock_size - 1, 0)
    view = new_view()
    make_view(s, 0, view)
    return position_of_view(view, Rules(malas=malas))


def named(moves: tuple[int, ...] | list[int]) -> set[str]:
    """Writes moves in notation."""
    return {format_move(move) for move in moves}


def is_over(s: np.record) -> bool:
    """Tells whether the deal of a STATE is over."""
    return bool(s.decision == DECIDE_NOTHING)
