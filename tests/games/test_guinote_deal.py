"""The referee of a deal of Guiñote: arguments, refusals, views, conservation."""

import copy
import pickle
import random

import pytest
from google.protobuf.json_format import MessageToDict

from tapete.v1 import ErrorReason, GuinoteDecision
from tapete_games.errors import IllegalMoveError
from tapete_games.guinote import Deal, Malas, Rules, engine, shuffled_pack, state
from tapete_games.guinote.state import MOVES
from tests.games.guinote_biased import random_rules, random_vueltas, scenario
from tests.games.guinote_positions import deal_of, play

SINGER = ["12C 10C 12E 10E 3B 7O", "4B 4C 4E 5E 6E 7E"]


def wire_card(text: str) -> dict[str, object]:
    suits = {"O": "SUIT_OROS", "C": "SUIT_COPAS", "E": "SUIT_ESPADAS", "B": "SUIT_BASTOS"}
    return {"suit": suits[text[-1]], "rank": int(text[:-1])}


def random_deal(seed: int) -> Deal:
    rng = random.Random(seed)
    players = rng.choice((2, 4))
    vueltas = random_vueltas(rng) if rng.random() < 0.3 else None
    return Deal(random_rules(rng), players, rng.randrange(players), shuffled_pack(seed), vueltas=vueltas)


