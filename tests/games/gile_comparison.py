"""Plays random deals of Gilé on the engine and on the oracle at once."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from tapete_games.bits import members
from tapete_games.gile import Deal, Limit, Rules, amount_of, card_code, card_of, kind_of, shuffled_pack
from tapete_games.gile.engine import renewal_order
from tapete_games.gile.state import BET, CALL, CHECK, DECIDE_DISCARD, DISCARD, FOLD, RAISE
from tests.oracle.gile import Card, GileOracle

WORDS = {FOLD: "fold", CHECK: "check", CALL: "call", BET: "bet", RAISE: "raise", DISCARD: "discard"}
ENDS = {1: "showdown", 2: "one left", 3: "void"}
MOODS = ("quiet", "quiet", "even", "wild", "timid", "squeeze", "squeeze", "crowd", "crowd")
STACKS = (0, 1, 1, 2, 3, 4, 6, 9, 15, 40, 100, 100)


def cards_of(codes: object) -> list[Card]:
    found = [card_of(int(code)) for code in codes]  # type: ignore[attr-defined]
    return [(card.rank, int(card.suit)) for card in found]


def code_of(card: Card) -> int:
    return card_code(next(c for c in map(card_of, range(28)) if (c.rank, int(c.suit)) == card))


def random_table(rng: random.Random, mood: str = "even") -> tuple[Rules, list[int], int]:
    """Draws rules, stacks and a dealer."""
    fewest = {"crowd": 5, "squeeze": 3}.get(mood, 2)
    while True:
        seats = rng.randint(fewest, 5)
        stacks = [100] * seats if rng.random() < 0.3 else [rng.choice(STACKS) for _ in range(seats)]
        if mood == "squeeze":
            stacks = [rng.choice((15, 25, 40, 100, 100)) for _ in range(seats)]
        dealt_in = [seat for seat in range(seats) if stacks[seat]]
        if len(dealt_in) >= 2:
            break
    rules = Rules(
        limit=rng.choice(list(Limit)),
        suit_rank=rng.random() < 0.5,
        ante=rng.choice([0, 1, 1, 1, 2, 3]),
        minimum_bet=rng.choice([5, 10] if mood == "squeeze" else [1, 1, 2, 3]),
        void_deals=rng.choice([1, 2, 3, 3, 5, 10]),
    )
    return rules, stacks, rng.choice(dealt_in)


def choose(deal: Deal, rng: random.Random, mood: str) -> int:
    """Draws a legal move.

    A `quiet` table mostly checks and calls, a `wild` one bets and goes all in, a `timid` one folds, a
    `squeeze` is full of all-ins for less than a raise, and of a `crowd` most come to the showdown.
    """
    moves = deal.legal_moves()
    if deal.decision == DECIDE_DISCARD:
        # All four cards, none, or any.
        return rng.choice([moves[-1], moves[0], rng.choice(moves)])
    stays = [move for move in moves if move in (CHECK, CALL)]
    bets = [move for move in moves if kind_of(move) in (BET, RAISE)]
    if mood == "squeeze" and bets:
        s, seat = deal.state, deal.asked
        all_in = amount_of(bets[-1]) == s.staked[seat] + s.chips[seat]
        if all_in and amount_of(bets[-1]) < s.level + s.step and rng.random() < 0.8:
            return bets[-1]
        if not s.level and rng.random() < 0.7:
            # Leave some seat a few chips more than the bet.
            others = [q for q in members(s.playing) if q != seat]
            bet = BET | max(0, int(s.chips[rng.choice(others)]) - rng.randint(1, 4))
            return bet if bets[0] <= bet <= bets[-1] else bets[0]
    if mood == "crowd" and bets and not deal.state.level and rng.random() < 0.3:
        return bets[0]
    stay = {"quiet": 0.93, "even": 0.6, "wild": 0.25, "timid": 0.4, "squeeze": 0.8, "crowd": 0.97}[mood]
    if rng.random() < stay or len(moves) == 1:
        return stays[0]
    if bets and rng.random() < (0.4 if mood == "timid" else 0.8):
        return rng.choice([bets[0], bets[-1], rng.randint(bets[0], bets[-1])])
    return rng.choice(moves)


def check_legal(deal: Deal, oracle: GileOracle) -> None:
    """Holds the legal moves to the oracle's."""
    found: dict[str, object] = {}
    for move in deal.legal_moves():
        word, amount = WORDS[kind_of(move)], amount_of(move)
        if word == "discard":
            found.setdefault("discard", []).append(set(cards_of(members(amount))))  # type: ignore[attr-defined]
        elif word in ("bet", "raise"):
            least = found[word][0] if word in found else amount  # type: ignore[index]
            found[word] = (least, amount)
        else:
            found[word] = True
    expected = oracle.legal()
    assert found.keys() == expected.keys()
    for word, value in expected.items():
        if word == "discard":
            assert sorted(map(sorted, value)) == sorted(map(sorted, found[word]))  # type: ignore[call-overload]
        else:
            assert found[word] == value


