"""The bots that a server offers: a seam between the service and the registry."""

from collections.abc import Callable
from dataclasses import dataclass

from tapete.v1 import Game, GameView
from tapete_bots import registry
from tapete_bots.bot import Bot, Budget, Control
from tapete_games import gile, guinote
from tapete_games.wire import read_position

__all__ = ["BUILT_IN", "Catalogue"]


def _rehearse() -> None:
    """Lets each bot answer whole deals without thinking long, from the view to the move."""
    for players in (2, 4):
        deal = guinote.Deal(guinote.Rules(), players, 0, guinote.shuffled_pack(0))
        while not deal.is_over:
            deal.play(_ask_all(GameView(guinote=deal.view())))
    hand = gile.Deal(gile.Rules(), (gile.STARTING_STACK,) * 3, 0, gile.shuffled_pack(0))
    # The least bet: a deal that all pass is void.
    hand.play(hand.legal_moves()[1])
    while not hand.is_over:
        _ask_all(GameView(gile=hand.view()))
        hand.play(next(move for move in hand.legal_moves() if gile.format_move(move) != "fold"))


def _ask_all(view: GameView) -> int:
    """Asks each bot; returns the first legal move."""
    position = read_position(view)
    for info in registry.list_bots():
        if position.game in info.games:
            registry.find_bot(info.id, position.game).choose(position, Budget(iterations=1), 0, Control())
    return position.legal_moves[0]


@dataclass(frozen=True)
class Catalogue:
    """What a server asks of a registry of bots."""

    find: "Callable[[str, Game.ValueType], Bot]"
    """Finds a bot by its id, the default one by an empty id, for a game; raises BotIdError."""
    infos: Callable[[], tuple[registry.BotInfo, ...]]
    """Describes the bots."""
    warm_up: Callable[[], None]
    """Compiles or loads what the bots need; called once, takes seconds when cold."""
    rehearse: Callable[[], None]
    """Uses everything once; called in each thread, since bots keep their arrays by thread."""


BUILT_IN = Catalogue(registry.find_bot, registry.list_bots, registry.warm_up, _rehearse)
"""The bots of the registry."""
