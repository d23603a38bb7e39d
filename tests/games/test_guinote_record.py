"""The text record of a match of Guiñote: round trips, golden matches, refusals."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapete_games.errors import IllegalMoveError, RecordError
from tapete_games.guinote import (
    Match,
    Record,
    RecordedDeal,
    Rules,
    read_record,
    record_of,
    replay,
    shuffled_pack,
    write_record,
)
from tests.games.guinote_biased import Policy, random_policy, random_rules, random_vueltas
from tests.games.guinote_comparison import ORACLE_CARDS, ORACLE_MOVES, oracle_rules
from tests.games.guinote_golden import FOLDER, MATCHES, make
from tests.oracle import guinote as oracle


def random_match(seed: int, stops: bool = False) -> Match:
    """Plays a match, from its start or resumed, to its end or to some decision of it."""
    rng = random.Random(seed)
    rules, players = random_rules(rng), rng.choice((2, 4))
    coto = rng.randrange(rules.points_per_coto), rng.randrange(rules.points_per_coto)
    vueltas = random_vueltas(rng) if rng.random() < 0.3 else None
    match = Match(rules, players, rng.randrange(players), coto=coto, vueltas=vueltas)
    policies: tuple[Policy, Policy] = random_policy(rng), random_policy(rng)
    while match.winner is None:
        deal = match.new_deal(shuffled_pack(rng.randrange(2**32)))
        while not deal.is_over:
            if stops and rng.random() < 0.02:
                return match
            deal.play(policies[deal.asked & 1].choose(deal, rng))
        match.finish(deal)
    return match


NAMES = st.text(st.characters(codec="utf-8"), max_size=12).map(str.strip).filter(str.isprintable)


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    stops=st.booleans(),
    names=st.lists(NAMES, max_size=4),
    packs=st.none() | st.integers(0),
)
def test_records_round_trip(seed: int, stops: bool, names: list[str], packs: int | None) -> None:
    match = random_match(seed, stops)
    names = [*names, "", "", "", ""][: match.players] if any(names) else []
    packs = packs and packs % 2**64
    record = record_of(match, names if any(names) else (), packs)
    text = write_record(record)
    assert read_record(text) == record
    assert write_record(read_record(text)) == text
    again = replay(record)
    assert (again.coto, again.vueltas, again.winner) == (match.coto, match.vueltas, match.winner)
    for deal, twin in zip(match.deals, again.deals, strict=True):
        assert twin.state.tobytes() == deal.state.tobytes()
        assert twin.history == deal.history


@pytest.mark.parametrize("name", MATCHES)
def test_golden_matches(name: str) -> None:
    golden = (FOLDER / name).read_text(encoding="utf-8")
    assert make(name).splitlines() == golden.splitlines(), (
        "python -m tests.games.guinote_golden writes them anew"
    )


def test_every_golden_file_is_known() -> None:
    assert sorted(path.name for path in Path(FOLDER).glob("guinote_*")) == sorted(MATCHES)


@pytest.mark.parametrize("name", MATCHES)
def test_the_oracle_replays_golden_matches(name: str) -> None:
    record = read_record((FOLDER / name).read_text(encoding="utf-8"))
    twin = oracle.Match(oracle_rules(record.rules), record.players, record.deals[0].dealer)
    for recorded in record.deals:
        assert (twin.dealer, tuple(twin.coto_points)) == (recorded.dealer, recorded.coto)
        deal = twin.new_deal([ORACLE_CARDS[card] for card in recorded.pack])
        for move in recorded.moves:
            deal.apply(ORACLE_MOVES[move])
        twin.finish(deal)
    assert twin.winner is not None
    assert tuple(twin.coto_points) == replay(record).coto


def test_comments_empty_lines_and_blanks_say_nothing() -> None:
    text = (FOLDER / "guinote_2p.txt").read_text(encoding="utf-8")
    padded = "\r\n# found in the log\n\n".join(
        "  " + line.replace(" = ", "  =   ") for line in text.split("\n")
    )
    assert read_record(padded) == read_record(text)


def test_without_names_and_seed() -> None:
    match = Match(Rules(), 2, 0)
    match.new_deal(range(40))
    assert write_record(record_of(match)).split("\n\n")[0] == "guinote record 1\nrules 2026-12\nplayers 2"


# --- refusals -----------------------------------------------------------------------------------

TEXT = """\
guinote record 1
rules 2026-12
players 2
seat 0 Ana
seed 121

deal 1: dealer 1, coto 0-0
hand 0: 5B 3O 11O 7O 11B 10C
hand 1: 12B 5C 1O 10B 2E 6E
muestra: 11E
stock: 12C 6B 3C 1B 7E 5O 7C 3E 6C 12E 11C 2C 3B 5E 4C 2B 4B 12O 4E 7B 1E 4O 10E 1C 10O 6O 2O
 1. 0: 7O 5C = 0 +0 0-0
 2. (0 sing C) 0: 11B 2E = 1 +2 20-2
 3. (1 sing B) 1: 6E 10C = 1 +3 20-25
end: under way, 20-25

