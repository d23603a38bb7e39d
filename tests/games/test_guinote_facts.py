"""The facts F1 to F20 of docs/rules.md, and what else its rules say, on the engine."""

import pytest

from tapete_games.errors import IllegalMoveError
from tapete_games.guinote import Deal, Malas, Rules, card_of, engine, parse_move, state
from tapete_games.guinote.state import DECIDE_DECLARE, DECIDE_NOTHING, DECIDE_PLAY, DECIDE_SWAP
from tests.games.guinote_positions import (
    before_final_trick,
    card_set,
    codes,
    deal_of,
    finish,
    in_arrastre,
    play,
    trick_of,
)

pytestmark = pytest.mark.kernel

RELIEF = Rules(partner_relief=True)
LATEST = Rules(swap_after_latest_trick_only=True)


def asked(deal: Deal) -> tuple[int, int]:
    return deal.decision, deal.asked


def moves(deal: Deal) -> set[str]:
    """The legal moves that are no plays of cards, and `card` if there are such."""
    names = {40: "sing O", 41: "sing C", 42: "sing E", 43: "sing B", 44: "swap", 45: "tute", 46: "pass"}
    return {names.get(move, "card") for move in deal.legal_moves()}


# --- cards, deal, tricks ------------------------------------------------------------------------


def test_g1_strengths_and_points() -> None:
    order = [card_of(code).rank for code in range(9, -1, -1)]
    assert order == [1, 3, 12, 10, 11, 7, 6, 5, 4, 2]
    assert state.POINTS[:10][::-1].tolist() == [11, 10, 4, 3, 2, 0, 0, 0, 0, 0]
    assert state.POINTS.sum() == 120


@pytest.mark.parametrize(("players", "stock"), [(2, 27), (4, 15)])
def test_g3_g4_two_rounds_of_three_then_muestra_then_stock(players: int, stock: int) -> None:
    deal = Deal(Rules(), players, 1, range(40))
    mano = 2 % players
    half = 3 * players
    assert asked(deal) == (DECIDE_PLAY, mano)
    assert deal.hand(mano) == 0b111 | 0b111 << half
    assert deal.hand(1) == 0b111 << (half - 3) | 0b111 << (2 * half - 3)
    assert deal.muestra == deal.state.muestra == 2 * half
    assert deal.state.stock_size == stock + 1
    assert deal.state.stock[: stock + 1][::-1].tolist() == [*range(2 * half + 1, 40), 2 * half]


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        pytest.param("2C 3C 1E 12C", 1, id="f1"),
        pytest.param("1C 2O 3C 1E", 1, id="f2"),
        pytest.param("1C 2O 3O 12O", 2, id="f3"),
        pytest.param("11B 10B", 1, id="f4"),
    ],
)
def test_g6_f1_f4_who_wins_a_trick(cards: str, winner: int) -> None:
    assert trick_of(cards, players=len(cards.split())).best_seat == winner


def test_g1_f5_points_of_a_trick() -> None:
    assert trick_of("6E 3O 12B 7C").trick_points == 14


def test_g7_any_card_while_the_stock_lasts() -> None:
    deal = deal_of(["1C 3C 12C 10C 11C 7C", "2C 1E 3E 2O 4O 5O"], "1O")
    play(deal, "3C")
    assert deal.legal_moves() == sorted(codes("2C 1E 3E 2O 4O 5O"))


def test_g8_g9_the_winner_draws_first_and_leads() -> None:
    deal = deal_of(["4C 3C 12C 10C 11C 7C", "1C 1E 3E 2O 4O 5O"], "1O", "6B 7B")
    play(deal, "4C", "1C")
    assert asked(deal) == (DECIDE_PLAY, 1)
    assert deal.hand(1) & card_set("6B")
    assert deal.hand(0) & card_set("7B")


