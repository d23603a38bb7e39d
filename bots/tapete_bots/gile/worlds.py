"""Sampling what a seat of Gilé cannot see, by weight: what the others did makes some holdings likelier.

A world puts each unseen card into a *place*: a place in the hand of a seat still in, in a pile that nobody
sees (set aside, folded or discarded by others), or in the stock. Worlds that contradict the view are
impossible; all others are weighted by the product, over the seats still in, of the probability that a
seat with that hand and some style of `policy` would have done what it did.

What is fixed: the view. What is sampled: all unseen cards, and the style of each seat, uniform beforehand.
The Metropolis algorithm walks from world to world (Metropolis et al. 1953): it exchanges the cards of two
places, or the style of a seat for another one, and keeps the new world with the probability of the ratio of
the weights. Without weights each step is kept, and the first world, drawn uniformly, stays uniform.

The opponent model, fixed
    Bets are judged by `bet_policy`, each action with a floor for what no policy foresees. The number of
    discards is judged by how often a hand of the cards kept and random others keeps just these (`kept`).
    After the discards the earlier bets are judged by what such hands are worth on average (`kept_before`):
    the cards thrown away may be anywhere, and are not sampled again.

Time matters for cards that the seat has seen and put away: they came back with a renewal of the stock, so
that they are in places served after it (see `state`). Which of a seat's first four cards it kept is not
known; where these were served before and after a renewal, one choice is drawn for the whole search.
"""

import numpy as np
from numba import int64

from tapete_bots.gile.hands import OFFSET, set_rank
from tapete_bots.gile.policy import (
    ALL_IN,
    FEAR,
    HALF,
    POT,
    SLOTS,
    STAY,
    STYLES,
    bet_policy,
    equity_after,
    equity_before,
)
from tapete_games.bits import below, mix, next_random
from tapete_games.gile.engine import apply, deal
from tapete_games.gile.settle import score
from tapete_games.gile.state import (
    ARGUMENT,
    CARDS,
    DECIDE_DISCARD,
    DISCARD,
    FIRST,
    LAST,
    LOG,
    MAX_RENEWALS,
    PACK,
    SEAT,
    SEATS,
    copy_public,
)
from tapete_games.kernel import kernel

__all__ = ["WORLD", "fill", "new_world", "prepare", "step"]

PILE, STOCK = SEATS, SEATS + 1
FLOOR = 0.1
# Choices of the cards kept that are drawn before the one with most room is taken.
ATTEMPTS = 64

WORLD = np.dtype(
    [
        ("card", "i8", CARDS),  # card in each place
        ("owner", "i8", CARDS),  # seat, PILE or STOCK of each place
        ("served", "i8", CARDS),  # renewals before the card of that place was served
        ("places", "i8"),  # number of places
        ("held", "i8"),  # those in hands of seats still in: the first ones
        ("start", "i8", SEATS),  # first place of each seat
        ("style", "i8", SEATS),  # row of STYLES
        ("weight", "f8", SEATS),  # weight of each seat's hand and style
        ("gone", "i8", CARDS),  # renewals after which a card may be anywhere, 0 if it was never put away
        ("actions", "i8"),  # number of actions of the log that are judged
        ("actor", "i8", LOG),  # seat of each
        ("slot", "i8", LOG),  # its slot of the menu
        ("weighs", "i8"),  # 1 if worlds are weighted
        ("random", "i8"),  # state of the generator
    ]
)


def new_world() -> np.ndarray:
    """Makes an empty world: an array of one WORLD."""
    return np.zeros(1, WORLD)


# --- the places ---------------------------------------------------------------------------------


@kernel
def _add_place(w: np.record, owner: int, served: int) -> None:
    w.owner[w.places] = owner
    w.served[w.places] = served
    w.places += 1


@kernel
def _order_first(v: np.record, w: np.record, seat: int, marks: np.ndarray, shuffles: bool) -> None:
    """Writes the times at which a seat was served its first four cards, the ones that it kept in front.

    They are shuffled, or the latest are taken for kept: that is when most cards that came back find a place.
    """
    for i in range(4):
        marks[i] = v.served[seat, i]
    for i in range(3, 0, -1):
        if shuffles:
            w.random = next_random(w.random)
            j = below(w.random, i + 1)
        else:
            j = i
            for k in range(i):
                if marks[k] < marks[j]:
                    j = k
        marks[i], marks[j] = marks[j], marks[i]


@kernel
def _add_seat(v: np.record, w: np.record, seat: int, owner: int, marks: np.ndarray) -> None:
    """Adds the places of the cards that a seat holds; `marks` are those of its first four cards."""
    drawn = v.drawn[seat]
    if drawn < 0:
        for i in range(4):
            if v.served[seat, i] >= 0:
                _add_place(w, owner, v.served[seat, i])
        return
    for i in range(4 - drawn):
        _add_place(w, owner, marks[i])
    for i in range(drawn):
        _add_place(w, owner, v.served[seat, 4 + i])


