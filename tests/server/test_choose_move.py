"""ChooseMove, ListLegalMoves and ListBots: right answers."""

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from tapete.v1 import (
    Budget,
    ChooseMoveRequest,
    ChooseMoveResponse,
    DecidedBy,
    Game,
    GameMove,
    GameView,
    ListBotsRequest,
    ListLegalMovesRequest,
    StoppedBy,
)
from tapete_games.wire import read_game_move
from tests.server.rig import Running, deal_after, question, view_after

BOTS = ("random", "heuristic", "ismcts")


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("bot", BOTS)
def test_every_bot_answers_every_kind_of_position_with_a_legal_move(
    server: Running, bot: str, players: int
) -> None:
    for seed in range(12):
        deal = deal_after(seed, seed * 5, players)
        request = ChooseMoveRequest(
            view=GameView(guinote=deal.view()), bot=bot, budget=Budget(iterations=50), seed=seed
        )
        response = server.stub.ChooseMove(request)
        assert read_game_move(response.move, Game.GAME_GUINOTE) in deal.legal_moves()
        assert response.analysis.bot.startswith(f"{bot}@")
        assert response.analysis.seed == seed
        assert response.analysis.rules_edition == "2026-12"
        assert response.analysis.decided_by != DecidedBy.DECIDED_BY_UNSPECIFIED
        assert response.analysis.stopped_by != StoppedBy.STOPPED_BY_UNSPECIFIED


def test_an_empty_id_means_ismcts(server: Running) -> None:
    response = server.stub.ChooseMove(question(bot="", iterations=20))
    assert response.analysis.bot.startswith("ismcts@")


def test_options_of_an_id_come_back_in_the_answer(server: Running) -> None:
    response = server.stub.ChooseMove(question(bot="ismcts?iterations=30"))
    assert response.analysis.bot.startswith("ismcts@")
    assert "iterations=30" in response.analysis.bot
    assert response.analysis.iterations == 30


def test_the_iteration_budget_is_kept(server: Running) -> None:
    analysis = server.stub.ChooseMove(question(bot="ismcts", plies=2, iterations=700)).analysis
    assert analysis.iterations == 700
    assert analysis.stopped_by == StoppedBy.STOPPED_BY_ITERATIONS
    assert sum(candidate.visits for candidate in analysis.candidates) == 700


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(
    "budget",
    [
        Budget(),
        Budget(iterations=0),
        Budget(iterations=1),
        Budget(time=Duration()),
        Budget(time=Duration(nanos=1)),
        Budget(time=Duration(nanos=1_000_000)),
        Budget(iterations=0, time=Duration(nanos=1_000_000)),
    ],
    ids=["none", "0", "1", "0 ms", "1 ns", "1 ms", "0 and 1 ms"],
)
def test_the_smallest_budgets_have_answers(server: Running, bot: str, budget: Budget) -> None:
    deal = deal_after(5, 10)
    request = ChooseMoveRequest(view=GameView(guinote=deal.view()), bot=bot, budget=budget)
    response = server.stub.ChooseMove(request)
    assert read_game_move(response.move, Game.GAME_GUINOTE) in deal.legal_moves()


def test_no_iterations_means_no_search(server: Running) -> None:
    analysis = server.stub.ChooseMove(question(bot="ismcts", plies=2, iterations=0)).analysis
    assert analysis.iterations == 0
    assert analysis.decided_by == DecidedBy.DECIDED_BY_HEURISTIC


def test_one_iteration_is_one_iteration(server: Running) -> None:
    assert server.stub.ChooseMove(question(bot="ismcts", plies=2, iterations=1)).analysis.iterations == 1


def test_the_time_budget_ends_the_thinking(server: Running) -> None:
    request = question(bot="ismcts", plies=2)
    request.budget.time.FromMilliseconds(40)
    response, call = server.stub.ChooseMove.with_call(request)
    assert response.analysis.stopped_by == StoppedBy.STOPPED_BY_TIME
    assert response.analysis.iterations > 0
    trailers = dict(call.trailing_metadata())
    assert 35 <= float(trailers["tapete-think-ms"]) <= 400


