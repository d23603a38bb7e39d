"""What a seat cannot see never changes the answer that it gets."""

import copy
import random

import pytest

from tapete.v1 import GameView
from tapete_games.guinote.deal import Deal
from tapete_games.guinote.state import make_view, new_view
from tests.bots import gile_situations
from tests.bots.chance import Chance
from tests.server.rig import Running, deal_after, question


def _permute_hidden_cards(deal: Deal, seat: int, generator: random.Random) -> int:
    """Permutes, in the referee's state, all cards that the seat cannot see; returns how many moved.

    Cards that everybody knows to be in some hand stay there, and so does the muestra.
    """
    state = deal.state
    places: list[tuple[str, int, int]] = []
    for other in range(deal.players):
        if other != seat:
            hidden = int(state.hand[other]) & ~int(state.known[other])
            places += [("hand", other, card) for card in range(40) if hidden >> card & 1]
    places += [("stock", i, int(state.stock[i])) for i in range(1, int(state.stock_size))]
    cards = [card for _, _, card in places]
    generator.shuffle(cards)
    for kind, where, card in places:
        if kind == "hand":
            state.hand[where] &= ~(1 << card)
    moved = 0
    for (kind, where, old), card in zip(places, cards, strict=True):
        moved += old != card
        if kind == "hand":
            state.hand[where] |= 1 << card
        else:
            state.stock[where] = card
    return moved


def _engine_view(deal: Deal, seat: int) -> bytes:
    """What the bots are given of a state, as bytes."""
    view = new_view()
    make_view(deal.state, seat, view)
    return view.tobytes()


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("bot", ["random", "heuristic", "ismcts"])
def test_permuting_hidden_cards_never_changes_an_answer(server: Running, bot: str, players: int) -> None:
    generator = random.Random(players)
    moved = 0
    for seed in range(15):
        deal = deal_after(seed, seed * 2, players)
        seats = range(players) if deal.decision in (0, 1) else (deal.asked,)
        for seat in seats:
            request = question(bot=bot, iterations=150)
            request.view.CopyFrom(GameView(guinote=deal.view(seat)))
            before = server.raw("ChooseMove")(request.SerializeToString(deterministic=True))
            other = copy.deepcopy(deal)
            moved += _permute_hidden_cards(other, seat, generator)
            # The answer can only change if a view shows what the seat cannot see.
            assert other.view(seat) == deal.view(seat)
            assert _engine_view(other, seat) == _engine_view(deal, seat)
            request.view.CopyFrom(GameView(guinote=other.view(seat)))
            assert server.raw("ChooseMove")(request.SerializeToString(deterministic=True)) == before
    assert moved > 100


@pytest.mark.parametrize("bot", ["random", "heuristic", "ismcts", "equilibrium"])
def test_permuting_hidden_cards_of_gile_never_changes_an_answer(server: Running, bot: str) -> None:
    chance = Chance(5)
    moved = 0
    for deal in gile_situations.samples(30, 17, seats=2 if bot == "equilibrium" else 0):
        request = question(bot=bot, iterations=150)
        request.view.CopyFrom(GameView(gile=deal.view()))
        before = server.raw("ChooseMove")(request.SerializeToString(deterministic=True))
        other = copy.deepcopy(deal)
        moved += gile_situations.permute_hidden(other.state, chance)
        request.view.CopyFrom(GameView(gile=other.view()))
        assert server.raw("ChooseMove")(request.SerializeToString(deterministic=True)) == before
    assert moved > 100
