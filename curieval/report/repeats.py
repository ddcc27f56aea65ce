"""How the repeats of a case become one number: mean, majority and pass@k."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from curieval.report.aggregate import Aggregate, mean_of_shares, scores_by_case

ROUNDING = 1e-9


def reduce_repeats(
    figure: str, records: Sequence[Mapping[str, Any]], *, repeats: int, scale: float
) -> Iterator[tuple[str, Aggregate]]:
    """Each reducer by name with its figure over cases; n counts the cases.

    An answer is right where its score is full. `mean` averages a case's repeats, `majority` is
    1 where more than half of them are right, and `pass@k` is the chance that one of k repeats
    is right, 1 − C(n − c, k) / C(n, k) with c of n right (Chen et al. 2021), here with k the
    number of repeats. The last two take cases with all repeats scored, and are shares.
    """
    cases = scores_by_case(figure, records)
    means = [math.fsum(scores) / len(scores) for scores in cases.values()]
    if means:
        yield "mean", mean_of_shares(means, scale)
    right = [
        sum(score >= scale - ROUNDING for score in scores)
        for scores in cases.values()
        if len(scores) == repeats
    ]
    if right:
        yield "majority", mean_of_shares([float(2 * c > repeats) for c in right], 1.0)
        chances = [pass_at(repeats, c, repeats) for c in right]
        yield f"pass@{repeats}", mean_of_shares(chances, 1.0)


def pass_at(n: int, c: int, k: int) -> float:
    """The chance that k of n answers, drawn without return, hold one of the c right ones.

    >>> pass_at(4, 1, 2)
    0.5
    """
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)
