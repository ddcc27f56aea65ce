"""A report as Markdown for a CI job's step summary, and its failures as annotations."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from curieval.report.errors import ReportError
from curieval.report.gate import why_not_whole
from curieval.report.schema import FigureSummary, GateResult, Report, Summary

# GitHub refuses a step summary beyond 1 MiB and shows none of it.
LARGEST = 1024 * 1024 - 4096
MOST_UNSCORED_NAMED = 50


def render_markdown(report: Report, gates: Sequence[GateResult]) -> str:
    """The report as GitHub Markdown of less than 1 MiB: verdict, missed rules, a table of
    models and tasks, a table of slices a task, and the items that stayed unscored."""
    return _bounded(_sections(report, gates))


def append_step_summary(report: Report, gates: Sequence[GateResult]) -> bool:
    """Append the Markdown to the file that `GITHUB_STEP_SUMMARY` names; False without one."""
    name = os.environ.get("GITHUB_STEP_SUMMARY")
    if not name:
        return False
    try:
        with Path(name).open("a", encoding="utf-8") as file:
            file.write(render_markdown(report, gates))
    except OSError as error:
        raise ReportError(f"the step summary {name} cannot be written: {error}") from error
    return True


def annotation_lines(gates: Sequence[GateResult]) -> list[str]:
    """A workflow command line for each missed rule, at the line of the thresholds file."""
    lines = []
    for gate in gates:
        if gate.state == "failed":
            file, _, line = gate.source.rpartition(":")
            place = f" file={_property(file)},line={line}" if file and line.isdigit() else ""
            lines.append(f"::error{place}::{_data(gate.message)}")
    return lines


def _sections(report: Report, gates: Sequence[GateResult]) -> Iterable[str]:
    failed = [gate for gate in gates if gate.state == "failed"]
    kept = sum(gate.state == "passed" for gate in gates)
    wholes = [summary for summary in report.summaries if not summary.slice]
    partial = [summary for summary in wholes if why_not_whole(summary)]
    if failed:
        yield f"## Evaluation: {len(failed)} of {len(failed) + kept} rules missed\n\n"
        yield "".join(f"- ❌ {_text(gate.message)}\n" for gate in failed) + "\n"
    elif kept:
        yield f"## Evaluation: all {kept} rules kept\n\n"
    else:
        yield "## Evaluation\n\n"
    for summary in partial:
        yield (
            f"> Partial run of {_text(summary.task)} by {_text(summary.model)}: "
            f"{why_not_whole(summary)}. It was held against no rule.\n\n"
        )
    yield _table("model", ((f"{s.task}: {s.model}", s) for s in wholes))
    for whole in wholes:
        rows = [
            summary
            for summary in report.summaries
            if (summary.model, summary.task) == (whole.model, whole.task) and summary.slice
        ]
        if rows:
            yield f"<details><summary>{_text(whole.task)} by {_text(whole.model)}, split"
            yield "</summary>\n\n"
            yield _table("slice", ((_slice(row), row) for row in rows))
            yield "</details>\n\n"
    unscored = [item for item in report.items if item.state == "unscored"]
    if unscored:
        yield f"<details><summary>{len(unscored)} unscored items</summary>\n\n"
        yield "| item | reason |\n|---|---|\n"
        for item in unscored[:MOST_UNSCORED_NAMED]:
            yield f"| {_text(item.id)} | {_text(item.reason or '')} |\n"
        if len(unscored) > MOST_UNSCORED_NAMED:
            yield f"\nand {len(unscored) - MOST_UNSCORED_NAMED} more\n"
        yield "\n</details>\n\n"
    notes = [*report.manifest.get("notes", ()), *report.warnings]
    yield "".join(f"- {_text(str(note))}\n" for note in notes)


def _table(first: str, rows: Iterable[tuple[str, Summary]]) -> str:
    lines = [
        f"| {first} | scored | unscored | figure | mean (95 %) | best constant | random | skill "
        "| cost | p95 |\n|---|--:|--:|---|--:|--:|--:|--:|--:|--:|\n"
    ]
    for name, summary in rows:
        figure = _primary(summary)
        counts = summary.counts
        cells = [
            _text(name),
            f"{counts.scored} of {counts.planned}",
            str(counts.unscored),
            _text(figure.name) if figure else "",
            _mean(figure),
            _number(figure.constant if figure else None),
            _number(figure.random if figure else None),
            _number(figure.skill if figure else None),
            f"${summary.cost.usd:.2f}" + (" + unknown" if summary.cost.unknown else ""),
            "" if summary.seconds.p95 is None else f"{summary.seconds.p95:.1f} s",
        ]
        lines.append(f"| {' | '.join(cells)} |\n")
    return "".join(lines) + "\n"


def _primary(summary: Summary) -> FigureSummary | None:
    figures = summary.figures
    return next((figure for figure in figures if figure.primary), figures[0] if figures else None)


def _mean(figure: FigureSummary | None) -> str:
    if figure is None or figure.mean is None:
        return ""
    if figure.low is None or figure.high is None:
        return f"{figure.mean:.3f}"
    return f"{figure.mean:.3f} ({figure.low:.3f}–{figure.high:.3f})"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _slice(summary: Summary) -> str:
    return ", ".join(f"{key} {value}" for key, value in summary.slice.items())


def _text(text: str, longest: int = 2_000) -> str:
    """`text` in one table cell, with nothing left that Markdown or HTML would act on."""
    flat = " ".join(text.split())
    flat = flat if len(flat) <= longest else flat[: longest - 1] + "…"
    return flat.translate(_ENTITIES)


_ENTITIES = str.maketrans({each: f"&#{ord(each)};" for each in "\\`*_{}[]()#+!|~<>&@$:"})


def _bounded(sections: Iterable[str]) -> str:
    parts: list[str] = []
    size = 0
    for section in sections:
        size += len(section.encode())
        if size > LARGEST:
            parts.append("\nThe rest does not fit here: see report.json.\n")
            break
        parts.append(section)
    return "".join(parts)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