@pytest.mark.parametrize(
    ("players", "dealer", "pack", "vueltas", "message"),
    [
        (3, 0, range(40), None, "3 players"),
        (2, 2, range(40), None, "dealer 2"),
        (4, -1, range(40), None, "dealer -1"),
        (4, 0, range(39), None, "the pack is not the 40 cards"),
        (4, 0, [0, *range(39)], None, "the pack is not the 40 cards"),
        (4, 0, range(40), (101, 29), "vueltas at 101-29"),
        (4, 0, range(40), (-1, 131), "vueltas at -1-131"),
    ],
)
def test_arguments_out_of_range(
    players: int, dealer: int, pack: list[int], vueltas: tuple[int, int] | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Deal(Rules(), players, dealer, pack, vueltas=vueltas)


def test_a_pack_is_a_function_of_its_seed() -> None:
    assert shuffled_pack(7).tolist() == shuffled_pack(7).tolist() != shuffled_pack(8).tolist()
    assert sorted(shuffled_pack(2**63)) == list(range(40))
    # Pinned: packs of recorded seeds must stay what they were.
    assert shuffled_pack(7).tolist()[:10] == [4, 0, 28, 20, 30, 10, 12, 32, 19, 9]


@pytest.mark.parametrize("move", [-1, MOVES, 1000])
def test_no_such_move(move: int) -> None:
    with pytest.raises(ValueError, match=f"move {move}: expected a code from 0 to 46"):
        random_deal(1).play(move)


@pytest.mark.parametrize(
    ("before", "move", "reason", "message"),
    [
        ([], "4B", "CARD_NOT_HELD", "seat 0: 4B is illegal: the card is not in the hand"),
        (["3B 4B"], "5B", "WINDOW_CLOSED", "it is not the moment"),
        (["3B 4B pass"], "swap", "WINDOW_CLOSED", "it is not the moment"),
        (["3B 4B pass", "sing C"], "sing E", "ILLEGAL_CANTE", "(G20)"),
        (["3B 4B pass", "sing C"], "sing C", "ILLEGAL_CANTE", "(G19)"),
        ([], "sing C", "WINDOW_CLOSED", "it is not the moment"),
        ([], "pass", "WINDOW_CLOSED", "only in the windows"),
        ([], "swap", "ILLEGAL_SWAP", "(G16)"),
        ([], "tute", "WINDOW_CLOSED", "it is not the moment"),
    ],
)
def test_g27_refusals_name_the_reason_and_the_rule(
    before: list[str], move: str, reason: str, message: str
) -> None:
    deal = deal_of(SINGER, "1O", "2B 5B")
    play(deal, *before)
    with pytest.raises(IllegalMoveError) as caught:
        play(deal, move)
    assert ErrorReason.Name(caught.value.reason) == f"ERROR_REASON_{reason}"
    assert message in str(caught.value)


def test_why_illegal_agrees_with_legal_moves() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        game = scenario(seed)
        deal = game.deal
        while not deal.is_over:
            s, seat = deal.state, deal.asked
            legal = [m for m in range(MOVES) if engine.why_illegal(s, seat, s.hand[seat], m) == state.LEGAL]
            assert legal == deal.legal_moves()
            deal.play(game.choose(rng))


def test_conservation_of_cards_and_points() -> None:
    for seed in range(300):
        rng = random.Random(seed)
        game = scenario(seed)
        deal = game.deal
        start = sum(deal.vueltas or (0, 0))
        while not deal.is_over:
            deal.play(game.choose(rng))
            s = deal.state
            held = [
                *s.hand[: deal.players].tolist(),
                *(1 << card for card in s.stock[: s.stock_size].tolist()),
            ]
            assert sum(map(int.bit_count, [*held, int(s.played)])) == 40
            assert sum(held) | s.played == state.PACK
        cantes = sum(40 if cante.suit == s.trump else 20 for cante in deal.history.cantes)
        unplayed = sum(int(state.POINTS[card]) for card in range(40) if not s.played >> card & 1)
        assert sum(s.card_points) + unplayed == 120
        if s.tricks * deal.players == 40:
            assert unplayed == 0
            assert sum(deal.points) == start + 130 + cantes
        else:
            assert deal.vueltas or deal.history.tute_seat is not None
            assert sum(deal.points) == start + sum(s.card_points) + cantes
        if deal.winner is None:
            assert not deal.vueltas
            assert max(deal.points) <= 100


def test_view_of_the_seat_that_is_asked() -> None:
    rules = Rules(partner_relief=True, malas=Malas.OFF, points_per_coto=4)
    hands = ["12C 10C 7O 3B 2C 2E", "4B 4C 4E 5C 5E 5B", "12E 11E 6B 12B 7B 6C", "2B 7C 7E 6E 11C 1E"]
    deal = Deal(rules, 4, 3, deal_of(hands, "1O").pack, vueltas=(65, 65), coto=(2, 1))
    play(deal, "3B 4B 6B 2B", "swap", "sing C", "2E 4E")
    assert MessageToDict(deal.view(), preserving_proto_field_name=True) == {
        "rules": {"partner_relief": True, "malas": "GUINOTE_MALAS_OFF", "points_per_coto": 4},
        "players": 4,
        "seat": 2,
        "dealer": 3,
        "muestra": wire_card("1O"),
        "hand": [wire_card(card) for card in ["5O", "6C", "12E", "11E", "12B", "7B"]],
        "tricks": [
            {"leader": 0, "cards": [wire_card(card) for card in ["3B", "4B", "6B", "2B"]]},
            {"leader": 0, "cards": [wire_card(card) for card in ["2E", "4E"]]},
        ],
        "cantes": [{"seat": 0, "suit": "SUIT_COPAS", "after_tricks": 1}],
        "swap": {"seat": 0, "after_tricks": 1, "window": "GUINOTE_SWAP_WINDOW_BEFORE_DRAW"},
        "vueltas": {"even_side": 65, "odd_side": 65},
        "coto": {"even_side": 2, "odd_side": 1},
        "decision": "GUINOTE_DECISION_PLAY",
    }


def test_the_view_of_default_rules_leaves_them_out() -> None:
    assert MessageToDict(deal_of(SINGER, "1O").view(), preserving_proto_field_name=True) == {
        "players": 2,
        "seat": 0,
        "dealer": 1,
        "muestra": wire_card("1O"),
        "hand": [wire_card(card) for card in ["7O", "12C", "10C", "12E", "10E", "3B"]],
        "decision": "GUINOTE_DECISION_PLAY",
    }


def test_views_of_other_seats() -> None:
    deal = deal_of(SINGER, "1O")
    with pytest.raises(ValueError, match="seat 1 is not asked: it is the turn of seat 0"):
        deal.view(1)
    with pytest.raises(ValueError, match="seat 2: expected 0 to 1"):
        deal.view(2)
    play(deal, "3B 4B")
    view = deal.view(1)
    assert (view.seat, len(view.hand), view.decision) == (1, 5, GuinoteDecision.GUINOTE_DECISION_SWAP)


def test_no_view_once_the_deal_is_over() -> None:
    deal = random_deal(3)
    while not deal.is_over:
        deal.play(deal.legal_moves()[0])
    with pytest.raises(ValueError, match="the deal is over"):
        deal.view()
    assert deal.legal_moves() == []


def test_a_view_does_not_change_with_the_deal() -> None:
    deal = random_deal(5)
    view = deal.view()
    before = view.SerializeToString(deterministic=True)
    deal.play(deal.legal_moves()[0])
    assert view.SerializeToString(deterministic=True) == before


def test_copies_go_on_apart() -> None:
    deal = random_deal(11)
    for _ in range(9):
        deal.play(deal.legal_moves()[-1])
    for twin in (copy.deepcopy(deal), copy.copy(deal), pickle.loads(pickle.dumps(deal))):
        assert twin.state.tobytes() == deal.state.tobytes()
        assert twin.history == deal.history
        twin.play(twin.legal_moves()[0])
        assert twin.moves[:-1] == deal.moves


def test_next_dealer_of_a_deal_under_way() -> None:
    deal = random_deal(3)
    assert deal.winner is None
    with pytest.raises(ValueError, match="before the deal is over"):
        _ = deal.next_dealer
