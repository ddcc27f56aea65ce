"""Figures pooled over records: counts or forecasts are put together first, then judged once.

Counts stand in the score columns `tp`, `fp`, `fn` (and `tn`), those of a level of a hierarchy in
`level_1_tp` and so on, forecasts in `probability` and `outcome`. Intervals are bootstrapped by
case, or by the column `cluster` where records have one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scoring.statistics import bootstrap_interval

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

RESAMPLES = 1_000
FEWEST_FOR_SMOOTH = 30

Row = list[float]


def micro_precision(rows: NDArray[float64]) -> float:
    """tp / (tp + fp) of summed counts; NaN without a prediction."""
    tp, fp = rows[:, 0].sum(), rows[:, 1].sum()
    return float(tp / (tp + fp)) if tp + fp else float("nan")


def micro_recall(rows: NDArray[float64]) -> float:
    """tp / (tp + fn) of summed counts; NaN without anything to find."""
    tp, fn = rows[:, 0].sum(), rows[:, 2].sum()
    return float(tp / (tp + fn)) if tp + fn else float("nan")


def micro_f1(rows: NDArray[float64]) -> float:
    """2 tp / (2 tp + fp + fn) of summed counts; NaN with nothing to count."""
    tp, wrong = rows[:, 0].sum(), rows[:, 1:3].sum()
    return float(2 * tp / (2 * tp + wrong)) if tp + wrong else float("nan")


def mean_level_f1(rows: NDArray[float64]) -> float:
    """The mean F1 of the levels that have anything to count; NaN where none has."""
    values = [micro_f1(rows[:, start : start + 3]) for start in range(0, rows.shape[1], 3)]
    counted = [value for value in values if value == value]
    return sum(counted) / len(counted) if counted else float("nan")


def matthews(rows: NDArray[float64]) -> float:
    """Matthews' correlation of summed tp, fp, fn, tn; NaN where a margin is empty."""
    tp, fp, fn, tn = (float(value) for value in rows.sum(axis=0))
    margins = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return (tp * tn - fp * fn) / float(margins**0.5) if margins else float("nan")


# The next three are scoring.statistics' own figures on arrays: a bootstrap calls them a thousand
# times a slice.
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


COUNTS = ("tp", "fp", "fn")
FORECASTS = ("probability", "outcome")
LEVELS = (1, 2, 3, 4)
LEVEL_COUNTS = {level: tuple(f"level_{level}_{count}" for count in COUNTS) for level in LEVELS}
POOLED: Mapping[str, tuple[tuple[str, ...], Callable[[NDArray[float64]], float]]] = {
    "micro_f1": (COUNTS, micro_f1),
    "micro_precision": (COUNTS, micro_precision),
    "micro_recall": (COUNTS, micro_recall),
    **{f"level_{level}_f1": (columns, micro_f1) for level, columns in LEVEL_COUNTS.items()},
    "mean_level_f1": (
        tuple(name for level in LEVELS for name in LEVEL_COUNTS[level]),
        mean_level_f1,
    ),
    "mcc": ((*COUNTS, "tn"), matthews),
    "auroc": (FORECASTS, auroc),
    "brier": (FORECASTS, brier),
    "ece": (FORECASTS, calibration_error),
}


def pool(kind: str, records: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The pooled figure of the records that hold its columns: n, value, low, high, method, rough.

    None where no record holds them or the figure is undefined.
    """
    columns, function = POOLED[kind]
    rows: list[Row] = []
    clusters: list[str] = []
    for record in records:
        values = [record["scores"].get(column) for column in columns]
        if all(isinstance(value, int | float) for value in values):
            rows.append([float(value) for value in values])
            clusters.append(str(record["scores"].get("cluster") or record["case"]))
    if not rows:
        return None
    import numpy

    value = function(numpy.asarray(rows))
    if not numpy.isfinite(value):
        return None
    n_clusters = len(set(clusters))
    found: dict[str, Any] = {
        "n": len(rows), "value": value, "rough": n_clusters < FEWEST_FOR_SMOOTH
    }  # fmt: skip
    try:
        # Percentiles: BCa would leave out each case in turn, for every slice of every report.
        interval = bootstrap_interval(
            rows, function, clusters=clusters, method="percentile", resamples=RESAMPLES
        )
    except ValueError:
        return {**found, "low": None, "high": None, "method": "none: too few cases", "rough": True}
    return {**found, "low": interval.low, "high": interval.high, "method": interval.method}
