"""Agreement against scikit-learn and published examples; corrected means by simulation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.statistics import cohen_kappa, krippendorff_alpha, prediction_powered_mean

ratings = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=40)


@given(ratings, st.sampled_from([None, "linear", "quadratic"]))
def test_kappa_equals_scikit_learn(pairs, weights):
    metrics = pytest.importorskip("sklearn.metrics")
    first, second = zip(*pairs, strict=True)
    found = cohen_kappa(first, second, order=range(5), weights=weights)
    if len({*first, *second}) == 1:
        assert found == 1
        return
    expected = metrics.cohen_kappa_score(first, second, labels=range(5), weights=weights)
    assert found == pytest.approx(expected, abs=1e-9)
    assert found == pytest.approx(cohen_kappa(second, first, order=range(5), weights=weights))


def test_kappa_by_hand():
    # 20 both yes, 5 and 10 apart, 15 both no: observed 0.7, by chance 0.5.
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)


# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C: four observers,
# twelve units, gaps; nominal 0.743, ordinal 0.815, interval 0.849, ratio 0.797.
_ = None
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]


@pytest.mark.parametrize(
    ("level", "expected"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_of_the_published_example(level, expected):
    pytest.importorskip("krippendorff")
    assert krippendorff_alpha(OBSERVERS, level=level) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("table", [[[1, None], [None, 2]], [[1, 1], [1, 1]]])
def test_alpha_without_anything_to_compare_is_refused(table):
    pytest.importorskip("krippendorff")
    with pytest.raises(ValueError, match="alpha needs"):
        krippendorff_alpha(table)


def test_prediction_powered_mean_by_hand():
    found = prediction_powered_mean([0.2, 0.4, 0.6, 0.8], [0.5, 0.7], [0.4, 0.8])
    # 0.5 corrected by the mean error 0; variances 0.2 / 3 / 4 and 0.02 / 2.
    assert found.mean == pytest.approx(0.5)
    assert found.high - found.mean == pytest.approx(1.959963984540054 * (0.2 / 12 + 0.01) ** 0.5)


def test_a_useless_judge_is_given_no_weight():
    found = prediction_powered_mean([0.5] * 50, [0.5, 0.5, 0.5], [0.2, 0.4, 0.9], tuned=True)
    assert found.mean == pytest.approx(0.5)
    spread = prediction_powered_mean([0, 1] * 50, [0, 1, 0, 1], [0, 0, 1, 1], tuned=True)
    assert spread.mean == pytest.approx(0.5)


@pytest.mark.parametrize("tuned", [False, True])
def test_a_biased_judge_is_corrected(tuned):
    numpy = pytest.importorskip("numpy")
    draw = numpy.random.default_rng(4)
    covered, widths, plain = 0, 0.0, 0.0
    for _trial in range(400):
        people = (draw.random(600) < 0.6).astype(float)
        # The judge is right in 90 % of cases and adds 0.1 to everything.
        judge = numpy.where(draw.random(600) < 0.9, people, 1 - people) + 0.1
        found = prediction_powered_mean(judge[100:], judge[:100], people[:100], tuned=tuned)
        covered += found.low <= 0.6 <= found.high
        widths += found.high - found.low
        plain += 2 * 1.96 * people[:100].std(ddof=1) / 10
    assert 0.915 <= covered / 400 <= 0.985
    assert widths < 0.85 * plain


@pytest.mark.parametrize(
    "call",
    [
        lambda: cohen_kappa([], []),
        lambda: cohen_kappa([1], [1], weights="linear"),
        lambda: cohen_kappa([1, 7], [1, 1], order=[1, 2]),
        lambda: prediction_powered_mean([1, 0], [1], [1]),
    ],
)
def test_what_makes_no_sense_is_refused(call):
    with pytest.raises(ValueError, match=r"rating|order"):
        call()
