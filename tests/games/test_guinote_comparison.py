"""Holds the engine of Guiñote to the oracle: legal moves, state and result at each decision."""

from collections import Counter

import pytest

from tests.games.guinote_biased import SCENARIOS, scenario
from tests.games.guinote_comparison import compare

SAMPLE, SOAK = 500, 24_000

# Everything that a deal can run into. The soak runs into each at least 200 times, the sample once.
BRANCHES = (
    "2 players",
    "4 players",
    "asked again for a cante",
    "asked again for a tute",
    "asked again, and the partner could announce",
    "both sides at 101",
    "both sides at 101, the one with fewer wins",
    "cante by the leader",
    "cante by the partner",
    "cante in arrastre",
    "cante on the own turn",
    "first deal",
    "first deal without a winner",
    "fixed rotation matters",
    "follows under a trump (G11)",
    "follows, cannot beat or must anyhow (G10)",
    "forty",
    "leader asked again after a swap",
    "malas decide, CARDS_ONLY_LOSES",
    "malas decide, THIRTY",
    "must beat (G10)",
    "must overtrump (G12)",
    "must trump (G12)",
    "need not undertrump (G13)",
    "pass at a cante or tute",
    "pass at a swap",
    "relief changes the legal moves",
    "second cante after a trick",
    "swap (a)",
    "swap (a) before the last draw",
    "swap (b) by the leader",
    "swap (b) within a trick",
    "swap by the 2, window (a)",
    "swap by the 2, window (b)",
    "swap down",
    "tute by the leader",
    "tute by the partner",
    "tute of reyes",
    "tute of sotas",
    "tute on the own turn",
    "twenty",
    "void and without a trump (G13)",
    "vueltas",
    "vueltas won by a cante",
    "vueltas won by a trick",
)


def compare_deals(deals: int) -> Counter[str]:
    branches: Counter[str] = Counter()
    for seed in range(deals):
        compare(seed, scenario(seed), branches)
    # G25: by arithmetic vueltas never last until the final trick.
    assert sorted(branches) == sorted(BRANCHES)
    return branches


def test_engine_and_oracle_agree_on_a_sample() -> None:
    compare_deals(SAMPLE)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_engine_and_oracle_agree() -> None:
    branches = compare_deals(SOAK)
    rare = {name: count for name, count in branches.items() if count < 200}
    assert not rare
    print()
    for name, count in sorted(branches.items(), key=lambda item: item[1]):
        print(f"{count:8,} {name}")


def test_the_scenarios_take_turns() -> None:
    assert SAMPLE // len(SCENARIOS) >= 20
