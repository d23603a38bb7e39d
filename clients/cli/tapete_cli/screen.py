"""What the command prints: consoles, tables, errors.

Everything reads without colour. Where the terminal is not UTF-8, boxes are drawn in ASCII and letters
lose their accents.
"""

import codecs
import os
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tapete.v1 import (
    Analysis,
    Bot,
    BotOption,
    Candidate,
    ChooseMoveResponse,
    DecidedBy,
    Game,
    MoveReason,
    StoppedBy,
)
from tapete_cli.messages import to_json
from tapete_client import TapeteError, UnavailableError, Violation, format_move

__all__ = [
    "error_console",
    "error_json",
    "is_utf",
    "make_console",
    "prepare_streams",
    "show_answer",
    "show_bots",
    "show_error",
    "show_hint",
]

EstimateName = Literal["expected_points", "expected_chips"]

_WIDTH_IN_A_PIPE = 100
_ASCII_HEAD = box.Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)
_ASCII = {"…": "...", "–": "-", "—": "-", "±": "+/-", "·": "-", "≥": ">=", "≤": "<=", "’": "'", "×": "x"}


def _transliterate(error: UnicodeError) -> tuple[str, int]:
    """Replaces what an encoding does not have by what looks most like it."""
    assert isinstance(error, UnicodeEncodeError)
    bad = error.object[error.start : error.end]
    plain = (
        _ASCII.get(c) or unicodedata.normalize("NFKD", c).encode("ascii", "ignore").decode() for c in bad
    )
    return "".join(text or "?" for text in plain), error.end


codecs.register_error("tapete.transliterate", _transliterate)


def prepare_streams() -> None:
    """Lets the standard streams take any text, whatever their encoding."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="tapete.transliterate")


def is_utf(console: Console) -> bool:
    """Tells whether a console has more than ASCII."""
    return console.encoding.lower().startswith("utf")


def _plus_minus(console: Console) -> str:
    return "±" if is_utf(console) else "+/-"


def _console(stream: TextIO) -> Console:
    is_wide = not stream.isatty() and "COLUMNS" not in os.environ
    return Console(file=stream, width=_WIDTH_IN_A_PIPE if is_wide else None, highlight=False, emoji=False)


def make_console() -> Console:
    """Makes the console of what was asked for."""
    return _console(sys.stdout)


def error_console() -> Console:
    """Makes the console of errors and notes."""
    return _console(sys.stderr)


def _print_table(console: Console, table: Table) -> None:
    """Prints a table without the blanks that pad its lines."""
    if not is_utf(console):
        table.box = _ASCII_HEAD
    with console.capture() as drawn:
        console.print(table)
    lines = [line.rstrip() for line in drawn.get().splitlines()]
    console.file.write("\n".join([*(line for line in lines if line), ""]))


def _words(name: str, prefix: str) -> str:
    """Returns an enum's name as words: `DECIDED_BY_ENDGAME_SOLVER` as `endgame solver`."""
    return name.removeprefix(prefix).replace("_", " ").lower()


def _table(*columns: str, right: Iterable[str] = ()) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


def show_bots(console: Console, bots: Sequence[Bot]) -> None:
    """Prints the bots, then their options."""
    table = _table("Bot", "Games", "How it plays")
    for bot in bots:
        table.add_row(Text(bot.id, "bold"), _games(bot.games), Text(bot.summary))
    _print_table(console, table)
    options = _table("Bot", "Option", "Game", "Default", "Range", "What it changes")
    for bot in bots:
        for option in bot.options:
            options.add_row(
                bot.id,
                option.name,
                _games(option.games) or "all",
                option.default_value,
                _range(option),
                Text(option.summary),
            )
    if options.row_count:
        console.print()
        _print_table(console, options)
        console.print()
        first = next(bot for bot in bots if bot.options)
        option = first.options[0]
        others = (choice for choice in option.choices if choice != option.default_value)
        console.print(f"Options follow the id: {first.id}?{option.name}={next(others, option.default_value)}")


def _games(games: "Iterable[Game.ValueType]") -> str:
    return ", ".join(_words(Game.Name(game), "GAME_") for game in games)


def _range(option: BotOption) -> str:
    if option.choices:
        return ", ".join(option.choices)
    least = f"{option.minimum:,.10g}" if option.HasField("minimum") else ""
    most = f"{option.maximum:,.10g}" if option.HasField("maximum") else ""
    return f"{least} to {most}" if least and most else least or most


