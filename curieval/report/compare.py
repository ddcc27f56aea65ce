"""Comparing two sets of answers to the same cases: difference, test, and the cases that moved."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from curieval.report.aggregate import LOWER_IS_BETTER
from curieval.report.errors import ReportError
from curieval.report.judges import same_judge
from curieval.report.schema import FigureInfo, Item, Report, TaskInfo
from scoring.statistics import (
    mcnemar,
    minimum_detectable_difference,
    paired_difference,
    permutation_test,
)

SMALLEST_CHANGE = 1e-9


class Change(Struct, frozen=True, kw_only=True):
    """A case whose score moved."""

    case: str
    before: float
    after: float


class Comparison(Struct, frozen=True, kw_only=True):
    """One figure of one task before and after, over the cases scored on both sides.

    `difference` is after − before with a 95 % interval; `p` is two-sided, by McNemar's exact
    test where all scores are 0 or full, else by sign flips; `mid_p` goes with McNemar.
    `detectable` is the difference that this many pairs show with 80 % power. All are in the
    figure's own unit, from 0 to `scale`. Cases that only one side planned, or that one side
    could not score, are named and count on no side. Scores by different judges are not
    compared: `judges` then names both, and there is no difference. `forms` names the two forms of
    answer where one side's answers were held to a JSON schema and the other's were free.
    """

    task: str
    figure: str
    before_model: str
    after_model: str
    n: int
    before: float | None
    after: float | None
    difference: float | None
    low: float | None
    high: float | None
    test: str
    p: float | None
    mid_p: float | None
    detectable: float | None
    fell: list[Change]
    rose: list[Change]
    only_before: list[str]
    only_after: list[str]
    unscored: list[str]
    data_changed: bool
    scale: float = 1.0
    judges: tuple[str, str] | None = None
    forms: tuple[str, str] | None = None
    lower_is_better: bool = False


def compare_reports(
    before: Report, after: Report, *, models: Mapping[str, str] | None = None
) -> list[Comparison]:
    """Compare every figure of every task that both reports have, case by case.

    `models` maps a model of `before` to one of `after`; without it models of one name are
    compared, or the only model of each. ReportError where nothing can be compared.
    """
    pairs = models or _common_models(before, after)
    found = [
        comparison
        for first, second in pairs.items()
        for task in sorted(before.tasks.keys() & after.tasks.keys())
        for comparison in _compare_task(before, after, task, first, second)
    ]
    if not found:
        raise ReportError(
            "the two reports have no task and model in common: one has "
            f"{_contents(before)}, the other {_contents(after)}"
        )
    return found


def compare_items(
    before: Iterable[Item],
    after: Iterable[Item],
    *,
    figure: str,
    data_changed: bool = False,
    scale: float = 1.0,
) -> Comparison:
    """Compare one figure, from 0 to `scale`, over two sets of items of one task, by case."""
    sides = [list(before), list(after)]
    ids = [sorted({item.case for item in side}) for side in sides]
    scores = [_case_scores(side, figure) for side in sides]
    both = sorted(scores[0].keys() & scores[1].keys())
    first = [scores[0][case] for case in both]
    second = [scores[1][case] for case in both]
    changes = [
        Change(case=case, before=a, after=b)
        for case, a, b in zip(both, first, second, strict=True)
        if abs(b - a) > SMALLEST_CHANGE * scale
    ]
    shares = [[score / scale for score in side] for side in (first, second)]
    test, p, mid_p = _test(*shares)
    within = all(0.0 <= share <= 1.0 for side in shares for share in side)
    interval = paired_difference(*shares) if both and within else None
    planned = set(ids[0]) & set(ids[1])
    return Comparison(
        task=next((item.task for side in sides for item in side), ""),
        figure=figure,
        before_model=sides[0][0].model if sides[0] else "",
        after_model=sides[1][0].model if sides[1] else "",
        n=len(both),
        before=math.fsum(first) / len(both) if both else None,
        after=math.fsum(second) / len(both) if both else None,
        difference=(math.fsum(second) - math.fsum(first)) / len(both) if both else None,
        low=interval.low * scale if interval else None,
        high=interval.high * scale if interval else None,
        test=test,
        p=p,
        mid_p=mid_p,
        detectable=_detectable(first, second),
        fell=sorted((c for c in changes if c.after < c.before), key=lambda c: c.after - c.before),
        rose=sorted((c for c in changes if c.after > c.before), key=lambda c: c.before - c.after),
        only_before=[case for case in ids[0] if case not in planned],
        only_after=[case for case in ids[1] if case not in planned],
        unscored=sorted(planned - set(both)),
        data_changed=data_changed,
        scale=scale,
    )


def compare_task(
    before: Report,
    after: Report,
    task: str,
    figure: str,
    sides: tuple[Sequence[Item], Sequence[Item]],
) -> Comparison:
    """Compare a figure of a task that both reports have over the items of each side."""
    info = next((f for f in after.tasks[task].figures if f.name == figure), FigureInfo(name=figure))
    one, other = before.tasks[task], after.tasks[task]
    forms = (_form(one, sides[0]), _form(other, sides[1]))
    compared = compare_items(
        *sides, figure=figure, data_changed=one.data_sha256 != other.data_sha256, scale=info.scale
    )
    found = replace(
        compared,
        lower_is_better=info.aggregate in LOWER_IS_BETTER,
        forms=forms if forms[0] != forms[1] else None,
    )
    if one.judge is None or other.judge is None or same_judge(one.judge, other.judge):
        return found
    names = ("difference", "low", "high", "p", "mid_p", "detectable")
    return replace(
        found,
        **dict.fromkeys(names),
        test="none",
        fell=[],
        rose=[],
        judges=(one.judge.model, other.judge.model),
    )


def _form(task: TaskInfo, items: Sequence[Item]) -> str:
    return "structured" if items and items[0].model in task.structured else "free"


def _compare_task(
    before: Report, after: Report, task: str, first: str, second: str
) -> list[Comparison]:
    sides = (
        [item for item in before.items if (item.task, item.model) == (task, first)],
        [item for item in after.items if (item.task, item.model) == (task, second)],
    )
    if not all(sides):
        return []
    names = {figure.name for figure in before.tasks[task].figures}
    return [
        compare_task(before, after, task, figure.name, sides)
        for figure in after.tasks[task].figures
        if figure.name in names
    ]


def _common_models(before: Report, after: Report) -> dict[str, str]:
    common = [model for model in before.models if model in after.models]
    if common:
        return {model: model for model in common}
    if len(before.models) == len(after.models) == 1:
        return {before.models[0]: after.models[0]}
    return {}


def _contents(report: Report) -> str:
    return ", ".join(
        f"{summary.task} by {summary.model}" for summary in report.summaries if not summary.slice
    )


def _case_scores(items: Sequence[Item], figure: str) -> dict[str, float]:
    """The mean over a case's repeats; a case with an unscored repeat has no score."""
    scores: dict[str, list[float]] = {}
    incomplete = set()
    for item in items:
        if figure in item.figures:
            scores.setdefault(item.case, []).append(item.figures[figure])
        else:
            incomplete.add(item.case)
    return {
        case: math.fsum(values) / len(values)
        for case, values in scores.items()
        if case not in incomplete
    }


def _test(
    first: Sequence[float], second: Sequence[float]
) -> tuple[str, float | None, float | None]:
    if not first:
        return "none", None, None
    if all(score in (0.0, 1.0) for score in (*first, *second)):
        gained = sum(b > a for a, b in zip(first, second, strict=True))
        lost = sum(b < a for a, b in zip(first, second, strict=True))
        found = mcnemar(gained, lost)
        return "McNemar exact", found.exact, found.mid_p
    steps = [b - a for a, b in zip(first, second, strict=True)]
    p = permutation_test([step if abs(step) > SMALLEST_CHANGE else 0.0 for step in steps])
    return "sign flips", p, None


def _detectable(first: Sequence[float], second: Sequence[float]) -> float | None:
    n = len(first)
    if n < 2:
        return None
    steps = [b - a for a, b in zip(first, second, strict=True)]
    mean = math.fsum(steps) / n
    spread = math.sqrt(math.fsum((step - mean) ** 2 for step in steps) / (n - 1))
    return minimum_detectable_difference(n, spread=spread) if spread else None
