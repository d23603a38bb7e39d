"""The `random` bot: any legal move, all equally likely."""

from hashlib import blake2b

from tapete.v1 import DecidedBy, Game, MoveReason, StoppedBy
from tapete_bots.bot import Answer, Budget, Candidate, Control, Report
from tapete_games.position import Position

__all__ = ["RandomBot"]


class RandomBot:
    """Plays a legal move at random: the floor of every comparison, and the cheapest answer."""

    is_instant = True

    def __init__(self, bot_id: str) -> None:
        self.id = bot_id
        self.games = (Game.GAME_GUINOTE,)

    def choose(
        self, position: Position, budget: Budget, seed: int, control: Control, report: Report | None = None
    ) -> Answer:
        """Draws a move from the seed and the position, so that one seed serves a whole game."""
        moves = position.legal_moves
        digest = blake2b(position.view.tobytes(), digest_size=8, salt=seed.to_bytes(16, "little")).digest()
        move = moves[int.from_bytes(digest, "little") % len(moves)]
        is_forced = len(moves) == 1
        return Answer(
            move,
            (Candidate(move),),
            DecidedBy.DECIDED_BY_FORCED if is_forced else DecidedBy.DECIDED_BY_RANDOM,
            StoppedBy.STOPPED_BY_DONE,
            MoveReason.MOVE_REASON_FORCED if is_forced else MoveReason.MOVE_REASON_RANDOM,
        )
