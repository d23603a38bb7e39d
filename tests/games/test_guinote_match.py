"""A match of Guiñote, on its own and against the oracle."""

import itertools
import random

import pytest

from tapete_games.guinote import Deal, Malas, Match, Rules, shuffled_pack
from tests.games.guinote_biased import random_policy, random_rules
from tests.games.guinote_comparison import ORACLE_CARDS, ORACLE_MOVES, oracle_rules
from tests.oracle import guinote as oracle


def play_out(deal: Deal, seed: int) -> None:
    rng = random.Random(seed)
    while not deal.is_over:
        deal.play(rng.choice(deal.legal_moves()))


def test_g26_the_first_side_to_three_points_wins_the_coto() -> None:
    match = Match(Rules(), 4, 0)
    scores = [match.coto]
    while match.winner is None:
        deal = match.new_deal(shuffled_pack(len(match.deals)))
        assert deal.coto == match.coto
        play_out(deal, len(match.deals))
        match.finish(deal)
        scores.append(match.coto)
    assert max(match.coto) == 3
    assert match.coto[match.winner] == 3
    assert all(0 <= sum(after) - sum(before) <= 1 for before, after in itertools.pairwise(scores))
    with pytest.raises(ValueError, match="the match is over"):
        match.new_deal(range(40))


def test_g25_points_are_carried_into_vueltas_and_the_dealer_moves_on() -> None:
    match = Match(Rules(points_per_coto=20), 2, 0)
    found = 0
    for seed in range(30):
        before = match.vueltas
        deal = match.new_deal(shuffled_pack(seed))
        assert deal.vueltas == before
        assert deal.points == (before or (0, 0))
        play_out(deal, seed)
        match.finish(deal)
        assert match.dealer == deal.next_dealer == deal.state.latest_winner
        assert match.vueltas == (deal.points if deal.winner is None else None)
        found += before is not None
    assert found >= 3


def test_a_match_resumes() -> None:
    match = Match(Rules(), 2, 1, coto=(2, 1), vueltas=(95, 75))
    deal = match.new_deal(shuffled_pack(0))
    assert (deal.coto, deal.vueltas, deal.dealer) == ((2, 1), (95, 75), 1)
    play_out(deal, 0)
    match.finish(deal)
    assert match.coto in {(3, 1), (2, 2)}


def test_deals_come_one_after_the_other() -> None:
    match = Match(Rules(), 2, 0)
    deal = match.new_deal(range(40))
    with pytest.raises(ValueError, match="deal 1 is under way"):
        match.new_deal(range(40))
    with pytest.raises(ValueError, match="before the deal is over"):
        match.finish(deal)
    play_out(deal, 0)
    with pytest.raises(ValueError, match="not the deal under way"):
        match.finish(Deal(Rules(), 2, 0, range(40)))
    match.finish(deal)
    with pytest.raises(ValueError, match="not the deal under way"):
        match.finish(deal)


@pytest.mark.parametrize("coto", [(3, 0), (0, 4), (-1, 0)])
def test_coto_out_of_range(coto: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=f"coto at {coto[0]}-{coto[1]}: expected 0 to 2 each"):
        Match(Rules(), 2, 0, coto=coto)


@pytest.mark.parametrize("seed", range(60))
def test_every_coto_ends_and_the_oracle_agrees(seed: int) -> None:
    rng = random.Random(seed)
    rules, players = random_rules(rng), rng.choice((2, 4))
    first = rng.randrange(players)
    match, twin = Match(rules, players, first), oracle.Match(oracle_rules(rules), players, first)
    policies = random_policy(rng), random_policy(rng)
    while match.winner is None:
        # Two deals at most decide a point (G25), and a coto has at most 2n - 1 points (G26).
        assert len(match.deals) < 2 * (2 * rules.points_per_coto - 1)
        deal = match.new_deal(rng.sample(range(40), 40))
        other = twin.new_deal([ORACLE_CARDS[card] for card in deal.pack])
        while not deal.is_over:
            move = policies[deal.asked & 1].choose(deal, rng)
            deal.play(move)
            other.apply(ORACLE_MOVES[move])
        match.finish(deal)
        twin.finish(other)
        assert list(match.coto) == twin.coto_points
        assert match.dealer == twin.dealer
        assert match.vueltas == (twin.carried if twin.is_vueltas else None)
    assert match.winner == twin.winner


def test_g24_malas_reach_the_deals() -> None:
    assert Match(Rules(malas=Malas.OFF), 2, 0).new_deal(range(40)).state.malas == Malas.OFF
