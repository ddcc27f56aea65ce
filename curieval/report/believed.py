"""What report.html says of judges and of repeats: whom to believe, and how answers vary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from curieval.report.cells import interval_text, number_cell
from curieval.report.judges import judge_line
from curieval.report.markup import escape
from curieval.report.schema import JudgeCheck, Report, Summary


def judges(report: Report) -> Iterator[str]:
    """Each judge with its canaries, and what it gave answers of known worth."""
    judged = [(name, task.judge) for name, task in sorted(report.tasks.items()) if task.judge]
    if not judged:
        return
    yield "<h2>Judges</h2>\n"
    for name, judge in judged:
        bad = ' class="warn"' if judge.check and not judge.check.trusted else ""
        line = f"<span{bad}>{escape(judge_line(judge))}</span>"
        yield f"<p><strong>{escape(name)}</strong> {line}</p>\n"
        if judge.check:
            yield from _canaries(judge.check)
            yield from _known(judge.check.known_quality)


def _canaries(check: JudgeCheck) -> Iterator[str]:
    yield '<div class="scroll"><table><thead><tr><th>canary</th><th class="n">held</th>'
    yield '<th class="n">of</th><th>where it did not</th></tr></thead><tbody>\n'
    for name, canary in check.canaries.items():
        failed = "; ".join(
            f"{each.case} ({'no score' if each.score is None else f'{each.score:g}'})"
            for each in canary.failed
        )
        yield f"<tr><td>{escape(name)}</td>{number_cell(str(canary.held))}"
        yield f"{number_cell(str(canary.n))}<td>{escape(failed)}</td></tr>\n"
    yield "</tbody></table></div>\n"


def _known(known: dict[str, Any]) -> Iterator[str]:
    parts = [
        f"{name} (worth {each.get('worth', '?')}): "
        + ("no score" if each.get("mean") is None else f"{each['mean']:.1f} on average")
        for name, each in known.items()
        if isinstance(each, dict)
    ]
    if parts:
        yield f'<p class="soft">Answers of known worth got: {escape("; ".join(parts))}.</p>\n'


def repeats(wholes: Sequence[Summary]) -> Iterator[str]:
    """How a case's repeats make one number, reducer by reducer."""
    rows = [
        (whole, figure, each)
        for whole in wholes
        for figure in whole.figures
        for each in figure.repeats
    ]
    if not rows:
        return
    yield "<h2>Repeats</h2>\n"
    yield '<p class="soft">Each case was asked several times. mean: the average of its repeats; '
    yield "majority: more than half of them fully right; pass@k: at least one of k fully right. "
    yield "Intervals and standard errors are over cases, not over repeats.</p>\n"
    yield '<div class="scroll"><table><thead><tr><th>model</th><th>figure</th><th>reducer</th>'
    yield '<th class="n">value (95 %)</th><th class="n">standard error</th><th class="n">cases</th>'
    yield "</tr></thead><tbody>\n"
    for whole, figure, each in rows:
        scale = figure.scale if each.reducer == "mean" else 1.0
        yield f'<tr><td class="name">{escape(whole.model)}</td>'
        yield f"<td>{escape(f'{whole.task}: {figure.name}')}</td><td>{escape(each.reducer)}</td>"
        yield number_cell(interval_text(each.mean, each.low, each.high, scale))
        yield number_cell("" if each.stderr is None else f"{each.stderr:.3g}")
        yield f"{number_cell(str(each.n))}</tr>\n"
    yield "</tbody></table></div>\n"