@kernel
def _lay_out(v: np.record, w: np.record, shuffles: bool) -> None:
    """Lays out the places of all unseen cards: hands first, then piles, then the stock."""
    w.places = 0
    marks = np.zeros((SEATS, 4), np.int64)
    for q in range(v.seats):
        if v.drawn[q] >= 0:
            _order_first(v, w, q, marks[q], shuffles)
        w.start[q] = w.places
        if q != v.seat and v.playing >> q & 1:
            _add_seat(v, w, q, q, marks[q])
    w.held = w.places
    for q in range(v.seats):
        if q == v.seat:
            continue
        if v.folded >> q & 1:
            _add_seat(v, w, q, int64(PILE), marks[q])
        drawn = v.drawn[q]
        # Its discards lie there unless the stock was renewed after its service.
        if drawn > 0 and v.served[q, 3 + drawn] == v.renewals:
            for i in range(4 - drawn, 4):
                _add_place(w, int64(PILE), marks[q, i])
        for renewal in range(MAX_RENEWALS):
            for _ in range(v.aside[q, renewal]):
                _add_place(w, int64(PILE), renewal)
    for _ in range(v.stock_size):
        _add_place(w, int64(STOCK), v.renewals)


@kernel
def _place_cards(v: np.record, w: np.record) -> bool:
    """Puts the unseen cards into the places, all consistent ways equally likely; tells whether there is one.

    A card that was put away before a renewal fits the places served after it. The later the renewal, the
    fewer the places, and these are among those of the cards before: drawn in that order, each card has as
    many places left whatever was drawn for the others.
    """
    free = (1 << w.places) - 1
    unseen = PACK & ~v.own
    for card in range(CARDS):
        if v.gone[card] > v.renewals:
            unseen &= ~(1 << card)
        w.gone[card] = v.gone[card]
    for gone in range(v.renewals, -1, -1):
        for card in range(CARDS):
            if not unseen >> card & 1 or w.gone[card] != gone:
                continue
            count = 0
            for i in range(w.places):
                count += free >> i & 1 and w.served[i] >= gone
            if count == 0:
                return False
            w.random = next_random(w.random)
            k = below(w.random, count)
            for i in range(w.places):
                if free >> i & 1 and w.served[i] >= gone:
                    if k == 0:
                        w.card[i] = card
                        free ^= 1 << i
                        break
                    k -= 1
    return free == 0


# --- the weights --------------------------------------------------------------------------------


@kernel
def _slot_of(s: np.record, move: int) -> int:
    """Returns the slot of the menu that is nearest to a move of the seat in turn."""
    total = move & ARGUMENT
    if total == 0:
        return STAY
    if total == s.staked[s.turn] + s.chips[s.turn]:
        return ALL_IN
    pot = s.pot + s.level - s.staked[s.turn]
    return HALF if 4 * (total - s.level) < 3 * pot else POT


@kernel
def _replay(v: np.record, w: np.record, moments: np.ndarray, pack: np.ndarray) -> None:
    """Fills `moments` with the public state before each action of the other seats still in.

    Void deals are left out, the cards are those of any pack: bets do not depend on either.
    """
    w.actions = 0
    for i in range(CARDS):
        pack[i] = i
    stack = np.empty(SEATS, np.int64)
    for q in range(SEATS):
        stack[q] = v.stack[q]
    s = moments[LOG]
    deal(
        s,
        stack,
        v.seats,
        v.dealer,
        v.limit,
        v.suit_rank,
        v.ante,
        v.minimum_bet,
        v.void_limit,
        pack,
        int64(0),
    )
    for i in range(min(v.log_size, LOG)):
        while s.decision == DECIDE_DISCARD:
            hand = s.hand[s.turn]
            cards = 0
            for _ in range(v.drawn[s.turn]):
                cards |= hand & -hand
                hand &= hand - 1
            apply(s, DISCARD | cards)
        move = v.log[i] & ((1 << SEAT) - 1)
        if s.turn != v.seat and v.playing >> s.turn & 1:
            at = moments[w.actions]
            copy_public(at, s)
            w.actor[w.actions] = s.turn
            w.slot[w.actions] = _slot_of(s, move)
            w.actions += 1
        apply(s, move)


@kernel
def _weigh(
    tables: np.record, v: np.record, w: np.record, seat: int, moments: np.ndarray, probabilities: np.ndarray
) -> float:
    """Returns the weight of the hand and style of a seat."""
    start = w.start[seat]
    drawn = v.drawn[seat]
    hand = 0
    first = 0
    kept = 0
    size = 4 if drawn >= 0 or v.served[seat, 2] >= 0 else 2
    for i in range(size):
        card = 1 << w.card[start + i]
        hand |= card
        if i < 2:
            first |= card
        if i < 4 - drawn:
            kept |= card
    weight = 1.0
    before = 0.0
    if drawn >= 0:
        key = OFFSET[4 - drawn] + set_rank(kept)
        weight = tables.kept[key] + 0.02
        before = tables.kept_before[key]
    style = STYLES[w.style[seat]]
    for i in range(w.actions):
        if w.actor[i] != seat:
            continue
        s = moments[i]
        if s.stage == LAST:
            points = score(hand)
            below = tables.below[:, points]
            equity = equity_after(tables, s, seat, below, tables.equal[:, points], style[FEAR])
        else:
            p = before
            if drawn < 0:
                cards = first if s.stage == FIRST else hand
                p = tables.before[OFFSET[2 if s.stage == FIRST else 4] + set_rank(cards)]
            equity = equity_before(tables, s, seat, p, style[FEAR])
        bet_policy(s, equity, style, probabilities)
        slot = w.slot[i]
        p = probabilities[slot]
        if slot != STAY:
            # The size says less than the bet.
            bets = probabilities[HALF] + probabilities[POT] + probabilities[ALL_IN]
            p = 0.5 * p + bets / 6.0
        weight *= (1.0 - FLOOR) * p + FLOOR * 0.25
    return weight


