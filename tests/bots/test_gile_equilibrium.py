"""The equilibrium of heads-up Gilé: classes, odds, tree, best response, training, and the bot."""

from collections import Counter
from importlib.resources import files
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapete.v1 import DecidedBy, Game, MoveReason
from tapete_bots.bot import Answer, Budget, Control
from tapete_bots.gile.equilibrium import bot as module
from tapete_bots.gile.equilibrium.best_response import best_response, exploitability
from tapete_bots.gile.equilibrium.blueprint import (
    MENU,
    load_blueprint,
    pack_strategy,
    unpack_strategy,
)
from tapete_bots.gile.equilibrium.odds import keeps, make_odds
from tapete_bots.gile.equilibrium.reading import locate, smaller_share
from tapete_bots.gile.equilibrium.shapes import (
    CLASS_SCORE,
    SCORES,
    canonical,
    classes_of,
    count_shape,
    discard_by_class,
    holdings,
    shape_of,
    shapes_of,
)
from tapete_bots.gile.equilibrium.training import Trainer
from tapete_bots.gile.equilibrium.tree import (
    ALL_IN,
    BET,
    DRAW,
    FOLD,
    FOLDED,
    MENUS,
    SHOWDOWN,
    SIZED,
    STAY,
    VOID,
    Menu,
    Tree,
    build_tree,
    classes_at,
    complete,
)
from tapete_bots.gile.hands import load_tables
from tapete_bots.registry import find_bot
from tapete_games.gile import Deal, Limit, Rules, shuffled_pack
from tapete_games.gile.state import BET as BET_MOVE
from tapete_games.gile.state import CALL, CARDS, CHECK, DISCARD, PACK, RAISE
from tapete_games.position import Position
from tapete_games.wire import is_legal
from tests.bots.chance import Chance
from tests.bots.equilibrium_judge import Judge
from tests.bots.gile_situations import position_of, samples

WHOLE = int(shape_of(PACK))
# Twelve cards: the 7, a ten and the as of each suit.
TOY = sum(1 << 7 * suit + place for suit in range(4) for place in (0, 1, 6))
# L3, and its sums of two cards.
COUNTS_OF_FOUR = {
    41: 40, 40: 20, 38: 40, 37: 40, 31: 840, 30: 840, 28: 420, 27: 840, 21: 4050, 20: 7200, 18: 654, 17: 3090,
    11: 1105, 10: 1295, 7: 1,
}  # fmt: skip
COUNTS_OF_TWO = {21: 20, 20: 40, 18: 4, 17: 20, 11: 78, 10: 210, 7: 6}


def mask(cards: tuple[int, ...]) -> int:
    return sum(1 << card for card in cards)


def random_strategy(tree: Tree, seed: int) -> np.ndarray:
    strategy = np.random.default_rng(seed).random(tree.rows)
    for n in tree.nodes[tree.nodes["size"] > 0]:
        run = slice(n["row"], n["row"] + n["size"] * classes_at(n["stage"]))
        block = strategy[run].reshape(n["size"], -1)
        strategy[run] = (block / block.sum(0)).ravel()
    return strategy


# --- classes and odds ---------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "classes", "counts"), [(2, 10, COUNTS_OF_TWO), (4, 65, COUNTS_OF_FOUR)])
def test_classes_have_the_scores_that_l3_counts(size: int, classes: int, counts: dict[int, int]) -> None:
    assert len(classes_of(size)) == classes
    found: Counter[int] = Counter()
    for shape in shapes_of(size):
        points = max(11 * (h & 1) + 7 * (h >> 1 & 1) + 10 * (h >> 2) for h in holdings(shape))
        found[points] += count_shape(shape, WHOLE)
    assert found == counts
    if size == 4:
        assert sorted(set(CLASS_SCORE.tolist())) == sorted(counts) == list(SCORES)


def test_hands_of_a_class_discard_and_keep_the_same() -> None:
    tables = load_tables().view(np.recarray)[0]
    chance = Chance(3)
    parts: dict[tuple[int, int], set[tuple[tuple[int, int], ...]]] = {}
    for hand in map(mask, combinations(range(CARDS), 4)):
        for size in range(5):
            out = int(discard_by_class(tables, hand, size, np.array(chance.shuffled(4))))
            assert out & ~hand == 0
            assert out.bit_count() == size
            pairs = zip(holdings(int(shape_of(out))), holdings(int(shape_of(hand ^ out))), strict=True)
            key = classes_of(4)[canonical(int(shape_of(hand)))], size
            parts.setdefault(key, set()).add(tuple(sorted(pairs)))
    assert len(parts) == 65 * 5
    assert {len(ways) for ways in parts.values()} == {1}


