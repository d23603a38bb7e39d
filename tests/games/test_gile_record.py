"""Sittings of Gilé and their text record."""

import copy
import pickle
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapete_games.cards import Card, CardError, Suit
from tapete_games.errors import RecordError
from tapete_games.gile import (
    MAX_STACK,
    MoveError,
    Record,
    Rules,
    Sitting,
    card_code,
    format_move,
    parse_move,
    read_record,
    record_of,
    shuffled_pack,
    write_record,
)
from tapete_games.gile.record import replay
from tests.games.gile_comparison import choose, random_table


def sitting(seed: int, *, is_cut_off: bool = False) -> Sitting:
    """Plays some deals at random; the last one may stay under way."""
    rng = random.Random(seed)
    rules, stacks, dealer = random_table(rng)
    table = Sitting(rules, stacks, dealer)
    for number in range(4):
        if table.is_over:
            break
        deal = table.new_deal(shuffled_pack(seed * 10 + number), rng.randrange(2**63))
        mood = rng.choice(["quiet", "even", "wild"])
        left = rng.randrange(12) if is_cut_off and number == 3 else 10_000
        while not deal.is_over and left:
            deal.play(choose(deal, rng, mood))
            left -= 1
        if not deal.is_over:
            break
        table.finish(deal)
    return table


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.booleans(), st.booleans())
def test_a_record_is_read_back_and_replayed(seed: int, is_cut_off: bool, has_names: bool) -> None:
    table = sitting(seed, is_cut_off=is_cut_off)
    names = ["Ana María", *["ismcts@1"] * (len(table.deals[0].stacks) - 1)] if has_names else []
    record = record_of(table, names)
    text = write_record(record)
    assert read_record(text) == record
    again = replay(record)
    assert (again.stacks, again.dealer, again.is_over) == (table.stacks, table.dealer, table.is_over)
    assert [deal.chips for deal in again.deals] == [deal.chips for deal in table.deals]


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 30), st.integers(0, 10**6), st.sampled_from("0123456789 abcdefx:,=-+OCEB\n"))
def test_a_changed_record_is_read_or_refused_by_its_line(seed: int, place: int, character: str) -> None:
    text = write_record(record_of(sitting(seed)))
    place %= len(text)
    changed = text[:place] + character + text[place + 1 :]
    try:
        record = read_record(changed)
    except RecordError as error:
        line = error.line
    else:
        assert isinstance(record, Record)
        return
    assert 1 <= line <= changed.count("\n") + 2


@pytest.mark.parametrize(
    ("pattern", "replacement", "message"),
    [
        (r"gile record 1", "gile record 2", "expected 'gile record 1'"),
        (r"rules 2026-12", "rules 2020-01", "only 2026-12 can be replayed"),
        (r"rules 2026-12", "rules 2026-12 limit=HIGH", "is no rule"),
        (r"rules 2026-12", "rules 2026-12 ante=2000000", "expected 0 to 1000000"),
        (r"stacks 100 100", "stacks 100", "expected 'stacks 100 100'"),
        (r"deal 1: dealer 1", "deal 1: dealer 0", "does not agree with what goes before"),
        (r"pack: \S+", "pack: 5O", "28-card pack"),
        (r"pack: \S+ ", "pack: ", "not the 28 cards"),
        (r"seed: \d+", "seed: 9223372036854775808", "expected 0 to 9223372036854775807"),
        (r"hands: 0 10O", "hands: 0 11O", "line 8: .*does not agree with what goes before"),
        (r"hands: .*\n", "", "line 8: .*does not agree with what goes before: expected 'hands: 0 10O"),
        (r"0 bet 2", "1 bet 2", "does not agree"),
        (r"0 bet 2", "0 bet 200", "more than the seat has"),
        (r"0 bet 2", "0 bets 2", "is not a move"),
        (r"end: one left, .*", "end: one left, +9 -9", "does not agree"),
        (r"sitting: under way", "sitting: over", "does not agree"),
        (r"\nsitting.*", "", "the record ends here"),
    ],
)
def test_faults_are_told_with_their_line(pattern: str, replacement: str, message: str) -> None:
    table = Sitting(Rules(), (100, 100), 1)
    deal = table.new_deal(shuffled_pack(1), 7)
    for move in ("bet 2", "fold"):
        deal.play(parse_move(move))
    table.finish(deal)
    text = write_record(record_of(table))
    assert re.search(pattern, text)
    with pytest.raises(RecordError, match=message):
        read_record(re.sub(pattern, replacement, text, count=1))