match: under way, coto 0-0
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("guinote record 1", "guinote record 2", 1, "expected 'guinote record 1'"),
        ("2026-12", "2025-01", 2, "edition 2025-01 of the rules: only 2026-12"),
        ("2026-12", "2026-12 relief", 2, "'relief' is no rule: expected any of fixed_rotation"),
        ("2026-12", "2026-12 malas=SOME", 2, "'malas=SOME' is no rule"),
        ("2026-12", "2026-12 points_per_coto=21", 2, "points_per_coto is 21: expected 1 to 20"),
        ("2026-12", "2026-12 points_per_coto=" + "9" * 5000, 2, "is no rule"),
        ("rules 2026-12\n", "", 2, "'players 2': expected 'rules 2026-12'"),
        ("players 2", "players 3", 3, "'players 3': expected 'players 2' or 'players 4'"),
        ("seat 0 Ana", "seat 2 Ana", 4, "seat 2 cannot be named here: there are 2"),
        ("seat 0 Ana", "seat Ana", 4, "'seat Ana': expected 'deal 1: dealer 0, coto 0-0'"),
        ("seed 121", "seed x", 5, "'seed x'"),
        ("deal 1: dealer 1", "deal 2: dealer 1", 7, "expected 'deal 1: dealer 1, coto 0-0'"),
        ("coto 0-0\nhand", "coto 3-0\nhand", 7, "coto at 3-0: expected 0 to 2 each"),
        ("coto 0-0\nhand", "coto 0-0, vueltas 101-29\nhand", 11, "vueltas at 101-29"),
        ("hand 0: 5B", "hand 0: 5X", 8, "'5X' is not a card"),
        ("hand 0: 5B", "hand 0:", 8, "expected 'hand 0:' and 6 cards"),
        ("hand 1:", "hand 0:", 9, "expected 'hand 1:' and 6 cards"),
        ("hand 0: 5B", "hand 0: 1O", 11, "the pack is not the 40 cards"),
        ("muestra: 11E\n", "", 10, "expected 'muestra:' and 1 cards"),
        ("0: 7O 5C", "0: 7O 5X", 12, "'5X' is not a move"),
        ("0: 7O 5C", "0: 7O 1E", 12, "the card is not in the hand"),
        (
            "0: 7O 5C",
            "1: 7O 5C",
            12,
            "does not agree with what goes before: expected '1. 0: 7O 5C = 0 +0 0-0'",
        ),
        ("0: 7O 5C = 0", "0: 7O 5C = 1", 12, "does not agree"),
        ("0: 7O 5C", "0: 7O 5C 11B", 12, "more moves than the trick has"),
        (" 1. 0: 7O", " 2. 0: 7O", 12, "does not agree"),
        (" 1. 0: 7O 5C = 0 +0 0-0", " 1. = 0", 12, "expected a trick, as in"),
        (" 1. 0: 7O 5C", " x 0: 7O 5C", 12, "expected a trick"),
        ("(0 sing C) 0: 11B", "0: 11B", 13, "0: 11B is illegal"),
        ("(0 sing C)", "(0 pass)", 13, "does not agree"),
        ("(0 sing C)", "(1 sing C)", 13, "does not agree"),
        ("(0 sing C)", "(0 sings C)", 13, "'sings C' is not a move"),
        ("20-2\n", "20-3\n", 13, "expected '2. (0 sing C) 0: 11B 2E = 1 +2 20-2'"),
        ("under way, 20-25", "vueltas, 20-25", 15, "expected 'end: under way, 20-25'"),
        ("end: under way, 20-25\n", "", 16, "'match: under way, coto 0-0': expected a trick"),
        ("match: under way", "match: side 0 wins", 17, "expected 'match: under way, coto 0-0'"),
        ("match: under way, coto 0-0\n", "", 16, "the record ends here: expected 'match: under way"),
        ("match: under way, coto 0-0\n", "match: under way, coto 0-0\nmore\n", 18, "expected the end"),
    ],
)
def test_refusals_name_the_line(old: str, new: str, line: int, message: str) -> None:
    assert old in TEXT
    with pytest.raises(RecordError) as caught:
        read_record(TEXT.replace(old, new, 1))
    assert caught.value.line == line, str(caught.value)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"line {line}: ")


def test_a_deal_after_one_under_way() -> None:
    deal = TEXT[TEXT.index("deal 1") : TEXT.index("\nmatch")]
    text = TEXT.replace("\nmatch", "\n" + deal.replace("deal 1", "deal 2") + "\nmatch", 1)
    with pytest.raises(RecordError, match="deal 1 is under way"):
        read_record(text)


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_a_damaged_record_is_refused_or_read(data: st.DataObject) -> None:
    golden = (FOLDER / data.draw(st.sampled_from(sorted(MATCHES)))).read_text(encoding="utf-8")
    start = data.draw(st.integers(0, len(golden)))
    end = min(len(golden), start + data.draw(st.integers(0, 6)))
    text = golden[:start] + data.draw(st.text("0123456789OCEB .:=-+()singpa\n", max_size=4)) + golden[end:]
    try:
        record = read_record(text)
    except RecordError:
        return
    assert read_record(write_record(record)) == record


@given(st.text(max_size=60))
def test_any_text_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        read_record(text)


def test_records_that_do_not_replay() -> None:
    first = RecordedDeal(0, (0, 0), None, tuple(range(40)), ())
    with pytest.raises(ValueError, match="at least one deal"):
        replay(Record(Rules(), 2, ()))
    with pytest.raises(IllegalMoveError):
        write_record(Record(Rules(), 2, (RecordedDeal(0, (0, 0), None, tuple(range(40)), (44,)),)))
    for name in ("two\nlines", " blank", "bell\a"):
        with pytest.raises(ValueError, match="is not one line of text"):
            write_record(Record(Rules(), 2, (first,), (name, "")))
    with pytest.raises(ValueError, match="1 names for 2 seats"):
        write_record(Record(Rules(), 2, (first,), ("Ana",)))
    golden = read_record((FOLDER / "guinote_2p.txt").read_text(encoding="utf-8"))
    for broken in (golden.deals[1:2] + golden.deals[:1], golden.deals[:1] + golden.deals[2:]):
        record = Record(golden.rules, 2, broken)
        with pytest.raises((ValueError, IllegalMoveError)):
            replay(record)
        with pytest.raises((ValueError, IllegalMoveError)):
            write_record(record)
