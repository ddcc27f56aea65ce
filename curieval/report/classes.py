"""Macro-F1: the F1 of each class, averaged over the classes that references have.

Records name their classes in the score columns `truth_class` and `pred_class`, where the latter
is empty for an answer that names none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scoring.statistics import bootstrap_sums

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

RESAMPLES = 1_000
FEWEST_FOR_SMOOTH = 30
TAILS = (0.025, 0.975)
MOST_CLASSES = 100


def macro_f1(sums: NDArray[float64]) -> NDArray[float64]:
    """The mean F1 of the classes of each row of summed counts: tp, fp, fn of one after another.

    A class without a reference (tp + fn = 0) is left out; NaN where none has one.
    """
    import numpy

    counts = sums.reshape(len(sums), -1, 3)
    tp, fp, fn = counts[:, :, 0], counts[:, :, 1], counts[:, :, 2]
    present = tp + fn > 0
    f1 = numpy.where(present, 2 * tp / numpy.where(present, 2 * tp + fp + fn, 1.0), 0.0)
    number = present.sum(axis=1)
    means = f1.sum(axis=1) / numpy.where(number, number, 1)
    return numpy.where(number > 0, means, numpy.nan)


def pool_classes(records: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Macro-F1 of the records that name a class: n, value, low, high, method, rough.

    None where the references have fewer than two classes, and more than a hundred. The interval
    is a percentile bootstrap by case; a draw averages over the classes that it holds.
    """
    import numpy

    pairs = [
        (str(scores["truth_class"]), str(scores.get("pred_class") or ""), str(record["case"]))
        for record in records
        if (scores := record["scores"]).get("truth_class")
    ]
    classes = sorted({truth for truth, _, _ in pairs})
    if not 2 <= len(classes) <= MOST_CLASSES:
        return None
    place = {name: 3 * number for number, name in enumerate(classes)}
    counts = numpy.zeros((len(pairs), 3 * len(classes)))
    for row, (truth, answer, _) in enumerate(pairs):
        if truth == answer:
            counts[row, place[truth]] = 1
            continue
        counts[row, place[truth] + 2] = 1
        if answer in place:
            counts[row, place[answer] + 1] = 1
    cases = [case for _, _, case in pairs]
    value = float(macro_f1(counts.sum(axis=0, keepdims=True))[0])
    found = {"n": len(pairs), "value": value, "rough": len(set(cases)) < FEWEST_FOR_SMOOTH}
    drawn = macro_f1(bootstrap_sums(counts, clusters=cases, resamples=RESAMPLES))
    low, high = numpy.quantile(drawn, TAILS)
    return {
        **found,
        "low": min(float(low), value),
        "high": max(float(high), value),
        "method": "percentile bootstrap by case",
    }
