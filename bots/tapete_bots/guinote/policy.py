"""The rule policy of Guiñote: which card a sound club player plays.

It is the heart of the `heuristic` bot and the rollout policy of the search. It reads public facts and
the hand of the seat in turn, nothing else; `s` may be a VIEW or a STATE.

Each legal card gets a score in points: the points expected from this trick, plus what it is worth to
win it, minus the price of letting the card go. The chance to win the trick comes from counting: every
card that was played or shown is remembered, the unseen ones are taken as equally likely to be
anywhere. The weights (see `Weight`) were fitted by self-play over paired deals (`benchmarks/tune.py`)
and are frozen with the version of the bot.
"""

from importlib.resources import files
from math import comb

import numpy as np

from tapete_games.bits import lowest, popcount
from tapete_games.guinote.engine import legal_cards
from tapete_games.guinote.state import BEAT, PACK, POINTS, REYES, SOTA, SOTAS, SUIT
from tapete_games.kernel import inline_kernel, kernel

# ABSENT[h * 1681 + u * 41 + b]: the chance that none of b cards is among h cards drawn from u unseen ones.
ABSENT = np.array(
    [
        (comb(max(u - b, 0), h) / comb(u, h) if h <= u and b <= u else 0.0) if h and b else 1.0
        for h in range(7)
        for u in range(41)
        for b in range(41)
    ],
    dtype=np.float64,
)

# Weights: index of the first, in a float64 array of WEIGHTS.
KEEP_PLAIN = 0  # price of a card of a plain suit while there is stock, by strength (10)
KEEP_TRUMP = 10  # the same of a trump (10)
LAST_PLAIN = 20  # the same in arrastre (10)
LAST_TRUMP = 30  # (10)
PAIR_HELD = 40  # share of the cante that breaking a pair costs
PAIR_HOPED = 41  # the same when the mate is unseen and there is stock
WIN = 42  # worth of winning the trick, while there is stock
WIN_LAST = 43  # the same in arrastre
WIN_TO_SING = 44  # share of a cante ready to sing that winning the trick is worth
SUIT_WILL = 45  # willingness of the others to win in suit with nothing at stake (phase with stock)
SUIT_WILL_POINT = 46  # the same for each point at stake
TRUMP_WILL = 47  # willingness to trump, likewise
TRUMP_WILL_POINT = 48
PARTNER_WILL = 49  # willingness of the partner to win what the side is losing
PARTNER_WILL_POINT = 50
OTHERS_ADD = 51  # points that each player still to come adds to a trick that its side wins
SWAP_CARD = 52  # price of the card that may still be swapped
LEAD_LONG = 53  # price of leading, for each further own card of the suit
VOID_LEAD = 54  # price of the last card of a plain suit
WEIGHTS = 55


@inline_kernel
def absent(hand_size: int, unseen: int, cards: int) -> float:
    """Returns the chance that a hand of unseen cards holds none of `cards` given ones."""
    return ABSENT[hand_size * 1681 + unseen * 41 + cards]


@inline_kernel
def clip(x: float) -> float:
    """Brings a number into the range of chances."""
    return min(max(x, 0.0), 1.0)


