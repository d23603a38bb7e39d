"""The referee of a deal of Gilé: arguments, refusals, views, what it tells of its course."""

import copy
import random

import pytest
from google.protobuf.json_format import MessageToDict

from tapete.v1 import ErrorReason
from tapete_games.bits import members
from tapete_games.errors import IllegalMoveError
from tapete_games.gile import (
    MAX_STACK,
    Action,
    Deal,
    Draw,
    Limit,
    Rules,
    card_set,
    format_move,
    kind_of,
    parse_move,
    shuffled_pack,
)
from tapete_games.gile.deal import MAX_SEED
from tapete_games.gile.state import BET, FIRST, LAST, PACK, RAISE, SECOND, UNDER_WAY, VOID
from tests.games.gile_comparison import choose, random_table
from tests.games.test_gile_rules import codes, legal, pack_of, played, table

SUITS = {"O": "SUIT_OROS", "C": "SUIT_COPAS", "E": "SUIT_ESPADAS", "B": "SUIT_BASTOS"}


def wire_cards(text: str) -> list[dict[str, object]]:
    return [{"suit": SUITS[card[-1]], "rank": int(card[:-1])} for card in text.split()]


# --- arguments ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stacks", "dealer", "message"),
    [
        ((10,), 0, r"1 stacks: expected 2 to 5 \(L4\)"),
        ((10,) * 6, 0, r"6 stacks: expected 2 to 5 \(L4\)"),
        ((10, -1, 10), 0, r"expected 0 to 100000000 chips each \(L6\)"),
        ((10, MAX_STACK + 1), 0, r"expected 0 to 100000000 chips each \(L6\)"),
        ((10, 0), 0, r"expected chips on two seats at least \(L6\)"),
        ((10, 10, 0), 2, r"dealer 2: expected a seat with chips \(L5, L6\)"),
        ((10, 10), 2, "dealer 2: expected a seat with chips"),
        ((10, 10), -1, "dealer -1: expected a seat with chips"),
    ],
)
def test_l4_to_l6_stacks_and_dealers_out_of_range(stacks: tuple[int, ...], dealer: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Deal(Rules(), stacks, dealer, shuffled_pack(1))


@pytest.mark.parametrize("pack", [range(27), range(29), [0, *range(27)], range(1, 29)])
def test_l1_what_is_not_the_pack(pack: list[int]) -> None:
    with pytest.raises(ValueError, match="the pack is not the 28 cards, each once"):
        Deal(Rules(), (10, 10), 0, pack)


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1, 2**64])
def test_l10_seeds_out_of_range(seed: int) -> None:
    with pytest.raises(ValueError, match=rf"seed {seed}: expected 0 to {MAX_SEED} \(L10\)"):
        Deal(Rules(), (10, 10), 0, shuffled_pack(1), seed)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ante": -1}, r"ante is -1: expected 0 to 1000000 \(L6\)"),
        ({"ante": 1_000_001}, r"ante is 1000001: expected 0 to 1000000 \(L6\)"),
        ({"minimum_bet": 0}, r"minimum_bet is 0: expected 1 to 1000000 \(L6\)"),
        ({"minimum_bet": 1_000_001}, r"minimum_bet is 1000001: expected 1 to 1000000 \(L6\)"),
        ({"void_deals": 0}, r"void_deals is 0: expected 1 to 10 \(L7\)"),
        ({"void_deals": 11}, r"void_deals is 11: expected 1 to 10 \(L7\)"),
    ],
)
def test_l6_l7_settings_out_of_range(settings: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rules(**settings)  # type: ignore[arg-type]


def test_l6_the_largest_chips_there_are() -> None:
    rules = Rules(ante=1_000_000, minimum_bet=1_000_000)
    deal = Deal(rules, (MAX_STACK,) * 5, 4, shuffled_pack(1), MAX_SEED)
    all_in = f"bet {MAX_STACK - 1_000_000}"
    assert legal(deal) == ["check", "bet 1000000", all_in]
    played(deal, all_in, *["call"] * 4, *["discard -"] * 5)
    assert sorted(deal.returns or ()) == [-MAX_STACK] * 4 + [4 * MAX_STACK]


def test_a_pack_is_a_function_of_its_seed() -> None:
    assert shuffled_pack(7).tolist() == shuffled_pack(7).tolist() != shuffled_pack(8).tolist()
    assert sorted(shuffled_pack(2**63)) == list(range(28))
    # Pinned: packs of recorded seeds must stay what they were.
    assert shuffled_pack(7).tolist()[:10] == [17, 4, 26, 13, 3, 14, 12, 18, 19, 22]


# --- moves --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code", [-1, 6 << 32, 2**70, *(parse_move(word) | 1 for word in ("fold", "check", "call"))]
)
def test_no_such_move(code: int) -> None:
    with pytest.raises(ValueError, match=f"move {code}: there is no such code"):
        table(100, 100).play(code)


