"""Messages as JSON: written to be read by people, read strictly.

Reading names each fault by the path of its field, as the server does, and all faults at once: a field
that does not exist is refused, never dropped, lest a rule be dropped with it.
"""

import difflib
import json
from collections.abc import Iterator
from typing import Any, NoReturn

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import Message

from tapete.v1 import ErrorReason, GameView
from tapete_client import InvalidRequestError, Violation

__all__ = ["read_view", "to_json", "write_json"]

_LINE = 100
_MOST_FAULTS = 20
_MOST_DIGITS = 20
_MALFORMED = ErrorReason.Name(ErrorReason.ERROR_REASON_MALFORMED_REQUEST)
_UNKNOWN_FIELD = ErrorReason.Name(ErrorReason.ERROR_REASON_UNKNOWN_FIELD)
_OUT_OF_RANGE = ErrorReason.Name(ErrorReason.ERROR_REASON_OUT_OF_RANGE)


def write_json(message: Message) -> str:
    """Writes a message as JSON with the field names of the protos, short values on one line."""
    return to_json(MessageToDict(message, preserving_proto_field_name=True))


def to_json(value: object, indent: int = 0, used: int = 0) -> str:
    """Writes a value as JSON; what fits into a line stands on one.

    Args:
        value: What json.dumps takes.
        indent: Blanks before the line that the value begins on.
        used: Columns of that line that stand before and after the value.
    """
    flat = json.dumps(value, ensure_ascii=False)
    if indent + used + len(flat) <= _LINE or not isinstance(value, dict | list) or not value:
        return flat
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        keys = [f"{json.dumps(key, ensure_ascii=False)}: " for key in value]
        items = [
            to_json(item, indent + 2, len(key) + 1) for key, item in zip(keys, value.values(), strict=True)
        ]
        lines = [pad + key + item for key, item in zip(keys, items, strict=True)]
        return "{\n" + ",\n".join(lines) + "\n" + " " * indent + "}"
    lines = [pad + to_json(item, indent + 2, 1) for item in value]
    return "[\n" + ",\n".join(lines) + "\n" + " " * indent + "]"


class _UnreadableError(ValueError):
    """A value of JSON that no view can have; the message is a sentence."""


