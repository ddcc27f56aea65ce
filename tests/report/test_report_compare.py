"""Comparison by case, and rules against a baseline: worse is found, infrastructure is not worse."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from runs import item, record, write_leg

from curieval.report import (
    ReportError,
    build_report,
    check_baseline,
    compare_reports,
    load_report,
    load_thresholds,
    read_run,
    write_report,
)
from curieval.report.rules import parse_fail_if
from scoring.statistics import mcnemar, paired_difference


@pytest.fixture
def reported(tmp_path):
    """A report of the scores given; None is a call that failed."""
    made = iter(range(100))

    def report(scores, *, slots=("env_broad_scale",), first=0, model="embedded", **about):
        folder = tmp_path / f"run{next(made)}"
        items = [
            item(first + n, model=model, slot=slots[n % len(slots)]) for n in range(len(scores))
        ]
        lines = [
            record(each, score)
            if score is not None
            else record(each, state="unscored", reason="timeout")
            for each, score in zip(items, scores, strict=True)
        ]
        about.setdefault("models", (model,))
        write_leg(folder, items, lines, **about)
        return build_report(read_run(folder), baselines={})

    return report


@pytest.fixture
def rules(tmp_path):
    def load(text):
        path = tmp_path / "thresholds.toml"
        path.write_text(text)
        return load_thresholds(path)

    return load


BASE = [1.0] * 160 + [0.0] * 40


def flipped(lost, gained):
    return [0.0] * lost + [1.0] * (160 - lost) + [1.0] * gained + [0.0] * (40 - gained)


@pytest.mark.parametrize(("lost", "gained"), [(0, 0), (3, 3)])
def test_the_same_and_a_little_noise_pass(reported, lost, gained):
    (gate,) = check_baseline(reported(flipped(lost, gained)), reported(BASE))
    assert (gate.state, gate.against) == ("passed", "baseline")


def test_twenty_flips_to_wrong_fail_with_test_interval_and_cases(reported):
    (gate,) = check_baseline(reported(flipped(20, 0)), reported(BASE))
    assert gate.state == "failed"
    assert gate.value == pytest.approx(-0.1)
    interval = paired_difference(BASE, flipped(20, 0))
    assert f"worse with p = {mcnemar(0, 20).exact:.2g} (McNemar exact)" in gate.message
    assert f"95 % {100 * interval.low:+.1f} to {100 * interval.high:+.1f}" in gate.message
    assert "20 fell and 0 rose" in gate.message
    assert "fell: soil-00, soil-01" in gate.message
    assert "and 10 more" in gate.message


def test_failed_calls_are_not_a_regression(reported):
    scores = [None if n % 7 == 0 else score for n, score in enumerate(BASE)]
    assert scores.count(None) == 29
    (gate,) = check_baseline(reported(scores), reported(BASE))
    assert gate.state == "passed"


@pytest.mark.parametrize("allow", ["", 'allow = ["missing_cases"]'])
def test_missing_cases_fail_unless_allowed(reported, rules, allow):
    text = f'[[default.env_triad]]\nfigure = "hierarchical_f1"\nfail_if = "significant:5%"\n{allow}'
    after = reported(BASE[2:], first=2)
    (gate,) = check_baseline(after, reported(BASE), rules(text))
    assert gate.state == ("passed" if allow else "failed")
    assert allow or "2 cases only in the baseline, 0 only here: soil-00, soil-01" in gate.message


@pytest.mark.parametrize("allow", ["", 'allow = ["changed_data"]'])
def test_changed_data_fail_unless_allowed(reported, rules, allow):
    text = f'[[default.env_triad]]\nfigure = "hierarchical_f1"\nfail_if = "mean:-2pp"\n{allow}'
    (gate,) = check_baseline(reported(BASE, sha="cd"), reported(BASE), rules(text))
    assert gate.state == ("passed" if allow else "failed")
    assert allow or "the data changed since the baseline" in gate.message


@pytest.mark.parametrize(
    ("rule", "lost", "state"),
    [
        ("mean:-2pp", 4, "passed"),
        ("mean:-2pp", 5, "failed"),
        ("mean:-5%", 8, "passed"),  # 5 % of 0.8 are 4 pp, which are 8 of 200
        ("mean:-5%", 9, "failed"),
        ("low:-4pp", 1, "passed"),
        ("low:-4pp", 7, "failed"),
        ("significant:5%", 5, "passed"),
        ("significant:5%", 6, "failed"),
    ],
)
def test_rules(reported, rules, rule, lost, state):
    text = f'[[default.env_triad]]\nfigure = "hierarchical_f1"\nfail_if = "{rule}"'
    (gate,) = check_baseline(reported(flipped(lost, 0)), reported(BASE), rules(text))
    assert gate.state == state


def test_slices_share_one_level(reported, rules):
    slots = ("env_broad_scale", "env_medium")
    text = "".join(
        f'[[default.env_triad]]\nfigure = "hierarchical_f1"\nslice = {{ slot = "{slot}" }}\n'
        'fail_if = "significant:5%"\n'
        for slot in slots
    )
    # Six falls in each slice: p = 0.031, and twice that after Holm.
    after = reported(flipped(12, 0), slots=slots)
    gates = check_baseline(after, reported(BASE, slots=slots), rules(text))
    assert [gate.state for gate in gates] == ["passed", "passed"]
    after = reported(flipped(14, 0), slots=slots)
    gates = check_baseline(after, reported(BASE, slots=slots), rules(text))
    assert [gate.state for gate in gates] == ["failed", "failed"]
    assert "7 fell" in gates[0].message
    assert "on 100 cases" in gates[0].message


def test_a_partial_run_is_not_held_against_the_baseline(reported):
    (gate,) = check_baseline(reported(BASE[:20], case_set="partial"), reported(BASE))
    assert gate.state == "skipped"
    assert "only a part of the cases" in gate.message


def test_a_baseline_of_something_else_is_an_error(reported):
    with pytest.raises(ReportError, match="none of this run's models and tasks"):
        check_baseline(reported([1.0]), reported([1.0], model="other"))


def test_a_missing_or_foreign_baseline_is_an_error(tmp_path, reported):
    with pytest.raises(ReportError, match=r"no report .*report\.json"):
        load_report(tmp_path / "absent")
    (tmp_path / "report.json").write_text("{}")
    with pytest.raises(ReportError, match="no schema_version"):
        load_report(tmp_path)
    (tmp_path / "report.json").write_text('{"schema_version": 99}')
    with pytest.raises(ReportError, match="report of version 99, this program reads version 1"):
        load_report(tmp_path)
    (tmp_path / "report.json").write_text('{"schema_version": 1}')
    with pytest.raises(ReportError, match="not a report of version 1"):
        load_report(tmp_path / "report.json")


def test_an_older_report_is_brought_up(tmp_path, reported, monkeypatch):
    report = reported([1.0])
    old = msgspec.to_builtins(report)
    old["schema_version"], old["outcomes"] = 0, old.pop("items")
    (tmp_path / "report.json").write_text(json.dumps(old))

    def rename(document):
        items = document.pop("outcomes")
        return {**document, "schema_version": 1, "items": items}

    monkeypatch.setattr("curieval.report.load.MIGRATIONS", {0: rename})
    assert load_report(tmp_path) == report


def test_a_report_is_loaded_as_it_was_written(tmp_path):
    write_leg(tmp_path, [item(1)], [record(item(1), 1.0)])
    report = build_report(read_run(tmp_path), baselines={})
    write_report(report, tmp_path)
    assert load_report(tmp_path) == load_report(tmp_path / "report.json") == report


def test_two_models_are_compared_by_case(reported):
    before = reported([1.0, 0.5, 0.2, None, 0.4])
    after = reported([0.5, 0.5, 0.9, 1.0, 0.4, 1.0], model="other")
    found = compare_reports(before, after)[0]
    assert (found.before_model, found.after_model, found.n) == ("embedded", "other", 4)
    assert found.before == pytest.approx(2.1 / 4)
    assert found.after == pytest.approx(2.3 / 4)
    assert found.difference == pytest.approx(0.05)
    assert [(c.case, c.before, c.after) for c in found.fell] == [("soil-00", 1.0, 0.5)]
    assert [c.case for c in found.rose] == ["soil-02"]
    assert found.only_after == ["soil-05"]
    assert found.unscored == ["soil-03"]
    assert found.test == "sign flips"
    # Of four sign patterns of -0.5 and 0.7 all reach a sum of 0.2.
    assert found.p == 1.0


def test_reports_without_anything_in_common(reported):
    with pytest.raises(ReportError, match="env_triad by embedded"):
        compare_reports(reported([1.0]), reported([1.0], task="ec_number"))


@given(st.floats(-99, 0), st.sampled_from(["mean", "low"]), st.sampled_from(["pp", "%"]))
def test_rules_read_as_written(number, kind, unit):
    rule = parse_fail_if(f"{kind}:{number:.3f}{unit}")
    assert rule.kind == kind
    assert rule.limit == pytest.approx(number / 100, abs=1e-5)
    assert rule.relative == (unit == "%")
