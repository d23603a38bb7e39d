"""Every reason of an error: code, reason, metadata and the path of the field."""

from collections.abc import Callable

import grpc
import pytest

from tapete.v1 import (
    ChooseMoveRequest,
    GameMove,
    GameView,
    GuinoteMove,
    GuinotePass,
    ListBotsRequest,
    ListLegalMovesRequest,
    StreamAnalysisRequest,
)
from tests.server.rig import Running, question, refused, view_after, wait_for

INVALID = grpc.StatusCode.INVALID_ARGUMENT


def test_unknown_bot(server: Running) -> None:
    refusal = refused(lambda: server.stub.ChooseMove(question(bot="deep-blue")))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_BOT")
    assert refusal.metadata["bot"] == "deep-blue"
    assert "ismcts" in refusal.metadata["known"]
    assert "deep-blue" in refusal.message


def test_unknown_version(server: Running) -> None:
    refusal = refused(lambda: server.stub.ChooseMove(question(bot="random@99")))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_BOT")


def test_unknown_option(server: Running) -> None:
    refusal = refused(lambda: server.stub.ChooseMove(question(bot="ismcts?iteration=5")))
    assert (refusal.code, refusal.reason) == (INVALID, "UNKNOWN_OPTION")
    assert refusal.metadata["option"] == "iteration"
    assert "iterations" in refusal.metadata["known"]
    assert refusal.violations == [("bot", "UNKNOWN_OPTION")]


def test_invalid_option(server: Running) -> None:
    refusal = refused(lambda: server.stub.ChooseMove(question(bot="ismcts?iterations=many")))
    assert (refusal.code, refusal.reason) == (INVALID, "INVALID_OPTION")
    assert refusal.metadata["option"] == "iterations"
    assert refusal.metadata["value"] == "many"
    assert refusal.metadata["expected"]


def test_a_bot_id_has_at_most_200_characters(server: Running) -> None:
    refusal = refused(lambda: server.stub.ChooseMove(question(bot="x" * 201)))
    assert (refusal.reason, refusal.violations) == ("OUT_OF_RANGE", [("bot", "OUT_OF_RANGE")])


@pytest.mark.parametrize("field", ["level", "reproduction_token"])
def test_what_is_not_offered_yet_is_refused(server: Running, field: str) -> None:
    request = question()
    setattr(request, field, "x")
    refusal = refused(lambda: server.stub.ChooseMove(request))
    assert (refusal.code, refusal.violations) == (INVALID, [(field, "NOT_OFFERED")])


def test_a_view_is_required(server: Running) -> None:
    for call in (
        lambda: server.stub.ChooseMove(ChooseMoveRequest()),
        lambda: server.stub.ListLegalMoves(ListLegalMovesRequest()),
        lambda: server.stub.ChooseMove(ChooseMoveRequest(view=GameView())),
    ):
        refusal = refused(call)
        assert (refusal.code, refusal.reason) == (INVALID, "MISSING_FIELD")
        assert refusal.violations == [("view", "MISSING_FIELD")]


def test_violations_of_a_view_have_its_paths(server: Running) -> None:
    request = question(plies=12)
    request.view.guinote.tricks[1].cards[2].rank = 9
    refusal = refused(lambda: server.stub.ChooseMove(request))
    assert (refusal.code, refusal.reason) == (INVALID, "OUT_OF_RANGE")
    assert ("view.guinote.tricks[1].cards[2].rank", "OUT_OF_RANGE") in refusal.violations


def test_violations_of_an_analysis_have_the_path_of_the_question(server: Running) -> None:
    request = StreamAnalysisRequest(choose=question(plies=12))
    request.choose.level = "x"
    request.choose.view.guinote.ClearField("seat")
    refusal = refused(lambda: list(server.stub.StreamAnalysis(request)))
    paths = [path for path, _ in refusal.violations]
    assert paths[0] == "choose.level"
    assert "choose.view.guinote.seat" in paths


def test_all_violations_come_together(server: Running) -> None:
    request = question(plies=12)
    request.level = "expert"
    request.reproduction_token = "token"
    request.budget.iterations = 10_000_001
    request.budget.time.seconds = 601
    request.view.guinote.hand[0].rank = 8
    refusal = refused(lambda: server.stub.ChooseMove(request))
    assert [path for path, _ in refusal.violations][:4] == [
        "level",
        "reproduction_token",
        "budget.iterations",
        "budget.time",
    ]
    assert any(path.startswith("view.guinote.hand[0]") for path, _ in refusal.violations)


