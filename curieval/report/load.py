"""Reading report.json back: of this version, or brought up to it, or refused by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from curieval.report.errors import ReportError
from curieval.report.schema import REPORT_VERSION, Report
from curieval.report.write import REPORT_FILE

# From a version to the next: each takes the document of its version apart and returns the next.
MIGRATIONS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def load_report(path: Path) -> Report:
    """The report in `path`, which is report.json or the folder that holds it.

    ReportError where there is none, where it is not a report, or where its version is one
    that this program can neither read nor bring up to its own.
    """
    file = Path(path) / REPORT_FILE if Path(path).is_dir() else Path(path)
    try:
        document = msgspec.json.decode(file.read_bytes())
    except FileNotFoundError:
        raise ReportError(
            f"there is no report {file}; name a run's folder or its {REPORT_FILE}"
        ) from None
    except (OSError, ValueError) as error:
        raise ReportError(f"{file} is not a report: {error}") from error
    version = document.get("schema_version") if isinstance(document, dict) else None
    if not isinstance(version, int):
        raise ReportError(f"{file} is not a report: it has no schema_version")
    while version in MIGRATIONS and version < REPORT_VERSION:
        document = MIGRATIONS[version](document)
        version = document["schema_version"]
    if version != REPORT_VERSION:
        raise ReportError(
            f"{file} is a report of version {version}, this program reads version "
            f"{REPORT_VERSION}; rebuild it from its records with `curieval report`, "
            "or use the curieval that wrote it"
        )
    try:
        return msgspec.convert(document, Report)
    except msgspec.ValidationError as error:
        raise ReportError(f"{file} is not a report of version {version}: {error}") from error
