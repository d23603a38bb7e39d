"""Standings: what the finished units say, by mean scores over deals and their intervals.

The observation is a deal: an entrant's scores over all rotations of all its line-ups of one deal are one
mean, for they were made with the same cards.
"""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np
from scipy import stats

from tapete_tournament.definition import Tournament
from tapete_tournament.schedule import count_units, list_units
from tapete_tournament.store import Result

__all__ = ["Estimate", "Row", "Standings", "standings_of", "to_csv", "to_json", "to_text"]

_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean over deals, and half the width of its 95 % interval (Student's t)."""

    mean: float
    error: float | None
    """None where one deal, or none, says nothing about it."""
    deals: int

    @classmethod
    def of(cls, values: Iterable[float]) -> "Estimate":
        """Estimates from a value a deal; without any the mean is 0."""
        data = np.array(list(values), float)
        if len(data) == 0:
            return cls(0.0, None, 0)
        if len(data) == 1:
            return cls(float(data[0]), None, 1)
        width = stats.t.ppf((1 + _CONFIDENCE) / 2, len(data) - 1)
        return cls(float(data.mean()), float(width * data.std(ddof=1) / len(data) ** 0.5), len(data))

    def text(self, digits: int = 2) -> str:
        """Writes it as `+1.20 ± 0.34`; `± -` where the error is unknown."""
        error = "-" if self.error is None else f"{self.error:.{digits}f}"
        return f"{self.mean:+.{digits}f} ± {error}"


@dataclass(frozen=True)
class Row:
    """What an entrant has reached."""

    bot: str
    score: Estimate
    """Points or chips a game."""
    won: float
    """Share of games with more won than lost; even ones count half."""
    games: int
    against: dict[str, Estimate]
    """At tables of two positions: its score in the games with each other entrant."""


@dataclass(frozen=True)
class Standings:
    """The state of a tournament, best entrant first. Times are no part of it: they differ from run to run."""

    tournament: Tournament
    units: int
    """Finished units."""
    of_units: int
    rows: tuple[Row, ...]


def standings_of(tournament: Tournament, results: Iterable[Result]) -> Standings:
    """Makes the standings of finished units, in the order of their numbers."""
    scores: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    pairs: dict[tuple[int, int], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    games, won = [0] * len(tournament.bots), [0.0] * len(tournament.bots)
    units = list_units(tournament)
    count = 0
    for result in results:
        unit = next(u for u in units if u.number == result.number)
        count += 1
        for by_position in result.scores:
            for position, entrant in enumerate(unit.line_up):
                score = by_position[position]
                scores[entrant][unit.deal].append(score)
                games[entrant] += 1
                won[entrant] += 1.0 if score > 0 else 0.5 if score == 0 else 0.0
                if tournament.positions == 2:
                    pairs[entrant, unit.line_up[1 - position]][unit.deal].append(score)
    rows = [
        Row(
            bot,
            _estimate(scores[i]),
            won[i] / games[i] if games[i] else 0.5,
            games[i],
            {other: _estimate(pairs[i, j]) for j, other in enumerate(tournament.bots) if (i, j) in pairs},
        )
        for i, bot in enumerate(tournament.bots)
    ]
    rows.sort(key=lambda row: (-row.score.mean, row.bot))
    return Standings(tournament, count, count_units(tournament), tuple(rows))


def _estimate(by_deal: dict[int, list[float]]) -> Estimate:
    return Estimate.of(sum(values) / len(values) for _, values in sorted(by_deal.items()))


def to_text(standings: Standings) -> str:
    """Writes the table as plain text, the same bytes for the same units."""
    t = standings.tournament
    unit = "points" if t.game == "guinote" else "chips"
    width = max(len(row.bot) for row in standings.rows)
    title = f"{t.game}, {t.players} players, {t.format.value}, seed {t.seed}"
    lines = [
        f"{title}: {standings.units:,} of {standings.of_units:,} deals played with all rotations",
        "",
        f"   {'entrant':{width}}  {'games':>9}  {'won':>7}  {unit} a game",
    ]
    for place, row in enumerate(standings.rows, 1):
        won = f"{100 * row.won:5.1f} %"
        lines.append(f"{place:2} {row.bot:{width}}  {row.games:9,}  {won}  {row.score.text()}")
    if len(standings.rows) > 2 and t.positions == 2:
        lines += ["", f"{unit} a game, row against column:", ""]
        names = [row.bot for row in standings.rows]
        lines.append("   " + " " * width + "".join(f"  {place:>15}" for place in range(1, len(names) + 1)))
        for place, row in enumerate(standings.rows, 1):
            cells = [row.against[name].text() if name in row.against else "" for name in names]
            lines.append(f"{place:2} {row.bot:{width}}" + "".join(f"  {cell:>15}" for cell in cells).rstrip())
    return "\n".join(lines) + "\n"


def to_json(standings: Standings) -> str:
    """Writes the standings as JSON."""
    return json.dumps(asdict(standings), indent=2, ensure_ascii=False) + "\n"


def to_csv(standings: Standings) -> str:
    """Writes a line an entrant."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["place", "bot", "games", "won", "score", "error", "deals"])
    for place, row in enumerate(standings.rows, 1):
        error = "" if row.score.error is None else f"{row.score.error:.6f}"
        score = f"{row.score.mean:.6f}"
        writer.writerow([place, row.bot, row.games, f"{row.won:.6f}", score, error, row.score.deals])
    return out.getvalue()
