"""`curieval report`, `gate` and `compare` on run folders."""

import json

import pytest

from tests.cli.running import curieval, refused
from tests.report.runs import item, record, reply, write_leg

pytestmark = pytest.mark.usefixtures("own_world")

THRESHOLDS = """[[default.env_triad]]
figure = "hierarchical_f1"
min = {limit}
"""


def run_of(folder, scores, *, start=0, **about):
    """A run folder with its report built by the command line."""
    planned = [item(start + number) for number in range(len(scores))]
    records = [record(each, score) for each, score in zip(planned, scores, strict=True)]
    write_leg(folder, planned, records, **about)
    return folder


def built(folder, *scores, **about):
    ran = curieval("report", run_of(folder, scores, **about))
    assert ran.code == 0, ran
    return folder


def test_a_report_is_rebuilt_from_its_records(tmp_path):
    folder = built(tmp_path / "run", 1.0, 0.5, 0.0, 0.5)
    report = json.loads((folder / "report.json").read_text())
    assert report["summaries"][0]["figures"][0]["mean"] == 0.5
    assert {"report.html", "scores.tsv"} <= {each.name for each in folder.iterdir()}
    before = (folder / "report.json").read_text()
    for name in ("report.json", "report.html", "scores.tsv"):
        (folder / name).unlink()
    ran = curieval("report", folder, "--parquet")
    assert (folder / "report.json").read_text() == before
    assert (folder / "scores.parquet").exists()
    assert "env_triad" in ran.out
    assert f"report: {folder / 'report.html'}" in ran.err


def test_a_run_that_was_killed_is_rebuilt(tmp_path):
    folder = run_of(tmp_path / "run", [1.0, 1.0], end=False)
    with (folder / "records.jsonl").open("a") as file:
        file.write('{"kind": "record", "id": "cut o')
    assert curieval("report", folder).code == 0
    report = json.loads((folder / "report.json").read_text())
    assert report["summaries"][0]["counts"]["scored"] == 2
    assert report["warnings"]


def test_shards_are_put_together(tmp_path):
    shards = [run_of(tmp_path / f"shard-{n}", [n / 2] * 3, start=10 * n) for n in range(2)]
    ran = curieval("report", *shards, "--out", tmp_path / "whole")
    assert ran.code == 0, ran
    report = json.loads((tmp_path / "whole" / "report.json").read_text())
    assert report["summaries"][0]["counts"]["scored"] == 6
    assert report["summaries"][0]["figures"][0]["mean"] == 0.25
    assert "is put together" not in ran.err


@pytest.mark.parametrize(("limit", "code"), [(0.5, 0), (0.6, 1)])
def test_a_missed_threshold_gives_exit_code_1(tmp_path, limit, code):
    folder = built(tmp_path / "run", 0.5, 0.5, 0.5, 0.5)
    (tmp_path / "mine.toml").write_text(THRESHOLDS.format(limit=limit))
    ran = curieval("gate", folder, "--thresholds", tmp_path / "mine.toml")
    assert ran.code == code
    assert ("MISSED: " if code else "kept: ") in ran.out
    assert ran.err == f"exit code {code}\n"
    found = curieval("gate", folder / "report.json", "--thresholds", "mine.toml", "--json")
    assert found.code == found.json["exit_code"] == code
    assert found.json["gates"][0]["value"] == 0.5


def test_the_usual_thresholds_file_is_used_where_it_stands(tmp_path):
    folder = built(tmp_path / "run", 0.5, 0.5, 0.5, 0.5)
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "thresholds.toml").write_text(THRESHOLDS.format(limit=0.9))
    assert curieval("gate", folder).code == 1
    curieval("report", folder)
    assert json.loads((folder / "report.json").read_text())["gates"][0]["state"] == "failed"


def test_a_run_worse_than_its_baseline_gives_exit_code_10(tmp_path):
    first = built(tmp_path / "first", *[1.0] * 40)
    second = built(tmp_path / "second", *[1.0] * 20, *[0.0] * 20)
    assert curieval("gate", first, "--baseline", first).code == 0
    ran = curieval("gate", second, "--baseline", first)
    assert ran.code == 10
    assert "MISSED: " in ran.out


def test_failed_calls_give_exit_code_11(tmp_path):
    planned = [item(number) for number in range(10)]
    records = [record(each, 1.0) for each in planned[:9]]
    records.append(record(planned[9], state="unscored", reason="timeout"))
    write_leg(tmp_path / "run", planned, records)
    curieval("report", tmp_path / "run")
    (tmp_path / "mine.toml").write_text(THRESHOLDS.format(limit=0.9))
    assert curieval("gate", tmp_path / "run", "--thresholds", "mine.toml").code == 11


def test_two_runs_are_compared_case_by_case(tmp_path):
    first = built(tmp_path / "first", 1.0, 1.0, 0.0, 0.5)
    second = built(tmp_path / "second", 1.0, 0.0, 0.0, 1.0)
    text = curieval("compare", first, second).out
    assert "fell (1):" in text
    assert "rose (1):" in text
    found = curieval("compare", first, second, "--json").json["comparisons"][0]
    assert [each["case"] for each in found["fell"]] == ["soil-01"]
    assert found["difference"] == pytest.approx(-0.125)
    page = tmp_path / "page.html"
    assert curieval("compare", first, second, "--html", page).code == 0
    assert "Against the baseline" in page.read_text(encoding="utf-8")


def test_models_of_different_names_are_compared_where_told(tmp_path):
    folders = []
    for model, score in (("alpha", 0.25), ("beta", 0.75)):
        planned = [item(number, model=model) for number in range(4)]
        other = [item(number, model="other") for number in range(4)]
        records = [record(each, score, answer=reply()) for each in [*planned, *other]]
        folder = tmp_path / model
        write_leg(folder, [*planned, *other], records, models=(model, "other"), n_cases=4)
        curieval("report", folder)
        folders.append(folder)
    found = curieval("compare", *folders, "--model", "alpha=beta", "--json").json["comparisons"]
    assert found[0]["difference"] == pytest.approx(0.5)
    assert (found[0]["before_model"], found[0]["after_model"]) == ("alpha", "beta")
    assert "expected A=B" in refused("compare", *folders, "--model", "alpha")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["report", "none"], "there is no records.jsonl in none"),
        (["report", "none", "more"], "one that --out names"),
        (["gate", "none"], "there is no report none"),
        (["compare", "none", "none"], "there is no report none"),
        (["compare", "none"], "Missing argument 'B'"),
    ],
)
def test_mistakes_give_one_line(words, message):
    assert message in refused(*words)


def test_a_gate_without_anything_to_hold_against_is_a_mistake(tmp_path):
    folder = built(tmp_path / "run", 0.5)
    assert "nothing to hold it against" in refused("gate", folder)
    assert "no thresholds file none.toml" in refused("gate", folder, "--thresholds", "none.toml")
