"""Corruptions of real views: each is refused at the field at fault, with its reason and the rule."""

import pytest

import tests.games.view_corruptions_fields
import tests.games.view_corruptions_history  # noqa: F401 - both add their cases
from tapete.v1 import ErrorReason, GuinoteView
from tapete_games.errors import MAX_VIOLATIONS, ViewError
from tapete_games.guinote.check import read_view
from tests.games.view_corruptions import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_corruption_is_refused_at_its_field(case: Case) -> None:
    view = GuinoteView()
    view.CopyFrom(case.view)
    read_view(view)
    case.change(view)
    with pytest.raises(ViewError) as caught:
        read_view(view)
    found = [
        (
            v.path.removeprefix("view.guinote").lstrip("."),
            ErrorReason.Name(v.reason).removeprefix("ERROR_REASON_"),
            v.message,
        )
        for v in caught.value.violations
    ]
    for (path, reason, part), (path_found, reason_found, message) in zip(case.expected, found, strict=False):
        assert (path_found, reason_found) == (path, reason), found
        assert part in message
    assert len(found) == min(caught.value.total, MAX_VIOLATIONS)
    assert len(found) > len(case.expected) if case.has_more else len(found) == len(case.expected), found
