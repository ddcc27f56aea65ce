"""docs/report.md: its rules are read, its workflow runs, its files and words are the real ones."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from judged import write_judged

from curieval.report import load_thresholds, read_run, write_report
from curieval.report.rules import parse_fail_if
from evals import TASK_HOMES, load_task

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.M | re.S)


def test_every_rule_is_one_that_is_understood(tmp_path):
    tasks = {name: {figure.name for figure in load_task(name).figures} for name in TASK_HOMES}
    rules = []
    for text in blocks("toml"):
        (tmp_path / "thresholds.toml").write_text(text)
        found = load_thresholds(tmp_path / "thresholds.toml", tasks=tasks)
        rules += [
            rule for model in found.gates.values() for task in model.values() for rule in task
        ]
    assert len(rules) == sum(text.count("[[") for text in blocks("toml"))
    named = re.findall(r"^\| `((?:mean|low|significant):[^`]*)` \|", TEXT, re.M)
    assert [parse_fail_if(text).kind for text in named] == ["mean", "mean", "low", "significant"]


def test_the_files_are_those_of_a_report(tmp_path):
    report = write_judged(tmp_path, [50.0])
    write_report(report, tmp_path, run=read_run(tmp_path), parquet=True)
    named = set(re.findall(r"^\| `([a-z]+\.[a-z]+)` \|", TEXT, re.M))
    assert named == {file.name for file in tmp_path.iterdir()}


@pytest.fixture
def workflow(tmp_path):
    """Runs the steps of the workflow as a runner would; `gh` hands out what main stored."""
    job = yaml.safe_load(blocks("yaml")[0])
    tools, artifact = tmp_path / "bin", tmp_path / "artifact"
    tools.mkdir()
    scripts = {
        "uv": f'[ "$1" = run ] && shift\nprogram=$1\nshift\n'
        f'exec "{Path(sys.executable).parent}/$program" "$@"\n',
        "gh": f'case "$2" in\nlist) [ ! -d {artifact} ] || echo 7 ;;\n'
        f'download) while [ "$1" != --dir ]; do shift; done; cp -r {artifact} "$2" ;;\nesac\n',
    }
    for name, text in scripts.items():
        (tools / name).write_text(f"#!/bin/bash\n{text}")
        (tools / name).chmod(0o755)

    def run(place):
        stored = {"REPORT": str(tmp_path / place), "BASELINE": str(tmp_path / f"{place}-base")}
        environment = {
            **os.environ,
            **job["env"],
            **stored,
            "MODEL": "constant:It is a kinase.",
            "TASKS": "evals/protein_qa",
            "PATH": f"{tools}:{os.environ['PATH']}",
        }
        environment.pop("GITHUB_STEP_SUMMARY", None)
        code = 0
        for step in job["jobs"]["evaluate"]["steps"]:
            condition = step.get("if", "success()")
            if code == 0 and "run" in step:
                code = subprocess.run(
                    ["bash", "-e", "-c", step["run"]], cwd=ROOT, env=environment, timeout=300,
                    capture_output=True, check=False,
                ).returncode  # fmt: skip
            elif code == 0 and step.get("with", {}).get("name") == "baseline":
                assert condition == "github.ref == 'refs/heads/main'"
                kept = step["with"]["path"].replace(job["env"]["REPORT"], stored["REPORT"])
                artifact.mkdir(exist_ok=True)
                shutil.copy(kept, artifact)
        return code

    run.artifact = artifact / "report.json"
    return run


def test_the_workflow_stores_a_baseline_and_holds_runs_against_it(workflow):
    assert workflow("first") == 0
    assert workflow.artifact.exists()
    assert workflow("same") == 0
    better = json.loads(workflow.artifact.read_text(encoding="utf-8"))
    for item in better["items"]:
        item["figures"] = {"llm_score": 100.0}
    workflow.artifact.write_text(json.dumps(better), encoding="utf-8")
    assert workflow("worse") == 10
