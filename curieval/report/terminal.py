"""The summary that ends a run on the terminal: what fell short first, then a row a slice."""

from __future__ import annotations

from collections.abc import Sequence

from curieval.report.gate import why_not_whole
from curieval.report.judges import judge_line
from curieval.report.numbers import figure_text, reach_text
from curieval.report.releases import release_line
from curieval.report.schema import (
    FigureSummary,
    GateResult,
    Reduced,
    Report,
    Summary,
    TaskInfo,
)
from curieval.report.tables import Column, cut, inert, table, wrapped

NARROWEST = 60
MOST_CONSTANTS = 4


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
    if scored_in := release_line(report.manifest):
        blocks.append(wrapped(scored_in, width))
    notes = [*report.manifest.get("notes", ()), *report.warnings]
    if notes:
        blocks.append("\n".join(wrapped(f"note: {note}", width) for note in notes))
    return inert("\n\n".join(blocks) + "\n")


def _task_block(report: Report, whole: Summary, gates: Sequence[GateResult], width: int) -> str:
    lines = [wrapped(_head(report, whole), width)]
    task = report.tasks[whole.task]
    failed = [gate for gate in gates if gate.state == "failed"]
    worse = [gate for gate in failed if gate.against == "baseline"]
    if worse:
        lines.append("WORSE THAN THE BASELINE:")
        lines += [wrapped(f"  {gate.message}", width) for gate in worse]
    missed = [gate for gate in failed if gate.against == "limit"]
    if missed:
        limits = sum(gate.against == "limit" and gate.state != "skipped" for gate in gates)
        lines.append(f"FELL SHORT of {len(missed)} of {limits} thresholds:")
        lines += _missed(task, missed, width)
    if task.judge:
        judged = ", ".join(figure.name for figure in whole.figures)
        lines.append(wrapped(f"{judged} {judge_line(task.judge)}", width))
    if failed:
        lines.append("")
    key = task.headline_slice
    rows = [
        each
        for each in report.summaries
        if (each.model, each.task) == (whole.model, whole.task) and key in each.slice
    ]
    one_for_all = len(rows) == 1 and rows[0].counts.planned == whole.counts.planned
    lines += _rows(whole, key, rows if one_for_all else [*rows, whole], width)
    lines += [wrapped(line, width) for line in _remarks(task, whole, gates)]
    return "\n".join(lines)


def _head(report: Report, whole: Summary) -> str:
    counts, what = whole.counts, "cases"
    items = [i for i in report.items if (i.model, i.task) == (whole.model, whole.task)]
    repeats = max((item.repeat for item in items), default=1)
    if repeats > 1:
        what = f"answers to {len({item.case for item in items})} cases"
    form = ", held to a schema" if whole.model in report.tasks[whole.task].structured else ""
    head = f"{whole.task} · {whole.model}{form}: {counts.scored} of {counts.planned} {what} scored"
    states = ((counts.unscored, "unscored"), (counts.not_run, "not run"))
    return head + "".join(f", {number} {state}" for number, state in states if number)


def _missed(task: TaskInfo, missed: Sequence[GateResult], width: int) -> list[str]:
    scales = {figure.name: figure.scale for figure in task.figures}
    values = [figure_text(g.value, scales.get(g.figure or "", 1.0), "none") for g in missed]
    lines = table(
        [
            Column(head="threshold", cells=[gate.rule for gate in missed], left=True),
            Column(head="value", cells=values),
            Column(head="where", cells=[gate.source for gate in missed], worth=1, left=True),
        ],
        width,
    )
    # Where there was nothing to measure, the message alone says why.
    unmeasured = [gate.message for gate in missed if gate.value is None]
    return lines + [wrapped(f"  {message}", width) for message in unmeasured]


def _rows(whole: Summary, key: str, rows: Sequence[Summary], width: int) -> list[str]:
    names = [row.slice.get(key, "all") for row in rows]
    columns = [
        Column(head=key if rows[0].slice else "cases", cells=names, left=True),
        Column(head="n", cells=[str(row.counts.scored) for row in rows]),
    ]
    for head, worth, numbers in (
        ("un-\nread", 7, [row.counts.unreadable for row in rows]),
        ("un-\nsc.", 7, [row.counts.unscored for row in rows]),
        ("not\nrun", 6, [row.counts.not_run for row in rows]),
    ):
        if any(numbers) or head != "not\nrun":
            columns.append(Column(head=head, cells=[str(n) for n in numbers], worth=worth))
    primary, rough = _primary(whole), False
    if primary is not None:
        figures = [row.figure(primary.name) for row in rows]
        rough = any(f.rough and f.low is not None for f in figures if f)
        cells = [_with_interval(f, mark=rough) for f in figures]
        columns.append(Column(head=_broken(primary.name), cells=cells))
        for head, worth, values in (
            ("best\nconst", 8, [_short(f, f.constant) if f else "–" for f in figures]),
            ("ran-\ndom", 5, [_short(f, f.random) if f else "–" for f in figures]),
            ("skill", 8, ["–" if not f or f.skill is None else f"{f.skill:.2f}" for f in figures]),
        ):
            if set(values) != {"–"}:
                columns.append(Column(head=head, cells=values, worth=worth))
    for place, figure in enumerate(f for f in whole.figures if f != primary):
        shown = [row.figure(figure.name) or figure for row in rows]
        cells = [figure_text(each.mean, each.scale) for each in shown]
        columns.append(Column(head=_broken(figure.name), cells=cells, worth=6 if place == 0 else 0))
    seconds = [f"{row.seconds.total:.1f}" for row in rows]
    columns.append(Column(head="cost", cells=[_cost(row) for row in rows], worth=4))
    columns.append(Column(head="s", cells=seconds, worth=3))
    lines = table(columns, width)
    if rough:
        lines.append(cut("~ rough: fewer than 30 cases, or nearly all right or wrong", width))
    return lines + _constants(names, rows, width)