def merged(pots: Iterable[tuple[int, Sequence[int]]]) -> list[tuple[int, set[int]]]:
    """Adds pots up that the same seats may win."""
    found: list[tuple[int, set[int]]] = []
    for chips, seats in pots:
        if found and found[-1][1] == set(seats):
            chips += found.pop()[0]  # noqa: PLW2901
        found.append((chips, set(seats)))
    return found


def check_state(deal: Deal, oracle: GileOracle) -> None:
    """Holds the whole state to the oracle's, and counts cards and chips."""
    s = deal.state
    seats = range(oracle.seats)
    assert ({0: "bet", 1: "discard", 2: ""}[deal.decision], s.voids, s.renewals) == (
        oracle.decision,
        oracle.voids,
        oracle.renewals,
    )
    assert deal.chips == tuple(oracle.chips)
    assert [int(s.paid[q]) for q in seats] == oracle.paid
    assert [bool(s.playing >> q & 1) for q in seats] == oracle.playing
    if oracle.ended != "void":
        assert merged(deal.pots) == merged(oracle.pots())
    for q in seats:
        # The cards of a seat that folded are in the new stock, once there is one.
        hand = oracle.hands[q] if oracle.playing[q] or q in oracle.folded_hands else []
        assert set(cards_of(members(s.hand[q]))) == set(hand)
        assert set(cards_of(members(s.discards[q]))) == set(oracle.discards[q])
    first = int(s.next_card)
    assert cards_of(s.stock[first : first + int(s.stock_size)]) == oracle.stock
    assert set(cards_of(members(s.set_aside))) == set(oracle.set_aside)
    places = [*map(int, s.hand[: oracle.seats]), *map(int, s.discards[: oracle.seats]), int(s.set_aside)]
    assert sum(place.bit_count() for place in places) + s.stock_size == 28
    if deal.is_over:
        assert ENDS[deal.ended] == oracle.ended
        assert sum(deal.chips) == sum(deal.stacks)
        assert deal.returns == tuple(oracle.returns())
        return
    assert sum(deal.chips) + s.pot == sum(deal.stacks)
    assert (deal.asked, s.stage + 1) == (oracle.turn, oracle.round)
    if oracle.decision == "bet":
        assert [int(s.staked[q]) for q in seats] == oracle.staked


def compare(seed: int) -> Counter[str]:
    """Plays one deal; returns what it ran into."""
    rng = random.Random(seed)
    mood = rng.choice(MOODS)
    rules, stacks, dealer = random_table(rng, mood)
    pack = shuffled_pack(seed)
    deal = Deal(rules, stacks, dealer, pack, seed)
    orders = [cards_of(renewal_order(seed, k)) for k in range(1, 12)]
    oracle = GileOracle(
        stacks,
        dealer,
        cards_of(pack),
        orders,
        limit=rules.limit.name,
        suit_rank=rules.suit_rank,
        ante=rules.ante,
        minimum_bet=rules.minimum_bet,
        void_deals=rules.void_deals,
    )
    check_state(deal, oracle)
    while not deal.is_over:
        check_legal(deal, oracle)
        move = choose(deal, rng, mood)
        deal.play(move)
        kind, amount = kind_of(move), amount_of(move)
        oracle.play(WORDS[kind], set(cards_of(members(amount))) if kind == DISCARD else amount)
        check_state(deal, oracle)
    return Counter({*oracle.events, f"{oracle.seats} seats", f"limit {rules.limit.name}", oracle.ended})
