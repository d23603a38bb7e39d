"""The `random` bot of Gilé: any kind of action, any of four sizes, all equally likely."""

from hashlib import blake2b

from tapete.v1 import DecidedBy, Game, MoveReason
from tapete_bots.bot import Answer, Budget, Control, Report
from tapete_bots.gile.policy import ALL_IN, HALF, POT, slot_move
from tapete_bots.thinking import forced, single
from tapete_games.gile.moves import kind_of
from tapete_games.gile.state import BET, RAISE
from tapete_games.position import Position

__all__ = ["RandomBot"]


class RandomBot:
    """Acts at random: among the legal kinds of action, then among the least bet, half pot, pot and all in."""

    def __init__(self, bot_id: str) -> None:
        self.id = bot_id
        self.games = (Game.GAME_GILE,)

    def choose(
        self, position: Position, budget: Budget, seed: int, control: Control, report: Report | None = None
    ) -> Answer:
        """Draws a move from the seed and the position, so that one seed serves a whole sitting."""
        legal = position.legal_moves
        if len(legal) == 1:
            return forced(legal[0])
        digest = blake2b(position.view.tobytes(), digest_size=16, salt=seed.to_bytes(16, "little")).digest()
        first, second = (int.from_bytes(part, "little") for part in (digest[:8], digest[8:]))
        # The least and the greatest bet stand for one kind of action.
        moves = [move for i, move in enumerate(legal) if i == 0 or not _is_other_size(move, legal[i - 1])]
        move = moves[first % len(moves)]
        if kind_of(move) in (BET, RAISE):
            size = second % 4
            move = move if size == 3 else int(slot_move(position.view, (HALF, POT, ALL_IN)[size]))
        return single(move, DecidedBy.DECIDED_BY_RANDOM, MoveReason.MOVE_REASON_RANDOM)


def _is_other_size(move: int, before: int) -> bool:
    return kind_of(move) == kind_of(before) and kind_of(move) in (BET, RAISE)