@pytest.mark.parametrize(
    ("seconds", "nanos"),
    [(-1, 0), (600, 1), (601, 0), (0, -1), (0, 1_000_000_000), (2**62, 0), (-(2**62), 0)],
)
def test_time_is_0_to_600_s(server: Running, seconds: int, nanos: int) -> None:
    request = question()
    request.budget.time.seconds = seconds
    request.budget.time.nanos = nanos
    refusal = refused(lambda: server.stub.ChooseMove(request))
    assert (refusal.code, refusal.violations) == (INVALID, [("budget.time", "OUT_OF_RANGE")])


@pytest.mark.parametrize("milliseconds", [0, 9, 60_001])
def test_an_interval_is_10_ms_to_60_s(server: Running, milliseconds: int) -> None:
    request = StreamAnalysisRequest(choose=question())
    request.interval.FromMilliseconds(milliseconds)
    refusal = refused(lambda: list(server.stub.StreamAnalysis(request)))
    assert (refusal.code, refusal.violations) == (INVALID, [("interval", "OUT_OF_RANGE")])


def test_an_analysis_needs_a_question(server: Running) -> None:
    refusal = refused(lambda: list(server.stub.StreamAnalysis(StreamAnalysisRequest())))
    assert (refusal.code, refusal.violations) == (INVALID, [("choose", "MISSING_FIELD")])


def test_a_game_that_is_not_known(server: Running) -> None:
    refusal = refused(lambda: server.raw("ListBots")(b"\x08\x63"))
    assert (refusal.code, refusal.violations) == (INVALID, [("game", "OUT_OF_RANGE")])
    assert server.stub.ListBots(ListBotsRequest()).bots


UNKNOWN = b"\xa2\x06\x03new"


def _in_view(request: ChooseMoveRequest) -> str:
    request.view.MergeFromString(UNKNOWN)
    return "view"


def _in_guinote(request: ChooseMoveRequest) -> str:
    request.view.guinote.MergeFromString(UNKNOWN)
    return "view.guinote"


def _in_rules(request: ChooseMoveRequest) -> str:
    request.view.guinote.rules.MergeFromString(UNKNOWN)
    return "view.guinote.rules"


def _in_card(request: ChooseMoveRequest) -> str:
    request.view.guinote.tricks[1].cards[2].MergeFromString(UNKNOWN)
    return "view.guinote.tricks[1].cards[2]"


def _in_budget(request: ChooseMoveRequest) -> str:
    request.budget.MergeFromString(UNKNOWN)
    return "budget"


def _in_time(request: ChooseMoveRequest) -> str:
    request.budget.time.MergeFromString(UNKNOWN)
    return "budget.time"


def _in_legal_moves(request: ChooseMoveRequest) -> str:
    request.legal_moves[1].MergeFromString(UNKNOWN)
    return "legal_moves[1]"


def _in_legal_card(request: ChooseMoveRequest) -> str:
    request.legal_moves[1].guinote.play.MergeFromString(UNKNOWN)
    return "legal_moves[1].guinote.play"


@pytest.mark.parametrize(
    "add",
    [_in_view, _in_guinote, _in_rules, _in_card, _in_budget, _in_time, _in_legal_moves, _in_legal_card],
)
def test_unknown_fields_are_refused(server: Running, add: Callable[[ChooseMoveRequest], str]) -> None:
    request = question(plies=12)
    request.legal_moves.extend(server.stub.ListLegalMoves(ListLegalMovesRequest(view=request.view)).moves)
    path = add(request)
    refusal = refused(lambda: server.stub.ChooseMove(request))
    assert (refusal.code, refusal.reason) == (INVALID, "UNKNOWN_FIELD")
    assert (path, "UNKNOWN_FIELD") in refusal.violations


def test_legal_moves_that_are_not_legal_are_named(server: Running) -> None:
    request = question(plies=12)
    moves = server.stub.ListLegalMoves(ListLegalMovesRequest(view=request.view)).moves
    request.legal_moves.extend(moves)
    request.legal_moves.append(GameMove(guinote=GuinoteMove(no_action=GuinotePass())))
    refusal = refused(lambda: server.stub.ChooseMove(request))
    assert refusal.violations == [(f"legal_moves[{len(moves)}]", "LEGAL_MOVES_DIFFER")]


