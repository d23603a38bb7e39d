"""The exact second phase of two-player Guiñote.

Once the stock is gone, each of two players knows the other's hand by counting: perfect information.
The solver is alpha-beta over cards, cantes and tutes with a hash table at the start of tricks. Unlike
the prototypes of such solvers it does not maximise points: the value of a line is the probability of
winning the point (G22-G25), with V(x, y) of `equity` for an end in vueltas; among lines of the same
probability the difference of points decides. Probabilities are counted in millionths, so that values are
whole numbers: `probability * 1_000_000 * SCALE + difference of points + HALF`, for side 0.
"""

import numba
import numpy as np
from numba import int64

from tapete_bots.guinote.equity import vueltas_value
from tapete_games.bits import highest, lowest, popcount
from tapete_games.guinote.engine import legal_moves
from tapete_games.guinote.state import (
    BEAT,
    FIXED_ROTATION,
    LAST_TEN,
    MALAS_CARDS_ONLY_LOSES,
    MALAS_THIRTY,
    MINIMUM_MALAS,
    NO_TUTE,
    PASS,
    POINT,
    POINTS,
    REYES,
    SING,
    SOTA,
    SOTAS,
    SUIT,
    TUTE,
)
from tapete_games.kernel import inline_kernel, kernel, recursive_kernel

SCALE = 1024
HALF = 512
# Below, constants are passed as int64(0): for a literal argument numba would compile a function once more.
MILLION = 1_000_000
INFINITE = 1 << 50
ALL = -1
MOST_POINTS = 230  # 120 in cards, the last ten, all cantes
TABLE_BITS = 14

# One solve: the position that does not change with the cards, and counters.
GAME = np.dtype(
    [
        ("hand", "i8", 2),
        ("trump", "i8"),
        ("rules", "i8"),
        ("malas", "i8"),
        ("vueltas", "i8"),
        ("dealer", "i8"),
        ("generation", "i8"),  # of the hash table
        ("nodes", "i8"),
        ("only", "i8"),  # the cards that the next second card of a trick is chosen from
    ]
)
ENTRY = np.dtype([("key", "i8"), ("generation", "i8"), ("low", "i8"), ("high", "i8"), ("card", "i8")])


def new_game() -> np.record:
    """Makes an empty GAME."""
    return np.zeros(1, GAME).view(np.recarray)[0]


def new_table() -> np.ndarray:
    """Makes an empty hash table."""
    return np.zeros(1 << TABLE_BITS, ENTRY).view(np.recarray)


_COLUMN = 1 | 1 << 10 | 1 << 20 | 1 << 30


@kernel
def points_of(cards: int) -> int:
    """Adds up the points of a set of cards, a strength at a time."""
    return (
        2 * popcount(cards & _COLUMN << 5)
        + 3 * popcount(cards & _COLUMN << 6)
        + 4 * popcount(cards & _COLUMN << 7)
        + 10 * popcount(cards & _COLUMN << 8)
        + 11 * popcount(cards & _COLUMN << 9)
    )


@kernel
def won(side: int, x: int, y: int) -> int:
    """Returns the value of a point won by `side`."""
    return (MILLION if side == 0 else 0) * SCALE + x - y + HALF


@kernel
def won_by_tute(side: int) -> int:
    """Returns the value of a tute of `side`: the point, and all that a deal can hold."""
    return (MILLION * SCALE + MOST_POINTS if side == 0 else -MOST_POINTS) + HALF