def test_what_is_kept_of_equal_suits_is_drawn_by_lot() -> None:
    four_sevens = int(shape_of(mask((0, 7, 14, 21))))
    assert sorted(share for _, share in keeps(four_sevens, 1)) == [0.25] * 4


def test_odds_are_those_of_counting_hands() -> None:
    odds = make_odds()
    own = mask((0, 6, 7, 15))
    hands: Counter[int] = Counter()
    for other in combinations([card for card in range(CARDS) if not own >> card & 1], 4):
        hands[classes_of(4)[canonical(int(shape_of(mask(other))))]] += 1
    expected = [hands[c] / comb(24, 4) for c in range(65)]
    number = classes_of(4)[canonical(int(shape_of(own)))]
    np.testing.assert_allclose(odds.other_second[number], expected, atol=1e-15)
    for table in (odds.second, odds.pair, odds.other_first, odds.other_last.sum(3)):
        np.testing.assert_allclose(table.sum(-1), 1, atol=1e-12)
    np.testing.assert_allclose(np.add.reduceat(odds.draws.chance, odds.draws.start), 1, atol=1e-12)


# --- tree ---------------------------------------------------------------------------------------


def test_half_pot_bets_and_one_raise_make_3018_decisions() -> None:
    tree = build_tree(MENUS["half"], 100)
    kinds = Counter(tree.nodes["kind"].tolist())
    # A round has 6 decisions and goes on in 5 ways, the first in 4: to pass is to void the deal. The draws
    # have 5 times 5 ways.
    assert kinds[BET] == 6 + 4 * 6 + 4 * 5 * 25 * 6
    assert kinds[DRAW] == 4 * 5 * (1 + 5)
    assert kinds[SHOWDOWN] == 4 * 5 * 25 * 5
    assert kinds[VOID] == 1
    # A raised bet quadruples the pot of 2, three times.
    assert tree.nodes["paid"].max() == 64


@pytest.mark.parametrize("name", list(MENUS))
@pytest.mark.parametrize("depth", [1.5, 4, 30])
def test_nobody_pays_more_than_the_depth(name: str, depth: float) -> None:
    tree = build_tree(MENUS[name], depth)
    nodes = tree.nodes
    assert nodes["paid"].max() <= depth
    ends = nodes[np.isin(nodes["kind"], (SHOWDOWN, VOID))]
    assert (ends["paid"][:, 0] == ends["paid"][:, 1]).all()
    folds = nodes[nodes["kind"] == FOLDED]
    assert (folds["paid"][:, 0] != folds["paid"][:, 1]).all()
    assert sorted(tree.children.tolist()) == list(range(1, len(nodes)))


# --- best response ------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("responder", [0, 1])
def test_best_response_is_that_of_brute_force(responder: int) -> None:
    odds = make_odds(TOY, 1)
    tree = build_tree(Menu((1.0,), all_in=False, raises=0), 8, 1)
    strategy = random_strategy(tree, 1)
    judged = Judge(tree, strategy, TOY, responder, 0.3).value()
    assert best_response(tree, strategy, odds, responder, 0.3) == pytest.approx(judged, abs=1e-12)


def test_who_passes_and_folds_always_loses_the_antes() -> None:
    tree = build_tree(MENUS["half"], 100)
    strategy = np.zeros(tree.rows)
    for n in tree.nodes[tree.nodes["size"] > 0]:
        classes = classes_at(n["stage"])
        strategy[n["row"] : n["row"] + classes] = 1  # the first child: fold, or pass, or no discard
    found = exploitability(tree, strategy, make_odds())
    assert (found.mano, found.dealer) == pytest.approx((1, 1))


@pytest.mark.long
def test_training_approaches_an_equilibrium_and_repeats_itself() -> None:
    tree, odds = build_tree(MENUS[MENU], 4), make_odds()
    trainer, other = Trainer(tree, odds, 7), Trainer(tree, odds, 7)
    trainer.train(400)
    early = exploitability(tree, complete(tree, trainer.strategy()), odds).per_player
    trainer.train(7_600)
    late = exploitability(tree, complete(tree, trainer.strategy()), odds).per_player
    other.train(8_000)
    assert (trainer.strategy() == other.strategy()).all()
    # Uniform play loses over an ante; 0.045 was measured after 8,000 iterations.
    assert late < 0.06 < early


# --- blueprint ----------------------------------------------------------------------------------


