"""Summing a run up: per model × task × slice, states, figures, baselines, cost and time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from curieval.report.aggregate import AGGREGATORS, score_of
from curieval.report.errors import ReportError
from curieval.report.run import Run, Spending
from curieval.report.schema import (
    BaselineSummary,
    CaseSet,
    Cost,
    Counts,
    FigureInfo,
    FigureSummary,
    Item,
    Latency,
    Leg,
    Report,
    Summary,
    TaskInfo,
    Tokens,
)
from scoring.statistics import skill_score

SUSPECT = "suspect_reference"


class BaselineLike(Protocol):
    """What a task's baseline function returns."""

    @property
    def name(self) -> str: ...
    @property
    def answer(self) -> str: ...
    @property
    def figures(self) -> Mapping[str, float]: ...


Baselines = Mapping[str, Callable[[Sequence[Mapping[str, Any]]], Sequence[BaselineLike]]]


def build_report(run: Run, *, baselines: Baselines) -> Report:
    """Sum up a run; `baselines` maps a task to its function of the scored records of a slice.

    Items planned without a record count as not run. A baseline function that fails costs its
    rows, named in `warnings`, never the report.
    """
    return _Builder(run, baselines).build()


class _Builder:
    def __init__(self, run: Run, baselines: Baselines) -> None:
        self.run = run
        self.baselines = baselines
        self.warnings: list[str] = list(run.damage)
        self.tasks = {name: _task_info(name, info) for name, info in _tasks(run).items()}
        self.answers: dict[tuple[str, tuple[str, ...]], list[BaselineSummary]] = {}

    def build(self) -> Report:
        groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
        everything = {**self.run.plan, **self.run.records}
        for key in sorted(everything):
            item = everything[key]
            groups.setdefault((item["model"], item["task"]), []).append(item)
        summaries = [
            summary
            for (model, task), items in sorted(groups.items())
            for summary in self.summaries(model, task, items)
        ]
        self.warn_of_changed_data()
        if self.run.repeated:
            self.warnings.append(
                f"{len(self.run.repeated)} items were rerun; the first score of each stands"
            )
        manifest = dict(self.run.manifest)
        manifest.pop("tasks", None)
        return Report(
            legs=[
                Leg(
                    number=leg.number,
                    started=leg.started,
                    finished=leg.finished,
                    interrupted=leg.interrupted,
                    exit_code=leg.exit_code,
                )
                for leg in self.run.legs
            ],
            manifest=manifest,
            tasks=self.tasks,
            models=sorted({model for model, _ in groups}),
            summaries=summaries,
            items=[self.item(everything[key]) for key in sorted(everything)],
            repeated=dict(self.run.repeated),
            warnings=self.warnings,
        )

    def summaries(
        self, model: str, task: str, items: Sequence[Mapping[str, Any]]
    ) -> Iterable[Summary]:
        case_set = self.case_set(model, task, items)
        yield self.summary(model, task, {}, case_set, items)
        slices: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
        for item in items:
            for pair in item["slices"].items():
                slices.setdefault(pair, []).append(item)
        for (key, value), members in sorted(slices.items()):
            yield self.summary(model, task, {key: value}, case_set, members)

    def summary(
        self,
        model: str,
        task: str,
        slice_: dict[str, str],
        case_set: CaseSet,
        items: Sequence[Mapping[str, Any]],
    ) -> Summary:
        scored = [item for item in items if item.get("state") == "scored"]
        counts = _counts(items, scored)
        answers = self.baseline_answers(task, scored)
        failed = counts.asked - counts.scored
        return Summary(
            model=model,
            task=task,
            slice=slice_,
            case_set=case_set,
            counts=counts,
            reasons=dict(sorted(Counter(i["reason"] for i in items if i.get("reason")).items())),
            figures=[_figure(f, scored, failed, answers) for f in self.task(task).figures],
            baselines=answers,
            cost=_cost(self.run.spending, items),
            seconds=_latency(items),
            tokens=_tokens(items),
        )

    def task(self, name: str) -> TaskInfo:
        if name not in self.tasks:
            self.warnings.append(f"task {name} is not in the run's manifest: it has no figures")
            self.tasks[name] = TaskInfo(figures=[])
        return self.tasks[name]

    def case_set(self, model: str, task: str, items: Sequence[Mapping[str, Any]]) -> CaseSet:
        """The widest case set that the legs planned in full for these items, else partial.

        One leg may have planned it, or several its parts: shards of one task's cases.
        """
        ids = {item["id"] for item in items}
        found: CaseSet = "partial"
        whole = set()
        for leg in self.run.legs:
            of_task = (leg.manifest.get("tasks") or {}).get(task, {})
            if of_task:
                whole.add((of_task.get("n_cases"), of_task.get("data_sha256")))
            planned: CaseSet = of_task.get("case_sets", {}).get(model, "partial")
            if planned != "partial" and ids <= leg.planned and found != "all":
                found = planned
        if len(whole) == 1 and whole.pop()[0] == len({item["case"] for item in items}):
            return "all"
        return found

    def baseline_answers(
        self, task: str, scored: Sequence[Mapping[str, Any]]
    ) -> list[BaselineSummary]:
        function = self.baselines.get(task)
        if function is None or not scored:
            return []
        # Models that were scored on the same cases share their baselines.
        key = (task, tuple(f"{item['case']} {item['repeat']}" for item in scored))
        if key not in self.answers:
            try:
                self.answers[key] = [
                    BaselineSummary(
                        name=each.name, answer=each.answer, figures=_finite(each.figures)
                    )
                    for each in function(scored)
                ]
            except Exception as error:
                self.answers[key] = []
                problem = f"baselines of {task} failed: {type(error).__name__}: {error}"
                if problem not in self.warnings:
                    self.warnings.append(problem)
        return self.answers[key]

    def item(self, item: Mapping[str, Any]) -> Item:
        values = (
            {f.name: score_of(item, f.name) for f in self.task(item["task"]).figures}
            if (item.get("state") == "scored")
            else {}
        )
        return Item(
            id=item["id"],
            task=item["task"],
            case=item["case"],
            model=item["model"],
            repeat=item["repeat"],
            slices=item["slices"],
            state=item.get("state", "not_run"),
            reason=item.get("reason"),
            flags=list(item.get("flags") or ()),
            figures={name: value for name, value in values.items() if value is not None},
        )

    def warn_of_changed_data(self) -> None:
        for name in self.tasks:
            hashes = {
                str(leg.manifest["tasks"][name].get("data_sha256"))
                for leg in self.run.legs
                if name in (leg.manifest.get("tasks") or {})
            }
            if len(hashes) > 1:
                self.warnings.append(
                    f"the data of {name} changed between the legs of this run; "
                    "run it afresh into another folder"
                )


