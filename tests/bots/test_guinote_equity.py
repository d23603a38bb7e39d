"""The worth of points carried into vueltas, and the value of a deal at its end."""

import numpy as np
import pytest

from tapete_bots.guinote.equity import EQUITY, next_leader_side, point_value, vueltas_value
from tapete_games.guinote import Malas, Rules
from tapete_games.guinote.engine import sing
from tapete_games.guinote.state import DECIDE_NOTHING, POINT, new_state
from tapete_games.kernel import kernel

pytestmark = pytest.mark.kernel


@kernel
def value(players: int, x: int, y: int, leads: int) -> float:
    return vueltas_value(players, x, y, leads)


@kernel
def leader(s: np.record) -> int:
    return next_leader_side(s)


@kernel
def sing_for(s: np.record, seat: int, suit: int) -> None:
    sing(s, seat, suit)


def table(players: int) -> np.ndarray:
    return EQUITY[players // 4].reshape(POINT, POINT)


def ended(
    points: tuple[int, int],
    last: int,
    *,
    cards: tuple[int, int] | None = None,
    malas: Malas = Malas.THIRTY,
    rules: Rules = Rules(),  # noqa: B008 - it is frozen
    players: int = 4,
    dealer: int = 0,
) -> np.record:
    """Makes a STATE of a first deal played to its end; the final trick was won by seat `last`."""
    s = new_state()
    s.players, s.dealer, s.rules, s.malas = players, dealer, rules.flags, int(malas)
    s.points[:] = points
    ten = [10 if side == last & 1 else 0 for side in (0, 1)]
    s.card_points[:] = cards or [points[side] - ten[side] for side in (0, 1)]
    s.tricks, s.latest_winner, s.tute_side = 40 // players, last, -1
    s.decision = DECIDE_NOTHING
    return s


@pytest.mark.parametrize("players", [2, 4])
def test_the_table_holds_probabilities(players: int) -> None:
    v = table(players)
    assert v.shape == (101, 101)
    assert np.isfinite(v).all()
    assert v.min() >= 0
    assert v.max() <= 1


@pytest.mark.parametrize("players", [2, 4])
def test_more_own_points_never_hurt_and_more_of_the_others_never_help(players: int) -> None:
    v = table(players)
    assert (np.diff(v, axis=0) >= 0).all()
    assert (np.diff(v, axis=1) <= 0).all()


@pytest.mark.parametrize("players", [2, 4])
def test_the_table_is_in_the_solver_s_millionths(players: int) -> None:
    v = table(players) * 1_000_000
    assert np.abs(v - np.round(v)).max() < 1e-6


@pytest.mark.parametrize("players", [2, 4])
def test_what_one_side_wins_the_other_loses(players: int) -> None:
    for x in range(0, 101, 7):
        for y in range(0, 101, 7):
            for leads in (0, 1):
                own = value(players, x, y, leads)
                # the same table seen from the other side
                other = value(players, y, x, 1 - leads)
                assert own + other == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("players", [2, 4])
def test_who_is_ahead_is_the_favourite(players: int) -> None:
    # a first deal without a winner leaves 130 points or more (G1, G23)
    for leads in (0, 1):
        assert 0.55 < value(players, 75, 55, leads) < value(players, 90, 40, leads) < 1
    # level and far from the end, the lead is worth little
    assert 0.4 < value(players, 65, 65, 0) < 0.6


def test_g24_f17_100_90_is_worth_its_vueltas() -> None:
    s = ended((100, 90), last=0, cards=(50, 70))
    # seat 0 deals next (G5), so that the side of seat 1 leads
    assert leader(s) == 1
    assert point_value(s) == value(4, 100, 90, 1) == 1 - table(4)[90, 100]
    assert 0.5 < point_value(s) < 1


def test_g24_f18_both_at_101_is_decided_by_the_final_trick() -> None:
    assert point_value(ended((120, 110), last=2)) == 1
    assert point_value(ended((120, 110), last=1)) == 0


def test_g25_f19_a_cante_wins_vueltas_at_101() -> None:
    s = new_state()
    s.players, s.trump, s.vueltas, s.tute_side, s.decision = 4, 0, 1, -1, 1
    s.points[:] = (81, 100)
    sing_for(s, 2, 1)
    assert s.decision == DECIDE_NOTHING
    assert point_value(s) == 1
    s = new_state()
    s.players, s.trump, s.vueltas, s.tute_side, s.decision = 4, 0, 1, -1, 1
    s.points[:] = (100, 61)
    sing_for(s, 3, 0)
    assert point_value(s) == 0


def test_g24_f20_a_side_without_its_malas_does_not_win() -> None:
    assert point_value(ended((109, 101), last=0, cards=(19, 101))) == 0
    assert point_value(ended((110, 100), last=0, cards=(20, 100))) == 1
    assert point_value(ended((109, 101), last=0, cards=(19, 101), malas=Malas.OFF)) == 1


def test_g24_cards_only_loses() -> None:
    assert point_value(ended((119, 91), last=0, cards=(29, 91), malas=Malas.CARDS_ONLY_LOSES)) == 0
    assert point_value(ended((120, 90), last=0, cards=(30, 90), malas=Malas.CARDS_ONLY_LOSES)) == 1


def test_g22_a_tute_is_the_point() -> None:
    for side in (0, 1):
        s = ended((0, 90), last=1)
        s.tute_side = side
        assert point_value(s) == 1 - side


@pytest.mark.parametrize(
    ("fixed", "dealer", "last", "leads"), [(False, 0, 3, 0), (True, 0, 3, 0), (True, 1, 3, 1)]
)
def test_g5_who_leads_the_vueltas(fixed: bool, dealer: int, last: int, leads: int) -> None:
    s = ended((95, 95), last, rules=Rules(fixed_rotation=fixed), dealer=dealer)
    assert leader(s) == leads
    assert point_value(s) == value(4, 95, 95, leads)


def test_two_players_have_a_table_of_their_own() -> None:
    s = ended((60, 70), last=0, players=2)
    assert point_value(s) == 1 - table(2)[70, 60]
    assert not np.array_equal(table(2), table(4))
