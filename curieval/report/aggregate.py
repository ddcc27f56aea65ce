"""How a set of records becomes one number: the table of aggregators that figures name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curieval.report.pooled import POOLED, pool
from scoring.statistics import is_rough, mean_interval


@dataclass(frozen=True, kw_only=True)
class Aggregate:
    """A figure of some records: value, interval, the records counted, and how it was found.

    `total` is the sum that the records add to a mean; None for a pooled figure.
    """

    n: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    method: str | None = None
    rough: bool = False
    total: float | None = None


Aggregator = Callable[[str, Sequence[Mapping[str, Any]]], Aggregate]


def score_of(record: Mapping[str, Any], figure: str) -> float | None:
    """The record's number for a figure; None where it has none (nothing to count)."""
    value = record["scores"].get(figure)
    if type(value) is float:
        return value
    return float(value) if type(value) is int or type(value) is bool else None


def mean_of_cases(figure: str, records: Sequence[Mapping[str, Any]]) -> Aggregate:
    """The mean over records, with an interval whose independent units are the cases."""
    cases: dict[str, list[float]] = {}
    for record in records:
        value = score_of(record, figure)
        if value is not None:
            cases.setdefault(record["case"], []).append(value)
    if not cases:
        return Aggregate(n=0)
    n = sum(map(len, cases.values()))
    total = math.fsum(value for values in cases.values() for value in values)
    means = [
        values[0] if len(values) == 1 else math.fsum(values) / len(values)
        for values in cases.values()
    ]
    value = total / n
    if not all(0.0 <= mean <= 1.0 for mean in means):
        return Aggregate(n=n, value=value, total=total, method="none: scores outside 0–1")
    interval = mean_interval(means)
    return Aggregate(
        n=n,
        value=value,
        low=min(interval.low, value),
        high=max(interval.high, value),
        method=interval.method,
        rough=is_rough(interval.mean, interval.n),
        total=total,
    )


def _pooled(kind: str) -> Aggregator:
    def aggregate(figure: str, records: Sequence[Mapping[str, Any]]) -> Aggregate:
        found = pool(kind, records)
        return Aggregate(n=0) if found is None else Aggregate(**found)

    return aggregate


AGGREGATORS: Mapping[str, Aggregator] = {
    "mean": mean_of_cases,
    **{kind: _pooled(kind) for kind in POOLED},
}
