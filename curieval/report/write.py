"""Writing a report's files: report.json, report.html, scores.tsv and scores.parquet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from curieval.report.atomic import whole, write_whole
from curieval.report.compare import Comparison
from curieval.report.html import Explain, write_page
from curieval.report.run import Run, read_run
from curieval.report.schema import Report

REPORT_FILE = "report.json"
TABLE_FILE = "scores.tsv"
PARQUET_FILE = "scores.parquet"
# The record's own columns close the table, named as existing notebooks name them.
REPLY_COLUMNS = {
    "response_time_s": "seconds",
    "prompt_tokens": "tokens_in",
    "completion_tokens": "tokens_out",
    "est_cost_usd": "cost_usd",
}
ITEM_COLUMNS = ("id", "task", "case", "model", "repeat", "label", "reference")
STATE_COLUMNS = ("state", "reason", "flags")


def write_report(
    report: Report,
    folder: Path,
    *,
    run: Run | None = None,
    explain: Mapping[str, Explain] | None = None,
    comparisons: Sequence[Comparison] = (),
    parquet: bool = False,
) -> None:
    """Write report.json, scores.tsv and report.html into `folder`, replacing each in one step.

    `run` is what the report was built from; without it, records.jsonl of `folder` is read.
    `explain` and `comparisons` are for the page, see `write_page`. `parquet` adds
    scores.parquet. ReportError where the folder cannot be written.
    """
    run = run or read_run(folder)
    write_whole(Path(folder) / REPORT_FILE, [as_json(report)])
    write_whole(Path(folder) / TABLE_FILE, table_lines(run))
    write_page(report, run, folder, explain=explain, comparisons=comparisons)
    if parquet:
        write_parquet(run, folder)


def as_json(report: Report) -> str:
    """A report as the text of report.json."""
    return msgspec.json.format(msgspec.json.encode(report), indent=1).decode() + "\n"


def write_parquet(run: Run, folder: Path) -> None:
    """Write scores.parquet: the rows of scores.tsv with typed columns.

    A column that holds texts beside numbers becomes one of texts.
    """
    import pyarrow
    from pyarrow import parquet

    slices, scores = table_columns(run)
    rows = list(table_rows(run))
    table = pyarrow.table(
        {
            column: pyarrow.array(_alike([row[column] for row in rows]))
            for column in [*ITEM_COLUMNS, *slices, *STATE_COLUMNS, *scores, *REPLY_COLUMNS]
        }
    )
    with whole(Path(folder) / PARQUET_FILE) as neighbour:
        parquet.write_table(table, neighbour)


def _alike(values: list[Any]) -> list[Any]:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float}:
        return (
            [float(value) if value is not None else None for value in values]
            if (float in kinds)
            else values
        )
    if len(kinds) > 1 or kinds & {list, dict}:
        return [None if value is None else _cell(value) for value in values]
    return values


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
