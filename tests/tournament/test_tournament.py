"""Tournaments: definitions, schedules, play, the store that survives kills, standings."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapete_games import gile, guinote
from tapete_tournament.definition import (
    Format,
    Tournament,
    TournamentError,
    make_tournament,
    read_definition,
)
from tapete_tournament.estimates import estimate_mean
from tapete_tournament.play import Player
from tapete_tournament.runner import run
from tapete_tournament.schedule import count_units, list_units
from tapete_tournament.standings import standings_of, to_csv, to_json, to_text
from tapete_tournament.store import Result, Store

STYLES = ("tight", "loose", "aggressive", "station")
MANY = ("heuristic", "random", *(f"heuristic?style={style}" for style in STYLES))


def gile_of(entrants: int, players: int, deals: int, form: Format = Format.ROUND_ROBIN) -> Tournament:
    return Tournament("gile", players, MANY[:entrants], deals, form)


# --- definitions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "mus"}, "game is 'mus': expected guinote or gile"),
        ({"players": 3}, "players is 3: expected 2 or 4 for guinote"),
        ({"game": "gile", "players": 6}, "players is 6: expected 2, 3, 4 or 5 for gile"),
        ({"bots": ["random"]}, "bots names 1: a tournament needs at least two entrants"),
        ({"bots": ["random", "nobody"]}, "there is no bot 'nobody'"),
        ({"bots": ["random", "random@1"]}, "'random' and 'random@1' are the same entrant, random@1"),
        ({"bots": ["random", "equilibrium"]}, "equilibrium@1 does not play guinote"),
        ({"bots": ["random", 3]}, "expected a list of ids of bots"),
        ({"bots": "random"}, "bots in the definition is 'random': expected a list of ids of bots"),
        ({"deals": 0}, "deals is 0: expected 1 to 10,000,000"),
        ({"deals": True}, "deals in the definition is True: expected a whole number"),
        ({"seed": -1}, "seed is -1: expected 0 to"),
        ({"format": "swiss"}, "format is 'swiss': expected round-robin or gauntlet"),
        ({"rounds": 3}, "the definition has 'rounds': known are game, players, bots, deals, format, seed"),
    ],
)
def test_what_cannot_be_held_is_refused(change: dict[str, object], said: str) -> None:
    values = {"game": "guinote", "players": 2, "bots": ["random", "heuristic"], "deals": 1, **change}
    with pytest.raises(TournamentError) as error:
        make_tournament(values)
    assert said in str(error.value)


def test_a_definition_is_read_from_toml_and_options_go_before_it(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('game = "gile"\nplayers = 4\nbots = ["random", "heuristic?style=tight"]\ndeals = 9\n')
    found = read_definition(file, {"deals": 3, "format": "gauntlet"})
    assert found == Tournament("gile", 4, ("random@1", "heuristic@1?style=tight"), 3, Format.GAUNTLET)
    file.write_text("game = ")
    with pytest.raises(TournamentError, match="is not TOML"):
        read_definition(file, {})
    file.write_text('game = "gile"\n')
    with pytest.raises(TournamentError, match="does not say players, bots, deals"):
        read_definition(file, {})


# --- schedules ----------------------------------------------------------------------------------


def test_everybody_meets_everybody_in_each_deal() -> None:
    tournament = gile_of(4, 2, 3)
    units = list(list_units(tournament))
    assert [unit.number for unit in units] == list(range(count_units(tournament))) == list(range(18))
    assert Counter(unit.line_up for unit in units) == {(i, j): 3 for i in range(4) for j in range(i + 1, 4)}
    assert [unit.deal for unit in units] == [0] * 6 + [1] * 6 + [2] * 6
    gauntlet = list(list_units(gile_of(4, 2, 3, Format.GAUNTLET)))
    assert {unit.line_up for unit in gauntlet} == {(0, 1), (0, 2), (0, 3)}


@given(
    st.integers(2, 6),
    st.integers(3, 5),
    st.integers(1, 60),
    st.sampled_from(list(Format)),
    st.integers(0, 99),
)
def test_line_ups_are_balanced(entrants: int, players: int, deals: int, form: Format, seed: int) -> None:
    tournament = Tournament("gile", players, MANY[:entrants], deals, form, seed)
    units = list(list_units(tournament))
    assert len(units) == deals
    seated = Counter(entrant for unit in units for entrant in unit.line_up)
    free = [i for i in range(entrants) if not (form == Format.GAUNTLET and i == 0)]
    counts = [seated[i] for i in free]
    # A round that was begun may be one or two places short.
    assert max(counts) - min(counts) <= 2
    if form == Format.GAUNTLET:
        assert all(unit.line_up.count(0) == 1 and unit.line_up[0] == 0 for unit in units)
    if len(free) >= players - (form == Format.GAUNTLET):
        assert all(len(set(unit.line_up)) == players for unit in units)
    # More deals go on where fewer ended.
    longer = Tournament("gile", players, MANY[:entrants], deals + 5, form, seed)
    assert list(list_units(longer))[:deals] == units


# --- play ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4])
def test_a_unit_of_guinote_is_the_same_cards_with_sides_swapped(players: int) -> None:
    tournament = Tournament("guinote", players, ("heuristic", "random"), 2)
    player = Player(tournament)
    units = list(list_units(tournament))
    first, second = (player.play(unit) for unit in units)
    packs = []
    for rotation, text in enumerate(first.records):
        match = guinote.replay(guinote.read_record(text))
        (deal,) = match.deals
        packs.append(tuple(deal.pack))
        points = deal.points[0] - deal.points[1]
        assert first.scores[rotation] == ((points, -points) if rotation == 0 else (-points, points))
    assert packs[0] == packs[1]
    assert first.records[0] != second.records[0]
    assert player.play(units[0]).scores == first.scores


def test_a_unit_of_gile_seats_everybody_everywhere() -> None:
    tournament = gile_of(3, 3, 1)
    player = Player(tournament)
    (unit,) = list_units(tournament)
    played = player.play(unit)
    seats = set()
    for rotation, text in enumerate(played.records):
        record = gile.read_record(text)
        (deal,) = gile.replay(record).deals
        won = [chips - 100 for chips in deal.chips]
        for position, entrant in enumerate(unit.line_up):
            seat = (position + rotation) % 3
            seats.add((position, seat))
            assert record.names[seat] == tournament.bots[entrant]
            assert played.scores[rotation][position] == won[seat]
        assert sum(played.scores[rotation]) == 0
    assert len(seats) == 9


# --- store and runner ---------------------------------------------------------------------------


def hold(tournament: Tournament, path: Path, workers: int = 0) -> str:
    with Store(path, tournament) as store:
        run(tournament, store, workers)
        found = standings_of(tournament, store.results(count_units(tournament)))
    return to_text(found) + to_csv(found) + to_json(found)


def test_more_deals_go_on_with_the_same_store(tmp_path: Path) -> None:
    hold(gile_of(3, 2, 4), tmp_path / "a.sqlite")
    longer = hold(gile_of(3, 2, 7), tmp_path / "a.sqlite")
    assert longer == hold(gile_of(3, 2, 7), tmp_path / "b.sqlite")
    # Fewer again: the table is of those alone.
    assert hold(gile_of(3, 2, 4), tmp_path / "a.sqlite") == hold(gile_of(3, 2, 4), tmp_path / "c.sqlite")


def test_a_store_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    hold(gile_of(2, 2, 1), path)
    with pytest.raises(TournamentError, match="is about another tournament"):
        Store(path, gile_of(3, 2, 1))
    with Store(path, gile_of(2, 2, 1)), pytest.raises(TournamentError, match="another run writes to"):
        Store(path, gile_of(2, 2, 1))
    other = tmp_path / "notes.txt"
    other.write_text("not a store, but long enough that nobody takes it for an empty file\n" * 40)
    with pytest.raises(TournamentError, match="is not the store of a tournament"):
        Store(other, gile_of(2, 2, 1))
    assert other.read_text().startswith("not a store")


@pytest.mark.long
def test_two_workers_make_the_same_table_as_one(tmp_path: Path) -> None:
    tournament = Tournament("guinote", 4, ("ismcts?iterations=20", "heuristic", "random"), 6)
    tables = {hold(tournament, tmp_path / f"{workers}.sqlite", workers) for workers in (0, 1, 2)}
    assert len(tables) == 1


@pytest.mark.long
@pytest.mark.timeout(900)
def test_killed_at_any_moment_it_goes_on(tmp_path: Path) -> None:
    """Twenty kills of the whole process group, then the table of a run that nobody disturbed."""
    options = ["--game", "gile", "--players", "3", "--deals", "2500", "--workers", "2"]
    options += ["--bots", "heuristic", "random", "heuristic?style=tight", "heuristic?style=loose"]
    command = [str(Path(sys.executable).with_name("tapete")), "tournament", *options, "--store"]
    path = tmp_path / "killed.sqlite"
    log = tmp_path / "killed.sqlite-wal"
    generator = random.Random(5)
    finished = [0]
    for kill in range(20):
        process = subprocess.Popen(
            [*command, str(path)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        # Every other one while it opens the store, the others while units are being stored.
        while process.poll() is None and not (log.exists() and log.stat().st_size > 30_000 * (kill % 2)):
            time.sleep(0.005)
        time.sleep(generator.random() * 0.1)
        assert process.poll() is None, f"it ended before kill {kill}"
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        finished.append(_count(path))
    assert finished == sorted(finished)
    assert len(set(finished)) >= 10
    assert finished[-1] < 2500
    table = subprocess.run([*command, str(path)], check=True, capture_output=True).stdout
    other = tmp_path / "whole.sqlite"
    assert table == subprocess.run([*command, str(other)], check=True, capture_output=True).stdout
    assert b"2,500 of 2,500 deals" in table
    with closing(sqlite3.connect(path)) as one, closing(sqlite3.connect(other)) as two:
        records = "SELECT * FROM record ORDER BY unit, rotation"
        assert one.execute(records).fetchall() == two.execute(records).fetchall()


def _count(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'unit'").fetchone():
            return 0
        return int(connection.execute("SELECT count(*) FROM unit").fetchone()[0])


# --- standings ----------------------------------------------------------------------------------


def test_the_observation_is_a_deal() -> None:
    tournament = gile_of(3, 2, 2)
    # Two deals of three pairings, two rotations each.
    scores = [
        ((10, -10), (2, -2)), ((4, -4), (0, 0)), ((1, -1), (-1, 1)),
        ((-6, 6), (2, -2)), ((8, -8), (0, 0)), ((3, -3), (3, -3)),
    ]  # fmt: skip
    results = [Result(i, s, (0.0, 0.0), (1, 1), 0.1) for i, s in enumerate(scores)]
    found = standings_of(tournament, results)
    first = next(row for row in found.rows if row.bot == "heuristic@1")
    # Deal 0: 10, 2, 4, 0; deal 1: -6, 2, 8, 0.
    assert first.score == estimate_mean([4.0, 1.0])
    assert first.games == 8
    # Won, even: deal 0: 3 and 1 of 4; deal 1: 2 and 1.
    assert first.won.mean == pytest.approx((3.5 + 2.5) / 8)
    assert first.against["random@1"] == estimate_mean([6.0, -2.0])
    assert sum(row.score.mean or 0.0 for row in found.rows) == pytest.approx(0.0)
    assert first.rating is not None
    assert json.loads(to_json(found))["rows"][0]["bot"] == found.rows[0].bot


def test_unfinished_tournaments_have_a_table_too() -> None:
    found = standings_of(gile_of(3, 2, 2), [])
    assert "0 of 6 deals" in to_text(found)
    assert "nan" not in (to_text(found) + to_csv(found) + to_json(found)).lower()
