"""What every game must satisfy, whatever its rules: one suite, run by each game's tests.

Modelled on the API tests of OpenSpiel: legal moves, refusals, end, conservation, determinism by seed, and
views that leak nothing.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import pytest
from google.protobuf.message import Message

from tapete_games.errors import IllegalMoveError


class Referee(Protocol):
    """A deal that is being played."""

    @property
    def is_over(self) -> bool: ...

    @property
    def asked(self) -> int: ...

    def legal_moves(self) -> Sequence[int]: ...

    def play(self, move: int) -> None: ...

    def view(self, seat: int | None = None) -> Message: ...


R = TypeVar("R", bound=Referee)


@dataclass(frozen=True)
class Conformance(Generic[R]):
    """A game as the suite sees it; `check` runs all of it."""

    deal: Callable[[int], R]
    """Makes a deal that is a function of the seed: rules, players and cards."""
    illegal_moves: Callable[[R], Sequence[int]]
    """Lists codes that the deal must refuse now, all or some of them."""
    fingerprint: Callable[[R], object]
    """Everything that the referee knows, to be compared."""
    check_conservation: Callable[[R], None]
    """Asserts that no card, point or chip has come or gone."""
    reshuffled: Callable[[R, random.Random], R]
    """Makes the same deal at the same decision, with all that the seat asked cannot see drawn anew."""
    longest: int
    """The most decisions that a deal can have."""

    def check(self, seed: int) -> None:
        """Plays the deal of a seed at random and checks everything at each decision."""
        rng = random.Random(seed)
        deal, twin = self.deal(seed), self.deal(seed)
        decisions = 0
        while not deal.is_over:
            decisions += 1
            assert decisions <= self.longest
            self.check_conservation(deal)
            legal = list(deal.legal_moves())
            assert legal, "a seat is asked, so there is a move"
            assert legal == sorted(set(legal))
            self._check_refusal(deal, self.illegal_moves(deal), rng)
            self._check_view(deal, twin, rng)
            move = rng.choice(legal)
            deal.play(move)
            twin.play(move)
            assert self.fingerprint(deal) == self.fingerprint(twin), "same seed, same moves, same deal"
        self.check_conservation(deal)
        self._check_end(deal)

    def _check_refusal(self, deal: R, illegal: Sequence[int], rng: random.Random) -> None:
        assert illegal
        before = self.fingerprint(deal)
        with pytest.raises(IllegalMoveError):
            deal.play(rng.choice(illegal))
        assert self.fingerprint(deal) == before

    def _check_view(self, deal: R, twin: R, rng: random.Random) -> None:
        seat = deal.asked
        view = deal.view().SerializeToString(deterministic=True)
        assert deal.view(seat).SerializeToString(deterministic=True) == view
        assert twin.view().SerializeToString(deterministic=True) == view
        hidden = self.reshuffled(deal, rng)
        assert hidden.view(seat).SerializeToString(deterministic=True) == view, "a view leaks what is hidden"

    def _check_end(self, deal: R) -> None:
        assert list(deal.legal_moves()) == []
        for move in self.illegal_moves(deal):
            with pytest.raises(IllegalMoveError):
                deal.play(move)
        with pytest.raises(ValueError, match="over"):
            deal.view()
