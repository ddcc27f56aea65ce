"""Who judged a run: what it says of the judge, in its report and on the terminal."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import curieval, write_table

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(tmp_path):
    """A run of three protein questions, as (exit code, output, report or None)."""

    def started(*options):
        folder = tmp_path / "run"
        ran = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "evals/protein_qa", "-p", "no:cacheprovider"),
                *("--model", "reference", "--limit", "3", "--report", str(folder)),
                *("--cache", str(tmp_path / "cache.sqlite"), *map(str, options)),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
        )
        file = folder / "report.json"
        report = json.loads(file.read_text(encoding="utf-8")) if file.exists() else None
        return ran.returncode, " ".join((ran.stdout + ran.stderr).split()), report

    return started


@pytest.fixture
def people(tmp_path):
    """What judge-check finds of the judge without a model, held against ratings."""
    rows = [
        {"id": f"{kind}-0{n}", "answer": answer, "score": score}
        for kind in ("role", "pathway", "domain")
        for n in (1, 2, 3)
        for answer, score in (("full", 95), ("half", 60), ("none", 5))
    ]
    human = write_table(tmp_path / "human.tsv", rows)
    file = tmp_path / "people.json"
    file.write_text(curieval("judge-check", "--human", human, "--json").out, encoding="utf-8")
    return file


def test_the_default_judge_is_named_with_its_canaries_and_people(run, people):
    code, output, report = run("--judge-check", people)
    assert code == 0
    assert "llm_score judged by reference-judge: 8 of 8 canaries hold (padding 11 of 12)" in output
    assert "against people Spearman 0." in output
    judge = report["tasks"]["protein_qa"]["judge"]
    assert judge["people"]["n"] == 27
    assert judge["check"]["settings"]["mode"] == "rubric"


def test_findings_about_another_judge_are_refused(run, people):
    code, output, report = run("--judge-check", people, "--judge", "constant:yes")
    assert (code, report) == (4, None)
    assert "is about the judge 'reference-judge'" in output


def test_a_judge_that_grants_everything_is_not_trusted_and_gates_nothing(run):
    reply = '{"points": {"p1": 1, "p2": 1}, "contradiction": false}'
    code, output, report = run("--judge", f"constant:{reply}", "--model", "constant:no idea")
    assert code in (0, 11)
    assert "judge not trusted: " in output
    figures = report["tasks"]["protein_qa"]["figures"]
    assert [figure["trusted"] for figure in figures] == [False]
    assert not [gate for gate in report["gates"] if gate["state"] in ("passed", "failed")]


def test_models_of_the_judges_own_family_are_named(run):
    code, output, _ = run("--judge", "constant:no", "--model", "constant:no")
    assert code == 11
    assert "may favour its own family: constant:no" in output
