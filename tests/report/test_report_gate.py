"""Thresholds: read strictly, applied to whole runs only, and never passed for want of data."""

from __future__ import annotations

import pytest
from runs import item, record, reply, write_leg

from curieval.report import ReportError, build_report, check_gates, load_thresholds, read_run

F1 = 'figure = "hierarchical_f1"\n'
TASKS = {"env_triad": ["hierarchical_f1", "ontology_score"]}


@pytest.fixture
def rules(tmp_path):
    def load(text):
        path = tmp_path / "thresholds.toml"
        path.write_text(text)
        return load_thresholds(path, tasks=TASKS)

    return load


@pytest.fixture
def gated(tmp_path, rules):
    """The states of the gates that `text` sets on a run of these records."""

    def check(text, lines, items=None, **about):
        planned = items or [item(n) for n in range(len(lines))]
        write_leg(tmp_path / "run", planned, [line for line in lines if line], **about)
        report = build_report(read_run(tmp_path / "run"), baselines={})
        return check_gates(report, rules(text))

    return check


def scored(*values, **more):
    return [record(item(n), value, **more) for n, value in enumerate(values)]


@pytest.mark.parametrize(
    ("rule", "state", "value"),
    [
        ('figure = "hierarchical_f1"\nmin = 0.6', "passed", 0.6),
        ('figure = "hierarchical_f1"\nmin = 0.61', "failed", 0.6),
        ('figure = "hierarchical_f1"\nmax = 0.5', "failed", 0.6),
        ('figure = "hierarchical_f1"\nstatistic = "low"\nmin = 0.5', "failed", None),
        ('statistic = "unscored"\nmax = 0.1', "passed", 0),
        ('statistic = "unreadable"\nmax = 0.1', "passed", 0),
        ('statistic = "cost"\nmax = 0.9', "failed", 1.25),
        ('statistic = "latency_p95"\nmax = 1', "passed", 1),
        (
            'figure = "hierarchical_f1"\nslice = { slot = "env_broad_scale" }\nmin = 0.5',
            "passed",
            0.6,
        ),
        ('figure = "hierarchical_f1"\nslice = { slot = "env_medium" }\nmin = 0', "failed", None),
        ('figure = "hierarchical_f1"\ncase_set = "sample"\nmin = 1', "skipped", None),
        ('figure = "hierarchical_f1"\ncase_set = "all"\nmin = 1', "failed", 0.6),
    ],
)
def test_rules(gated, rule, state, value):
    (gate,) = gated(f"[[embedded.env_triad]]\n{rule}", scored(1, 1, 1, 0, 0))
    assert gate.state == state
    if value is not None:
        assert gate.value == pytest.approx(value)


def test_low_is_the_lower_bound(gated):
    text = '[[embedded.env_triad]]\nfigure = "hierarchical_f1"\nstatistic = "low"\nmin = 0.5'
    (gate,) = gated(text, scored(*[1] * 20))
    assert gate.value == pytest.approx(0.839, abs=5e-4)
    assert gate.state == "passed"
    assert gate.message == "embedded, env_triad: hierarchical_f1 low ≥ 0.5: is 0.8389"


def test_a_models_own_rules_stand_in_for_the_default(gated):
    text = """
        [[default.env_triad]]
        figure = "hierarchical_f1"
        min = 1
        [[embedded.env_triad]]
        figure = "hierarchical_f1"
        min = 0.5
    """
    assert [gate.state for gate in gated(text, scored(1, 0))] == ["passed"]


def test_default_serves_models_not_named(gated):
    text = '[[default.env_triad]]\nfigure = "hierarchical_f1"\nmin = 0.6'
    assert [gate.state for gate in gated(text, scored(1, 0))] == ["failed"]


@pytest.mark.parametrize("statistic", ["mean", "low"])
def test_nothing_scored_passes_no_gate(gated, statistic):
    text = f'[[default.env_triad]]\nfigure = "hierarchical_f1"\nstatistic = "{statistic}"\nmin = 0'
    (gate,) = gated(text, [record(item(0), state="unscored", reason="timeout")])
    assert (gate.state, gate.value) == ("failed", None)
    assert "no score to judge by" in gate.message