# --- arrastre -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "hand", "legal"),
    [
        pytest.param("4C", "2C 1C 3O 1E", "1C", id="g10-f6"),
        pytest.param("1C", "2C 7C 3O", "2C 7C", id="g10-f7"),
        pytest.param("4C 2O", "2C 1C 5O", "2C 1C", id="g11-f8"),
        pytest.param("4O", "2O 1O 1C", "1O", id="g10-f9"),
        pytest.param("4C 12O", "2O 3O 1E", "3O", id="g12-f10"),
        pytest.param("4C 12O", "2O 1E", "2O 1E", id="g13-f11"),
        pytest.param("12C 4C", "7C 3C", "3C", id="g14-f12"),
        pytest.param("7E 12E 10E", "2E 4C 1O", "2E", id="g14-f13"),
        pytest.param("4C", "2O 1E", "2O", id="g12-must-trump"),
        pytest.param("4C", "2E 1E", "2E 1E", id="g13-void-without-a-trump"),
        pytest.param("4C 1O", "2O 3O 1E", "2O 3O 1E", id="g13-no-duty-to-undertrump"),
        pytest.param("", "2O 3O 1E", "2O 3O 1E", id="g15-leader"),
    ],
)
def test_g10_g15_f6_f13_duties_in_arrastre(table: str, hand: str, legal: str) -> None:
    assert in_arrastre(table, hand) == legal


@pytest.mark.parametrize(
    ("table", "hand", "legal"),
    [
        pytest.param("12C 4C", "7C 3C", "7C 3C", id="f12-no-duty-to-beat"),
        pytest.param("7E 12E 10E", "2E 4C 1O", "2E", id="f13-never-cancels-following-suit"),
        pytest.param("12C 4C", "2O 1E", "2O 1E", id="no-duty-to-trump"),
        pytest.param("4C 12C", "7C 3C", "3C", id="a-rival-is-winning"),
        pytest.param("2C 4O 7C", "1B 12O", "1B 12O", id="partner-trumped"),
    ],
)
def test_g14_f12_f13_partner_relief(table: str, hand: str, legal: str) -> None:
    assert in_arrastre(table, hand, RELIEF) == legal


def test_g14_partner_relief_has_no_effect_with_two_players() -> None:
    assert in_arrastre("4C", "2C 1C", RELIEF, players=2) == "1C"


@pytest.mark.parametrize(
    ("table", "hand", "card", "why"),
    [
        ("4C", "2C 1E", "1E", state.MUST_FOLLOW),
        ("4C", "2C 1C", "2C", state.MUST_BEAT),
        ("4C", "2O 1E", "1E", state.MUST_TRUMP),
        ("4C 5O", "7O 1E", "1E", state.MUST_OVERTRUMP),
        ("4C 5O", "7O 2O 1E", "2O", state.MUST_OVERTRUMP),
        ("4C", "2C", "1C", state.NOT_HELD),
        ("4C", "2C 1C", "1C", state.LEGAL),
    ],
)
def test_g27_why_a_card_is_illegal(table: str, hand: str, card: str, why: int) -> None:
    s = trick_of(table)
    assert engine.why_illegal_card(s, card_set(hand), parse_move(card)) == why


# --- swap ---------------------------------------------------------------------------------------

SWAPPER = "7O 3C 2C 4C 5C 6C"
OTHER = "2E 4E 5E 6E 7E 2B"


def test_g16_g17_f14_swap_in_window_a() -> None:
    deal = deal_of([SWAPPER, OTHER], "1O")
    play(deal, "3C", "2E")
    assert asked(deal) == (DECIDE_SWAP, 0)
    assert moves(deal) == {"swap", "pass"}
    size = int(deal.state.stock_size)
    play(deal, "swap")
    assert deal.hand(0) & card_set("1O")
    assert not deal.hand(0) & card_set("7O")
    assert deal.state.muestra == deal.state.stock[0] == parse_move("7O")
    assert deal.state.stock_size == size - 2  # the draw that was due
    assert asked(deal) == (DECIDE_PLAY, 0)


def test_g16_g17_f14_swap_in_window_b() -> None:
    deal = deal_of([SWAPPER, OTHER], "1O")
    play(deal, "3C", "2E", "pass")
    size = int(deal.state.stock_size)
    assert moves(deal) == {"card", "swap"}
    play(deal, "swap")
    assert deal.hand(0) & card_set("1O 7O") == card_set("1O")
    assert deal.state.muestra == parse_move("7O")
    assert deal.state.stock_size == size
    assert asked(deal) == (DECIDE_PLAY, 0)


def test_g17_window_b_is_open_to_a_follower_on_its_turn() -> None:
    deal = deal_of(["1C 1E 1B 2C 2E 2B", "7O 3C 4C 5C 6C 7C"], "1O", "4B 5B 6B 7B")
    play(deal, "2C", "3C", "pass", "4C", "1C", "pass", "2E")
    assert asked(deal) == (DECIDE_PLAY, 1)
    assert moves(deal) == {"card", "swap"}
    play(deal, "swap")
    assert asked(deal) == (DECIDE_PLAY, 1)
    assert moves(deal) == {"card"}


