"""Bradley-Terry ratings on the Elo scale, with intervals by bootstrap over deals.

The model (Bradley and Terry, Biometrika 39, 1952): entrant i takes from entrant j the expected share
1 / (1 + 10^((R_j - R_i) / 400)). Shares need not be 0 or 1; they enter the likelihood as that many wins. A
result is one deal between two entrants with all its rotations. A table of more than two seats gives one
result for each two of its entrants, all with the deal's number.

**Prior.** Each entrant is also given one virtual deal, half won and half lost, spread evenly over the
opponents that it met (as Rémi Coulom's BayesElo spreads virtual draws). So a rating is finite at 0 % and
100 %, and the likelihood strictly concave.

**Intervals.** Rubin's Bayesian bootstrap (Annals of Statistics 9, 1981) over deals: each deal number gets a
random weight of exponential distribution, the same one for all its results, and the ratings are fitted
again. Unlike resampling with replacement it leaves no entrant out. A virtual win or loss gets a weight of
gamma distribution, its mass the shape, as the same paper has it for a prior. So an interval has width at 0 %
and 100 % too, where resampling alone would see none: for two entrants and deals won or lost it is that of
the distribution Beta(1 + wins, 1 + losses).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

__all__ = ["Rating", "Result", "rate"]

_Array = npt.NDArray[np.float64]

_ELO = 400 / math.log(10)

# Weights drawn at a time: about 2 million bounds the memory.
_DRAWN = 2_000_000

# A smaller virtual weight would only cost digits.
_LEAST_WEIGHT = 1e-6

_MOST_STEPS = 200

_RIDGE = 1e-12


@dataclass(frozen=True)
class Result:
    """What one entrant won of one deal against another, over all the rotations of seats."""

    deal: int
    """Number of the deal; results of the same cards have the same one."""

    first: str
    """An entrant."""

    second: str
    """Its opponent."""

    share: float
    """Share of the first, 0 to 1; the second has the rest."""

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise ValueError(f"share of {self.first} in deal {self.deal} is {self.share}: expected 0 to 1")
        if self.first == self.second:
            raise ValueError(f"{self.first} meets itself in deal {self.deal}: expected two entrants")


@dataclass(frozen=True)
class Rating:
    """An entrant's strength."""

    entrant: str
    """Name of the entrant."""

    elo: float | None
    """Elo points; None where the results cannot tell."""

    low: float | None
    """Lower end of the 95 % interval of its distance from the anchor; None with fewer than two deals."""

    high: float | None
    """Upper end of that interval; None with fewer than two deals."""

    deals: int
    """Number of different deals in which it has a result."""

    reason: str | None = None
    """Why there is no rating; None where there is one."""


