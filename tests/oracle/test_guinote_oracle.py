"""Pins the facts F1 to F20 of the rules page on the Guiñote oracle, each under its rule's number."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Literal

import pytest

from tests.oracle.guinote import (
    Card,
    Deal,
    Match,
    Move,
    Rules,
    format_card,
    full_pack,
    legal_cards,
    parse_card,
    trick_points,
    trick_winner,
)

DEFAULT = Rules()
RELIEF = Rules(partner_relief=True)
PASS: Move = ("pass",)
SWAP: Move = ("swap",)
TUTE: Move = ("tute",)


def cards(text: str) -> list[Card]:
    return [parse_card(word) for word in text.split()]


def sing(suit: str) -> Move:
    return ("sing", suit)


def in_arrastre(table: str, hand: str, rules: Rules = DEFAULT, players: int = 4) -> str:
    """Lists what the hand may play with oros as trumps, in the order of the hand."""
    legal = legal_cards(set(cards(hand)), cards(table), 0, "O", True, rules, players)
    return " ".join(word for word in hand.split() if parse_card(word) in legal)


def pack_of(hands: list[str], muestra: str, stock: str = "") -> list[Card]:
    """Stacks a pack: hands from the mano on, the muestra, the first cards of the stock, then all others."""
    held = [cards(hand) for hand in hands]
    pack = [card for half in (slice(0, 3), slice(3, 6)) for hand in held for card in hand[half]]
    pack += cards(muestra) + cards(stock)
    return pack + [card for card in full_pack() if card not in pack]


def deal_of(
    hands: list[str],
    muestra: str,
    stock: str = "",
    rules: Rules = DEFAULT,
    carried: tuple[int, int] | None = None,
) -> Deal:
    """Deals to seat 0 as mano, to as many seats as there are hands."""
    return Deal(rules, len(hands), len(hands) - 1, pack_of(hands, muestra, stock), carried)


def play(deal: Deal, text: str) -> None:
    for card in cards(text):
        deal.apply(("play", card))


def asked(deal: Deal) -> tuple[str, int | None]:
    return deal.decision, deal.asked


def before_final_trick(
    card_points: list[int], cantes: list[str], final_side: int, rules: Rules = DEFAULT
) -> Deal:
    """Sets up the end of a first deal with oros as trumps: the final trick holds no points but the ten."""
    deal = deal_of(["", ""], "1O 2O 3O 4O 5O 6O 7O 10O 11O 12O 1C 3C 4C")
    deal.rules = rules
    deal.hands = [set(cards("2C")), set(cards("7C"))] if final_side else [set(cards("7C")), set(cards("2C"))]
    deal.trump, deal.stock, deal.muestra, deal.latest_winner = "O", [], None, 0
    deal.leader = deal.asked = 0
    deal.card_points = card_points
    deal.cantes = [(side, suit, 1) for side in (0, 1) for suit in cantes[side]]
    return deal


def finish(deal: Deal) -> Deal:
    """Plays the final trick of `before_final_trick`."""
    for seat in (0, 1):
        play(deal, " ".join(format_card(card) for card in deal.hands[seat]))
    assert deal.decision == "OVER"
    return deal


# Cards and tricks


def test_g1_points_add_up_to_120() -> None:
    assert len(set(full_pack())) == 40
    assert trick_points(full_pack()) == 120
    assert [trick_points([card]) for card in cards("1C 3C 12C 10C 11C 7C")] == [11, 10, 4, 3, 2, 0]


@pytest.mark.parametrize("text", ["8O", "0C", "13E", "1X", "E", "", "12", "01C"])
def test_g1_parse_card_refuses_what_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        parse_card(text)


def test_g1_format_card_reverses_parse_card() -> None:
    assert [parse_card(format_card(card)) for card in full_pack()] == full_pack()


@pytest.mark.parametrize("players", [2, 4])
def test_g3_g4_two_rounds_of_three_then_muestra_then_stock(players: int) -> None:
    pack = full_pack()
    deal = Deal(DEFAULT, players, 1, pack)
    mano = 2 % players
    assert asked(deal) == ("PLAY", mano)
    assert deal.hands[mano] == {*pack[:3], *pack[3 * players : 3 * players + 3]}
    assert deal.hands[1] == {*pack[3 * players - 3 : 3 * players], *pack[6 * players - 3 : 6 * players]}
    assert deal.muestra == pack[6 * players]
    assert deal.stock == pack[6 * players + 1 :]
    assert len(deal.stock) == {2: 27, 4: 15}[players]


def test_g6_f1_highest_of_the_suit_led_wins() -> None:
    assert trick_winner(cards("2C 3C 1E 12C"), 0, 4, "O") == 1


def test_g6_f2_a_trump_wins() -> None:
    assert trick_winner(cards("1C 2O 3C 1E"), 0, 4, "O") == 1


def test_g6_f3_the_highest_trump_wins() -> None:
    assert trick_winner(cards("1C 2O 3O 12O"), 0, 4, "O") == 2
    assert trick_winner(cards("1C 2O 3O 12O"), 3, 4, "O") == 1


def test_g1_f4_the_sota_beats_the_caballo() -> None:
    assert trick_winner(cards("11B 10B"), 0, 2, "O") == 1


def test_g1_f5_points_of_a_trick() -> None:
    assert trick_points(cards("6E 3O 12B 7C")) == 14


# Arrastre


def test_g10_f6_follow_and_beat() -> None:
    assert in_arrastre("4C", "2C 1C 3O 1E") == "1C"


def test_g10_f7_follow_when_unable_to_beat() -> None:
    assert in_arrastre("1C", "2C 7C 3O") == "2C 7C"


def test_g11_f8_any_follower_under_a_trump() -> None:
    assert in_arrastre("4C 2O", "2C 1C 5O") == "2C 1C"


def test_g10_f9_follow_and_beat_in_trumps() -> None:
    assert in_arrastre("4O", "2O 1O 1C") == "1O"


def test_g12_f10_overtrump() -> None:
    assert in_arrastre("4C 12O", "2O 3O 1E") == "3O"


def test_g12_void_must_trump() -> None:
    assert in_arrastre("4C", "2O 3O 1E") == "2O 3O"


def test_g13_f11_free_when_unable_to_overtrump() -> None:
    assert in_arrastre("4C 12O", "2O 1E") == "2O 1E"


def test_g14_f12_a_winning_partner_is_beaten_too() -> None:
    assert in_arrastre("12C 4C", "7C 3C") == "3C"
    assert in_arrastre("12C 4C", "7C 3C", RELIEF) == "7C 3C"


def test_g14_f13_relief_never_cancels_following_suit() -> None:
    assert in_arrastre("7E 12E 10E", "2E 4C 1O") == "2E"
    assert in_arrastre("7E 12E 10E", "2E 4C 1O", RELIEF) == "2E"


def test_g14_relief_from_trumping_needs_a_partner_who_is_winning() -> None:
    assert in_arrastre("12C 4C", "7E 2O") == "2O"
    assert in_arrastre("12C 4C", "7E 2O", RELIEF) == "7E 2O"
    assert in_arrastre("4C 12C", "7E 2O", RELIEF) == "2O"
    assert in_arrastre("4C", "7E 2O", RELIEF, players=2) == "2O"


def test_g7_g15_free_with_a_stock_and_in_the_lead() -> None:
    hand = set(cards("2C 1C 3O"))
    assert legal_cards(hand, cards("4C"), 0, "O", False, DEFAULT, 4) == hand
    assert legal_cards(hand, [], 0, "O", True, DEFAULT, 4) == hand


# Swap

SWAPPER = ["7O 1C 2E 4E 2B 2C", "4C 5C 6C 5E 6E 4B"]


def test_g16_f14_swap() -> None:
    deal = deal_of(SWAPPER, "1O", "5B 6B")
    assert SWAP not in deal.legal_moves()
    play(deal, "1C 4C")
    assert asked(deal) == ("SWAP", 0)
    assert deal.legal_moves() == {SWAP, PASS}
    deal.apply(PASS)
    assert asked(deal) == ("PLAY", 0)
    assert len(deal.stock) == 25
    deal.apply(SWAP)
    assert deal.hands[0] == set(cards("1O 2E 4E 2B 2C 5B"))
    assert deal.muestra == parse_card("7O")
    assert len(deal.stock) == 25
    assert asked(deal) == ("PLAY", 0)
    assert deal.swap == (0, 1, "b")
    assert deal.trump == "O"
    assert SWAP not in deal.legal_moves()


def test_g16_the_2_swaps_for_the_7_turned_up_and_only_once() -> None:
    deal = deal_of(["2O 1C 2E 4E 2B 2C", SWAPPER[1]], "7O", "5B 6B")
    play(deal, "1C 4C")
    deal.apply(SWAP)
    assert (deal.swap, deal.muestra) == ((0, 1, "a"), parse_card("2O"))
    assert deal.hands[0] == set(cards("7O 2E 4E 2B 2C 5B"))
    assert SWAP not in deal.legal_moves()


def test_g16_swap_after_any_trick_or_the_latest_only() -> None:
    for rules in (DEFAULT, Rules(swap_after_latest_trick_only=True)):
        deal = deal_of(SWAPPER, "12O", "5B 6B 7B 10B", rules)
        play(deal, "1C 4C")
        deal.apply(PASS)
        play(deal, "2E 5E")
        assert asked(deal) == (("SWAP", 0) if rules == DEFAULT else ("PLAY", 1))
        if rules == DEFAULT:
            deal.apply(PASS)
        play(deal, "6E")
        assert (SWAP in deal.legal_moves()) == (rules == DEFAULT)


HOLDER_IS_PARTNER = ["1C 3C 1E 3E 1B 3B", "2C 4C 2E 4E 2B 4B", "7O 5C 6C 5E 6E 5B", "7C 11C 7E 11E 7B 11B"]
FOUR_DRAWS = "6B 1O 12C 10E 12E 2O 3O 10C 4O 5O 6O 10B 10O 11O 12B"


@pytest.mark.parametrize(("last_window", "drawn"), [(PASS, "12O"), (SWAP, "7O")])
def test_g8_f15_the_last_seat_draws_the_muestra(last_window: Move, drawn: str) -> None:
    deal = deal_of(HOLDER_IS_PARTNER, "12O", FOUR_DRAWS)
    for trick in ("1C 2C 5C 7C", "3C 4C 6C 11C", "1E 2E 5E 7E"):
        play(deal, trick)
        assert asked(deal) == ("SWAP", 2)
        deal.apply(PASS)
    play(deal, "3E 4E 6E 11E")
    deal.apply(last_window)
    assert (deal.muestra, deal.muestra_drawn_by, deal.stock) == (None, 3, [])
    assert parse_card(drawn) in deal.hands[3]
    assert SWAP not in deal.legal_moves()
    assert [len(hand) for hand in deal.hands] == [6, 6, 6, 6]


def test_g8_g9_the_winner_draws_first_and_leads() -> None:
    deal = deal_of(HOLDER_IS_PARTNER, "12O", FOUR_DRAWS)
    play(deal, "1B 2B 7O 7B")
    assert asked(deal) == ("PLAY", 2)
    drawn = [(2, "6B"), (3, "1O"), (0, "12C"), (1, "10E")]
    assert all(parse_card(card) in deal.hands[seat] for seat, card in drawn)


# Cantes and tute

SINGERS = ["12C 10C 12E 10E 1C 1B", "2C 4C 5C 6C 7C 2B", "2E 4E 5E 12B 10B 4B", "3E 1E 3C 11C 11E 5B"]
NO_TRUMPS = "6B 7B 6E 11B 3B 7E"


def test_g20_f16_one_cante_a_side_and_each_suit_once() -> None:
    deal = deal_of(SINGERS, "7O", NO_TRUMPS)
    play(deal, "1B 2B 4B 5B")
    assert asked(deal) == ("DECLARE", 0)
    assert deal.legal_moves() == {sing("C"), sing("E"), PASS}
    deal.apply(sing("C"))
    assert (deal.cantes, deal.points) == ([(0, "C", 1)], [31, 0])
    assert asked(deal) == ("PLAY", 0)
    assert {move[0] for move in deal.legal_moves()} == {"play"}
    play(deal, "1C 7C 2E 11C")
    assert asked(deal) == ("DECLARE", 0)
    assert deal.legal_moves() == {sing("E"), PASS}


def test_g20_cante_per_member() -> None:
    deal = deal_of(SINGERS, "7O", NO_TRUMPS, Rules(cante_per_member=True))
    play(deal, "1B 2B 4B 5B")
    deal.apply(sing("C"))
    assert asked(deal) == ("DECLARE", 2)
    assert deal.legal_moves() == {sing("B"), PASS}
    deal.apply(sing("B"))
    assert asked(deal) == ("PLAY", 0)
    assert {move[0] for move in deal.legal_moves()} == {"play"}


def test_g21_the_partner_sings_after_the_leader_passed() -> None:
    deal = deal_of(SINGERS, "7O", NO_TRUMPS)
    play(deal, "1B 2B 4B 5B")
    deal.apply(PASS)
    assert asked(deal) == ("DECLARE", 2)
    deal.apply(PASS)
    assert asked(deal) == ("PLAY", 0)
    assert {sing("C"), sing("E")} <= deal.legal_moves()
    deal.apply(sing("E"))
    assert asked(deal) == ("PLAY", 0)
    assert {move[0] for move in deal.legal_moves()} == {"play"}


def test_g21_nothing_is_sung_before_the_first_trick_or_by_the_losers() -> None:
    deal = deal_of(SINGERS, "7O", "6B 7B 6E 11B")
    assert {move[0] for move in deal.legal_moves()} == {"play"}
    play(deal, "12C 4C 2E 3C")
    assert asked(deal) == ("PLAY", 3)


def test_g21_a_leader_whose_swap_completes_the_pair_is_asked_again() -> None:
    deal = deal_of(["10O 7O 1C 2E 4E 2B", SWAPPER[1]], "12O", "5B 6B")
    play(deal, "1C 4C")
    deal.apply(PASS)
    assert asked(deal) == ("PLAY", 0)
    assert sing("O") not in deal.legal_moves()
    deal.apply(SWAP)
    assert asked(deal) == ("DECLARE", 0)
    assert deal.legal_moves() == {sing("O"), PASS}
    deal.apply(PASS)
    assert asked(deal) == ("PLAY", 0)
    deal.apply(sing("O"))
    assert asked(deal) == ("PLAY", 0)
    assert deal.points == [51, 0]


def test_g21_a_swap_that_completes_nothing_asks_for_no_cante_again() -> None:
    deal = deal_of(["7O 1C 12E 10E 2B 2C", "4C 5C 6C 5E 6E 4B"], "12O", "5B 6B")
    play(deal, "1C 4C")
    deal.apply(PASS)
    deal.apply(PASS)
    deal.apply(SWAP)
    assert asked(deal) == ("PLAY", 0)
    assert sing("E") in deal.legal_moves()


def test_g22_tute_wins_at_once_also_after_a_cante() -> None:
    hands = ["12O 12C 12E 12B 10C 1C", "4C 5C 6C 5E 6E 4B"]
    deal = deal_of(hands, "1O", "5B 6B")
    play(deal, "1C 4C")
    assert deal.legal_moves() == {sing("C"), TUTE, PASS}
    deal.apply(sing("C"))
    assert asked(deal) == ("DECLARE", 0)
    assert deal.legal_moves() == {TUTE, PASS}
    deal.apply(TUTE)
    assert asked(deal) == ("OVER", None)
    assert (deal.winner(), deal.tute, deal.next_dealer()) == (0, (0, 1), 0)
    assert deal.legal_moves() == set()


def test_g22_no_tute() -> None:
    deal = deal_of(["12O 12C 12E 12B 3C 1C", SWAPPER[1]], "1O", "5B 6B", Rules(no_tute=True))
    play(deal, "1C 4C")
    assert asked(deal) == ("PLAY", 0)
    assert TUTE not in deal.legal_moves()


# The point, the match


def test_g25_f17_vueltas_with_the_points_carried_over() -> None:
    deal = finish(before_final_trick([50, 70], ["O", "C"], final_side=0))
    assert deal.points == [100, 90]
    assert deal.winner() is None
    match = Match(DEFAULT, 2, 1)
    match.finish(deal)
    assert (match.is_vueltas, match.carried, match.dealer) == (True, (100, 90), 0)
    assert match.new_deal(full_pack()).points == [100, 90]


def test_g24_f18_both_qualify_so_the_final_trick_decides() -> None:
    for card_points, final_side in (([50, 70], 0), ([60, 60], 1)):
        deal = finish(before_final_trick(card_points, ["OC", "EB"], final_side))
        assert deal.points == [120, 110]
        assert deal.winner() == final_side


def test_g25_f19_a_cante_wins_in_vueltas() -> None:
    singer = ["12C 10C 7E 2B 4B 5B", "2E 3C 4C 5C 6C 6B", "4E 1E 3E 7C 2C 7B", "5E 1C 1B 3B 11C 11B"]
    deal = deal_of(singer, "1O", "6E", carried=(81, 60))
    play(deal, "7E 2E 4E 5E")
    assert deal.points == [81, 60]
    deal.apply(sing("C"))
    assert asked(deal) == ("OVER", None)
    assert (deal.points, deal.winner()) == ([101, 60], 0)


def test_g25_a_trick_wins_in_vueltas_before_any_window() -> None:
    deal = deal_of(SWAPPER, "12O", carried=(90, 95))
    play(deal, "1C 4C")
    assert (deal.decision, deal.winner(), deal.points) == ("OVER", 0, [101, 95])
    assert len(deal.stock) == 27


@pytest.mark.parametrize(("malas", "winner"), [("THIRTY", 1), ("OFF", 0), ("CARDS_ONLY_LOSES", 1)])
def test_g24_f20_thirty_malas(malas: Literal["THIRTY", "OFF", "CARDS_ONLY_LOSES"], winner: int) -> None:
    deal = finish(before_final_trick([19, 101], ["OCE", ""], 0, Rules(malas=malas)))
    assert deal.points == [109, 101]
    assert deal.winner() == winner


def test_g24_cards_only_loses_whatever_the_other_has() -> None:
    for rules, winner in ((DEFAULT, 0), (Rules(malas="CARDS_ONLY_LOSES"), 1)):
        deal = finish(before_final_trick([21, 99], ["OCE", ""], 0, rules))
        assert deal.points == [111, 99]
        assert deal.winner() == winner


@pytest.mark.parametrize(("rules", "dealer"), [(DEFAULT, 0), (Rules(fixed_rotation=True), 2)])
def test_g5_next_dealer(rules: Rules, dealer: int) -> None:
    pack = pack_of(HOLDER_IS_PARTNER[2:] + HOLDER_IS_PARTNER[:2], "12O")
    deal = Deal(rules, 4, 1, pack, carried=(100, 0))
    play(deal, "5E 11E 1E 4E")
    assert deal.winner() == 0
    assert deal.next_dealer() == dealer


def test_g26_the_match_ends_with_its_points() -> None:
    match = Match(Rules(points_per_coto=2), 2, 1)
    for _ in range(2):
        assert match.winner is None
        match.finish(finish(before_final_trick([50, 70], ["OC", ""], 0)))
    assert (match.winner, match.coto_points) == (0, [2, 0])
    with pytest.raises(ValueError, match="match is over"):
        match.new_deal(full_pack())


def test_g27_an_illegal_move_changes_nothing() -> None:
    deal = deal_of(SWAPPER, "1O")
    before = copy.deepcopy(vars(deal))
    for move in (("play", parse_card("4C")), SWAP, TUTE, PASS, sing("C")):
        with pytest.raises(ValueError, match="is not legal for seat 0 at PLAY"):
            deal.apply(move)
    assert vars(deal) == before


def test_g4_a_deal_needs_the_whole_pack() -> None:
    with pytest.raises(ValueError, match="each of the 40 cards"):
        Deal(DEFAULT, 2, 0, full_pack()[:-1] + full_pack()[:1])


# Random play


def random_rules(rng: random.Random) -> Rules:
    def flip() -> bool:
        return rng.random() < 0.5

    malas: Literal["THIRTY", "OFF", "CARDS_ONLY_LOSES"] = "THIRTY"
    if flip():
        malas = "OFF" if flip() else "CARDS_ONLY_LOSES"
    return Rules(flip(), flip(), flip(), flip(), flip(), malas, rng.choice([1, 2, 3]))


def check_position(deal: Deal) -> None:
    """Conserves the cards and the turn."""
    placed = [card for hand in deal.hands for card in hand] + deal.stock + deal.table
    placed += [card for _, trick in deal.tricks for card in trick]
    placed += [deal.muestra] if deal.muestra else []
    assert len(placed) == 40
    assert set(placed) == set(full_pack())
    assert (deal.decision == "OVER") == (deal.asked is None)
    assert bool(deal.legal_moves()) == (deal.asked is not None)
    if deal.decision == "DECLARE":
        assert len(deal.legal_moves()) >= 2
        assert deal.latest_winner is not None
        assert deal.latest_winner % 2 == (deal.asked or 0) % 2
    if deal.decision == "PLAY":
        assert deal.asked == (deal.leader + len(deal.table)) % deal.players


def check_end(deal: Deal) -> None:
    """Conserves the points, and ends a deal for its own reasons only."""
    winners = [trick_winner(trick, leader, deal.players, deal.trump) for leader, trick in deal.tricks]
    for side in (0, 1):
        won = [trick for (_, trick), seat in zip(deal.tricks, winners, strict=True) if seat % 2 == side]
        assert deal.card_points[side] == sum(trick_points(trick) for trick in won)
        assert deal.tricks_won[side] == len(won)
    assert [leader for leader, _ in deal.tricks[1:]] == winners[:-1]
    assert deal.latest_winner == winners[-1]
    is_complete = not any(deal.hands)
    if is_complete:
        assert sum(deal.card_points) + sum(deal.last_ten) == 130
        assert len(deal.tricks) == 40 // deal.players
        assert deal.last_ten[winners[-1] % 2] == 10
    else:
        assert deal.is_vueltas or deal.tute
        assert deal.last_ten == [0, 0]
    reached = [side for side in (0, 1) if deal.points[side] >= 101]
    if deal.is_vueltas and not deal.tute:
        assert reached == [deal.winner()]
    elif not deal.tute:
        assert (deal.winner() is None) == (not reached)
    suits = [suit for _, suit, _ in deal.cantes]
    assert len(suits) == len(set(suits))
    most = deal.players // 2 if deal.rules.cante_per_member else 1
    assert all(count <= most for count in Counter(after for _, _, after in deal.cantes).values())
    assert all(0 < after < len(deal.tricks) + (not is_complete) for _, _, after in deal.cantes)
    assert deal.next_dealer() == (
        (deal.dealer + 1) % deal.players if deal.rules.fixed_rotation else winners[-1]
    )


@pytest.mark.parametrize("players", [2, 4])
def test_random_matches_conserve_cards_and_points_and_end(players: int) -> None:
    rng = random.Random(players)
    seen: Counter[str] = Counter()
    for _ in range(100):
        match = Match(random_rules(rng), players, rng.randrange(players))
        while match.winner is None:
            pack = full_pack()
            rng.shuffle(pack)
            deal = match.new_deal(pack)
            while deal.decision != "OVER":
                check_position(deal)
                moves = sorted(deal.legal_moves(), key=str)
                # Cantes and the tute are rare enough without passing them by.
                announcements = [move for move in moves if move[0] in ("sing", "tute")]
                deal.apply(rng.choice(announcements if announcements and rng.random() < 0.7 else moves))
                seen[deal.decision] += 1
            check_position(deal)
            check_end(deal)
            match.finish(deal)
            assert match.dealer == deal.next_dealer()
            assert match.is_vueltas == (deal.winner() is None)
            seen.update(
                deals=1, cantes=len(deal.cantes), swaps=deal.swap is not None, vueltas=deal.is_vueltas
            )
            seen.update({f"swap {deal.swap[2]}": 1} if deal.swap else {})
        assert match.coto_points[match.winner] == match.rules.points_per_coto
    assert seen["deals"] >= 200
    assert min(seen[event] for event in ("SWAP", "DECLARE", "cantes", "swap a", "swap b", "vueltas")) > 20
