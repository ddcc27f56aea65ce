"""report.json and scores.tsv: strict, whole or absent, and as the published schema says."""

from __future__ import annotations

import csv
import json

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runs import flat_baselines, item, record, write_leg

from curieval.report import (
    Report,
    ReportError,
    build_report,
    check_gates,
    load_thresholds,
    read_run,
    write_report,
)
from curieval.report.write_schema import SCHEMA_FILE, schema_text


def strict(text):
    def refuse(token):
        raise ValueError(token)

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def folder(tmp_path):
    items = [item(n, slot=slot) for n, slot in enumerate(["env_broad_scale", "env_medium"])]
    write_leg(tmp_path, items, [record(items[0], 0.75)])
    return tmp_path


def test_the_published_schema_is_what_the_script_writes():
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text()


def test_report_json_keeps_to_the_published_schema(folder):
    run = read_run(folder)
    report = build_report(run, baselines=flat_baselines())
    (folder / "t.toml").write_text('[[default.env_triad]]\nstatistic = "cost"\nmax = 1\n')
    gates = check_gates(report, load_thresholds(folder / "t.toml"))
    write_report(report.with_gates(gates), folder, run=run)
    written = strict((folder / "report.json").read_text())
    jsonschema.Draft202012Validator.check_schema(json.loads(SCHEMA_FILE.read_text()))
    jsonschema.validate(written, json.loads(SCHEMA_FILE.read_text()))
    assert written["schema_version"] == 1
    assert written["gates"][0]["state"] == "skipped"
    assert msgspec.convert(written, Report) == report.with_gates(gates)


def test_rebuilding_gives_the_same_report(folder):
    files = []
    for _ in range(2):
        run = read_run(folder)
        write_report(build_report(run, baselines=flat_baselines()), folder)
        files.append((folder / "report.json").read_bytes())
    assert files[0] == files[1]


def test_scores_tsv_ends_with_the_records_own_columns(folder):
    write_report(build_report(read_run(folder), baselines={}), folder)
    with (folder / "scores.tsv").open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert " ".join(rows[0]) == (
        "id task case model repeat label reference slot state reason flags hierarchical_f1 "
        "ontology_score response_time_s prompt_tokens completion_tokens est_cost_usd"
    )
    assert rows[0]["hierarchical_f1"] == "0.75"
    assert rows[0]["est_cost_usd"] == "0.25"
    assert (rows[1]["state"], rows[1]["hierarchical_f1"]) == ("not_run", "")


@settings(max_examples=25)
@given(text=st.text(st.characters(codec="utf-8"), min_size=1))
def test_no_text_breaks_the_table(tmp_path_factory, text):
    folder = tmp_path_factory.mktemp("run")
    planned = {**item(1), "slices": {"slot": text}}
    write_leg(folder, [planned], [record(planned, 1.0, reference=text)])
    write_report(build_report(read_run(folder), baselines={}), folder)
    lines = (folder / "scores.tsv").read_text(encoding="utf-8").split("\n")
    assert [line.count("\t") for line in lines] == [16, 16, 0]
    assert not any(cell[:1] in ("=", "@") for cell in lines[1].split("\t") if cell)


def test_a_failed_write_leaves_the_earlier_file(folder):
    run = read_run(folder)
    report = build_report(run, baselines={})
    write_report(report, folder, run=run)
    before = (folder / "report.json").read_bytes()
    (folder / "scores.tsv").unlink()
    (folder / "scores.tsv").mkdir()
    with pytest.raises(ReportError, match=r"scores\.tsv cannot be written"):
        write_report(report, folder, run=run)
    assert (folder / "report.json").read_bytes() == before
    assert sorted(each.name for each in folder.iterdir()) == sorted(
        ["records.jsonl", "report.html", "report.json", "scores.tsv"]
    )


def test_parquet_holds_the_rows_of_the_table(folder):
    parquet = pytest.importorskip("pyarrow.parquet")
    run = read_run(folder)
    write_report(build_report(run, baselines={}), folder, run=run, parquet=True)
    table = parquet.read_table(folder / "scores.parquet").to_pylist()
    with (folder / "scores.tsv").open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert list(table[0]) == list(rows[0])
    assert table[0]["hierarchical_f1"] == 0.75
    assert table[0]["prompt_tokens"] == 100
    assert table[1]["hierarchical_f1"] is None


def test_a_parquet_column_of_many_kinds_becomes_text(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    values = [1, 2.5, "three", True, ["four"], None]
    items = [item(n) for n in range(len(values))]
    lines = [record(each, 1.0) | {"scores": {"mixed": value, "number": n or 0.5}}
             for n, (each, value) in enumerate(zip(items, values, strict=True))]  # fmt: skip
    write_leg(tmp_path, items, lines)
    run = read_run(tmp_path)
    write_report(build_report(run, baselines={}), tmp_path, run=run, parquet=True)
    table = parquet.read_table(tmp_path / "scores.parquet").to_pydict()
    assert table["mixed"] == ["1", "2.5", "three", "true", "['four']", None]
    assert table["number"] == [0.5, 1.0, 2.0, 3.0, 4.0, 5.0]
