"""Two sets of answers to the same cases: difference with interval, tests, and what n can show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from scoring.statistics.intervals import mean_interval, normal_quantile

# Up to here all sign patterns are counted: 4,096 of them, exact and still instant.
MOST_ENUMERATED = 12


@dataclass(frozen=True, kw_only=True)
class Difference:
    """The mean of paired differences in [−1, 1], with a confidence interval."""

    mean: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, kw_only=True)
class McNemar:
    """Two-sided p values of McNemar's test on the cases that changed sides.

    `exact` never raises more false alarms than it says; `mid_p` counts half of the observed
    table's own probability and comes nearer to its level (Fagerland et al. 2013).
    """

    gained: int
    lost: int
    exact: float
    mid_p: float


def paired_difference(
    before: Sequence[float], after: Sequence[float], *, confidence: float = 0.95
) -> Difference:
    """Mean of `after − before` over cases, scores in [0, 1], with the interval of means.

    >>> paired_difference([1, 1, 0, 1], [1, 0, 0, 1]).mean
    -0.25
    """
    if len(before) != len(after):
        raise ValueError(f"pairs are needed, got {len(before)} scores before, {len(after)} after")
    # A difference in [−1, 1] is a score in [0, 1] after halving and shifting.
    halved = mean_interval(
        ((b - a + 1.0) / 2.0 for a, b in zip(before, after, strict=True)), confidence=confidence
    )
    mean = math.fsum(b - a for a, b in zip(before, after, strict=True)) / len(before)
    return Difference(
        mean=mean,
        low=min(mean, 2.0 * halved.low - 1.0),
        high=max(mean, 2.0 * halved.high - 1.0),
        n=halved.n,
    )


def mcnemar(gained: int, lost: int) -> McNemar:
    """McNemar's test: `gained` cases turned right, `lost` cases turned wrong.

    >>> round(mcnemar(1, 7).exact, 4)
    0.0703
    """
    if gained < 0 or lost < 0:
        raise ValueError(f"counts cannot be negative, got {gained} and {lost}")
    n, fewer = gained + lost, min(gained, lost)
    if n == 0:
        return McNemar(gained=gained, lost=lost, exact=1.0, mid_p=1.0)
    point = math.exp(_log_half_binomial(n, fewer))
    tail = math.fsum(math.exp(_log_half_binomial(n, k)) for k in range(fewer + 1))
    exact = min(1.0, 2.0 * tail)
    return McNemar(gained=gained, lost=lost, exact=exact, mid_p=min(1.0, 2.0 * tail - point))


def permutation_test(
    differences: Iterable[float], *, resamples: int = 9_999, seed: int = 0
) -> float:
    """Two-sided p value of the sign-flip test that paired differences are centred on 0.

    Exact by enumeration up to twelve differences other than 0, else by `resamples` seeded
    draws, counting the observed one, so that p is never 0 and the level is kept.
    """
    values = [float(value) for value in differences if value != 0]
    if not all(math.isfinite(value) for value in values):
        raise ValueError("differences must be finite numbers")
    if not values:
        return 1.0
    # Sums that are equal but for rounding must count as equal.
    observed = abs(math.fsum(values)) * (1.0 - 1e-12) - 1e-15
    if len(values) <= MOST_ENUMERATED:
        sums = [
            abs(math.fsum(s * v for s, v in zip(signs, values, strict=True)))
            for signs in product((1.0, -1.0), repeat=len(values))
        ]
        return sum(each >= observed for each in sums) / len(sums)
    import numpy

    draw = numpy.random.default_rng(seed)
    sizes = numpy.abs(numpy.asarray(values))
    total, extreme, left = float(sizes.sum()), 0, resamples
    while left:
        block = min(left, max(1, 4_000_000 // len(values)))
        flips = draw.integers(0, 2, (block, len(values)), dtype=numpy.int8)
        extreme += int((numpy.abs(2.0 * (flips @ sizes) - total) >= observed).sum())
        left -= block
    return (extreme + 1) / (resamples + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p values, in the order given (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    for place, p in enumerate(p_values):
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"p value {place} is {p!r}; it must lie between 0 and 1")
    adjusted, worst = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = worst
    return adjusted


def minimum_detectable_difference(
    n: int, *, spread: float, power: float = 0.8, level: float = 0.05
) -> float:
    """The mean difference that `n` pairs show with the given power, two-sided at `level`.

    `spread` is the standard deviation of the differences; for right and wrong answers it is
    about the square root of the share of cases that change sides.

    >>> round(minimum_detectable_difference(200, spread=0.2 ** 0.5), 3)
    0.089
    """
    if n < 1 or spread < 0:
        raise ValueError(f"n must be at least 1 and spread at least 0, got {n} and {spread}")
    reach = normal_quantile(1.0 - level / 2.0) + normal_quantile(power)
    return reach * spread / math.sqrt(n)


def _log_half_binomial(n: int, k: int) -> float:
    choices = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return choices - n * math.log(2.0)
