"""Chips judged by PokerKit, an independent library: turns, least and greatest bets, stacks, side pots.

A game of three rounds without blinds is made of PokerKit's parts, with the antes and bets of Gilé (L6, L13 to
L15); both games are given the same random actions. Who has the better hand is Gilé's business: the pots of
PokerKit are paid by the order of the oracle. What is left out, and counted, because the rules differ:
    Void deals: where a first round would be passed out, the last seat bets.
    What follows the second short all-in of a round: L15 says that they do not add up.
    Deals without an ante, which PokerKit refuses; the oracle has them.
"""

import random
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from pokerkit import Automation, BettingStructure, Deck, Opening, StandardHighHand, State, Street

from tapete_games.bits import members
from tapete_games.gile import Deal, Limit, Rules, amount_of, kind_of, shuffled_pack
from tapete_games.gile.state import BET, CALL, CHECK, DECIDE_DISCARD, FIRST, FOLD, LAST_ONE_IN, RAISE
from tests.games.gile_comparison import cards_of, merged
from tests.oracle import gile as oracle

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
)
STRUCTURES = {
    Limit.NONE: BettingStructure.NO_LIMIT,
    Limit.POT: BettingStructure.POT_LIMIT,
    Limit.FIXED: BettingStructure.FIXED_LIMIT,
}
STACKS = (1, 2, 3, 5, 8, 12, 20, 35, 60, 100, 100, 100)


def judge_of(rules: Rules, stacks: list[int]) -> State:
    """Makes the game of PokerKit; its players are the seats from the mano on."""
    is_fixed = rules.limit == Limit.FIXED

    def street(cards: int, board: int, *, is_last: bool = False) -> Street:
        return Street(
            False,
            (False,) * cards,
            board,
            False,
            Opening.POSITION,
            rules.minimum_bet * (2 if is_fixed and is_last else 1),
            4 if is_fixed else None,
        )

    return State(
        AUTOMATIONS,
        Deck.STANDARD,
        (StandardHighHand,),
        (street(2, 0), street(0, 3), street(0, 2, is_last=True)),
        STRUCTURES[rules.limit],
        True,
        rules.ante,
        0,
        0,
        stacks,
        len(stacks),
    )


def would_be_void(deal: Deal) -> bool:
    """Tells whether a check would pass out the first round, which poker does not know."""
    able = sum(chips > 0 for seat, chips in enumerate(deal.chips) if deal.state.playing >> seat & 1)
    is_last = int(deal.state.spoken).bit_count() + 1 >= able
    return bool(deal.state.stage == FIRST and not deal.state.level and is_last)


def random_action(deal: Deal, rng: random.Random) -> int:
    moves = deal.legal_moves()
    bets = [move for move in moves if kind_of(move) in (BET, RAISE)]
    if would_be_void(deal):
        return bets[0]
    if bets and rng.random() < 0.45:
        return rng.choice([bets[0], bets[-1], rng.randint(bets[0], bets[-1])])
    stays = [move for move in moves if move in (CHECK, CALL)]
    return FOLD if FOLD in moves and rng.random() < 0.3 else stays[0]


def compare(seed: int) -> Counter[str]:
    """Plays one hand on both; returns what it ran into."""
    rng = random.Random(seed)
    seats = rng.randint(2, 5)
    stacks = [rng.choice(STACKS) for _ in range(seats)]
    dealer = rng.randrange(seats)
    rules = Rules(
        limit=rng.choice(list(Limit)), ante=rng.choice([1, 1, 2, 4]), minimum_bet=rng.choice([1, 2, 5])
    )
    deal = Deal(rules, stacks, dealer, shuffled_pack(seed), seed)
    order = [(dealer + 1 + i) % seats for i in range(seats)]
    judge = judge_of(rules, [stacks[seat] for seat in order])
    seen: Counter[str] = Counter([f"limit {rules.limit.name}"])
    short = 0
    stage = -1
    while not deal.is_over:
        if deal.decision == DECIDE_DISCARD:
            deal.play(deal.legal_moves()[0])
            continue
        if stage != deal.state.stage:
            stage, short = int(deal.state.stage), 0
        player = judge.actor_index
        assert player is not None
        assert order[player] == deal.asked
        assert [judge.stacks[order.index(q)] for q in range(seats)] == list(deal.chips)
        bets = [amount_of(move) for move in deal.legal_moves() if kind_of(move) in (BET, RAISE)]
        assert judge.can_complete_bet_or_raise_to() == bool(bets)
        if bets:
            assert judge.min_completion_betting_or_raising_to_amount == bets[0]
            assert judge.max_completion_betting_or_raising_to_amount == bets[-1]
        assert judge.checking_or_calling_amount == min(
            deal.state.level - deal.state.staked[deal.asked], deal.chips[deal.asked]
        )
        seen["left out: void deal"] += would_be_void(deal)
        move = random_action(deal, rng)
        kind, total = kind_of(move), amount_of(move)
        if kind in (BET, RAISE) and total - deal.state.level < deal.state.step:
            short += 1
            seen["short all-in"] += 1
            if short == 2:
                seen["left out: short all-ins might add up"] += 1
                return seen
        acts: dict[int, Callable[[], object]] = {
            FOLD: judge.fold,
            CHECK: judge.check_or_call,
            CALL: judge.check_or_call,
            BET: partial(judge.complete_bet_or_raise_to, total),
            RAISE: partial(judge.complete_bet_or_raise_to, total),
        }
        acts[kind]()
        deal.play(move)
    seen += _compare_end(deal, judge, order)
    return seen


def _compare_end(deal: Deal, judge: State, order: list[int]) -> Counter[str]:
    """Pays the pots of PokerKit by the order of Gilé and compares the chips of all."""
    # A bet that nobody called goes back.
    chips = {seat: judge.stacks[i] + judge.bets[i] for i, seat in enumerate(order)}
    seen: Counter[str] = Counter()
    pots = list(judge.pots)
    for pot in pots:
        seats = [order[player] for player in pot.player_indices]
        # L16: the score, then the dealer, then the order from the mano on.
        score = {seat: oracle.score(cards_of(members(deal.hand(seat)))) for seat in seats}
        best = max(seats, key=lambda seat: (score[seat], seat == deal.dealer, -order.index(seat)))
        chips[best] += pot.amount
    assert tuple(chips[seat] for seat in range(len(order))) == deal.chips
    if deal.ended != LAST_ONE_IN:
        judged = [(pot.amount, [order[player] for player in pot.player_indices]) for pot in pots]
        # An excess, which one seat alone can win, is no pot of PokerKit's.
        ours = [pot for pot in merged(deal.pots) if len(pot[1]) > 1]
        assert ours == [pot for pot in merged(judged) if len(pot[1]) > 1]
    seen["side pot"] += len({pot.player_indices for pot in pots}) > 1
    seen["one left"] += deal.ended == LAST_ONE_IN
    seen["showdown"] += deal.ended != LAST_ONE_IN
    seen["judged"] += 1
    return seen


@pytest.mark.long
def test_l13_to_l15_pokerkit_agrees_on_turns_bets_and_pots() -> None:
    total: Counter[str] = Counter()
    for seed in range(2_000):
        total += compare(seed)
    assert total["judged"] + total["left out: short all-ins might add up"] == 2_000
    assert total["judged"] > 1_900
    assert min(total[f"limit {limit.name}"] for limit in Limit) > 400
    for branch in ("side pot", "one left", "showdown", "short all-in"):
        assert total[branch] > 150, total
