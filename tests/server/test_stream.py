"""StreamAnalysis: partial results in order, then exactly one final answer."""

import time

import pytest

from tapete.v1 import ChooseMoveResponse, StoppedBy, StreamAnalysisRequest
from tests.server.rig import Loop, Running, question, running, with_probes


def _stream(server: Running, request: StreamAnalysisRequest, timeout: float = 30) -> list:  # type: ignore[type-arg]
    return list(server.stub.StreamAnalysis(request, timeout=timeout))


@pytest.mark.parametrize("bot", ["random", "heuristic", "ismcts", "spin"])
@pytest.mark.parametrize("iterations", [0, 1, 300])
def test_the_last_message_and_only_that_is_final(server: Running, bot: str, iterations: int) -> None:
    for seed in range(4):
        request = StreamAnalysisRequest(
            choose=question(bot=bot, seed=seed, plies=4 * seed, iterations=min(iterations, 300))
        )
        if bot == "spin" and iterations == 0:
            request.choose.budget.iterations = 2
        request.interval.FromMilliseconds(10)
        messages = _stream(server, request)
        assert [message.is_final for message in messages] == [False] * (len(messages) - 1) + [True]


def test_partial_results_come_at_intervals_in_order_of_iterations(server: Running) -> None:
    request = StreamAnalysisRequest(choose=question(bot="ismcts", plies=2))
    request.choose.budget.time.FromMilliseconds(500)
    request.interval.FromMilliseconds(50)
    arrivals = []
    iterations = []
    for message in server.stub.StreamAnalysis(request):
        arrivals.append(time.monotonic())
        iterations.append(message.analysis.iterations)
        assert message.HasField("move")
        assert message.analysis.bot.startswith("ismcts@")
    assert 4 <= len(arrivals) <= 11
    assert iterations == sorted(iterations)
    assert iterations[0] > 0


def test_the_final_answer_is_that_of_choose_move(server: Running) -> None:
    request = StreamAnalysisRequest(choose=question(bot="ismcts", plies=2, iterations=20_000))
    request.interval.FromMilliseconds(10)
    *partials, final = _stream(server, request)
    chosen: ChooseMoveResponse = server.stub.ChooseMove(request.choose)
    assert (final.move, final.analysis) == (chosen.move, chosen.analysis)
    assert partials
    for partial in partials:
        assert partial.analysis.iterations < 20_000
        assert partial.analysis.stopped_by == StoppedBy.STOPPED_BY_UNSPECIFIED


def test_the_default_interval_is_200_ms(server: Running) -> None:
    request = StreamAnalysisRequest(choose=question(bot="spin"))
    assert len(_stream(server, request, timeout=0.9)) in range(2, 6)


def test_a_deadline_ends_the_stream_with_a_final_answer(server: Running) -> None:
    request = StreamAnalysisRequest(choose=question(bot="spin"))
    request.interval.FromMilliseconds(20)
    messages = _stream(server, request, timeout=0.4)
    assert messages[-1].is_final
    assert messages[-1].analysis.stopped_by == StoppedBy.STOPPED_BY_DEADLINE


def test_a_slow_reader_misses_partials_and_holds_up_nothing(server: Running) -> None:
    request = StreamAnalysisRequest(choose=question(bot="spin", iterations=300))
    request.interval.FromMilliseconds(10)
    stream = server.stub.StreamAnalysis(request)
    next(stream)
    time.sleep(0.5)
    assert server.stub.ChooseMove(question()).HasField("move")
    rest = list(stream)
    assert rest[-1].is_final


def test_trailing_metadata_ends_a_stream_too(server: Running) -> None:
    stream = server.stub.StreamAnalysis(StreamAnalysisRequest(choose=question(bot="ismcts", iterations=50)))
    list(stream)
    assert float(dict(stream.trailing_metadata())["tapete-think-ms"]) >= 0


def test_many_streams_at_once(loop: Loop) -> None:
    with running(loop, with_probes()) as server:
        request = StreamAnalysisRequest(choose=question(bot="ismcts", plies=2, iterations=5000))
        request.interval.FromMilliseconds(10)
        streams = [server.stub.StreamAnalysis(request) for _ in range(12)]
        finals = [list(stream)[-1] for stream in streams]
    assert all(final.is_final for final in finals)
    assert len({final.SerializeToString(deterministic=True) for final in finals}) == 1
