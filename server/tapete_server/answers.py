"""Writes answers: what bots return, as messages."""

from functools import lru_cache

from tapete.v1 import (
    Analysis,
    Bot,
    BotOption,
    Candidate,
    ChooseMoveResponse,
    Game,
    GameMove,
    ListBotsResponse,
    ListLegalMovesResponse,
    StreamAnalysisResponse,
)
from tapete_bots.bot import Answer
from tapete_bots.registry import BotInfo
from tapete_games.edition import RULES_EDITION
from tapete_games.position import Position
from tapete_games.wire import write_game_move

__all__ = ["write_bots", "write_choice", "write_legal_moves", "write_partial"]


@lru_cache(maxsize=1024)
def _move(game: "Game.ValueType", code: int) -> GameMove:
    """Writes a move once; callers copy it into their message and never change it."""
    return write_game_move(game, code)


def _analysis(answer: Answer, position: Position, bot: str, seed: int) -> Analysis:
    game = position.game
    return Analysis(
        candidates=[
            Candidate(
                move=_move(game, candidate.move),
                visits=candidate.visits,
                expected_points=candidate.expected_points,
                expected_points_error=candidate.expected_points_error,
                win_probability=candidate.win_probability,
                win_probability_error=candidate.win_probability_error,
                expected_chips=candidate.expected_chips,
                expected_chips_error=candidate.expected_chips_error,
                probability=candidate.probability,
            )
            for candidate in answer.candidates
        ],
        decided_by=answer.decided_by,
        stopped_by=answer.stopped_by,
        iterations=answer.iterations,
        bot=bot,
        seed=seed,
        reason=answer.reason,
        rules_edition=RULES_EDITION,
    )


def write_choice(answer: Answer, position: Position, bot: str, seed: int) -> ChooseMoveResponse:
    """Writes the answer of the bot `bot`, which was given `seed`."""
    return ChooseMoveResponse(
        move=_move(position.game, answer.move), analysis=_analysis(answer, position, bot, seed)
    )


def write_partial(
    answer: Answer, position: Position, bot: str, seed: int, *, is_final: bool
) -> StreamAnalysisResponse:
    """Writes a partial or the final answer."""
    return StreamAnalysisResponse(
        move=_move(position.game, answer.move),
        analysis=_analysis(answer, position, bot, seed),
        is_final=is_final,
    )


def write_legal_moves(position: Position) -> ListLegalMovesResponse:
    """Writes the legal moves of a position, in the order of their codes."""
    return ListLegalMovesResponse(
        moves=[_move(position.game, code) for code in position.legal_moves], rules_edition=RULES_EDITION
    )


def write_bots(bots: tuple[BotInfo, ...], game: "Game.ValueType") -> ListBotsResponse:
    """Writes the bots that play `game`, or all for GAME_UNSPECIFIED."""
    return ListBotsResponse(
        bots=[
            Bot(
                id=bot.id,
                summary=bot.summary,
                games=bot.games,
                options=[
                    BotOption(
                        name=option.name,
                        summary=option.summary,
                        default_value=str(option.default),
                        minimum=option.minimum,
                        maximum=option.maximum,
                        choices=option.choices,
                        games=option.games,
                    )
                    for option in bot.options
                ],
            )
            for bot in bots
            if game == Game.GAME_UNSPECIFIED or game in bot.games
        ]
    )
