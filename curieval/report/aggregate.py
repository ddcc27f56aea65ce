"""How a set of records becomes one number: the table of aggregators that figures name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def mean_of_cases(figure: str, records: Sequence[Mapping[str, Any]]) -> Aggregate:
    """The mean over records, with an interval whose independent units are the cases."""
    cases: dict[str, list[float]] = {}
    for record in records:
        value = score_of(record, figure)
        if value is not None:
            cases.setdefault(record["case"], []).append(value)
    n = sum(map(len, cases.values()))
    if not n:
        return Aggregate(n=0)
    total = math.fsum(math.fsum(values) for values in cases.values())
    means = [math.fsum(values) / len(values) for values in cases.values()]
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


AGGREGATORS: Mapping[str, Aggregator] = {"mean": mean_of_cases}
