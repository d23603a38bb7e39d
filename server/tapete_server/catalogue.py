"""The bots that a server offers: a seam between the service and the registry."""

from collections.abc import Callable
from dataclasses import dataclass

from tapete.v1 import GameView
from tapete_bots import registry
from tapete_bots.bot import Bot, Budget, Control
from tapete_games.guinote.deal import Deal, shuffled_pack
from tapete_games.guinote.rules import Rules
from tapete_games.wire import read_position

__all__ = ["BUILT_IN", "Catalogue"]


def _rehearse() -> None:
    """Lets each bot answer whole deals without thinking long, from the view to the move."""
    for players in (2, 4):
        deal = Deal(Rules(), players, 0, shuffled_pack(0))
        while not deal.is_over:
            position = read_position(GameView(guinote=deal.view()))
            for info in registry.list_bots():
                if position.game in info.games:
                    registry.find_bot(info.id).choose(position, Budget(iterations=1), 0, Control())
            deal.play(position.legal_moves[0])


@dataclass(frozen=True)
class Catalogue:
    """What a server asks of a registry of bots."""

    find: Callable[[str], Bot]
    """Finds a bot by its id, the default one by an empty id; raises BotIdError."""
    infos: Callable[[], tuple[registry.BotInfo, ...]]
    """Describes the bots."""
    warm_up: Callable[[], None]
    """Compiles or loads what the bots need; called once, takes seconds when cold."""
    rehearse: Callable[[], None]
    """Uses everything once; called in each thread, since bots keep their arrays by thread."""


BUILT_IN = Catalogue(registry.find_bot, registry.list_bots, registry.warm_up, _rehearse)
"""The bots of the registry."""