def test_g16_no_swap_before_the_side_has_won_a_trick() -> None:
    deal = deal_of([SWAPPER, OTHER], "1O")
    with pytest.raises(IllegalMoveError) as caught:
        play(deal, "swap")
    assert caught.value.code == state.SWAP_NO_TRICK_WON
    assert "(G16)" in str(caught.value)


def test_g16_the_2_swaps_when_the_7_is_turned_up() -> None:
    deal = deal_of(["2O 3C 2C 4C 5C 6C", OTHER], "7O")
    play(deal, "3C", "2E", "swap")
    assert deal.hand(0) & card_set("7O")
    assert deal.state.muestra == parse_move("2O")


def test_g16_one_swap_a_deal() -> None:
    deal = deal_of([SWAPPER, OTHER], "1O")
    play(deal, "3C", "2E", "swap", "2C", "4E")
    assert deal.decision == DECIDE_PLAY
    with pytest.raises(IllegalMoveError) as caught:
        play(deal, "swap")
    assert caught.value.code == state.SWAP_DONE


def test_g16_switch_swap_after_latest_trick_only() -> None:
    for rules, decision in ((Rules(), DECIDE_SWAP), (LATEST, DECIDE_PLAY)):
        deal = deal_of([SWAPPER, "1C 2E 4E 5E 6E 7E"], "1O", rules=rules)
        play(deal, "3C", "2E", "pass", "2C", "1C")
        assert deal.decision == decision


def test_g17_a_first_trick_won_just_before_the_last_draw_still_opens_window_a() -> None:
    hands = ["2C 2E 2B 5C 5E 5B", "1C 4E 1B 4C 4B 3B", "6C 6E 6B 3C 7O 3E", "7C 1E 7B 11C 11E 11B"]
    deal = deal_of(hands, "2O", "4O 5O 6O 11O 3O 1O 7E 10C 10E 10O 10B 12C 12E 12O 12B")
    play(deal, "2C 1C 6C 7C", "4E 6E 1E 2E", "7B 2B 1B 6B", "4C 3C 11C 5C")
    assert asked(deal) == (DECIDE_SWAP, 2)
    assert deal.state.stock_size == 4
    play(deal, "swap")
    assert deal.state.stock_size == 0
    assert deal.hand(1) & card_set("7O")
    assert deal.hand(2) & card_set("2O")


def test_g8_f15_the_muestra_is_drawn_last() -> None:
    hands = ["1C 1E 1B 3O 2C 2E", "4C 4E 4B 5C 5E 5B", "7O 3C 3E 3B 6C 6E", "7C 7E 7B 6B 10C 10E"]
    deal = deal_of(hands, "2O")
    for trick in ("1C 4C 6C 7C", "1E 4E 6E 7E", "1B 4B 3B 7B", "3O 5C 3C 10C"):
        play(deal, trick)
        assert asked(deal) == (DECIDE_SWAP, 2)
        play(deal, "pass")
        if deal.decision == DECIDE_DECLARE:
            play(deal, "pass")
    assert deal.state.stock_size == 0
    assert deal.state.muestra == -1
    assert deal.hand(3) & card_set("2O")
    assert deal.state.known[3] & card_set("2O")


# --- cantes and tute ----------------------------------------------------------------------------

SINGER = "12C 10C 12E 10E 3B 2B"


def test_g19_g20_f16_one_cante_a_trick_and_each_suit_once() -> None:
    deal = deal_of([SINGER, "4B 4C 4E 5E 6E 7E"], "1O", "2C 5C 2E 5B")
    play(deal, "3B", "4B")
    assert asked(deal) == (DECIDE_DECLARE, 0)
    assert moves(deal) == {"sing C", "sing E", "pass"}
    play(deal, "sing C")
    assert asked(deal) == (DECIDE_PLAY, 0)
    assert moves(deal) == {"card"}
    assert deal.points == (10 + 20, 0)
    for text, why in (("sing E", state.CANTE_ALLOWANCE_USED), ("sing C", state.CANTE_ALREADY_SUNG)):
        with pytest.raises(IllegalMoveError) as caught:
            play(deal, text)
        assert caught.value.code == why
    play(deal, "2B", "4C")
    assert moves(deal) == {"sing E", "pass"}


