"""Frozen bots play as they did when their version was released."""

from collections import Counter

import numba
import pytest

from tapete.v1 import Game
from tapete_games.guinote.state import DECIDE_DECLARE, DECIDE_PLAY, DECIDE_SWAP
from tests.bots.frozen_decisions import SIZES, digests, gile_positions, positions, read


@pytest.mark.kernel
@pytest.mark.parametrize("bot_id", ["heuristic@1"])
def test_a_frozen_bot_keeps_its_decisions(bot_id: str) -> None:
    """Ten thousand of them; a thousand without the JIT."""
    most = SIZES[0] if numba.config.DISABLE_JIT else SIZES[-1]
    expected = {size: digest for size, digest in read(bot_id).items() if size <= most}
    assert digests(bot_id, most) == expected


@pytest.mark.long
@pytest.mark.parametrize("bot_id", ["ismcts@1", "random@1"])
def test_a_frozen_search_keeps_its_decisions(bot_id: str) -> None:
    assert digests(bot_id) == read(bot_id)


GILE_HEURISTICS = [
    "heuristic@1",
    *(f"heuristic@1?style={style}" for style in ("tight", "loose", "aggressive", "station")),
]


@pytest.mark.long
@pytest.mark.parametrize("bot_id", [*GILE_HEURISTICS, "equilibrium@1", "ismcts@1", "random@1"])
def test_a_frozen_bot_of_gile_keeps_its_decisions(bot_id: str) -> None:
    assert digests(bot_id, game=Game.GAME_GILE) == read(bot_id, Game.GAME_GILE)


def test_the_decisions_of_gile_are_of_all_kinds() -> None:
    seen: Counter[object] = Counter()
    for position in gile_positions(SIZES[0]):
        view = position.view
        seen["seats", int(view.seats)] += 1
        seen["decision", int(view.decision)] += 1
        seen["stage", int(view.stage)] += 1
        seen["limit", int(view.limit)] += 1
        seen["suit_rank", int(view.suit_rank)] += 1
        seen["renewed"] += int(view.renewals > 0)
        seen["void"] += int(view.voids > 0)
        seen["to call"] += int(view.level > view.staked[view.turn])
    assert {("stage", 0), ("stage", 1), ("stage", 2), ("decision", 1), ("seats", 5)} < set(seen)
    assert min(seen.values()) >= 10


def test_the_decisions_are_of_all_kinds() -> None:
    seen: Counter[object] = Counter()
    for position in positions(SIZES[0]):
        view = position.view
        seen["players", int(view.players)] += 1
        seen["decision", int(view.decision)] += 1
        seen["arrastre", bool(view.stock_size == 0)] += 1
        seen["vueltas", int(view.vueltas)] += 1
        for switch in range(5):
            seen["switch", switch] += int(view.rules) >> switch & 1
        seen["malas", int(view.malas)] += 1
    assert {("decision", d) for d in (DECIDE_SWAP, DECIDE_DECLARE, DECIDE_PLAY)} < set(seen)
    assert min(seen.values()) >= 10
