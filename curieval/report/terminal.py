"""The summary that ends a run on the terminal: what fell short first, then a row a slice."""

from __future__ import annotations

from collections.abc import Sequence

from curieval.report.gate import why_not_whole
from curieval.report.schema import FigureSummary, GateResult, Report, Summary
from curieval.report.tables import Column, cut, inert, table, wrapped

NARROWEST = 60


def render_summary(report: Report, gates: Sequence[GateResult], width: int = 100) -> str:
    """The report as plain text of at most `width` columns: per model and task, missed rules
    first, then one row per value of the task's headline slice, then warnings."""
    width = max(NARROWEST, width)
    blocks = [
        _task_block(report, whole, [g for g in gates if (g.model, g.task) == key], width)
        for whole in report.summaries
        if not whole.slice
        for key in [(whole.model, whole.task)]
    ]
    notes = [*report.manifest.get("notes", ()), *report.warnings]
    if notes:
        blocks.append("\n".join(wrapped(f"note: {note}", width) for note in notes))
    return inert("\n\n".join(blocks) + "\n")


def _task_block(report: Report, whole: Summary, gates: Sequence[GateResult], width: int) -> str:
    counts = whole.counts
    head = f"{whole.task} · {whole.model}: {counts.scored} of {counts.planned} cases scored"
    head += "".join(
        f", {number} {what}"
        for number, what in (
            (counts.unscored, "unscored"),
            (counts.not_run, "not run"),
        )
        if number
    )
    lines = [wrapped(head, width)]
    failed = [gate for gate in gates if gate.state == "failed"]
    worse = [gate for gate in failed if gate.against == "baseline"]
    if worse:
        lines.append("WORSE THAN THE BASELINE:")
        lines += [wrapped(f"  {gate.message}", width) for gate in worse]
    missed = [gate for gate in failed if gate.against == "limit"]
    if missed:
        limits = sum(gate.against == "limit" for gate in gates)
        lines.append(f"FELL SHORT of {len(missed)} of {limits} thresholds:")
        lines += table(
            [
                Column(head="threshold", cells=[gate.rule for gate in missed], left=True),
                Column(head="value", cells=[_number(gate.value, "none") for gate in missed]),
                Column(head="limit", cells=[_number(gate.limit) for gate in missed]),
                Column(head="where", cells=[gate.source for gate in missed], worth=1, left=True),
            ],
            width,
        )
    if failed:
        lines.append("")
    key = report.tasks[whole.task].headline_slice
    rows = [
        each
        for each in report.summaries
        if (each.model, each.task) == (whole.model, whole.task) and key in each.slice
    ]
    lines += _rows(whole, key, [*rows, whole] if len(rows) != 1 else rows, width)
    lines += [wrapped(line, width) for line in _remarks(whole, gates)]
    return "\n".join(lines)


def _rows(whole: Summary, key: str, rows: Sequence[Summary], width: int) -> list[str]:
    names = [row.slice.get(key, "all") for row in rows]
    columns = [
        Column(head=key or "cases", cells=names, left=True),
        Column(head="n", cells=[str(row.counts.scored) for row in rows]),
        Column(head="un-\nread", cells=[str(row.counts.unreadable) for row in rows], worth=7),
        Column(head="un-\nsc.", cells=[str(row.counts.unscored) for row in rows], worth=7),
        Column(head="not\nrun", cells=[str(row.counts.not_run) for row in rows], worth=6),
    ]
    primary = next((f for f in whole.figures if f.primary), next(iter(whole.figures), None))
    if primary is not None:
        figures = [row.figure(primary.name) for row in rows]
        columns += [
            Column(head=_broken(primary.name), cells=[_with_interval(f) for f in figures]),
            Column(
                head="best\nconst",
                cells=[_short(f.constant if f else None) for f in figures],
                worth=8,
            ),
            Column(
                head="ran-\ndom", cells=[_short(f.random if f else None) for f in figures], worth=5
            ),
            Column(head="skill", cells=[_short(f.skill if f else None) for f in figures], worth=8),
        ]
    for place, figure in enumerate(f for f in whole.figures if f != primary):
        cells = [_number((row.figure(figure.name) or figure).mean) for row in rows]
        columns.append(Column(head=_broken(figure.name), cells=cells, worth=2 if place == 0 else 0))
    columns += [
        Column(head="cost", cells=[_cost(row) for row in rows], worth=4),
        Column(head="s", cells=[f"{row.seconds.total:.1f}" for row in rows], worth=3),
    ]
    lines = table(columns, width)
    answers = {
        name: answer for name, row in zip(names, rows, strict=True) if (answer := _constant(row))
    }
    if len(set(answers.values())) == 1:
        lines.append(cut(f"best constant answer: {next(iter(answers.values()))}", width))
    elif answers:
        lines.append("best constant answers:")
        lines += [cut(f"  {name}: {answer}", width) for name, answer in answers.items()]
    return lines


def _remarks(whole: Summary, gates: Sequence[GateResult]) -> list[str]:
    counts, remarks = whole.counts, []
    failed = counts.asked - counts.scored
    if failed:
        reasons = ", ".join(
            f"{count} {reason}"
            for reason, count in whole.reasons.items()
            if reason != "suspect_reference"
        )
        primary = next((f for f in whole.figures if f.primary), None)
        bound = f"; counted as 0, {primary.name} is {_number(primary.bound)}" if primary else ""
        remarks.append(f"warning: {failed} of {counts.asked} asked are unscored ({reasons}){bound}")
    if counts.suspect:
        remarks.append(f"warning: {counts.suspect} references are suspect and were not asked")
    if partial := why_not_whole(whole):
        gated = " and held against no threshold" if gates else ""
        remarks.append(f"note: this is a partial run{gated}: {partial}")
    elif gates and not any(gate.state == "failed" for gate in gates):
        passed = sum(gate.state == "passed" for gate in gates)
        remarks.append(f"thresholds and baseline rules: all {passed} kept")
    if any(figure.rough for figure in whole.figures):
        remarks.append("note: intervals are rough, as there are few cases or few differ")
    return remarks


def _constant(row: Summary) -> str | None:
    primary = next((f.name for f in row.figures if f.primary), "")
    constants = [each for each in row.baselines if "constant" in each.name]
    if not constants:
        return None
    best = max(constants, key=lambda each: each.figures.get(primary, -1.0))
    return " ".join(best.answer.split())


def _with_interval(figure: FigureSummary | None) -> str:
    if figure is None or figure.mean is None:
        return "–"
    if figure.low is None or figure.high is None:
        return _number(figure.mean)
    low, high = (f"{end:.2f}".removeprefix("0") for end in (figure.low, figure.high))
    return f"{figure.mean:.3f} [{low}–{high}]"


def _number(value: float | None, absent: str = "–") -> str:
    return absent if value is None else f"{value:.3f}"


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _broken(name: str) -> str:
    """A long name on two lines, so that its column stays as narrow as its numbers."""
    if len(name) <= 9 or "_" not in name:
        return name
    start, _, end = name.rpartition("_")
    return f"{start}_\n{end}"


def _cost(row: Summary) -> str:
    known = f"${row.cost.usd:.2f}" if row.cost.usd >= 0.01 or not row.cost.usd else "<$0.01"
    if not row.cost.unknown:
        return known
    return f"{known}+?" if row.cost.usd else "unknown"
