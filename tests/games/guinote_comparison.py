"""Plays the engine and the oracle of Guiñote side by side and counts the branches that come up."""

import random
from collections import Counter

import numpy as np
import pytest

from tapete_games.errors import IllegalMoveError
from tapete_games.guinote import Deal, Malas, Rules, card_of, format_move
from tapete_games.guinote.engine import announcements, point_winner
from tapete_games.guinote.moves import move_list
from tapete_games.guinote.state import (
    CANTE_PER_MEMBER,
    DECIDE_DECLARE,
    DECIDE_PLAY,
    DECIDE_SWAP,
    MALAS_OFF,
    MOVES,
    PASS,
    POINT,
    REYES,
    SIETE,
    SING,
    STATE,
    SWAP,
    TUTE,
)
from tests.games.guinote_biased import Scenario
from tests.oracle import guinote as oracle

DECISIONS = ("SWAP", "DECLARE", "PLAY", "OVER")


def oracle_card(code: int) -> oracle.Card:
    card = card_of(code)
    return oracle.Card(card.rank, card.suit.letter)


ORACLE_CARDS = tuple(map(oracle_card, range(40)))
CODES = {card: code for code, card in enumerate(ORACLE_CARDS)}
ORACLE_MOVES: tuple[oracle.Move, ...] = (
    *(("play", card) for card in ORACLE_CARDS),
    *(("sing", suit) for suit in oracle.SUITS),
    ("swap",),
    ("tute",),
    ("pass",),
)
MOVE_CODES = {move: code for code, move in enumerate(ORACLE_MOVES)}


def oracle_rules(rules: Rules) -> oracle.Rules:
    return oracle.Rules(
        fixed_rotation=rules.fixed_rotation,
        partner_relief=rules.partner_relief,
        swap_after_latest_trick_only=rules.swap_after_latest_trick_only,
        cante_per_member=rules.cante_per_member,
        no_tute=rules.no_tute,
        malas=rules.malas.name,  # type: ignore[arg-type]
        points_per_coto=rules.points_per_coto,
    )


def oracle_deal(deal: Deal) -> oracle.Deal:
    """Deals the same cards to the oracle."""
    pack = [ORACLE_CARDS[code] for code in deal.pack]
    return oracle.Deal(oracle_rules(deal.rules), deal.players, deal.dealer, pack, deal.vueltas)


def engine_facts(deal: Deal) -> dict[str, object]:
    """Tells all that the engine and the oracle must agree on, from the engine."""
    # A record is slow to read field by field.
    s = dict(zip(STATE.names or (), deal.state.item(), strict=True))
    players, history = deal.players, deal.history
    complete = [trick for trick in history.tricks if len(trick.cards) == players]
    table = history.tricks[-1].cards if len(complete) < len(history.tricks) else []
    over = deal.is_over
    return {
        "decision": DECISIONS[deal.decision],
        "asked": None if over else deal.asked,
        "legal moves": deal.legal_moves(),
        "hands": [move_list(deal.hand(seat)) for seat in range(players)],
        "stock": s["stock"][: s["stock_size"]][::-1].tolist(),
        "muestra": None if s["muestra"] < 0 else s["muestra"],
        "trump": s["trump"],
        "leader": history.tricks[-1].leader if table else s["turn"],
        "table": table,
        "tricks": [tuple(trick) for trick in complete],
        "cantes": [tuple(cante) for cante in history.cantes],
        "swap": history.swap and (*history.swap[:2], "a" if history.swap.is_before_draw else "b"),
        "tute": history.tute_seat,
        "points": s["points"].tolist(),
        "card points": s["card_points"].tolist(),
        "tricks won": s["tricks_won"].tolist(),
        "number of tricks": s["tricks"],
        "latest winner": None if s["latest_winner"] < 0 else s["latest_winner"],
        "played": move_list(s["played"]),
        "winner": deal.winner,
        "next dealer": deal.next_dealer if over else None,
    }


