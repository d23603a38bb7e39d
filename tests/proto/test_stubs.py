"""The wire contract as Python sees it: what the committed stubs export and promise."""

import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor, FileDescriptor
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import Message

import tapete.v1
from tapete.v1 import (
    Card,
    ErrorReason,
    GameView,
    GuinoteCante,
    GuinoteDecision,
    GuinoteScore,
    GuinoteSwap,
    GuinoteSwapWindow,
    GuinoteTrick,
    GuinoteView,
    Suit,
    bot_service_pb2,
    card_pb2,
    error_reason_pb2,
    game_pb2,
    gile_pb2,
    guinote_pb2,
)

ROOT = Path(__file__).parents[2]
FILES: list[FileDescriptor] = [
    module.DESCRIPTOR
    for module in (bot_service_pb2, card_pb2, error_reason_pb2, game_pb2, gile_pb2, guinote_pb2)
]
ENUMS: list[EnumDescriptor] = [enum for file in FILES for enum in file.enum_types_by_name.values()]


def example_view() -> GuinoteView:
    """Returns a view with every kind of field set; the rules are not asked whether it can occur."""
    return GuinoteView(
        players=2,
        seat=0,
        dealer=1,
        muestra=Card(suit=Suit.SUIT_OROS, rank=12),
        hand=[Card(suit=Suit.SUIT_COPAS, rank=10), Card(suit=Suit.SUIT_COPAS, rank=12)],
        tricks=[
            GuinoteTrick(
                leader=0,
                cards=[Card(suit=Suit.SUIT_BASTOS, rank=1), Card(suit=Suit.SUIT_BASTOS, rank=2)],
            )
        ],
        cantes=[GuinoteCante(seat=0, suit=Suit.SUIT_COPAS, after_tricks=1)],
        swap=GuinoteSwap(seat=0, after_tricks=1, window=GuinoteSwapWindow.GUINOTE_SWAP_WINDOW_BEFORE_DRAW),
        vueltas=GuinoteScore(even_side=81, odd_side=0),
        decision=GuinoteDecision.GUINOTE_DECISION_PLAY,
    )


def test_every_file_of_the_package_is_looked_at() -> None:
    protos = {path.name for path in (ROOT / "proto/tapete/v1").glob("*.proto")}
    assert {Path(file.name).name for file in FILES} == protos


def test_a_view_survives_bytes_and_json() -> None:
    view = GameView(guinote=example_view())
    assert GameView.FromString(view.SerializeToString()) == view
    assert json_format.Parse(json_format.MessageToJson(view), GameView()) == view


def test_a_card_reads_as_printed_in_json() -> None:
    card = Card(suit=Suit.SUIT_OROS, rank=12)
    assert json_format.MessageToDict(card) == {"suit": "SUIT_OROS", "rank": 12}


def test_seat_zero_is_not_an_absent_seat() -> None:
    view = GuinoteView.FromString(GuinoteView(seat=0).SerializeToString())
    assert view.HasField("seat")
    assert not view.HasField("dealer")
    assert json_format.MessageToDict(view) == {"seat": 0}


@pytest.mark.parametrize("enum", ENUMS, ids=lambda enum: enum.name)
def test_zero_of_an_enum_is_unspecified(enum: EnumDescriptor) -> None:
    zero = enum.values_by_number[0].name
    words = "".join(f"_{letter}" if letter.isupper() else letter for letter in enum.name)
    assert zero == f"{words.lstrip('_').upper()}_UNSPECIFIED"


def test_numbers_of_error_reasons_are_unique() -> None:
    numbers = [number for _, number in ErrorReason.items()]
    assert len(set(numbers)) == len(numbers)


def test_fields_need_no_64_bits() -> None:
    """64-bit numbers would become strings in JSON."""
    kinds = (FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64)
    messages = [message for file in FILES for message in file.message_types_by_name.values()]
    wide = [field.full_name for message in messages for field in message.fields if field.cpp_type in kinds]
    assert wide == []


def test_package_exports_every_message_enum_and_service() -> None:
    defined = {
        name
        for file in FILES
        for group in (file.message_types_by_name, file.enum_types_by_name)
        for name in group
    }
    services = {
        name
        for file in FILES
        for service in file.services_by_name
        for name in (f"{service}Stub", f"{service}Servicer", f"add_{service}Servicer_to_server")
    }
    assert set(tapete.v1.__all__) == defined | services
    for name in defined:
        value = getattr(tapete.v1, name)
        assert isinstance(value, EnumTypeWrapper) or issubclass(value, Message)
    for name in services:
        assert callable(getattr(tapete.v1, name))
    with pytest.raises(AttributeError, match="'Nothing'"):
        _ = tapete.v1.Nothing  # type: ignore[attr-defined]


def test_messages_need_no_grpc() -> None:
    code = "import sys, tapete.v1; tapete.v1.GuinoteView(); sys.exit('grpc' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_lower_bounds_are_those_of_the_generator() -> None:
    pinned = (ROOT / "proto/requirements.txt").read_text()
    grpcio = next(line.split("==")[1] for line in pinned.splitlines() if line.startswith("grpcio-tools=="))
    stub = Path(card_pb2.__file__).read_text()
    protobuf = next(line.split(": ")[1] for line in stub.splitlines() if "Protobuf Python Version" in line)
    bounds = requires("tapete") or []
    assert f"grpcio>={grpcio}" in bounds
    assert f"protobuf<8,>={protobuf}" in bounds