def test_no_such_cards() -> None:
    code = parse_move("discard -") | PACK + 1
    with pytest.raises(ValueError, match=f"move {code}: expected a set of the 28 cards"):
        table(100, 100).play(code)


HANDS = ("1O 2O 7C 7E", "3O 3C 3E 3B")
CALLED = ["bet 1", "call", "check", "check"]


@pytest.mark.parametrize(
    ("before", "move", "reason", "message"),
    [
        ([], "fold", "ILLEGAL_ACTION", "there is nothing to call: a seat that does not bet checks (L13)"),
        ([], "call", "ILLEGAL_ACTION", "there is nothing to call (L14)"),
        ([], "raise 4", "ILLEGAL_ACTION", "nobody has bet in this round: the first one bets (L14)"),
        ([], "bet 4", "ILLEGAL_ACTION", "4 is below a bet of 5, the least here short of all in (L14, L15)"),
        ([], "bet 100", "ILLEGAL_ACTION", "100 is more than the seat has: 99 in this round at most (L6)"),
        ([], "discard -", "WINDOW_CLOSED", "a bet is asked for, not discards (L9)"),
        (["bet 7"], "check", "ILLEGAL_ACTION", "there are 7 to call: call, raise or fold (L14)"),
        (["bet 7"], "bet 9", "ILLEGAL_ACTION", "there is a bet to 7 already: a higher one is a raise (L14)"),
        (["bet 7"], "raise 13", "ILLEGAL_ACTION", "13 is below a raise by 7 to 14, the least here"),
        (["bet 5", "call", "check", "check"], "check", "WINDOW_CLOSED", "discards are asked for, not a bet"),
        (["bet 5", "call", "check", "check"], "discard 1O 3O", "CARD_NOT_HELD", "3O is not in the hand"),
        (["bet 5", "fold"], "check", "DEAL_OVER", "the deal is over (L11, L12)"),
    ],
)
def test_refusals_name_the_reason_and_the_rule(
    before: list[str], move: str, reason: str, message: str
) -> None:
    deal = played(table(100, 100, rules=Rules(minimum_bet=5), pack=pack_of(*HANDS)), *before)
    state, moves = deal.state.tobytes(), list(deal.moves)
    with pytest.raises(IllegalMoveError) as caught:
        deal.play(parse_move(move))
    assert ErrorReason.Name(caught.value.reason) == f"ERROR_REASON_{reason}"
    assert f"{move} is illegal: {message}" in str(caught.value)
    assert (deal.state.tobytes(), deal.moves) == (state, moves)


def test_a_refusal_holds_the_position() -> None:
    deal = played(table(100, 100, pack=pack_of(*HANDS)), "bet 3")
    with pytest.raises(IllegalMoveError) as caught:
        deal.play(parse_move("check"))
    assert str(caught.value) == (
        "seat 1: check is illegal: there are 3 to call: call, raise or fold (L14). "
        "Round 1; pot 5; bet to 3; the seat has staked 0 and has 99 behind; hand 3O 3C"
    )


