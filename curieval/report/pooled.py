"""Figures pooled over records: counts or forecasts are put together first, then judged once.

Counts stand in the score columns `tp`, `fp`, `fn` (and `tn`), those of a level of a hierarchy in
`level_1_tp` and so on, forecasts in `probability` and `outcome`; those of verdicts behind a first
tier that rejects in `two_tier_tp` and so on, `two_tier_probability` and `outcome`; a probability
that is right in `expected`. Intervals are
bootstrapped by case, or by the column `cluster` where records have one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from curieval.report.roughness import is_rough_pooled
from scoring.statistics import bootstrap_interval, bootstrap_sums

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

RESAMPLES = 1_000
NO_WIDTH = 1e-9
TAILS = (0.025, 0.975)

Row = list[float]


def micro_precision(sums: NDArray[float64]) -> NDArray[float64]:
    """tp / (tp + fp) of each row of summed counts; NaN without a prediction."""
    return _ratio(sums[:, 0], sums[:, 0] + sums[:, 1])


def micro_recall(sums: NDArray[float64]) -> NDArray[float64]:
    """tp / (tp + fn) of each row of summed counts; NaN without anything to find."""
    return _ratio(sums[:, 0], sums[:, 0] + sums[:, 2])


def micro_f1(sums: NDArray[float64]) -> NDArray[float64]:
    """2 tp / (2 tp + fp + fn) of each row of summed counts; NaN with nothing to count."""
    return _ratio(2 * sums[:, 0], 2 * sums[:, 0] + sums[:, 1] + sums[:, 2])


def mean_level_f1(sums: NDArray[float64]) -> NDArray[float64]:
    """The mean F1 of the levels that have anything to count; NaN where none has."""
    import numpy

    starts = range(0, sums.shape[1], len(COUNTS))
    levels = numpy.stack([micro_f1(sums[:, start : start + len(COUNTS)]) for start in starts])
    known = ~numpy.isnan(levels)
    return _ratio(numpy.where(known, levels, 0.0).sum(axis=0), known.sum(axis=0))


def matthews(sums: NDArray[float64]) -> NDArray[float64]:
    """Matthews' correlation of summed tp, fp, fn, tn; NaN where a margin is empty."""
    tp, fp, fn, tn = sums.T
    margins = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return _ratio(tp * tn - fp * fn, margins**0.5)


def _ratio(parts: NDArray[Any], whole: NDArray[Any]) -> NDArray[float64]:
    import numpy

    ratios: NDArray[float64] = numpy.full(len(whole), numpy.nan)
    numpy.divide(parts, whole, out=ratios, where=whole > 0)
    return ratios


# These are scoring.statistics' own figures on arrays: a bootstrap calls them a thousand times a
# slice.
def auroc(rows: NDArray[float64]) -> float:
    """The chance that a true case is forecast above a false one; NaN without both kinds."""
    import numpy

    _, places, counts = numpy.unique(rows[:, 0], return_inverse=True, return_counts=True)
    ranks = (numpy.cumsum(counts) - (counts - 1) / 2.0)[places]
    true = rows[:, 1].sum()
    false = len(rows) - true
    if not true or not false:
        return float("nan")
    return float((ranks[rows[:, 1] > 0].sum() - true * (true + 1) / 2.0) / (true * false))


def brier(rows: NDArray[float64]) -> float:
    """Mean squared distance of probability and outcome."""
    return float(((rows[:, 0] - rows[:, 1]) ** 2).mean())


def calibration_error(rows: NDArray[float64]) -> float:
    """Mean distance of forecast and share over ten equally wide bins."""
    import numpy

    bins = numpy.minimum(9, (rows[:, 0] * 10).astype(int))
    gaps = numpy.bincount(bins, weights=rows[:, 0] - rows[:, 1], minlength=10)
    return float(numpy.abs(gaps).sum() / len(rows))


def absolute_error(rows: NDArray[float64]) -> float:
    """Mean distance of probability and the one expected."""
    import numpy

    return float(numpy.abs(rows[:, 0] - rows[:, 1]).mean())


