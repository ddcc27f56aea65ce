"""What a task says of a model's answers, in report.json, on the terminal and on the page."""

import json

import pytest
from runs import flat_baselines, item, record, write_leg

from curieval.report.build import build_report
from curieval.report.run import read_run
from curieval.report.terminal import render_summary
from curieval.report.write import write_report

WORDS = "pattern: most answers are <vague>"


def built(folder, remarks):
    items = [item(number, slot=slot) for number, slot in ((1, "env_medium"), (2, "env_medium"))]
    records = [record(items[0], 0.5), record(items[1], state="unscored", reason="timeout")]
    write_leg(folder, items, records)
    run = read_run(folder)
    return run, build_report(run, baselines=flat_baselines(), remarks={"env_triad": remarks})


def test_remarks_are_made_of_all_scored_records_and_shown_everywhere(tmp_path):
    seen = []

    def remarks(records):
        seen.append([each["case"] for each in records])
        return [WORDS]

    run, report = built(tmp_path, remarks)
    assert seen == [["soil-01"]]
    assert [summary.remarks for summary in report.summaries] == [[WORDS], []]
    assert WORDS in render_summary(report, [])
    write_report(report, tmp_path, run=run, explain={}, comparisons=[])
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<li>pattern: most answers are &lt;vague&gt;</li>" in page
    written = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert written["summaries"][0]["remarks"] == [WORDS]


def test_remarks_that_fail_cost_themselves_alone(tmp_path):
    _, report = built(tmp_path, lambda records: records[0]["nothing"])
    assert report.summaries[0].remarks == []
    assert report.summaries[0].counts.scored == 1
    assert any("remarks of env_triad failed: KeyError" in each for each in report.warnings)


@pytest.mark.parametrize(("second", "warned"), [("ab", False), ("cd", True)])
def test_legs_in_different_releases_are_named(tmp_path, second, warned):
    for sha256 in ("ab", second):
        releases = [{"name": "envo", "release": "", "sha256": sha256}]
        write_leg(tmp_path, [item(1)], [record(item(1), 0.5)], ontologies=releases)
    report = build_report(read_run(tmp_path), baselines={})
    assert any("different releases of an ontology" in each for each in report.warnings) == warned