@pytest.mark.parametrize(
    ("rules", "before", "move", "limits"),
    [
        (Rules(limit=Limit.POT), [], "bet 3", "GILE_LIMIT_NONE"),
        (Rules(limit=Limit.FIXED), [], "bet 2", "GILE_LIMIT_NONE or GILE_LIMIT_POT"),
        (Rules(limit=Limit.FIXED), [], "bet 3", "GILE_LIMIT_NONE"),
        # The least bet of the last round is doubled with a fixed limit alone.
        (
            Rules(limit=Limit.FIXED, minimum_bet=2),
            ["bet 2", "call", "check", "check", "discard -", "discard -"],
            "bet 3",
            "GILE_LIMIT_NONE or GILE_LIMIT_POT",
        ),
        # A fourth raise.
        (
            Rules(limit=Limit.FIXED),
            ["bet 1", "raise 2", "raise 3", "raise 4"],
            "raise 5",
            "GILE_LIMIT_NONE or GILE_LIMIT_POT",
        ),
        (Rules(), [], "bet 100", ""),
        (Rules(limit=Limit.POT), [], "bet 100", ""),
        (Rules(limit=Limit.POT), ["bet 2"], "raise 3", ""),
    ],
)
def test_l15_limits_that_would_allow_it_are_named(
    rules: Rules, before: list[str], move: str, limits: str
) -> None:
    deal = played(table(100, 100, rules=rules), *before)
    state = deal.state.tobytes()
    with pytest.raises(IllegalMoveError) as caught:
        deal.play(parse_move(move))
    assert (f"; with {limits} it would be legal." in str(caught.value)) == bool(limits)
    assert ("it would be legal" in str(caught.value)) == bool(limits)
    assert deal.state.tobytes() == state


def test_what_is_between_the_least_and_the_greatest_is_legal() -> None:
    """Of bets and raises these two are listed; all amounts between are legal, and none beyond."""
    for seed in range(40):
        rng = random.Random(seed)
        rules, stacks, dealer = random_table(rng)
        deal = Deal(rules, stacks, dealer, shuffled_pack(seed), seed)
        while not deal.is_over:
            bets = [move for move in deal.legal_moves() if kind_of(move) in (BET, RAISE)]
            if bets:
                assert len(bets) == len(set(bets)) <= 2
                for move in range(bets[0] - 1, bets[-1] + 2):
                    twin = copy.copy(deal)
                    if bets[0] <= move <= bets[-1]:
                        twin.play(move)
                    else:
                        with pytest.raises(IllegalMoveError):
                            twin.play(move)
            deal.play(choose(deal, rng, "even"))


# --- views --------------------------------------------------------------------------------------


def test_the_view_of_default_rules_leaves_them_out() -> None:
    deal = table(100, 100, pack=pack_of(*HANDS))
    assert MessageToDict(deal.view(), preserving_proto_field_name=True) == {
        "seat": 0,
        "dealer": 1,
        "stacks": [100, 100],
        "hand": wire_cards("1O 2O"),
        "decision": "GILE_DECISION_BET",
    }


def test_the_view_of_the_seat_that_is_asked() -> None:
    rules = Rules(Limit.POT, suit_rank=True, ante=2, minimum_bet=3, void_deals=5)
    pack = pack_of(rest="2B 2E 3B 3E 7B 7E 1O 2O 3O 3C 7O 7C 12O 11O 12C 11C")
    deal = Deal(rules, (50, 60, 0, 70), 3, pack)
    played(deal, *["check"] * 3, "bet 4", "raise 8", "fold", "call", "check", "check", "discard 1O 12O")
    assert MessageToDict(deal.view(1), preserving_proto_field_name=True) == {
        "rules": {
            "limit": "GILE_LIMIT_POT",
            "suit_rank": True,
            "ante": 2,
            "minimum_bet": 3,
            "void_deals": 5,
        },
        "seat": 1,
        "dealer": 3,
        "stacks": [50, 60, 0, 70],
        "hand": wire_cards("3O 12C 11C 3C"),
        "set_aside": [{"cards": wire_cards("3E 3B")}],
        "actions": [
            {"round": "GILE_ROUND_FIRST", "seat": 0, "kind": "GILE_ACTION_KIND_BET", "amount": 4},
            {"round": "GILE_ROUND_FIRST", "seat": 1, "kind": "GILE_ACTION_KIND_RAISE", "amount": 8},
            {"round": "GILE_ROUND_FIRST", "seat": 3, "kind": "GILE_ACTION_KIND_FOLD"},
            {"round": "GILE_ROUND_FIRST", "seat": 0, "kind": "GILE_ACTION_KIND_CALL"},
            {"round": "GILE_ROUND_SECOND", "seat": 0, "kind": "GILE_ACTION_KIND_CHECK"},
            {"round": "GILE_ROUND_SECOND", "seat": 1, "kind": "GILE_ACTION_KIND_CHECK"},
        ],
        "draws": [{"seat": 0, "count": 2}],
        "decision": "GILE_DECISION_DISCARD",
    }


