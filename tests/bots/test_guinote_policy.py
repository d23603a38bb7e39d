"""What users complain about in card bots, each a position: the heuristic does not, nor does the search."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from tapete.v1 import DecidedBy
from tapete_bots.bot import Budget, Control
from tapete_bots.guinote.policy import ABSENT, WEIGHTS, WEIGHTS_OF
from tapete_bots.registry import find_bot
from tapete_games.guinote import Deal, Malas, Rules, format_move, shuffled_pack
from tapete_games.guinote.state import BEAT, DECIDE_DECLARE, DECIDE_PLAY, DECIDE_SWAP, PASS, POINTS, SING
from tapete_games.position import Position
from tests.bots.guinote_situations import position_of, position_of_view, situation
from tests.games.guinote_positions import deal_of, play

TRUMPS_GONE = "1O 3O 12O 10O 11O 7O 6O 5O 4O 2O"


def choice(bot: str, position: Position) -> str:
    answer = find_bot(bot).choose(position, Budget(iterations=3_000), 1, Control())
    return format_move(answer.move)


@dataclass(frozen=True)
class Case:
    """A position of seat 0, whose partner is seat 2, with the plays that a sound player could make."""

    name: str
    position: Callable[[], Position]
    acceptable: set[str]


def case(name: str, hand: str, table: str, acceptable: str, **others: object) -> Case:
    def make() -> Position:
        return situation(hand, table, **others)  # type: ignore[arg-type]

    assert {*acceptable.split()} < {*hand.split()}
    return Case(name, make, {*acceptable.split()})


# With four players the table shows seats 1, 2, 3 in turn, the partner's card in the middle.
CASES = [
    # --- the partner's trick
    case("loads the partner's won trick", "3E 7O 2B 5E 12B 6C", "4C 1C 2C", "3E", muestra="5O"),
    case("loads the trick that the partner trumped", "3E 2B 5E 12B 6C 1O", "4C 7O 2C", "3E", muestra="5O"),
    case("loads in suit as well", "1C 2B 5E 4E 6B 4O", "4C 7O 2C", "1C", muestra="5O"),
    case("loads in arrastre", "3E 5E 12B 6B", "4C 1C 2C", "3E", tricks=6, played=TRUMPS_GONE),
    case("does not trump the partner's trick", "2B 5E 4E 6C 1O 3O", "4C 12C 2C", "2B 5E 4E 6C", muestra="5O"),
    case(
        "does not overtake the partner in trumps",
        "2B 5E 1O 3O 4E 6B",
        "4C 7O 2C",
        "2B 5E 4E 6B",
        muestra="5O",
    ),
    case("loads what cannot win in arrastre", "3C 5C 12B 6B", "4C 1C 2C", "3C", tricks=6),
    case("does not trump the partner's as", "3E 7O 2B 5E 12B 6C", "1C 4C", "3E 2B 5E 12B 6C", muestra="5O"),
    # --- trumps
    case("wastes no high trump on nothing", "3O 1O 5E 4E 6B 2B", "7C 4C 2C", "5E 4E 6B 2B", muestra="5O"),
    case("trumps a loaded trick", "2O 2B 5E 4E 6B 7E", "1C 4C 2C", "2O", muestra="5O"),
    case("trumps with the cheapest that does", "2O 1O 5E 4E 6B 2B", "1C 4C 3C", "2O", muestra="5O"),
    case("overtrumps a loaded trick", "2O 12O 5E 4E 6B 2B", "1C 2C 7O", "12O", muestra="5O"),
    case("hoards no trumps either", "1O 5E 4E 6B 2B 7E", "1C 3C 12O", "1O", muestra="5O"),
    case("two players: trumps an as", "2O 2B 5E 4E 6B 7E", "1C", "2O", muestra="5O", players=2, tricks=3),
    case(
        "two players: no high trump on a 2",
        "1O 3O 5E 4E 6B 7E",
        "2C",
        "5E 4E 6B 7E",
        muestra="5O",
        players=2,
        tricks=3,
    ),
    case("keeps the last ten's trump", "1O 2C", "", "2C", tricks=8),
    # --- ases and treses
    case("throws no points on a lost trick", "3E 1C 5E 4E 6B 2B", "1O 4O 2C", "5E 4E 6B 2B", muestra="5O"),
    case("throws the least of bad cards", "3E 1C 1E 12B 11B 3C", "1O 4O 2C", "11B", muestra="5O"),
    case("gives a rival's as no points", "3E 1B 5E 4E 6B 2B", "1C", "5E 4E 6B 2B", muestra="5O"),
    case(
        "two players: gives the as of trumps nothing",
        "1C 3C 5E 4E 6B 7E",
        "1O",
        "5E 4E 6B 7E",
        muestra="5O",
        players=2,
        tricks=3,
    ),
    case(
        "two players: leads no as",
        "1C 3C 5E 4E 6B 7E",
        "",
        "5E 4E 6B 7E",
        muestra="5O",
        players=2,
        tricks=3,
    ),
    case("leads no trump while there is stock", "1O 3O 5E 4E 6B 2O", "", "5E 4E 6B", muestra="5O"),
    # --- the master
    case("takes a tres with the as", "1C 2B 5E 4E 6B 7O", "3C 4C 2C", "1C", muestra="5O"),
    case(
        "two players: takes a tres with the as",
        "1C 2B 5E 4E 6B 7O",
        "3C",
        "1C",
        muestra="5O",
        players=2,
        tricks=3,
    ),
    case(
        "leads the tres once the as is gone",
        "3C 4E 2E",
        "",
        "3C",
        tricks=7,
        played=f"1C {TRUMPS_GONE}",
    ),
    case(
        "keeps the tres while the as is about",
        "3C 4E 2E",
        "",
        "4E 2E",
        tricks=7,
        played=TRUMPS_GONE,
        unseen="1C",
    ),
]


@pytest.mark.kernel
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_heuristic(case: Case) -> None:
    assert choice("heuristic", case.position()) in case.acceptable


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_search(case: Case) -> None:
    assert choice("ismcts", case.position()) in case.acceptable


def test_the_last_player_never_trumps_what_its_partner_has_won() -> None:
    """In self-play, while any card may be played; nor does it overtake with a card that brings nothing."""
    bot = find_bot("heuristic")
    had_a_choice = pointless = 0
    for seed in range(200):
        deal = Deal(Rules(), 4, seed % 4, shuffled_pack(seed))
        while not deal.is_over:
            s = deal.state
            move = bot.choose(position_of(deal), Budget(), 0, Control()).move
            is_partner_s = s.trick_size == 3 and (s.best_seat ^ s.turn) & 1 == 0
            if deal.decision == DECIDE_PLAY and move < SING and is_partner_s and s.stock_size:
                beats = int(BEAT[s.trump * 40 + s.best])
                taking = {card for card in deal.legal_moves() if card < SING and beats >> card & 1}
                others = {card for card in deal.legal_moves() if card < SING} - taking
                if taking and others:
                    had_a_choice += 1
                    assert move in others or move // 10 != s.trump
                    pointless += move in taking and POINTS[move] == 0
            deal.play(move)
    assert had_a_choice > 120
    assert pointless <= 2


# --- cantes and the siete -------------------------------------------------------------------------

# Seat 0 wins the first trick with the 1E; oros are trumps. What is drawn next is worthless.
FORTY = ["12O 10O 12C 10C 1E 2B", "4E 5E 6C 4B 5B 6B", "5C 2E 7C 7B 4C 11B", "6E 2C 7E 11C 3B 1B"]
SIETE = ["7O 12C 11C 5B 1E 2B", "4E 5E 6C 4B 10C 6B", "5C 2E 7C 7B 4C 11B", "6E 2C 7E 1C 3B 1B"]
STOCK = "11E 2O 4O 5O"


def after_first_trick(hands: list[str], muestra: str, rules: Rules | None = None) -> Deal:
    deal = deal_of(hands, muestra, STOCK, rules=rules or Rules())
    play(deal, "1E 4E 2E 6E")
    return deal


@pytest.mark.kernel
def test_g19_the_forty_is_sung_at_once_and_first() -> None:
    deal = after_first_trick(FORTY, "6O")
    assert (deal.asked, deal.decision) == (0, DECIDE_DECLARE)
    assert choice("heuristic", position_of(deal)) == "sing O"


def test_g19_the_search_sings_the_forty_first() -> None:
    deal = after_first_trick(FORTY, "6O")
    assert choice("ismcts", position_of(deal)) == "sing O"


@pytest.mark.parametrize("bot", ["heuristic", "ismcts"])
def test_g21_a_leader_asked_to_play_sings_first(bot: str) -> None:
    deal = after_first_trick(FORTY, "6O")
    deal.play(PASS)
    assert deal.decision == DECIDE_PLAY
    assert choice(bot, position_of(deal)) == "sing O"


@pytest.mark.kernel
def test_g20_the_second_cante_waits_for_the_next_trick_won() -> None:
    deal = after_first_trick(FORTY, "6O")
    play(deal, "sing O")
    assert deal.decision == DECIDE_PLAY
    # it breaks no pair: the twenty is still to be sung
    assert choice("heuristic", position_of(deal)) not in {"12C", "10C", "12O", "10O"}


@pytest.mark.kernel
@pytest.mark.parametrize("muestra", ["11O", "10O", "12O", "3O", "1O"])
def test_g16_the_siete_is_swapped_for_a_better_card(muestra: str) -> None:
    deal = after_first_trick(SIETE, muestra)
    assert (deal.asked, deal.decision) == (0, DECIDE_SWAP)
    assert choice("heuristic", position_of(deal)) == "swap"
    deal.play(PASS)
    assert deal.decision == DECIDE_PLAY
    assert choice("heuristic", position_of(deal)) == "swap"


@pytest.mark.parametrize("muestra", ["12O", "3O", "1O"])
def test_g16_the_search_swaps_for_a_high_card(muestra: str) -> None:
    deal = after_first_trick(SIETE, muestra)
    assert choice("ismcts", position_of(deal)) == "swap"
    deal.play(PASS)
    assert choice("ismcts", position_of(deal)) == "swap"


@pytest.mark.kernel
def test_g18_the_siete_is_not_swapped_downwards() -> None:
    deal = after_first_trick(SIETE, "6O")
    assert (deal.asked, deal.decision) == (0, DECIDE_SWAP)
    assert choice("heuristic", position_of(deal)) == "pass"
    deal.play(PASS)
    assert "swap" in map(format_move, deal.legal_moves())
    assert choice("heuristic", position_of(deal)) != "swap"


@pytest.mark.kernel
def test_g16_the_2_is_swapped_for_the_siete() -> None:
    hands = [SIETE[0].replace("7O", "2O"), *SIETE[1:]]
    deal = deal_of(hands, "7O", "11E 6O 4O 5O")
    play(deal, "1E 4E 2E 6E")
    assert choice("heuristic", position_of(deal)) == "swap"


@pytest.mark.kernel
def test_the_swap_card_is_kept_for_the_swap() -> None:
    """It is not played while a better card lies under the stock, another trump would do as well."""
    position = situation("7O 6O 5E 4E 6B 2B", "1C 4C 2C", muestra="1O")
    assert choice("heuristic", position) == "6O"


@pytest.mark.kernel
def test_g24_no_cante_that_loses_the_point() -> None:
    """With CARDS_ONLY_LOSES a side at 101 without 30 in cards loses (F20): better not to sing."""
    position = situation("12C 10C 2B 5E", "", tricks=6, malas=Malas.CARDS_ONLY_LOSES)
    view = position.view
    view.latest_winner, view.may_sing = 0, 0b0101
    outcome = {}
    for cards in (0, 60):
        view.points[:], view.card_points[:] = (81, 90 - cards), (cards, 90 - cards)
        outcome[cards] = choice("heuristic", position_of_view(view, Rules()))
    assert outcome[0] in {"12C", "10C", "2B", "5E"}
    assert outcome[60] == "sing C"


# --- the score ----------------------------------------------------------------------------------


def test_the_search_plays_to_the_score() -> None:
    """In vueltas a rival at 98 leads a rey: only the as of trumps keeps it from 101."""
    position = situation("1O 3E 5E 4E 6B 2B", "12C", muestra="5O", players=2, tricks=5, played="1C 3C")
    view = position.view
    # what anybody would play without looking at the score
    assert choice("heuristic", position) in {"5E", "4E", "6B", "2B"}
    view.vueltas = 1
    view.points[:] = (60, 98)
    assert choice("ismcts", position_of_view(view, Rules())) == "1O"


def test_the_search_takes_the_points_that_win() -> None:
    """In vueltas at 92 with an as and nine points on the table: the point is won here."""
    position = situation("1C 2O 5E 4E 6B 2B", "12C 4C 11C", muestra="5O", tricks=1)
    view = position.view
    view.vueltas = 1
    view.points[:] = (92, 95)
    answer = find_bot("ismcts").choose(
        position_of_view(view, Rules()), Budget(iterations=2_000), 1, Control()
    )
    assert format_move(answer.move) == "1C"
    assert answer.candidates[0].win_probability == 1


# --- never without a move -----------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.parametrize("rules", range(32))
def test_a_card_is_found_however_bad_the_hand(rules: int) -> None:
    for hand, table in (("2C 4C 5C 6C", "1E 3E 1O"), ("2O 4O 5O 6O", "1O"), ("1E 3E 12E 10E", "2C 1O 3O")):
        position = situation(hand, table, tricks=6)
        position.view.rules = rules
        again = position_of_view(position.view, Rules.of_flags(rules))
        answer = find_bot("heuristic").choose(again, Budget(), 0, Control())
        assert answer.move in again.legal_moves
        assert answer.decided_by in (DecidedBy.DECIDED_BY_HEURISTIC, DecidedBy.DECIDED_BY_FORCED)


# --- the tables of the policy -------------------------------------------------------------------


@pytest.mark.kernel
def test_weights_are_finite_and_shaped() -> None:
    assert WEIGHTS_OF.shape == (2, WEIGHTS)
    assert np.isfinite(WEIGHTS_OF).all()


def test_the_chance_that_a_hand_holds_none_of_some_cards() -> None:
    def absent(hand: int, unseen: int, cards: int) -> float:
        return float(ABSENT[hand * 1681 + unseen * 41 + cards])

    assert absent(6, 33, 0) == absent(0, 33, 5) == 1
    assert absent(1, 10, 3) == pytest.approx(0.7)
    assert absent(2, 4, 1) == pytest.approx(0.5)
    assert absent(6, 33, 1) == pytest.approx(27 / 33)
    # more cards than places where they are not
    assert absent(3, 6, 4) == 0
    assert ((ABSENT >= 0) & (ABSENT <= 1)).all()
