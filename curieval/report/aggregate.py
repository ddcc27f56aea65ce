"""How a set of records becomes one number: the table of aggregators that figures name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from curieval.report.classes import pool_classes
from curieval.report.pooled import POOLED, pool
from scoring.statistics import is_rough, mean_interval


@dataclass(frozen=True, kw_only=True)
class Aggregate:
    """A figure of some records: value, interval, the records counted, and how it was found.

    Values are in the figure's own unit. `total` is the sum that the records add to a mean, and
    `stderr` the standard error of that mean over cases; None for a pooled figure.
    """

    n: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    method: str | None = None
    rough: bool = False
    total: float | None = None
    stderr: float | None = None


Aggregator = Callable[[str, Sequence[Mapping[str, Any]], float], Aggregate]
LOWER_IS_BETTER = frozenset(
    f"{tier}{kind}" for tier in ("", "two_tier_") for kind in ("brier", "ece", "absolute_error")
)


def score_of(record: Mapping[str, Any], figure: str) -> float | None:
    """The record's number for a figure; None where it has none (nothing to count)."""
    value = record["scores"].get(figure)
    if type(value) is float:
        return value
    return float(value) if type(value) is int or type(value) is bool else None


def scores_by_case(
    figure: str, records: Sequence[Mapping[str, Any]]
) -> Mapping[str, Sequence[float]]:
    """The numbers that the repeats of each case have for a figure."""
    cases: dict[str, list[float]] = {}
    for record in records:
        value = score_of(record, figure)
        if value is not None:
            cases.setdefault(record["case"], []).append(value)
    return cases


def mean_of_cases(
    figure: str, records: Sequence[Mapping[str, Any]], scale: float = 1.0
) -> Aggregate:
    """The mean over cases, each the mean of its repeats, with an interval over the cases.

    Scores go from 0 to `scale`; the interval is that of the shares behind them.
    """
    cases = scores_by_case(figure, records)
    if not cases:
        return Aggregate(n=0)
    n = sum(map(len, cases.values()))
    total = math.fsum(value for values in cases.values() for value in values)
    means = [
        values[0] if len(values) == 1 else math.fsum(values) / len(values)
        for values in cases.values()
    ]
    found = mean_of_shares(means, scale)
    return replace(found, n=n, total=total)


def mean_of_shares(means: Sequence[float], scale: float) -> Aggregate:
    """The mean of one number a case, from 0 to `scale`, with interval and standard error."""
    n = len(means)
    value = math.fsum(means) / n
    stderr = None
    if n > 1:
        stderr = math.sqrt(math.fsum((mean - value) ** 2 for mean in means) / (n - 1) / n)
    if not all(0.0 <= mean <= scale for mean in means):
        outside = f"none: scores outside 0–{scale:g}"
        return Aggregate(n=n, value=value, stderr=stderr, method=outside)
    interval = mean_interval(mean / scale for mean in means)
    return Aggregate(
        n=n,
        value=value,
        low=min(interval.low * scale, value),
        high=max(interval.high * scale, value),
        method=interval.method,
        rough=is_rough(interval.mean, interval.n),
        stderr=stderr,
    )


def _pooled(pool: Callable[[Sequence[Mapping[str, Any]]], dict[str, Any] | None]) -> Aggregator:
    def aggregate(
        figure: str, records: Sequence[Mapping[str, Any]], scale: float = 1.0
    ) -> Aggregate:
        found = pool(records)
        if found is None:
            return Aggregate(n=0)
        ends = {key: found[key] for key in ("value", "low", "high") if found[key] is not None}
        return Aggregate(**{**found, **{key: scale * end for key, end in ends.items()}})

    return aggregate


AGGREGATORS: Mapping[str, Aggregator] = {
    "mean": mean_of_cases,
    "macro_f1": _pooled(pool_classes),
    **{kind: _pooled(partial(pool, kind)) for kind in POOLED},
}