# --- the walk -----------------------------------------------------------------------------------


@kernel
def prepare(
    tables: np.record,
    v: np.record,
    w: np.record,
    moments: np.ndarray,
    pack: np.ndarray,
    weighs: int,
    seed: int,
) -> bool:
    """Draws a first world; tells whether there is a consistent one, which every checked view has.

    Args:
        tables: TABLES.
        v: VIEW.
        w: WORLD, written.
        moments: STATE[LOG + 1], written: the public state before each action that is judged.
        pack: int64[28] to work in.
        weighs: 1 to weight worlds by what the seats did, 0 for uniform ones.
        seed: Seed of all that is drawn.
    """
    w.random = mix(mix(seed) ^ 1)
    w.weighs = weighs
    _replay(v, w, moments, pack)
    for attempt in range(ATTEMPTS):
        _lay_out(v, w, attempt < ATTEMPTS - 1)
        if _place_cards(v, w):
            probabilities = np.zeros(SLOTS)
            for q in range(v.seats):
                w.random = next_random(w.random)
                w.style[q] = below(w.random, len(STYLES))
                w.weight[q] = 1.0
                if weighs and q != v.seat and v.playing >> q & 1:
                    w.weight[q] = _weigh(tables, v, w, q, moments, probabilities)
            return True
    return False


@kernel
def step(
    tables: np.record, v: np.record, w: np.record, moments: np.ndarray, probabilities: np.ndarray, steps: int
) -> None:
    """Walks `steps` steps from world to world; `probabilities` is float64[SLOTS] to work in."""
    for _ in range(steps):
        w.random = next_random(w.random)
        # Eight places or more to one style: hands matter more.
        k = below(w.random, w.held + max(1, w.held // 8))
        w.random = next_random(w.random)
        if k >= w.held:
            seat = w.owner[below(w.random, w.held)]
            style = w.style[seat]
            w.random = next_random(w.random)
            w.style[seat] = below(w.random, len(STYLES))
            if w.weighs:
                weight = _weigh(tables, v, w, seat, moments, probabilities)
                if _keeps(w, weight, w.weight[seat]):
                    w.weight[seat] = weight
                else:
                    w.style[seat] = style
            continue
        j = below(w.random, w.places)
        if w.served[k] < w.gone[w.card[j]] or w.served[j] < w.gone[w.card[k]]:
            continue
        w.card[k], w.card[j] = w.card[j], w.card[k]
        if not w.weighs:
            continue
        one = w.owner[k]
        other = w.owner[j]
        new_one = _weigh(tables, v, w, one, moments, probabilities)
        old = w.weight[one]
        new = new_one
        new_other = 1.0
        if other < SEATS and other != one:
            new_other = _weigh(tables, v, w, other, moments, probabilities)
            old *= w.weight[other]
            new *= new_other
        if _keeps(w, new, old):
            w.weight[one] = new_one
            if other < SEATS and other != one:
                w.weight[other] = new_other
        else:
            w.card[k], w.card[j] = w.card[j], w.card[k]


@kernel
def _keeps(w: np.record, new: float, old: float) -> bool:
    """Tells whether a step to a world of weight `new` from one of weight `old` is kept."""
    if new >= old:
        return True
    w.random = next_random(w.random)
    return (w.random >> 10) < new / old * (1 << 53)


@kernel
def fill(v: np.record, w: np.record, s: np.record) -> None:
    """Writes the world, with its stock in a random order, into STATE `s`, whose public fields stay."""
    for q in range(v.seats):
        s.hand[q] = 0
        s.discards[q] = 0
    s.hand[v.seat] = v.own
    s.set_aside = 0
    # All that lies about is in one pile: the next renewal takes it whoever put it there.
    s.folded = 0
    for card in range(CARDS):
        if v.gone[card] > v.renewals:
            s.set_aside |= 1 << card
    size = 0
    for i in range(w.places):
        owner = w.owner[i]
        if owner == STOCK:
            s.stock[size] = w.card[i]
            size += 1
        elif owner == PILE:
            s.set_aside |= 1 << w.card[i]
        else:
            s.hand[owner] |= 1 << w.card[i]
    for i in range(size - 1, 0, -1):
        w.random = next_random(w.random)
        j = below(w.random, i + 1)
        s.stock[i], s.stock[j] = s.stock[j], s.stock[i]
    s.next_card = 0
    w.random = next_random(w.random)
    s.seed = w.random
