"""Reports: records on disk as a run goes, and everything that is built from them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curieval.report.build import build_report
    from curieval.report.compare import Comparison, compare_items, compare_reports
    from curieval.report.differences import render_comparison
    from curieval.report.errors import ReportError
    from curieval.report.exits import Facts, exit_code
    from curieval.report.gate import check_gates
    from curieval.report.html import Explain, write_page
    from curieval.report.load import load_report
    from curieval.report.markdown import annotation_lines, append_step_summary, render_markdown
    from curieval.report.merge import merge_runs
    from curieval.report.records import RecordWriter
    from curieval.report.regression import check_baseline
    from curieval.report.run import Run, read_run
    from curieval.report.schema import GateResult, Report, Summary
    from curieval.report.terminal import render_summary
    from curieval.report.thresholds import Thresholds, load_thresholds
    from curieval.report.write import write_parquet, write_report

_HOMES = {
    "Comparison": "compare",
    "Explain": "html",
    "Facts": "exits",
    "GateResult": "schema",
    "RecordWriter": "records",
    "Report": "schema",
    "ReportError": "errors",
    "Run": "run",
    "Summary": "schema",
    "Thresholds": "thresholds",
    "annotation_lines": "markdown",
    "append_step_summary": "markdown",
    "build_report": "build",
    "check_baseline": "regression",
    "check_gates": "gate",
    "compare_items": "compare",
    "compare_reports": "compare",
    "exit_code": "exits",
    "load_report": "load",
    "load_thresholds": "thresholds",
    "merge_runs": "merge",
    "read_run": "run",
    "render_comparison": "differences",
    "render_markdown": "markdown",
    "render_summary": "terminal",
    "write_page": "html",
    "write_parquet": "write",
    "write_report": "write",
}

__all__ = [
    "Comparison",
    "Explain",
    "Facts",
    "GateResult",
    "RecordWriter",
    "Report",
    "ReportError",
    "Run",
    "Summary",
    "Thresholds",
    "annotation_lines",
    "append_step_summary",
    "build_report",
    "check_baseline",
    "check_gates",
    "compare_items",
    "compare_reports",
    "exit_code",
    "load_report",
    "load_thresholds",
    "merge_runs",
    "read_run",
    "render_comparison",
    "render_markdown",
    "render_summary",
    "write_page",
    "write_parquet",
    "write_report",
]


def __getattr__(name: str) -> object:
    # pydantic is wanted only when a report is built, not when pytest loads its plugins.
    if name not in _HOMES:
        raise AttributeError(f"curieval.report has no {name!r}")
    return getattr(import_module(f"curieval.report.{_HOMES[name]}"), name)
