"""The shape of report.json, version by version; report.schema.json is written from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

REPORT_VERSION: Literal[1] = 1

CaseSet = Literal["sample", "all", "partial"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class FigureInfo(_Part):
    """A column of scores that a task sums up.

    Its scores go from 0 to `scale`. `trusted` is false where the judge behind it fell short of
    its calibration: the figure is shown, and no rule is held against it.
    """

    name: str
    aggregate: str = "mean"
    primary: bool = False
    scale: float = Field(default=1.0, gt=0)
    trusted: bool = True


class FailedCanary(_Part):
    """An answer of known quality that the judge scored as it must not; None is no score."""

    case: str
    score: float | None


class Canary(_Part):
    """How often a judge held to what is known of an answer: `held` times out of `n`."""

    n: int = Field(ge=1)
    held: int
    failed: list[FailedCanary] = []


class JudgeCheck(BaseModel):
    """A judge tried on answers of known quality."""

    model_config = ConfigDict(extra="allow", frozen=True)

    trusted: bool
    canaries: dict[str, Canary] = {}
    known_quality: dict[str, Any] = {}


class JudgeInfo(BaseModel):
    """The model that judged a task's answers; without a `check` nobody tried it."""

    model_config = ConfigDict(extra="allow", frozen=True)

    model: str
    identity: dict[str, Any] = {}
    check: JudgeCheck | None = None


class TaskInfo(BaseModel):
    """What a leg says of a task: its figures, the case set of each model, its data's hash."""

    model_config = ConfigDict(extra="allow", frozen=True)

    figures: list[FigureInfo]
    headline_slice: str = ""
    case_sets: dict[str, CaseSet] = {}
    n_cases: int | None = None
    data_sha256: str | None = None
    judge: JudgeInfo | None = None
    structured: list[str] = Field(
        default=[], description="Models whose answers were held to the task's JSON schema"
    )


class Leg(_Part):
    """One start of the run."""

    number: int
    started: str
    finished: str | None
    interrupted: bool
    exit_code: int | None


class Counts(_Part):
    """`scored + unscored + not_run = planned`; `asked = planned − not_run − suspect`.

    `suspect` (references that failed their audit, never asked) is part of `unscored`;
    the flags are counted among the scored.
    """

    planned: int
    asked: int
    scored: int
    unscored: int
    not_run: int
    suspect: int
    unreadable: int
    refused: int
    cut_off: int
    empty: int


class Reduced(_Part):
    """The repeats of each case made one number by a named reducer, then averaged over `n` cases.

    `mean` is in the figure's unit, majority and pass@k are shares of the cases.
    """

    reducer: str
    n: int
    mean: float
    low: float | None
    high: float | None
    stderr: float | None


class FigureSummary(_Part):
    """One figure over one slice, in the figure's own unit, from 0 to `scale`.

    `mean` over the `n` records that hold the figure, with a 95 % interval and a standard error
    whose unit is the case (repeats of a case are averaged first, `repeats` names how else they
    can be); `bound` and `bound_high` are the mean with the asked but unscored counted as 0 and
    as `scale`; `rough` says that the interval is only a rough guide; `constant` is the best
    constant answer's value and `skill` = (mean − constant) / (scale − constant).
    """

    name: str
    aggregate: str
    primary: bool
    trusted: bool
    n: int
    mean: float | None
    low: float | None
    high: float | None
    method: str | None
    rough: bool
    bound: float | None
    constant: float | None
    random: float | None
    skill: float | None
    scale: float = Field(default=1.0, gt=0)
    bound_high: float | None = None
    stderr: float | None = None
    repeats: list[Reduced] = []


class BaselineSummary(_Part):
    """What an answer that needs no model reaches on the same scored cases."""

    name: str
    answer: str
    figures: dict[str, float]


class Cost(_Part):
    """USD over all legs: `usd` is what the answers cost, `charged` what this run paid of it
    (cached replies are not charged again); `unknown` counts calls without a known price."""

    usd: float
    charged: float
    unknown: int


class Latency(_Part):
    """Seconds of the calls whose answers stand; None where there is none."""

    total: float
    median: float | None
    p95: float | None


class Tokens(_Part):
    """Sums over the replies that say; `sent` includes cached, `received` reasoning tokens."""

    sent: int
    received: int
    cached: int
    reasoning: int
    unknown: int


class Summary(_Part):
    """One model on one task, over all its items (`slice` empty) or one value of a slice."""

    model: str
    task: str
    slice: dict[str, str]
    case_set: CaseSet
    counts: Counts
    reasons: dict[str, int]
    figures: list[FigureSummary]
    baselines: list[BaselineSummary]
    cost: Cost
    seconds: Latency
    tokens: Tokens
    from_cache: int = Field(default=0, description="Standing replies that no call was made for")
    remarks: list[str] = Field(
        default=[], description="What the task says of all scored answers; none for a slice"
    )

    def figure(self, name: str) -> FigureSummary | None:
        """The figure of that name, if the task has it."""
        return next((each for each in self.figures if each.name == name), None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One item's outcome, enough to compare two reports case by case."""

    id: str
    task: str
    case: str
    model: str
    repeat: int
    slices: Mapping[str, str]
    state: Literal["scored", "unscored", "not_run"]
    reason: str | None = None
    flags: list[str] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)


class GateResult(_Part):
    """One rule of a thresholds file, and whether the run kept it.

    `against` says what it was held against: a limit, or the baseline report. `value` is None
    where there was nothing to measure. A rule that does not apply (a partial run, another
    case set, a judge that is not trusted) is `skipped`, and `message` says why.
    """

    model: str
    task: str
    slice: dict[str, str]
    figure: str | None
    statistic: str
    rule: str
    against: Literal["limit", "baseline"] = "limit"
    source: str
    state: Literal["passed", "failed", "skipped"]
    value: float | None
    limit: float | None
    message: str


class Report(_Part):
    """A run summed up: manifest, summaries per model × task × slice, outcomes, gates."""

    schema_version: Literal[1] = REPORT_VERSION
    legs: list[Leg]
    manifest: dict[str, Any]
    tasks: dict[str, TaskInfo]
    models: list[str]
    summaries: list[Summary]
    items: list[Item]
    repeated: dict[str, int] = Field(description="Items recorded more than once within a leg")
    gates: list[GateResult] = []
    warnings: list[str] = []

    def summary(self, model: str, task: str, **slice_: str) -> Summary | None:
        """The summary of a model on a task, over all items or over one value of a slice."""
        return next(
            (
                each
                for each in self.summaries
                if (each.model, each.task, each.slice) == (model, task, slice_)
            ),
            None,
        )

    def with_gates(self, gates: list[GateResult]) -> Report:
        """The same report holding these gate results."""
        return self.model_copy(update={"gates": list(gates)})
