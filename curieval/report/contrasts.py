"""Comparisons in report.html: with a baseline, and of the models of one run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curieval.report.aggregate import LOWER_IS_BETTER
from curieval.report.cells import number_cell, primary
from curieval.report.compare import Change, Comparison, compare_items
from curieval.report.markup import escape
from curieval.report.numbers import figure_text, points_text
from curieval.report.plots import difference_axis, difference_plot
from curieval.report.regression import describe
from curieval.report.schema import Report
from scoring.statistics import holm

MOST_CHANGES = 50


def against_baseline(comparisons: Sequence[Comparison]) -> Iterator[str]:
    yield "<h2>Against the baseline</h2>\n"
    yield from _differences([(_versus(each), each) for each in comparisons], adjust=False)
    seen = set()
    for found in comparisons:
        key = (found.task, found.before_model, found.after_model)
        if key in seen:
            continue
        seen.add(key)
        for what, cases in (
            ("only in the baseline", found.only_before),
            ("only in this run", found.only_after),
            ("not scored on both sides", found.unscored),
        ):
            if cases:
                yield f'<p class="warn">{len(cases)} cases {what}: '
                yield f"{escape(', '.join(cases[:MOST_CHANGES]))}</p>\n"
        if found.data_changed:
            yield f'<p class="warn">The data of {escape(found.task)} changed.</p>\n'
        yield from _changes("fell", found, found.fell)
        yield from _changes("rose", found, found.rose)


def _changes(what: str, found: Comparison, changes: Sequence[Change]) -> Iterator[str]:
    if not changes:
        return
    yield f"<details><summary>{len(changes)} cases {what} in {escape(found.figure)}</summary>"
    yield '<table><thead><tr><th>case</th><th class="n">before</th><th class="n">after</th></tr>'
    yield "</thead><tbody>"
    for change in changes[:MOST_CHANGES]:
        yield f'<tr><td class="id">{escape(change.case)}</td>'
        yield f"{number_cell(figure_text(change.before, found.scale))}"
        yield f"{number_cell(figure_text(change.after, found.scale))}</tr>"
    yield "</tbody></table>"
    if len(changes) > MOST_CHANGES:
        yield f"<p>and {len(changes) - MOST_CHANGES} more</p>"
    yield "</details>\n"


def models_compared(report: Report) -> Iterator[str]:
    """Each model against the best of its task, by case."""
    pairs: list[tuple[str, Comparison]] = []
    for task, info in sorted(report.tasks.items()):
        wholes = [s for s in report.summaries if s.task == task and not s.slice]
        ranked = [(f.mean, s) for s in wholes if (f := primary(s)) and f.mean is not None]
        first = next((figure for figure in info.figures if figure.primary), None)
        if len(ranked) < 2 or first is None:
            continue
        upwards = 1.0 if first.aggregate in LOWER_IS_BETTER else -1.0
        ranked.sort(key=lambda pair: (upwards * pair[0], pair[1].model))
        best = ranked[0][1].model
        items = [item for item in report.items if item.task == task]
        for _, other in ranked[1:]:
            found = compare_items(
                (item for item in items if item.model == best),
                (item for item in items if item.model == other.model),
                figure=first.name,
                scale=first.scale,
            )
            pairs.append((f"{task}: {other.model} against {best}", found))
    if pairs:
        yield "<h2>Models compared case by case</h2>\n"
        yield '<p class="soft">Difference to the best model of the task, over cases that both '
        yield "scored; p values are corrected for their number (Holm).</p>\n"
        yield from _differences(pairs, adjust=True)


def _differences(pairs: Sequence[tuple[str, Comparison]], *, adjust: bool) -> Iterator[str]:
    known = [found.p for _, found in pairs if found.p is not None]
    p_values = iter(holm(known) if adjust else known)
    ends = [
        abs(end) / found.scale
        for _, found in pairs
        for end in (found.low, found.high, found.difference)
        if end is not None
    ]
    reach = min(1.0, max(ends, default=0.05) * 1.1) or 0.05
    yield '<div class="scroll"><table><thead><tr><th></th><th>figure</th><th>'
    yield difference_axis(reach)
    yield (
        '</th><th class="n">difference (95 %)</th><th class="n">p</th><th>test</th>'
        '<th class="n">cases</th><th class="n">fell</th><th class="n">rose</th></tr>'
        "</thead><tbody>\n"
    )
    for name, found in pairs:
        p = next(p_values) if found.p is not None else None
        if found.difference is None:
            yield f'<tr><td class="name">{escape(name)}</td><td>{escape(found.figure)}</td>'
            yield f'<td colspan="7" class="soft">{escape(describe(found))}</td></tr>\n'
            continue
        scale = found.scale
        text = f"{points_text(found.difference, scale)} pp"
        if found.low is not None and found.high is not None:
            text += f" ({points_text(found.low, scale)} to {points_text(found.high, scale)})"
        plot = difference_plot(found.difference, found.low, found.high, reach=reach * scale)
        yield f'<tr><td class="name">{escape(name)}</td><td>{escape(found.figure)}</td>'
        yield f"<td>{plot}</td>{number_cell(text)}{number_cell('' if p is None else f'{p:.2g}')}"
        yield f"<td>{escape(found.test)}</td>{number_cell(str(found.n))}"
        yield f"{number_cell(str(len(found.fell)))}{number_cell(str(len(found.rose)))}</tr>\n"
    yield "</tbody></table></div>\n"


def _versus(found: Comparison) -> str:
    if found.before_model == found.after_model:
        return f"{found.task}: {found.after_model}"
    return f"{found.task}: {found.after_model} against {found.before_model}"