def test_unknown_cost_is_not_zero(gated):
    text = '[[default.env_triad]]\nstatistic = "cost"\nmax = 10'
    (gate,) = gated(text, scored(1, answer=reply(cost_usd=None)))
    assert gate.state == "failed"
    assert "price of 1 calls is unknown" in gate.message


def test_suspect_references_are_not_asked(gated):
    lines = [*scored(1), record(item(1), state="unscored", reason="suspect_reference")]
    (gate,) = gated('[[default.env_triad]]\nstatistic = "unscored"\nmax = 0', lines)
    assert gate.state == "passed"


def test_a_judge_that_is_not_trusted_gates_nothing(gated):
    figures = [{"name": "hierarchical_f1", "primary": True, "trusted": False}]
    text = '[[default.env_triad]]\nfigure = "hierarchical_f1"\nmin = 0.5'
    (gate,) = gated(text, scored(1), figures=figures)
    assert gate.state == "skipped"
    assert "its judge fell short of its calibration" in gate.message


def test_a_partial_run_is_not_gated(gated):
    text = '[[default.env_triad]]\nfigure = "hierarchical_f1"\nmin = 1'
    (gate,) = gated(text, scored(0), case_set="partial")
    assert gate.state == "skipped"
    assert "only a part of the cases" in gate.message


def test_a_run_that_stopped_early_is_not_gated(gated):
    text = '[[default.env_triad]]\nfigure = "hierarchical_f1"\nmin = 0'
    (gate,) = gated(text, [*scored(1), None])
    assert gate.state == "skipped"
    assert "1 of 2 cases were not run" in gate.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[a.b]\n", "not TOML.*line 1"),
        ("a = 1", r"\[\[a\]\]: expected rules"),
        ("[a.env_triad]\nmin = 1", "double brackets"),
        ("\n[[a.env_triade]]\nmin = 1", r"toml:2: .*unknown task.*did you mean 'env_triad'"),
        (
            f"[[a.env_triad]]\n{F1}min=1\n[[a.env_triad]]\nmini = 1",
            r"toml:4:.*'mini'; did you mean",
        ),
        ('[["a.b".env_triad]]\nfigure = "f1"\nmin = 1', r"toml:1: .*unknown figure 'f1'"),
        ("[[a.env_triad]]\nmin = 1", "name a figure, or a statistic"),
        (f"[[a.env_triad]]\n{F1}", "needs min, max or fail_if"),
        (f'[[a.env_triad]]\n{F1}min = "0.5"', "min is a number"),
        (f"[[a.env_triad]]\n{F1}min = nan", "min is a number"),
        (f"[[a.env_triad]]\n{F1}min = true", "min is a number"),
        (f'[[a.env_triad]]\n{F1}statistic = "median"\nmin = 1', "mean or low"),
        ('[[a.env_triad]]\nstatistic = "mean"\nmin = 1', "name a figure"),
        (f'[[a.env_triad]]\n{F1}fail_if = "mean:2pp"', "downwards, as in mean:-2pp"),
        (f'[[a.env_triad]]\n{F1}fail_if = ["worse"]', "'worse' is no rule; write mean:-2pp"),
        (f'[[a.env_triad]]\n{F1}fail_if = "significant:5pp"', "a level such as significant:5%"),
        (f"[[a.env_triad]]\n{F1}fail_if = 5", "a text or a list of texts"),
        ('[[a.env_triad]]\nstatistic = "cost"\nmax=1\nfail_if = "mean:-2pp"', "needs a figure"),
        (f'[[a.env_triad]]\n{F1}min = 1\nallow = ["all"]', "allow is a list out of missing_cases"),
        ('[[a.env_triad]]\nstatistic = "cost"\nslice = "x"\nmax = 1', "slice is a table"),
        ('[[a.env_triad]]\nstatistic = "cost"\ncase_set = "x"\nmax = 1', "sample or all, not 'x'"),
    ],
)
def test_what_is_not_understood_is_refused(rules, text, message):
    with pytest.raises(ReportError, match=message) as caught:
        rules(text)
    assert "thresholds.toml" in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ReportError, match="no thresholds file"):
        load_thresholds(tmp_path / "absent.toml")
