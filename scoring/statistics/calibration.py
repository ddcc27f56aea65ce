"""How well stated probabilities fit what happened: Brier score, reliability, ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ReliabilityBin:
    """The forecasts between `low` and `high`: their number, mean, and the share that came true.

    `mean` and `share` are None in an empty bin.
    """

    low: float
    high: float
    n: int
    mean: float | None
    share: float | None


def brier_score(probabilities: Sequence[float], outcomes: Sequence[bool]) -> float:
    """Mean squared distance of probability and outcome: 0 is perfect (Brier 1950).

    >>> brier_score([0.9, 0.2], [True, False])
    0.025
    """
    pairs = _pairs(probabilities, outcomes)
    return math.fsum((p - happened) ** 2 for p, happened in pairs) / len(pairs)


def reliability_bins(
    probabilities: Sequence[float], outcomes: Sequence[bool], *, bins: int = 10
) -> list[ReliabilityBin]:
    """Equally wide bins over [0, 1]; a probability on an edge falls into the upper bin."""
    if bins < 1:
        raise ValueError(f"bins must be at least 1, got {bins}")
    members: list[list[tuple[float, float]]] = [[] for _ in range(bins)]
    for p, happened in _pairs(probabilities, outcomes):
        members[min(bins - 1, int(p * bins))].append((p, happened))
    return [
        ReliabilityBin(
            low=place / bins,
            high=(place + 1) / bins,
            n=len(pairs),
            mean=math.fsum(p for p, _ in pairs) / len(pairs) if pairs else None,
            share=math.fsum(happened for _, happened in pairs) / len(pairs) if pairs else None,
        )
        for place, pairs in enumerate(members)
    ]


def expected_calibration_error(
    probabilities: Sequence[float], outcomes: Sequence[bool], *, bins: int = 10
) -> float:
    """Mean distance of forecast and share over equally wide bins, weighted by their size."""
    found = reliability_bins(probabilities, outcomes, bins=bins)
    total = sum(each.n for each in found)
    return (
        math.fsum(
            each.n * abs(each.mean - each.share)
            for each in found
            if each.mean is not None and each.share is not None
        )
        / total
    )


def auroc(scores: Sequence[float], outcomes: Sequence[bool]) -> float:
    """The chance that a true case scores above a false one, ties counting half.

    ValueError unless both kinds occur.

    >>> auroc([0.9, 0.4, 0.4, 0.1], [True, True, False, False])
    0.875
    """
    if len(scores) != len(outcomes):
        raise ValueError(f"each score needs its outcome, got {len(scores)} and {len(outcomes)}")
    if not all(math.isfinite(score) for score in scores):
        raise ValueError("scores must be finite numbers")
    true = sum(map(bool, outcomes))
    false = len(outcomes) - true
    if not true or not false:
        raise ValueError(f"both outcomes must occur, got {true} true and {false} false ones")
    ordered = sorted(zip(scores, outcomes, strict=True), key=lambda pair: pair[0])
    rank_sum, start = 0.0, 0
    while start < len(ordered):
        end = start
        while end < len(ordered) and ordered[end][0] == ordered[start][0]:
            end += 1
        # Tied scores share the mean of their ranks start + 1 … end.
        rank_sum += sum(bool(o) for _, o in ordered[start:end]) * (start + 1 + end) / 2.0
        start = end
    return (rank_sum - true * (true + 1) / 2.0) / (true * false)


def _pairs(probabilities: Sequence[float], outcomes: Sequence[bool]) -> list[tuple[float, float]]:
    if len(probabilities) != len(outcomes) or not len(probabilities):
        raise ValueError(
            "each probability needs its outcome, "
            f"got {len(probabilities)} probabilities and {len(outcomes)} outcomes"
        )
    for place, p in enumerate(probabilities):
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"probability {place} is {p!r}; it must lie between 0 and 1")
    return [(float(p), float(bool(o))) for p, o in zip(probabilities, outcomes, strict=True)]
