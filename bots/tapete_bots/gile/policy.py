"""The rules of thumb of Gilé: how likely a seat of some style is to fold, call, bet or raise.

They serve three times: the `heuristic` bot plays by them, the search plays rollouts and opponents by them,
and what a seat has done tells by them what it may hold. A policy is mixed: it gives probabilities to the
five slots of the menu below, so that a strong hand is likely to bet and a weak one may bluff.

Everything is judged by two numbers. The *equity* is the probability of beating all others at the showdown,
each of whom has a random hand, but for the last one that bet: its hand is thought to be among its better
ones, the more so the larger the bet. The *share* is the equity on a scale where a hand as good as any
other stands at one half, whatever the number of seats.
"""

import numpy as np
from numba import float64

from tapete_bots.gile.hands import OFFSET, set_rank
from tapete_games.bits import popcount
from tapete_games.gile.engine import greatest_total, least_total
from tapete_games.gile.settle import score
from tapete_games.gile.state import BET, CALL, CHECK, FOLD, LAST, RAISE
from tapete_games.kernel import inline_kernel, kernel

__all__ = ["ALL_IN", "GIVE_UP", "HALF", "POT", "SLOTS", "STAY", "STYLES", "STYLE_NAMES", "bet_policy"]

# --- the menu -----------------------------------------------------------------------------------

# Fold; check or call; bet or raise by half the pot, by the pot, by all chips.
GIVE_UP, STAY, HALF, POT, ALL_IN, SLOTS = 0, 1, 2, 3, 4, 5

# --- styles -------------------------------------------------------------------------------------

STYLE_NAMES = ("balanced", "tight", "loose", "aggressive", "station")
# Columns: added to the equity when calling, share at which a bet is as likely as not, share at which a raise
# is, probability of a bluff with the worst hand, how much a large bet is feared. The balanced style was found
# by letting it answer its own kind and the others for a dozen rounds; the others are set off from it.
CALLS, BETS, RAISES, BLUFFS, FEAR = 0, 1, 2, 3, 4
STYLES = np.array(
    [
        [0.00, 0.40, 0.52, 0.20, 2.0],
        [-0.10, 0.62, 0.70, 0.05, 2.0],
        [0.10, 0.48, 0.60, 0.20, 1.4],
        [0.00, 0.42, 0.48, 0.35, 1.6],
        [0.18, 0.70, 0.88, 0.00, 1.0],
    ]
)


