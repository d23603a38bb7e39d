"""Whatever comes in, the check answers with a position or with violations that can be sent."""

import random

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from tapete.v1 import ErrorReason, GuinoteView
from tapete_games.errors import MAX_VIOLATIONS, ViewError
from tapete_games.guinote.check import read_view
from tests.games.view_games import FOUR, LEADER_SWAPS, TWO
from tests.games.view_mutations import mutate

VIEWS = [
    FOUR.before("10E"),
    FOUR.before("swap"),
    FOUR.before("sing O"),
    FOUR.before("6B"),
    FOUR.before("10O"),
    TWO.before("12C"),
    TWO.before("1B"),
    LEADER_SWAPS.before("swap"),
    LEADER_SWAPS.before("1O"),
]

numbers = st.one_of(st.integers(0, 21), st.just(2**32 - 1))
enums = st.one_of(st.integers(-1, 5), st.sampled_from([-(2**31), 2**31 - 1]))
cards = st.fixed_dictionaries({}, optional={"suit": enums, "rank": numbers})
scores = st.fixed_dictionaries({}, optional={"even_side": numbers, "odd_side": numbers})
messages = st.fixed_dictionaries(
    {},
    optional={
        "rules": st.fixed_dictionaries(
            {},
            optional={
                "partner_relief": st.booleans(),
                "cante_per_member": st.booleans(),
                "malas": enums,
                "points_per_coto": numbers,
            },
        ),
        "players": st.one_of(st.sampled_from([2, 4]), numbers),
        "seat": numbers,
        "dealer": numbers,
        "muestra": cards,
        "hand": st.lists(cards, max_size=8),
        "tricks": st.lists(
            st.fixed_dictionaries({"cards": st.lists(cards, max_size=5)}, optional={"leader": numbers}),
            max_size=22,
        ),
        "cantes": st.lists(
            st.fixed_dictionaries({}, optional={"seat": numbers, "suit": enums, "after_tricks": numbers}),
            max_size=6,
        ),
        "swap": st.fixed_dictionaries(
            {}, optional={"seat": numbers, "after_tricks": numbers, "window": enums}
        ),
        "vueltas": scores,
        "coto": scores,
        "decision": enums,
    },
)


def answer(view: GuinoteView) -> bool:
    """Reads a view and tells whether it is accepted; checks that the answer is one that can be sent."""
    before = view.SerializeToString(deterministic=True)
    refusal: ViewError | None = None
    try:
        position = read_view(view)
    except ViewError as error:
        refusal = error
    assert view.SerializeToString(deterministic=True) == before
    if refusal is None:
        assert position.legal_moves
        assert position.seat == view.seat
        return True
    assert 1 <= len(refusal.violations) <= MAX_VIOLATIONS
    assert refusal.total >= len(refusal.violations)
    for violation in refusal.violations:
        assert violation.path.startswith("view.guinote")
        assert violation.reason != ErrorReason.ERROR_REASON_UNSPECIFIED
        assert 5 <= len(violation.message) <= 400
    return False


@given(st.binary(max_size=300))
def test_random_bytes(data: bytes) -> None:
    view = GuinoteView()
    try:
        view.ParseFromString(data)
    except DecodeError:
        return
    answer(view)


@given(st.data())
def test_bytes_of_a_view_with_changes(data: st.DataObject) -> None:
    raw = bytearray(data.draw(st.sampled_from(VIEWS)).SerializeToString())
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    view = GuinoteView()
    try:
        view.ParseFromString(bytes(raw))
    except DecodeError:
        return
    answer(view)


@given(messages)
def test_random_messages(fields: dict[str, object]) -> None:
    answer(GuinoteView(**fields))  # type: ignore[arg-type]


@given(st.sampled_from(VIEWS), messages)
def test_views_with_random_fields(view: GuinoteView, fields: dict[str, object]) -> None:
    mixed = GuinoteView()
    mixed.CopyFrom(view)
    for name in list(fields)[:3]:
        mixed.ClearField(name)  # type: ignore[arg-type]
        mixed.MergeFrom(GuinoteView(**{name: fields[name]}))  # type: ignore[arg-type]
    answer(mixed)


@settings(max_examples=300)
@given(st.sampled_from(VIEWS), st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_mutated_views(view: GuinoteView, seed: int, times: int) -> None:
    rng = random.Random(seed)
    for _ in range(times):
        view = mutate(view, rng)
    answer(view)


@pytest.mark.slow
@settings(max_examples=50_000, deadline=None)
@given(st.sampled_from(VIEWS), st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_many_mutated_views(view: GuinoteView, seed: int, times: int) -> None:
    rng = random.Random(seed)
    for _ in range(times):
        view = mutate(view, rng)
    answer(view)


def test_long_lists_are_read_no_further_than_their_limits() -> None:
    view = FOUR.before("6B")
    view.hand.extend([view.hand[0]] * 5_000)
    view.tricks[3].cards.extend([view.hand[0]] * 5_000)
    view.tricks.extend([view.tricks[0]] * 5_000)
    view.cantes.extend([view.cantes[0]] * 5_000)
    assert not answer(view)