@kernel
def end_value(g: np.record, x: int, y: int, cards_x: int, cards_y: int, last: int) -> int:
    """Returns the value of a deal played to its end (G24, G25).

    Args:
        g: GAME.
        x: Points of side 0.
        y: Points of side 1.
        cards_x: Points of side 0 from cards alone.
        cards_y: Points of side 1 from cards alone.
        last: Side that won the final trick.
    """
    if g.vueltas:
        return won(0 if x >= POINT else 1, x, y)
    if g.malas == MALAS_CARDS_ONLY_LOSES:
        if x >= POINT and cards_x < MINIMUM_MALAS:
            return won(int64(1), x, y)
        if y >= POINT and cards_y < MINIMUM_MALAS:
            return won(int64(0), x, y)
    ten_x = LAST_TEN if last == 0 else 0
    q_x = x >= POINT and (g.malas != MALAS_THIRTY or cards_x + ten_x >= MINIMUM_MALAS)
    q_y = y >= POINT and (g.malas != MALAS_THIRTY or cards_y + LAST_TEN - ten_x >= MINIMUM_MALAS)
    if q_x and q_y:
        return won(last, x, y)
    if q_x or q_y:
        return won(0 if q_x else 1, x, y)
    next_dealer = g.dealer + 1 if g.rules & FIXED_ROTATION else last
    value = vueltas_value(2, x, y, (next_dealer + 1) & 1)
    return int64(value * MILLION + 0.5) * SCALE + x - y + HALF


def read_value(value: int) -> tuple[float, int]:
    """Splits a value into the probability that side 0 wins the point and its difference of points."""
    probability, difference = divmod(value, SCALE)
    return probability / MILLION, difference - HALF


@kernel
def most(g: np.record, x: int, y: int, cards_x: int, cards_y: int, best: int) -> int:
    """Returns the best (best 0) or worst (best 1) value of a deal that ends with these totals.

    The last ten is not among them: either side may win it, and whoever does deals next.
    """
    if g.vueltas:
        if best == 0:
            return won(0 if x + LAST_TEN >= POINT else 1, x + LAST_TEN, y)
        return won(1 if y + LAST_TEN >= POINT else 0, x, y + LAST_TEN)
    a = end_value(g, x + LAST_TEN, y, cards_x, cards_y, int64(0))
    b = end_value(g, x, y + LAST_TEN, cards_x, cards_y, int64(1))
    return max(a, b) if best == 0 else min(a, b)


@inline_kernel
def alike(a: int, b: int, others: int) -> bool:
    """Tells whether two worthless cards of one suit have no other seat's card between them."""
    if POINTS[a] or POINTS[b] or a // 10 != b // 10:
        return False
    return not others & SUIT[a] & -(2 << min(a, b)) & ((1 << max(a, b)) - 1)


_SIGNATURE = int64(numba.from_dtype(GAME), numba.from_dtype(ENTRY)[::1], *(int64,) * 11)


