"""Writing a report's files, each whole or not at all: report.json and scores.tsv."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from curieval.report.errors import ReportError
from curieval.report.run import Run, read_run
from curieval.report.schema import Report

REPORT_FILE = "report.json"
TABLE_FILE = "scores.tsv"
# The record's own columns close the table, named as existing notebooks name them.
REPLY_COLUMNS = {
    "response_time_s": "seconds",
    "prompt_tokens": "tokens_in",
    "completion_tokens": "tokens_out",
    "est_cost_usd": "cost_usd",
}
ITEM_COLUMNS = ("id", "task", "case", "model", "repeat", "label", "reference")
STATE_COLUMNS = ("state", "reason", "flags")


def write_report(report: Report, folder: Path, *, run: Run | None = None) -> None:
    """Write report.json and scores.tsv into `folder`, replacing each in one step.

    `run` is what the report was built from; without it, records.jsonl of `folder` is read.
    ReportError where the folder cannot be written.
    """
    run = run or read_run(folder)
    write_whole(Path(folder) / REPORT_FILE, [report.model_dump_json(indent=1), "\n"])
    write_whole(Path(folder) / TABLE_FILE, table_lines(run))


def write_whole(path: Path, parts: Iterator[str] | Sequence[str]) -> None:
    """Write a text file by way of a temporary neighbour, so that no reader sees half of it."""
    neighbour = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with neighbour.open("w", encoding="utf-8", newline="") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        neighbour.replace(path)
    except OSError as error:
        raise ReportError(
            f"{path} cannot be written: {error.strerror or error}; "
            "free some space or name another folder"
        ) from error
    finally:
        with suppress(OSError):
            neighbour.unlink(missing_ok=True)


def table_columns(run: Run) -> tuple[list[str], list[str]]:
    """The slice keys and the score columns of a run, in the order in which they first occur."""
    slices: dict[str, None] = {}
    scores: dict[str, None] = {}
    for record in run.records.values():
        slices.update(dict.fromkeys(record["slices"]))
        scores.update(dict.fromkeys(record["scores"]))
    taken = {*ITEM_COLUMNS, *STATE_COLUMNS, *REPLY_COLUMNS}
    return (
        [key for key in slices if key not in taken and key not in scores],
        [key for key in scores if key not in taken],
    )


def table_rows(run: Run) -> Iterator[dict[str, Any]]:
    """One row an item, sorted by id: item, slices, state, score columns, time, tokens, cost."""
    slices, scores = table_columns(run)
    for key in sorted({*run.plan, *run.records}):
        record: Mapping[str, Any] = run.records.get(key) or run.plan[key]
        reply = record.get("reply") or {}
        row = {name: record.get(name) for name in ITEM_COLUMNS}
        row.update({name: record["slices"].get(name) for name in slices})
        row["state"] = record.get("state", "not_run")
        row["reason"] = record.get("reason")
        row["flags"] = " ".join(record.get("flags") or ()) or None
        row.update({name: record.get("scores", {}).get(name) for name in scores})
        row.update({name: reply.get(source) for name, source in REPLY_COLUMNS.items()})
        yield row


def table_lines(run: Run) -> Iterator[str]:
    """scores.tsv, line by line."""
    slices, scores = table_columns(run)
    columns = [*ITEM_COLUMNS, *slices, *STATE_COLUMNS, *scores, *REPLY_COLUMNS]
    yield "\t".join(map(_cell, columns)) + "\n"
    for row in table_rows(run):
        yield "\t".join(_cell(row[column]) for column in columns) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return str(value)
    text = " ".join(value.split()) if not value.isprintable() else value
    # A spreadsheet would run a text that begins like a formula.
    return "'" + text if text.startswith(("=", "+", "-", "@")) else text
