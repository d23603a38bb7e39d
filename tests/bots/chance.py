"""Random choices that stay the same from one version of Python to the next."""

import random

__all__ = ["Chance"]


class Chance:
    """Random choices by `random()` alone: the part of Python's generator that it promises to keep."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def below(self, n: int) -> int:
        return int(self._random() * n)

    def is_likely(self, chance: float) -> bool:
        return self._random() < chance

    def shuffled(self, n: int) -> list[int]:
        """Returns the numbers below n in a random order."""
        pack = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            pack[i], pack[j] = pack[j], pack[i]
        return pack
