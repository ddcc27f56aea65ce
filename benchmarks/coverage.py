"""Prints the coverage table of docs/statistics.md: `python benchmarks/coverage.py`."""

from __future__ import annotations

from collections.abc import Callable

import numpy
from numpy.typing import NDArray
from scipy import stats

from scoring.statistics import mean_interval

SIZES = {30: 4_000, 100: 4_000, 1_000: 1_000}
GRADED = numpy.array([0.0, 0.25, 0.4, 0.6, 0.75, 0.9, 1.0])

Scores = NDArray[numpy.float64]
Draw = Callable[[numpy.random.Generator, tuple[int, int]], Scores]


def proportion(p: float) -> tuple[Draw, float]:
    return lambda draw, size: (draw.random(size) < p).astype(float), p


def beta(a: float, b: float) -> tuple[Draw, float]:
    return lambda draw, size: draw.beta(a, b, size), a / (a + b)


def graded(shares: list[float]) -> tuple[Draw, float]:
    return lambda draw, size: draw.choice(GRADED, size, p=shares), float(GRADED @ shares)


POPULATIONS = {
    **{f"proportion {p}": proportion(p) for p in (0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9)},
    "uniform": beta(1, 1),
    "U-shaped, beta(½, ½)": beta(0.5, 0.5),
    "hump, beta(2, 2)": beta(2, 2),
    "leaning right, beta(5, 2)": beta(5, 2),
    "leaning left, beta(1, 4)": beta(1, 4),
    "graded F1, mean 0.29": graded([0.5, 0.1, 0.1, 0.1, 0.1, 0.0, 0.1]),
    "graded F1, mean 0.58": graded([0.2, 0.1, 0.1, 0.15, 0.1, 0.1, 0.25]),
    "graded F1, mean 0.85": graded([0.05, 0.02, 0.03, 0.05, 0.1, 0.1, 0.65]),
}


def by_mean_interval(samples: Scores) -> Scores:
    found = [mean_interval(sample) for sample in samples.tolist()]
    return numpy.array([(each.low, each.high) for each in found]).T


def by_t(samples: Scores) -> Scores:
    n = samples.shape[1]
    half = stats.t.ppf(0.975, n - 1) * samples.std(axis=1, ddof=1) / n**0.5
    return numpy.array([samples.mean(axis=1) - half, samples.mean(axis=1) + half])


def by_percentiles(samples: Scores) -> Scores:
    draw = numpy.random.default_rng(1)
    n = samples.shape[1]
    ends = [
        numpy.quantile(sample[draw.integers(0, n, (500, n))].mean(axis=1), (0.025, 0.975))
        for sample in samples[:600]
    ]
    return numpy.array(ends).T


def main() -> None:
    methods = {"this": by_mean_interval, "t": by_t, "percentile": by_percentiles}
    heads = [f"{name}, n = {n:,}" for n in SIZES for name in methods]
    print(f"| scores | {' | '.join(heads)} |")
    print(f"|---|{'--:|' * len(heads)}")
    for name, (draw, truth) in POPULATIONS.items():
        cells = []
        for n, trials in SIZES.items():
            samples = draw(numpy.random.default_rng(n), (trials, n))
            for method in methods.values():
                low, high = method(samples)
                cells.append(f"{100 * ((low <= truth) & (truth <= high)).mean():.1f}")
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