def test_g19_forty_in_trumps() -> None:
    deal = deal_of(["12O 10O 3B 2C 2E 2B", OTHER.replace("2E", "4B").replace("2B", "7B")], "1O")
    play(deal, "3B", "4B", "sing O")
    assert deal.points == (50, 0)


def test_g20_switch_cante_per_member() -> None:
    hands = ["12C 10C 3B 2C 2E 2B", "4B 4C 4E 5C 5E 5B", "12E 10E 6B 12B 10B 6C", "7B 7C 7E 6E 11C 11E"]
    for rules, expected in ((Rules(), DECIDE_PLAY), (Rules(cante_per_member=True), DECIDE_DECLARE)):
        deal = deal_of(hands, "1O", rules=rules)
        play(deal, "3B 4B 6B 7B", "sing C")
        assert deal.decision == expected
    assert asked(deal) == (DECIDE_DECLARE, 2)
    play(deal, "sing E")
    assert asked(deal) == (DECIDE_PLAY, 0)  # the pair of bastos waits for another trick
    assert deal.points == (10 + 20 + 20, 0)


def test_g21_leader_first_then_partner() -> None:
    hands = ["12C 10C 3B 2C 2E 2B", "4B 4C 4E 5C 5E 5B", "12E 10E 6B 12B 10B 6C", "7B 7C 7E 6E 11C 11E"]
    deal = deal_of(hands, "1O")
    play(deal, "3B 4B 6B 7B")
    assert asked(deal) == (DECIDE_DECLARE, 0)
    play(deal, "pass")
    assert asked(deal) == (DECIDE_DECLARE, 2)
    play(deal, "sing B")
    assert asked(deal) == (DECIDE_PLAY, 0)
    assert deal.state.known[2] == card_set("12B 10B")


def test_g21_a_passed_window_is_not_remembered_at_the_own_turn() -> None:
    deal = deal_of([SINGER, "4B 4C 4E 5E 6E 7E"], "1O", "2C 5C")
    play(deal, "3B", "4B", "pass")
    assert moves(deal) == {"card", "sing C", "sing E"}
    play(deal, "sing E")
    assert asked(deal) == (DECIDE_PLAY, 0)


def test_g21_never_before_the_first_trick_nor_within_one() -> None:
    deal = deal_of([SINGER, "12B 10B 4E 5E 6E 7E"], "1O")
    assert moves(deal) == {"card"}
    with pytest.raises(IllegalMoveError) as caught:
        play(deal, "sing C")
    assert caught.value.code == state.NOT_ASKED
    play(deal, "3B", "4E", "sing C", "2B")
    assert moves(deal) == {"card"}


def test_g19_only_the_side_that_won_the_trick() -> None:
    deal = deal_of(["2C 4B 4C 4E 5E 6E", "12C 10C 12E 10E 3B 2B"], "1O", "5B 6B")
    play(deal, "4C", "2B")
    assert asked(deal) == (DECIDE_PLAY, 0)
    play(deal, "4B")
    assert moves(deal) == {"card"}


def test_g21_the_leader_is_asked_again_when_a_swap_completes_a_pair() -> None:
    deal = deal_of(["7O 12O 3B 2C 2E 2B", "4B 4C 4E 5E 6E 7E"], "10O")
    play(deal, "3B", "4B")
    assert asked(deal) == (DECIDE_SWAP, 0)
    play(deal, "pass", "swap")
    assert asked(deal) == (DECIDE_DECLARE, 0)
    assert moves(deal) == {"sing O", "pass"}
    play(deal, "sing O")
    assert asked(deal) == (DECIDE_PLAY, 0)
    assert deal.points[0] == 10 + 40


def test_g21_not_asked_again_when_the_allowance_is_used() -> None:
    deal = deal_of(["7O 12O 3B 12C 10C 2B", "4B 4C 4E 5E 6E 7E"], "10O", "5C 5B")
    play(deal, "3B", "4B", "pass", "sing C", "swap")
    assert asked(deal) == (DECIDE_PLAY, 0)
    assert moves(deal) == {"card"}


def test_g22_tute_wins_the_point_at_once() -> None:
    deal = deal_of(["12O 12C 12E 12B 3B 2B", "4B 4C 4E 5E 6E 7E"], "1O")
    play(deal, "3B", "4B")
    assert moves(deal) == {"tute", "pass"}
    play(deal, "tute")
    assert deal.is_over
    assert deal.winner == 0
    assert deal.history.tute_seat == 0


