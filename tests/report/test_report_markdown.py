"""The CI step summary: small enough, inert, and with the verdict first."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runs import flat_baselines, item, record, write_leg

from curieval.report import (
    annotation_lines,
    append_step_summary,
    build_report,
    check_gates,
    load_thresholds,
    read_run,
    render_markdown,
)

RULE = '[[default.env_triad]]\nfigure = "hierarchical_f1"\nmin = '


@pytest.fixture
def gated(tmp_path):
    def run(limit, lines, items):
        write_leg(tmp_path / "run", items, lines)
        report = build_report(read_run(tmp_path / "run"), baselines=flat_baselines())
        (tmp_path / "thresholds.toml").write_text(RULE + str(limit))
        return report, check_gates(report, load_thresholds(tmp_path / "thresholds.toml"))

    return run


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def test_verdict_and_tables(gated):
    items = [item(1), item(2, slot="env_medium"), item(3)]
    lines = [record(items[0], 1.0), record(items[1], 0.5),
             record(items[2], state="unscored", reason="timeout")]  # fmt: skip
    text = render_markdown(*gated(0.9, lines, items))
    assert text.startswith("## Evaluation: 1 of 1 rules missed\n\n- ❌ embedded")
    row = next(line for line in text.splitlines() if line.startswith("| env&#95;triad"))
    assert cells(row)[1:3] == ["2 of 3", "1"]
    assert cells(row)[4].startswith("0.750 (")
    assert cells(row)[5:8] == ["0.500", "0.250", "0.500"]
    assert "| slot env&#95;medium | 1 of 1 | 0 |" in text
    assert "| soil-03-embedded | timeout |" in text


def test_kept(gated):
    text = render_markdown(*gated(0.9, [record(item(1), 1.0)], [item(1)]))
    assert text.startswith("## Evaluation: all 1 rules kept\n")


def test_a_partial_run_is_called_partial(gated):
    text = render_markdown(*gated(0.0, [record(item(1), 1.0)], [item(1), item(2)]))
    assert text.startswith("## Evaluation\n")
    assert "1 of 2 cases were not run. It was held against no rule." in text


def test_a_huge_report_stays_below_a_mebibyte(gated):
    items = [item(n, slot=f"{n} " + "ü|" * 900) for n in range(1_200)]
    text = render_markdown(*gated(0.9, [record(each, 0.0) for each in items], items))
    assert len(text.encode()) < 1024 * 1024
    assert "see report.json" in text


@settings(max_examples=40)
@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_no_text_breaks_out_of_its_cell(tmp_path_factory, text):
    folder = tmp_path_factory.mktemp("run")
    planned = item(1, slot=text)
    write_leg(folder, [planned, item(2)], [record(planned, state="unscored", reason=text or "x")])
    report = build_report(read_run(folder), baselines={})
    lines = render_markdown(report, []).splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert {line.count("|") for line in rows} <= {3, 11}
    tags = set(re.findall(r"<[^>]*>", "\n".join(lines)))
    assert tags <= {"<details>", "</details>", "<summary>", "</summary>"}


def test_annotations_point_at_the_rule(gated, tmp_path):
    _, gates = gated(0.9, [record(item(1), 0.5)], [item(1)])
    (line,) = annotation_lines(gates)
    assert line.startswith(f"::error file={tmp_path}/thresholds.toml,line=1::embedded, env_triad")
    assert "\n" not in line


def test_step_summary_is_appended(gated, tmp_path, monkeypatch):
    report, gates = gated(0.9, [record(item(1), 0.5)], [item(1)])
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    assert not append_step_summary(report, gates)
    target = tmp_path / "summary.md"
    target.write_text("earlier\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(target))
    assert append_step_summary(report, gates)
    assert target.read_text() == "earlier\n" + render_markdown(report, gates)