def oracle_facts(deal: oracle.Deal) -> dict[str, object]:
    """Tells the same from the oracle."""
    over = deal.decision == "OVER"
    muestra = [] if deal.muestra is None else [deal.muestra]
    tricks = [card for _, cards in deal.tricks for card in cards]
    return {
        "decision": deal.decision,
        "asked": deal.asked,
        "legal moves": sorted(MOVE_CODES[move] for move in deal.legal_moves()),
        "hands": [sorted(CODES[card] for card in hand) for hand in deal.hands],
        "stock": [CODES[card] for card in [*deal.stock, *muestra]],
        "muestra": CODES[deal.muestra] if deal.muestra else None,
        "trump": oracle.SUITS.index(deal.trump),
        "leader": deal.leader,
        "table": [CODES[card] for card in deal.table],
        "tricks": [(leader, [CODES[card] for card in cards]) for leader, cards in deal.tricks],
        "cantes": [(seat, oracle.SUITS.index(suit), after) for seat, suit, after in deal.cantes],
        "swap": deal.swap,
        "tute": deal.tute and deal.tute[0],
        "points": deal.points,
        "card points": deal.card_points,
        "tricks won": deal.tricks_won,
        "number of tricks": len(deal.tricks),
        "latest winner": deal.latest_winner,
        "played": sorted(CODES[card] for card in [*tricks, *deal.table]),
        "winner": deal.winner() if over else None,
        "next dealer": deal.next_dealer() if over else None,
    }


def compare(seed: int, scenario: Scenario, branches: Counter[str]) -> None:
    """Plays a deal to its end in both, comparing everything at each decision.

    Args:
        seed: Seed of the moves; named when something differs.
        scenario: The deal, not yet begun, and its players.
        branches: Receives a count of the branches that come up.
    """
    rng = random.Random(seed)
    deal = scenario.deal
    twin = oracle_deal(deal)
    while True:
        engine_side, oracle_side = engine_facts(deal), oracle_facts(twin)
        if engine_side != oracle_side:
            names = [name for name, fact in engine_side.items() if fact != oracle_side[name]]
            moves = " ".join(map(format_move, deal.moves))
            differ = "; ".join(
                f"{name}: engine {engine_side[name]}, oracle {oracle_side[name]}" for name in names
            )
            raise AssertionError(
                f"seed {seed}, {deal.rules}, {deal.players} players, after [{moves}]: {differ}"
            )
        if deal.is_over:
            break
        legal = deal.legal_moves()
        illegal = rng.randrange(8 * MOVES)
        if illegal < MOVES and illegal not in legal:
            refuse(deal, twin, illegal)
        move = scenario.choose(rng)
        assert move in legal
        branches.update(branches_of_move(deal, twin, move))
        deal.play(move)
        twin.apply(ORACLE_MOVES[move])
        branches.update(branches_after(deal, move))
    branches.update(branches_of_result(deal))


def refuse(deal: Deal, twin: oracle.Deal, move: int) -> None:
    """Checks that both refuse an illegal move, and that nothing changes (G27)."""
    before = deal.state.tobytes(), repr(deal.history), len(deal.moves)
    with pytest.raises(IllegalMoveError):
        deal.play(move)
    assert (deal.state.tobytes(), repr(deal.history), len(deal.moves)) == before
    with pytest.raises(ValueError, match="is not legal"):
        twin.apply(ORACLE_MOVES[move])


def branches_of_move(deal: Deal, twin: oracle.Deal, move: int) -> list[str]:
    """Names the branches that a move about to be made takes."""
    s, seat, decision = deal.state, deal.asked, deal.decision
    is_leader = seat == s.turn
    found = []
    if move == SWAP:
        if decision == DECIDE_SWAP:
            found.append("swap (a)")
            if s.stock_size == deal.players:
                found.append("swap (a) before the last draw")
        else:
            found.append("swap (b) by the leader" if s.trick_size == 0 else "swap (b) within a trick")
        if s.swap_card % 10 != SIETE:
            found.append(f"swap by the 2, window ({'a' if decision == DECIDE_SWAP else 'b'})")
        if s.muestra < s.swap_card:
            found.append("swap down")
    elif move == TUTE:
        found.append("tute by the leader" if is_leader else "tute by the partner")
        found.append("tute of reyes" if deal.hand(seat) & REYES == REYES else "tute of sotas")
        if decision == DECIDE_PLAY:
            found.append("tute on the own turn")
    elif SING <= move < SWAP:
        found.append("cante by the leader" if is_leader else "cante by the partner")
        found.append("forty" if move - SING == s.trump else "twenty")
        if decision == DECIDE_PLAY:
            found.append("cante on the own turn")
        if s.stock_size == 0:
            found.append("cante in arrastre")
        if any(cante.after_tricks == s.tricks for cante in deal.history.cantes):
            found.append("second cante after a trick")
            assert s.rules & CANTE_PER_MEMBER
    elif move == PASS:
        found.append("pass at a swap" if decision == DECIDE_SWAP else "pass at a cante or tute")
    elif s.stock_size == 0 and s.trick_size:
        found += branches_of_duty(deal, twin)
    return found