def test_g22_tute_after_a_cante_of_the_same_window() -> None:
    deal = deal_of(["12O 12C 12E 12B 10C 3B", "4B 4C 4E 5E 6E 7E"], "1O")
    play(deal, "3B", "4B", "sing C")
    assert asked(deal) == (DECIDE_DECLARE, 0)
    play(deal, "tute")
    assert deal.winner == 0


def test_g22_switch_no_tute() -> None:
    deal = deal_of(["12O 12C 12E 12B 3B 2B", "4B 4C 4E 5E 6E 7E"], "1O", rules=Rules(no_tute=True))
    play(deal, "3B", "4B")
    assert asked(deal) == (DECIDE_PLAY, 0)
    with pytest.raises(IllegalMoveError, match="without no_tute it would be legal") as caught:
        play(deal, "tute")
    assert caught.value.code == state.TUTE_ABOLISHED


# --- the point ----------------------------------------------------------------------------------


def test_g23_g24_f17_none_at_101_goes_to_vueltas() -> None:
    deal = finish(before_final_trick((50, 70), (40, 20), final_side=0))
    assert deal.points == (100, 90)
    assert deal.winner is None


def test_g24_f18_both_at_101_the_final_trick_decides() -> None:
    for final_side, cards in ((0, (50, 70)), (1, (60, 60))):
        deal = finish(before_final_trick(cards, (60, 40), final_side))
        assert deal.points == (120, 110)
        assert deal.winner == final_side


def test_g24_one_side_at_101_wins_whoever_takes_the_final_trick() -> None:
    deal = finish(before_final_trick((81, 39), (20, 0), final_side=1))
    assert deal.points == (101, 49)
    assert deal.winner == 0


def test_g25_f19_vueltas_are_won_the_instant_of_a_cante() -> None:
    deal = deal_of(["12C 10C 7B 2C 2E 2B", "4B 4C 4E 5E 6E 7E"], "1O", vueltas=(81, 49))
    play(deal, "7B", "4B", "sing C")
    assert deal.points == (101, 49)
    assert asked(deal)[0] == DECIDE_NOTHING
    assert deal.winner == 0
    assert deal.legal_moves() == []


def test_g25_vueltas_are_won_before_any_window() -> None:
    deal = deal_of([SWAPPER, "1C 2E 4E 5E 6E 7E"], "1O", vueltas=(90, 90))
    play(deal, "3C", "1C")
    assert deal.is_over
    assert deal.points == (90, 111)
    assert deal.winner == 1


def test_g24_f20_thirty_malas() -> None:
    deal = finish(before_final_trick((19, 101), (80, 0), final_side=0))
    assert deal.points == (109, 101)
    assert deal.winner == 1


@pytest.mark.parametrize(
    ("malas", "cards", "final_side", "winner"),
    [
        (Malas.THIRTY, (20, 100), 0, 0),  # the ten makes thirty, and the final trick decides
        (Malas.THIRTY, (21, 99), 1, 1),  # 21 from cards alone
        (Malas.OFF, (19, 101), 0, 0),
        (Malas.CARDS_ONLY_LOSES, (29, 91), 0, 1),  # 39 with the ten, which does not count
        (Malas.CARDS_ONLY_LOSES, (30, 90), 0, 0),
        (Malas.CARDS_ONLY_LOSES, (21, 99), 1, 1),
    ],
)
def test_g24_setting_malas(malas: Malas, cards: tuple[int, int], final_side: int, winner: int) -> None:
    rules = Rules(malas=malas, cante_per_member=True)
    assert finish(before_final_trick(cards, (80, 0), final_side, rules)).winner == winner


def test_g5_the_winner_of_the_latest_trick_deals_next() -> None:
    assert finish(before_final_trick((60, 60), (0, 0), final_side=0)).next_dealer == 0
    assert finish(before_final_trick((60, 60), (0, 0), 0, Rules(fixed_rotation=True))).next_dealer == 0
    assert finish(before_final_trick((60, 60), (0, 0), 1, Rules(fixed_rotation=True))).next_dealer == 0
    assert finish(before_final_trick((60, 60), (0, 0), 1)).next_dealer == 1


def test_g27_an_illegal_move_changes_nothing() -> None:
    deal = deal_of([SWAPPER, OTHER], "1O")
    before = deal.state.tobytes()
    for move in set(range(state.MOVES)) - set(deal.legal_moves()):
        with pytest.raises(IllegalMoveError):
            deal.play(move)
    assert deal.state.tobytes() == before
    assert deal.moves == []
