"""Repeats: reducers by name, and errors over cases, however often each was asked."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import FIGURES, answer, question
from runs import item, record, write_leg

from curieval.report import build_report, read_run, render_markdown, render_summary
from curieval.report import html as page
from curieval.report.repeats import pass_at
from scoring.statistics import mean_interval

# Right answers of three repeats: 3, 2, 1 and 0.
RIGHT = [(1, 1, 1), (1, 0, 1), (0, 1, 0), (0, 0, 0)]


def report_of(folder, cases):
    items = [item(n, repeat=r) for n, case in enumerate(cases) for r in range(1, len(case) + 1)]
    scores = [score for case in cases for score in case]
    lines = [
        record(each, None, state="unscored", reason="timeout")
        if score is None
        else record(each, float(score))
        for each, score in zip(items, scores, strict=True)
    ]
    write_leg(folder, items, lines)
    return build_report(read_run(folder), baselines={})


def reducers(report):
    figure = report.summary("embedded", "env_triad").figure("hierarchical_f1")
    return {each.reducer: each for each in figure.repeats}


def test_reducers_are_named(tmp_path):
    found = reducers(report_of(tmp_path, RIGHT))
    assert {name: each.mean for name, each in found.items()} == pytest.approx(
        {"mean": 6 / 12, "majority": 2 / 4, "pass@3": 3 / 4}
    )
    assert {each.n for each in found.values()} == {4}
    expected = mean_interval([1.0, 1.0, 0.0, 0.0])
    majority = found["majority"]
    assert (majority.low, majority.high) == pytest.approx((expected.low, expected.high))


def test_the_standard_error_is_over_cases(tmp_path):
    report = report_of(tmp_path, RIGHT * 10)
    figure = report.summary("embedded", "env_triad").figure("hierarchical_f1")
    means = [sum(case) / 3 for case in RIGHT * 10]
    assert figure.n == 120
    assert figure.stderr == pytest.approx(stdev(means) / math.sqrt(40))
    assert reducers(report)["mean"].stderr == pytest.approx(figure.stderr)


def test_equal_repeats_leave_the_error_alone(tmp_path):
    once = report_of(tmp_path / "once", [(1,), (0,)] * 10)
    thrice = report_of(tmp_path / "thrice", [(1, 1, 1), (0, 0, 0)] * 10)
    one, three = (
        each.summary("embedded", "env_triad").figure("hierarchical_f1") for each in (once, thrice)
    )
    assert (one.mean, one.low, one.high, one.stderr) == pytest.approx(
        (three.mean, three.low, three.high, three.stderr)
    )
    assert one.repeats == []


def test_a_case_counts_once_however_many_of_its_repeats_were_scored(tmp_path):
    report = report_of(tmp_path, [(1, 1, 1), (0, None, None)])
    figure = report.summary("embedded", "env_triad").figure("hierarchical_f1")
    assert (figure.n, figure.mean) == (4, 0.5)
    assert figure.bound == pytest.approx(3 / 6)
    found = reducers(report)
    assert (found["mean"].n, found["majority"].n, found["pass@3"].n) == (2, 1, 1)


def test_right_is_a_full_score(tmp_path):
    items = [question(n, repeat=r) for n in range(2) for r in (1, 2)]
    lines = [answer(each, s) for each, s in zip(items, (100.0, 90.0, 100.0, 100.0), strict=True)]
    write_leg(tmp_path, items, lines, models=("m",), task="protein_qa", figures=FIGURES)
    figure = build_report(read_run(tmp_path), baselines={}).summary("m", "protein_qa").figures[0]
    values = {each.reducer: each.mean for each in figure.repeats}
    assert values == pytest.approx({"mean": 97.5, "majority": 0.5, "pass@2": 1.0})


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.data())
def test_pass_at_k_is_the_share_of_choices_with_a_right_one(right, data):
    k = data.draw(st.integers(1, len(right)))
    choices = list(combinations(right, k))
    assert pass_at(len(right), sum(right), k) == pytest.approx(
        sum(any(choice) for choice in choices) / len(choices)
    )


def test_every_rendering_names_them(tmp_path):
    report = report_of(tmp_path, RIGHT * 10)
    text = " ".join(render_summary(report, []).split())
    assert text.startswith("env_triad · embedded: 120 of 120 answers to 40 cases scored")
    assert "hierarchical_f1 over the repeats of 40 cases: mean 0.500 [" in text
    assert "majority 0.500 [" in text
    assert "pass@3 0.750 [" in text
    assert "| pass&#64;3 | 0.750 (" in render_markdown(report, [])
    shown = "".join(page.page_parts(report, read_run(tmp_path)))
    assert "<td>pass@3</td>" in shown
    assert "env_triad: all (40 cases)" in shown
