"""Summing a run up: per model × task × slice, states, figures, baselines, cost and time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import ValidationError, convert
from msgspec.structs import replace

from curieval.report.aggregate import AGGREGATORS, LOWER_IS_BETTER, score_of
from curieval.report.errors import ReportError
from curieval.report.repeats import reduce_repeats
from curieval.report.run import Run
from curieval.report.schema import (
    BaselineSummary,
    CaseSet,
    Counts,
    FigureInfo,
    FigureSummary,
    Item,
    Leg,
    Reduced,
    Report,
    Summary,
    TaskInfo,
)
from curieval.report.usage import cost_of, latency_of, tokens_of
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

Remarks = Mapping[str, Callable[[Sequence[Mapping[str, Any]]], Sequence[str]]]


Compose = Mapping[str, Callable[[Sequence[Mapping[str, Any]]], Sequence[Mapping[str, Any]]]]


def build_report(
    run: Run,
    *,
    baselines: Baselines,
    remarks: Remarks | None = None,
    compose: Compose | None = None,
) -> Report:
    """Sum up a run; `baselines` maps a task to its function of the scored records of a slice.

    `remarks` does so for what a task says in words of a model's scored records, `compose` turns
    them into the records of whole groups that its pooled figures are about. Items planned
    without a record count as not run. A function of a task that fails costs its rows, named
    in `warnings`, never the report.
    """
    return _Builder(run, baselines, remarks or {}, compose or {}).build()


class _Builder:
    def __init__(self, run: Run, baselines: Baselines, remarks: Remarks, compose: Compose) -> None:
        self.run = run
        self.baselines = baselines
        self.remarks = remarks
        self.compose = compose
        self.warnings: list[str] = list(run.damage)
        manifest = run.manifest
        self.tasks = {
            name: _task_info(name, info, manifest["judges"].get(name))
            for name, info in manifest["tasks"].items()
        }
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
        self.warn_of_several_releases()
        self.warn_of_several_judges()
        if self.run.repeated:
            self.warnings.append(
                f"{len(self.run.repeated)} items were rerun; the first score of each stands"
            )
        manifest = dict(self.run.manifest)
        for kept_by_task in ("tasks", "judges"):
            manifest.pop(kept_by_task)
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
        composed = self.composed(task, scored)
        repeats = max(item["repeat"] for item in items)
        return Summary(
            model=model,
            task=task,
            slice=slice_,
            case_set=case_set,
            counts=counts,
            reasons=dict(sorted(Counter(i["reason"] for i in items if i.get("reason")).items())),
            figures=[
                _figure(f, scored if f.aggregate == "mean" else composed, failed, answers, repeats)
                for f in self.task(task).figures
            ],
            baselines=answers,
            cost=cost_of(self.run.spending, items),
            seconds=latency_of(items),
            tokens=tokens_of(items),
            from_cache=sum(bool((item.get("reply") or {}).get("from_cache")) for item in items),
            remarks=[] if slice_ else self.remarks_on(task, scored),
        )

    def remarks_on(self, task: str, scored: Sequence[Mapping[str, Any]]) -> list[str]:
        function = self.remarks.get(task)
        try:
            return list(function(scored)) if function is not None else []
        except Exception as error:
            self.warnings.append(f"remarks of {task} failed: {type(error).__name__}: {error}")
            return []

    def composed(
        self, task: str, scored: Sequence[Mapping[str, Any]]
    ) -> Sequence[Mapping[str, Any]]:
        function = self.compose.get(task)
        try:
            return function(scored) if function is not None else scored
        except Exception as error:
            problem = f"composing {task} failed: {type(error).__name__}: {error}"
            if problem not in self.warnings:
                self.warnings.append(problem)
            return []

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

    def warn_of_several_releases(self) -> None:
        releases = {
            tuple(sorted(str(each.get("sha256")) for each in leg.manifest["ontologies"]))
            for leg in self.run.legs
            if leg.manifest.get("ontologies")
        }
        if len(releases) > 1:
            self.warnings.append(
                "the legs of this run were scored in different releases of an ontology; "
                "run it afresh into another folder"
            )

    def warn_of_several_judges(self) -> None:
        for name in self.tasks:
            judges = [
                judge
                for leg in self.run.legs
                if (judge := (leg.manifest.get("judges") or {}).get(name))
            ]
            models = list(dict.fromkeys(str(judge.get("model")) for judge in judges))
            if len({repr((j.get("model"), j.get("identity"))) for j in judges}) > 1:
                who = (
                    " and ".join(models) if len(models) > 1 else f"different states of {models[0]}"
                )
                self.warnings.append(
                    f"{name} was judged by {who}: scores by different judges "
                    "cannot be put together; run it afresh into another folder"
                )


def _task_info(name: str, info: Mapping[str, Any], judge: object) -> TaskInfo:
    try:
        task = convert({**info, "judge": judge}, TaskInfo)
    except ValidationError as error:
        raise ReportError(
            f"the run's manifest describes task {name} in a way that cannot be read: {error}"
        ) from error
    if task.judge is None or task.judge.check is None or task.judge.check.trusted:
        return task
    return replace(task, figures=[replace(figure, trusted=False) for figure in task.figures])


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
    repeats: int,
) -> FigureSummary:
    if figure.aggregate not in AGGREGATORS:
        raise ReportError(
            f"figure {figure.name} names the aggregator {figure.aggregate!r}; "
            f"there are {', '.join(sorted(AGGREGATORS))}"
        )
    scale = figure.scale
    found = AGGREGATORS[figure.aggregate](figure.name, scored, scale)
    constant = _best(answers, figure, "constant")
    bound = bound_high = None
    if found.total is not None:
        bound = found.total / (found.n + failed)
        bound_high = (found.total + scale * failed) / (found.n + failed)
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
        random=_best(answers, figure, "random"),
        skill=_skill(figure, found.value, constant),
        scale=scale,
        bound_high=bound_high,
        stderr=found.stderr,
        repeats=[
            Reduced(
                reducer=name, n=each.n, mean=each.value, low=each.low, high=each.high,
                stderr=each.stderr,
            )
            for name, each in reduce_repeats(figure.name, scored, repeats=repeats, scale=scale)
            if each.value is not None
        ]
        if repeats > 1 and figure.aggregate == "mean"
        else [],
    )  # fmt: skip


def _best(answers: Sequence[BaselineSummary], figure: FigureInfo, word: str) -> float | None:
    name = figure.name
    values = [a.figures[name] for a in answers if word in a.name and name in a.figures]
    best = min if figure.aggregate in LOWER_IS_BETTER else max
    return best(values, default=None)


def _skill(figure: FigureInfo, value: float | None, constant: float | None) -> float | None:
    if value is None or constant is None:
        return None
    shares = (value / figure.scale, constant / figure.scale)
    if figure.aggregate in LOWER_IS_BETTER:
        # A distance from the truth: its complement is the share that skill is made of.
        shares = (1.0 - shares[0], 1.0 - shares[1])
    return skill_score(*shares)


def _finite(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: float(value) for name, value in figures.items() if math.isfinite(value)}
