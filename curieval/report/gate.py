"""Holding a report against the rules of a thresholds file."""

from __future__ import annotations

from collections.abc import Mapping

from curieval.report.judges import too_few_judged
from curieval.report.schema import GateResult, GateState, Report, Summary, TaskInfo
from curieval.report.thresholds import Gate, Thresholds


def check_gates(report: Report, thresholds: Thresholds) -> list[GateResult]:
    """Each rule that the file has for the report's models and tasks, kept or not.

    Limits are in the figure's own unit. A task that ran only in part is not gated: its rules
    come back as skipped. A slice that no case has, a figure without scores, an unknown cost
    and a figure of which a judge scored too few cases miss their rules.
    """
    wholes = {(s.model, s.task): s for s in report.summaries if not s.slice}
    slices = {(s.model, s.task, *_pair(s.slice)): s for s in report.summaries if s.slice}
    return [
        _check(
            gate,
            report.tasks[task],
            whole,
            slices.get((model, task, *_pair(gate.slice))) if gate.slice else whole,
        )
        for (model, task), whole in wholes.items()
        for gate in thresholds.rules(model, task)
        if gate.min is not None or gate.max is not None
    ]


def why_not_whole(summary: Summary) -> str | None:
    """Why a model's run of a task is only partial; None where it is whole."""
    if summary.case_set == "partial":
        return "only a part of the cases was selected"
    if summary.counts.not_run:
        return f"{summary.counts.not_run} of {summary.counts.planned} cases were not run"
    return None


def _pair(slice_: Mapping[str, str]) -> tuple[str, str]:
    return next(iter(slice_.items()))


def _check(gate: Gate, task: TaskInfo, whole: Summary, summary: Summary | None) -> GateResult:
    def result(
        state: GateState, value: float | None, limit: float | None, message: str
    ) -> GateResult:
        return GateResult(
            model=whole.model,
            task=whole.task,
            slice=dict(gate.slice),
            figure=gate.figure,
            statistic=gate.statistic,
            rule=rule_text(gate),
            source=gate.source,
            state=state,
            value=value,
            limit=limit,
            message=message,
        )

    figure = next((each for each in whole.figures if each.name == gate.figure), None)
    what = f"{whole.model}, {whole.task}: {rule_text(gate)}"
    if gate.case_set is not None and whole.case_set not in (gate.case_set, "partial"):
        return result(
            "skipped",
            None,
            None,
            f"{what}: is for case set {gate.case_set}, this is {whole.case_set}",
        )
    if partial := why_not_whole(whole):
        return result("skipped", None, None, f"{what}: not gated, {partial}")
    if figure is not None and not figure.trusted:
        return result(
            "skipped", None, None, f"{what}: not gated, its judge fell short of its calibration"
        )
    if summary is None:
        return result("failed", None, None, f"{what}: no case is in that slice ({gate.source})")
    limit = gate.min if gate.min is not None else gate.max
    if figure is not None and (why := _unfit(gate, figure.scale) or too_few_judged(task, whole)):
        return result("failed", None, limit, f"{what}: {why} ({gate.source})")
    value, why = _value(gate, summary)
    if value is None:
        return result("failed", None, limit, f"{what}: {why}")
    if gate.min is not None and value < gate.min:
        return result("failed", value, gate.min, f"{what}: is {value:.4g}, below {gate.min:g}")
    if gate.max is not None and value > gate.max:
        return result("failed", value, gate.max, f"{what}: is {value:.4g}, above {gate.max:g}")
    return result("passed", value, limit, f"{what}: is {value:.4g}")


def _unfit(gate: Gate, scale: float) -> str | None:
    """What is wrong with a limit that was meant for another unit; a share of a figure up to 100
    would be kept by anything."""
    for key, limit in (("min", gate.min), ("max", gate.max)):
        if limit is not None and scale >= 100.0 and 0.0 < limit <= 1.0:
            return (
                f"{gate.figure} goes from 0 to {scale:g}: "
                f"write {key} = {limit * scale:g} instead of {limit:g}"
            )
    return None


def rule_text(gate: Gate, *, limits: bool = True) -> str:
    """The rule in one phrase, such as `hierarchical_f1 low ≥ 0.4 (slot env_medium)`.

    Without `limits` only the slice, with a blank before it.
    """
    slice_ = "".join(f" ({key} {value})" for key, value in gate.slice.items())
    if not limits:
        return slice_
    subject = f"{gate.figure} {gate.statistic}" if gate.figure else gate.statistic
    kept = [f"≥ {gate.min:g}"] if gate.min is not None else []
    kept += [f"≤ {gate.max:g}"] if gate.max is not None else []
    return f"{subject} {' and '.join(kept)}{slice_}"


def _value(gate: Gate, summary: Summary) -> tuple[float | None, str]:
    counts = summary.counts
    if gate.figure is not None:
        figure = summary.figure(gate.figure)
        if figure is None:
            return None, f"the task has no figure {gate.figure} ({gate.source})"
        value = figure.low if gate.statistic == "low" else figure.mean
        return value, "there is no score to judge by"
    if gate.statistic == "unscored":
        value = (counts.asked - counts.scored) / counts.asked if counts.asked else None
        return value, "no case was asked"
    if gate.statistic == "unreadable":
        return (counts.unreadable / counts.scored if counts.scored else None), "nothing was scored"
    if gate.statistic == "cost":
        if summary.cost.unknown:
            return None, f"the price of {summary.cost.unknown} calls is unknown"
        return summary.cost.usd, ""
    return summary.seconds.p95, "no call was timed"
