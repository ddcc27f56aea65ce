"""Which intervals of pooled figures are called rough: too few cases, or nearly all on one side."""

import pytest

from curieval.report.pooled import pool
from curieval.report.roughness import is_rough_pooled


def verdicts(tp=0, fp=0, fn=0, tn=0):
    """One record a case; forecasts of 0.95 and 0.05 as the verdict has it."""
    sides = {(1, 1): tp, (1, 0): fp, (0, 1): fn, (0, 0): tn}
    pairs = [pair for pair, count in sides.items() for _ in range(count)]
    return [
        {
            "case": f"case-{n}",
            "scores": {
                "tp": int(said and true),
                "fp": int(said and not true),
                "fn": int(not said and true),
                "tn": int(not said and not true),
                "probability": 0.95 if said else 0.05,
                "outcome": true,
            },
        }
        for n, (said, true) in enumerate(pairs)
    ]


KINDS = ("micro_f1", "micro_precision", "micro_recall", "mcc", "auroc", "brier", "ece")


@pytest.mark.parametrize("kind", KINDS)
def test_all_right_is_rough_however_many_cases(kind):
    found = pool(kind, verdicts(tp=500, tn=500))
    assert found["high"] - found["low"] < 1e-12
    assert found["rough"]


@pytest.mark.parametrize("kind", KINDS)
def test_many_of_each_are_not_rough(kind):
    assert not pool(kind, verdicts(tp=60, fp=40, fn=40, tn=60))["rough"]


@pytest.mark.parametrize("kind", KINDS)
def test_few_cases_are_rough(kind):
    assert pool(kind, verdicts(tp=8, fp=6, fn=6, tn=8))["rough"]


@pytest.mark.parametrize(
    ("kind", "counts", "rough"),
    [
        # 31 cases are predicted positive, then 29, however many there are besides.
        ("micro_precision", {"tp": 16, "fp": 15, "fn": 100, "tn": 100}, False),
        ("micro_precision", {"tp": 15, "fp": 14, "fn": 100, "tn": 100}, True),
        ("micro_recall", {"tp": 16, "fn": 15, "fp": 100, "tn": 100}, False),
        ("micro_recall", {"tp": 15, "fn": 14, "fp": 100, "tn": 100}, True),
        # True negatives are no part of F1.
        ("micro_f1", {"tp": 10, "fp": 10, "fn": 9, "tn": 500}, True),
        # Four wrong answers, then five.
        ("micro_precision", {"tp": 200, "fp": 4, "fn": 50, "tn": 50}, True),
        ("micro_precision", {"tp": 200, "fp": 5, "fn": 50, "tn": 50}, False),
        ("brier", {"tp": 100, "fp": 4, "tn": 100}, True),
        ("brier", {"tp": 100, "fp": 5, "tn": 100}, False),
        # A correlation rests on each of its margins.
        ("mcc", {"tp": 4, "fp": 100, "fn": 0, "tn": 100}, True),
        ("mcc", {"tp": 5, "fp": 100, "fn": 5, "tn": 100}, False),
        ("auroc", {"tp": 16, "fn": 13, "fp": 200, "tn": 200}, True),
        ("auroc", {"tp": 16, "fn": 15, "fp": 200, "tn": 200}, False),
    ],
)
def test_what_a_figure_rests_on_decides(kind, counts, rough):
    assert pool(kind, verdicts(**counts))["rough"] is rough


def test_related_cases_count_once():
    rows = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]] * 50
    assert not is_rough_pooled("micro_recall", rows, 0.5, n_clusters=100)
    assert is_rough_pooled("micro_recall", rows, 0.5, n_clusters=29)


def test_the_tier_makes_no_difference():
    rows = [[0.95, 1.0]] * 500
    for kind in ("brier", "two_tier_brier"):
        assert is_rough_pooled(kind, rows, 0.0025, n_clusters=500)


def test_a_forecast_that_takes_no_side_is_half_right():
    assert not is_rough_pooled("brier", [[0.5, 1.0]] * 30, 0.25, n_clusters=30)


def test_clusters_that_are_all_alike_are_rough():
    """One right and one wrong answer in each: the figure is the same in every draw."""
    rows = verdicts(tp=100, fp=100)
    for n, row in enumerate(rows):
        row["scores"]["cluster"] = f"paper {n % 100}"
    found = pool("micro_f1", rows)
    assert found["value"] == pytest.approx(2 / 3)
    assert found["high"] - found["low"] < 1e-12
    assert found["rough"]
