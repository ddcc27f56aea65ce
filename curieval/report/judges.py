"""Who judged a task's answers, and whether that judge can be believed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from curieval.report.schema import JudgeInfo, Summary, TaskInfo

# Judged scores are believed where nearly all answers got one: a judge may fail on the odd ones.
LEAST_COVERAGE = 0.98


def judge_line(judge: JudgeInfo) -> str:
    """Who judged, how its canaries fared and how it agrees with people, in one line."""
    return "; ".join([_canaries(judge), *_besides(judge)])


def _besides(judge: JudgeInfo) -> Iterator[str]:
    if people := judge.people:
        figures = people["figures"]
        yield (
            f"against people Spearman {_estimate(figures['spearman'], '.2f')}, bias "
            f"{_estimate(figures['bias'], '+.1f')} points ({people['n']} answers)"
        )
    if judge.own_family:
        yield f"may favour its own family: {', '.join(judge.own_family)}"


def _estimate(figure: Mapping[str, Any], form: str) -> str:
    if figure["value"] is None:
        return "–"
    if figure["low"] is None:
        return f"{figure['value']:{form}}"
    return f"{figure['value']:{form}} [{figure['low']:{form}} to {figure['high']:{form}}]"


def _canaries(judge: JudgeInfo) -> str:
    who = f"judged by {judge.model}"
    check = judge.check
    if check is None:
        return f"{who}, which was not tried on answers of known quality"
    short = sorted(
        (canary.held / canary.n, f"{name} {canary.held} of {canary.n}")
        for name, canary in check.canaries.items()
        if canary.held < canary.n
    )
    named = ", ".join(text for _, text in short)
    if not check.trusted:
        return f"{who}, judge not trusted: {f'{named} held' if named else 'its check failed'}"
    n = len(check.canaries)
    return f"{who}: {n} of {n} canaries hold" + (f" ({named})" if named else "")


def same_judge(one: JudgeInfo | None, other: JudgeInfo | None) -> bool:
    """Whether two sets of scores may be compared; an unknown judge is taken to be the same."""
    if one is None or other is None:
        return True
    return (one.model, one.identity) == (other.model, other.identity)


def too_few_judged(task: TaskInfo, whole: Summary) -> str | None:
    """Why a judged figure of a task cannot be gated for want of scores; None where it can."""
    counts = whole.counts
    if task.judge is None or counts.scored >= LEAST_COVERAGE * counts.asked:
        return None
    return (
        f"{counts.scored} of {counts.asked} asked were scored by the judge, "
        f"at least {LEAST_COVERAGE:.0%} must be"
    )