def _tasks(run: Run) -> Mapping[str, Any]:
    tasks: Mapping[str, Any] = run.manifest["tasks"]
    return tasks


def _task_info(name: str, info: object) -> TaskInfo:
    try:
        return TaskInfo.model_validate(info)
    except ValueError as error:
        raise ReportError(
            f"the run's manifest describes task {name} in a way that cannot be read: {error}"
        ) from error


def _counts(items: Sequence[Mapping[str, Any]], scored: Sequence[Mapping[str, Any]]) -> Counts:
    unscored = [item for item in items if item.get("state") == "unscored"]
    suspect = sum(item.get("reason") == SUSPECT for item in unscored)
    flags = Counter(flag for item in scored for flag in item["flags"])
    return Counts(
        planned=len(items),
        asked=len(scored) + len(unscored) - suspect,
        scored=len(scored),
        unscored=len(unscored),
        not_run=len(items) - len(scored) - len(unscored),
        suspect=suspect,
        unreadable=flags["unreadable"],
        refused=flags["refusal"],
        cut_off=flags["cut_off"],
        empty=flags["empty"],
    )


def _figure(
    figure: FigureInfo,
    scored: Sequence[Mapping[str, Any]],
    failed: int,
    answers: Sequence[BaselineSummary],
) -> FigureSummary:
    if figure.aggregate not in AGGREGATORS:
        raise ReportError(
            f"figure {figure.name} names the aggregator {figure.aggregate!r}; "
            f"there are {', '.join(sorted(AGGREGATORS))}"
        )
    found = AGGREGATORS[figure.aggregate](figure.name, scored)
    constant = _best(answers, figure.name, "constant")
    bound = None
    if found.total is not None:
        bound = found.total / (found.n + failed)
    return FigureSummary(
        name=figure.name,
        aggregate=figure.aggregate,
        primary=figure.primary,
        trusted=figure.trusted,
        n=found.n,
        mean=found.value,
        low=found.low,
        high=found.high,
        method=found.method,
        rough=found.rough,
        bound=bound,
        constant=constant,
        random=_best(answers, figure.name, "random"),
        skill=(
            skill_score(found.value, constant)
            if found.value is not None and constant is not None
            else None
        ),
    )


def _best(answers: Sequence[BaselineSummary], figure: str, word: str) -> float | None:
    values = [a.figures[figure] for a in answers if word in a.name and figure in a.figures]
    return max(values, default=None)


def _finite(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: float(value) for name, value in figures.items() if math.isfinite(value)}


def _cost(spending: Mapping[str, Sequence[Spending]], items: Sequence[Mapping[str, Any]]) -> Cost:
    spent = [each for item in items for each in spending.get(item["id"], ())]
    return Cost(
        usd=math.fsum(each.usd for each in spent),
        charged=math.fsum(each.charged for each in spent),
        unknown=sum(each.unknown for each in spent),
    )


def _latency(items: Sequence[Mapping[str, Any]]) -> Latency:
    seconds = sorted(
        float(reply["seconds"])
        for item in items
        if (reply := item.get("reply"))
        and reply.get("finish") is not None
        and reply.get("seconds") is not None
    )
    if not seconds:
        return Latency(total=0.0, median=None, p95=None)
    return Latency(
        total=math.fsum(seconds), median=_quantile(seconds, 0.5), p95=_quantile(seconds, 0.95)
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = (len(ordered) - 1) * share
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _tokens(items: Sequence[Mapping[str, Any]]) -> Tokens:
    sent = received = cached = reasoning = unknown = 0
    for item in items:
        if reply := item.get("reply"):
            tokens_in, tokens_out = reply.get("tokens_in"), reply.get("tokens_out")
            sent += tokens_in or 0
            received += tokens_out or 0
            cached += reply.get("tokens_cached") or 0
            reasoning += reply.get("tokens_reasoning") or 0
            unknown += tokens_in is None or tokens_out is None
    return Tokens(sent=sent, received=received, cached=cached, reasoning=reasoning, unknown=unknown)