COUNTS = ("tp", "fp", "fn")
FORECASTS = ("probability", "outcome")
LEVELS = (1, 2, 3, 4)
LEVEL_COUNTS = {level: tuple(f"level_{level}_{count}" for count in COUNTS) for level in LEVELS}
OfSums = Callable[["NDArray[float64]"], "NDArray[float64]"]
OfRows = Callable[["NDArray[float64]"], float]
_PLAIN: Mapping[str, tuple[tuple[str, ...], OfSums]] = {
    "micro_f1": (COUNTS, micro_f1),
    "micro_precision": (COUNTS, micro_precision),
    "micro_recall": (COUNTS, micro_recall),
    "mcc": ((*COUNTS, "tn"), matthews),
}
OF_COUNTS: Mapping[str, tuple[tuple[str, ...], OfSums]] = {
    **_PLAIN,
    **{
        f"two_tier_{kind}": (tuple(f"two_tier_{column}" for column in columns), function)
        for kind, (columns, function) in _PLAIN.items()
    },
    **{f"level_{level}_f1": (columns, micro_f1) for level, columns in LEVEL_COUNTS.items()},
    "mean_level_f1": (
        tuple(name for level in LEVELS for name in LEVEL_COUNTS[level]),
        mean_level_f1,
    ),
}
_OF_CHANCES: Mapping[str, OfRows] = {
    "auroc": auroc,
    "brier": brier,
    "ece": calibration_error,
}
OF_FORECASTS: Mapping[str, tuple[tuple[str, ...], OfRows]] = {
    **{kind: (FORECASTS, function) for kind, function in _OF_CHANCES.items()},
    **{
        f"two_tier_{kind}": (("two_tier_probability", "outcome"), function)
        for kind, function in _OF_CHANCES.items()
    },
    "absolute_error": (("probability", "expected"), absolute_error),
    "two_tier_absolute_error": (("two_tier_probability", "expected"), absolute_error),
}
POOLED: Mapping[str, tuple[str, ...]] = {
    **{kind: columns for kind, (columns, _) in OF_COUNTS.items()},
    **{kind: columns for kind, (columns, _) in OF_FORECASTS.items()},
}


def pool(kind: str, records: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The pooled figure of the records that hold its columns: n, value, low, high, method, rough.

    None where no record holds them or the figure is undefined. The interval is a percentile
    bootstrap: BCa would leave out each case in turn, for every slice of every report.
    """
    rows: list[Row] = []
    clusters: list[str] = []
    for record in records:
        values = [record["scores"].get(column) for column in POOLED[kind]]
        if all(isinstance(value, int | float) for value in values):
            rows.append([float(value) for value in values])
            clusters.append(str(record["scores"].get("cluster") or record["case"]))
    if not rows:
        return None
    value = _value(kind, rows)
    if value != value:
        return None
    n_clusters = len(set(clusters))
    rough = is_rough_pooled(kind, rows, value, n_clusters)
    found: dict[str, Any] = {"n": len(rows), "value": value, "rough": rough}
    ends = _interval(kind, rows, clusters) if n_clusters > 1 else None
    if ends is None:
        return {**found, "low": None, "high": None, "method": "none: too few cases", "rough": True}
    low, high = min(ends[0], value), max(ends[1], value)
    # Clusters that are all alike tell nothing of how others would be.
    found["rough"] = rough or high - low < NO_WIDTH
    return {**found, "low": low, "high": high, "method": "percentile bootstrap by cluster"}


def _value(kind: str, rows: Sequence[Row]) -> float:
    import numpy

    if kind in OF_FORECASTS:
        return OF_FORECASTS[kind][1](numpy.asarray(rows))
    return float(OF_COUNTS[kind][1](numpy.asarray(rows).sum(axis=0, keepdims=True))[0])


def _interval(
    kind: str, rows: Sequence[Row], clusters: Sequence[str]
) -> tuple[float, float] | None:
    """None where the figure is undefined in most draws."""
    import numpy

    if kind in OF_FORECASTS:
        try:
            interval = bootstrap_interval(
                rows,
                OF_FORECASTS[kind][1],
                clusters=clusters,
                method="percentile",
                resamples=RESAMPLES,
            )
        except ValueError:
            return None
        return interval.low, interval.high
    drawn = OF_COUNTS[kind][1](bootstrap_sums(rows, clusters=clusters, resamples=RESAMPLES))
    known = drawn[~numpy.isnan(drawn)]
    if len(known) < RESAMPLES / 2:
        return None
    low, high = numpy.quantile(known, TAILS)
    return float(low), float(high)
