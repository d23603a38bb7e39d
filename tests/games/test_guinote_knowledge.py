"""What the engine says that everybody knows, and its fixed policy between tricks."""

import random

import numpy as np
import pytest

from tapete_games.guinote import Deal, engine, state
from tapete_games.guinote.engine import legal_moves
from tapete_games.guinote.moves import move_list
from tapete_games.guinote.settle import play_and_settle
from tapete_games.guinote.state import DECIDE_NOTHING, DECIDE_PLAY, SIETE, SING
from tests.games.guinote_biased import scenario
from tests.games.guinote_comparison import CODES, ORACLE_CARDS, ORACLE_MOVES, oracle_deal
from tests.oracle import guinote as oracle

pytestmark = pytest.mark.kernel


def shown_by(twin: oracle.Deal, card: int) -> set[int]:
    """Lists the cards beside which `card` would have been illegal, and so are not held (G10 to G14)."""
    played = ORACLE_CARDS[card]
    shown = set()
    for other in ORACLE_CARDS:
        hand = {played, other}
        legal = oracle.legal_cards(
            hand, twin.table, twin.leader, twin.trump, twin.muestra is None, twin.rules, twin.players
        )
        if played not in legal:
            shown.add(CODES[other])
    return shown


def known_cards(deal: Deal, drawer: int | None) -> list[set[int]]:
    """Works out from the history alone which cards everybody knows to be in each hand (G8, G18, G21)."""
    known: list[set[int]] = [set() for _ in range(deal.players)]
    history, trump = deal.history, deal.muestra // 10 * 10
    last = deal.muestra
    if history.swap:
        known[history.swap.seat].add(deal.muestra)
        last = trump if deal.muestra == trump + SIETE else trump + SIETE
    for cante in history.cantes:
        known[cante.seat] |= {cante.suit * 10 + state.SOTA, cante.suit * 10 + state.REY}
    if drawer is not None:
        known[drawer].add(last)
    played = {card for trick in history.tricks for card in trick.cards}
    return [cards - played for cards in known]


def test_known_and_void_are_what_the_history_shows() -> None:
    for seed in range(120):
        rng = random.Random(seed)
        game = scenario(seed)
        deal, twin = game.deal, oracle_deal(game.deal)
        void: list[set[int]] = [set() for _ in range(deal.players)]
        while not deal.is_over:
            move = game.choose(rng)
            if move < SING:
                void[deal.asked] |= shown_by(twin, move)
            deal.play(move)
            twin.apply(ORACLE_MOVES[move])
            s = deal.state
            assert [set(move_list(s.void[q])) for q in range(deal.players)] == void
            assert [set(move_list(s.known[q])) for q in range(deal.players)] == known_cards(
                deal, twin.muestra_drawn_by
            )
            for q in range(deal.players):
                assert s.known[q] & ~s.hand[q] == 0
                assert s.void[q] & s.hand[q] == 0


def reachable(s: np.record) -> list[np.record]:
    """Lists the states of the next lead that swapping, announcing and passing can lead to."""
    found, open_states, seen = [], [s], set()
    while open_states:
        state = open_states.pop()
        if state.tobytes() in seen:
            continue
        seen.add(state.tobytes())
        if state.decision in (DECIDE_PLAY, DECIDE_NOTHING):
            found.append(state)
        if state.decision == DECIDE_NOTHING:
            continue
        for move in move_list(legal_moves(state, state.asked, state.hand[state.asked])):
            if move >= SING:
                after = state.copy()
                engine.apply(after, move)
                open_states.append(after)
    return found


def test_the_fixed_policy_between_tricks_follows_the_rules() -> None:
    windows = 0
    for seed in range(150):
        rng = random.Random(seed)
        quick = scenario(seed).deal.state.copy()
        while quick.decision != DECIDE_NOTHING:
            cards = move_list(engine.legal_cards(quick, quick.hand[quick.turn]))
            card = rng.choice(cards)
            slow = quick.copy()
            engine.apply(slow, card)
            play_and_settle(quick, card)
            if quick.trick_size:
                continue
            states = reachable(slow)
            windows += len(states) > 1
            if quick.decision == DECIDE_NOTHING:
                outcome = quick.points.tolist(), int(quick.tute_side)
                assert outcome in [(t.points.tolist(), int(t.tute_side)) for t in states]
                continue
            assert facts(quick) in [facts(state) for state in states]
            quick.asked = quick.turn
    assert windows >= 200


def facts(s: np.record) -> dict[str, object]:
    """Everything but what only `apply` keeps up to date: who is asked, and what nobody holds."""
    left_out = {"asked", "asked_again", "void", "lead", "best", "best_seat", "stock"}
    values = dict(zip(s.dtype.names or (), s.item(), strict=True))
    stock = values["stock"][: values["stock_size"]]
    return {name: np.array(value).tolist() for name, value in values.items() if name not in left_out} | {
        "stock": stock.tolist()
    }
