"""Pooled figures against scikit-learn, with intervals by cluster."""

from __future__ import annotations

import random

import pytest
from runs import item, record, write_leg

from curieval.report import build_report, pooled, read_run
from scoring import statistics


@pytest.fixture
def figure(tmp_path):
    """The summary of one pooled figure over records with these scores."""

    def summed(kind, scores):
        items = [item(n) for n in range(len(scores))]
        lines = [
            record(each, 0.0) | {"scores": columns}
            for each, columns in zip(items, scores, strict=True)
        ]
        figures = [{"name": "figure", "aggregate": kind, "primary": True}]
        write_leg(tmp_path, items, lines, figures=figures)
        report = build_report(read_run(tmp_path), baselines={})
        return report.summary("embedded", "env_triad").figure("figure")

    return summed


def forecasts(n):
    draw = random.Random(2)
    pairs = [(draw.random(), draw.random()) for _ in range(n)]
    return [(p, other < 0.2 + 0.6 * p) for p, other in pairs]


@pytest.mark.parametrize("kind", ["auroc", "brier"])
def test_forecasts_equal_scikit_learn(figure, kind):
    metrics = pytest.importorskip("sklearn.metrics")
    pairs = forecasts(80)
    found = figure(kind, [{"probability": p, "outcome": o} for p, o in pairs])
    probabilities, outcomes = zip(*pairs, strict=True)
    function = {"auroc": metrics.roc_auc_score, "brier": metrics.brier_score_loss}[kind]
    assert found.mean == pytest.approx(function(outcomes, probabilities))
    assert found.low < found.mean < found.high
    assert (found.n, found.aggregate, found.bound) == (80, kind, None)


def test_forecasts_equal_the_plain_functions():
    numpy = pytest.importorskip("numpy")
    # Ties, edges of bins, both ends.
    pairs = [(p / 20, (p * 7) % 3 == 0) for p in range(21)] + [(0.5, True), (0.5, False)]
    rows = numpy.array(pairs, dtype=float)
    probabilities, outcomes = zip(*pairs, strict=True)
    assert pooled.auroc(rows) == pytest.approx(statistics.auroc(probabilities, outcomes))
    assert pooled.brier(rows) == pytest.approx(statistics.brier_score(probabilities, outcomes))
    expected = statistics.expected_calibration_error(probabilities, outcomes)
    assert pooled.calibration_error(rows) == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["micro_f1", "micro_precision", "micro_recall", "mcc"])
def test_counts_equal_scikit_learn(figure, kind):
    metrics = pytest.importorskip("sklearn.metrics")
    pairs = [(p > 0.5, o) for p, o in forecasts(60)]
    scores = [
        {"tp": int(a and b), "fp": int(a and not b), "fn": int(b and not a),
         "tn": int(not a and not b)}
        for a, b in pairs
    ]  # fmt: skip
    found = figure(kind, scores)
    function = {
        "micro_f1": metrics.f1_score,
        "micro_precision": metrics.precision_score,
        "micro_recall": metrics.recall_score,
        "mcc": metrics.matthews_corrcoef,
    }[kind]
    answers, truths = zip(*pairs, strict=True)
    assert found.mean == pytest.approx(function(truths, answers))
    assert found.low < found.mean < found.high


def test_related_cases_widen_the_interval(figure, tmp_path):
    scores = [{"tp": n % 2, "fp": 0, "fn": 1 - n % 2, "cluster": f"paper {n % 10}"}
              for n in range(200)]  # fmt: skip
    alone = figure("micro_recall", [{**each, "cluster": None} for each in scores])
    for path in tmp_path.iterdir():
        path.unlink()
    together = figure("micro_recall", scores)
    assert together.mean == alone.mean == 0.5
    assert together.high - together.low > 3 * (alone.high - alone.low)
    assert together.rough
    assert not alone.rough


def test_nothing_to_count_is_nothing(figure):
    found = figure("micro_f1", [{"tp": 0, "fp": 0, "fn": 0}, {"other": 1}])
    assert (found.n, found.mean, found.low) == (0, None, None)


def test_one_case_has_no_interval(figure):
    found = figure("micro_f1", [{"tp": 1, "fp": 1, "fn": 0}])
    assert found.mean == pytest.approx(2 / 3)
    assert (found.low, found.high, found.rough) == (None, None, True)


def test_levels_of_a_hierarchy_equal_scoring(figure):
    from scoring import hierarchical_micro_f1

    reference = [["1.1.1.1"], ["2.7.1.1", "3.1.1.1"], ["4.2.1.1"], ["1.1.1.2"]]
    prediction = [["1.1.2.1"], ["2.7.1.1"], [], ["1.1.1.2"]]
    rows = []
    for true, said in zip(reference, prediction, strict=True):
        levels = hierarchical_micro_f1(reference=[true], prediction=[said]).levels
        rows.append(
            {f"level_{n}_{k}": getattr(levels[n], k) for n in levels for k in ("tp", "fp", "fn")}
        )
    whole = hierarchical_micro_f1(reference=reference, prediction=prediction)
    assert figure("level_3_f1", rows).mean == pytest.approx(whole.levels[3].f1)
    assert pooled.pool(
        "mean_level_f1", [{"case": str(n), "scores": row} for n, row in enumerate(rows)]
    )["value"] == pytest.approx(whole.mean_level_f1)


def test_a_level_with_nothing_to_count_is_left_out_of_the_mean():
    numpy = pytest.importorskip("numpy")
    rows = numpy.array([[1.0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0]])
    assert pooled.mean_level_f1(rows) == 0.5
    assert numpy.isnan(pooled.mean_level_f1(rows * 0))