@kernel
def best_card(s: np.record, hand: int, w: np.ndarray) -> int:
    """Returns the card that the policy plays for the seat in turn.

    Args:
        s: STATE or VIEW at a card play; public fields only are read.
        hand: Set of the cards of the seat in turn.
        w: float64, WEIGHTS weights.
    """
    legal = legal_cards(s, hand)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    players = s.players
    p = s.turn
    n = s.trick_size
    trump = s.trump
    has_stock = s.stock_size > 0
    unseen = PACK & ~s.played & ~hand
    if has_stock:
        unseen &= ~(1 << s.muestra)
    u = popcount(unseen)
    trumps = unseen & 1023 << trump * 10
    left = players - 1 - n  # players still to come
    rivals = (left + 1) >> 1
    partner_to_come = players == 4 and n < 2
    size = 6 - (0 if has_stock else s.tricks - (40 // players - 6))
    partner_wins = n > 0 and players == 4 and (s.best_seat ^ p) & 1 == 0
    table = s.trick_points
    pairs = hand & hand >> 1 & SOTAS & ~s.sung
    to_sing = 0
    if pairs:
        to_sing = 40 if pairs >> (trump * 10 + SOTA) & 1 else 20
    win_worth = (w[WIN] if has_stock else w[WIN_LAST]) + w[WIN_TO_SING] * to_sing
    keep = KEEP_PLAIN if has_stock else LAST_PLAIN
    # cards that would be played to a pair not yet sung
    hoped = 0
    if has_stock:
        mates = unseen & ~s.sung
        hoped = hand & ((mates & SOTAS) << 1 & REYES | (mates & REYES) >> 1 & SOTAS)
    chosen = -1
    best_score = -1e30
    rest = legal
    while rest:
        c = lowest(rest)
        rest &= rest - 1
        suit = c // 10
        strength = c - suit * 10
        is_trump = suit == trump
        points = table + POINTS[c]
        wins = n == 0 or BEAT[trump * 40 + s.best] >> c & 1 != 0
        best = c if wins else s.best
        ours = wins or partner_wins
        # the chance that one player to come beats the best card
        chance = 1.0 if ours else 0.0
        if left > 0:
            best_suit = best // 10
            led = suit if n == 0 else s.lead // 10
            higher = popcount(BEAT[trump * 40 + best] & unseen & SUIT[best])
            over = 0 if best_suit == trump else popcount(trumps)
            if has_stock:
                hit_suit = (1.0 - absent(size, u, higher)) * clip(w[SUIT_WILL] + w[SUIT_WILL_POINT] * points)
                hit_trump = (1.0 - absent(size, u, over)) * clip(w[TRUMP_WILL] + w[TRUMP_WILL_POINT] * points)
                if best_suit == trump:
                    hit_suit = (1.0 - absent(size, u, higher)) * clip(
                        w[TRUMP_WILL] + w[TRUMP_WILL_POINT] * points
                    )
                hit = hit_suit + (1.0 - hit_suit) * hit_trump
            else:
                followers = popcount(unseen & 1023 << led * 10)
                void = absent(size, u, followers)
                if best_suit == led:
                    hit = 1.0 - absent(size, u, higher) + void * (1.0 - absent(size, u, over))
                else:
                    hit = void * (1.0 - absent(size, u, higher))
            safe = 1.0 - hit
            survives = safe if rivals == 1 else safe * safe
            if rivals == 0:
                survives = 1.0
            rescue = 0.0
            if partner_to_come:
                rescue = hit * clip(w[PARTNER_WILL] + w[PARTNER_WILL_POINT] * points)
            won_back = rescue * (safe if rivals == 1 else 1.0)
            chance = survives + (1.0 - survives) * rescue if ours else won_back
        score = (2.0 * chance - 1.0) * (points + w[OTHERS_ADD] * left) + chance * win_worth
        score -= w[keep + (10 if is_trump else 0) + strength]
        bit = 1 << c
        cante = 40.0 if is_trump else 20.0
        if (pairs | pairs << 1) & bit:
            score -= w[PAIR_HELD] * cante
        elif hoped & bit:
            score -= w[PAIR_HOPED] * cante
        if c == s.swap_card and has_stock and s.muestra > c:
            score -= w[SWAP_CARD]
        own = hand & SUIT[c]
        if n == 0:
            score -= w[LEAD_LONG] * (popcount(own) - 1)
        if not is_trump and own & (own - 1) == 0:
            score -= w[VOID_LEAD]
        if score > best_score:
            best_score = score
            chosen = c
    return chosen


# WEIGHTS_OF[players // 4]: the frozen weights of heuristic@1.
WEIGHTS_OF = np.load(files("tapete_bots.guinote").joinpath("heuristic_1.npy"))  # type: ignore[arg-type]


@kernel
def policy_card(s: np.record, hand: int, w: np.ndarray) -> int:
    """Is `best_card` for callers outside kernels."""
    return best_card(s, hand, w)
