"""The lines of a text record, read one by one."""

import re
from collections.abc import Iterable, Iterator, Sequence

from tapete_games.edition import RULES_EDITION
from tapete_games.errors import RecordError

__all__ = ["RecordLines", "name_lines", "rules_line"]


def rules_line(words: Iterable[str]) -> str:
    """Writes the edition of the rules and what differs from the default."""
    return " ".join(["rules", RULES_EDITION, *words])


def name_lines(names: Sequence[str], seats: int) -> Iterator[str]:
    """Writes who sits at each seat; nothing where that is not known.

    Raises:
        ValueError: There are not as many names as seats, or one is not one line of text.
    """
    if names and len(names) != seats:
        raise ValueError(f"{len(names)} names for {seats} seats")
    for seat, name in enumerate(names):
        if name != name.strip() or not name.isprintable():
            raise ValueError(f"the name {name!r} is not one line of text without blanks around it")
        if name:
            yield f"seat {seat} {name}"


class RecordLines:
    """The lines of a text that say something, read one by one."""

    def __init__(self, text: str) -> None:
        numbered = enumerate(map(str.strip, text.split("\n")), 1)
        self._rest = [(number, line) for number, line in numbered if line and not line.startswith("#")]
        self._rest.reverse()
        self._number = 0

    def error(self, message: str) -> RecordError:
        """Makes an error at the line read last."""
        return RecordError(self._number, message)

    def next_starts_with(self, prefix: str | tuple[str, ...]) -> bool:
        """Tells whether the next line starts so, or in one of these ways."""
        return bool(self._rest) and self._rest[-1][1].startswith(prefix)

    def take(self, expected: str) -> str:
        """Reads a line; `expected` says what it should be, should there be none."""
        if not self._rest:
            self._number += 1
            raise self.error(f"the record ends here: expected {expected}")
        self._number, line = self._rest.pop()
        return line

    def expect(self, line: str) -> None:
        """Reads a line that must be this one, however its words are spaced."""
        self.compare(self.take(repr(line)), line)

    def compare(self, given: str, line: str) -> None:
        """Refuses `given`, read last, if it is not `line`."""
        if given.split() != line.split():
            raise self.error(f"{given!r} does not agree with what goes before: expected {line.strip()!r}")

    def match(self, expected: str, pattern: str) -> re.Match[str]:
        """Reads a line of this pattern."""
        line = self.take(f"'{expected}'")
        found = re.fullmatch(pattern, line)
        if not found:
            raise self.error(f"{line!r}: expected '{expected}'")
        return found

    def match_if(self, pattern: str) -> re.Match[str] | None:
        """Reads a line of this pattern if the next one is such."""
        found = re.fullmatch(pattern, self._rest[-1][1]) if self._rest else None
        if found:
            self.take("")
        return found

    def expect_end(self) -> None:
        """Refuses further lines."""
        if self._rest:
            raise RecordError(self._rest[-1][0], f"{self._rest[-1][1]!r}: expected the end of the record")

    def rules(self) -> list[str]:
        """Reads what differs from the default rules."""
        words = self.match(f"rules {RULES_EDITION}", r"rules (\S.*)")[1].split()
        if words[0] != RULES_EDITION:
            raise self.error(f"edition {words[0]} of the rules: only {RULES_EDITION} can be replayed")
        return words[1:]

    def names(self, seats: int) -> tuple[str, ...]:
        """Reads who sits at each seat; nothing if no seat is named."""
        names = [""] * seats
        while found := self.match_if(r"seat (\d) (.+)"):
            seat = int(found[1])
            if seat >= seats or names[seat]:
                raise self.error(f"seat {seat} cannot be named here: there are {seats}, each named once")
            names[seat] = found[2]
        return tuple(names) if any(names) else ()