def rate(
    results: Iterable[Result],
    *,
    anchor: str,
    anchor_elo: float = 0.0,
    entrants: Iterable[str] = (),
    prior: float = 1.0,
    repeats: int = 1000,
    seed: int = 0,
) -> list[Rating]:
    """Returns the ratings of all entrants, the strongest first and those without a rating last.

    Args:
        results: Any number of them, in any order, which does not matter.
        anchor: The entrant whose rating is fixed; its interval has no width.
        anchor_elo: Its rating.
        entrants: Names to be listed even without a result.
        prior: Virtual deals of each entrant, in all; 1e-9 to 1e6.
        repeats: Fits of the bootstrap; at least 1.
        seed: Seed of its weights.

    Returns:
        One rating an entrant. In simulations the intervals held the truth in 94 to 95 % of tournaments of
        three entrants and 12 to 100 deals (in more with fewer deals, where the prior decides), and in 93 %
        for two entrants 500 points apart after 30 deals.

    Raises:
        ValueError: prior or repeats is out of range.

    Example:
        >>> results = [Result(deal, "ismcts", "random", 1.0 if deal % 4 else 0.5) for deal in range(40)]
        >>> for rating in rate(results, anchor="random"):
        ...     print(rating.entrant, round(rating.elo))
        ismcts 311
        random 0
    """
    if not 1e-9 <= prior <= 1e6:
        raise ValueError(f"prior is {prior}: expected 1e-9 to 1e6 deals")
    if repeats < 1:
        raise ValueError(f"repeats is {repeats}: expected 1 or more")
    # Sorted, so that sums are rounded alike in whatever order deals end.
    ordered = sorted(results, key=lambda result: (result.deal, result.first, result.second, result.share))
    deals: dict[str, set[int]] = {name: set() for name in sorted({anchor, *entrants})}
    for result in ordered:
        deals.setdefault(result.first, set()).add(result.deal)
        deals.setdefault(result.second, set()).add(result.deal)
    joined = _joined_to(anchor, ordered)
    rated = [anchor, *sorted(joined - {anchor})]
    field = _Field.of(rated, [result for result in ordered if result.first in joined])
    elo = _ELO * field.fit(prior)[0]
    draws = np.concatenate([*field.refits(prior, repeats, seed)])
    low, high = _ELO * np.percentile(draws, [2.5, 97.5], axis=0)

    ratings = [Rating(anchor, anchor_elo, anchor_elo, anchor_elo, len(deals[anchor]))]
    ratings += [
        _rating(rated[i], anchor_elo, float(elo[i]), float(low[i]), float(high[i]), len(deals[rated[i]]))
        for i in range(1, len(rated))
    ]
    ratings.sort(key=lambda rating: (-(rating.elo or 0.0), rating.entrant))
    return ratings + [
        Rating(name, None, None, None, len(deals[name]), _why_not(anchor, len(deals[name])))
        for name in sorted(deals.keys() - joined)
    ]


