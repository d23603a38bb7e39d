"""Gilé passes the suite of all games."""

import copy
import random

import pytest

from tapete_games.bits import members
from tapete_games.gile import Deal, kind_of, shuffled_pack
from tapete_games.gile.moves import is_between
from tapete_games.gile.state import ARGUMENT, BET, CALL, CARDS, CHECK, DISCARD, FOLD, PACK, RAISE, VOID
from tests.games.conformance import Conformance
from tests.games.gile_comparison import random_table

AMOUNTS = (0, 1, 2, 3, 5, 10, 99, 100, 101, ARGUMENT)


def deal_of_seed(seed: int) -> Deal:
    rng = random.Random(seed)
    rules, stacks, dealer = random_table(rng)
    return Deal(rules, stacks, dealer, shuffled_pack(seed), seed)


def illegal_moves(deal: Deal) -> list[int]:
    """Lists bets between the least and the greatest as legal, and each single card as a discard."""
    legal = deal.legal_moves()
    moves = [FOLD, CHECK, CALL, DISCARD, DISCARD | PACK]
    moves += [DISCARD | 1 << card for card in range(CARDS)]
    moves += [kind | amount for kind in (BET, RAISE) for amount in AMOUNTS]
    return [move for move in moves if move not in legal and not is_between(move, legal)]


def fingerprint(deal: Deal) -> object:
    return deal.state.tobytes(), copy.deepcopy(deal.history), list(deal.moves)


def check_conservation(deal: Deal) -> None:
    s, seats = deal.state, range(len(deal.stacks))
    stock = s.stock[s.next_card :][: s.stock_size].tolist()
    places = [*s.hand.tolist(), *s.discards.tolist(), int(s.set_aside), *(1 << card for card in stock)]
    assert sum(places) == PACK
    assert sum(map(int.bit_count, places)) == CARDS
    assert s.pot == sum(s.paid.tolist())
    assert sum(deal.chips) + (0 if deal.is_over else s.pot) == sum(deal.stacks)
    if deal.ended != VOID:
        assert sum(pot.chips for pot in deal.pots) == s.pot
    # L6: table stakes.
    assert all(deal.chips[q] >= 0 and s.paid[q] <= deal.stacks[q] for q in seats)


def reshuffled(deal: Deal, rng: random.Random) -> Deal:
    """Exchanges at random all cards that the seat asked has never seen, wherever they lie."""
    twin = copy.deepcopy(deal)
    s, own = twin.state, twin.asked
    history = twin.history
    seen = int(s.hand[own]) | history.discarded.get(own, 0)
    for hands in history.set_aside:
        seen |= hands[own]
    hidden = members(PACK & ~seen)
    becomes = dict(zip(range(CARDS), range(CARDS), strict=True))
    becomes.update(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))

    def exchanged(cards: int) -> int:
        return sum(1 << becomes[card] for card in members(cards))

    for q in range(len(twin.stacks)):
        s.hand[q] = exchanged(s.hand[q])
        s.discards[q] = exchanged(s.discards[q])
    s.set_aside = exchanged(s.set_aside)
    for i in range(s.next_card, s.next_card + s.stock_size):
        s.stock[i] = becomes[int(s.stock[i])]
    history.set_aside[:] = [tuple(map(exchanged, hands)) for hands in history.set_aside]
    history.discarded.update({q: exchanged(cards) for q, cards in history.discarded.items()})
    return twin


GILE = Conformance(
    deal=deal_of_seed,
    illegal_moves=illegal_moves,
    fingerprint=fingerprint,
    check_conservation=check_conservation,
    reshuffled=reshuffled,
    # Ten void deals of five checks, five services, and three rounds in which nobody has more than a
    # hundred chips to raise with.
    longest=10 * 5 + 5 + 3 * 5 * 100,
)


@pytest.mark.parametrize("seed", range(60))
def test_conformance(seed: int) -> None:
    GILE.check(seed)


def test_the_deals_hold_what_the_suite_is_to_see() -> None:
    """Void deals, all kinds of decisions and of ends, and seats without chips."""
    found: set[object] = set()
    for seed in range(60):
        rng, deal = random.Random(seed), deal_of_seed(seed)
        found.add("no chips" if 0 in deal.stacks else "chips")
        while not deal.is_over:
            move = rng.choice(deal.legal_moves())
            found.add(kind_of(move))
            deal.play(move)
        found.add(f"ended {deal.ended}")
        found.update(["void deals"] if deal.history.set_aside else [])
    kinds = {FOLD, CHECK, CALL, BET, RAISE, DISCARD}
    assert found == {*kinds, "no chips", "chips", "ended 1", "ended 2", "ended 3", "void deals"}
