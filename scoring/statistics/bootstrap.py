"""Bootstrap intervals for any figure of a set of rows, by case or by cluster of cases."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Literal

from scoring.statistics.intervals import Interval, normal_quantile, normal_share

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import ArrayLike, NDArray

FEWEST_CLUSTERS = 2
_CELLS = 1 << 22


def bootstrap_interval(
    rows: ArrayLike,
    statistic: Callable[[NDArray[float64]], float],
    *,
    clusters: Sequence[Hashable] | None = None,
    method: Literal["bca", "percentile"] = "bca",
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
) -> Interval:
    """Interval for `statistic` of `rows` (an array of n scores, or of n rows of counts).

    Rows of one cluster are drawn together. BCa corrects bias and skew (Efron 1987), its
    acceleration from leaving out each cluster. A resample for which the statistic is not
    a finite number is drawn anew (ValueError where most are).
    """
    import numpy

    data = numpy.asarray(rows, dtype=float)
    members = _members(len(data), clusters)
    if len(members) < FEWEST_CLUSTERS:
        raise ValueError(f"a bootstrap needs at least 2 rows or clusters, got {len(members)}")
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence!r}")
    value = float(statistic(data))
    draw = numpy.random.default_rng(seed)
    sizes = numpy.array([len(each) for each in members])
    order = numpy.concatenate([numpy.asarray(each) for each in members])
    starts = numpy.cumsum(sizes) - sizes
    found: list[float] = []
    tries = 0
    while len(found) < resamples:
        tries += 1
        if tries > 2 * resamples:
            raise ValueError("the statistic is undefined for most resamples of so few rows")
        chosen = draw.integers(0, len(members), len(members))
        # The places of all rows of the chosen clusters, one run of numbers a cluster.
        drawn = sizes[chosen]
        shift = starts[chosen] - (numpy.cumsum(drawn) - drawn)
        rows_drawn = order[numpy.repeat(shift, drawn) + numpy.arange(drawn.sum())]
        each = float(statistic(data[rows_drawn]))
        if numpy.isfinite(each):
            found.append(each)
    draws = numpy.sort(numpy.asarray(found))
    tail = (1.0 - confidence) / 2.0
    shares = (tail, 1.0 - tail)
    if method == "bca":
        leaving_out = [
            float(statistic(numpy.delete(data, members[place], axis=0)))
            for place in range(len(members))
        ]
        shares = _corrected(shares, draws, value, numpy.asarray(leaving_out))
    low, high = (float(end) for end in numpy.quantile(draws, shares))
    return Interval(
        mean=value,
        low=min(low, value),
        high=max(high, value),
        n=len(data),
        method=f"{method} bootstrap" + ("" if clusters is None else " by cluster"),
    )


def bootstrap_sums(
    counts: ArrayLike,
    *,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = 2_000,
    seed: int = 0,
) -> NDArray[float64]:
    """Column sums of `counts` (n × k) in each draw of its rows, or clusters: resamples × k.

    For figures of summed counts. Since few rows of counts differ, a draw is how often each
    distinct row came (multinomial), which is the same distribution and needs no loop. Raises
    ValueError for counts that are no matrix of at least one row.
    """
    import numpy

    data = numpy.asarray(counts, dtype=float)
    if data.ndim != 2 or not len(data):
        raise ValueError(f"counts has the shape {data.shape}; give an n × k matrix, n ≥ 1")
    if clusters is not None:
        data = numpy.array([data[places].sum(axis=0) for places in _members(len(data), clusters)])
    rows, times = numpy.unique(data, axis=0, return_counts=True)
    draw = numpy.random.default_rng(seed)
    block = max(1, _CELLS // len(rows))
    return numpy.concatenate(
        [
            draw.multinomial(len(data), times / len(data), min(block, resamples - start)) @ rows
            for start in range(0, resamples, block)
        ]
    )


def _members(n: int, clusters: Sequence[Hashable] | None) -> list[list[int]]:
    if clusters is None:
        return [[place] for place in range(n)]
    if len(clusters) != n:
        raise ValueError(f"each row needs its cluster, got {n} rows and {len(clusters)} clusters")
    members: dict[Hashable, list[int]] = {}
    for place, cluster in enumerate(clusters):
        members.setdefault(cluster, []).append(place)
    return list(members.values())


def _corrected(
    shares: tuple[float, float],
    draws: NDArray[float64],
    value: float,
    leaving_out: NDArray[float64],
) -> tuple[float, float]:
    import numpy

    # Half of the ties, so that a discrete figure is not called biased.
    below = (numpy.mean(draws < value) + numpy.mean(draws <= value)) / 2.0
    if not 0.0 < below < 1.0:
        return shares
    bias = normal_quantile(float(below))
    spread = leaving_out.mean() - leaving_out
    squares = float((spread**2).sum())
    skew = float((spread**3).sum()) / (6.0 * squares**1.5) if squares > 0 else 0.0

    def moved(share: float) -> float:
        reach = bias + normal_quantile(share)
        return normal_share(bias + reach / (1.0 - skew * reach))

    return moved(shares[0]), moved(shares[1])
