"""Comparisons as plain text: what moved, by how much, and in which cases."""

from __future__ import annotations

from collections.abc import Sequence

from curieval.report.compare import Change, Comparison
from curieval.report.numbers import figure_text
from curieval.report.regression import describe
from curieval.report.tables import Column, inert, table, wrapped

MOST_CASES_SHOWN = 20


def render_comparison(comparisons: Sequence[Comparison], width: int = 100) -> str:
    """Each figure's difference with interval and test; the cases of the first figure of a task
    that fell and rose, the cases that could not be paired, and a change of data."""
    blocks: list[str] = []
    shown: set[tuple[str, str, str]] = set()
    for found in comparisons:
        key = (found.task, found.before_model, found.after_model)
        lines = []
        if key not in shown:
            lines.append(wrapped(" · ".join((found.task, _models(found))), width))
        lines.append(wrapped(f"{found.figure}: {describe(found)}", width))
        if key not in shown:
            lines += _details(found, width)
        shown.add(key)
        blocks.append("\n".join(lines))
    return inert("\n".join(blocks) + "\n")


def _models(found: Comparison) -> str:
    if found.before_model == found.after_model:
        return found.after_model
    return f"{found.before_model} → {found.after_model}"


def _details(found: Comparison, width: int) -> list[str]:
    lines = []
    if found.data_changed:
        lines.append(wrapped("warning: the data changed between the two", width))
    if found.forms:
        before, after = found.forms
        lines.append(wrapped(f"warning: {before} answers before, {after} answers after", width))
    for what, cases in (
        ("only in the first", found.only_before),
        ("only in the second", found.only_after),
        ("not scored on both sides", found.unscored),
    ):
        if cases:
            lines.append(wrapped(f"warning: {len(cases)} {what}: {_first(cases)}", width))
    if found.detectable is not None:
        lines.append(
            wrapped(
                f"{found.n} pairs that spread like these show a difference of "
                f"{100 * found.detectable / found.scale:.1f} pp with 80 % power",
                width,
            )
        )
    for what, changes in (("fell", found.fell), ("rose", found.rose)):
        if changes:
            lines.append(f"{what} ({len(changes)}):")
            lines += [f"  {line}" for line in _changes(changes, found.scale, width - 2)]
    return lines


def _changes(changes: Sequence[Change], scale: float, width: int) -> list[str]:
    shown = changes[:MOST_CASES_SHOWN]
    lines = table(
        [
            Column(head="case", cells=[change.case for change in shown], left=True),
            Column(head="before", cells=[figure_text(change.before, scale) for change in shown]),
            Column(head="after", cells=[figure_text(change.after, scale) for change in shown]),
        ],
        width,
    )
    more = len(changes) - len(shown)
    return lines + ([f"and {more} more"] if more else [])


def _first(cases: Sequence[str]) -> str:
    more = len(cases) - MOST_CASES_SHOWN
    return ", ".join(cases[:MOST_CASES_SHOWN]) + (f" and {more} more" if more > 0 else "")
