"""Packs and players that make the rare branches of Guiñote common, for the comparison with the oracle.

The players see all cards: they are not there to play well but to steer a deal into a branch.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from tapete_games.guinote import Deal, Malas, Rules
from tapete_games.guinote.state import (
    BEAT,
    DECIDE_PLAY,
    DECIDE_SWAP,
    NO_TUTE,
    PASS,
    POINTS,
    REY,
    SIETE,
    SING,
    SOTA,
    SWAP,
    TUTE,
)

_BEATS = BEAT.tolist()
_POINTS = POINTS.tolist()


@dataclass(frozen=True)
class Policy:
    """How a side plays."""

    announces: str = "at once"
    """at once | own turn | never | random"""
    swaps: str = "at once"
    """at once | own turn | last draw | never | random"""
    plays: str = "random"
    """random | greedy (wins cheaply if it can) | humble (loses, gives points away) | thrifty (wins worthless
    tricks alone, and only while it has a pair to sing) | yielding (lets the others win worthless tricks while
    they have a pair to sing, and is greedy afterwards)"""
    holds_back: bool = False
    """Whether it keeps rey and sota of suits not yet sung, and the card that swaps, as long as it can."""

    def choose(self, deal: Deal, rng: random.Random) -> int:
        """Chooses a legal move for the seat that is asked."""
        legal = deal.legal_moves()
        announcements = [move for move in legal if SING <= move < SWAP or move == TUTE]
        decision = deal.decision
        if SWAP in legal and self._swaps_now(deal, rng):
            return SWAP
        if decision == DECIDE_SWAP:
            return PASS
        eager = self.announces == "at once" or (self.announces == "own turn" and decision == DECIDE_PLAY)
        if announcements and (eager or (self.announces == "random" and rng.random() < 0.5)):
            return TUTE if TUTE in announcements and rng.random() < 0.8 else rng.choice(announcements)
        return PASS if decision != DECIDE_PLAY else self._card(deal, [m for m in legal if m < SING], rng)

    def _swaps_now(self, deal: Deal, rng: random.Random) -> bool:
        match self.swaps:
            case "at once":
                return True
            case "own turn":
                return deal.decision == DECIDE_PLAY
            case "last draw":
                return bool(deal.decision == DECIDE_SWAP and deal.state.stock_size == deal.players)
            case "random":
                return rng.random() < 0.5
            case _:
                return False

    def _card(self, deal: Deal, cards: list[int], rng: random.Random) -> int:
        s = deal.state
        if self.holds_back:
            cards = [card for card in cards if not is_pair_card(s, card) and card != s.swap_card] or cards
        if self.plays == "random":
            return rng.choice(cards)
        beats = _BEATS[s.trump * 40 + s.best] if s.trick_size else 0
        winning = [card for card in cards if not s.trick_size or beats >> card & 1]
        losing = [card for card in cards if card not in winning]
        lets_sing = self.plays == "yielding" and has_pair_left(s, ~deal.asked & 1)
        if self.plays == "greedy":
            return min(winning or cards, key=_worth)
        if self.plays == "yielding" and not lets_sing:
            return max(winning, key=_strength) if winning else min(cards, key=_worth)
        if self.plays == "thrifty" and has_pair_left(s, deal.asked & 1):
            cheap = [card for card in winning if _POINTS[card] <= 2]
            if s.trick_points <= 2 and cheap:
                return max(cheap, key=lambda card: (card // 10 == s.trump, card % 10))
            lets_sing = True
        if lets_sing:
            return min(losing or cards, key=_worth)
        return max(losing, key=_worth) if losing else min(cards, key=_worth)


def _worth(card: int) -> tuple[int, int]:
    return _POINTS[card], card % 10


def _strength(card: int) -> int:
    return card % 10


def is_pair_card(s: np.record, card: int) -> bool:
    """Tells whether a card is rey or sota of a suit not yet sung."""
    return card % 10 in (SOTA, REY) and not int(s.sung) >> (card // 10 * 10 + SOTA) & 1


def has_pair_left(s: np.record, side: int) -> bool:
    """Tells whether a hand of the side holds rey and sota of a suit not yet sung."""
    hands = s.hand[side::2]
    sung = s.sung
    return any(
        hand >> (suit * 10 + SOTA) & 3 == 3 and not sung >> (suit * 10 + SOTA) & 1
        for hand in hands
        for suit in range(4)
    )


@dataclass(frozen=True)
class Scenario:
    """A deal to play and who plays it."""

    deal: Deal
    policies: tuple[Policy, Policy]
    """Of the sides of the even and the odd seats."""

    def choose(self, rng: random.Random) -> int:
        """Chooses a move for the seat that is asked."""
        return self.policies[self.deal.asked & 1].choose(self.deal, rng)


def stack(
    rng: random.Random,
    players: int,
    dealer: int,
    hands: dict[int, Iterable[int]],
    muestra: int | None = None,
    soon: Iterable[int] = (),
    late: Iterable[int] = (),
) -> list[int]:
    """Stacks a pack.

    Args:
        rng: Shuffles all that is not asked for.
        players: 2 or 4.
        dealer: Seat that deals it.
        hands: Cards that a seat is dealt, at most six.
        muestra: Card turned up.
        soon: Cards on top of the stock.
        late: Cards that are not dealt at first, but lie in the stock.
    """
    held = {seat: list(cards) for seat, cards in hands.items()}
    top, below = list(soon), list(late)
    placed = {card for cards in held.values() for card in cards} | {*top, *below}
    rest = [card for card in range(40) if card not in placed and card != muestra]
    rng.shuffle(rest)
    if muestra is None:
        muestra = rest.pop()
    for q in range(players):
        hand = held.setdefault(q, [])
        hand += [rest.pop() for _ in range(6 - len(hand))]
        rng.shuffle(hand)
    order = [(dealer + 1 + i) % players for i in range(players)]
    below += rest
    rng.shuffle(below)
    return [card for part in (0, 3) for q in order for card in held[q][part : part + 3]] + [
        muestra,
        *top,
        *below,
    ]


def random_rules(rng: random.Random) -> Rules:
    """Draws all switches and the malas."""
    return Rules.of_flags(rng.randrange(32), rng.choice(list(Malas)), rng.randint(1, 4))


def random_vueltas(rng: random.Random) -> tuple[int, int]:
    """Draws points that a first deal can leave without a winner."""
    total = rng.choice((130, 150, 170, 190))
    even = rng.randint(total - 100, 100)
    return even, total - even


def random_policy(rng: random.Random) -> Policy:
    """Draws how a side plays."""
    return Policy(
        rng.choice(("at once", "own turn", "never", "random")),
        rng.choice(("at once", "own turn", "last draw", "never", "random")),
        rng.choice(("random", "random", "greedy", "humble")),
        rng.random() < 0.5,
    )


def _pair(suit: int) -> list[int]:
    return [suit * 10 + SOTA, suit * 10 + REY]


def _uniform(rng: random.Random) -> Scenario:
    players = rng.choice((2, 4))
    dealer = rng.randrange(players)
    vueltas = random_vueltas(rng) if rng.random() < 0.4 else None
    deal = Deal(random_rules(rng), players, dealer, rng.sample(range(40), 40), vueltas=vueltas)
    return Scenario(deal, (random_policy(rng), random_policy(rng)))


def _tute(rng: random.Random) -> Scenario:
    """Four reyes or sotas in a hand, whose side tries to win the first trick with another card."""
    players = rng.choice((2, 4, 4))
    dealer, seat = rng.randrange(players), rng.randrange(players)
    rank = rng.choice((SOTA, REY))
    trump = rng.randrange(4)
    trumps = [trump * 10 + strength for strength in range(10) if strength != rank]
    muestra = rng.choice(trumps)
    hands = {seat: [suit * 10 + rank for suit in range(4)]}
    # Usually the highest trump lies with the partner, who then wins the first trick.
    winner = rng.choice((seat, seat ^ 2, seat ^ 2)) if players == 4 else seat
    hands.setdefault(winner, []).append(max(card for card in trumps if card != muestra))
    pack = stack(rng, players, dealer, dict(hands), muestra)
    policy = Policy(rng.choice(("at once", "own turn")), "random", "greedy", holds_back=True)
    vueltas = random_vueltas(rng) if rng.random() < 0.3 else None
    rules = random_rules(rng) if rng.random() < 0.5 else Rules()
    return Scenario(Deal(rules, players, dealer, pack, vueltas=vueltas), (policy, policy))


def _swap_completes(rng: random.Random) -> Scenario:
    """The muestra completes a pair or a tute of the holder of the siete, who swaps on the own turn."""
    players = rng.choice((2, 4))
    trump, rank = rng.randrange(4), rng.choice((SOTA, REY))
    if rng.random() < 0.4:
        held = [suit * 10 + rank for suit in range(4) if suit != trump]
    else:
        held = [trump * 10 + SOTA + REY - rank]
    announces = rng.choice(("at once", "random"))
    return _completing_swap(rng, players, trump * 10 + rank, held, [], announces)


def _partner_waits(rng: random.Random) -> Scenario:
    """The same, and the partner could announce a pair too."""
    trump, rank = rng.randrange(4), rng.choice((SOTA, REY))
    pair = _pair(rng.choice([suit for suit in range(4) if suit != trump]))
    announces = rng.choice(("own turn", "own turn", "random"))
    return _completing_swap(rng, 4, trump * 10 + rank, [trump * 10 + SOTA + REY - rank], pair, announces)


def _completing_swap(
    rng: random.Random, players: int, muestra: int, held: list[int], partner: list[int], announces: str
) -> Scenario:
    """Deals the siete and the highest trump to a seat too, which so wins the first trick with luck."""
    dealer, seat = rng.randrange(players), rng.randrange(players)
    trump = muestra // 10
    hands = {seat: [*held, trump * 10 + SIETE, trump * 10 + 9]}
    if partner:
        hands[seat ^ 2] = partner
    pack = stack(rng, players, dealer, dict(hands), muestra)
    policies = [random_policy(rng), random_policy(rng)]
    policies[seat & 1] = Policy(announces, "own turn", "greedy", holds_back=True)
    vueltas = random_vueltas(rng) if rng.random() < 0.3 else None
    deal = Deal(random_rules(rng), players, dealer, pack, vueltas=vueltas)
    return Scenario(deal, (policies[0], policies[1]))


def _malas(rng: random.Random) -> Scenario:
    """A side with many cantes takes next to no points in cards."""
    players = rng.choice((2, 4))
    dealer, side = rng.randrange(players), rng.randrange(2)
    trump = rng.randrange(4)
    low = [trump * 10 + strength for strength in range(6)]
    rng.shuffle(low)
    others = [suit for suit in range(4) if suit != trump]
    rng.shuffle(others)
    hands: dict[int, Iterable[int]]
    if players == 4:
        hands = {
            side: [*_pair(trump), *_pair(others[0]), *low[:2]],
            side + 2: [*_pair(others[1]), *_pair(others[2]), *low[2:4]],
        }
        soon: list[int] = []
    else:
        hands = {side: [*_pair(trump), *_pair(others[0]), *low[:2]]}
        soon = [*low[2:4], *_pair(others[1]), *_pair(others[2])]
        rng.shuffle(soon)
    high = [suit * 10 + strength for strength in (9, 8) for suit in (trump, *others)]
    if players == 4:
        hands |= {1 - side: high[:6:2], 3 - side: high[1:6:2]}
        high = high[6:]
    pack = stack(rng, players, dealer, hands, low[4], soon, high)
    malas = rng.choice((Malas.THIRTY, Malas.THIRTY, Malas.THIRTY, Malas.CARDS_ONLY_LOSES))
    rules = Rules.of_flags(rng.randrange(32) | NO_TUTE, malas)
    singer = Policy("at once", "never", "thrifty", holds_back=True)
    other = Policy("never", "never", "yielding")
    deal = Deal(rules, players, dealer, pack)
    return Scenario(deal, (singer, other) if side == 0 else (other, singer))


def _both_reach(rng: random.Random) -> Scenario:
    """Both sides hold pairs from the start and sing them in the first deal of a point."""
    players = rng.choice((2, 4))
    dealer = rng.randrange(players)
    suits = [0, 1, 2, 3]
    rng.shuffle(suits)
    muestra = rng.choice([card for card in range(40) if card % 10 not in (SOTA, REY)])
    seats = [0, 1, 2 % players, 3 % players]
    hands: dict[int, list[int]] = {}
    for seat, suit in zip(seats, suits, strict=True):
        hands.setdefault(seat, []).extend(_pair(suit))
    pack = stack(rng, players, dealer, dict(hands), muestra)
    policies = (Policy("at once", "random", "random", holds_back=True),) * 2
    return Scenario(Deal(random_rules(rng), players, dealer, pack), (policies[0], policies[1]))


def _two_swaps(rng: random.Random) -> Scenario:
    """The siete itself is turned up, and the 2 lies in a hand."""
    players = rng.choice((2, 4))
    dealer, seat = rng.randrange(players), rng.randrange(players)
    trump = rng.randrange(4)
    pack = stack(rng, players, dealer, {seat: [trump * 10]}, muestra=trump * 10 + SIETE)
    policies = [random_policy(rng), random_policy(rng)]
    policies[seat & 1] = Policy("random", rng.choice(("at once", "own turn")), "greedy", holds_back=True)
    deal = Deal(random_rules(rng), players, dealer, pack)
    return Scenario(deal, (policies[0], policies[1]))


def _last_draw(rng: random.Random) -> Scenario:
    """The holder of the siete keeps it until window (a) before the last draw."""
    players = rng.choice((2, 4, 4))
    dealer, seat = rng.randrange(players), rng.randrange(players)
    trump = rng.randrange(4)
    strength = rng.choice([strength for strength in range(10) if strength != SIETE])
    pack = stack(rng, players, dealer, {seat: [trump * 10 + SIETE]}, muestra=trump * 10 + strength)
    policy = Policy("random", "last draw", "greedy", holds_back=True)
    return Scenario(Deal(random_rules(rng), players, dealer, pack), (policy, policy))


def _vueltas(rng: random.Random) -> Scenario:
    """Both sides are close to 101 and hold pairs."""
    players = rng.choice((2, 4))
    dealer = rng.randrange(players)
    muestra = rng.choice([card for card in range(40) if card % 10 not in (SOTA, REY)])
    suits = [0, 1, 2, 3]
    rng.shuffle(suits)
    hands = {0: _pair(suits[0]), players - 1: _pair(suits[1])}
    pack = stack(rng, players, dealer, dict(hands), muestra)
    policy = Policy(rng.choice(("at once", "own turn")), "random", "random", holds_back=True)
    deal = Deal(random_rules(rng), players, dealer, pack, vueltas=random_vueltas(rng))
    return Scenario(deal, (policy, policy))


SCENARIOS: dict[str, Callable[[random.Random], Scenario]] = {
    "uniform": _uniform,
    "tute": _tute,
    "swap completes": _swap_completes,
    "partner waits": _partner_waits,
    "malas": _malas,
    "more malas": _malas,
    "still more malas": _malas,
    "both reach": _both_reach,
    "two swaps": _two_swaps,
    "last draw": _last_draw,
    "vueltas": _vueltas,
}


def scenario(seed: int) -> Scenario:
    """Makes the scenario of a seed; the kinds take turns."""
    kinds = list(SCENARIOS.values())
    return kinds[seed % len(kinds)](random.Random(seed))
