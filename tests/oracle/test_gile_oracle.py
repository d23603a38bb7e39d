"""Pins the facts of L1 to L17 on the Gilé oracle, each under its rule's number."""

import random
from collections import Counter
from itertools import combinations

import pytest

from tests.oracle.gile import PACK, Card, GileOracle, best_suit, points, score

L3_FOUR = {
    41: 40, 40: 20, 38: 40, 37: 40, 31: 840, 30: 840, 28: 420, 27: 840, 21: 4050, 20: 7200, 18: 654,
    17: 3090, 11: 1105, 10: 1295, 7: 1,
}  # fmt: skip
L3_TWO = {21: 20, 20: 40, 18: 4, 17: 20, 11: 78, 10: 210, 7: 6}


def cards(text: str) -> list[Card]:
    return [(int(word[:-1]), "OCEB".index(word[-1])) for word in text.split()]


def shuffles(seed: int, count: int) -> list[list[Card]]:
    rng = random.Random(seed)
    return [rng.sample(PACK, len(PACK)) for _ in range(count)]


def pack_of(hands: tuple[str, ...], rest: str = "") -> list[Card]:
    """Stacks a pack: two cards of each hand from the mano on, two more of each, `rest`, then all others."""
    held = [cards(hand) for hand in hands]
    pack = [card for half in (slice(0, 2), slice(2, 4)) for hand in held for card in hand[half]]
    pack += cards(rest)
    return pack + [card for card in PACK if card not in pack]


def table(*stacks: int, hands: tuple[str, ...] = (), rest: str = "", **rules: object) -> GileOracle:
    """A deal of which the last seat is the dealer, so that seat 0 is the mano."""
    return GileOracle(list(stacks), len(stacks) - 1, pack_of(hands, rest), shuffles(1, 10), **rules)  # type: ignore[arg-type]


def played(deal: GileOracle, *moves: str) -> GileOracle:
    """Plays moves such as `check`, `raise 20`, `discard 7O 2C`, each of which has to be legal."""
    for move in moves:
        kind, _, rest = move.partition(" ")
        legal = deal.legal()
        assert kind in legal
        if kind == "discard":
            cut = set(cards(rest))
            assert cut in legal["discard"]  # type: ignore[operator]
            deal.play(kind, cut)
        elif rest:
            amounts = legal[kind]
            assert isinstance(amounts, tuple)
            assert amounts[0] <= int(rest) <= amounts[1]
            deal.play(kind, int(rest))
        else:
            deal.play(kind)
    return deal


# --- cards and score ----------------------------------------------------------------------------


def test_l1_cards_and_points() -> None:
    assert len(set(PACK)) == 28
    assert Counter(map(points, PACK)) == {11: 4, 7: 4, 10: 20}
    assert sum(map(points, PACK)) == 272


def test_l3_counts_of_hands_and_starts() -> None:
    assert Counter(score(list(hand)) for hand in combinations(PACK, 4)) == L3_FOUR
    assert Counter(score(list(hand)) for hand in combinations(PACK, 2)) == L3_TWO
    assert (sum(L3_FOUR.values()), sum(L3_TWO.values())) == (20_475, 378)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("1O 12O 10O 3O", 41),  # F21
        ("12C 11C 10C 2C", 40),
        ("1E 12E 3E 7E", 38),
        ("12B 11B 2B 7B", 37),
        ("1O 12O 10O 7C", 31),  # F22
        ("1O 7O 12C 2C", 20),  # F23
        ("7O 7C 7E 7B", 7),  # F24
    ],
)
def test_f21_to_f24_scores(hand: str, expected: int) -> None:
    assert score(cards(hand)) == expected


@pytest.mark.parametrize(
    ("hand", "suit"),
    [
        ("10B 11B 10C 11C", 1),  # copas before bastos
        ("7O 12E 10C 2E", 2),
        ("12O 12C 12E 12B", 0),
        ("7O 12C 12E 12B", 1),
    ],
)
def test_l17_the_suit_of_the_counted_combination(hand: str, suit: int) -> None:
    assert best_suit(cards(hand)) == suit


# --- the deal -----------------------------------------------------------------------------------


