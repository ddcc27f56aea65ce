"""Holding a run against a baseline report."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from curieval.report.compare import Comparison, compare_task
from curieval.report.errors import ReportError
from curieval.report.gate import rule_text, why_not_whole
from curieval.report.numbers import figure_text, points_text
from curieval.report.rules import DEFAULT_RULE, FailIf
from curieval.report.schema import GateResult, GateState, Item, Report, Summary
from curieval.report.thresholds import Gate, Thresholds
from scoring.statistics import holm

MOST_CASES_NAMED = 10


def check_baseline(
    report: Report, baseline: Report, thresholds: Thresholds | None = None
) -> list[GateResult]:
    """Hold a report against a baseline by the `fail_if` rules of a thresholds file.

    A model and task without such a rule are held to `significant:5%` on the primary figure.
    Rules of several slices share one level by Holm's correction. Cases that one side lacks
    and changed data fail a rule unless it allows them; a partial run is not held against it.
    ReportError where the baseline has none of the report's models and tasks.
    """
    wholes = [summary for summary in report.summaries if not summary.slice]
    known = {(s.model, s.task) for s in baseline.summaries if not s.slice}
    found = [
        result
        for whole in wholes
        if (whole.model, whole.task) in known
        for result in _check_task(report, baseline, thresholds, whole)
    ]
    if wholes and not any((whole.model, whole.task) in known for whole in wholes):
        raise ReportError(
            "the baseline has none of this run's models and tasks; name the baseline of "
            + ", ".join(f"{whole.task} by {whole.model}" for whole in wholes)
        )
    return found


def _check_task(
    report: Report, baseline: Report, thresholds: Thresholds | None, whole: Summary
) -> list[GateResult]:
    rules = thresholds.rules(whole.model, whole.task) if thresholds else ()
    gates = [gate for gate in rules if gate.fail_if] or _default_gates(whole)
    if partial := why_not_whole(whole):
        return [
            _result(
                whole, gate, rule.text, "skipped", None, f"not held against the baseline, {partial}"
            )
            for gate in gates
            for rule in gate.fail_if
        ]
    comparisons = [_compare(report, baseline, whole, gate) for gate in gates]
    adjusted = _adjusted(gates, comparisons)
    return [
        _judge(report, whole, gate, rule, found, p)
        for gate, found, p in zip(gates, comparisons, adjusted, strict=True)
        for rule in gate.fail_if
    ]


def _default_gates(whole: Summary) -> list[Gate]:
    primary = next((figure.name for figure in whole.figures if figure.primary), None)
    if primary is None:
        return []
    return [Gate(figure=primary, statistic="mean", fail_if=(DEFAULT_RULE,))]


def _compare(report: Report, baseline: Report, whole: Summary, gate: Gate) -> Comparison:
    before, after = (
        [item for item in side.items if (item.model, item.task) == (whole.model, whole.task)]
        for side in (baseline, report)
    )
    if gate.slice:
        cases = {item.case for item in (*before, *after) if _within(item, gate)}
        before, after = ([item for item in side if item.case in cases] for side in (before, after))
    return compare_task(baseline, report, whole.task, gate.figure or "", (before, after))


def _within(item: Item, gate: Gate) -> bool:
    return all(item.slices.get(key) == value for key, value in gate.slice.items())


def _adjusted(gates: Sequence[Gate], comparisons: Sequence[Comparison]) -> list[float | None]:
    """Holm's correction over the slices of a figure; the whole set keeps its own p."""
    adjusted = [found.p for found in comparisons]
    for figure in {gate.figure for gate in gates}:
        places = [
            place
            for place, gate in enumerate(gates)
            if gate.slice and gate.figure == figure and comparisons[place].p is not None
        ]
        corrected = holm([p for place in places if (p := comparisons[place].p) is not None])
        for place, p in zip(places, corrected, strict=True):
            adjusted[place] = p
    return adjusted


def _judge(
    report: Report, whole: Summary, gate: Gate, rule: FailIf, found: Comparison, p: float | None
) -> GateResult:
    if not all(f.trusted for f in report.tasks[whole.task].figures if f.name == gate.figure):
        why = "not held against the baseline, its judge fell short of its calibration"
        return _result(whole, gate, rule.text, "skipped", None, why)
    complaints = []
    if found.data_changed and "changed_data" not in gate.allow:
        complaints.append('the data changed since the baseline (allow = ["changed_data"])')
    missing = [*found.only_before, *found.only_after]
    if missing and "missing_cases" not in gate.allow:
        complaints.append(
            f"{len(found.only_before)} cases only in the baseline, {len(found.only_after)} only "
            f'here: {_named(missing)} (allow = ["missing_cases"])'
        )
    if complaint := rule.complaint(found, p):
        complaints.append(complaint)
    measured = describe(found)
    if not complaints:
        return _result(whole, gate, rule.text, "passed", found.difference, measured)
    fallen = f"; fell: {_named([each.case for each in found.fell])}" if found.fell else ""
    message = f"{'; '.join(complaints)}; {measured}{fallen}"
    return _result(whole, gate, rule.text, "failed", found.difference, message)


def describe(found: Comparison) -> str:
    """A comparison in one phrase: means, difference with interval, test, how many moved."""
    if found.judges is not None:
        return f"not compared: judged by {found.judges[0]} before, by {found.judges[1]} after"
    if found.before is None or found.after is None or found.difference is None:
        return "no case was scored on both sides"
    scale = found.scale
    text = f"{figure_text(found.before, scale)} → {figure_text(found.after, scale)}"
    text += f" ({points_text(found.difference, scale)} pp"
    if found.low is not None and found.high is not None:
        text += f", 95 % {points_text(found.low, scale)} to {points_text(found.high, scale)}"
    text += f"; p = {found.p:.2g}, {found.test}) on {found.n} cases"
    text += f", {len(found.fell)} fell and {len(found.rose)} rose"
    return f"{text} ({found.forms[0]} against {found.forms[1]} answers)" if found.forms else text


def _named(cases: Collection[str]) -> str:
    shown = list(cases)[:MOST_CASES_NAMED]
    more = len(cases) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _result(
    whole: Summary, gate: Gate, rule: str, state: GateState, value: float | None, message: str
) -> GateResult:
    text = f"{gate.figure} {rule} against the baseline{rule_text(gate, limits=False)}"
    return GateResult(
        model=whole.model,
        task=whole.task,
        slice=dict(gate.slice),
        figure=gate.figure,
        statistic="difference",
        rule=text,
        against="baseline",
        source=gate.source,
        state=state,
        value=value,
        limit=None,
        message=f"{whole.model}, {whole.task}: {text}: {message}",
    )
