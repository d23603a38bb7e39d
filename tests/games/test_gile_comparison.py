"""Holds the engine of Gilé to the oracle: legal moves, state and result at each decision."""

from collections import Counter

import pytest

from tests.games.gile_comparison import compare

SAMPLE, SOAK = 1_500, 80_000

# What a deal can run into. The soak runs into each at least 1,000 times, the sample 15 times.
BRANCHES = (
    "2 seats",
    "3 seats",
    "4 seats",
    "5 seats",
    "all-in",
    "ended by void deals",
    "limit FIXED",
    "limit NONE",
    "limit POT",
    "not reopened",
    "one left",
    "renewed in dealing",
    "renewed in drawing",
    "returned excess",
    "short all-in",
    "short ante",
    "showdown",
    "side pot",
    "skipped round",
    "tie by order",
    "tie by suit",
    "tie to the dealer",
    "void",
    "void deal",
)


def counted(deals: range) -> Counter[str]:
    total: Counter[str] = Counter()
    for seed in deals:
        total += compare(seed)
    return total


@pytest.mark.long
def test_engine_and_oracle_agree() -> None:
    total = counted(range(SAMPLE))
    rare = {branch: total[branch] for branch in BRANCHES if total[branch] < 15}
    assert not rare


@pytest.mark.slow
@pytest.mark.timeout(3_000)
def test_engine_and_oracle_agree_on_eighty_thousand_deals() -> None:
    total = counted(range(10_000, 10_000 + SOAK))
    rare = {branch: total[branch] for branch in BRANCHES if total[branch] < 1_000}
    assert not rare, rare


@pytest.mark.kernel
def test_engine_and_oracle_agree_on_a_few_deals() -> None:
    counted(range(60))
