"""Intervals against statsmodels, by coverage, and by the properties that users rely on."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.statistics import is_rough, mean_interval, skill_score, wilson_interval

scores = st.lists(st.floats(0, 1), min_size=1, max_size=60)


@pytest.mark.parametrize(
    ("successes", "n"), [(0, 1), (1, 1), (0, 20), (20, 20), (7, 30), (81, 100)]
)
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_wilson_equals_statsmodels(successes, n, confidence):
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    low, high = proportion.proportion_confint(successes, n, 1 - confidence, method="wilson")
    interval = wilson_interval(successes, n, confidence=confidence)
    assert interval.low == pytest.approx(low, abs=1e-12)
    assert interval.high == pytest.approx(high, abs=1e-12)


def test_mean_of_zeros_and_ones_is_wilson():
    assert mean_interval([1, 1, 0, 1]).low == wilson_interval(3, 4).low
    assert mean_interval([1.0] * 20).low == pytest.approx(20 / (20 + 1.959963984540054**2))


def test_mean_interval_by_hand():
    # n = 4, mean 0.5, variance 0.05 of at most 0.25: effective size 4 * 5 / (4 * 0.2 + 1).
    interval = mean_interval([0.2, 0.4, 0.6, 0.8])
    expected = wilson_interval(0.5 * 100 / 9, 100 / 9)
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("value", [0.0, 0.2, 0.5, 0.85, 0.999, 1.0])
def test_equal_scores_never_claim_certainty(value):
    interval = mean_interval([value] * 20)
    assert interval.high - interval.low > 0.05


@given(scores)
def test_interval_holds_the_mean_within_bounds(values):
    interval = mean_interval(values)
    assert 0 <= interval.low <= interval.mean <= interval.high <= 1
    assert interval.low < interval.high


@given(scores)
def test_interval_mirrors(values):
    interval, mirrored = mean_interval(values), mean_interval([1 - value for value in values])
    assert mirrored.low == pytest.approx(1 - interval.high, abs=1e-6)
    assert mirrored.high == pytest.approx(1 - interval.low, abs=1e-6)


@given(scores)
def test_no_sample_claims_more_than_all_ones(values):
    assert mean_interval(values).low <= mean_interval([1.0] * len(values)).low + 1e-12


@given(scores, st.integers(2, 5))
def test_more_of_the_same_narrows(values, times):
    once, often = mean_interval(values), mean_interval(values * times)
    assert often.high - often.low < once.high - once.low


DRAWS = {
    "proportion 0.2": (lambda rng, size: (rng.random(size) < 0.2).astype(float), 0.2),
    "proportion 0.5": (lambda rng, size: (rng.random(size) < 0.5).astype(float), 0.5),
    "proportion 0.8": (lambda rng, size: (rng.random(size) < 0.8).astype(float), 0.8),
    "uniform": (lambda rng, size: rng.random(size), 0.5),
    "beta(5, 2)": (lambda rng, size: rng.beta(5, 2, size), 5 / 7),
    "many right, some near, some wrong": (
        lambda rng, size: rng.choice([0, 0.4, 0.75, 1], size, p=[0.2, 0.15, 0.25, 0.4]),
        0.15 * 0.4 + 0.25 * 0.75 + 0.4,
    ),
}


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("n", [30, 100])
def test_coverage(name, n):
    numpy = pytest.importorskip("numpy")
    draw, truth = DRAWS[name]
    samples = draw(numpy.random.default_rng(7), (1_500, n)).tolist()
    intervals = [mean_interval(sample) for sample in samples]
    covered = sum(each.low <= truth <= each.high for each in intervals) / len(intervals)
    # Three standard errors of the simulation on either side of the promised 92-97 %.
    assert 0.90 <= covered <= 0.985


def test_skill():
    assert skill_score(0.5, 0.5) == 0
    assert skill_score(1.0, 0.82) == 1
    assert skill_score(0.2, 0.6) == pytest.approx(-1)
    assert skill_score(1.0, 1.0) is None


def test_rough():
    assert is_rough(0.5, 29)
    assert is_rough(0.98, 100)
    assert not is_rough(0.8, 30)


@pytest.mark.parametrize("bad", [[], [1.5], [0.5, -0.1], [math.nan], [math.inf]])
def test_other_than_scores_is_refused(bad):
    with pytest.raises(ValueError, match="score"):
        mean_interval(bad)


def test_confidence_is_checked():
    with pytest.raises(ValueError, match="confidence"):
        wilson_interval(1, 2, confidence=95)
    with pytest.raises(ValueError, match="successes"):
        wilson_interval(3, 2)
