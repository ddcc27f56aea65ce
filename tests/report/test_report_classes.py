"""Macro-F1 against scikit-learn's, on classes that references have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from curieval.report.classes import pool_classes

CLASSES = st.sampled_from("abcd")
PAIRS = st.lists(st.tuples(CLASSES, st.sampled_from(["a", "b", "c", "d", "e", None])), min_size=1)


def records(pairs):
    return [
        {"case": f"c{n}", "scores": {"truth_class": truth, "pred_class": answer}}
        for n, (truth, answer) in enumerate(pairs)
    ]


@given(PAIRS)
def test_it_is_the_mean_of_the_f1_of_classes_with_references(pairs):
    found = pool_classes(records(pairs))
    truths = sorted({truth for truth, _ in pairs})
    if len(truths) < 2:
        assert found is None
        return
    answers = [answer or "none" for _, answer in pairs]
    expected = f1_score(
        [truth for truth, _ in pairs], answers, labels=truths, average="macro", zero_division=0
    )
    assert found["value"] == pytest.approx(expected)
    assert found["n"] == len(pairs)
    assert 0 <= found["low"] <= found["value"] <= found["high"] <= 1 + 1e-12


def test_records_without_a_class_do_not_count():
    some = records([("a", "a"), ("b", "a"), ("b", None)])
    assert pool_classes([*some, {"case": "x", "scores": {"f1": 1.0}}])["n"] == 3
    # a: 2·1 / (2·1 + 1 + 0); b: 0.
    assert pool_classes(some)["value"] == pytest.approx(1 / 3)
    assert pool_classes([]) is None


def test_the_interval_is_drawn_by_case():
    alone = pool_classes(records([("a", "a"), ("b", "b"), ("a", "b"), ("b", "a")] * 5))
    repeated = records([("a", "a"), ("b", "b"), ("a", "b"), ("b", "a")] * 5)
    for number, record in enumerate(repeated):
        record["case"] = f"c{number // 10}"
    wide = pool_classes(repeated)
    assert alone["value"] == wide["value"]
    assert wide["rough"]
    assert alone["method"] == "percentile bootstrap by case"