@recursive_kernel(_SIGNATURE)
def search(
    g: np.record,
    table: np.ndarray,
    p: int,
    led: int,
    x: int,
    y: int,
    cards_x: int,
    cards_y: int,
    sung: int,
    may_sing: int,
    latest: int,
    alpha: int,
    beta: int,
) -> int:
    """Returns the value of a position for side 0 within (alpha, beta): fail-soft alpha-beta.

    Args:
        g: GAME; its hands are those of the position, put back on return.
        table: Hash table.
        p: Seat to move.
        led: Card on the table, -1 at the start of a trick.
        x: Points of side 0.
        y: Points of side 1.
        cards_x: Points of side 0 from cards alone.
        cards_y: Points of side 1 from cards alone.
        sung: Set of the sotas of the suits sung.
        may_sing: 1 while the leader may still sing (start of a trick), else 0.
        latest: 1 while the leader's window is open for a tute, else 0.
        alpha: Lower bound.
        beta: Upper bound.
    """
    g.nodes += 1
    none = int64(-1)
    zero = int64(0)
    one = int64(1)
    mine = g.hand[p]
    theirs = g.hand[1 - p]
    maximizes = p == 0
    best = -INFINITE if maximizes else INFINITE
    low = alpha
    high = beta
    key = zero
    slot = zero
    first = none
    if led < 0:
        if latest and not g.rules & NO_TUTE and (mine & REYES == REYES or mine & SOTAS == SOTAS):
            return won_by_tute(p)
        pairs = mine & mine >> 1 & SOTAS & ~sung
        if may_sing and pairs:
            # the leader chooses what to sing; not to sing can pay only where cantes can lose the point, and
            # in vueltas, which a cante may end with fewer points than were to be had
            if g.malas == MALAS_CARDS_ONLY_LOSES or g.vueltas:
                best = search(g, table, p, led, x, y, cards_x, cards_y, sung, zero, zero, alpha, beta)
                if maximizes:
                    alpha = max(alpha, best)
                else:
                    beta = min(beta, best)
            while pairs and alpha < beta:
                suit = lowest(pairs) // 10
                pairs &= pairs - 1
                gain = int64(40) if suit == g.trump else int64(20)
                nx = x + gain if p == 0 else x
                ny = y if p == 0 else y + gain
                if g.vueltas and (nx >= POINT or ny >= POINT):
                    value = won(p, nx, ny)
                else:
                    value = search(
                        g,
                        table,
                        p,
                        led,
                        nx,
                        ny,
                        cards_x,
                        cards_y,
                        sung | 1 << (suit * 10 + SOTA),
                        zero,
                        zero,
                        alpha,
                        beta,
                    )
                if maximizes:
                    best = max(best, value)
                    alpha = max(alpha, value)
                else:
                    best = min(best, value)
                    beta = min(beta, value)
            return best
        both = mine | theirs
        rest = points_of(both)
        if g.malas != MALAS_CARDS_ONLY_LOSES:
            # all that is left to one side: bounds, since V is monotone
            cantes = zero
            against = zero
            for q in range(2):
                h = g.hand[q]
                pr = h & h >> 1 & SOTAS & ~sung
                if pr:
                    sum_ = 20 * popcount(pr) + (pr >> (g.trump * 10 + SOTA) & 1) * 20
                    if q == 0:
                        cantes = sum_
                    else:
                        against = sum_
            tutes = zero
            if not g.rules & NO_TUTE:
                for q in range(2):
                    h = g.hand[q]
                    if h & REYES == REYES or h & SOTAS == SOTAS:
                        tutes |= 1 << q
            upper = most(g, x + rest + cantes, y, cards_x + rest, cards_y, zero)
            if tutes & 1:
                upper = max(upper, won_by_tute(int64(0)))
            if upper <= alpha:
                return upper
            lower = most(g, x, y + rest + against, cards_x, cards_y + rest, one)
            if tutes & 2:
                lower = min(lower, won_by_tute(int64(1)))
            if lower >= beta:
                return lower
        songs = (sung >> SOTA & 1) | (sung >> 15 & 2) | (sung >> 24 & 4) | (sung >> 33 & 8)
        key = both | p << 40 | songs << 41 | x << 45 | cards_x << 54 | one << 62
        slot = (key ^ key >> 31 ^ key >> 47) & ((1 << TABLE_BITS) - 1)
        e = table[slot]
        if e.key == key and e.generation == g.generation:
            if e.low >= beta or e.low == e.high:
                return e.low
            if e.high <= alpha:
                return e.high
            alpha = max(alpha, e.low)
            beta = min(beta, e.high)
            first = e.card
        low = alpha
        high = beta
        win = zero
        todo = mine
    else:
        win = BEAT[g.trump * 40 + led]
        follow = mine & SUIT[led]
        todo = (follow & win or follow or mine & win or mine) & g.only
        g.only = ALL
    best_card = none
    previous = none
    while todo:
        # the table's card; leading: from the highest down; else the cheapest winner, the cheapest loser
        if first >= 0 and todo >> first & 1:
            card = first
            first = none
            todo ^= 1 << card
        else:
            winners = todo & win
            card = highest(todo) if led < 0 else lowest(winners) if winners else lowest(todo)
            todo ^= 1 << card
            if previous >= 0 and alike(previous, card, theirs | (1 << led if led >= 0 else 0)):
                previous = card
                continue
        previous = card
        g.hand[p] = mine ^ 1 << card
        if led < 0:
            value = search(g, table, 1 - p, card, x, y, cards_x, cards_y, sung, zero, zero, alpha, beta)
        else:
            winner = p if win >> card & 1 else 1 - p
            gain = POINTS[led] + POINTS[card]
            nx, ny, ncx, ncy = x, y, cards_x, cards_y
            if winner == 0:
                nx += gain
                ncx += gain
            else:
                ny += gain
                ncy += gain
            if g.hand[p] == 0:
                if winner == 0:
                    nx += LAST_TEN
                else:
                    ny += LAST_TEN
                value = end_value(g, nx, ny, ncx, ncy, winner)
            elif g.vueltas and (nx >= POINT or ny >= POINT):
                value = won(winner, nx, ny)
            else:
                value = search(g, table, winner, none, nx, ny, ncx, ncy, sung, one, one, alpha, beta)
        if maximizes:
            if value > best:
                best = value
                best_card = card
            alpha = max(alpha, value)
        else:
            if value < best:
                best = value
                best_card = card
            beta = min(beta, value)
        if alpha >= beta:
            break
    g.hand[p] = mine
    if led < 0:
        e = table[slot]
        if e.key != key or e.generation != g.generation:
            e.key = key
            e.generation = g.generation
            e.low = -INFINITE
            e.high = INFINITE
        if best > low:
            e.low = max(e.low, best)
        if best < high:
            e.high = min(e.high, best)
        e.card = best_card
    return best


