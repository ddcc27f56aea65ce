"""The figures of report.html: verdict, headline, models compared, slices, confusions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from curieval.report.believed import judges, repeats
from curieval.report.cells import LEGEND, mean_text, number_cell, number_text, plot_of, primary
from curieval.report.compare import Comparison
from curieval.report.contrasts import against_baseline, models_compared
from curieval.report.gate import why_not_whole
from curieval.report.judges import judge_line
from curieval.report.markup import escape
from curieval.report.numbers import figure_text
from curieval.report.patterns import confusion, reliability
from curieval.report.plots import Point, cost_plot, interval_axis
from curieval.report.releases import release_line
from curieval.report.run import Run
from curieval.report.schema import Report, Summary

MOST_SLICE_VALUES = 60


def sections(report: Report, run: Run, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """The static part of the page, piece by piece; it needs no script."""
    wholes = [summary for summary in report.summaries if not summary.slice]
    yield from _head(report, wholes)
    yield from _verdict(report, wholes)
    yield from _headline(report, wholes)
    yield from repeats(wholes)
    yield from judges(report)
    if comparisons:
        yield from against_baseline(comparisons)
    yield from models_compared(report)
    for task in sorted(report.tasks):
        yield from _slices(report, task)
        yield from _remarks(whole for whole in wholes if whole.task == task)
        yield from confusion(run, task)
        yield from reliability(run, task)


def _head(report: Report, wholes: Sequence[Summary]) -> Iterator[str]:
    tasks = ", ".join(sorted(report.tasks))
    last = report.legs[-1]
    yield f"<header><div><h1>Evaluation of {escape(tasks)}</h1>\n"
    facts = [f"{len(report.items)} items", f"by {', '.join(report.models)}"]
    facts.append(f"started {last.started}")
    if len(report.legs) > 1:
        facts.append(f"{len(report.legs)} legs")
    yield f'<p class="soft">{escape(" · ".join(facts))}</p></div>'
    yield '<button type="button" id="theme">Dark or light</button></header>\n'
    cases: dict[tuple[str, str], set[str]] = {}
    for item in report.items:
        cases.setdefault((item.model, item.task), set()).add(item.case)
    sets = {f"{w.task}: {w.case_set} ({len(cases[w.model, w.task])} cases)" for w in wholes}
    yield f'<p class="soft">Case sets: {escape("; ".join(sorted(sets)))}</p>\n'
    if scored_in := release_line(report.manifest):
        yield f'<p class="soft">{escape(scored_in)}</p>\n'


def _verdict(report: Report, wholes: Sequence[Summary]) -> Iterator[str]:
    failed = [gate for gate in report.gates if gate.state == "failed"]
    kept = sum(gate.state == "passed" for gate in report.gates)
    if failed:
        yield f'<div class="verdict bad"><strong>{len(failed)} of {len(failed) + kept} rules missed'
        yield "</strong><ul>"
        yield "".join(f"<li>{escape(gate.message)}</li>" for gate in failed) + "</ul></div>\n"
    elif kept:
        yield f'<div class="verdict good"><strong>All {kept} rules kept</strong></div>\n'
    notes = [
        f"{whole.task} by {whole.model} is a partial run: {why}."
        for whole in wholes
        if (why := why_not_whole(whole))
    ]
    for whole in wholes:
        counts = whole.counts
        if failures := counts.asked - counts.scored:
            reasons = ", ".join(
                f"{n} {reason}" for reason, n in whole.reasons.items() if "suspect" not in reason
            )
            notes.append(
                f"{whole.task} by {whole.model}: {failures} of {counts.asked} asked are unscored "
                f"({reasons}); they are in no mean.{_bounds(report, whole)}"
            )
        if counts.suspect:
            notes.append(f"{whole.task}: {counts.suspect} suspect references were not asked.")
    notes += [str(note) for note in report.manifest.get("notes", ())]
    notes += report.warnings
    if notes:
        unique = dict.fromkeys(notes)
        yield '<div class="verdict warn"><strong>To know before reading the figures</strong><ul>'
        yield "".join(f"<li>{escape(note)}</li>" for note in unique) + "</ul></div>\n"


def _bounds(report: Report, whole: Summary) -> str:
    """Between what a judged figure lies, whatever the unscored answers were worth."""
    figure = primary(whole)
    if not report.tasks[whole.task].judge or not figure or figure.bound is None:
        return ""
    low, high = (figure_text(end, figure.scale) for end in (figure.bound, figure.bound_high))
    return f" Counted as 0 they give {figure.name} {low}, as {figure.scale:g} {high}."


def _headline(report: Report, wholes: Sequence[Summary]) -> Iterator[str]:
    yield "<h2>Figures</h2>\n"
    yield LEGEND
    yield '<div class="scroll"><table><thead><tr><th>model</th><th>figure</th>'
    yield (
        '<th></th><th class="n">mean (95 %)</th><th class="n">best constant</th>'
        '<th class="n">random</th><th class="n">skill</th><th class="n">n</th>'
        '<th class="n">unread</th><th class="n">cost</th><th class="n">p95</th></tr></thead>'
        "<tbody>\n"
    )
    for task in sorted(report.tasks):
        yield f'<tr class="group"><th colspan="2">{escape(task)}</th>'
        yield f"<th>{interval_axis(_scale(report, task))}</th>"
        yield f'<th colspan="8" class="judge">{_judged(report, task)}</th></tr>\n'
        for whole in wholes:
            if whole.task == task:
                yield from _figure_rows(whole)
    yield "</tbody></table></div>\n"
    yield from _constants(wholes)
    if any(f.rough and f.low is not None for s in report.summaries for f in s.figures):
        yield (
            '<p class="soft">Intervals of fewer than 30 cases, or where nearly all cases are '
            "right or wrong, are rough.</p>\n"
        )
    yield from _costs(wholes)


def _scale(report: Report, task: str) -> float:
    """The scale of the figure that heads a task."""
    figures = report.tasks[task].figures
    return next((f.scale for f in figures if f.primary), figures[0].scale if figures else 1.0)


def _judged(report: Report, task: str) -> str:
    judge = report.tasks[task].judge
    return escape(judge_line(judge)) if judge else ""


def _figure_rows(whole: Summary) -> Iterator[str]:
    span = len(whole.figures)
    for place, figure in enumerate(sorted(whole.figures, key=lambda each: not each.primary)):
        name = f'<td class="name" rowspan="{span}"><strong>{escape(whole.model)}</strong></td>'
        title = f"{figure.name}{'' if figure.aggregate == 'mean' else f' ({figure.aggregate})'}"
        trust = "" if figure.trusted else ' <span class="warn">judge not trusted</span>'
        cells = [
            "" if place else name,
            f"<td>{escape(title)}{trust}</td>",
            f"<td>{plot_of(figure)}</td>",
            number_cell(mean_text(figure)),
            number_cell(number_text(figure.constant, figure.scale)),
            number_cell(number_text(figure.random, figure.scale)),
            number_cell(number_text(figure.skill)),
            number_cell(str(figure.n)),
        ]
        if place:
            cells.append("<td></td>" * 3)
        else:
            cost = f"${whole.cost.usd:.2f}" + (" + ?" if whole.cost.unknown else "")
            p95 = whole.seconds.p95
            cells += [
                number_cell(str(whole.counts.unreadable)),
                number_cell(cost),
                number_cell("" if p95 is None else f"{p95:.1f} s"),
            ]
        yield f"<tr>{''.join(cells)}</tr>\n"


def _constants(wholes: Sequence[Summary]) -> Iterator[str]:
    answers: dict[str, dict[str, None]] = {}
    for whole in wholes:
        for baseline in whole.baselines:
            if "constant" in baseline.name:
                for name in baseline.figures:
                    answers.setdefault(f"{whole.task}, {name}", {})[baseline.answer] = None
    if answers:
        yield "<details><summary>Which answer is the best constant one</summary><ul>"
        for where, each in answers.items():
            yield f"<li>{escape(where)}: <code>{escape('; '.join(each))}</code></li>"
        yield "</ul></details>\n"


def _costs(wholes: Sequence[Summary]) -> Iterator[str]:
    for task in sorted({whole.task for whole in wholes}):
        points = []
        for whole in wholes:
            figure = primary(whole)
            known = whole.cost.usd > 0 and not whole.cost.unknown
            if whole.task == task and figure and figure.mean is not None and known:
                low = figure.mean if figure.low is None else figure.low
                high = figure.mean if figure.high is None else figure.high
                points.append(
                    Point(name=whole.model, x=whole.cost.usd, y=figure.mean, low=low, high=high)
                )
                shown = figure
        if len(points) > 1:
            plot = cost_plot(points, shown.name, shown.scale)
            yield f"<h3>{escape(task)}: score and cost</h3>\n{plot}\n"


def _slices(report: Report, task: str) -> Iterator[str]:
    parts: dict[str, dict[str, list[Summary]]] = {}
    for summary in report.summaries:
        if summary.task == task and summary.slice:
            ((key, value),) = summary.slice.items()
            parts.setdefault(key, {}).setdefault(value, []).append(summary)
    shown = {key: values for key, values in parts.items() if 1 < len(values) <= MOST_SLICE_VALUES}
    headline = report.tasks[task].headline_slice
    if not shown:
        return
    yield f"<h2>{escape(task)} by slice</h2>\n{LEGEND}"
    for key in sorted(shown, key=lambda each: (each != headline, each)):
        opened = " open" if key == headline or len(shown[key]) <= 6 else ""
        yield f"<details{opened}><summary>{escape(key)} ({len(shown[key])})</summary>\n"
        yield f'<div class="scroll"><table><thead><tr><th>{escape(key)}</th><th>model</th>'
        yield f'<th>{interval_axis(_scale(report, task))}</th><th class="n">mean (95 %)</th>'
        yield '<th class="n">best constant</th><th class="n">random</th><th class="n">skill</th>'
        yield '<th class="n">n</th><th class="n">unscored</th></tr></thead><tbody>\n'
        for value, summaries in shown[key].items():
            for place, summary in enumerate(summaries):
                yield _slice_row("" if place else value, summary)
        yield "</tbody></table></div></details>\n"


def _remarks(wholes: Iterable[Summary]) -> Iterator[str]:
    for whole in wholes:
        if whole.remarks:
            yield f"<h3>{escape(whole.task)}: what {escape(whole.model)} answers like</h3>\n<ul>"
            yield "".join(f"<li>{escape(remark)}</li>" for remark in whole.remarks) + "</ul>\n"


def _slice_row(value: str, summary: Summary) -> str:
    figure = primary(summary)
    cells = [
        f'<td class="name">{escape(value)}</td><td>{escape(summary.model)}</td>',
        f"<td>{plot_of(figure) if figure else ''}</td>",
        number_cell(mean_text(figure) if figure else ""),
        number_cell(number_text(figure.constant, figure.scale) if figure else ""),
        number_cell(number_text(figure.random, figure.scale) if figure else ""),
        number_cell(number_text(figure.skill if figure else None)),
        number_cell(str(summary.counts.scored)),
        number_cell(str(summary.counts.unscored)),
    ]
    return f"<tr>{''.join(cells)}</tr>\n"