@dataclass(frozen=True)
class _Field:
    """Results between entrants that are joined, by deal and pairing; the first entrant is the anchor."""

    size: int
    """Number of entrants."""

    first: npt.NDArray[np.intp]
    """First entrant of each pairing, shape (pairings,)."""

    second: npt.NDArray[np.intp]
    """Second entrant of each pairing, shape (pairings,)."""

    wins: _Array
    """What the first won in each deal, shape (deals, pairings)."""

    losses: _Array
    """What the second won in each deal, shape (deals, pairings)."""

    @classmethod
    def of(cls, names: Sequence[str], results: Sequence[Result]) -> "_Field":
        """Returns the field of some results, all of whose entrants are among the names."""
        places = {name: i for i, name in enumerate(names)}
        rows = {deal: i for i, deal in enumerate(sorted({result.deal for result in results}))}
        pairings = sorted({tuple(sorted((places[r.first], places[r.second]))) for r in results})
        columns = {pairing: i for i, pairing in enumerate(pairings)}
        wins = np.zeros((len(rows), len(pairings)))
        losses = np.zeros_like(wins)
        for result in results:
            i, j = places[result.first], places[result.second]
            share = result.share if i < j else 1 - result.share
            cell = rows[result.deal], columns[min(i, j), max(i, j)]
            wins[cell] += share
            losses[cell] += 1 - share
        ends = np.array(pairings, np.intp).reshape(-1, 2)
        return cls(len(names), ends[:, 0], ends[:, 1], wins, losses)

    def fit(self, prior: float) -> _Array:
        """Returns the strengths in logits, shape (1, entrants), the first entrant's 0."""
        virtual = prior * self._virtual()
        weights = np.ones((1, self.wins.shape[0]))
        return self._solve(weights @ self.wins + virtual, weights @ self.losses + virtual)

    def refits(self, prior: float, repeats: int, seed: int) -> Iterator[_Array]:
        """Yields the strengths under random weights of the deals, shape (some, entrants)."""
        generator = np.random.default_rng(seed)
        deals, pairings = self.wins.shape
        mass = prior * self._virtual()
        at_once = max(1, _DRAWN // max(deals, 1))
        for start in range(0, repeats, at_once):
            count = min(at_once, repeats - start)
            weights = generator.exponential(size=(count, deals))
            virtual = np.maximum(generator.gamma(mass, size=(2, count, pairings)), _LEAST_WEIGHT * mass)
            yield self._solve(weights @ self.wins + virtual[0], weights @ self.losses + virtual[1])

    def _virtual(self) -> _Array:
        """Returns the virtual wins of each pairing for a prior of one deal; its losses are as many."""
        opponents = np.bincount(np.concatenate([self.first, self.second]), minlength=self.size)
        return 0.5 / opponents[self.first] + 0.5 / opponents[self.second]

    def _solve(self, wins: _Array, losses: _Array) -> _Array:
        """Returns the strengths of largest likelihood, each row by itself, by Newton's method.

        The likelihood is strictly concave, so halving the steps that lower it makes it converge.
        """
        strength = np.zeros((wins.shape[0], self.size))
        for _ in range(_MOST_STEPS):
            slope, information = self._derivatives(strength, wins, losses)
            step = np.linalg.solve(information, slope[..., None])[..., 0]
            step *= np.minimum(1, 4 / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1))
            if np.abs(step).max() < 1e-9:
                break
            here = self._log_likelihood(strength, wins, losses)
            for _ in range(30):
                there = self._log_likelihood(strength + step, wins, losses)
                lower = there < here - 1e-9 * np.abs(here)
                if not lower.any():
                    break
                step[lower] /= 2
            strength += step
        return strength

    def _derivatives(self, strength: _Array, wins: _Array, losses: _Array) -> tuple[_Array, _Array]:
        """Returns the gradient and the information matrix, in which the first entrant stands still."""
        difference = strength[:, self.first] - strength[:, self.second]
        # Not as 1 - ahead, which is 0 some 37 logits away, and the matrix singular.
        ahead, behind = special.expit(difference), special.expit(-difference)
        surplus = wins * behind - losses * ahead
        weight = (wins + losses) * ahead * behind
        slope = np.zeros_like(strength)
        information = np.zeros((*strength.shape, self.size))
        for k, (i, j) in enumerate(zip(self.first, self.second, strict=True)):
            slope[:, i] += surplus[:, k]
            slope[:, j] -= surplus[:, k]
            information[:, i, i] += weight[:, k]
            information[:, j, j] += weight[:, k]
            information[:, i, j] -= weight[:, k]
            information[:, j, i] -= weight[:, k]
        slope[:, 0] = 0
        # Entrants so far apart that no result weighs anything stay where they are.
        information += _RIDGE * np.eye(self.size)
        information[:, 0, :] = information[:, :, 0] = 0
        information[:, 0, 0] = 1
        return slope, information

    def _log_likelihood(self, strength: _Array, wins: _Array, losses: _Array) -> _Array:
        ahead = strength[:, self.first] - strength[:, self.second]
        terms = wins * special.log_expit(ahead) + losses * special.log_expit(-ahead)
        return np.asarray(terms.sum(axis=1))


def _joined_to(anchor: str, results: Sequence[Result]) -> set[str]:
    """Returns the entrants that a chain of results joins to the anchor, itself included."""
    opponents: dict[str, set[str]] = {anchor: set()}
    for result in results:
        opponents.setdefault(result.first, set()).add(result.second)
        opponents.setdefault(result.second, set()).add(result.first)
    joined, waiting = {anchor}, [anchor]
    while waiting:
        new = opponents[waiting.pop()] - joined
        joined |= new
        waiting.extend(new)
    return joined


def _rating(name: str, anchor_elo: float, elo: float, low: float, high: float, deals: int) -> Rating:
    if deals < 2:
        return Rating(name, anchor_elo + elo, None, None, deals)
    # Percentiles of few or lopsided deals may miss the estimate itself.
    return Rating(name, anchor_elo + elo, anchor_elo + min(low, elo), anchor_elo + max(high, elo), deals)


def _why_not(anchor: str, deals: int) -> str:
    return f"no chain of results leads to {anchor}" if deals else "no results"
