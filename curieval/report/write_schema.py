"""Writes report.schema.json beside this file: `python -m curieval.report.write_schema`."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from curieval.report.schema import Report

SCHEMA_FILE = Path(__file__).with_name("report.schema.json")


def schema_text() -> str:
    """The JSON Schema of report.json, as published."""
    schema = msgspec.json.schema(Report)
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