def branches_of_duty(deal: Deal, twin: oracle.Deal) -> list[str]:
    """Names the duties of arrastre that bind, or free, the seat in turn (G10 to G14)."""
    seat = deal.asked
    table, hand = twin.table, twin.hands[seat]
    strict = oracle.Rules()
    without_relief = oracle.legal_cards(hand, table, twin.leader, twin.trump, True, strict, deal.players)
    legal = {ORACLE_CARDS[move] for move in deal.legal_moves() if move < SING}
    found = []
    if legal != without_relief:
        found.append("relief changes the legal moves")
    suit = table[0].suit
    best = oracle.winning_card(table, twin.trump)
    has_trump = any(card.suit == twin.trump for card in hand)
    followers = [card for card in hand if card.suit == suit]
    if followers and suit != twin.trump and best.suit == twin.trump:
        found.append("follows under a trump (G11)")
    elif followers and len(without_relief) < len(followers):
        found.append("must beat (G10)")
    elif followers:
        found.append("follows, cannot beat or must anyhow (G10)")
    elif best.suit == twin.trump and has_trump:
        found.append("need not undertrump (G13)" if without_relief == hand else "must overtrump (G12)")
    elif has_trump:
        found.append("must trump (G12)")
    else:
        found.append("void and without a trump (G13)")
    return found


def branches_after(deal: Deal, move: int) -> list[str]:
    """Names the branches that the move just made has led to."""
    found = []
    if move == SWAP and not deal.is_over and deal.decision == DECIDE_DECLARE and deal.state.asked_again:
        found.append("leader asked again after a swap")
        legal = deal.legal_moves()
        if TUTE in legal:
            found.append("asked again for a tute")
        if legal[0] < SWAP:
            found.append("asked again for a cante")
        partner = deal.asked ^ 2
        if deal.players == 4 and announcements(deal.state, partner, deal.hand(partner)):
            found.append("asked again, and the partner could announce")
    if deal.is_over and deal.vueltas and move != TUTE:
        if SING <= move < SWAP:
            found.append("vueltas won by a cante")
        else:
            assert max(deal.points) >= POINT
            is_final = deal.state.tricks * deal.players == 40
            found.append("vueltas won by the final trick" if is_final else "vueltas won by a trick")
    return found


def branches_of_result(deal: Deal) -> list[str]:
    """Names the branches that the end of a deal takes."""
    found = [f"{deal.players} players", "vueltas" if deal.vueltas else "first deal"]
    s = deal.state
    if deal.rules.fixed_rotation and s.latest_winner != deal.next_dealer:
        found.append("fixed rotation matters")
    if deal.vueltas or deal.history.tute_seat is not None:
        return found
    if deal.winner is None:
        found.append("first deal without a winner")
    if min(deal.points) >= POINT:
        found.append("both sides at 101")
        if s.latest_winner & 1 == int(np.argmin(deal.points)):
            found.append("both sides at 101, the one with fewer wins")
    if deal.rules.malas != Malas.OFF:
        with_malas = deal.winner
        s.malas = MALAS_OFF
        without = point_winner(s)
        s.malas = int(deal.rules.malas)
        if with_malas != (None if without < 0 else without):
            found.append(f"malas decide, {deal.rules.malas.name}")
    return found
