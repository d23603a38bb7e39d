"""Bots of all kinds play whole points against each other, under all rules, through the views of the wire."""

import random
from collections import Counter

import pytest

from tapete.v1 import GameView
from tapete_bots.bot import Bot, Budget, Control
from tapete_bots.registry import find_bot
from tapete_games.guinote import Deal, Malas, Match, Rules, shuffled_pack
from tapete_games.guinote.state import DECIDE_PLAY, PASS, POINTS
from tapete_games.wire import read_game_move, read_position, write_game_move

BOTS = ("random", "heuristic", "heuristic?endgame=exact", "ismcts", "ismcts?endgame=off&rollout=random")
BUDGET = Budget(iterations=50)


def decide(deal: Deal, seat: int, bot: Bot, seed: int) -> int:
    """Asks a bot as a server does: the view is written, read and checked, and the move is a message."""
    position = read_position(GameView(guinote=deal.view(seat)))
    assert position.seat == seat
    if seat == deal.asked:
        assert list(position.legal_moves) == deal.legal_moves()
    answer = bot.choose(position, BUDGET, seed, Control())
    assert answer.move in position.legal_moves
    return read_game_move(write_game_move(position.game, answer.move), position.game)


def play_deal(deal: Deal, bots: list[Bot], rng: random.Random, seen: Counter[str]) -> None:
    while not deal.is_over:
        seat = deal.asked
        if deal.decision != DECIDE_PLAY:
            # what the others can see does not depend on who is asked: all may be
            other = rng.randrange(deal.players)
            move = decide(deal, other, bots[other], rng.randrange(2**32))
            assert move == PASS or (other ^ seat) & 1 == 0
        move = decide(deal, seat, bots[seat], rng.randrange(2**32))
        seen["decisions"] += 1
        deal.play(move)


def check_end(deal: Deal, seen: Counter[str]) -> None:
    """G1, G23: 120 in cards and 10 for the final trick, or the cards that were not played."""
    s = deal.state
    unplayed = sum(int(POINTS[card]) for card in range(40) if not int(s.played) >> card & 1)
    cantes = sum(40 if cante.suit == s.trump else 20 for cante in deal.history.cantes)
    gained = sum(deal.points) - sum(deal.vueltas or (0, 0)) - cantes
    is_whole = s.tricks * deal.players == 40
    if is_whole:
        assert unplayed == 0
        assert gained == 130
        seen["whole deals"] += 1
    else:
        assert deal.vueltas or deal.history.tute_seat is not None
        assert gained + unplayed == 120
        seen["deals cut short"] += 1
    assert sum(map(int, s.card_points)) + unplayed == 120
    seen["vueltas"] += deal.vueltas is not None
    seen["undecided"] += deal.winner is None
    # G25: vueltas always end the point
    assert deal.winner is not None or deal.vueltas is None
    seen[f"{deal.players} players"] += 1


def play_matches(deals: int, first: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    seed = first
    while seen["deals"] < deals:
        rng = random.Random(seed)
        rules = Rules.of_flags(rng.randrange(32), rng.choice(list(Malas)), rng.randint(1, 2))
        players = rng.choice((2, 4))
        match = Match(rules, players, rng.randrange(players))
        bots = [find_bot(rng.choice(BOTS)) for _ in range(players)]
        while match.winner is None:
            deal = match.new_deal(shuffled_pack(rng.randrange(2**32)))
            play_deal(deal, bots, rng, seen)
            check_end(deal, seen)
            match.finish(deal)
            seen["deals"] += 1
        assert max(match.coto) == rules.points_per_coto
        # a point takes one deal, or two with its vueltas
        assert len(match.deals) <= 2 * sum(match.coto)
        seen["matches"] += 1
        seed += 1
    return seen


def test_self_play_ends_every_point_legally() -> None:
    seen = play_matches(150, 0)
    assert min(seen.values()) > 10, seen
    assert len(seen) == 9


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_ten_thousand_deals_of_self_play() -> None:
    seen = play_matches(10_000, 1_000)
    print(seen)
    assert min(seen.values()) > 500, seen
