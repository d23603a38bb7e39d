"""Positions of Guiñote in notation, for tests."""

import numpy as np

from tapete_games.cards import parse_cards
from tapete_games.guinote import Deal, Rules, card_code, parse_move
from tapete_games.guinote.engine import legal_cards, put_card
from tapete_games.guinote.moves import move_list
from tapete_games.guinote.state import new_state


def codes(text: str) -> list[int]:
    return [card_code(card) for card in parse_cards(text)]


def card_set(text: str) -> int:
    return sum(1 << code for code in codes(text))


def pack_of(hands: list[str], muestra: str, stock: str = "") -> list[int]:
    """Stacks a pack: hands from the mano on, the muestra, the first cards of the stock, then all others."""
    held = [codes(hand) for hand in hands]
    pack = [card for part in (slice(0, 3), slice(3, 6)) for hand in held for card in hand[part]]
    pack += codes(muestra) + codes(stock)
    return pack + [card for card in range(40) if card not in pack]


def deal_of(
    hands: list[str],
    muestra: str,
    stock: str = "",
    rules: Rules = Rules(),  # noqa: B008 - it is frozen
    vueltas: tuple[int, int] | None = None,
) -> Deal:
    """Deals to seat 0 as mano, to as many seats as there are hands."""
    return Deal(rules, len(hands), len(hands) - 1, pack_of(hands, muestra, stock), vueltas=vueltas)


def play(deal: Deal, *texts: str) -> None:
    """Makes moves in notation; a text of several words that are cards is several plays."""
    for text in texts:
        moves = [text] if text.startswith("sing") else text.split()
        for move in moves:
            deal.play(parse_move(move))


def trick_of(cards: str, *, trump: str = "O", players: int = 4, rules: Rules | None = None) -> np.record:
    """Puts cards on the table in arrastre, led by seat 0."""
    s = new_state()
    s.players, s.trump, s.rules = players, "OCEB".index(trump), (rules or Rules()).flags
    s.muestra = s.swap_card = -1
    for card in codes(cards):
        s.hand[s.turn] = 1 << card
        put_card(s, card, players)
    return s


def in_arrastre(table: str, hand: str, rules: Rules | None = None, players: int = 4) -> str:
    """Lists what the hand may play with oros as trumps, in the order of the hand."""
    s = trick_of(table, players=players, rules=rules)
    s.hand[s.turn] = card_set(hand)
    legal = move_list(legal_cards(s, s.hand[s.turn]))
    return " ".join(word for word in hand.split() if parse_move(word) in legal)


def before_final_trick(
    card_points: tuple[int, int], cantes: tuple[int, int], final_side: int, rules: Rules | None = None
) -> Deal:
    """Sets up the end of a first deal of two: the final trick holds no points but the ten.

    Args:
        card_points: Points from cards of each side.
        cantes: Points from cantes of each side.
        final_side: Side that will win the final trick.
        rules: Rules in force.
    """
    deal = Deal(rules or Rules(), 2, 1, range(40))
    s = deal.state
    s.trump, s.muestra, s.swap_card, s.stock_size, s.tricks, s.latest_winner = 0, -1, -1, 0, 19, 0
    low, high = card_set("2C"), card_set("7C")
    s.hand[0], s.hand[1] = (low, high) if final_side else (high, low)
    s.turn = s.asked = 0
    for side in (0, 1):
        s.card_points[side] = card_points[side]
        s.points[side] = card_points[side] + cantes[side]
    return deal


def finish(deal: Deal) -> Deal:
    """Plays the only move again and again, to the end."""
    while not deal.is_over:
        (move,) = deal.legal_moves()
        deal.play(move)
    return deal
