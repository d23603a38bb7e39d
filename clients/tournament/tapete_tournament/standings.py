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

from tapete_tournament.definition import Tournament
from tapete_tournament.estimates import Estimate, estimate_mean, win_rate
from tapete_tournament.ratings import Rating, rate
from tapete_tournament.ratings import Result as Pairing
from tapete_tournament.schedule import count_units, list_units
from tapete_tournament.store import Result

__all__ = ["Row", "Standings", "standings_of", "to_csv", "to_json", "to_text"]


@dataclass(frozen=True)
class Row:
    """What an entrant has reached."""

    bot: str
    score: Estimate
    """Points or chips a game."""
    won: Estimate
    """Share of games with more won than lost; even ones count half."""
    rating: Rating | None
    """At tables of two positions: its strength by the games won, the last entrant named being at 0."""
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
    shares: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    games = [0] * len(tournament.bots)
    pairings: list[Pairing] = []
    units = list_units(tournament)
    count = 0
    for result in results:
        unit = next(u for u in units if u.number == result.number)
        count += 1
        for by_position in result.scores:
            for position, entrant in enumerate(unit.line_up):
                score = by_position[position]
                scores[entrant][unit.deal].append(score)
                shares[entrant][unit.deal].append(_share(score))
                games[entrant] += 1
                if tournament.positions == 2:
                    pairs[entrant, unit.line_up[1 - position]][unit.deal].append(score)
        if tournament.positions == 2:
            one, other = (tournament.bots[entrant] for entrant in unit.line_up)
            share = sum(_share(by_position[0]) for by_position in result.scores) / len(result.scores)
            pairings.append(Pairing(unit.deal, one, other, share))
    ratings = {r.entrant: r for r in rate(pairings, anchor=tournament.bots[-1])} if pairings else {}
    rows = [
        Row(
            bot,
            _mean(scores[i]),
            win_rate(_by_deal(shares[i])),
            ratings.get(bot),
            games[i],
            {other: _mean(pairs[i, j]) for j, other in enumerate(tournament.bots) if (i, j) in pairs},
        )
        for i, bot in enumerate(tournament.bots)
    ]
    rows.sort(key=lambda row: (-(row.score.mean or 0.0), row.bot))
    return Standings(tournament, count, count_units(tournament), tuple(rows))


def _share(score: int) -> float:
    return 1.0 if score > 0 else 0.5 if score == 0 else 0.0


def _by_deal(values: dict[int, list[float]]) -> list[float]:
    return [sum(of_deal) / len(of_deal) for _, of_deal in sorted(values.items())]


def _mean(values: dict[int, list[float]]) -> Estimate:
    return estimate_mean(_by_deal(values))


def _score_text(found: Estimate) -> str:
    """Writes it as `+1.20 ± 0.34`; `-` stands for what the deals do not tell."""
    mean = "-" if found.mean is None else f"{found.mean:+.2f}"
    return f"{mean} ± " + ("-" if found.half_width is None else f"{found.half_width:.2f}")


def _won_text(found: Estimate) -> str:
    low, high = found.low or 0.0, 1.0 if found.high is None else found.high
    mean = "-" if found.mean is None else f"{100 * found.mean:.1f} %"
    return f"{mean:>7} ({100 * low:.0f} to {100 * high:.0f})"


def _rating_text(rating: Rating | None) -> str:
    if rating is None or rating.elo is None:
        return "-"
    if rating.low is None or rating.high is None or rating.low == rating.high:
        return f"{rating.elo:+.0f}"
    return f"{rating.elo:+.0f} ({rating.low:+.0f} to {rating.high:+.0f})"


def to_text(standings: Standings) -> str:
    """Writes the table as plain text, the same bytes for the same units."""
    t = standings.tournament
    unit = "points" if t.game == "guinote" else "chips"
    width = max(len(row.bot) for row in standings.rows)
    title = f"{t.game}, {t.players} players, {t.format.value}, seed {t.seed}"
    head = f"   {'entrant':{width}}  {'games':>9}  {unit + ' a game':>16}  {'won':>19}"
    head += "  Elo" if t.positions == 2 else ""
    lines = [
        f"{title}: {standings.units:,} of {standings.of_units:,} deals played with all rotations",
        "",
        head,
    ]
    for place, row in enumerate(standings.rows, 1):
        cells = f"{row.games:9,}  {_score_text(row.score):>16}  {_won_text(row.won):>19}"
        elo = f"  {_rating_text(row.rating)}" if t.positions == 2 else ""
        lines.append(f"{place:2} {row.bot:{width}}  {cells}{elo}")
    if len(standings.rows) > 2 and t.positions == 2:
        lines += ["", f"{unit} a game, row against column:", ""]
        names = [row.bot for row in standings.rows]
        lines.append("   " + " " * width + "".join(f"  {place:>15}" for place in range(1, len(names) + 1)))
        for place, row in enumerate(standings.rows, 1):
            against = [_score_text(row.against[name]) if name in row.against else "" for name in names]
            lines.append(
                f"{place:2} {row.bot:{width}}" + "".join(f"  {cell:>15}" for cell in against).rstrip()
            )
    return "\n".join(lines) + "\n"


def to_json(standings: Standings) -> str:
    """Writes the standings as JSON."""
    return json.dumps(asdict(standings), indent=2, ensure_ascii=False) + "\n"


def to_csv(standings: Standings) -> str:
    """Writes a line an entrant."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["place", "bot", "games", "score", "score_low", "score_high", "won", "elo", "deals"])
    for place, row in enumerate(standings.rows, 1):
        elo = row.rating.elo if row.rating else None
        numbers = (row.score.mean, row.score.low, row.score.high, row.won.mean, elo)
        cells = ["" if number is None else f"{number:.6f}" for number in numbers]
        writer.writerow([place, row.bot, row.games, *cells, row.score.deals])
    return out.getvalue()