def test_l5_the_mano_speaks_first_and_the_dealer_last() -> None:
    deal = GileOracle([50] * 4, 1, PACK, [])
    assert (deal.order, deal.turn) == ([2, 3, 0, 1], 2)
    assert [played(deal, "check").turn for _ in range(3)] == [3, 0, 1]


def test_l6_a_seat_without_chips_is_not_dealt_in() -> None:
    deal = GileOracle([50, 50, 0, 50], 1, PACK, [])
    assert (deal.order, deal.hands[2], deal.turn) == ([3, 0, 1], [], 3)


def test_l6_a_stack_below_the_ante_posts_what_it_has() -> None:
    deal = table(100, 2, 5, 100, ante=5)
    assert (deal.paid, deal.chips) == ([5, 2, 5, 5], [95, 0, 0, 95])
    # L15: dead money, with nothing to call.
    assert deal.legal() == {"check": True, "bet": (1, 95)}
    assert played(deal, "check").turn == 3


def test_l7_two_cards_at_a_time_from_the_mano_on() -> None:
    deal = GileOracle([50] * 3, 0, PACK, [])
    assert deal.hands == [PACK[4:6], PACK[0:2], PACK[2:4]]
    played(deal, "bet 1", "call", "call")
    assert deal.hands == [PACK[4:6] + PACK[10:12], PACK[0:2] + PACK[6:8], PACK[2:4] + PACK[8:10]]


def test_l7_a_void_deal_keeps_pot_and_dealer_and_deals_other_cards() -> None:
    deal = played(table(10, 10, 10), "check", "check", "check")
    assert (deal.voids, deal.paid, deal.chips, deal.turn) == (1, [1] * 3, [9] * 3, 0)
    assert sorted(deal.set_aside) == sorted(PACK[:6])
    assert [card for hand in deal.hands for card in hand] == PACK[6:12]


def test_l7_three_void_deals_give_the_antes_back() -> None:
    deal = played(table(10, 10), *["check"] * 6)
    assert (deal.ended, deal.returns()) == ("void", [0, 0])


def test_l7_a_late_bet_makes_a_deal_that_counts() -> None:
    deal = played(table(10, 10), *["check"] * 5, "bet 1", "call")
    assert (deal.voids, deal.round) == (2, 2)


@pytest.mark.parametrize("stacks", [(1, 1, 1), (100, 1, 1)])
def test_l7_l13_a_skipped_first_round_is_not_a_void_deal(stacks: tuple[int, ...]) -> None:
    deal = table(*stacks)
    assert (deal.voids, deal.decision, deal.turn) == (0, "discard", 0)
    assert [len(hand) for hand in deal.hands] == [4, 4, 4]
    # L9: who is all in discards too; the last round is skipped.
    played(deal, *["discard"] * 3)
    assert deal.ended == "showdown"


def test_l8_all_pass_in_the_second_round() -> None:
    assert played(table(10, 10), "bet 1", "call", "check", "check").decision == "discard"


def test_l9_served_at_once_from_the_mano_on() -> None:
    hands = ("1O 2O 7C 7E", "3O 3C 3E 3B", "2C 2E 2B 7B")
    deal = table(100, 100, 100, hands=hands, rest="10O 11O 12O 1C 1E")
    played(deal, "bet 1", "call", "call", "check", "check", "check")
    assert len(deal.legal()["discard"]) == 16  # type: ignore[arg-type]
    played(deal, "discard 7C 7E")
    assert (set(deal.hands[0]), deal.turn) == (set(cards("1O 2O 10O 11O")), 1)
    played(deal, "discard", "discard 2C 2E 2B")
    assert set(deal.hands[2]) == set(cards("7B 12O 1C 1E"))
    assert (deal.round, deal.turn) == (3, 0)


def test_l9_who_folded_does_not_draw() -> None:
    deal = played(table(100, 100, 100), "bet 1", "fold", "call", "check", "check", "discard")
    assert deal.turn == 2


