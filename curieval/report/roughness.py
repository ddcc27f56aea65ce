"""Where the interval of a pooled figure is only a rough guide, as with means."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.statistics import is_rough

TWO_TIER = "two_tier_"
# Of either side, as scoring.statistics.is_rough has it for means.
FEWEST = 5

Rows = Sequence[Sequence[float]]


def is_rough_pooled(kind: str, rows: Rows, value: float, n_clusters: int) -> bool:
    """Whether rows, drawn anew, tell too little of how far a pooled figure may lie.

    As with means: fewer than 30 cases (or clusters) that the figure rests on, or fewer than five
    cases' worth of right or of wrong answers. A figure of 1 has no wrong answer to draw, so that
    its bootstrap interval has no width, whatever n is.
    """
    bare = kind.removeprefix(TWO_TIER)
    if bare in ("brier", "ece"):
        right = sum(_rightness(chance, outcome) for chance, outcome in rows)
        return is_rough(right / len(rows), min(len(rows), n_clusters))
    if bare == "auroc":
        true = sum(outcome for _, outcome in rows)
        return is_rough(value, int(min(true, len(rows) - true, n_clusters)))
    if bare == "mcc":
        tp, fp, fn, tn = (sum(column) for column in zip(*rows, strict=True))
        sides = (tp + tn, fp + fn, tp + fp, tp + fn, tn + fp, tn + fn)
        return n_clusters < 30 or min(sides) < FEWEST
    return is_rough(value, min(_n_resting(bare, rows), n_clusters))


def _rightness(chance: float, outcome: float) -> float:
    """1 for a forecast on the side of the outcome, 0.5 for one that takes no side."""
    return 0.5 if chance == 0.5 else float((chance > 0.5) == bool(outcome))


def _n_resting(kind: str, rows: Rows) -> int:
    """The rows with something in the figure's denominator."""
    if kind == "micro_precision":
        return sum(row[0] + row[1] > 0 for row in rows)
    if kind == "micro_recall":
        return sum(row[0] + row[2] > 0 for row in rows)
    if kind == "micro_f1" or kind.startswith("level_"):
        return sum(any(row[:3]) for row in rows)
    return len(rows)