@inline_kernel
def _step(x: float) -> float:
    """Rises from 0 at -2 to 1 at 2, so that nobody ever folds what cannot lose; one half at 0."""
    t = min(max(0.25 * (x + 2.0), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@kernel
def slot_move(s: np.record, slot: int) -> int:
    """Returns the move of a slot of the menu for the seat in turn, the nearest legal one; -1 if none is.

    Args:
        s: STATE or VIEW that asks for a bet.
        slot: GIVE_UP to ALL_IN.
    """
    to_call = s.level - s.staked[s.turn]
    if slot == GIVE_UP:
        return FOLD if to_call else -1
    if slot == STAY:
        return CALL if to_call else CHECK
    least = least_total(s)
    if least == 0:
        return -1
    greatest = greatest_total(s)
    total = greatest
    if slot != ALL_IN:
        pot = s.pot + to_call
        total = min(max(s.level + (pot if slot == POT else (pot + 1) // 2), least), greatest)
    return (RAISE if s.level else BET) | total


@inline_kernel
def against_bettor(tables: np.record, s: np.record, seat: int, p: float, fear: float) -> float:
    """Turns the probability of beating a random hand into that of beating the hand of the last bettor.

    It is thought to hold one of its best hands, the larger the bet the fewer: with a `fear` of 1, two of
    three after a bet of half the pot, half of them after one of the pot, a quarter after one of three pots.
    One time in five it bluffs with any.
    """
    to_call = s.level - s.staked[seat]
    share = 0.9
    if to_call > 0:
        share = 1.0 / (1.0 + fear * min(to_call / (s.pot - to_call + 1e-9), 3.0))
    if s.stage == LAST:
        # p is the part of all hands that are beaten.
        better = max(0.0, 1.0 - (1.0 - p) / share)
    else:
        better = max(0.0, p + 0.5 - tables.best_before[s.stage, int(share * 16.0)])
    return 0.8 * better + 0.2 * p


@inline_kernel
def _wins_tie(s: np.record, seat: int, other: int) -> float:
    """Returns the probability that `seat` wins a tie with `other` (L16, L17)."""
    if s.suit_rank:
        return 0.5
    if seat == s.dealer:
        return 1.0
    if other == s.dealer:
        return 0.0
    return 1.0 if (seat - s.mano) % s.seats < (other - s.mano) % s.seats else 0.0


@kernel
def equity_before(tables: np.record, s: np.record, seat: int, p: float, fear: float) -> float:
    """Returns the equity of a hand before the discards.

    Args:
        tables: TABLES.
        s: STATE or VIEW.
        seat: Whose hand it is.
        p: Probability of beating one random hand, a tie counting half.
        fear: STYLES column FEAR.
    """
    equity = 1.0
    for q in range(s.seats):
        if q != seat and s.playing >> q & 1:
            beats = min(max(p + (_wins_tie(s, seat, q) - 0.5) * tables.tie, 0.0), 1.0)
            equity *= against_bettor(tables, s, seat, beats, fear) if q == s.aggressor else beats
    return equity


@kernel
def equity_after(
    tables: np.record, s: np.record, seat: int, below: np.ndarray, equal: np.ndarray, fear: float
) -> float:
    """Returns the equity of a hand after the discards.

    Args:
        tables: TABLES.
        s: STATE or VIEW.
        seat: Whose hand it is.
        below: float[5], probability that a hand whose seat discarded so many cards scores less.
        equal: float[5], probability that it scores as much.
        fear: STYLES column FEAR.
    """
    equity = 1.0
    for q in range(s.seats):
        if q != seat and s.playing >> q & 1:
            drawn = s.drawn[q]
            beats = below[drawn] + _wins_tie(s, seat, q) * equal[drawn]
            equity *= against_bettor(tables, s, seat, beats, fear) if q == s.aggressor else beats
    return equity


@kernel
def table_equity(tables: np.record, s: np.record, seat: int, cards: int, fear: float) -> float:
    """Returns the equity of `cards` of `seat` by the tables, without a look at which cards are unseen."""
    if s.stage == LAST:
        points = score(cards)
        return equity_after(tables, s, seat, tables.below[:, points], tables.equal[:, points], fear)
    p = float64(tables.before[OFFSET[popcount(cards)] + set_rank(cards)])
    return equity_before(tables, s, seat, p, fear)


@kernel
def bet_policy(s: np.record, equity: float, style: np.ndarray, out: np.ndarray) -> None:
    """Writes the probability of each slot of the menu for the seat in turn.

    Args:
        s: STATE or VIEW that asks for a bet.
        equity: Probability of beating all others.
        style: float64[5], a row of STYLES.
        out: float64[SLOTS], written; slots without a legal move have 0.
    """
    seat = s.turn
    others = popcount(s.playing) - 1
    share = others * equity / (others * equity + 1.0 - equity + 1e-9)
    to_call = s.level - s.staked[seat]
    may_raise = least_total(s) > 0
    for slot in range(SLOTS):
        out[slot] = 0.0
    if to_call:
        cost = min(to_call, s.chips[seat])
        odds = cost / (s.pot + cost)
        # More is to be paid in the rounds that follow.
        margin = 0.0 if s.stage == LAST else 0.03
        stays = _step((equity + style[CALLS] - odds - margin) / 0.06)
        raises = _step((share - style[RAISES] - 0.06 * s.raises) / 0.05) if may_raise else 0.0
        raises += 0.15 * style[BLUFFS] * (1.0 - share) if may_raise and s.raises == 0 else 0.0
        out[GIVE_UP] = 1.0 - stays
        out[STAY] = stays * (1.0 - raises)
        bets = stays * raises
    else:
        bets = 0.0
        if may_raise:
            bets = _step((share - style[BETS]) / 0.05)
            # A bluff says more when nobody is left to speak.
            is_last = popcount(s.spoken & s.playing) >= others
            bets += (1.0 - bets) * style[BLUFFS] * (1.0 - share) * (1.0 if is_last else 0.4)
        out[STAY] = 1.0 - bets
    if bets > 0.0:
        behind = s.chips[seat] - to_call
        depth = behind / (s.pot + to_call + 1e-9)
        all_in = _step((share - (0.8 if depth <= 1.5 else 0.95)) / 0.03) * (1.0 if depth <= 4.0 else 0.3)
        pot = (1.0 - all_in) * _step((share - 0.76) / 0.06)
        out[ALL_IN] = bets * all_in
        out[POT] = bets * pot
        out[HALF] = bets * (1.0 - all_in - pot)


@inline_kernel
def draw_slot(probabilities: np.ndarray, u: float) -> int:
    """Returns the slot that `u`, 0 to 1, falls into."""
    slot = 0
    for i in range(SLOTS):
        if probabilities[i] > 0.0:
            slot = i
            u -= probabilities[i]
            if u < 0.0:
                break
    return slot
