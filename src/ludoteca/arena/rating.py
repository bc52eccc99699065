"""From results to strength: Elo by Bradley and Terry with error bars, and a test that stops when it is sure.

No I/O and no chance here: results in, numbers out.
"""

import math
from collections.abc import Iterable, Sequence

import msgspec

# Points of Elo for a factor of e in the odds.
SCALE = 400 / math.log(10)
# Half a match won and lost against each rival, so that whoever won everything is strong and not infinite.
PRIOR = 0.5
# The width of an interval that holds the truth 19 times in 20, in standard errors.
WIDTH = 1.96
ROUNDS_MAX = 1000
CLOSE = 1e-9


class Result(msgspec.Struct, frozen=True):
    """One match of two: who had the first seat, who the other, and what the first one got (0 to 1)."""

    first: int
    second: int
    score: float


class Rating(msgspec.Struct, frozen=True):
    """A strength in Elo, the first bot's being 0, and the half width of its interval of 95 %."""

    elo: float
    error: float


def ratings(results: Iterable[Result], count: int) -> list[Rating]:
    """The strengths that make these results most likely. The error is that of the distance to the first bot,
    and the first bot's own that of its distance to the average of the others."""
    won = [[0.0] * count for _ in range(count)]
    met: set[tuple[int, int]] = set()
    for result in results:
        won[result.first][result.second] += result.score
        won[result.second][result.first] += 1 - result.score
        met |= {(result.first, result.second), (result.second, result.first)}
    for one, other in met:
        won[one][other] += PRIOR
    strengths = _fit(won, count)
    covariance = _covariance(won, strengths, count)
    errors = [math.sqrt(covariance[k][k]) if k else 0.0 for k in range(count)]
    if count > 1:
        others = range(1, count)
        errors[0] = math.sqrt(sum(covariance[a][b] for a in others for b in others)) / (count - 1)
    return [
        Rating(SCALE * (strength - strengths[0]), SCALE * WIDTH * error)
        for strength, error in zip(strengths, errors, strict=True)
    ]


def _fit(won: Sequence[Sequence[float]], count: int) -> list[float]:
    """Strengths as logarithms, by the usual iteration: each in turn as its rivals' strengths demand."""
    strengths = [0.0] * count
    for _ in range(ROUNDS_MAX):
        change = 0.0
        for one in range(count):
            total = sum(won[one])
            if not total:
                continue
            expected = sum(
                (won[one][other] + won[other][one]) / (math.exp(strengths[one]) + math.exp(strengths[other]))
                for other in range(count)
                if other != one
            )
            better = math.log(total / expected)
            change = max(change, abs(better - strengths[one]))
            strengths[one] = better
        if change < CLOSE:
            break
    return strengths


def _covariance(won: Sequence[Sequence[float]], strengths: Sequence[float], count: int) -> list[list[float]]:
    """Of the strengths less the first one's: the inverse of the information that the matches hold."""
    size = count - 1
    rows = [[0.0] * size + [float(k == n) for k in range(size)] for n in range(size)]
    for one in range(1, count):
        for other in range(count):
            if other == one:
                continue
            matches = won[one][other] + won[other][one]
            chance = 1 / (1 + math.exp(strengths[other] - strengths[one]))
            weight = matches * chance * (1 - chance)
            rows[one - 1][one - 1] += weight
            if other:
                rows[one - 1][other - 1] -= weight
    for n in range(size):
        # Who has met nobody: nothing is known.
        pivot = rows[n][n] or 1e-12
        rows[n] = [value / pivot for value in rows[n]]
        for k in range(size):
            if k != n and rows[k][n]:
                factor = rows[k][n]
                rows[k] = [value - factor * own for value, own in zip(rows[k], rows[n], strict=True)]
    inverse = [row[size:] for row in rows]
    return [[0.0] * count] + [[0.0, *row] for row in inverse]


class Sprt(msgspec.Struct, frozen=True):
    """Wald's test of "the first is `low` Elo stronger" against "it is `high` stronger"; both errors 5 %."""

    low: float
    high: float
    error: float = 0.05

    def likelihood(self, scores: Sequence[float]) -> float:
        """The logarithm of how much likelier the higher strength is. A draw is half a win and half a loss,
        which only makes the test more careful."""
        low, high = (1 / (1 + 10 ** (-elo / 400)) for elo in (self.low, self.high))
        won = sum(scores)
        return won * math.log(high / low) + (len(scores) - won) * math.log((1 - high) / (1 - low))

    def verdict(self, scores: Sequence[float]) -> str:
        """ "stronger", "not stronger", or "" as long as nobody can say."""
        bound = math.log((1 - self.error) / self.error)
        likelihood = self.likelihood(scores)
        return "stronger" if likelihood >= bound else "not stronger" if likelihood <= -bound else ""
