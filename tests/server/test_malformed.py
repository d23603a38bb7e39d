"""Bytes of any kind: an answer or INVALID_ARGUMENT, never UNKNOWN and never INTERNAL."""

import random
from typing import Any

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapete.v1 import (
    ChooseMoveRequest,
    GameView,
    GuinoteSwapWindow,
    ListLegalMovesRequest,
    StreamAnalysisRequest,
)
from tests.bots import gile_situations
from tests.server.rig import SERVICE, Running, question, refused, unpack, view_after

METHODS = ("ListBots", "ChooseMove", "ListLegalMoves")
# Without these the search of a valid question would take its default time.
QUICK = question(bot="random").SerializeToString()

many = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


MALFORMED = {
    "tag": b"\xff",
    "length": b"\x0a\xff",
    "truncated": b"\x0a\x05abc",
    "not UTF-8": b"\x12\x02\xff\xfe",
    "field 0": b"\x00",
    "nested": b"\x0a" * 1000,
    "groups": b"\x0b" * 500,
    "wire type 7": b"\x0f\x00",
}
# These are messages of that type: the bytes stand in fields that it does not know.
WELL_FORMED = {("ListBots", "not UTF-8"), ("ListLegalMoves", "not UTF-8"), ("ListBots", "nested")}


@pytest.mark.parametrize(
    ("method", "kind"),
    [(method, kind) for method in METHODS for kind in MALFORMED if (method, kind) not in WELL_FORMED],
)
def test_malformed_bytes_are_an_invalid_argument(server: Running, method: str, kind: str) -> None:
    raw = MALFORMED[kind]
    refusal = refused(lambda: server.raw(method)(raw))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_REQUEST")
    assert "tapete.v1." in refusal.message
    assert "Error" not in refusal.message


def _call(server: Running, method: str, raw: bytes) -> None:
    """Makes a call that may fail only as documented."""
    try:
        if method == "StreamAnalysis":
            call: Any = server.channel.unary_stream(SERVICE + method)
            list(call(raw))
        else:
            server.raw(method)(raw)
    except grpc.RpcError as error:
        refusal = unpack(error)
        assert refusal.code in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND), refusal
        assert refusal.reason
        assert refusal.reason != "INTERNAL"


@many
@given(raw=st.binary(max_size=300))
def test_any_bytes(server: Running, raw: bytes) -> None:
    for method in (*METHODS, "StreamAnalysis"):
        _call(server, method, raw)


@many
@given(seed=st.integers(0, 2**32))
def test_a_real_request_with_bytes_changed(server: Running, seed: int) -> None:
    generator = random.Random(seed)
    raw = bytearray(question(bot="random", seed=seed % 50, plies=seed % 40).SerializeToString())
    for _ in range(generator.randint(1, 4)):
        where = generator.randrange(len(raw))
        match generator.randrange(3):
            case 0:
                raw[where] = generator.randrange(256)
            case 1:
                del raw[where : where + generator.randint(1, 5)]
            case 2:
                raw[where:where] = generator.randbytes(generator.randint(1, 5))
        if not raw:
            break
    _call(server, "ChooseMove", bytes(raw))
    inner = ListLegalMovesRequest(view=view_after(seed % 50, seed % 40)).SerializeToString()
    _call(server, "ListLegalMoves", inner[: generator.randrange(len(inner) + 1)])


GILE_VIEWS = [GameView(gile=deal.view()) for deal in gile_situations.samples(60, 31, default_rules=False)]


@many
@given(seed=st.integers(0, 2**32))
def test_a_real_request_of_gile_with_bytes_changed(server: Running, seed: int) -> None:
    generator = random.Random(seed)
    bot = generator.choice(("random", "heuristic", "equilibrium"))
    request = ChooseMoveRequest(view=generator.choice(GILE_VIEWS), bot=bot)
    raw = bytearray(request.SerializeToString())
    for _ in range(generator.randint(1, 3)):
        where = generator.randrange(len(raw))
        if generator.randrange(2):
            raw[where] = generator.randrange(256)
        else:
            del raw[where : where + generator.randint(1, 4)]
        if not raw:
            break
    _call(server, "ChooseMove", bytes(raw))
    _call(
        server, "ListLegalMoves", ListLegalMovesRequest(view=request.view).SerializeToString()[: -seed % 40]
    )


@many
@given(data=st.data())
def test_a_real_request_with_fields_changed(server: Running, data: st.DataObject) -> None:
    request = question(bot="random", seed=data.draw(st.integers(0, 30)), plies=data.draw(st.integers(0, 40)))
    view = request.view.guinote
    number = st.one_of(st.integers(0, 5), st.integers(0, 2**32 - 1))
    for name in data.draw(
        st.lists(
            st.sampled_from(
                ["players", "seat", "dealer", "muestra", "hand", "tricks", "vueltas", "coto", "swap"]
            )
        )
    ):
        if name in ("players", "seat", "dealer"):
            setattr(view, name, data.draw(number))
        elif name == "muestra":
            view.muestra.rank = data.draw(number)
        elif name == "hand" and view.hand:
            view.hand[data.draw(st.integers(0, len(view.hand) - 1))].rank = data.draw(number)
        elif name == "tricks" and view.tricks:
            trick = view.tricks[data.draw(st.integers(0, len(view.tricks) - 1))]
            trick.leader = data.draw(number)
            if len(trick.cards) > data.draw(st.integers(0, 1)):
                del trick.cards[0]
        elif name in ("vueltas", "coto"):
            score = getattr(view, name)
            score.even_side, score.odd_side = data.draw(number), data.draw(number)
        elif name == "swap":
            view.swap.seat, view.swap.after_tricks = data.draw(number), data.draw(number)
            view.swap.window = GuinoteSwapWindow.GUINOTE_SWAP_WINDOW_BEFORE_DRAW
    _call(server, "ChooseMove", request.SerializeToString())
    stream = StreamAnalysisRequest(choose=request)
    _call(server, "StreamAnalysis", stream.SerializeToString())


def test_a_quick_question_is_answered(server: Running) -> None:
    assert server.raw("ChooseMove")(QUICK)
