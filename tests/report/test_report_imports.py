"""What the report room loads, and when."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("pydantic", "numpy", "pyarrow", "curieval.report.schema")


@pytest.mark.parametrize(
    "module", ["curieval.report", "curieval.report.records", "fixtures.ending"]
)
def test_pydantic_is_loaded_only_when_a_report_is_built(module):
    code = f"import {module}, sys; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "[]"


def test_building_a_report_loads_it():
    code = "import sys; from curieval.report import build_report; print('pydantic' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "True"
