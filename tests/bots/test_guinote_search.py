"""The tree of the search: counts, slices, budgets, root moves, and nothing of what the seat cannot see."""

import random
from collections import Counter
from collections.abc import Iterator

import numba
import numpy as np
import pytest

from tapete_bots.guinote import search, worlds
from tapete_bots.guinote.policy import WEIGHTS_OF
from tapete_games.guinote import Deal
from tapete_games.guinote.engine import apply, legal_cards
from tapete_games.guinote.moves import move_list
from tapete_games.guinote.state import (
    DECIDE_DECLARE,
    DECIDE_NOTHING,
    DECIDE_PLAY,
    DECIDE_SWAP,
    MOVES,
    NO_TUTE,
    PASS,
    SING,
    SWAP,
    TUTE,
    new_state,
)
from tapete_games.position import Position
from tests.bots.guinote_situations import permute_hidden, position_of, position_of_state, samples
from tests.games.test_guinote_knowledge import facts, reachable

JIT = not numba.config.DISABLE_JIT


class Search:
    """A search with arrays of its own."""

    def __init__(
        self,
        position: Position,
        seed: int = 0,
        *,
        exploration: float = 0.5,
        prior: float = 0.5,
        patience: int = 1,
        points_share: float = 0.5,
        rollout: int = search.ROLLOUT_RULES,
        capacity: int = 1 << 12,
    ) -> None:
        self.position = position
        self._base, self._worlds, self._state = new_state(), worlds.new_worlds(), new_state()
        assert worlds.prepare(position.view, self._base, self._worlds) > 0
        task = self.task = np.zeros(1, search.TASK).view(np.recarray)[0]
        task.seat, task.decision = position.seat, position.view.decision
        task.moves = sum(1 << move for move in position.legal_moves)
        task.favourite = position.legal_moves[0]
        task.exploration, task.prior, task.patience = exploration, prior, patience
        task.points_share, task.rollout, task.capacity = points_share, rollout, capacity
        task.random = search.seed_state(seed)
        self.tried, self.tree, self._path = search.new_tree(capacity)
        self.root = np.zeros(MOVES, search.ROOT).view(np.recarray)

    def run(self, iterations: int) -> "Search":
        search.iterate(
            self.task,
            iterations,
            self._base,
            self._worlds,
            WEIGHTS_OF[self.position.view.players // 4],
            self._state,
            self.tried,
            self.tree,
            self._path,
            self.root,
            search.SQUARE_ROOT,
        )
        return self

    def slots(self, node: int) -> dict[int, np.record]:
        """Returns the opened moves of a node."""
        return {move: self.tree[node, move] for move in move_list(self.tried[node])}

    def counts(self) -> list[dict[int, tuple[int, ...]]]:
        """Returns all that the tree holds."""
        return [
            {
                move: (int(slot.available), int(slot.visits), int(slot.total), int(slot.child))
                for move, slot in self.slots(node).items()
            }
            for node in range(self.task.used)
        ]


def searched(count: int, iterations: int, **options: float) -> Iterator[Search]:
    """Searches positions of many deals."""
    for seed, deal in enumerate(samples(count, 0.1)):
        yield Search(position_of(deal), seed, **options).run(iterations)  # type: ignore[arg-type]


# --- counts -------------------------------------------------------------------------------------


@pytest.mark.kernel
def test_slices_of_any_size_add_up_to_the_same_search() -> None:
    iterations = 300 if JIT else 12
    for seed, deal in enumerate(samples(15 if JIT else 3, 0.1)):
        position = position_of(deal)
        whole = Search(position, seed).run(iterations)
        for size in (1, 7, 64):
            sliced = Search(position, seed)
            for done in range(0, iterations, size):
                sliced.run(min(size, iterations - done))
            assert sliced.counts() == whole.counts()
            assert (sliced.root == whole.root).all()
            assert sliced.task.random == whole.task.random


@pytest.mark.kernel
def test_visits_of_the_root_add_up_to_the_iterations() -> None:
    for iterations in (1, 2, 3, 10) + ((200,) if JIT else ()):
        for tree in searched(30 if JIT else 4, iterations):
            slots = tree.slots(0)
            assert set(slots) == set(tree.position.legal_moves)
            assert sum(slot.visits for slot in slots.values()) == iterations
            # every legal move of the root is available in every deal
            assert all(slot.available == iterations for slot in slots.values())


@pytest.mark.kernel
@pytest.mark.parametrize("patience", [1, 3])
def test_visits_and_availability_of_every_node(patience: int) -> None:
    partly_available = 0
    for tree in searched(25 if JIT else 4, 400 if JIT else 15, patience=patience):
        seen = {0}
        for node in range(tree.task.used):
            slots = tree.slots(node)
            through = sum(int(slot.visits) for slot in slots.values())
            for slot in slots.values():
                # a move is made only where it is legal, and a node is behind it only after its patience
                assert 0 <= slot.visits <= slot.available <= through
                assert 0 <= slot.total <= search.UNIT * slot.visits
                if slot.visits:
                    assert slot.value == pytest.approx(slot.total / (slot.visits * search.UNIT), abs=1e-6)
                assert slot.inverse == pytest.approx(1 / (1 + slot.visits), abs=1e-6)
                partly_available += 0 < slot.available < through
                if slot.child:
                    assert slot.child not in seen
                    seen.add(int(slot.child))
                    behind = sum(int(other.visits) for other in tree.slots(slot.child).values())
                    # the first visits, and those that end the deal, stop at the move
                    assert slot.visits > patience
                    assert behind <= slot.visits - patience
                    assert behind == slot.visits - patience or is_end_possible(tree)
                else:
                    assert slot.visits <= patience
        assert seen == set(range(tree.task.used))
    assert partly_available > 100 or not JIT


def is_end_possible(tree: Search) -> bool:
    """Tells whether a deal can be over within the tree: in vueltas, by a tute, or by its last card."""
    v = tree.position.view
    return bool(v.vueltas or not v.rules & NO_TUTE or v.stock_size <= v.players)


@pytest.mark.kernel
def test_moves_of_the_tree_are_moves_of_some_deal() -> None:
    """A card that the seat holds or has seen played is never thought to be another seat's move."""
    for tree in searched(40 if JIT else 4, 300 if JIT else 15):
        v = tree.position.view
        for node in range(1, tree.task.used):
            for move in tree.slots(node):
                assert move < SING
                assert not int(v.played) >> move & 1


def test_a_full_tree_goes_on_without_new_nodes() -> None:
    deal = next(samples(1, 0.1))
    tree = Search(position_of(deal), 1, capacity=50).run(2_000)
    assert tree.task.used == 50
    assert sum(slot.visits for slot in tree.slots(0).values()) == 2_000
    children = [int(slot.child) for node in range(50) for slot in tree.slots(node).values() if slot.child]
    assert sorted(children) == list(range(1, 50))


@pytest.mark.parametrize(
    "options",
    [
        {"exploration": 0.0},
        {"exploration": 10.0},
        {"prior": 0.0},
        {"prior": 1.0},
        {"patience": 1_000_000},
        {"points_share": 0.0},
        {"points_share": 1.0},
        {"rollout": search.ROLLOUT_RANDOM, "prior": 0.0},
    ],
    ids=str,
)
def test_extreme_options_search_too(options: dict[str, float]) -> None:
    for tree in searched(15, 200, **options):
        visits = [int(slot.visits) for slot in tree.slots(0).values()]
        assert sum(visits) == 200
        if options == {"patience": 1_000_000}:
            assert tree.task.used == 1
        if options == {"exploration": 10.0}:
            assert min(visits) > 0


@pytest.mark.kernel
def test_estimates_of_the_root_are_those_of_its_visits() -> None:
    for tree in searched(30 if JIT else 4, 100 if JIT else 10, points_share=0.25):
        sign = 1 if tree.position.seat & 1 == 0 else -1
        for move in range(MOVES):
            r = tree.root[move]
            if move not in tree.position.legal_moves:
                assert r.probability == r.points == 0
                continue
            slot = tree.tree[0, move]
            n = int(slot.visits)
            assert 0 <= r.probability <= n
            assert abs(r.points) <= 230 * n
            assert r.points_squared * n >= r.points**2 - 1e-6
            # the utility is what the options say, rounded to thousandths
            probability = r.probability if sign > 0 else n - r.probability
            utility = 0.75 * probability + 0.25 * (0.5 * n + sign * r.points / 500)
            assert slot.total / search.UNIT == pytest.approx(utility, abs=n * 0.001)


# --- fairness -----------------------------------------------------------------------------------


@pytest.mark.kernel
def test_permuting_hidden_cards_never_changes_a_tree() -> None:
    """The referee's state is changed, and the view made anew from it."""
    rng = random.Random(3)
    moved = 0
    for seed, deal in enumerate(samples(100 if JIT else 5, 0.1)):
        before = Search(position_of(deal), seed).run(60 if JIT else 6).counts()
        other = deal.state.copy()
        moved += permute_hidden(other, deal.asked, rng)
        position = position_of_state(other, deal.asked, deal.rules)
        assert Search(position, seed).run(60 if JIT else 6).counts() == before
    assert moved > (500 if JIT else 20)


def test_seeds_differ_while_cards_are_hidden() -> None:
    for deal in samples(20, 0.1):
        if deal.state.stock_size:
            trees = [Search(position_of(deal), seed).run(30).counts() for seed in range(4)]
            assert all(tree != trees[0] for tree in trees[1:])


# --- root moves ---------------------------------------------------------------------------------


def root_moves(positions: int, chance: float) -> Iterator[tuple[Deal, int, np.record, np.record]]:
    """Yields decisions with each of their moves, as the search's root and as the engine make it.

    Left out is what follows a leader's swap on its own turn with four players: there the search lets the
    partner announce too, whom the engine does not ask again (G21).
    """
    for deal in samples(positions, chance):
        if all(move < SING for move in deal.legal_moves()) and deal.decision == DECIDE_PLAY:
            continue
        s = deal.state
        if s.asked_again and deal.players == 4:
            continue
        task = Search(position_of(deal)).task
        for move in deal.legal_moves():
            is_own_turn = move == SWAP and deal.decision == DECIDE_PLAY and s.trick_size == 0
            if is_own_turn and deal.players == 4:
                continue
            quick, slow = deal.state.copy(), deal.state.copy()
            search.make_root_move(quick, task, move)
            apply(slow, move)
            yield deal, move, quick, slow


@pytest.mark.kernel
def test_root_moves_lead_where_the_engine_can_lead() -> None:
    """After a move of any window the search stands at a card play that legal decisions lead to."""
    seen: Counter[str] = Counter()
    for deal, move, quick, slow in root_moves(2_500 if JIT else 150, 0.5):
        seen[f"{deal.decision} {'card' if move < SING else 'sing' if move < SWAP else move}"] += 1
        if quick.decision != DECIDE_NOTHING:
            quick.decision = DECIDE_PLAY
        ignored = {"may_sing"} if move == PASS else set()
        quick_facts = {name: value for name, value in facts(quick).items() if name not in ignored}
        reached = [
            {name: value for name, value in facts(state).items() if name not in ignored}
            for state in reachable(slow)
        ]
        assert quick_facts in reached, (deal.decision, move)
    assert not JIT or set(seen) == {
        f"{DECIDE_SWAP} {SWAP}",
        f"{DECIDE_SWAP} {PASS}",
        f"{DECIDE_DECLARE} sing",
        f"{DECIDE_DECLARE} {TUTE}",
        f"{DECIDE_DECLARE} {PASS}",
        f"{DECIDE_PLAY} card",
        f"{DECIDE_PLAY} sing",
        f"{DECIDE_PLAY} {SWAP}",
        f"{DECIDE_PLAY} {TUTE}",
    }


def test_a_pass_at_a_cante_is_one_in_the_search() -> None:
    """The fixed policy does not sing at once what the root has just decided not to sing."""
    checked = 0
    for deal, move, quick, _ in root_moves(1_000, 0.5):
        if deal.decision == DECIDE_DECLARE and move == PASS and quick.decision != DECIDE_NOTHING:
            held = deal.hand(deal.asked)
            sung = int(quick.sung) & ~int(deal.state.sung)
            assert not held & sung or deal.rules.cante_per_member
            checked += 1
    assert checked > 30


@pytest.mark.kernel
def test_after_a_root_move_somebody_has_a_legal_card() -> None:
    for _, move, quick, _ in root_moves(400 if JIT else 60, 0.5):
        if quick.decision != DECIDE_NOTHING:
            assert legal_cards(quick, quick.hand[quick.turn]), move


def test_a_search_leaves_the_view_as_it_is() -> None:
    for deal in samples(5, 0.1):
        position = position_of(deal)
        before = position.view.tobytes()
        Search(position).run(50)
        assert position.view.tobytes() == before