def test_l10_only_the_own_discards_stay_out_of_a_renewal() -> None:
    """Five hands of four leave eight cards: two seats draw them, the third is served from a renewal."""
    deal = played(table(*[100] * 5), "bet 1", *["call"] * 4, *["check"] * 5)
    for seat in range(2):
        deal.play("discard", set(deal.hands[seat]))
    own = set(deal.hands[2])
    pool = set(deal.discards[0]) | set(deal.discards[1])
    assert (deal.stock, len(pool)) == ([], 8)
    deal.play("discard", set(own))
    expected = [card for card in shuffles(1, 1)[0] if card in pool]
    assert (deal.hands[2], deal.stock, deal.renewals) == (expected[:4], expected[4:], 1)
    assert set(deal.discards[2]) == own
    assert deal.discards[:2] == [[], []]


def test_l10_a_hand_folded_before_a_renewal_comes_back() -> None:
    deal = played(table(*[100] * 5), "bet 1", *["call"] * 4, "bet 1", "fold", "call", "call", "call")
    folded = set(deal.folded_hands[1])
    assert len(folded) == 4
    for seat in (0, 2):
        deal.play("discard", set(deal.hands[seat]))
    before = set(deal.discards[0]) | set(deal.discards[2])
    deal.play("discard", set(deal.hands[3]))
    assert set(deal.hands[3]) | set(deal.stock) == before | folded
    assert deal.folded_hands == {}


def test_l10_cards_set_aside_come_back_when_dealing_runs_out() -> None:
    """Ten cards a deal of five: the third one needs two more than there are."""
    deal = played(table(*[100] * 5, void_deals=5), *["check"] * 10)
    assert deal.renewals == 1
    assert [card for seat in range(4) for card in deal.hands[seat]] == PACK[20:28]
    expected = [card for card in shuffles(1, 1)[0] if card in PACK[:20]]
    assert deal.hands[4] == expected[:2]
    assert (deal.stock, deal.set_aside) == (expected[2:], [])


def test_l11_all_pass_in_the_last_round_is_a_showdown() -> None:
    deal = played(
        table(10, 10, hands=("1O 12O 10O 3O", "7O 7C 7E 7B")), "bet 1", "call", "check", "check", "discard"
    )
    assert played(deal, "discard", "check", "check").returns() == [2, -2]


def test_l12_one_left_takes_the_pot() -> None:
    deal = played(table(100, 100, 100), "bet 10", "fold", "fold")
    assert (deal.ended, deal.returns()) == ("one left", [2, -1, -1])


# --- betting ------------------------------------------------------------------------------------


def test_l13_nothing_to_call_is_nothing_to_fold_to() -> None:
    assert "fold" not in table(100, 100).legal()


def test_l13_a_raise_that_nobody_could_answer() -> None:
    assert played(table(100, 20), "check", "bet 19").legal() == {"fold": True, "call": True}
    # The second seat has chips left, but not enough for the bet itself.
    deal = played(table(100, 30, 50), "check", "check", "bet 49")
    assert deal.legal() == {"fold": True, "call": True}
    # With just one chip more than the bet it could answer.
    deal = played(table(100, 51, 50), "check", "check", "bet 49")
    assert deal.legal()["raise"] == (98, 99)


def test_l14_a_raise_is_by_at_least_the_last_full_bet_or_raise() -> None:
    deal = played(table(100, 100, 100), "bet 10")
    assert deal.legal()["raise"] == (20, 99)
    assert played(deal, "raise 35").legal()["raise"] == (60, 99)


def test_l14_a_raise_counts_anew_in_the_next_round() -> None:
    deal = played(table(100, 100), "bet 10", "raise 40", "call")
    assert deal.legal() == {"check": True, "bet": (1, 59)}


def test_l14_a_seat_that_passed_may_raise_a_short_all_in() -> None:
    """Minimum bet 10, an all-in of 3: the raise is to 13, and a caller of the 3 has acted."""
    deal = played(table(100, 4, 100, 100, minimum_bet=10), "check", "bet 3")
    assert deal.legal() == {"fold": True, "call": True, "raise": (13, 99)}
    played(deal, "call", "call")
    assert deal.turn == 0
    assert deal.legal() == {"fold": True, "call": True, "raise": (13, 99)}
    assert played(deal, "raise 13").legal()["raise"] == (23, 99)


def test_l14_the_round_closes_when_all_have_matched() -> None:
    deal = played(table(100, 100, 100), "check", "bet 5", "call", "raise 12", "call", "call")
    assert (deal.round, deal.paid) == (2, [13] * 3)