def _constants(names: Sequence[str], rows: Sequence[Summary], width: int) -> list[str]:
    answers = {
        name: answer for name, row in zip(names, rows, strict=True) if (answer := _constant(row))
    }
    if not answers:
        return []
    if len(set(answers.values())) == 1:
        return [cut(f"best constant answer: {next(iter(answers.values()))}", width)]
    if len(answers) > MOST_CONSTANTS:
        name, answer = list(answers.items())[-1]
        return [cut(f"best constant answer ({name}): {answer}", width)]
    lines = [cut(f"  {name}: {answer}", width) for name, answer in answers.items()]
    return ["best constant answers:", *lines]


def _remarks(task: TaskInfo, whole: Summary, gates: Sequence[GateResult]) -> list[str]:
    counts, remarks = whole.counts, []
    primary = _primary(whole)
    failed = counts.asked - counts.scored
    if failed:
        reasons = ", ".join(
            f"{count} {reason}"
            for reason, count in whole.reasons.items()
            if reason != "suspect_reference"
        )
        bound = _bound(task, primary) if primary else ""
        remarks.append(f"warning: {failed} of {counts.asked} asked are unscored ({reasons}){bound}")
    if counts.suspect:
        remarks.append(f"warning: {counts.suspect} references are suspect and were not asked")
    if whole.from_cache:
        remarks.append(f"{whole.from_cache} of {counts.asked} replies came from the cache")
    for figure in whole.figures:
        if figure.repeats:
            n = figure.repeats[0].n
            reduced = " · ".join(_reduced(figure, each, n) for each in figure.repeats)
            remarks.append(f"{figure.name} over the repeats of {n} cases: {reduced}")
    return [*remarks, *whole.remarks, *_gating(whole, gates)]


def _gating(whole: Summary, gates: Sequence[GateResult]) -> list[str]:
    if partial := why_not_whole(whole):
        gated = " and held against no threshold" if gates else ""
        return [f"note: this is a partial run{gated}: {partial}"]
    skipped = [gate for gate in gates if gate.state == "skipped"]
    distrusted = any(not figure.trusted for figure in whole.figures)
    notes = []
    if skipped and distrusted:
        notes.append(f"note: {len(skipped)} rules were not applied, as the judge is not trusted")
    passed = sum(gate.state == "passed" for gate in gates)
    if passed and not any(gate.state == "failed" for gate in gates):
        notes.append(f"thresholds and baseline rules: all {passed} kept")
    return notes


def _bound(task: TaskInfo, figure: FigureSummary) -> str:
    low = figure_text(figure.bound, figure.scale)
    if task.judge is None:
        return f"; counted as 0, {figure.name} is {low}"
    high = figure_text(figure.bound_high, figure.scale)
    return f"; counted as 0, {figure.name} is {low}, as {figure.scale:g} it is {high}"


def _reduced(figure: FigureSummary, each: Reduced, n: int) -> str:
    scale = figure.scale if each.reducer == "mean" else 1.0
    text = f"{each.reducer} {figure_text(each.mean, scale)}"
    if each.low is not None and each.high is not None:
        text += f" {reach_text(each.low, each.high, scale)}"
    return text if each.n == n else f"{text} (of {each.n})"


def _primary(whole: Summary) -> FigureSummary | None:
    return next((f for f in whole.figures if f.primary), next(iter(whole.figures), None))


def _constant(row: Summary) -> str | None:
    figure = _primary(row)
    constants = [each for each in row.baselines if "constant" in each.name]
    if not constants or figure is None:
        return None
    known = [each for each in constants if figure.name in each.figures] or constants
    best = max(known, key=lambda each: each.figures.get(figure.name, -1.0))
    return " ".join(best.answer.split())


def _with_interval(figure: FigureSummary | None, *, mark: bool) -> str:
    if figure is None or figure.mean is None:
        return "–"
    text = figure_text(figure.mean, figure.scale)
    if figure.low is None or figure.high is None:
        return text
    reach = reach_text(figure.low, figure.high, figure.scale)
    rough = "~" if figure.rough else " "
    return f"{text} {reach}{rough if mark else ''}"


def _short(figure: FigureSummary, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.2f}" if figure.scale == 1.0 else figure_text(value, figure.scale)


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