def test_views_of_other_seats() -> None:
    deal = table(100, 100)
    for seat in (-1, 1, 2):
        with pytest.raises(ValueError, match=f"seat {seat} is not asked: it is the turn of seat 0"):
            deal.view(seat)
    assert deal.view(0) == deal.view()


def test_no_view_once_the_deal_is_over() -> None:
    deal = played(table(100, 100), "bet 1", "fold")
    with pytest.raises(ValueError, match="the deal is over"):
        deal.view()
    assert deal.legal_moves() == []


def test_a_view_does_not_change_with_the_deal() -> None:
    deal = played(table(100, 100), *CALLED)
    view = deal.view()
    before = view.SerializeToString(deterministic=True)
    played(deal, "discard -", "discard -", "bet 5")
    assert view.SerializeToString(deterministic=True) == before


# --- what it tells ------------------------------------------------------------------------------


def test_the_history_of_a_deal() -> None:
    deal = table(100, 100, pack=pack_of(rest="2B 2E 3B 3E 1O 2O 3O 3C 12O 11O 12C 11C"))
    played(deal, "check", "check", "bet 2", "call", "check", "check", "discard 1O 2O", "discard -", "bet 3")
    history = deal.history
    assert history.set_aside == [(card_set(codes("2B 2E")), card_set(codes("3B 3E")))]
    assert history.actions == [
        Action(FIRST, 0, parse_move("bet 2")),
        Action(FIRST, 1, parse_move("call")),
        Action(SECOND, 0, parse_move("check")),
        Action(SECOND, 1, parse_move("check")),
        Action(LAST, 0, parse_move("bet 3")),
    ]
    assert history.draws == [Draw(0, 2), Draw(1, 0)]
    assert history.discarded == {0: card_set(codes("1O 2O")), 1: 0}
    assert [format_move(move) for move in deal.moves[:3]] == ["check", "check", "bet 2"]


def test_l7_the_history_of_a_deal_that_ends_void() -> None:
    deal = played(table(100, 0, 100, rules=Rules(void_deals=2)), *["check"] * 4)
    assert (deal.ended, deal.history.actions, len(deal.history.set_aside)) == (VOID, [], 2)
    for hands in deal.history.set_aside:
        assert [hand.bit_count() for hand in hands] == [2, 0, 2]


def test_before_the_end_nobody_has_won_or_deals_next() -> None:
    deal = table(100, 100)
    assert (deal.ended, deal.returns, deal.is_over) == (UNDER_WAY, None, False)
    with pytest.raises(ValueError, match="before the deal is over"):
        _ = deal.next_dealer


def test_l15_the_pots_of_a_deal_under_way() -> None:
    deal = table(100, 40, 10)
    assert deal.pots == [(3, (0, 1, 2))]
    played(deal, "bet 20", "fold")
    # The chips of a seat that folded stay in the pots that it paid for.
    assert deal.pots == [(3, (0, 2)), (20, (0,))]


def test_l9_discards_are_listed_as_sets_of_the_hand() -> None:
    deal = played(table(100, 100, pack=pack_of(*HANDS)), *CALLED)
    moves = deal.legal_moves()
    assert moves == sorted(set(moves))
    assert len(moves) == 16
    hand = card_set(codes(HANDS[0]))
    assert {card for move in moves for card in members(move & PACK)} == set(members(hand))


def test_l6_stacks_are_whole_numbers() -> None:
    with pytest.raises(TypeError):
        Deal(Rules(), (100, 99.5), 0, shuffled_pack(1))  # type: ignore[arg-type]
