"""Games on the wire: views and moves of any game, dispatched by their type.

All that a server or a client program needs in order to go from messages to positions and back.
"""

from google.protobuf.unknown_fields import UnknownFieldSet

from tapete.v1 import ErrorReason, Game, GameMove, GameView
from tapete_games.errors import ViewError, Violation
from tapete_games.gile import check as gile_check
from tapete_games.gile import view as gile
from tapete_games.gile.moves import is_between
from tapete_games.guinote import check as guinote_check
from tapete_games.guinote import view as guinote
from tapete_games.position import Position

__all__ = ["is_legal", "read_game_move", "read_position", "write_game_move"]

_GAMES = "guinote or gile"


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
            return guinote_check.read_view(view.guinote, f"{path}.guinote")
        case "gile":
            return gile_check.read_view(view.gile, f"{path}.gile")
        case _:
            raise _missing(path, f"a view is required: {_GAMES}")


def is_legal(position: Position, code: int) -> bool:
    """Tells whether a move is legal: one that is listed or, in Gilé, a bet or raise between those listed."""
    if code in position.legal_moves:
        return True
    return position.game == Game.GAME_GILE and is_between(code, position.legal_moves)


def write_game_move(game: "Game.ValueType", code: int) -> GameMove:
    """Writes a move of a game.

    Args:
        game: The game.
        code: Code of the move in the game's engine.
    """
    if game == Game.GAME_GILE:
        return GameMove(gile=gile.write_move(code))
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
    _refuse_unknown_fields(move, path)
    kind = move.WhichOneof("move")
    if kind is None:
        raise _missing(path, f"a move is required: {_GAMES}")
    asked = "gile" if game == Game.GAME_GILE else "guinote"
    if kind != asked:
        text = f"this is a move of {kind}: expected one of {asked}, as the view"
        raise ViewError([Violation(f"{path}.{kind}", ErrorReason.ERROR_REASON_OUT_OF_RANGE, text)])
    if kind == "gile":
        return gile.read_move(move.gile, f"{path}.gile")
    return guinote.read_move(move.guinote, f"{path}.guinote")


def _refuse_unknown_fields(message: GameView | GameMove, path: str) -> None:
    """Refuses fields of the message itself that this version does not know, as another game's view."""
    if len(UnknownFieldSet(message)):
        text = "there is something here that this version does not know, perhaps another game"
        raise ViewError([Violation(path, ErrorReason.ERROR_REASON_UNKNOWN_FIELD, text)])


def _missing(path: str, text: str) -> ViewError:
    return ViewError([Violation(path, ErrorReason.ERROR_REASON_MISSING_FIELD, text)])
