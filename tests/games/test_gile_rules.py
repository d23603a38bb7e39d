"""The facts of L1 to L17, on the product's engine and on the oracle."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from tapete_games.cards import parse_cards
from tapete_games.errors import IllegalMoveError
from tapete_games.gile import (
    Deal,
    Limit,
    Rules,
    amount_of,
    card_code,
    card_set,
    format_cards,
    format_move,
    parse_move,
    settle,
    shuffled_pack,
)
from tapete_games.gile.state import LAST_ONE_IN, SHOWDOWN, VOID
from tests.oracle import gile as oracle

L3_FOUR = {
    41: 40, 40: 20, 38: 40, 37: 40, 31: 840, 30: 840, 28: 420, 27: 840, 21: 4050, 20: 7200, 18: 654,
    17: 3090, 11: 1105, 10: 1295, 7: 1,
}  # fmt: skip
L3_TWO = {21: 20, 20: 40, 18: 4, 17: 20, 11: 78, 10: 210, 7: 6}


def codes(text: str) -> list[int]:
    return [card_code(card) for card in parse_cards(text)]


def pack_of(*hands: str, rest: str = "") -> list[int]:
    """Orders the pack: two cards of each hand in turn, then two more of each, then `rest` and the others."""
    given = [codes(hand) for hand in hands]
    order = [card for hand in given for card in hand[:2]] + [card for hand in given for card in hand[2:]]
    order += codes(rest)
    return order + [card for card in range(28) if card not in order]


def played(deal: Deal, *moves: str) -> Deal:
    for move in moves:
        deal.play(parse_move(move))
    return deal


def legal(deal: Deal) -> list[str]:
    return [format_move(move) for move in deal.legal_moves()]


def table(*stacks: int, rules: Rules | None = None, pack: Sequence[int] | None = None) -> Deal:
    """A deal of which the last seat is the dealer, so that seat 0 is the mano."""
    return Deal(rules or Rules(), stacks, len(stacks) - 1, shuffled_pack(1) if pack is None else pack)


# --- cards and score ----------------------------------------------------------------------------


def test_l3_counts_of_hands() -> None:
    four = Counter(int(settle.score(card_set(hand))) for hand in combinations(range(28), 4))
    two = Counter(int(settle.score(card_set(hand))) for hand in combinations(range(28), 2))
    assert four == L3_FOUR
    assert two == L3_TWO


@pytest.mark.parametrize(
    ("hand", "points"),
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
def test_f21_to_f24_scores(hand: str, points: int) -> None:
    assert settle.score(card_set(codes(hand))) == points
    cards = [(card.rank, int(card.suit)) for card in parse_cards(hand)]
    assert oracle.score(cards) == points


# --- the table ----------------------------------------------------------------------------------


def test_l5_the_mano_is_the_next_seat_with_chips() -> None:
    deal = Deal(Rules(), (50, 50, 0, 50), 1, shuffled_pack(1))
    assert deal.asked == 3
    played(deal, "bet 1", "fold", "fold")
    assert deal.next_dealer == 3


def test_l6_a_stack_below_the_ante_is_all_in() -> None:
    deal = table(100, 2, 100, rules=Rules(ante=5))
    assert deal.chips == (95, 0, 95)
    assert deal.state.pot == 12
    # L15: it sets nothing to call.
    assert "check" in legal(deal)
    played(deal, "check")
    assert deal.asked == 2


def test_l6_nobody_loses_more_than_the_stack() -> None:
    deal = table(100, 30, pack=pack_of("1O 12O 10O 3O", "7O 7C 7E 7B"))
    played(deal, "bet 99", "call", "discard -", "discard -")
    assert (deal.ended, deal.returns) == (SHOWDOWN, (30, -30))


def test_l6_without_an_ante_there_may_be_nothing_to_win() -> None:
    deal = table(10, 10, rules=Rules(ante=0, void_deals=1))
    assert played(deal, "check", "check").returns == (0, 0)


# --- the hand -----------------------------------------------------------------------------------


def test_l7_void_deals_go_on_with_other_cards_and_end_the_deal() -> None:
    deal = table(100, 100)
    hands = []
    for _ in range(3):
        hands += [deal.hand(0), deal.hand(1)]
        assert deal.state.pot == 2
        played(deal, "check", "check")
    assert len(set(hands)) == 6
    assert sum(hands).bit_count() == 12
    assert (deal.ended, deal.returns, deal.next_dealer) == (VOID, (0, 0), 0)


def test_l7_nothing_to_pass_when_all_are_all_in() -> None:
    deal = table(1, 1, 1)
    assert (deal.state.voids, deal.state.stage, legal(deal)[0]) == (0, 1, "discard -")
    played(deal, "discard -", "discard -", "discard -")
    assert deal.ended == SHOWDOWN


def test_l7_one_seat_with_chips_has_nobody_to_bet_against() -> None:
    deal = table(100, 1, 1)
    assert legal(deal)[0] == "discard -"


def test_l8_all_pass_in_the_second_round_and_play_goes_on() -> None:
    deal = played(table(100, 100), "bet 1", "call", "check", "check")
    assert legal(deal)[0] == "discard -"


def test_l9_discards_in_turn_from_the_mano_and_served_at_once() -> None:
    deal = table(100, 100, 100, pack=pack_of("1O 2O 7C 7E", "3O 3C 3E 3B", "2C 2E 2B 7B", rest="10O 11O 12O"))
    played(deal, "bet 1", "call", "call", "check", "check", "check")
    assert deal.asked == 0
    assert len(deal.legal_moves()) == 16
    played(deal, "discard 7C 7E")
    assert format_cards(deal.hand(0)) == "1O 11O 10O 2O"
    assert deal.asked == 1
    played(deal, "discard -", "discard 7B")
    assert format_cards(deal.hand(2)) == "12O 2C 2E 2B"


def test_l9_players_who_are_all_in_discard_too() -> None:
    deal = played(table(20, 20), "bet 19", "call")
    assert legal(deal)[0] == "discard -"
    assert played(deal, "discard -", "discard -").ended == SHOWDOWN


def test_l10_the_own_discards_stay_out_of_the_new_stock() -> None:
    deal = table(*[100] * 5)
    played(deal, "bet 1", *["call"] * 4, *["check"] * 5)
    # 8 cards are left: two seats take them all.
    put_away = 0
    for seat in range(5):
        hand = deal.hand(seat)
        own = deal.hand(seat)
        deal.play(parse_move(f"discard {format_cards(hand)}"))
        served = deal.hand(seat)
        assert not own & served
        if seat >= 2:
            # Served from what the seats before threw away.
            assert served & ~put_away == 0
        put_away = (put_away | own) & ~served
    assert deal.state.renewals >= 1


def test_l12_one_left_takes_the_pot() -> None:
    deal = played(table(100, 100, 100), "bet 10", "fold", "fold")
    assert (deal.ended, deal.returns) == (LAST_ONE_IN, (2, -1, -1))


# --- betting ------------------------------------------------------------------------------------


def test_l13_folding_with_nothing_to_call_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match=r"nothing to call.*L13"):
        table(100, 100).play(parse_move("fold"))


def test_l13_a_raise_that_nobody_could_answer_is_refused() -> None:
    deal = played(table(100, 20), "check", "bet 19")
    assert legal(deal) == ["fold", "call"]
    with pytest.raises(IllegalMoveError, match=r"no other seat.*L13"):
        deal.play(parse_move("raise 40"))


def test_l13_nor_a_raise_over_seats_that_cannot_even_match_the_bet() -> None:
    deal = played(table(100, 30, 100, 20), "check", "check", "bet 50", "fold")
    assert legal(deal) == ["fold", "call", "raise 99"]
    deal = played(table(100, 30, 50), "check", "check", "bet 49")
    assert legal(deal) == ["fold", "call"]
    deal = played(table(100, 51, 50), "check", "check", "bet 49")
    assert legal(deal) == ["fold", "call", "raise 98", "raise 99"]


def test_l14_a_raise_is_by_at_least_the_last_full_bet_or_raise() -> None:
    deal = played(table(100, 100, 100), "bet 10")
    assert legal(deal) == ["fold", "call", "raise 20", "raise 99"]
    played(deal, "raise 35")
    assert legal(deal)[2] == "raise 60"
    with pytest.raises(IllegalMoveError, match=r"59 is below a raise by 25 to 60.*L14"):
        deal.play(parse_move("raise 59"))


def test_l14_a_seat_that_passed_may_raise() -> None:
    deal = played(table(100, 100), "check", "bet 5")
    assert legal(deal)[2] == "raise 10"


def test_l14_also_over_an_all_in_smaller_than_the_minimum_bet() -> None:
    deal = played(table(100, 4, 100, rules=Rules(minimum_bet=10)), "check", "bet 3")
    assert legal(deal) == ["fold", "call", "raise 13", "raise 99"]
    assert legal(played(deal, "call")) == ["fold", "call", "raise 13", "raise 99"]


def test_l15_the_minimum_raise_after_a_short_all_in() -> None:
    """Bet 10, all-in 14, next raise to 24."""
    deal = played(table(100, 15, 100), "bet 10", "raise 14")
    assert legal(deal) == ["fold", "call", "raise 24", "raise 99"]


def test_l15_a_short_all_in_does_not_reopen_the_raising() -> None:
    deal = played(table(100, 15, 100), "bet 10", "raise 14", "call")
    assert deal.asked == 0
    assert legal(deal) == ["fold", "call"]
    with pytest.raises(IllegalMoveError, match=r"no full raise after it.*L15"):
        deal.play(parse_move("raise 50"))


def test_l15_nor_for_a_seat_that_called() -> None:
    deal = played(table(100, 100, 15, 100), "bet 10", "call", "raise 14", "call", "call")
    assert deal.asked == 1
    assert legal(deal) == ["fold", "call"]


def test_l15_a_full_raise_reopens_it() -> None:
    deal = played(table(100, 15, 100), "bet 10", "raise 14", "raise 24")
    assert legal(deal) == ["fold", "call", "raise 34", "raise 99"]


def test_l15_short_all_ins_do_not_add_up() -> None:
    """Two raises by 6 after a bet of 10 are 12 together, and still no full one."""
    deal = played(table(100, 17, 23, 100), "bet 10", "raise 16", "raise 22", "call")
    assert deal.asked == 0
    assert legal(deal) == ["fold", "call"]


def test_l15_side_pots_and_a_returned_excess() -> None:
    pack = pack_of("7O 7C 2E 3B", "1C 12C 10C 7E", "1O 12O 10O 3O")
    deal = played(table(100, 40, 10, pack=pack), "bet 99", "call", "call")
    assert [(pot.chips, pot.seats) for pot in deal.pots] == [(30, (0, 1, 2)), (60, (0, 1)), (60, (0,))]
    played(deal, "discard -", "discard -", "discard -")
    # 41 wins the main pot, 31 the side pot, and the mano gets 60 back.
    assert deal.chips == (60, 60, 30)


def test_l15_pot_limit() -> None:
    """Pot of 3, bet 3: after calling there are 9, so that a raise goes to 12."""
    deal = table(100, 100, 100, rules=Rules(limit=Limit.POT))
    assert legal(deal) == ["check", "bet 1", "bet 3"]
    with pytest.raises(IllegalMoveError, match=r"above 3.*L15.*with GILE_LIMIT_NONE it would be legal"):
        deal.play(parse_move("bet 4"))
    assert legal(played(deal, "bet 3"))[2:] == ["raise 6", "raise 12"]


def test_l15_fixed_limit() -> None:
    deal = table(100, 100, 100, rules=Rules(limit=Limit.FIXED, minimum_bet=2))
    assert legal(deal) == ["check", "bet 2"]
    played(deal, "bet 2", "raise 4", "raise 6", "raise 8")
    assert legal(deal) == ["fold", "call"]
    with pytest.raises(IllegalMoveError, match=r"3 raises a round.*L15"):
        deal.play(parse_move("raise 10"))
    played(deal, "call", "call", "check", "check", "check", "discard -", "discard -", "discard -")
    assert legal(deal) == ["check", "bet 4"]


# --- the showdown -------------------------------------------------------------------------------

TIED = ("1O 12O 7C 7E", "1C 12C 7B 2E", "1E 12E 7O 2B")


def showdown(rules: Rules, stacks: tuple[int, ...] = (50, 50, 50), hands: tuple[str, ...] = TIED) -> Deal:
    deal = table(*stacks, rules=rules, pack=pack_of(*hands))
    calls = ["call"] * (len(stacks) - 1)
    return played(deal, "bet 1", *calls, *["check"] * len(stacks), *["discard -"] * len(stacks))


def test_l16_a_tie_goes_to_the_dealer() -> None:
    deal = played(showdown(Rules()), "check", "check", "check")
    assert deal.returns == (-2, -2, 4)


def test_l16_without_the_dealer_to_the_mano() -> None:
    deal = played(showdown(Rules()), "bet 1", "call", "fold")
    assert deal.returns == (5, -3, -2)


def test_l16_else_to_the_next_in_order() -> None:
    deal = played(
        showdown(Rules(), (50,) * 4, (*TIED, "2O 3C 10E 11B")), "check", "bet 1", "call", "fold", "fold"
    )
    assert deal.returns == (-2, 7, -3, -2)


def test_l17_suit_rank_breaks_the_tie_and_the_dealer_has_no_privilege() -> None:
    hands = ("1B 12B 7C 7E", "1C 12C 7B 2E", "1E 12E 7O 2B")
    deal = played(showdown(Rules(suit_rank=True), hands=hands), "check", "check", "check")
    assert deal.returns == (-2, 4, -2)


def test_l17_two_equal_suits_count_the_better_one() -> None:
    """20 in copas and bastos against 20 in espadas: copas before espadas."""
    hands = ("10C 11C 10B 11B", "10E 11E 7C 7B")
    deal = played(showdown(Rules(suit_rank=True), (50, 50), hands), "check", "check")
    assert deal.returns == (2, -2)


def test_l17_still_tied_goes_by_order_from_the_mano() -> None:
    """Each has 20 in oros and another suit: 10O and 12O against 2O and 3O."""
    hands = ("10O 12O 10C 12C", "2O 3O 2E 3E")
    deal = played(showdown(Rules(suit_rank=True), (50, 50), hands), "check", "check")
    assert deal.returns == (2, -2)


def test_moves_are_what_their_texts_say() -> None:
    assert amount_of(parse_move("raise 12")) == 12
    for text in ("fold", "check", "call", "bet 5", "raise 12", "discard -", "discard 1O 7B"):
        assert format_move(parse_move(text)) == text