def test_hands_stand_where_they_are_dealt_and_shown() -> None:
    """Two cards, two others after a void deal, four; the hands of the showdown with their scores (L2)."""
    table = Sitting(Rules(), (100, 100, 0, 100), 3)
    deal = table.new_deal(range(28))
    for move in ["check"] * 3 + ["bet 1", "call", "fold", "bet 98", "call", "discard 1O", "discard -"]:
        deal.play(parse_move(move))
    table.finish(deal)
    lines = write_record(record_of(table)).splitlines()
    assert lines[lines.index("seed: 0") + 1 :] == [
        "hands: 0 7O 2O, 1 10O 3O, 3 12O 11O",
        "first: 0 check, 1 check, 3 check",
        "hands: 0 1O 7C, 1 3C 2C, 3 11C 10C",
        "first: 0 bet 1, 1 call, 3 fold",
        "hands: 0 1O 1C 12C 7C, 1 3C 2C 7E 2E",
        "second: 0 bet 98, 1 call",
        "discards: 0 discard 1O = 3E, 1 discard -",
        "showdown: 0 1C 12C 7C 3E = 28, 1 3C 2C 7E 2E = 20",
        "end: showdown, +101 -100 +0 -1",
        "",
        "sitting: under way, stacks 201 0 0 99",
    ]


def test_a_first_round_that_is_skipped_has_hands_of_four_cards() -> None:
    deal = (table := Sitting(Rules(), (1, 1), 1)).new_deal(range(28))
    deal.play(parse_move("discard -"))
    text = write_record(record_of(table))
    assert "hands: 0 12O 11O 7O 2O, 1 1O 10O 3O 7C\ndiscards: 0 discard -\nend: under way" in text
    assert read_record(text) == record_of(table)


def test_a_record_without_deals_is_none() -> None:
    with pytest.raises(ValueError, match="at least one deal"):
        record_of(Sitting(Rules(), (10, 10), 0))
    for use in (write_record, replay):
        with pytest.raises(ValueError, match="at least one deal"):
            use(Record(Rules(), (10, 10), 0, ()))


@pytest.mark.parametrize("names", [["Ana"], ["Ana", "B", "C"], ["Ana", " B"], ["Ana", "B\nC"]])
def test_names_that_no_line_can_hold(names: list[str]) -> None:
    table = Sitting(Rules(), (10, 10), 0)
    table.new_deal(range(28))
    with pytest.raises(ValueError, match="name"):
        write_record(record_of(table, names))


# --- sittings -----------------------------------------------------------------------------------


def test_l5_the_deal_passes_to_the_next_seat_with_chips() -> None:
    for seed in range(80):
        table = sitting(seed)
        for deal, after in zip(table.deals, table.deals[1:], strict=False):
            seats = len(deal.stacks)
            expected = next(
                seat for i in range(1, seats + 1) if deal.chips[seat := (deal.dealer + i) % seats]
            )
            assert after.dealer == expected
            assert after.stacks == deal.chips


def test_l6_chips_stay_at_the_table() -> None:
    for seed in range(80):
        table = sitting(seed)
        assert sum(table.stacks) == sum(table.deals[0].stacks)
        assert table.is_over == (sum(stack > 0 for stack in table.stacks) == 1)


def test_l6_all_chips_of_a_sitting_may_come_to_one_seat() -> None:
    half = MAX_STACK // 2
    table = Sitting(Rules(), (half, half), 1)
    deal = table.new_deal(shuffled_pack(1))
    for move in (f"bet {half - 1}", "call", "discard -", "discard -"):
        deal.play(parse_move(move))
    table.finish(deal)
    assert max(table.stacks) == MAX_STACK
    with pytest.raises(ValueError, match=r"at most 100000000 chips in all, for one seat may win them \(L6\)"):
        Sitting(Rules(), (half, half, 1), 1)


def test_a_sitting_refuses_what_does_not_follow() -> None:
    table = Sitting(Rules(), (10, 10), 0)
    with pytest.raises(ValueError, match="chips on two seats"):
        Sitting(Rules(), (10, 0), 0)
    with pytest.raises(ValueError, match="a seat with chips"):
        Sitting(Rules(), (10, 0, 10), 1)
    deal = table.new_deal(shuffled_pack(1))
    with pytest.raises(ValueError, match="under way"):
        table.new_deal(shuffled_pack(2))
    with pytest.raises(ValueError, match="before the deal is over"):
        table.finish(deal)


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda deal: pickle.loads(pickle.dumps(deal))])
def test_a_copy_of_a_deal_goes_its_own_way(make: object) -> None:
    deal = Sitting(Rules(), (50, 50, 50), 0).new_deal(shuffled_pack(4), 9)
    deal.play(parse_move("bet 3"))
    twin = make(deal)  # type: ignore[operator]
    twin.play(parse_move("raise 9"))
    assert (deal.chips, twin.chips) == ((49, 46, 49), (49, 46, 40))
    assert deal.view() != twin.view()


# --- moves and cards as text --------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bet",
        "bet 0",
        "bet -1",
        "bet 05",
        "raise",
        "raise x",
        "discard",
        "discard 5O",
        "discard 1O 1O",
        "7O",
    ],
)
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(MoveError):
        parse_move(text)


def test_cards_of_the_other_pack_are_none() -> None:
    with pytest.raises(CardError, match="28-card pack"):
        card_code(Card(4, Suit.OROS))


def test_discards_are_written_suit_by_suit() -> None:
    assert format_move(parse_move("discard 2C 7O 1C 1O")) == "discard 1O 7O 1C 2C"