def test_l15_all_in_for_less_than_the_call() -> None:
    deal = played(table(100, 20, 100), "bet 50", "call")
    assert (deal.staked, deal.chips[1], deal.level()) == ([50, 19, 0], 0, 50)


def test_l15_bet_10_all_in_14_next_raise_to_24() -> None:
    deal = played(table(100, 15, 100), "bet 10", "raise 14")
    assert deal.legal()["raise"] == (24, 99)


def test_l15_a_short_all_in_does_not_reopen() -> None:
    deal = played(table(100, 15, 100), "bet 10", "raise 14", "call")
    assert (deal.turn, deal.legal()) == (0, {"fold": True, "call": True})


def test_l15_nor_for_a_seat_that_called() -> None:
    deal = played(table(100, 100, 15, 100), "bet 10", "call", "raise 14", "call", "call")
    assert (deal.turn, deal.legal()) == (1, {"fold": True, "call": True})


def test_l15_a_full_raise_after_it_reopens() -> None:
    deal = played(table(100, 15, 100), "bet 10", "raise 14", "raise 24")
    assert (deal.turn, deal.legal()["raise"]) == (0, (34, 99))


def test_l15_an_all_in_that_is_a_full_raise_reopens() -> None:
    deal = played(table(100, 21, 100), "bet 10", "raise 20", "call")
    assert (deal.turn, deal.legal()["raise"]) == (0, (30, 99))


def test_l15_short_all_ins_do_not_add_up() -> None:
    """Two raises by 6 after a bet of 10 are 12 together, and still no full one."""
    deal = played(table(100, 17, 23, 100), "bet 10", "raise 16", "raise 22", "call")
    assert (deal.turn, deal.legal()) == (0, {"fold": True, "call": True})


def test_l15_side_pots_and_a_returned_excess() -> None:
    deal = table(100, 40, 10, hands=("7O 7C 2E 3B", "1C 12C 10C 7E", "1O 12O 10O 3O"))
    played(deal, "bet 99", "call", "call")
    assert deal.pots() == [(30, [0, 1, 2]), (60, [0, 1]), (60, [0])]
    # 41 wins the main pot, 31 the side pot, and the mano gets 60 back.
    assert played(deal, "discard", "discard", "discard").chips == [60, 60, 30]


def test_l15_chips_of_a_folded_seat_stay_in_the_pots() -> None:
    """Antes 1, a call of 9 all in, a call of 20 that folds to 30 more."""
    deal = table(100, 10, 100, hands=("1C 12C 10C 7E", "1O 12O 10O 3O", "7O 7C 2E 3B"))
    played(deal, "bet 20", "call", "call", "bet 30", "fold")
    assert deal.pots() == [(30, [0, 1]), (22, [0]), (30, [0])]
    assert played(deal, "discard", "discard").chips == [49 + 52, 30, 79]


def test_l15_a_short_ante_wins_only_what_it_can() -> None:
    """Ante 5, a stack of 2: 2 from each of three."""
    deal = table(50, 2, 50, ante=5, hands=("1C 12C 10C 7E", "1O 12O 10O 3O", "7O 7C 2E 3B"))
    played(deal, "bet 1", "call", "check", "check", *["discard"] * 3, "check", "check")
    assert deal.chips == [44 + 8, 6, 44]


def test_l15_pot_limit() -> None:
    """Pot of 3, bet 3: after calling there are 9, so that a raise goes to 12; then 3+3+12+9 and 12 more."""
    deal = table(100, 100, 100, limit="POT")
    assert deal.legal()["bet"] == (1, 3)
    assert played(deal, "bet 3").legal()["raise"] == (6, 12)
    assert played(deal, "raise 12").legal()["raise"] == (21, 12 + 3 + 3 + 12 + 12)


def test_l15_pot_limit_never_forbids_the_least_bet() -> None:
    deal = table(100, 100, limit="POT", ante=0, minimum_bet=5)
    assert deal.legal()["bet"] == (5, 5)
    # Nothing in the pot but the 5: after calling there are 10.
    assert played(deal, "bet 5").legal()["raise"] == (10, 15)


