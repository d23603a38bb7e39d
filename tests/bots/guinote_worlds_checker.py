"""Judges sampled deals of Guiñote: by what was shown, by a replay, by listing all that explain the view."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from tapete_bots.guinote.worlds import sample
from tapete_games.bits import popcount
from tapete_games.guinote import Deal
from tapete_games.guinote.moves import move_list
from tapete_games.guinote.state import DECIDE_PLAY, PACK, PASS, REY, SIETE, SOTA, SWAP
from tapete_games.kernel import kernel
from tests.games.guinote_comparison import ORACLE_CARDS, oracle_rules
from tests.oracle import guinote as oracle


@kernel
def contradictions(
    v: np.record, base: np.record, worlds: np.record, s: np.record, samples: int, random: int
) -> int:
    """Samples deals and counts those that contradict VIEW `v`.

    Args:
        v: What a seat knows.
        base: STATE made by `worlds.prepare`.
        worlds: WORLDS made by `worlds.prepare`.
        s: STATE to work in.
        samples: Number of deals.
        random: State of the generator.
    """
    wrong = 0
    for _ in range(samples):
        random = sample(s, base, worlds, random)
        seen = v.played
        count = popcount(v.played)
        is_wrong = s.hand[v.seat] != v.own
        for q in range(4):
            hand = s.hand[q]
            size = popcount(hand)
            if size != v["size"][q] or hand & v.void[q] or v.known[q] & ~hand:
                is_wrong = True
            seen |= hand
            count += size
        for i in range(s.stock_size):
            seen |= 1 << s.stock[i]
            count += 1
        # 40 cards in all places together, none of them twice
        if seen != PACK or count != 40 or s.stock_size != v.stock_size:
            is_wrong = True
        if v.stock_size > 0 and s.stock[0] != v.muestra:
            is_wrong = True
        wrong += is_wrong
    return wrong


# --- replaying ----------------------------------------------------------------------------------


def explains(deal: Deal, seat: int, world: np.record) -> bool:
    """Tells whether a whole deal that ends in `world` gives `seat` exactly the view that it has in `deal`.

    The cards are dealt and drawn so that each comes in time for its use; then everything public is played
    again under the referee.
    """
    pack = _pack_of(deal, world)
    if sorted(pack) != list(range(40)):
        return False
    twin = Deal(deal.rules, deal.players, deal.dealer, pack, vueltas=deal.vueltas)
    public = [move for move in deal.moves if move != PASS]
    seats = _actors(deal)
    while public or (twin.asked, twin.decision) != (deal.asked, deal.decision):
        may_move = public and twin.asked == seats[0] and public[0] in twin.legal_moves()
        # a swap is public with its window
        if may_move and public[0] == SWAP and deal.history.swap:
            may_move = (twin.decision != DECIDE_PLAY) == deal.history.swap.is_before_draw
        if may_move:
            twin.play(public.pop(0))
            seats.pop(0)
        elif PASS in twin.legal_moves():
            twin.play(PASS)
        else:
            return False
    hands = all(twin.hand(q) == world.hand[q] for q in range(deal.players))
    size = int(world.stock_size)
    stock = twin.state.stock[:size].tolist() == world.stock[:size].tolist()
    return hands and stock and twin.view(seat) == deal.view(seat)


def _actors(deal: Deal) -> list[int]:
    """Lists the seat of each public move of a deal."""
    twin = Deal(deal.rules, deal.players, deal.dealer, deal.pack, vueltas=deal.vueltas)
    seats = []
    for move in deal.moves:
        if move != PASS:
            seats.append(twin.asked)
        twin.play(move)
    return seats


def _pack_of(deal: Deal, world: np.record) -> list[int]:
    """Stacks a pack for a deal with the public history of `deal` that ends in `world`, if that can be."""
    players, history = deal.players, deal.history
    order = [(deal.dealer + 1 + i) % players for i in range(players)]
    # When each seat needs each card: at its play, at its cante, at its swap; the others at the end.
    needed: list[dict[int, float]] = [{} for _ in range(players)]

    def need(seat: int, card: int, tricks: float) -> None:
        needed[seat][card] = min(tricks, needed[seat].get(card, 99))

    for number, trick in enumerate(history.tricks):
        for i, card in enumerate(trick.cards):
            need((trick.leader + i) % players, card, number)
    for q in range(players):
        for card in move_list(world.hand[q]):
            need(q, card, 98)
    for cante in history.cantes:
        for card in (cante.suit * 10 + SOTA, cante.suit * 10 + REY):
            need(cante.seat, card, cante.after_tricks)
    swapped = _swap_card(deal)
    if history.swap:
        # the muestra came from below the stock, the card that swapped was dealt or drawn
        needed[history.swap.seat].pop(deal.muestra, None)
        for cards in needed:
            cards.pop(swapped, None)
        # in window (a) the card is there before that trick's draw
        needed[history.swap.seat][swapped] = history.swap.after_tricks - history.swap.is_before_draw
    elif world.muestra < 0:
        for cards in needed:
            cards.pop(deal.muestra, None)
    queues = [sorted(cards, key=cards.__getitem__) for cards in needed]
    pack = [card for part in (0, 3) for q in order for card in queues[q][part : part + 3]]
    queues = [queue[6:] for queue in queues]
    pack.append(deal.muestra)
    drawn = _rounds_drawn(deal)
    for number in range(drawn):
        leader = _winner(deal, number)
        for i in range(players):
            q = (leader + i) % players
            is_last = number == drawn - 1 and world.stock_size == 0 and i == players - 1
            if not is_last:
                pack += queues[q][:1]
                del queues[q][:1]
    size = int(world.stock_size)
    return pack + world.stock[1:size].tolist()[::-1]


def _swap_card(deal: Deal) -> int:
    trump = deal.muestra // 10 * 10
    return trump if deal.muestra == trump + SIETE else trump + SIETE


def _rounds_drawn(deal: Deal) -> int:
    return (40 - 6 * deal.players - int(deal.state.stock_size)) // deal.players


def _winner(deal: Deal, number: int) -> int:
    """Returns the seat that won a complete trick."""
    tricks = deal.history.tricks
    if number + 1 < len(tricks):
        return tricks[number + 1].leader
    return int(deal.state.latest_winner)


# --- listing ------------------------------------------------------------------------------------


def consistent_hands(deal: Deal, seat: int) -> set[tuple[int, ...]]:
    """Lists, in arrastre, all hands of the four seats that explain what `seat` has seen.

    Every way to deal the hidden cards is tried; one that makes a card played since the stock was gone
    illegal, by the oracle, or misses a card that was shown, is left out.
    """
    shown = _shown_cards(deal)
    shown[seat] = 0
    return {
        hands
        for hands in all_hands(deal, seat)
        if all(cards & ~hand == 0 for cards, hand in zip(shown, hands, strict=True))
        and _is_legal_history(deal, hands)
    }


def all_hands(deal: Deal, seat: int) -> Iterator[tuple[int, ...]]:
    """Lists all ways to deal, in arrastre, the cards that `seat` has not seen: the hands of four seats."""
    s = deal.state
    assert s.stock_size == 0
    own = deal.hand(seat)
    hidden = [card for card in range(40) if not int(s.played | own) >> card & 1]
    others = [q for q in range(deal.players) if q != seat]
    for split in _splits(hidden, [deal.hand(q).bit_count() for q in others]):
        hands = [0] * 4
        hands[seat] = own
        for q, cards in zip(others, split, strict=True):
            hands[q] = sum(1 << card for card in cards)
        yield tuple(hands)


def _splits(cards: list[int], sizes: list[int]) -> Iterator[list[tuple[int, ...]]]:
    if not sizes:
        assert not cards
        yield []
        return
    for part in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in part]
        for others in _splits(rest, sizes[1:]):
            yield [part, *others]


def _shown_cards(deal: Deal) -> list[int]:
    """Works out which cards everybody has seen go into each hand, and not leave it (G8, G18, G21)."""
    shown = [0] * 4
    last = deal.muestra
    if deal.history.swap:
        shown[deal.history.swap.seat] |= 1 << deal.muestra
        last = _swap_card(deal)
    for cante in deal.history.cantes:
        shown[cante.seat] |= 3 << (cante.suit * 10 + SOTA)
    # The last card of the stock goes to the seat before the winner of the last trick with a draw.
    rounds = (40 - 6 * deal.players) // deal.players
    shown[(_winner(deal, rounds - 1) - 1) % deal.players] |= 1 << last
    return [cards & ~int(deal.state.played) for cards in shown]


def _is_legal_history(deal: Deal, hands: tuple[int, ...]) -> bool:
    """Tells whether every card played since the stock was gone was legal for a seat ending with its hand."""
    players = deal.players
    rules = oracle_rules(deal.rules)
    trump = ORACLE_CARDS[deal.muestra].suit
    first = (40 - 6 * players) // players
    held = [{ORACLE_CARDS[card] for card in move_list(hand)} for hand in hands]
    for trick in reversed(deal.history.tricks[first:]):
        for i in reversed(range(len(trick.cards))):
            q = (trick.leader + i) % players
            card = ORACLE_CARDS[trick.cards[i]]
            held[q].add(card)
            table = [ORACLE_CARDS[c] for c in trick.cards[:i]]
            if card not in oracle.legal_cards(held[q], table, trick.leader, trump, True, rules, players):
                return False
    return True