class _Object(dict[str, Any]):
    """A JSON object that remembers which keys stood in it twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        seen: set[str] = set()
        self.repeated = [key for key, _ in pairs if key in seen or seen.add(key)]  # type: ignore[func-returns-value]


def read_view(text: str) -> GameView:
    """Reads a GameView, or a bare GuinoteView or GileView, from JSON.

    Only its form is checked here; whether the view makes sense is the server's business.

    Raises:
        InvalidRequestError: It is not a view; every fault has its path.
    """
    try:
        data = json.loads(
            text, object_pairs_hook=_Object, parse_constant=_refuse_constant, parse_int=_read_int
        )
    except json.JSONDecodeError as error:
        _refuse([Violation("view", _MALFORMED, f"Line {error.lineno}, column {error.colno}: {error.msg}.")])
    except _UnreadableError as error:
        _refuse([Violation("view", _MALFORMED, f"{error}")])
    except RecursionError:
        _refuse([Violation("view", _MALFORMED, "Lists and objects are nested far deeper than in any view.")])
    if not isinstance(data, dict):
        _refuse(
            [Violation("view", _MALFORMED, "A JSON object is expected: a GameView, or the view of one game.")]
        )
    view = GameView()
    target: Message = view
    path = "view"
    if not any(field.name in data for field in GameView.DESCRIPTOR.fields):
        # Stacks tell a bare view of Gilé.
        game = "gile" if "stacks" in data else "guinote"
        target = getattr(view, game)
        target.SetInParent()
        path = f"view.{game}"
    faults = list(_faults(target.DESCRIPTOR, data, path))
    if faults:
        _refuse(faults)
    try:
        ParseDict(data, target)
    except ParseError:
        _refuse([Violation(path, _MALFORMED, f"This is no {target.DESCRIPTOR.name} that can be read.")])
    return view


def _refuse(faults: list[Violation]) -> NoReturn:
    raise InvalidRequestError(
        f"{faults[0].path}: {faults[0].message}",
        reason=faults[0].reason,
        violations=tuple(faults[:_MOST_FAULTS]),
        violation_count=len(faults),
    )


def _refuse_constant(name: str) -> NoReturn:
    raise _UnreadableError(f"{name} is no number of JSON.")


def _read_int(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise _UnreadableError(
            f"{_cut(text)} has {len(text):,} characters: no number of a view is that long."
        )
    return int(text)


def _faults(kind: Any, value: object, path: str) -> Iterator[Violation]:
    """Finds what is wrong with the form of a message."""
    if not isinstance(value, _Object):
        yield Violation(path, _MALFORMED, f"{_shown(value)} is no {kind.name}: a JSON object is expected.")
        return
    names = {name: field for field in kind.fields for name in (field.json_name, field.name)}
    found: set[str] = set()
    chosen: dict[str, str] = {}
    for key, item in value.items():
        field = names.get(key)
        if field is None:
            yield Violation(f"{path}.{_cut(key)}", _UNKNOWN_FIELD, _no_such_field(kind, _cut(key)))
            continue
        where = f"{path}.{field.name}"
        if field.name in found or key in value.repeated:
            yield Violation(where, _MALFORMED, f"{key} stands twice in this {kind.name}.")
        found.add(field.name)
        if item is None:
            # null means absent, in JSON as protobuf reads it.
            continue
        if field.containing_oneof is not None:
            other = chosen.setdefault(field.containing_oneof.name, field.name)
            if other != field.name:
                yield Violation(where, _MALFORMED, f"{other} and {field.name} exclude each other.")
        if not field.is_repeated:
            yield from _field_faults(field, item, where)
        elif isinstance(item, list):
            for i, element in enumerate(item):
                yield from _field_faults(field, element, f"{where}[{i}]")
        else:
            yield Violation(where, _MALFORMED, f"{_shown(item)} is no list.")


def _field_faults(field: FieldDescriptor, value: object, path: str) -> Iterator[Violation]:
    """Finds what is wrong with the form of one value. All numbers in views are uint32."""
    if field.message_type is not None:
        yield from _faults(field.message_type, value, path)
    elif field.enum_type is not None:
        names = [item.name for item in field.enum_type.values]
        if isinstance(value, str) and value not in names:
            expected = ", ".join(names[1:])
            yield Violation(
                path,
                _OUT_OF_RANGE,
                f"{_shown(value)} is no {field.enum_type.name}: expected one of {expected}.",
            )
        elif not isinstance(value, str | int) or isinstance(value, bool):
            yield Violation(path, _MALFORMED, f"{_shown(value)} is no {field.enum_type.name}.")
        elif isinstance(value, int) and not -(2**31) <= value < 2**31:
            yield Violation(path, _OUT_OF_RANGE, f"{value} is no {field.enum_type.name}.")
    elif field.type == FieldDescriptor.TYPE_BOOL:
        if not isinstance(value, bool):
            yield Violation(path, _MALFORMED, f"{_shown(value)} is neither true nor false.")
    elif isinstance(value, bool) or not isinstance(value, int):
        yield Violation(path, _MALFORMED, f"{_shown(value)} is no whole number.")
    elif not 0 <= value < 2**32:
        yield Violation(path, _OUT_OF_RANGE, f"{value} is no number from 0 to {2**32 - 1}.")


def _no_such_field(kind: Any, key: str) -> str:
    names = [field.name for field in kind.fields]
    text = f"{kind.name} has no field of this name"
    close = difflib.get_close_matches(key, names, n=1)
    if close:
        return f"{text}; did you mean {close[0]}?"
    return f"{text}; it has {', '.join(names)}." if names else f"{text}; it has no fields."


def _shown(value: object) -> str:
    """Shows a value as JSON, cut to a bearable length."""
    try:
        return _cut(json.dumps(value, ensure_ascii=False))
    except RecursionError:
        return "A list in lists" if isinstance(value, list) else "An object in objects"


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
