"""Agreement between raters beyond chance, and means that people's ratings correct."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Literal

from scoring.statistics.intervals import Interval, normal_quantile

Level = Literal["nominal", "ordinal", "interval", "ratio"]


def cohen_kappa(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    order: Sequence[Hashable] | None = None,
    weights: Literal["linear", "quadratic"] | None = None,
) -> float:
    """Cohen's kappa of two raters: 1 is agreement, 0 what chance gives (Cohen 1960, 1968).

    `weights` count near misses in part and need `order`, all categories from low to high.
    Two raters who use one and the same category throughout agree: 1.

    >>> cohen_kappa("aabb", "aaab")
    0.5
    """
    if len(first) != len(second) or not len(first):
        raise ValueError(f"pairs of ratings are needed, got {len(first)} and {len(second)}")
    if weights is not None and order is None:
        raise ValueError("weighted kappa needs `order`, the categories from low to high")
    places = {
        each: place for place, each in enumerate(order or sorted({*first, *second}, key=repr))
    }
    for rating in (*first, *second):
        if rating not in places:
            raise ValueError(f"rating {rating!r} is not in `order`")

    def distance(a: Hashable, b: Hashable) -> float:
        if weights is None:
            return float(a != b)
        return float(abs(places[a] - places[b]) ** (1 if weights == "linear" else 2))

    n = len(first)
    observed = math.fsum(distance(a, b) for a, b in zip(first, second, strict=True)) / n
    rows, columns = Counter(first), Counter(second)
    expected = math.fsum(rows[a] * columns[b] * distance(a, b) for a in rows for b in columns) / (
        n * n
    )
    return 1.0 if expected == 0 else 1.0 - observed / expected


def krippendorff_alpha(
    ratings: Sequence[Sequence[float | None]], *, level: Level = "nominal"
) -> float:
    """Krippendorff's alpha of `ratings`, one row a rater, one column a unit, None where absent.

    1 is agreement, 0 what chance gives; any number of raters, gaps allowed. ValueError where
    no unit has two ratings or all ratings are the same.
    """
    import krippendorff
    import numpy

    table = numpy.array(
        [[math.nan if each is None else float(each) for each in row] for row in ratings]
    )
    if table.ndim != 2:
        raise ValueError("every rater needs an entry for every unit, None where there is none")
    pairable = table[:, (~numpy.isnan(table)).sum(axis=0) > 1]
    if len(set(pairable[~numpy.isnan(pairable)].tolist())) < 2:
        raise ValueError("alpha needs units with two ratings and more than one value in use")
    return float(krippendorff.alpha(reliability_data=table, level_of_measurement=level))


def prediction_powered_mean(
    judged: Sequence[float],
    judged_too: Sequence[float],
    people: Sequence[float],
    *,
    tuned: bool = False,
    confidence: float = 0.95,
) -> Interval:
    """The mean that people would give, from a judge's ratings of all and people's of a few.

    `judged` are the judge's ratings of the cases that no person rated; `judged_too` and
    `people` rate the same cases, pair by pair. The judge's mean is corrected by its mean
    error (Angelopoulos et al. 2023, Science 382); `tuned` weighs the judge by how well it
    follows people (PPI++, Angelopoulos et al. 2023, arXiv 2311.01453). The interval is
    normal, so at least some 30 people's ratings are wanted.
    """
    if len(judged_too) != len(people) or len(people) < 2 or len(judged) < 2:
        raise ValueError(
            "two ratings of each kind at least, and pairs of people's and judge's, are needed; "
            f"got {len(judged)}, {len(judged_too)} and {len(people)}"
        )
    n, more = len(people), len(judged)
    weight = 1.0
    if tuned:
        scale = (1.0 + n / more) * _variance([*judged_too, *judged])
        weight = _covariance(judged_too, people) / scale if scale > 0 else 0.0
    errors = [p - weight * j for p, j in zip(people, judged_too, strict=True)]
    mean = weight * math.fsum(judged) / more + math.fsum(errors) / n
    variance = weight**2 * _variance(judged) / more + _variance(errors) / n
    half = normal_quantile(0.5 + confidence / 2.0) * math.sqrt(variance)
    method = "prediction-powered, tuned" if tuned else "prediction-powered"
    return Interval(mean=mean, low=mean - half, high=mean + half, n=n + more, method=method)


def _variance(values: Sequence[float]) -> float:
    return _covariance(values, values)


def _covariance(first: Sequence[float], second: Sequence[float]) -> float:
    n = len(first)
    mean_first, mean_second = math.fsum(first) / n, math.fsum(second) / n
    return math.fsum(
        (a - mean_first) * (b - mean_second) for a, b in zip(first, second, strict=True)
    ) / (n - 1)
