"""What the referees of all games have in common: one state of an engine, read by its cells."""

from functools import cached_property
from typing import ClassVar

import numpy as np

from tapete_games.kernel import RECORDS

__all__ = ["Referee", "cells_of"]


def cells_of(dtype: np.dtype) -> dict[str, int]:
    """Returns the first cell of each field of a record that is a row of int64 cells."""
    return {name: offset // 8 for name, (_, offset, *_) in (dtype.fields or {}).items()}


class Referee:
    """Holds a STATE. Reading a cell of it costs a tenth of an attribute of the record.

    A game says where its cells are, and which kind of decision means that the deal is over.
    """

    _DTYPE: ClassVar[np.dtype]
    _HAND: ClassVar[int]
    _DECISION: ClassVar[int]
    _ASKED: ClassVar[int]
    _OVER: ClassVar[int]

    def __init__(self) -> None:
        """Makes an empty state."""
        self._states = np.zeros(1, self._DTYPE).view(RECORDS)
        self._cells = self._states.view(np.int64)

    @cached_property
    def state(self) -> np.record:
        """STATE record of the engine; nobody but this object changes it."""
        record: np.record = self._states.view(np.recarray)[0]
        return record

    @property
    def decision(self) -> int:
        """Kind of decision asked for, as in the engine; DECIDE_NOTHING once the deal is over."""
        return self._cells.item(self._DECISION)

    @property
    def asked(self) -> int:
        """Seat that is asked; once the deal is over, the one that was asked last."""
        return self._cells.item(self._ASKED)

    @property
    def is_over(self) -> bool:
        """Whether the deal is over."""
        return self._cells.item(self._DECISION) == self._OVER

    def hand(self, seat: int) -> int:
        """Returns the set of cards in the hand of a seat."""
        return self._cells.item(self._HAND + seat)
