"""How well one rater, such as a judging model, agrees with people who rated the same answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from scoring.statistics.bootstrap import bootstrap_interval

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

RESAMPLES = 2_000


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A figure over `n` units with its interval; None where it is undefined on so few or such."""

    value: float | None
    low: float | None
    high: float | None
    n: int


def agreement(
    judge: Sequence[float],
    people: Sequence[Sequence[float | None]],
    *,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Mapping[str, Estimate]:
    """Agreement of a judge's ratings with people's, unit by unit, on one numeric scale.

    `people` has one row a person with None for what was not rated; each unit needs one rating.
    `bias` (judge − people's mean) and `mae` are in the scale's unit, `spearman` is the rank
    correlation, `quadratic_kappa` Cohen's kappa with squared distances, all against people's
    mean; `krippendorff_alpha` takes judge and people as raters of an interval scale, and
    `people_alpha` people alone where there are several. Intervals are BCa bootstrapped by unit
    or by `clusters`. ValueError for units without a rating or rows of unequal length.
    """
    import numpy

    ratings = numpy.array(
        [[math.nan if each is None else float(each) for each in row] for row in people],
        dtype=float,
    ).reshape(len(people), -1)
    if ratings.shape[1] != len(judge) or not len(judge):
        raise ValueError(
            f"each unit needs its ratings, got {len(judge)} of the judge and "
            f"{ratings.shape[1]} of people"
        )
    unrated = numpy.flatnonzero(numpy.isnan(ratings).all(axis=0))
    if len(unrated):
        raise ValueError(f"unit {unrated[0]} was rated by nobody")
    pairs = numpy.column_stack([numpy.asarray(judge, dtype=float), numpy.nanmean(ratings, axis=0)])
    everyone = numpy.column_stack([pairs[:, :1], ratings.T])
    estimate = partial(_estimate, clusters=clusters, resamples=resamples, seed=seed)
    found = {
        "bias": estimate(pairs, _bias),
        "mae": estimate(pairs, _mae),
        "spearman": estimate(pairs, _spearman),
        "quadratic_kappa": estimate(pairs, _quadratic_kappa),
        "krippendorff_alpha": estimate(everyone, interval_alpha),
    }
    if len(ratings) > 1:
        found["people_alpha"] = estimate(ratings.T, interval_alpha)
    return found


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's rank correlation with tied ranks averaged; None where one side is constant.

    >>> spearman([1, 2, 3, 4], [10, 20, 40, 30])
    0.8
    """
    import numpy

    value = _spearman(numpy.column_stack([first, second]).astype(float))
    return round(value, 15) if math.isfinite(value) else None


def interval_alpha(rows: NDArray[float64]) -> float:
    """Krippendorff's alpha on an interval scale: a row a unit, a column a rater, NaN for gaps.

    NaN where no unit has two ratings or all ratings are the same. A closed form of the
    coincidence matrix (Krippendorff 2011), fast enough to be bootstrapped.
    """
    import numpy

    known = ~numpy.isnan(rows)
    counts = known.sum(axis=1)
    values = numpy.where(known, rows, 0.0)[counts > 1]
    counts = counts[counts > 1]
    n = counts.sum()
    if not n:
        return math.nan
    sums, squares = values.sum(axis=1), (values**2).sum(axis=1)
    observed = (2 * (counts * squares - sums**2) / (counts - 1)).sum() / n
    expected = 2 * (n * squares.sum() - sums.sum() ** 2) / (n * (n - 1))
    return float(1 - observed / expected) if expected > 1e-12 else math.nan


def _estimate(
    rows: NDArray[float64],
    statistic: Callable[[NDArray[float64]], float],
    *,
    clusters: Sequence[Hashable] | None,
    resamples: int,
    seed: int,
) -> Estimate:
    value = statistic(rows)
    n = len(rows)
    if not math.isfinite(value):
        return Estimate(value=None, low=None, high=None, n=n)
    try:
        found = bootstrap_interval(
            rows, statistic, clusters=clusters, resamples=resamples, seed=seed
        )
    except ValueError:
        return Estimate(value=value, low=None, high=None, n=n)
    return Estimate(value=value, low=found.low, high=found.high, n=n)


def _bias(pairs: NDArray[float64]) -> float:
    return float((pairs[:, 0] - pairs[:, 1]).mean())


def _mae(pairs: NDArray[float64]) -> float:
    return float(abs(pairs[:, 0] - pairs[:, 1]).mean())


def _quadratic_kappa(pairs: NDArray[float64]) -> float:
    # With squared distances kappa needs no categories: chance disagreement is two variances
    # and the squared difference of the means.
    first, second = pairs[:, 0], pairs[:, 1]
    expected = float(first.var() + second.var() + (first.mean() - second.mean()) ** 2)
    if expected <= 1e-12:
        return 1.0
    return 1 - float(((first - second) ** 2).mean()) / expected


def _spearman(pairs: NDArray[float64]) -> float:
    import numpy

    first, second = (_ranks(column) for column in pairs.T)
    first, second = first - first.mean(), second - second.mean()
    scale = float(numpy.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum()) / scale if scale else math.nan


def _ranks(values: NDArray[float64]) -> NDArray[float64]:
    import numpy

    _, places, counts = numpy.unique(values, return_inverse=True, return_counts=True)
    ranks: NDArray[float64] = (numpy.cumsum(counts) - (counts - 1) / 2.0)[places]
    return ranks
