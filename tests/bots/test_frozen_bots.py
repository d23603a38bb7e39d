"""Frozen bots play as they did when their version was released."""

from collections import Counter

import numba
import pytest

from tapete_games.guinote.state import DECIDE_DECLARE, DECIDE_PLAY, DECIDE_SWAP
from tests.bots.frozen_decisions import SIZES, digests, positions, read


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