def test_blueprint_is_small_and_whole() -> None:
    assert len(files("tapete_bots.gile.equilibrium").joinpath("blueprint.npz").read_bytes()) <= 8_000_000
    blueprint = load_blueprint()
    assert sorted(blueprint) == [(depth, left) for depth in (4, 10, 30, 100) for left in (1, 2, 3)]
    for strategy in blueprint.values():
        chance = Chance(1)
        nodes = [i for i, n in enumerate(strategy.tree.nodes) if n["size"]]
        for _ in range(200):
            node = nodes[chance.below(len(nodes))]
            classes = classes_at(strategy.tree.nodes[node]["stage"])
            total = sum(strategy.policy(node, chance.below(classes)))
            assert total == pytest.approx(1) or total == 0


def test_packing_moves_no_probability_by_much_and_small_ones_by_little() -> None:
    tree = build_tree(MENUS[MENU], 4)
    strategy = random_strategy(tree, 2)
    packed = unpack_strategy(tree, pack_strategy(strategy))
    # Half a unit of the root is 2 * sqrt(p) / 510 of p; three to five of them are normed.
    assert (np.abs(packed - strategy) < 0.002 + 0.012 * np.sqrt(strategy)).all()
    assert pack_strategy(np.array([0.0, 1e-4, 1.0])).tolist() == [0, 3, 255]


# --- reading ------------------------------------------------------------------------------------


@given(st.floats(0, 3), st.floats(0.01, 3), st.floats(0.0, 1.0))
def test_a_size_between_two_is_read_as_either(small: float, gap: float, at: float) -> None:
    large = small + gap
    share = smaller_share(small + at * gap, small, large)
    assert 0 <= share <= 1
    assert smaller_share(small, small, large) == 1
    assert smaller_share(large, small, large) == 0
    # Ganzfried and Sandholm 2013, section 5: both are equally likely at this size.
    middle = (small + large + 2 * small * large) / (small + large + 2)
    assert smaller_share(middle, small, large) == pytest.approx(0.5)


def position_after(moves: list[int], stacks: tuple[int, ...] = (100, 100), **rules: Any) -> Position:
    deal = Deal(Rules(**rules), stacks, 1, shuffled_pack(5))
    for move in moves:
        deal.play(move)
    return position_of(deal)


def node_of(position: Position, u: float = 0.5) -> tuple[Tree, int]:
    tree = build_tree(MENUS[MENU], 100)
    return tree, locate(tree, position.view, lambda _: u)


def follow(tree: Tree, actions: list[int]) -> int:
    node = 0
    for action in actions:
        node = tree.child(node, action)
        assert node >= 0
    return node


def test_every_line_of_the_tree_is_found_again() -> None:
    chance = Chance(11)
    seen: Counter[int] = Counter()
    for number in range(60):
        deal = Deal(Rules(), (100, 100), 1, shuffled_pack(number))
        tree = build_tree(MENUS[MENU], 100)
        node = 0
        while not deal.is_over and tree.nodes[node]["size"]:
            position = position_of(deal)
            assert locate(tree, position.view, lambda _: chance.below(1000) / 1000) == node
            n = tree.nodes[node]
            seen[int(n["kind"]) * 3 + int(n["stage"])] += 1
            k = chance.below(int(n["size"]))
            action = int(tree.actions[n["first"] + k])
            if action in {ALL_IN, FOLD} and n["kind"] == BET and chance.is_likely(0.8):
                action = STAY
            deal.play(module._move(tree, node, action, position.view, 0))
            node = tree.child(node, action)
    assert set(seen) == {BET * 3, BET * 3 + 1, BET * 3 + 2, DRAW * 3 + 1}


def test_a_size_between_half_the_pot_and_all_in_is_read_by_the_draw() -> None:
    # A bet of 2 into 2 is the whole pot: half of it (0.5) with (49.5 - 1) * 1.5 / (49 * 2) = 0.742.
    position = position_after([BET_MOVE | 2])
    for u, action in ((0.73, SIZED), (0.75, ALL_IN)):
        tree, node = node_of(position, u)
        assert node == follow(tree, [action])


def test_a_small_bet_is_read_as_none_or_as_half_the_pot() -> None:
    # After a bet of 1 and a call the pot is 4; a bet of 1 is a quarter: none with (0.5 - 0.25) / (0.5 *
    # 1.25) = 0.4.
    position = position_after([BET_MOVE | 1, CALL, BET_MOVE | 1])
    tree, node = node_of(position, 0.39)
    assert node == follow(tree, [SIZED, 1, 1])
    tree, node = node_of(position, 0.41)
    assert node == follow(tree, [SIZED, 1, SIZED])


