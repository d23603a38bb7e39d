"""Moments of random deals of Gilé, and the positions of their seats."""

from collections.abc import Iterator

import numpy as np

from tapete.v1 import Game
from tapete_games.gile import Deal, Limit, Rules, kind_of
from tapete_games.gile.deal import legal_moves_of
from tapete_games.gile.state import BET, CALL, CARDS, CHECK, FOLD, RAISE, VIEW, make_view
from tapete_games.position import Position
from tests.bots.chance import Chance

STACKS = (100, 100, 100, 30, 8, 300)


def position_of_state(s: np.record, rules: Rules) -> Position:
    """Makes the position of the seat in turn of a STATE."""
    views = np.zeros(1, VIEW)
    view: np.record = views.view(np.recarray)[0]
    make_view(s, s.turn, view)
    legal = tuple(legal_moves_of(views.view(np.recarray), int(view.own)))
    return Position(Game.GAME_GILE, view, rules, int(s.turn), legal)


def position_of(deal: Deal) -> Position:
    """Makes the position of the seat that is asked, straight from the referee's state."""
    return position_of_state(deal.state, deal.rules)


def new_deal(chance: Chance, seats: int = 0, *, default_rules: bool = False) -> Deal:
    """Deals at random, under random rules."""
    pack = chance.shuffled(CARDS)
    seats = seats or 2 + chance.below(4)
    rules = Rules()
    if not default_rules:
        rules = Rules(
            limit=Limit(chance.below(3)),
            suit_rank=chance.is_likely(0.5),
            ante=chance.below(3),
            minimum_bet=1 + chance.below(3),
        )
    stacks = [STACKS[chance.below(len(STACKS))] for _ in range(seats)]
    return Deal(rules, stacks, chance.below(seats), pack, chance.below(2**31))


def move_of(deal: Deal, chance: Chance) -> int:
    """Draws a move after which most deals go on."""
    legal = deal.legal_moves()
    stays = [move for move in legal if move in (CHECK, CALL)]
    if stays and chance.is_likely(0.6):
        return stays[0]
    options = [
        move for move in legal if kind_of(move) not in (BET, RAISE) or move - legal[-1] or len(legal) == 2
    ]
    if FOLD in options and chance.is_likely(0.6):
        options.remove(FOLD)
    return options[chance.below(len(options))] if options else legal[chance.below(len(legal))]


def samples(count: int, seed: int = 1, seats: int = 0, *, default_rules: bool = False) -> Iterator[Deal]:
    """Yields deals at random moments, each a deal under way that goes on after it was looked at."""
    chance = Chance(seed)
    while True:
        deal = new_deal(chance, seats, default_rules=default_rules)
        while not deal.is_over:
            if chance.is_likely(0.5):
                yield deal
                count -= 1
                if count == 0:
                    return
            deal.play(move_of(deal, chance))


def permute_hidden(s: np.record, chance: Chance) -> int:
    """Deals all cards that the seat in turn cannot see anew over their places; returns how many moved."""
    seat = int(s.turn)
    put_away = {card for card in range(28) if s.gone[seat, card] > s.renewals}
    others = [q for q in range(5) if q != seat]
    places: list[tuple[str, int, int]] = []
    for q in others:
        places += [("hand", q, card) for card in range(28) if int(s.hand[q]) >> card & 1]
        places += [("discards", q, card) for card in range(28) if int(s.discards[q]) >> card & 1]
    aside = [card for card in range(28) if int(s.set_aside) >> card & 1 and card not in put_away]
    places += [("set_aside", 0, card) for card in aside]
    first = int(s.next_card)
    places += [("stock", i, int(s.stock[i])) for i in range(first, first + int(s.stock_size))]
    cards = [card for _, _, card in places]
    order = [cards[i] for i in chance.shuffled(len(cards))]
    for q in others:
        s.hand[q] = s.discards[q] = 0
    s.set_aside = sum(1 << card for card in put_away if int(s.set_aside) >> card & 1)
    for (field, at, _), card in zip(places, order, strict=True):
        if field == "stock":
            s.stock[at] = card
        elif field == "set_aside":
            s.set_aside = int(s.set_aside) | 1 << card
        else:
            s[field][at] |= 1 << card
    return sum(one != other for one, other in zip(cards, order, strict=True))
