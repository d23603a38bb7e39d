"""Games on the wire: views and moves of any game, dispatched by their type.

All that a server or a client program needs in order to go from messages to positions and back.
"""

from google.protobuf.unknown_fields import UnknownFieldSet

from tapete.v1 import ErrorReason, Game, GameMove, GameView
from tapete_games.errors import ViewError, Violation
from tapete_games.guinote import view as guinote
from tapete_games.guinote.check import read_view
from tapete_games.position import Position

__all__ = ["read_game_move", "read_position", "write_game_move"]


def read_position(view: GameView, path: str = "view") -> Position:
    """Reads a view and checks it against its own history.

    Args:
        view: The message.
        path: Its path, for the violations.

    Raises:
        ViewError: The view is refused; all violations found are in it.
    """
    _refuse_unknown_fields(view, path)
    match view.WhichOneof("view"):
        case "guinote":
            return read_view(view.guinote, f"{path}.guinote")
        case _:
            raise _missing(path, "a view is required: guinote")


def write_game_move(game: "Game.ValueType", code: int) -> GameMove:
    """Writes a move of a game.

    Args:
        game: The game.
        code: Code of the move in the game's engine.
    """
    assert game == Game.GAME_GUINOTE
    return GameMove(guinote=guinote.write_move(code))


def read_game_move(move: GameMove, game: "Game.ValueType", path: str = "move") -> int:
    """Reads a move of a game; whether it is legal is not looked at.

    Args:
        move: The message.
        game: The game that it must belong to.
        path: Its path, for the violations.

    Returns:
        The code of the move in the game's engine.

    Raises:
        ViewError: It is not a move of that game.
    """
    assert game == Game.GAME_GUINOTE
    _refuse_unknown_fields(move, path)
    if move.WhichOneof("move") is None:
        raise _missing(path, "a move is required: guinote")
    return guinote.read_move(move.guinote, f"{path}.guinote")


def _refuse_unknown_fields(message: GameView | GameMove, path: str) -> None:
    """Refuses fields of the message itself that this version does not know, as another game's view."""
    if len(UnknownFieldSet(message)):
        text = "there is something here that this version does not know, perhaps another game"
        raise ViewError([Violation(path, ErrorReason.ERROR_REASON_UNKNOWN_FIELD, text)])


def _missing(path: str, text: str) -> ViewError:
    return ViewError([Violation(path, ErrorReason.ERROR_REASON_MISSING_FIELD, text)])
