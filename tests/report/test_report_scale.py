"""Figures from 0 to 100: shown in their unit, with the intervals of the shares behind them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged import FIGURES, answer, question, write_judged
from runs import write_leg

from curieval.report import (
    build_report,
    check_baseline,
    check_gates,
    compare_items,
    compare_reports,
    load_thresholds,
    read_run,
    render_comparison,
    render_markdown,
    render_summary,
)
from curieval.report import html as page
from curieval.report.schema import Item
from scoring.statistics import mcnemar, mean_interval, paired_difference

SCORES = [0.0, 50.0, 100.0, 60.0, 52.5] * 8
SHARES = [score / 100 for score in SCORES]


@pytest.fixture
def rules(tmp_path):
    def load(text):
        path = tmp_path / "thresholds.toml"
        path.write_text(f'[[default.protein_qa]]\nfigure = "llm_score"\n{text}')
        return load_thresholds(path)

    return load


def constant(records):
    return [SimpleNamespace(name="constant", answer="x", figures={"llm_score": 20.0})]


def test_the_interval_is_that_of_the_shares(tmp_path):
    write_judged(tmp_path, SCORES)
    report = build_report(read_run(tmp_path), baselines={"protein_qa": constant})
    figure = report.summary("m", "protein_qa").figure("llm_score")
    expected = mean_interval(SHARES)
    assert figure.mean == pytest.approx(52.5)
    assert (figure.low, figure.high) == pytest.approx((100 * expected.low, 100 * expected.high))
    assert figure.skill == pytest.approx((52.5 - 20) / (100 - 20))
    assert (figure.scale, figure.rough) == (100.0, False)


def test_bounds_reach_from_nothing_to_full_marks(tmp_path):
    report = write_judged(tmp_path, [50.0, 100.0, None])
    figure = report.summary("m", "protein_qa").figure("llm_score")
    assert (figure.bound, figure.bound_high) == pytest.approx((150 / 3, 250 / 3))


def test_every_rendering_shows_the_unit(tmp_path):
    report = write_judged(tmp_path, SCORES)
    low, high = (100 * end for end in (mean_interval(SHARES).low, mean_interval(SHARES).high))
    assert f"52.5 [{low:.1f}–{high:.1f}]" in render_summary(report, [])
    assert f"| 52.5 ({low:.1f}–{high:.1f}) |" in render_markdown(report, [])
    text = "".join(page.page_parts(report, read_run(tmp_path)))
    assert f'aria-label="52.5, from {low:.1f} to {high:.1f}"' in text
    assert 'aria-label="scale from 0 to 100"' in text
    assert ">100</text>" in text
    assert '"scales":{"protein_qa":100.0}' in text


@pytest.mark.parametrize(
    ("rule", "state"),
    [("min = 50", "passed"), ("min = 60", "failed"), ('statistic = "low"\nmin = 50', "failed")],
)
def test_gates_are_in_the_figures_unit(tmp_path, rules, rule, state):
    (gate,) = check_gates(write_judged(tmp_path / "run", SCORES), rules(rule))
    assert gate.state == state
    if state == "failed":
        summary = render_summary(write_judged(tmp_path / "again", SCORES), [gate])
        assert "FELL SHORT of 1 of 1 thresholds" in summary
        row = next(line for line in summary.splitlines() if line.startswith(gate.rule))
        assert row.removeprefix(gate.rule).split()[0] == f"{gate.value:.1f}"


@pytest.mark.parametrize("rule", ["min = 0.6", "max = 1"])
def test_a_share_for_a_limit_is_refused_by_name(tmp_path, rules, rule):
    (gate,) = check_gates(write_judged(tmp_path / "run", SCORES), rules(rule))
    assert gate.state == "failed"
    key, _, limit = rule.partition(" = ")
    assert f"goes from 0 to 100: write {key} = {100 * float(limit):g} instead" in gate.message


@pytest.mark.parametrize(
    ("rule", "fall", "state"),
    [
        ("mean:-2pp", 2.0, "passed"),
        ("mean:-2pp", 2.1, "failed"),
        ("mean:-5%", 3.9, "passed"),  # 5 % of 80 are 4 points
        ("mean:-5%", 4.1, "failed"),
        ("low:-4pp", 4.0, "failed"),
    ],
)
def test_points_of_a_fall_are_points_of_100(tmp_path, rules, rule, fall, state):
    before = write_judged(tmp_path / "before", [80.0] * 40)
    after = write_judged(tmp_path / "after", [80.0 - fall] * 40)
    (gate,) = check_baseline(after, before, rules(f'fail_if = "{rule}"'))
    assert gate.state == state
    assert f"80.0 → {80 - fall:.1f} (-{fall:.1f} pp" in gate.message


def test_comparison_is_that_of_the_shares(tmp_path):
    before, after = [100.0] * 30 + [0.0] * 10, [100.0] * 20 + [0.0] * 20
    reports = [write_judged(tmp_path / name, scores) for name, scores in
               (("before", before), ("after", after))]  # fmt: skip
    (found,) = compare_reports(*reports)
    expected = paired_difference([s / 100 for s in before], [s / 100 for s in after])
    assert found.difference == pytest.approx(-25.0)
    assert (found.low, found.high) == pytest.approx((100 * expected.low, 100 * expected.high))
    assert (found.test, found.p) == ("McNemar exact", mcnemar(0, 10).exact)
    text = render_comparison([found])
    assert "75.0 → 50.0 (-25.0 pp" in text
    assert "100.0" in text


def test_a_pooled_figure_is_shown_in_its_unit(tmp_path):
    figures = [{"name": "f1", "aggregate": "micro_f1", "primary": True, "scale": 100.0}]
    items = [question(n) for n in range(40)]
    lines = [{**answer(each, 0.0), "scores": {"tp": 1, "fp": n % 2, "fn": 0}}
             for n, each in enumerate(items)]  # fmt: skip
    write_leg(tmp_path, items, lines, models=("m",), task="protein_qa", figures=figures)
    report = build_report(read_run(tmp_path), baselines={})
    figure = report.summary("m", "protein_qa").figure("f1")
    assert figure.mean == pytest.approx(100 * 80 / 100)  # 2·40 / (2·40 + 20)
    assert figure.low < figure.mean < figure.high <= 100


def test_where_lower_is_better_skill_and_falls_turn_round(tmp_path):
    figures = [{"name": "brier", "aggregate": "brier", "primary": True}]
    items = [question(n) for n in range(40)]
    lines = [{**answer(each, 0.0), "scores": {"probability": 0.8, "outcome": 1, "brier": 0.04}}
             for each in items]  # fmt: skip
    write_leg(tmp_path, items, lines, models=("m",), task="protein_qa", figures=figures)

    def baselines(records):
        return [
            SimpleNamespace(name="constant", answer=str(value), figures={"brier": value})
            for value in (0.5, 0.25)
        ]

    report = build_report(read_run(tmp_path), baselines={"protein_qa": baselines})
    figure = report.summary("m", "protein_qa").figure("brier")
    assert figure.constant == 0.25
    assert figure.skill == pytest.approx(1 - 0.04 / 0.25)
    worse = [{**line, "scores": {"probability": 0.5, "outcome": 1, "brier": 0.25}}
             for line in lines]  # fmt: skip
    write_leg(tmp_path / "worse", items, worse, models=("m",), task="protein_qa", figures=figures)
    other = build_report(read_run(tmp_path / "worse"), baselines={})
    assert [gate.state for gate in check_baseline(other, report)] == ["failed"]
    assert [gate.state for gate in check_baseline(report, other)] == ["passed"]


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=30),
    st.sampled_from([10.0, 100.0]),
)
def test_a_scale_changes_the_unit_and_nothing_else(pairs, scale):
    def items(place, unit):
        return [
            Item(id=str(n), task="t", case=str(n), model="m", repeat=1, slices={}, state="scored",
                 figures={"f": unit * pair[place] / 8})
            for n, pair in enumerate(pairs)
        ]  # fmt: skip

    one = compare_items(items(0, 1.0), items(1, 1.0), figure="f")
    other = compare_items(items(0, scale), items(1, scale), figure="f", scale=scale)
    assert other.difference == pytest.approx(scale * one.difference)
    assert (other.low, other.high) == pytest.approx((scale * one.low, scale * one.high))
    assert (other.test, other.p) == (one.test, pytest.approx(one.p))
    assert [c.case for c in other.fell] == [c.case for c in one.fell]


def test_figures_are_read_with_their_scale(tmp_path):
    report = write_judged(tmp_path, [50.0])
    assert report.tasks["protein_qa"].figures[0].scale == FIGURES[0]["scale"]
