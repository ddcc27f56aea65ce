"""Who judged: named beside each figure, not gated unless trusted, not compared with another."""

from __future__ import annotations

import msgspec
import pytest
from judged import judge, write_judged

from curieval.report import (
    ReportError,
    check_baseline,
    check_gates,
    compare_reports,
    load_report,
    load_thresholds,
    read_run,
    render_comparison,
    render_markdown,
    render_summary,
    write_report,
)
from curieval.report import html as page
from curieval.report.judges import judge_line
from curieval.report.schema import JudgeInfo

GOOD = "judged by reference-judge: 6 of 6 canaries hold"
BAD = "judged by small, judge not trusted: denied 3 of 12, padding 10 of 12 held"


@pytest.fixture
def rules(tmp_path):
    def load(text):
        path = tmp_path / "thresholds.toml"
        path.write_text(f'[[default.protein_qa]]\nfigure = "llm_score"\n{text}')
        return load_thresholds(path)

    return load


def distrusted():
    return judge(model="small", trusted=False, held={"padding": 10, "denied": 3})


@pytest.mark.parametrize(
    ("info", "line"),
    [
        (judge(), GOOD),
        (judge(held={"denied": 11}), f"{GOOD} (denied 11 of 12)"),
        (distrusted(), BAD),
        (
            {"model": "m", "identity": {}, "check": None},
            "judged by m, which was not tried on answers of known quality",
        ),
    ],
)
def test_one_line_says_who_judged_and_how_canaries_fared(info, line):
    assert judge_line(msgspec.convert(info, JudgeInfo)) == line


def test_the_line_says_how_the_judge_agrees_with_people_and_whom_it_may_favour():
    figures = {
        "spearman": {"value": 0.812, "low": 0.7, "high": 0.88, "n": 60},
        "bias": {"value": 3.14, "low": None, "high": None, "n": 60},
    }
    besides = {"people": {"n": 60, "figures": figures}, "own_family": ["gpt-4o"]}
    assert judge_line(msgspec.convert({**judge(), **besides}, JudgeInfo)) == (
        f"{GOOD}; against people Spearman 0.81 [0.70 to 0.88], bias +3.1 points (60 answers); "
        "may favour its own family: gpt-4o"
    )
    alone = {**judge(), "people": None, "own_family": []}
    assert judge_line(msgspec.convert(alone, JudgeInfo)) == GOOD


@pytest.mark.parametrize(("judged", "line"), [(judge(), GOOD), (distrusted(), BAD)])
def test_the_line_stands_by_the_figure_everywhere(tmp_path, judged, line):
    report = write_judged(tmp_path, [50.0] * 3, judged=judged)
    assert f"llm_score {line}" in render_summary(report, []).splitlines()
    assert line in render_markdown(report, []).replace("&#45;", "-").replace("&#58;", ":")
    text = "".join(page.page_parts(report, read_run(tmp_path)))
    figures, _, judges = text.partition("<h2>Judges</h2>")
    assert line in figures
    assert line in judges


def test_the_page_lists_the_canaries_and_where_they_failed(tmp_path):
    report = write_judged(tmp_path, [50.0], judged=distrusted())
    text = "".join(page.page_parts(report, read_run(tmp_path)))
    assert '<td>denied</td><td class="n">3</td><td class="n">12</td><td>case-0 (88); ' in text
    assert "full (worth 100.0): 97.5 on average" in text


def test_a_judge_that_is_not_trusted_gates_nothing(tmp_path, rules):
    report = write_judged(tmp_path / "run", [10.0] * 40, judged=distrusted())
    base = write_judged(tmp_path / "base", [90.0] * 40, judged=distrusted())
    gates = check_gates(report, rules("min = 60"))
    gates += check_baseline(report, base)
    assert [gate.state for gate in gates] == ["skipped", "skipped"]
    assert "2 rules were not applied, as the judge is not trusted" in render_summary(report, gates)


@pytest.mark.parametrize(("unscored", "state"), [(2, "passed"), (3, "failed")])
def test_too_few_judged_answers_fail_the_gate(tmp_path, rules, unscored, state):
    scores = [90.0] * (100 - unscored) + [None] * unscored
    report = write_judged(tmp_path / "run", scores, judged=judge())
    (gate,) = check_gates(report, rules("min = 60"))
    assert gate.state == state
    if state == "failed":
        assert "97 of 100 asked were scored by the judge, at least 98% must be" in gate.message
        assert gate.message in " ".join(render_summary(report, [gate]).split())


def test_bounds_stand_where_answers_are_unscored(tmp_path):
    report = write_judged(tmp_path, [80.0] * 9 + [None], judged=judge())
    text = " ".join(render_summary(report, []).split())
    assert "1 of 10 asked are unscored (1 judge_unreadable)" in text
    assert "counted as 0, llm_score is 72.0, as 100 it is 82.0" in text
    assert "counted as 0 they give llm&#95;score 72.0, as 100 82.0" in render_markdown(report, [])
    page_text = "".join(page.page_parts(report, read_run(tmp_path)))
    assert "Counted as 0 they give llm_score 72.0, as 100 82.0." in page_text


def test_scores_by_different_judges_are_not_compared(tmp_path, rules):
    before = write_judged(tmp_path / "a", [90.0] * 40, judged=judge())
    after = write_judged(tmp_path / "b", [10.0] * 40, judged=judge(model="other"))
    (found,) = compare_reports(before, after)
    assert (found.difference, found.p, found.fell) == (None, None, [])
    assert "not compared: judged by reference-judge before, by other after" in (
        render_comparison([found])
    )
    (gate,) = check_baseline(after, before)
    assert gate.state == "failed"
    assert "store a baseline by this judge" in gate.message
    again = write_judged(tmp_path / "c", [90.0] * 40, judged=judge(version="2"))
    (gate,) = check_baseline(again, before)
    assert gate.state == "failed"
    text = "".join(page.page_parts(after, read_run(tmp_path / "b"), comparisons=[found]))
    assert "not compared: judged by reference-judge before, by other after" in text


def test_legs_by_different_judges_are_named(tmp_path):
    write_judged(tmp_path, [90.0], judged=judge())
    report = write_judged(tmp_path, [90.0], judged=judge(model="other"))
    (warning,) = report.warnings
    assert warning.startswith("protein_qa was judged by reference-judge and other")


def test_report_json_keeps_the_judge_with_its_task(tmp_path):
    report = write_judged(tmp_path, [90.0], judged=judge())
    write_report(report, tmp_path)
    loaded = load_report(tmp_path)
    assert loaded == report
    assert loaded.tasks["protein_qa"].judge.check.canaries["denied"].held == 12
    assert "judges" not in loaded.manifest


def test_a_judge_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(ReportError, match="describes task protein_qa"):
        write_judged(tmp_path, [90.0], judged={"model": "m", "check": {"canaries": {}}})
