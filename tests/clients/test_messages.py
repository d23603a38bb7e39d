"""JSON views: read strictly, written readably."""

import json
from typing import Any

import pytest

from tapete.v1 import GameView, GuinoteView
from tapete_cli.messages import read_view, to_json, write_json
from tapete_client import InvalidRequestError
from tests.clients.command import GUINOTE

EXAMPLE = json.loads((GUINOTE / "declare.json").read_text())


def faults(data: object) -> list[tuple[str, str]]:
    text = data if isinstance(data, str) else json.dumps(data)
    with pytest.raises(InvalidRequestError) as caught:
        read_view(text)
    assert all(violation.message.endswith((".", "?")) for violation in caught.value.violations)
    assert caught.value.reason == caught.value.violations[0].reason
    return [
        (violation.path, violation.reason.removeprefix("ERROR_REASON_"))
        for violation in caught.value.violations
    ]


def changed(**fields: Any) -> dict[str, Any]:
    return {"guinote": {**EXAMPLE["guinote"], **fields}}


@pytest.mark.parametrize("path", sorted(GUINOTE.glob("*.json")), ids=lambda path: path.stem)
def test_what_is_written_is_read_again(path: Any) -> None:
    text = path.read_text()
    view = read_view(text)
    assert write_json(view) + "\n" == text
    assert all(len(line) <= 100 for line in text.splitlines())
    assert read_view(json.dumps(json.loads(text)["guinote"])) == view


def test_camel_case_is_json_too() -> None:
    both = changed(rules={"pointsPerCoto": 5, "partner_relief": True})
    view = read_view(json.dumps(both))
    assert view.guinote.rules.points_per_coto == 5
    assert view.guinote.rules.partner_relief


def test_null_is_absent() -> None:
    assert read_view(json.dumps(changed(swap=None))) == read_view(
        json.dumps({"guinote": {k: v for k, v in EXAMPLE["guinote"].items() if k != "swap"}})
    )


def test_an_empty_object_is_an_empty_view_which_the_server_refuses() -> None:
    assert read_view("{}") == GameView(guinote=GuinoteView())


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("", [("view", "MALFORMED_REQUEST")]),
        ("{", [("view", "MALFORMED_REQUEST")]),
        ("[]", [("view", "MALFORMED_REQUEST")]),
        ("null", [("view", "MALFORMED_REQUEST")]),
        ("7", [("view", "MALFORMED_REQUEST")]),
        ('{"guinote": {"seat": NaN}}', [("view", "MALFORMED_REQUEST")]),
        ("[" * 100_000, [("view", "MALFORMED_REQUEST")]),
        ("[" * 2_000 + "]" * 2_000, [("view", "MALFORMED_REQUEST")]),
        ('{"seat": ' + "[" * 2_000 + "]" * 2_000 + "}", None),
        ('{"seat": ' + '{"a": ' * 2_000 + "1" + "}" * 2_001, None),
        ('{"seat": ' + "9" * 5_000 + "}", [("view", "MALFORMED_REQUEST")]),
        ('{"seat": ' + "9" * 20 + "}", [("view.guinote.seat", "OUT_OF_RANGE")]),
        (changed(decision=2**31), [("view.guinote.decision", "OUT_OF_RANGE")]),
        ({"guinote": 3}, [("view.guinote", "MALFORMED_REQUEST")]),
        ({"guinote": {}, "gile": {}}, [("view.gile", "MALFORMED_REQUEST")]),
        ({"guinote": {}, "mus": {}}, [("view.mus", "UNKNOWN_FIELD")]),
        ({"stacks": [1], "plyers": 4}, [("view.gile.plyers", "UNKNOWN_FIELD")]),
        ({"plyers": 4}, [("view.guinote.plyers", "UNKNOWN_FIELD")]),
        (changed(seat="2"), [("view.guinote.seat", "MALFORMED_REQUEST")]),
        (changed(seat=2.0), [("view.guinote.seat", "MALFORMED_REQUEST")]),
        (changed(seat=True), [("view.guinote.seat", "MALFORMED_REQUEST")]),
        (changed(seat=-1), [("view.guinote.seat", "OUT_OF_RANGE")]),
        (changed(seat=2**32), [("view.guinote.seat", "OUT_OF_RANGE")]),
        (changed(hand={}), [("view.guinote.hand", "MALFORMED_REQUEST")]),
        (changed(hand=[None]), [("view.guinote.hand[0]", "MALFORMED_REQUEST")]),
        (changed(hand=["12E"]), [("view.guinote.hand[0]", "MALFORMED_REQUEST")]),
        (changed(decision="PLAY"), [("view.guinote.decision", "OUT_OF_RANGE")]),
        (changed(decision=True), [("view.guinote.decision", "MALFORMED_REQUEST")]),
        (changed(decision=[]), [("view.guinote.decision", "MALFORMED_REQUEST")]),
        (changed(rules={"no_tute": "yes"}), [("view.guinote.rules.no_tute", "MALFORMED_REQUEST")]),
        (
            changed(rules={"no_tute": True, "noTute": False}),
            [("view.guinote.rules.no_tute", "MALFORMED_REQUEST")],
        ),
        ('{"guinote": {"seat": 1, "seat": 2}}', [("view.guinote.seat", "MALFORMED_REQUEST")]),
        (
            changed(tricks=[{"leader": 3, "cards": [{"suit": "OROS", "rank": 1}]}, {"leadr": 0}]),
            [
                ("view.guinote.tricks[0].cards[0].suit", "OUT_OF_RANGE"),
                ("view.guinote.tricks[1].leadr", "UNKNOWN_FIELD"),
            ],
        ),
    ],
)
def test_every_fault_has_its_path(data: object, expected: list[tuple[str, str]] | None) -> None:
    found = faults(data)
    if expected is None:
        # How deep Python itself can read changes with its version.
        assert [reason for _, reason in found] == ["MALFORMED_REQUEST"]
    else:
        assert found == expected


def test_no_message_is_in_the_words_of_python() -> None:
    for text in ("[" * 2_000 + "]" * 2_000, '{"seat": ' + "[" * 2_000 + "]" * 2_000 + "}", "9" * 5_000):
        with pytest.raises(InvalidRequestError) as caught:
            read_view(text)
        assert len(caught.value.message) < 200
        assert "recursion" not in caught.value.message
        assert "conversion" not in caught.value.message


def test_of_many_faults_the_first_are_listed_and_all_counted() -> None:
    with pytest.raises(InvalidRequestError) as caught:
        read_view(json.dumps(changed(hand=["12E"] * 3_000)))
    assert len(caught.value.violations) == 20
    assert caught.value.violation_count == 3_000


def test_a_misspelt_field_is_recognised() -> None:
    with pytest.raises(InvalidRequestError, match="did you mean muestra"):
        read_view('{"mustra": {}}')
    with pytest.raises(InvalidRequestError, match="it has suit, rank"):
        read_view('{"muestra": {"x": 1}}')


def test_numbers_of_enums_are_left_to_the_server() -> None:
    assert read_view(json.dumps(changed(decision=9))).guinote.decision == 9


def test_short_values_stand_on_one_line() -> None:
    assert to_json({"a": [1, 2], "b": {}}) == '{"a": [1, 2], "b": {}}'
    long = to_json({"list": [{"name": "x" * 40}, {"name": "y" * 60}], "ñ": None})
    assert json.loads(long) == {"list": [{"name": "x" * 40}, {"name": "y" * 60}], "ñ": None}
    assert long.splitlines()[2] == '    {"name": "' + "x" * 40 + '"},'
