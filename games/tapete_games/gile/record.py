"""The text record of a sitting of Gilé, for logs, tests and bug reports: one line a betting round.

The header names the rules that differ from the default and who sits where; each deal gives its pack and
the seed of its renewals, so that a record replays by itself; every decision stands in its place, those of
void deals too. What follows from the moves (who speaks, the hands, the cards served, who wins) is written as
well, and must be right when a record is read. Lines that start with # and empty lines say nothing.

>>> text = '''
... gile record 1
... rules 2026-12 limit=POT
... stacks 50 50
... seat 0 Ana
... seat 1 ismcts@1
...
... deal 1: dealer 1, stacks 50 50
... pack: 1O 3C 7O 7E 12O 2E 12C 11E 10O 1B 3O 2O 10C 1C 7C 11O 1E 3E 10E 12E 2B 3B 7B 10B 11B 12B 2C 11C
... seed: 7
... hands: 0 1O 3C, 1 7O 7E
... first: 0 check, 1 check
... hands: 0 12O 2E, 1 12C 11E
... first: 0 bet 1, 1 call
... hands: 0 12O 10O 2E 1B, 1 3O 2O 12C 11E
... second: 0 check, 1 bet 2, 0 call
... discards: 0 discard 2E 1B = 1C 10C, 1 discard 12C 11E = 11O 7C
... last: 0 check, 1 bet 5, 0 call
... showdown: 0 12O 10O 1C 10C = 21, 1 11O 3O 2O 7C = 30
... end: showdown, -9 +9
...
... sitting: under way, stacks 41 59
... '''
>>> record = read_record(text)
>>> record.names, record.rules.limit.name, len(record.deals[0].moves)
(('Ana', 'ismcts@1'), 'POT', 12)
>>> write_record(record).split() == text.split()
True

Both seats passed on their first two cards, so that the deal was void and others were dealt; in the end the
dealer had 30 points in oros against 21 in copas.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from tapete_games.bits import members
from tapete_games.cards import CardError, parse_cards
from tapete_games.errors import IllegalMoveError
from tapete_games.gile.deal import Deal
from tapete_games.gile.moves import (
    MoveError,
    amount_of,
    card_code,
    card_of,
    format_cards,
    format_move,
    kind_of,
    parse_move,
)
from tapete_games.gile.rules import Limit, Rules
from tapete_games.gile.settle import score
from tapete_games.gile.sitting import Sitting
from tapete_games.gile.state import DECIDE_DISCARD, DISCARD, FIRST, LAST_ONE_IN, SHOWDOWN, VOID
from tapete_games.lines import RecordLines, name_lines, rules_line

__all__ = ["Record", "RecordedDeal", "read_record", "record_of", "replay", "write_record"]

_TITLE = "gile record 1"
_ROUNDS = ("first", "second", "last")
_STACK = r"\d{1,9}"


@dataclass(frozen=True)
class RecordedDeal:
    """A deal as it was played."""

    pack: tuple[int, ...]
    """The 28 cards in dealing order."""
    seed: int
    """Seed of the renewals of the stock."""
    moves: tuple[int, ...]
    """All moves made."""


@dataclass(frozen=True)
class Record:
    """A sitting, or the part of one that was played."""

    rules: Rules
    stacks: tuple[int, ...]
    """Chips of each seat before the first deal."""
    dealer: int
    """Seat that dealt first."""
    deals: tuple[RecordedDeal, ...]
    """At least one; the last may be under way."""
    names: tuple[str, ...] = ()
    """Who sits at each seat, a person or a bot, one line of text each; empty where not known."""


def record_of(sitting: Sitting, names: Iterable[str] = ()) -> Record:
    """Takes down what has been played of a sitting.

    Args:
        sitting: The sitting; at least one deal has been dealt.
        names: Who sits at each seat, in order.

    Raises:
        ValueError: None has been dealt.
    """
    deals = tuple(RecordedDeal(tuple(deal.pack), deal.seed, tuple(deal.moves)) for deal in sitting.deals)
    if not deals:
        raise ValueError("a record holds at least one deal")
    first = sitting.deals[0]
    return Record(sitting.rules, first.stacks, first.dealer, deals, tuple(names))


def replay(record: Record) -> Sitting:
    """Plays a record again.

    Returns:
        The sitting, with its deals; those that are over have been counted.

    Raises:
        IllegalMoveError: A move is illegal.
        ValueError: The deals do not follow from each other.
    """
    sitting = _start(record)
    for recorded in record.deals:
        deal = sitting.new_deal(recorded.pack, recorded.seed)
        for move in recorded.moves:
            deal.play(move)
        if deal.is_over:
            sitting.finish(deal)
    return sitting


def write_record(record: Record) -> str:
    """Writes a record.

    Raises:
        IllegalMoveError, ValueError: As `replay`; also where a name is not one line of text.
    """
    lines = list(_header_lines(record))
    sitting = _start(record)
    for recorded in record.deals:
        deal = sitting.new_deal(recorded.pack, recorded.seed)
        lines += ["", *_deal_lines(len(sitting.deals), deal)]
        moves = iter(recorded.moves)
        while played := _play_lines(deal, moves):
            lines += played
        lines += _end_lines(deal)
        if deal.is_over:
            sitting.finish(deal)
    return "\n".join([*lines, "", _sitting_line(sitting), ""])


def _start(record: Record) -> Sitting:
    """Makes the sitting as it was before the first deal."""
    if not record.deals:
        raise ValueError("a record holds at least one deal")
    return Sitting(record.rules, record.stacks, record.dealer)


# --- the lines -----------------------------------------------------------------------------------


def _header_lines(record: Record) -> Iterator[str]:
    words = []
    for field in fields(Rules):
        value = getattr(record.rules, field.name)
        if value != field.default:
            words.append(f"{field.name}={value.name if isinstance(value, Limit) else int(value)}")
    yield _TITLE
    yield rules_line(words)
    yield f"stacks {_numbers(record.stacks)}"
    yield from name_lines(record.names, len(record.stacks))


def _numbers(values: Iterable[int]) -> str:
    return " ".join(map(str, values))


def _deal_lines(number: int, deal: Deal) -> Iterator[str]:
    yield f"deal {number}: dealer {deal.dealer}, stacks {_numbers(deal.stacks)}"
    yield f"pack: {' '.join(str(card_of(card)) for card in deal.pack)}"
    yield f"seed: {deal.seed}"
    yield _hands_line(deal)


def _hands(deal: Deal) -> Iterator[tuple[int, int]]:
    """Lists the seats still in and their cards, from the mano on."""
    seats, mano = len(deal.stacks), int(deal.state.mano)
    for seat in sorted(members(deal.state.playing), key=lambda seat: (seat - mano) % seats):
        yield seat, deal.hand(seat)


def _hands_line(deal: Deal) -> str:
    return f"hands: {', '.join(f'{seat} {format_cards(hand)}' for seat, hand in _hands(deal))}"


def _play_lines(deal: Deal, moves: Iterator[int]) -> list[str]:
    """Makes moves up to the end of the round or of the discards.

    Returns:
        Their line, and that of the hands if cards have been dealt after it; nothing without moves.
    """
    items: list[str] = []
    head = ""
    phase, dealt = _phase(deal), _dealt(deal)
    for move in moves:
        seat, held = deal.asked, deal.hand(deal.asked)
        head = head or ("discards" if phase[1] else _ROUNDS[phase[0]])
        deal.play(move)
        served = ""
        if kind_of(move) == DISCARD and amount_of(move):
            # After the service the hand stays as it is, whatever comes next.
            served = f" = {format_cards(deal.hand(seat) & ~held)}"
        items.append(f"{seat} {format_move(move)}{served}")
        if deal.is_over or (_phase(deal), _dealt(deal)) != (phase, dealt):
            break
    if not items:
        return []
    line = f"{head}: {', '.join(items)}"
    return [line, _hands_line(deal)] if _dealt(deal) != dealt and not deal.is_over else [line]


def _phase(deal: Deal) -> tuple[int, bool]:
    return int(deal.state.stage), deal.decision == DECIDE_DISCARD


def _dealt(deal: Deal) -> tuple[int, bool]:
    """Returns what changes when cards are dealt: void deals, and whether the hands have four cards."""
    return int(deal.state.voids), deal.state.stage != FIRST


def _end_lines(deal: Deal) -> list[str]:
    if not deal.is_over:
        return ["end: under way"]
    how = {LAST_ONE_IN: "one left", VOID: "void"}.get(deal.ended, "showdown")
    end = f"end: {how}, {' '.join(f'{chips:+}' for chips in deal.returns or ())}"
    if deal.ended != SHOWDOWN:
        return [end]
    shown = (f"{seat} {format_cards(hand)} = {score(hand)}" for seat, hand in _hands(deal))
    return [f"showdown: {', '.join(shown)}", end]


def _sitting_line(sitting: Sitting) -> str:
    state = "over" if sitting.is_over else "under way"
    return f"sitting: {state}, stacks {_numbers(sitting.stacks)}"


# --- reading -------------------------------------------------------------------------------------


def read_record(text: str) -> Record:
    """Reads a record and replays it.

    Raises:
        RecordError: The text is not a record, a move is illegal, or something written does not follow
            from the moves.
    """
    lines = RecordLines(text)
    lines.expect(_TITLE)
    rules = _read_rules(lines)
    stacks = _read_numbers(lines.match("stacks 100 100", rf"stacks ({_STACK}(?: {_STACK}){{1,4}})")[1])
    names = lines.names(len(stacks))
    sitting: Sitting | None = None
    while sitting is None or lines.next_starts_with("deal "):
        sitting = _read_deal(lines, rules, stacks, sitting)
    lines.expect(_sitting_line(sitting))
    lines.expect_end()
    return record_of(sitting, names)


def _read_numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def _read_rules(lines: RecordLines) -> Rules:
    known = {field.name for field in fields(Rules)}
    settings: dict[str, Any] = {}
    for word in lines.rules():
        name, _, value = word.partition("=")
        if name == "limit" and value in Limit.__members__:
            settings[name] = Limit[value]
        elif name == "suit_rank" and value == "1":
            settings[name] = True
        elif name in known - {"limit", "suit_rank"} and re.fullmatch(r"\d{1,8}", value):
            settings[name] = int(value)
        else:
            expected = "limit=POT, limit=FIXED, suit_rank=1, ante=N, minimum_bet=N or void_deals=N"
            raise lines.error(f"{word!r} is no rule: expected {expected}")
    try:
        return Rules(**settings)
    except ValueError as error:
        raise lines.error(str(error)) from None


def _read_deal(lines: RecordLines, rules: Rules, stacks: tuple[int, ...], sitting: Sitting | None) -> Sitting:
    """Reads a deal and plays it; the first one starts the sitting."""
    head = lines.take("'deal'")
    found = re.fullmatch(r"deal \d+: dealer ([0-4]), stacks .*", head)
    if not found:
        raise lines.error(f"{head!r}: expected 'deal 1: dealer 0, stacks {_numbers(stacks)}'")
    try:
        sitting = sitting or Sitting(rules, stacks, int(found[1]))
        number = len(sitting.deals) + 1
        lines.compare(head, f"deal {number}: dealer {sitting.dealer}, stacks {_numbers(sitting.stacks)}")
        cards = lines.match("pack: 7O 2O ...", r"pack: (.+)")[1]
        pack = [card_code(card) for card in parse_cards(cards)]
        seed = int(lines.match("seed: 0", r"seed: (\d{1,19})")[1])
        deal = sitting.new_deal(pack, seed)
    except (ValueError, CardError) as error:
        raise lines.error(str(error)) from None
    lines.expect(_hands_line(deal))
    while not lines.next_starts_with(("showdown:", "end:")):
        given = lines.take("a betting round, the discards or 'end: under way'")
        moves = [_read_move(lines, item) for item in given.partition(": ")[2].split(", ")]
        rest = iter(moves)
        try:
            line, *hands = _play_lines(deal, rest)
        except IllegalMoveError as error:
            raise lines.error(str(error)) from None
        lines.compare(given, line)
        for line in hands:
            lines.expect(line)
    for line in _end_lines(deal):
        lines.expect(line)
    if deal.is_over:
        sitting.finish(deal)
    return sitting


def _read_move(lines: RecordLines, item: str) -> int:
    """Reads `0 bet 5`, or `0 discard 7O 2C = 1O 11C`; seat and cards served are compared later."""
    try:
        return parse_move(item.partition(" ")[2].partition(" = ")[0])
    except MoveError as error:
        raise lines.error(str(error)) from None
