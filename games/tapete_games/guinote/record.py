"""The text record of a match of Guiñote, for logs, tests and bug reports: one line a trick.

The header names the rules that differ from the default, who sits where and the seed of the packs; each
deal gives its cards, so that a record replays by itself; every decision stands in its place, passes
included. What follows from the moves (who leads, who takes the trick, the score) is written too, and
must be right when a record is read. Lines that start with # and empty lines say nothing.

>>> text = '''
... guinote record 1
... rules 2026-12 partner_relief
... players 2
... seat 0 Ana
... seat 1 ismcts@1
... seed 121
...
... deal 1: dealer 1, coto 0-0
... hand 0: 5B 3O 11O 7O 11B 10C
... hand 1: 12B 5C 1O 10B 2E 6E
... muestra: 11E
... stock: 12C 6B 3C 1B 7E 5O 7C 3E 6C 12E 11C 2C 3B 5E 4C 2B 4B 12O 4E 7B 1E 4O 10E 1C 10O 6O 2O
... 1. 0: 7O 5C = 0 +0 0-0
... 2. (0 sing C) 0: 11B 2E = 1 +2 20-2
... 3. (1 sing B) 1: 6E 10C = 1 +3 20-25
... 4. (1 swap)
... end: under way, 20-25
...
... match: under way, coto 0-0
... '''
>>> record = read_record(text)
>>> record.names, record.seed, len(record.deals[0].moves)
(('Ana', 'ismcts@1'), 121, 9)
>>> write_record(record).split() == text.split()
True

In the second trick, seat 0 sang copas, led the caballo of bastos and lost the trick to seat 1: 2 points,
20 to 2.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tapete_games.cards import parse_card
from tapete_games.errors import IllegalMoveError
from tapete_games.guinote.deal import Deal
from tapete_games.guinote.match import Match
from tapete_games.guinote.moves import card_code, format_move, parse_move
from tapete_games.guinote.rules import SWITCHES, Malas, Rules
from tapete_games.guinote.state import SING
from tapete_games.lines import RecordLines, name_lines, rules_line

__all__ = ["Record", "RecordedDeal", "read_record", "record_of", "replay", "write_record"]

_TITLE = "guinote record 1"
_ITEM = re.compile(r"\(\d ([^()]*)\)|(\S+)")


@dataclass(frozen=True)
class RecordedDeal:
    """A deal as it was played."""

    dealer: int
    """Seat that dealt."""
    coto: tuple[int, int]
    """Points of the coto won by each side before it."""
    vueltas: tuple[int, int] | None
    """Points that each side carried into it; None in the first deal of a point."""
    pack: tuple[int, ...]
    """The 40 cards in dealing order."""
    moves: tuple[int, ...]
    """All moves made, passes included."""


@dataclass(frozen=True)
class Record:
    """A match, or the part of one that was played."""

    rules: Rules
    players: int
    deals: tuple[RecordedDeal, ...]
    """At least one; the last may be under way."""
    names: tuple[str, ...] = ()
    """Who sits at each seat, a person or a bot, one line of text each; empty where not known."""
    seed: int | None = None
    """Seed that the packs were made from, where there was one."""


def record_of(match: Match, names: Iterable[str] = (), seed: int | None = None) -> Record:
    """Takes down what has been played of a match.

    Args:
        match: The match; at least one deal has been dealt.
        names: Who sits at each seat, in order.
        seed: Seed that the packs were made from.
    """
    deals = tuple(
        RecordedDeal(deal.dealer, deal.coto, deal.vueltas, tuple(deal.pack), tuple(deal.moves))
        for deal in match.deals
    )
    return Record(match.rules, match.players, deals, tuple(names), seed)


def replay(record: Record) -> Match:
    """Plays a record again.

    Returns:
        The match, with its deals; those that are over have been counted.

    Raises:
        IllegalMoveError: A move is illegal.
        ValueError: The deals do not follow from each other.
    """
    match = _start(record)
    for recorded in record.deals:
        deal = _deal(match, recorded)
        for move in recorded.moves:
            deal.play(move)
        if deal.is_over:
            match.finish(deal)
    return match


def write_record(record: Record) -> str:
    """Writes a record as text.

    Raises:
        IllegalMoveError: A move is illegal.
        ValueError: The deals do not follow from each other, or a name is not one line of text.
    """
    lines = list(_header_lines(record))
    match = _start(record)
    for recorded in record.deals:
        deal = _deal(match, recorded)
        lines += ["", *_deal_lines(len(match.deals), deal)]
        moves = iter(recorded.moves)
        while line := _play_line(deal, moves):
            lines.append(line)
        lines.append(_end_line(deal))
        if deal.is_over:
            match.finish(deal)
    lines += ["", _match_line(match)]
    return "\n".join(lines) + "\n"


def read_record(text: str) -> Record:
    """Reads a record and replays it.

    Raises:
        RecordError: A line cannot be read, breaks the rules, or says something else than what follows
            from the moves.
    """
    lines = RecordLines(text)
    lines.expect(_TITLE)
    rules = _read_rules(lines)
    players = int(lines.match("players 2' or 'players 4", r"players ([24])")[1])
    names = lines.names(players)
    found = lines.match_if(r"seed (\d{1,20})")
    seed = int(found[1]) if found else None
    match: Match | None = None
    while match is None or lines.next_starts_with("deal "):
        match = _read_deal(lines, rules, players, match)
    lines.expect(_match_line(match))
    lines.expect_end()
    return record_of(match, names, seed)


def _start(record: Record) -> Match:
    """Makes the match as it was before the first deal."""
    if not record.deals:
        raise ValueError("a record holds at least one deal")
    first = record.deals[0]
    return Match(record.rules, record.players, first.dealer, coto=first.coto, vueltas=first.vueltas)


def _deal(match: Match, recorded: RecordedDeal) -> Deal:
    """Deals a recorded deal as the next one of a match."""
    deal = match.new_deal(recorded.pack)
    if (deal.dealer, deal.coto, deal.vueltas) != (recorded.dealer, recorded.coto, recorded.vueltas):
        raise ValueError(f"deal {len(match.deals)} does not follow from the one before: {recorded}")
    return deal


# --- the lines -----------------------------------------------------------------------------------


def _header_lines(record: Record) -> Iterator[str]:
    rules = record.rules
    words = [name for name in SWITCHES if getattr(rules, name)]
    if rules.malas != Rules.malas:
        words.append(f"malas={rules.malas.name}")
    if rules.points_per_coto != Rules.points_per_coto:
        words.append(f"points_per_coto={rules.points_per_coto}")
    yield _TITLE
    yield rules_line(words)
    yield f"players {record.players}"
    yield from name_lines(record.names, record.players)
    if record.seed is not None:
        yield f"seed {record.seed}"


def _deal_line(number: int, of: Deal | Match) -> str:
    """Writes the first line of a deal, or of the next deal of a match."""
    vueltas = f", vueltas {_score(of.vueltas)}" if of.vueltas else ""
    return f"deal {number}: dealer {of.dealer}, coto {_score(of.coto)}{vueltas}"


def _deal_lines(number: int, deal: Deal) -> Iterator[str]:
    yield _deal_line(number, deal)
    half = 3 * deal.players
    for i in range(deal.players):
        cards = deal.pack[3 * i : 3 * i + 3] + deal.pack[half + 3 * i : half + 3 * i + 3]
        yield f"hand {(deal.dealer + 1 + i) % deal.players}: {_cards(cards)}"
    yield f"muestra: {_cards([deal.muestra])}"
    yield f"stock: {_cards(deal.pack[2 * half + 1 :])}"


def _play_line(deal: Deal, moves: Iterator[int]) -> str:
    """Makes moves up to the end of the trick; returns their line, empty if there are no moves."""
    items = []
    number = deal.state.tricks + 1
    for move in moves:
        seat, before = deal.asked, deal.points
        is_lead = deal.state.trick_size == 0
        deal.play(move)
        if move >= SING:
            items.append(f"({seat} {format_move(move)})")
            continue
        items += [f"{seat}:", format_move(move)] if is_lead else [format_move(move)]
        if len(deal.history.tricks[-1].cards) == deal.players:
            winner = deal.state.latest_winner
            gain = sum(deal.points) - sum(before)
            items.append(f"= {winner} +{gain} {_score(deal.points)}")
            break
    return f"{number:2}. {' '.join(items)}" if items else ""


def _end_line(deal: Deal) -> str:
    score = _score(deal.points)
    if not deal.is_over:
        return f"end: under way, {score}"
    if deal.winner is None:
        return f"end: vueltas, {score}"
    tute = " by tute" if deal.history.tute_seat is not None else ""
    return f"end: side {deal.winner} wins the point{tute}, {score}"


def _match_line(match: Match) -> str:
    state = "under way" if match.winner is None else f"side {match.winner} wins"
    return f"match: {state}, coto {_score(match.coto)}"


def _score(points: tuple[int, int]) -> str:
    return f"{points[0]}-{points[1]}"


def _cards(codes: Iterable[int]) -> str:
    return " ".join(map(format_move, codes))


# --- reading -------------------------------------------------------------------------------------


def _read_rules(lines: RecordLines) -> Rules:
    settings: dict[str, Any] = {}
    for word in lines.rules():
        name, _, value = word.partition("=")
        if word in SWITCHES:
            settings[word] = True
        elif name == "malas" and value in Malas.__members__:
            settings[name] = Malas[value]
        elif name == "points_per_coto" and value.isdecimal() and len(value) < 4:
            settings[name] = int(value)
        else:
            known = ", ".join([*SWITCHES, *(f"malas={malas.name}" for malas in Malas), "points_per_coto=N"])
            raise lines.error(f"{word!r} is no rule: expected any of {known}")
    try:
        return Rules(**settings)
    except ValueError as error:
        raise lines.error(str(error)) from None


def _read_deal(lines: RecordLines, rules: Rules, players: int, match: Match | None) -> Match:
    """Reads a deal and plays it; the first one starts the match."""
    head = lines.take("'deal'")
    found = re.fullmatch(
        r"deal \d+: dealer ([0-3]), coto (\d{1,3})-(\d{1,3})(?:, vueltas (\d{1,3})-(\d{1,3}))?", head
    )
    if not found:
        raise lines.error(f"{head!r}: expected 'deal 1: dealer 0, coto 0-0', perhaps with ', vueltas 95-85'")
    try:
        if match is None:
            vueltas = (int(found[4]), int(found[5])) if found[4] else None
            coto = int(found[2]), int(found[3])
            match = Match(rules, players, int(found[1]), coto=coto, vueltas=vueltas)
        lines.compare(head, _deal_line(len(match.deals) + 1, match))
        deal = match.new_deal(_read_pack(lines, match))
        while not lines.next_starts_with("end:"):
            _read_tricks_line(lines, deal)
        lines.expect(_end_line(deal))
        if deal.is_over:
            match.finish(deal)
    except (ValueError, IllegalMoveError) as error:
        raise lines.error(str(error)) from None
    return match


def _read_pack(lines: RecordLines, match: Match) -> list[int]:
    """Reads the hands, the muestra and the stock as a pack in dealing order."""
    players = match.players
    hands = [_read_cards(lines, f"hand {(match.dealer + 1 + i) % players}:", 6) for i in range(players)]
    dealt = [card for part in (slice(0, 3), slice(3, 6)) for hand in hands for card in hand[part]]
    return [*dealt, *_read_cards(lines, "muestra:", 1), *_read_cards(lines, "stock:", 39 - 6 * players)]


def _read_cards(lines: RecordLines, label: str, number: int) -> list[int]:
    line = lines.take(repr(label))
    words = line.removeprefix(label).split()
    if not line.startswith(label) or len(words) != number:
        raise lines.error(f"{line!r}: expected {label!r} and {number} cards")
    return [card_code(parse_card(word)) for word in words]


def _read_tricks_line(lines: RecordLines, deal: Deal) -> None:
    """Reads the moves of a line, makes them and compares all that the line says beside them."""
    line = lines.take("a trick or 'end:'")
    number, _, rest = line.partition(".")
    items = _ITEM.findall(rest.partition("=")[0])
    moves = [parse_move(event or card) for event, card in items if not card.endswith(":")]
    if not number.isdecimal() or not moves:
        raise lines.error(
            f"{line!r}: expected a trick, as in '2. (1 sing O) 1: 4C 7C = 0 +0 20-0', or 'end:'"
        )
    remaining = iter(moves)
    expected = _play_line(deal, remaining)
    if next(remaining, None) is not None:
        raise lines.error(f"{line!r}: more moves than the trick has")
    lines.compare(line, expected)
