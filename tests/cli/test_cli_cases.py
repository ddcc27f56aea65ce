"""`curieval cases env-triad`: from a user's table to a suite that `pytest evals` runs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evals.env_triad.cases import load_cases
from evals.env_triad.suite import GOLD_PATH, INPUTS
from tests.cli.running import curieval, refused, write_table

ROOT = Path(__file__).parents[2]
VALUES = {
    "tundra biome [ENVO:01000180]": 14,
    "cropland biome [ENVO:01000245]": 12,
    "forest biome [ENVO:01000174]": 9,
}


def samples(**more):
    rows = []
    for value, count in VALUES.items():
        for number in range(count):
            row = dict.fromkeys((*INPUTS, *GOLD_PATH), "")
            row |= {
                "study_name": f"Study of {number}",
                "description": "cores, 0-10 cm",
                "sampleData": "soil_data",
                "env_broad_scale": f"__{value}",
                "env_medium": "soil [ENVO:00001998]",
                "ecosystem": "Environmental",
                **more,
            }
            rows.append(row)
    return rows


def build(source, out, *options, slot="env_broad_scale"):
    return curieval("cases", "env-triad", "--source", source, "--slot", slot, "-o", out, *options)


@pytest.mark.parametrize("suffix", ["tsv", "csv", "jsonl", "parquet"])
def test_every_format_gives_the_same_suite(tmp_path, suffix):
    out, other = tmp_path / "suite.jsonl", tmp_path / "other.jsonl"
    assert build(write_table(tmp_path / f"in.{suffix}", samples()), out).code == 0
    assert build(write_table(tmp_path / "in.tsv", samples()), other).code == 0
    rows, others = (
        [json.loads(line) for line in each.read_text().splitlines()] for each in (out, other)
    )
    assert len(rows) == 20
    assert [row | {"why": ""} for row in rows] == [row | {"why": ""} for row in others]
    assert "Environmental" not in out.read_text()


def test_the_suite_is_a_case_file(tmp_path):
    out = tmp_path / "suite.jsonl"
    build(write_table(tmp_path / "in.tsv", samples()), out)
    cases = load_cases(out)
    assert len(cases) == 20
    assert {case.reference for case in cases} == set(list(VALUES)[:2])
    assert {case.template for case in cases} == {"soil_data"}


def test_what_was_kept_and_left_out_is_said(tmp_path):
    ran = build(write_table(tmp_path / "in.tsv", samples() + samples()), tmp_path / "s.jsonl")
    text = " ".join(ran.out.split())
    assert "in.tsv: 70 rows read; 0 without env_broad_scale" in text
    assert "35 that give the same prompt and value as one before" in text
    assert "9 prompts" not in text
    assert "12 prompts are given by samples of several values" in text
    assert "cropland biome [ENVO:01000245] 12 10" in text
    assert "forest biome [ENVO:01000174] 9 0" in text
    assert "20 cases, seed 42" in text


def test_without_out_the_suite_goes_to_standard_output(tmp_path):
    table = write_table(tmp_path / "in.tsv", samples())
    ran = curieval(
        "cases", "env-triad", "--source", table, "--slot", "env_broad_scale",
        "--per-category", "2", "--min-pool", "5", "--seed", "7",
    )  # fmt: skip
    assert ran.code == 0
    assert len([json.loads(line) for line in ran.out.splitlines()]) == 6
    assert "6 cases, seed 7" in ran.err


def test_the_account_as_json(tmp_path):
    table = write_table(tmp_path / "in.tsv", samples())
    found = build(table, tmp_path / "s.jsonl", "--json").json
    assert (found["read"], found["cases"], found["duplicates"]) == (35, 20, 0)
    assert [each["value"] for each in found["left_out"]] == ["forest biome [ENVO:01000174]"]
    assert found["suspect_references"] == {}
    found = build(table, tmp_path / "m.jsonl", "--json", slot="env_medium").json
    assert found["kept"] == [{"value": "soil [ENVO:00001998]", "pool": 35, "taken": 10}]


def test_suspect_references_are_counted(tmp_path):
    rows = samples(env_broad_scale="oceanic epipelagic zone biome [ENVO:01000036]")
    ran = build(write_table(tmp_path / "in.tsv", rows), tmp_path / "s.jsonl")
    assert "suspect references, which no run will ask: label_disagrees 10" in " ".join(
        ran.out.split()
    )


def test_nothing_is_written_where_no_value_has_enough(tmp_path):
    out = tmp_path / "s.jsonl"
    ran = build(write_table(tmp_path / "in.tsv", samples()), out, "--min-pool", "15")
    assert ran.code == 1
    assert "no cases: no value has enough samples, lower --min-pool" in ran.out
    assert not out.exists()


def test_a_submission_gives_a_suite(tmp_path):
    tab = [
        {
            "samp_name": f"s{n}",
            "env_broad_scale": "tundra biome [ENVO:01000180]",
            "depth": f"{n}-{n + 1} m",
            "analysis_type": ["metagenomics", "metabolomics"],
        }
        for n in range(12)
    ]
    path = tmp_path / "submission.json"
    study = {"studyName": "Plots", "description": "d" * 600, "notes": ""}
    document = {"metadata_submission": {"studyForm": study, "sampleData": {"soil_data": tab}}}
    path.write_text(json.dumps(document))
    out = tmp_path / "s.jsonl"
    assert build(path, out).code == 0
    cases = load_cases(out)
    shown = dict(cases[0].shown)
    assert len(cases) == 10
    assert (shown["study_name"], len(shown["description"])) == ("Plots", 500)
    assert cases[0].template == "soil_data"
    assert "metagenomics" in shown["analysis_type"]


def test_columns_may_have_other_names_or_be_left_out(tmp_path):
    rows = [{"abstract": f"core {n}", "biome": "tundra biome [ENVO:01000180]"} for n in range(10)]
    left_out = [name for name in INPUTS if name not in ("description", "env_broad_scale")]
    options = [f"--column={name}=" for name in left_out if name != "sampleData"]
    ran = build(
        write_table(tmp_path / "in.csv", rows), tmp_path / "s.jsonl", *options,
        "--column=description=abstract", "--column=env_broad_scale=biome",
        "--template=soil_data",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    case = load_cases(tmp_path / "s.jsonl")[0]
    assert dict(case.shown)["description"].startswith("core")
    assert case.template == "soil_data"


@pytest.mark.parametrize("name", INPUTS)
def test_every_missing_column_is_an_error(tmp_path, name):
    rows = [{key: value for key, value in row.items() if key != name} for row in samples()]
    table = write_table(tmp_path / "in.tsv", rows)
    line = refused(
        "cases", "env-triad", "--source", table, "--slot", "env_broad_scale",
        "-o", tmp_path / "s.jsonl",
    )  # fmt: skip
    assert f"no column {name!r}" in line
    assert f"--column {name}=NAME" in line
    assert not (tmp_path / "s.jsonl").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--slot", "ecosystem"], "--slot ecosystem: use env_broad_scale"),
        (["--slot", "env_medium", "--per-category", "0"], "at least 1"),
        (["--slot", "env_medium", "-o", "s.tsv"], "a suite is JSON lines"),
        (["--slot", "env_medium", "--column", "notes=ecosystem"], "GOLD path"),
        (["--slot", "env_medium", "--column", "notes=Ecosystem Type"], "GOLD path"),
        ([], "Missing option '--slot'"),
        (["--slot", "env_medium", "--seed", "x"], "'--seed'"),
    ],
)
def test_mistakes_give_one_line(tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "in.tsv", samples())
    assert message in refused("cases", "env-triad", "--source", "in.tsv", *options)
    assert [each.name for each in tmp_path.iterdir()] == ["in.tsv"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a\tb", r":37: 2 cells, where the header has 15 columns"),
        ('x\t"y' + "\t" * 13, r":37: a stray \""),
    ],
)
def test_bad_rows_are_named(tmp_path, line, message):
    table = write_table(tmp_path / "in.tsv", samples())
    with table.open("a") as file:
        file.write(line + "\n")
    said = refused("cases", "env-triad", "--source", table, "--slot", "env_medium")
    assert message.replace("\\", "") in said


def test_pytest_runs_the_suite(tmp_path):
    out = tmp_path / "suite.jsonl"
    build(write_table(tmp_path / "in.tsv", samples()), out, "--per-category", "3")
    ran = subprocess.run(
        [
            sys.executable, "-m", "pytest", "evals/env_triad", "-q", "-p", "no:cacheprovider",
            "--cases", out, "--model", "reference", "--report", tmp_path / "report",
        ],
        cwd=ROOT, capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "6 passed" in ran.stdout


def test_the_template_may_be_what_is_asked(tmp_path):
    rows = [row | {"sampleData": "Soil"} for row in samples()[:12]]
    rows += [row | {"sampleData": "water_data", "notes": "w"} for row in samples()[:12]]
    rows += [row | {"sampleData": "moon_data", "notes": "m"} for row in samples()[:10]]
    out = tmp_path / "suite.jsonl"
    ran = build(write_table(tmp_path / "in.tsv", rows), out, slot="sampleData")
    assert ran.code == 0
    assert "unknown_template 10" in " ".join(ran.out.split())
    written = [json.loads(line) for line in out.read_text().splitlines()]
    assert {row["reference"] for row in written} == {"soil_data", "water_data", "moon_data"}
    assert all(row["env_broad_scale"] and row["slot"] == "sampleData" for row in written)
    run = [
        sys.executable, "-m", "pytest", "evals/env_triad", "-q", "-p", "no:cacheprovider",
        "--cases", out, "--slot", "sampleData", "--model", "reference",
        "--report", tmp_path / "report",
    ]  # fmt: skip
    ran = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "20 passed, 10 skipped" in ran.stdout
    report = json.loads((tmp_path / "report" / "report.json").read_text())
    (whole,) = [each for each in report["summaries"] if not each["slice"]]
    figures = {figure["name"]: figure for figure in whole["figures"]}
    assert figures["exact_match"]["mean"] == figures["macro_f1"]["mean"] == 1.0
    assert figures["exact_match"]["constant"] == 0.5
    assert figures["macro_f1"]["constant"] == pytest.approx(1 / 3)
    assert (
        "What reference answered for what: class"
        in (tmp_path / "report" / "report.html").read_text()
    )