def show_answer(console: Console, answer: ChooseMoveResponse) -> None:
    """Prints the move alone on the first line, then how it was found."""
    console.print(Text(format_move(answer.move), "bold green"))
    console.print()
    console.print(Text(_how_found(answer.analysis)))
    table = _candidates(answer.analysis.candidates, _plus_minus(console))
    if len(table.columns) > 1:
        console.print()
        _print_table(console, table)


def _how_found(analysis: Analysis) -> str:
    how = _words(DecidedBy.Name(analysis.decided_by), "DECIDED_BY_")
    why = _words(MoveReason.Name(analysis.reason), "MOVE_REASON_")
    stopped = _words(StoppedBy.Name(analysis.stopped_by), "STOPPED_BY_")
    count = analysis.iterations
    iterations = f"{count:,} iteration{'' if count == 1 else 's'}, " if count else ""
    return f"{analysis.bot}: decided by {how} ({why}), {iterations}stopped by {stopped}, seed {analysis.seed}"


def _candidates(candidates: Iterable[Candidate], plus_minus: str) -> Table:
    """Tabulates the moves considered; columns without any number are left out."""
    rows = [
        (
            format_move(candidate.move),
            f"{candidate.visits:,}" if candidate.visits else "",
            _percent(candidate, plus_minus),
            _estimate(candidate, "expected_points", plus_minus),
            _estimate(candidate, "expected_chips", plus_minus),
            f"{100 * candidate.probability:.1f} %" if candidate.HasField("probability") else "",
        )
        for candidate in candidates
    ]
    names = ("Move", "Visits", "Wins the point", "Points in the deal", "Chips from now on", "Chosen in")
    kept = [i for i in range(len(names)) if any(row[i] for row in rows)]
    table = _table(*(names[i] for i in kept), right=names[1:])
    for row in rows:
        table.add_row(*(row[i] for i in kept))
    return table


def _percent(candidate: Candidate, plus_minus: str) -> str:
    if not candidate.HasField("win_probability"):
        return ""
    text = f"{100 * candidate.win_probability:.1f} %"
    if not candidate.HasField("win_probability_error"):
        return text
    return f"{text} {plus_minus} {100 * candidate.win_probability_error:.1f}"


def _estimate(candidate: Candidate, field: EstimateName, plus_minus: str) -> str:
    """Writes an estimate with its standard error, if it has any."""
    if not candidate.HasField(field):
        return ""
    text = f"{getattr(candidate, field):+.1f}"
    error: float = getattr(candidate, f"{field}_error")
    return f"{text} {plus_minus} {error:.1f}" if error else text


def show_hint(console: Console, answer: ChooseMoveResponse) -> None:
    """Prints a move as advice, in one line."""
    best = next((c for c in answer.analysis.candidates if c.move == answer.move), Candidate())
    chance = _percent(best, _plus_minus(console))
    chips = _estimate(best, "expected_chips", _plus_minus(console))
    why = f", winning the point in {chance}" if chance else f", worth {chips} chips" if chips else ""
    console.print(f"  Hint of {answer.analysis.bot}: [bold green]{format_move(answer.move)}[/]{why}")


def show_error(console: Console, error: TapeteError) -> None:
    """Prints what went wrong: a table of the fields at fault, or a sentence."""
    if not error.violations:
        console.print(Text.assemble(("Error: ", "bold red"), error.message))
        if isinstance(error, UnavailableError) and not error.reason:
            console.print("Is the server running, and is this its address? `tapete serve` starts one here.")
        return
    count, shown = error.violation_count, len(error.violations)
    faults = "one fault" if count == 1 else f"{count:,} faults"
    if count > shown:
        faults += f", {shown} shown"
    console.print(Text.assemble(("Error: ", "bold red"), f"the request is refused for {faults}."))
    console.print()
    _print_table(console, _violations(error.violations))


def _violations(violations: Iterable[Violation]) -> Table:
    table = _table("Path", "Reason", "What is wrong")
    table.columns[0].min_width = 22
    for violation in violations:
        reason = violation.reason.removeprefix("ERROR_REASON_")
        table.add_row(Text(violation.path, "bold"), reason, Text(violation.message))
    return table


def error_json(error: TapeteError) -> str:
    """Writes an error as JSON, for programs."""
    violations = [
        {"path": violation.path, "reason": violation.reason, "message": violation.message}
        for violation in error.violations
    ]
    body = {
        "status": error.status.name,
        "reason": error.reason,
        "message": error.message,
        "metadata": error.metadata,
        "violations": violations,
        "violation_count": error.violation_count,
    }
    return to_json({"error": {key: value for key, value in body.items() if value}})