def test_legal_moves_that_are_missing_are_counted(server: Running) -> None:
    request = question(plies=0)
    moves = server.stub.ListLegalMoves(ListLegalMovesRequest(view=request.view)).moves
    request.legal_moves.extend(moves[2:])
    refusal = refused(lambda: server.stub.ChooseMove(request))
    assert refusal.violations == [("legal_moves", "LEGAL_MOVES_DIFFER")]
    assert "2 moves" in refusal.message


def test_too_many_legal_moves(server: Running) -> None:
    request = question(plies=0)
    moves = server.stub.ListLegalMoves(ListLegalMovesRequest(view=request.view)).moves
    for _ in range(20):
        request.legal_moves.extend(moves)
    refusal = refused(lambda: server.stub.ChooseMove(request))
    assert refusal.violations == [("legal_moves", "TOO_MANY")]


def test_a_legal_move_without_a_move_is_refused(server: Running) -> None:
    request = question(plies=0)
    request.legal_moves.append(GameMove())
    refusal = refused(lambda: server.stub.ChooseMove(request))
    assert refusal.code is INVALID
    assert refusal.violations == [("legal_moves[0]", "MISSING_FIELD")]


@pytest.mark.parametrize("bot", ["raise", "cancelled", "exit", "illegal"])
def test_a_fault_is_internal_with_an_id_and_no_more(server: Running, bot: str) -> None:
    for _ in range(3):
        refusal = refused(lambda: server.stub.ChooseMove(question(bot=bot), timeout=10))
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
        assert set(refusal.metadata) == {"error_id"}
        assert refusal.metadata["error_id"] in refusal.message
        for leaked in ("secret", "Strange", "Error:", "Traceback", "chose"):
            assert leaked not in refusal.message
    assert server.stub.ChooseMove(question()).HasField("move")


@pytest.mark.parametrize("bot", ["raise", "cancelled", "exit", "illegal"])
def test_a_fault_in_an_analysis_ends_the_stream(server: Running, bot: str) -> None:
    request = StreamAnalysisRequest(choose=question(bot=bot))
    refusal = refused(lambda: list(server.stub.StreamAnalysis(request, timeout=10)))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")


def test_a_fault_is_in_the_log_under_its_id(server: Running, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="tapete_server"):
        refusal = refused(lambda: server.stub.ChooseMove(question(bot="raise")))
    faults = [record for record in caplog.records if "event=fault" in record.message]
    assert refusal.metadata["error_id"] in faults[-1].message
    assert faults[-1].exc_info is not None
    assert "secret text" in str(faults[-1].exc_info[1])


def test_the_log_has_one_line_a_call_without_payloads(
    server: Running, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", logger="tapete_server"):
        server.stub.ChooseMove(question(bot="ismcts", iterations=10))
        # The log comes after the reply.
        wait_for(lambda: len(caplog.records) == 1)
        refused(lambda: server.stub.ChooseMove(question(bot="a\nb c")))
        wait_for(lambda: len(caplog.records) == 2)
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 2
    assert lines[0].startswith("event=call method=ChooseMove code=OK bot=ismcts@")
    assert "think_ms=" in lines[0]
    assert "code=NOT_FOUND reason=ERROR_REASON_UNKNOWN_BOT" in lines[1]
    assert "\n" not in lines[1]


def test_a_request_that_is_too_large_is_refused(server: Running) -> None:
    refusal = refused(lambda: server.raw("ChooseMove")(b"\x12" + b"\x00" * 300_000))
    assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED


def test_details_stay_within_4_kib_and_20_violations(server: Running) -> None:
    request = question(plies=30)
    for trick in request.view.guinote.tricks:
        for card in trick.cards:
            card.rank = 99
    request.level = "x" * 100_000
    refusal = refused(lambda: server.stub.ChooseMove(request))
    assert 3 < len(refusal.violations) <= 20
    assert refusal.details_bytes <= 4096 + 600
    assert "violations" in refusal.message
    total = int(refusal.message.rsplit("(", 1)[1].split()[0])
    assert total > 20


def test_views_of_the_helper_are_valid(server: Running) -> None:
    for seed in range(20):
        server.stub.ListLegalMoves(ListLegalMovesRequest(view=view_after(seed, seed * 3)))
