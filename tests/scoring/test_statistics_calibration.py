"""Calibration figures against scikit-learn, by hand, and by their symmetries."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.statistics import auroc, brier_score, expected_calibration_error, reliability_bins

forecasts = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=50)


@given(forecasts)
def test_brier_equals_scikit_learn(pairs):
    metrics = pytest.importorskip("sklearn.metrics")
    probabilities, outcomes = zip(*pairs, strict=True)
    expected = metrics.brier_score_loss(outcomes, probabilities, labels=[False, True])
    assert brier_score(probabilities, outcomes) == pytest.approx(expected, abs=1e-12)


@given(forecasts)
def test_auroc_equals_scikit_learn(pairs):
    metrics = pytest.importorskip("sklearn.metrics")
    scores, outcomes = zip(*pairs, strict=True)
    if len(set(outcomes)) == 1:
        with pytest.raises(ValueError, match="both outcomes"):
            auroc(scores, outcomes)
        return
    # Ties are ties only if the floats are equal: keep scikit-learn's curve from merging near ones.
    rounded = [round(score, 6) for score in scores]
    assert auroc(rounded, outcomes) == pytest.approx(metrics.roc_auc_score(outcomes, rounded))
    flipped = auroc([-score for score in scores], outcomes)
    assert flipped == pytest.approx(1 - auroc(scores, outcomes))


def test_bins_by_hand():
    bins = reliability_bins([0.1, 0.2, 0.5, 0.55, 1.0], [False, True, True, False, True], bins=2)
    assert [(each.low, each.high, each.n) for each in bins] == [(0, 0.5, 2), (0.5, 1, 3)]
    assert bins[0].mean == pytest.approx(0.15)
    assert bins[0].share == 0.5
    assert bins[1].mean == pytest.approx(2.05 / 3)
    assert bins[1].share == pytest.approx(2 / 3)
    error = expected_calibration_error(
        [0.1, 0.2, 0.5, 0.55, 1.0], [False, True, True, False, True], bins=2
    )
    assert error == pytest.approx(2 / 5 * 0.35 + 3 / 5 * abs(2.05 / 3 - 2 / 3))


def test_an_empty_bin_says_so():
    (empty, full) = reliability_bins([0.9], [True], bins=2)
    assert (empty.n, empty.mean, empty.share) == (0, None, None)
    assert full.n == 1


@given(forecasts, st.integers(1, 20))
def test_bins_keep_every_forecast(pairs, bins):
    probabilities, outcomes = zip(*pairs, strict=True)
    found = reliability_bins(probabilities, outcomes, bins=bins)
    assert sum(each.n for each in found) == len(pairs)
    assert all(
        each.low - 1e-9 <= each.mean <= each.high + 1e-9 for each in found if each.mean is not None
    )
    error = expected_calibration_error(probabilities, outcomes, bins=bins)
    assert 0 <= error <= 1
    sure = [float(outcome) for outcome in outcomes]
    assert expected_calibration_error(sure, outcomes, bins=bins) == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda: brier_score([], []),
        lambda: brier_score([1.1], [True]),
        lambda: brier_score([math.nan], [True]),
        lambda: reliability_bins([0.5], [True], bins=0),
        lambda: auroc([1, math.nan], [True, False]),
        lambda: auroc([1], [True, False]),
    ],
)
def test_what_makes_no_sense_is_refused(call):
    with pytest.raises(ValueError, match=r"outcome|between|finite|at least"):
        call()
