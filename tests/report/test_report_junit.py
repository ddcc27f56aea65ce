"""What --junitxml tells of evaluation items: score and state, with and without xdist."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("workers", ["0", "2"])
def test_items_carry_score_and_state(tmp_path, workers):
    cases = tmp_path / "cases.jsonl"
    cases.write_text(
        '{"id": "q-1", "question": "Where is actin?", "reference": "In the cytoplasm."}\n'
        '{"id": "q-2", "question": "Where is histone H3?", "reference": "In the nucleus."}\n'
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "evals/protein_qa", "--cases", cases, "--model",
         "constant:In the nucleus.", "--judge", "reference-judge", "--report", tmp_path / "report",
         "--junitxml", tmp_path / "junit.xml", "-n", workers, "-p", "no:cacheprovider"],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (tmp_path / "junit.xml").exists(), done.stdout + done.stderr
    found = {
        case.get("name"): {p.get("name"): p.get("value") for p in case.iter("property")}
        for case in ElementTree.parse(tmp_path / "junit.xml").iter("testcase")
    }
    assert found == {
        "test_protein_qa[q-1-constant]": {"state": "scored", "score": "0.0"},
        "test_protein_qa[q-2-constant]": {"state": "scored", "score": "100.0"},
    }
