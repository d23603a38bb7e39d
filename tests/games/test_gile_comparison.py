"""Holds the engine of Gilé to the oracle: legal moves, state and result at each decision."""

from collections import Counter

import pytest

from tests.games.gile_comparison import compare

SAMPLE, SOAK = 2_000, 100_000

# What a deal can run into. The soak runs into each at least 1,000 times, the sample 10 times. A tie or a
# pot is counted where chips depend on it.
BRANCHES = (
    "2 seats",
    "3 seats",
    "4 seats",
    "5 seats",
    "all-in",
    "ended by three void deals",
    "limit FIXED",
    "limit NONE",
    "limit POT",
    "nobody could answer",
    "not reopened",
    "one left",
    "renewed in dealing",
    "renewed in drawing",
    "renewed twice",
    "renewed with folded hands",
    "returned excess",
    "short all-in",
    "short ante",
    "showdown",
    "side pot",
    "skipped first round",
    "skipped later round",
    "three raises",
    "tie by order",
    "tie by suit",
    "tie in one suit",
    "tie to the dealer",
    "tie to the mano",
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
    rare = {branch: total[branch] for branch in BRANCHES if total[branch] < 10}
    assert not rare, rare


@pytest.mark.slow
@pytest.mark.timeout(3_000)
def test_engine_and_oracle_agree_on_a_hundred_thousand_deals() -> None:
    total = counted(range(10_000, 10_000 + SOAK))
    rare = {branch: total[branch] for branch in BRANCHES if total[branch] < 1_000}
    assert not rare, rare


@pytest.mark.kernel
def test_engine_and_oracle_agree_on_a_few_deals() -> None:
    counted(range(60))
