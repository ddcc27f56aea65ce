"""A report as Markdown for a CI job's step summary, and its failures as annotations."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from curieval.report.cells import interval_text, mean_text, number_text, primary
from curieval.report.errors import ReportError
from curieval.report.gate import why_not_whole
from curieval.report.judges import judge_line
from curieval.report.schema import GateResult, Report, Summary

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
    for summary in wholes:
        figure = primary(summary)
        failed_calls = summary.counts.asked - summary.counts.scored
        if report.tasks[summary.task].judge and failed_calls and figure and figure.n:
            low, high = (number_text(x, figure.scale) for x in (figure.bound, figure.bound_high))
            yield (
                f"> {_text(f'{summary.task} by {summary.model}')}: {failed_calls} of "
                f"{summary.counts.asked} asked are unscored; counted as 0 they give "
                f"{_text(figure.name)} {low}, as {figure.scale:g} {high}.\n\n"
            )
    yield _table("model", ((f"{s.task}: {s.model}", s) for s in wholes))
    for name, task in sorted(report.tasks.items()):
        if task.judge:
            yield f"- {_text(f'{name}: {judge_line(task.judge)}')}\n\n"
    yield from _repeats(wholes)
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
        figure = primary(summary)
        counts = summary.counts
        cells = [
            _text(name),
            f"{counts.scored} of {counts.planned}",
            str(counts.unscored),
            _text(figure.name) if figure else "",
            mean_text(figure) if figure and figure.n else "",
            number_text(figure.constant, figure.scale) if figure else "",
            number_text(figure.random, figure.scale) if figure else "",
            number_text(figure.skill) if figure else "",
            f"${summary.cost.usd:.2f}" + (" + unknown" if summary.cost.unknown else ""),
            "" if summary.seconds.p95 is None else f"{summary.seconds.p95:.1f} s",
        ]
        lines.append(f"| {' | '.join(cells)} |\n")
    return "".join(lines) + "\n"


def _repeats(wholes: Sequence[Summary]) -> Iterable[str]:
    lines = [
        f"| {_text(f'{whole.task}: {whole.model}')} | {_text(figure.name)} | {_text(each.reducer)} "
        f"| {interval_text(each.mean, each.low, each.high, scale)} | {each.n} |\n"
        for whole in wholes
        for figure in whole.figures
        for each in figure.repeats
        for scale in [figure.scale if each.reducer == "mean" else 1.0]
    ]
    if lines:
        yield "| repeats of | figure | reducer | value (95 %) | cases |\n|---|---|---|--:|--:|\n"
        yield "".join(lines) + "\n"


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
