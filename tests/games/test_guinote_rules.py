"""The switches and settings of Guiñote."""

import pytest

from tapete.v1 import GuinoteMalas, GuinoteRules
from tapete_games.guinote import Deal, Malas, Rules, read_view, state
from tapete_games.guinote.rules import SWITCHES


def test_defaults_are_the_default_rules() -> None:
    rules = Rules()
    assert (rules.flags, rules.malas, rules.points_per_coto) == (0, Malas.THIRTY, 3)


def test_flags_round_trip() -> None:
    for flags in range(32):
        assert Rules.of_flags(flags).flags == flags
    assert Rules(no_tute=True).flags == state.NO_TUTE
    assert len({1 << i for i in range(5)} & set(SWITCHES.values())) == 5


@pytest.mark.parametrize("points", [0, 21, -3])
def test_g26_points_per_coto_out_of_range(points: int) -> None:
    with pytest.raises(ValueError, match=f"points_per_coto is {points}: expected 1 to 20"):
        Rules(points_per_coto=points)


def test_rules_round_trip_in_a_view() -> None:
    for flags in range(32):
        for malas in Malas:
            for points in (1, 3, 20):
                rules = Rules.of_flags(flags, malas, points)
                assert read_view(Deal(rules, 2, 0, range(40)).view()).rules == rules


def test_zero_values_on_the_wire_are_the_default_rules() -> None:
    view = Deal(Rules(), 2, 0, range(40)).view()
    assert not view.HasField("rules")
    for rules in (
        GuinoteRules(),
        GuinoteRules(malas=GuinoteMalas.GUINOTE_MALAS_UNSPECIFIED),
        GuinoteRules(malas=GuinoteMalas.GUINOTE_MALAS_THIRTY, points_per_coto=3),
    ):
        view.rules.CopyFrom(rules)
        assert read_view(view).rules == Rules()
