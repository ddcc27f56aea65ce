"""Intervals for proportions and for means of scores between 0 and 1, and the skill score."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A confidence interval within [0, 1] for the mean of `n` scores, and how it was found."""

    mean: float
    low: float
    high: float
    n: int
    method: str


def wilson_interval(successes: float, n: float, *, confidence: float = 0.95) -> Interval:
    """Wilson's score interval for a proportion (Wilson 1927, without continuity correction).

    `successes` lies between 0 and `n`; both may be fractional (an effective sample size).

    >>> interval = wilson_interval(16, 20)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.584, 0.919)
    """
    if not n > 0 or not 0 <= successes <= n:
        raise ValueError(f"successes must lie between 0 and n > 0, got {successes!r} of {n!r}")
    share = successes / n
    low, high = _wilson(share, n, _z(confidence))
    return Interval(mean=share, low=low, high=high, n=round(n), method="wilson")


def mean_interval(scores: Iterable[float], *, confidence: float = 0.95) -> Interval:
    """Interval for the mean of independent scores in [0, 1]; ValueError on none or others.

    Wilson's interval at the effective sample size n·m(1 − m)/s², which is plain Wilson
    where all scores are 0 or 1. One pseudo-observation of the greatest variance possible
    keeps equal scores from claiming an interval of width 0, and no sample claims more than
    one of all ones (or all zeros) could, so that a better sample never has a lower bound.
    Chosen by coverage among t, bootstrap and plus-k intervals, see docs/statistics.md.
    """
    values = checked_scores(scores)
    n = len(values)
    mean = min(1.0, max(0.0, math.fsum(values) / n))
    spread = mean * (1.0 - mean)
    z = _z(confidence)
    if all(value in (0.0, 1.0) for value in values):
        low, high = _wilson(mean, n, z)
        return Interval(mean=mean, low=low, high=high, n=n, method="wilson")
    variance = math.fsum((value - mean) ** 2 for value in values) / n
    share = min(1.0, variance / spread) if spread > 0 else 1.0
    effective = n * (n + 1) / (n * share + 1)
    low, high = _wilson(mean, effective, z)
    edge = z * z / (n + z * z)
    return Interval(
        mean=mean,
        low=min(low, 1.0 - edge),
        high=max(high, edge),
        n=n,
        method="wilson at the effective sample size",
    )


def is_rough(mean: float, n: int) -> bool:
    """Whether an interval of `mean_interval` is only a rough guide.

    Below 30 scores, or where less than five scores' worth lies on one side, the simulated
    coverage leaves 92–97 %.
    """
    return n < 30 or n * min(mean, 1.0 - mean) < 5


def skill_score(value: float, baseline: float) -> float | None:
    """(value − baseline) / (1 − baseline): 0 is no better than the baseline, 1 is perfect.

    None where the baseline is already perfect.

    >>> skill_score(0.75, 0.5)
    0.5
    """
    if baseline >= 1.0:
        return None
    return (value - baseline) / (1.0 - baseline)


def checked_scores(scores: Iterable[float]) -> list[float]:
    """The scores as floats; ValueError naming the place of one that is not in [0, 1]."""
    values = [float(score) for score in scores]
    if not values:
        raise ValueError("an interval needs at least one score, got none")
    for place, value in enumerate(values):
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"score {place} is {value!r}; scores must lie between 0 and 1")
    return values


def _wilson(share: float, n: float, z: float) -> tuple[float, float]:
    weight = z * z / n
    centre = (share + weight / 2.0) / (1.0 + weight)
    half = z / (1.0 + weight) * math.sqrt(share * (1.0 - share) / n + weight / (4.0 * n))
    # Rounding must not push an end past the share itself: it is exact at 0 and at 1.
    return max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))


def normal_quantile(share: float) -> float:
    """The standard normal value below which `share` lies; ValueError outside (0, 1)."""
    from statistics import NormalDist

    if not 0.0 < share < 1.0:
        raise ValueError(f"a share between 0 and 1 is needed, got {share!r}")
    return NormalDist().inv_cdf(share)


def normal_share(value: float) -> float:
    """The share of a standard normal distribution below `value`."""
    return 0.5 * math.erfc(-value / math.sqrt(2.0))


def _z(confidence: float) -> float:
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence!r}")
    return normal_quantile(0.5 + confidence / 2.0)
