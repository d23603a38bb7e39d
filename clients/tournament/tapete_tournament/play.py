"""Plays units: the same cards once for each rotation of the line-up, by the referee of the game."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from tapete.v1 import Game
from tapete_bots.bot import Bot, Budget, Control
from tapete_bots.registry import find_bot
from tapete_games import gile, guinote
from tapete_games.gile.deal import legal_moves_of
from tapete_games.gile.state import make_view as make_gile_view
from tapete_games.gile.state import new_view as new_gile_view
from tapete_games.guinote.engine import legal_moves
from tapete_games.guinote.moves import move_list
from tapete_games.guinote.state import make_view, new_view
from tapete_games.position import Position
from tapete_games.wire import is_legal
from tapete_tournament.definition import GAMES, Tournament
from tapete_tournament.schedule import Unit, seed_of

__all__ = ["Played", "Player"]


@dataclass(frozen=True)
class Played:
    """A finished unit."""

    number: int
    scores: tuple[tuple[int, ...], ...]
    """By rotation and position: points won less those lost (Guiñote), chips won or lost (Gilé)."""
    records: tuple[str, ...]
    """By rotation: the text record of the game."""
    thinking: tuple[float, ...]
    """By position: seconds that its bots took for their answers."""
    moves: tuple[int, ...]
    """By position: number of answers."""
    seconds: float
    """Of the whole unit."""


class Player:
    """Plays the units of a tournament; one thread uses it."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._bots = [find_bot(name, GAMES[tournament.game]) for name in tournament.bots]

    def play(self, unit: Unit) -> Played:
        """Plays all rotations of a unit."""
        began = time.perf_counter()
        count = self._tournament.positions
        self._thinking, self._moves = [0.0] * count, [0] * count
        scores, records = [], []
        for rotation in range(count):
            # Position p sits at seat, or side, (p + rotation) % count.
            places = [(place - rotation) % count for place in range(count)]
            seed = seed_of(32, "search", self._tournament.seed, unit.number, rotation)
            play = self._play_guinote if self._tournament.game == "guinote" else self._play_gile
            by_place, record = play(unit, places, seed)
            scores.append(tuple(by_place[(p + rotation) % count] for p in range(count)))
            records.append(record)
        return Played(
            unit.number,
            tuple(scores),
            tuple(records),
            tuple(self._thinking),
            tuple(self._moves),
            time.perf_counter() - began,
        )

    def _ask(self, position: int, bot: Bot, view: Position, seed: int) -> int:
        began = time.perf_counter()
        move = bot.choose(view, Budget(), seed, Control()).move
        self._thinking[position] += time.perf_counter() - began
        self._moves[position] += 1
        assert is_legal(view, move), f"{bot.id} made the illegal move {move}"
        return move

    def _play_guinote(self, unit: Unit, places: Sequence[int], seed: int) -> tuple[list[int], str]:
        """Plays a hand; returns the difference of points for both sides, a tute being 101, and the record."""
        tournament = self._tournament
        rules = guinote.Rules()
        match = guinote.Match(rules, tournament.players, unit.deal % tournament.players)
        deal = match.new_deal(guinote.shuffled_pack(seed_of(64, "cards", tournament.seed, unit.deal)))
        view = new_view()
        while not deal.is_over:
            seat = deal.asked
            make_view(deal.state, seat, view)
            view.asked = seat
            legal = tuple(move_list(legal_moves(view, seat, view.own)))
            position = places[seat % 2]
            move = legal[0]
            if len(legal) > 1:
                asked = Position(Game.GAME_GUINOTE, view, rules, seat, legal, deal.coto)
                bot = self._bots[unit.line_up[position]]
                move = self._ask(position, bot, asked, seed_of(32, "move", seed, len(deal.moves)))
            deal.play(move)
        match.finish(deal)
        tute = int(deal.state.tute_side)
        points = deal.points[0] - deal.points[1]
        if tute >= 0:
            points = 101 if tute == 0 else -101
        names = [self._bots[unit.line_up[places[seat % 2]]].id for seat in range(tournament.players)]
        return [points, -points], guinote.write_record(guinote.record_of(match, names))

    def _play_gile(self, unit: Unit, places: Sequence[int], seed: int) -> tuple[list[int], str]:
        """Plays a hand with fresh stacks; returns the chips won by each seat, and the record."""
        tournament = self._tournament
        rules = gile.Rules()
        stacks = (gile.STARTING_STACK,) * tournament.players
        sitting = gile.Sitting(rules, stacks, tournament.players - 1)
        deal = sitting.new_deal(
            gile.shuffled_pack(seed_of(64, "cards", tournament.seed, unit.deal)),
            seed_of(63, "stock", tournament.seed, unit.deal),
        )
        views = new_gile_view()
        while not deal.is_over:
            seat = deal.asked
            make_gile_view(deal.state, seat, views)
            legal = tuple(legal_moves_of(views.reshape(1), int(views.own)))
            position = places[seat]
            move = legal[0]
            if len(legal) > 1:
                asked = Position(Game.GAME_GILE, views, rules, seat, legal)
                bot = self._bots[unit.line_up[position]]
                move = self._ask(position, bot, asked, seed_of(32, "move", seed, len(deal.moves)))
            deal.play(move)
        sitting.finish(deal)
        won = [after - before for after, before in zip(deal.chips, stacks, strict=True)]
        names = [self._bots[unit.line_up[places[seat]]].id for seat in range(tournament.players)]
        return won, gile.write_record(gile.record_of(sitting, names))