def test_l15_fixed_limit() -> None:
    deal = table(100, 100, 100, limit="FIXED", minimum_bet=2)
    assert deal.legal()["bet"] == (2, 2)
    played(deal, "bet 2", "raise 4", "raise 6", "raise 8")
    assert deal.legal() == {"fold": True, "call": True}
    played(deal, "call", "call", "bet 2", "call", "call", *["discard"] * 3)
    assert deal.legal()["bet"] == (4, 4)
    assert played(deal, "bet 4").legal()["raise"] == (8, 8)


def test_l15_fixed_limit_counts_an_all_in_as_a_raise() -> None:
    """The all-in to 3 is a raise for less than 4; then to 5 and 7, and no more."""
    deal = table(100, 4, 100, 100, limit="FIXED", minimum_bet=2)
    assert played(deal, "bet 2").legal()["raise"] == (3, 3)
    assert played(deal, "raise 3").legal()["raise"] == (5, 5)
    assert played(deal, "raise 5", "raise 7").legal() == {"fold": True, "call": True}


# --- the showdown -------------------------------------------------------------------------------

TIED = ("1O 12O 7C 7E", "1C 12C 7B 2E", "1E 12E 7O 2B")


def showdown(hands: tuple[str, ...], *, suit_rank: bool = False) -> GileOracle:
    deal = table(*[50] * len(hands), hands=hands, suit_rank=suit_rank)
    calls = ["call"] * (len(hands) - 1)
    return played(deal, "bet 1", *calls, *["check"] * len(hands), *["discard"] * len(hands))


def test_l16_a_tie_goes_to_the_dealer() -> None:
    assert played(showdown(TIED), "check", "check", "check").returns() == [-2, -2, 4]


def test_l16_without_the_dealer_to_the_mano() -> None:
    assert played(showdown(TIED), "bet 1", "call", "fold").returns() == [5, -3, -2]


def test_l16_else_to_the_next_in_order() -> None:
    deal = played(showdown((*TIED, "2O 3C 10E 11B")), "check", "bet 1", "call", "fold", "fold")
    assert deal.returns() == [-2, 7, -3, -2]


def test_l16_the_dealer_has_nothing_from_a_tie_of_others() -> None:
    """The dealer is in, with 10 against 21 and 21."""
    deal = showdown((TIED[0], TIED[1], "7O 2C 3E 10B"))
    assert played(deal, "check", "check", "check").returns() == [4, -2, -2]


def test_l17_suit_rank_breaks_the_tie_and_the_dealer_has_no_privilege() -> None:
    deal = showdown(("1B 12B 7C 7E", "1C 12C 7B 2E", "1E 12E 7O 2B"), suit_rank=True)
    assert played(deal, "check", "check", "check").returns() == [-2, 4, -2]


def test_l17_a_better_score_beats_a_better_suit() -> None:
    deal = showdown(("10O 11O 7C 7E", "1B 12B 7O 2E"), suit_rank=True)
    assert played(deal, "check", "check").returns() == [-2, 2]


def test_l17_two_equal_suits_count_the_better_one() -> None:
    """20 in copas and bastos against 20 in espadas: copas before espadas."""
    deal = showdown(("10E 11E 7C 7B", "10C 11C 10B 11B"), suit_rank=True)
    assert played(deal, "check", "check").returns() == [-2, 2]


def test_l17_still_tied_goes_by_order_from_the_mano() -> None:
    """Each has 20 in oros and another suit: 10O and 12O against 2O and 3O."""
    deal = showdown(("10O 12O 10C 12C", "2O 3O 2E 3E"), suit_rank=True)
    assert played(deal, "check", "check").returns() == [2, -2]


def test_l17_two_seats_can_be_tied_in_one_suit_at_20_and_10_alone() -> None:
    """A tie in one suit needs the same sum from two sets of different cards of it."""
    sums: dict[int, list[set[Card]]] = {}
    for size in range(1, 5):
        for cut in combinations([card for card in PACK if card[1] == 0], size):
            sums.setdefault(sum(map(points, cut)), []).append(set(cut))
    tied = {total for total, cuts in sums.items() if any(not a & b for a, b in combinations(cuts, 2))}
    assert tied == {10, 20}
