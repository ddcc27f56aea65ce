"""What the report room loads, and when."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("pydantic", "numpy", "pyarrow", "curieval.report.schema")


@pytest.mark.parametrize(
    "module", ["curieval.report", "curieval.report.records", "fixtures.ending"]
)
def test_what_a_run_wants_late_is_not_loaded_at_its_start(module):
    code = f"import {module}, sys; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "[]"


def test_building_a_report_needs_no_validator_of_case_files():
    code = "import sys; from curieval.report import build_report; print('pydantic' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "False"