@kernel
def solve(v: np.record, g: np.record, table: np.ndarray, values: np.ndarray) -> int:
    """Values every legal move of a two-player VIEW in arrastre.

    Args:
        v: VIEW with 2 players and no stock; its decision is DECLARE or PLAY.
        g: GAME, written; `generation` is counted up.
        table: Hash table made by `new_table`; kept between calls.
        values: int64 (47), written: the value of each legal move for side 0.

    Returns:
        The set of legal moves.
    """
    seat = v.seat
    hidden = ((1 << 40) - 1) & ~v.played & ~v.own
    g.hand[seat] = v.own
    g.hand[1 - seat] = hidden
    g.trump = v.trump
    g.rules = v.rules
    g.malas = v.malas
    g.vueltas = v.vueltas
    g.dealer = v.dealer
    g.generation += 1
    g.nodes = 0
    g.only = ALL
    moves = legal_moves(v, seat, v.own)
    led = int64(v.lead) if v.trick_size else int64(-1)
    zero = int64(0)
    one = int64(1)
    low = int64(-INFINITE)
    high = int64(INFINITE)
    todo = moves
    while todo:
        move = lowest(todo)
        todo &= todo - 1
        x, y, sung = v.points[0], v.points[1], v.sung
        if move == TUTE:
            value = won_by_tute(seat)
        elif move == PASS:
            # a pass binds nobody: the leader may still announce when its card is asked for
            may_sing = v.may_sing >> v.turn & 1
            value = search(
                g,
                table,
                v.turn,
                led,
                x,
                y,
                v.card_points[0],
                v.card_points[1],
                sung,
                may_sing,
                one,
                low,
                high,
            )
        elif move >= SING:
            gain = 40 if move - SING == v.trump else 20
            if seat == 0:
                x += gain
            else:
                y += gain
            if v.vueltas and (x >= POINT or y >= POINT):
                value = won(seat, x, y)
            else:
                sung |= 1 << ((move - SING) * 10 + SOTA)
                value = search(
                    g, table, seat, led, x, y, v.card_points[0], v.card_points[1], sung, zero, one, low, high
                )
        else:
            value = play_value(g, table, v, move, led)
        values[move] = value
    return moves


@kernel
def play_value(g: np.record, table: np.ndarray, v: np.record, card: int, led: int) -> int:
    """Returns the value of playing `card`."""
    seat = v.seat
    zero = int64(0)
    low = int64(-INFINITE)
    high = int64(INFINITE)
    x, y, cards_x, cards_y = v.points[0], v.points[1], v.card_points[0], v.card_points[1]
    if led >= 0:
        # the second card of a trick: the search itself plays it and takes the trick
        g.only = 1 << card
        return search(g, table, seat, led, x, y, cards_x, cards_y, v.sung, zero, zero, low, high)
    g.hand[seat] = v.own ^ 1 << card
    value = search(g, table, 1 - seat, int64(card), x, y, cards_x, cards_y, v.sung, zero, zero, low, high)
    g.hand[seat] = v.own
    return value