def test_measured_times_travel_in_trailing_metadata(server: Running) -> None:
    _, call = server.stub.ChooseMove.with_call(question(bot="ismcts", plies=2, iterations=2000))
    trailers = dict(call.trailing_metadata())
    assert float(trailers["tapete-think-ms"]) > 0
    assert float(trailers["tapete-queue-ms"]) >= 0


def test_legal_moves_that_agree_are_accepted_in_any_order(server: Running) -> None:
    request = question()
    moves = server.stub.ListLegalMoves(ListLegalMovesRequest(view=request.view)).moves
    request.legal_moves.extend(reversed(moves))
    assert server.stub.ChooseMove(request).move in list(moves)


@pytest.mark.parametrize("players", [2, 4])
def test_legal_moves_are_the_referees(server: Running, players: int) -> None:
    for seed in range(30):
        deal = deal_after(seed, seed * 2, players)
        request = ListLegalMovesRequest(view=GameView(guinote=deal.view()))
        response = server.stub.ListLegalMoves(request)
        codes = [read_game_move(move, Game.GAME_GUINOTE) for move in response.moves]
        assert codes == deal.legal_moves()
        assert response.rules_edition == "2026-12"


def test_bots_are_listed_with_versions_games_and_options(server: Running) -> None:
    bots = server.stub.ListBots(ListBotsRequest()).bots
    names = {bot.id.split("@")[0] for bot in bots}
    assert names >= set(BOTS)
    for bot in bots:
        assert "@" in bot.id
        assert bot.summary
        both = [Game.GAME_GUINOTE, Game.GAME_GILE]
        assert list(bot.games) == (both[1:] if bot.id.startswith("equilibrium@") else both)
    listed = server.stub.ListBots(ListBotsRequest(game=Game.GAME_GUINOTE)).bots
    assert list(listed) == [bot for bot in bots if Game.GAME_GUINOTE in bot.games]
    options = {option.name for bot in bots if bot.id.startswith("ismcts") for option in bot.options}
    assert options >= {"iterations", "exploration"}


def test_listed_ids_can_be_asked(server: Running) -> None:
    for bot in server.stub.ListBots(ListBotsRequest(game=Game.GAME_GUINOTE)).bots:
        assert server.stub.ChooseMove(question(bot=bot.id, iterations=5)).analysis.bot == bot.id


def test_fields_that_are_unknown_outside_view_moves_and_budget_are_ignored(server: Running) -> None:
    raw = question().SerializeToString() + b"\xa2\x06\x03new"
    response = ChooseMoveResponse.FromString(server.raw("ChooseMove")(raw))
    assert isinstance(response.move, GameMove)
    assert response == server.stub.ChooseMove(question())


def test_methods_that_do_not_exist_are_unimplemented(server: Running) -> None:
    with pytest.raises(grpc.RpcError) as raised:
        server.raw("ChooseWisely")(b"")
    assert raised.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_a_view_of_each_seat_in_a_window_is_answered(server: Running) -> None:
    deal = next(
        deal
        for seed in range(200)
        for plies in range(8, 24)
        if (deal := deal_after(seed, plies)).decision in (0, 1) and not deal.is_over
    )
    for seat in range(4):
        view = GameView(guinote=deal.view(seat))
        moves = server.stub.ListLegalMoves(ListLegalMovesRequest(view=view)).moves
        assert any(move.guinote.HasField("no_action") for move in moves)
        assert server.stub.ChooseMove(ChooseMoveRequest(view=view, bot="random")).move in list(moves)


def test_views_are_stateless_across_calls(server: Running) -> None:
    first = server.raw("ChooseMove")(question(seed=8, plies=20).SerializeToString())
    server.stub.ChooseMove(ChooseMoveRequest(view=view_after(9, 3), bot="random"))
    assert server.raw("ChooseMove")(question(seed=8, plies=20).SerializeToString()) == first