def test_a_bet_taken_for_none_closes_the_round_for_who_had_passed() -> None:
    position = position_after([BET_MOVE | 1, CALL, CHECK, BET_MOVE | 1])
    assert node_of(position, 0.39)[1] == -1
    # After the call both stand at the draw.
    position = position_after([BET_MOVE | 1, CALL, CHECK, BET_MOVE | 1, CALL])
    tree, node = node_of(position, 0.39)
    assert node == follow(tree, [SIZED, 1, 1, 1])


def test_more_raises_than_the_tree_has_end_in_a_call_or_all_in() -> None:
    position = position_after([BET_MOVE | 1, RAISE | 3, RAISE | 9])
    # The third bet, 6 over a pot of 8 after calling, is 0.75; all in 97 / 8: a call with 0.53.
    tree, node = node_of(position, 0.6)
    assert node == follow(tree, [SIZED, SIZED, ALL_IN])
    assert node_of(position, 0.5)[1] == -1


# --- the bot ------------------------------------------------------------------------------------


def ask(position: Position, seed: int = 1) -> Answer:
    return find_bot("equilibrium", Game.GAME_GILE).choose(position, Budget(), seed, Control())


def test_answers_are_legal_and_say_what_else_was_likely() -> None:
    reasons: Counter[int] = Counter()
    for number, deal in enumerate(samples(600, 5)):
        position = position_of(deal)
        answer = ask(position, number)
        assert is_legal(position, answer.move)
        assert ask(position, number) == answer
        reasons[answer.reason] += 1
        if answer.reason == MoveReason.MOVE_REASON_EQUILIBRIUM:
            assert answer.decided_by == DecidedBy.DECIDED_BY_BLUEPRINT
            assert sum(c.probability or 0 for c in answer.candidates) == pytest.approx(1)
            assert all(is_legal(position, c.move) for c in answer.candidates)
    assert {MoveReason.MOVE_REASON_EQUILIBRIUM, MoveReason.MOVE_REASON_OUTSIDE_BLUEPRINT} <= set(reasons)


@pytest.mark.parametrize(
    ("stacks", "rules"),
    [
        ((100, 100, 100), {}),
        ((100, 100), {"suit_rank": True}),
        ((100, 100), {"limit": Limit.POT}),
        ((100, 100), {"minimum_bet": 2}),
        ((100, 100), {"ante": 0}),
    ],
)
def test_outside_its_game_it_is_the_heuristic_and_says_so(
    stacks: tuple[int, ...], rules: dict[str, Any]
) -> None:
    position = position_after([BET_MOVE | 2], stacks, **rules)
    answer = ask(position)
    assert answer.reason == MoveReason.MOVE_REASON_OUTSIDE_BLUEPRINT
    assert answer.decided_by == DecidedBy.DECIDED_BY_HEURISTIC
    heuristic = find_bot("heuristic", Game.GAME_GILE)
    assert answer.move == heuristic.choose(position, Budget(), 1, Control()).move


def test_two_seats_left_of_five_are_heads_up() -> None:
    deal = Deal(Rules(), (0, 60, 0, 200, 0), 3, shuffled_pack(2))
    assert ask(position_of(deal)).reason == MoveReason.MOVE_REASON_EQUILIBRIUM


def test_moves_are_drawn_as_often_as_the_blueprint_says() -> None:
    position = position_after([])
    answers = [ask(position, seed) for seed in range(2000)]
    for candidate in answers[0].candidates:
        share = candidate.probability
        assert share is not None
        count = sum(answer.move == candidate.move for answer in answers)
        assert abs(count - 2000 * share) <= 4 * (2000 * share * (1 - share)) ** 0.5 + 1e-9


def test_the_best_hand_never_folds() -> None:
    # 41 of oros cannot lose to a bet: at worst it ties as the mano.
    pack = [6, 5, 4, 3] + [card for card in range(CARDS) if card not in (6, 5, 4, 3)]
    order = [pack[0], pack[1], 7, 14, pack[2], pack[3], 8, 15]
    order += [card for card in range(CARDS) if card not in order]
    deal = Deal(Rules(), (100, 100), 1, order)
    for move in (BET_MOVE | 1, CALL, CHECK, BET_MOVE | 2):
        deal.play(move)
    position = position_of(deal)
    assert position.view.own == mask((3, 4, 5, 6))
    for seed in range(200):
        assert ask(position, seed).move >> 32 != 0
    deal.play(CALL)
    assert ask(position_of(deal)).move >= DISCARD
