"""The shape of report.json, version by version; report.schema.json is written from here."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

REPORT_VERSION: Literal[1] = 1

CaseSet = Literal["sample", "all", "partial"]
GateState = Literal["passed", "failed", "skipped"]


Scale = Annotated[float, Meta(gt=0)]


class _Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if type(value) is float and not math.isfinite(value):
                raise ValueError(f"{type(self).__name__}.{name} is {value}, which JSON cannot hold")


class _Open(Struct, frozen=True, kw_only=True):
    """A part to which newer writers may have added keys, which are left out on reading."""


class FigureInfo(_Part, frozen=True, kw_only=True):
    """A column of scores that a task sums up.

    Its scores go from 0 to `scale`. `trusted` is false where the judge behind it fell short of
    its calibration: the figure is shown, and no rule is held against it.
    """

    name: str
    aggregate: str = "mean"
    primary: bool = False
    scale: Scale = 1.0
    trusted: bool = True


class FailedCanary(_Part, frozen=True, kw_only=True):
    """An answer of known quality that the judge scored as it must not; None is no score."""

    case: str
    score: float | None


class Canary(_Part, frozen=True, kw_only=True):
    """How often a judge held to what is known of an answer: `held` times out of `n`."""

    n: Annotated[int, Meta(ge=1)]
    held: int
    failed: list[FailedCanary] = []


class JudgeCheck(_Open, frozen=True, kw_only=True):
    """A judge tried on answers of known quality."""

    trusted: bool
    canaries: dict[str, Canary] = {}
    known_quality: dict[str, Any] = {}
    settings: dict[str, Any] = {}


class JudgeInfo(_Open, frozen=True, kw_only=True):
    """The model that judged a task's answers; without a `check` nobody tried it.

    `own_family` names models of its family among those asked, `people` holds its agreement
    with people's ratings, as `curieval judge-check --human FILE --json` prints it.
    """

    model: str
    identity: dict[str, Any] = {}
    check: JudgeCheck | None = None
    own_family: list[str] = []
    people: dict[str, Any] | None = None


class TaskInfo(_Open, frozen=True, kw_only=True):
    """What a leg says of a task: its figures, the case set of each model, its data's hash.

    `structured` names the models whose answers were held to the task's JSON schema.
    """

    figures: list[FigureInfo]
    headline_slice: str = ""
    case_sets: dict[str, CaseSet] = {}
    n_cases: int | None = None
    data_sha256: str | None = None
    judge: JudgeInfo | None = None
    structured: list[str] = []


class Leg(_Part, frozen=True, kw_only=True):
    """One start of the run."""

    number: int
    started: str
    finished: str | None
    interrupted: bool
    exit_code: int | None


class Counts(_Part, frozen=True, kw_only=True):
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


class Reduced(_Part, frozen=True, kw_only=True):
    """The repeats of each case made one number by a named reducer, then averaged over `n` cases.

    `mean` is in the figure's unit, majority and pass@k are shares of the cases.
    """

    reducer: str
    n: int
    mean: float
    low: float | None
    high: float | None
    stderr: float | None


class FigureSummary(_Part, frozen=True, kw_only=True):
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
    scale: Scale = 1.0
    bound_high: float | None = None
    stderr: float | None = None
    repeats: list[Reduced] = []


class BaselineSummary(_Part, frozen=True, kw_only=True):
    """What an answer that needs no model reaches on the same scored cases."""

    name: str
    answer: str
    figures: dict[str, float]


class Cost(_Part, frozen=True, kw_only=True):
    """USD over all legs: `usd` is what the answers cost, `charged` what this run paid of it
    (cached replies are not charged again); `unknown` counts calls without a known price."""

    usd: float
    charged: float
    unknown: int


class Latency(_Part, frozen=True, kw_only=True):
    """Seconds of the calls whose answers stand; None where there is none."""

    total: float
    median: float | None
    p95: float | None


class Tokens(_Part, frozen=True, kw_only=True):
    """Sums over the replies that say; `sent` includes cached, `received` reasoning tokens."""

    sent: int
    received: int
    cached: int
    reasoning: int
    unknown: int


class Summary(_Part, frozen=True, kw_only=True):
    """One model on one task, over all its items (`slice` empty) or one value of a slice.

    `from_cache` counts the standing replies that no call was made for; `remarks` is what the
    task says of all scored answers, none for a slice.
    """

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
    from_cache: int = 0
    remarks: list[str] = []

    def figure(self, name: str) -> FigureSummary | None:
        """The figure of that name, if the task has it."""
        return next((each for each in self.figures if each.name == name), None)


class Item(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One item's outcome, enough to compare two reports case by case."""

    id: str
    task: str
    case: str
    model: str
    repeat: int
    slices: Mapping[str, str]
    state: Literal["scored", "unscored", "not_run"]
    reason: str | None = None
    flags: list[str] = []
    figures: dict[str, float] = {}


class GateResult(_Part, frozen=True, kw_only=True):
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
    state: GateState
    value: float | None
    limit: float | None
    message: str


class Report(_Part, frozen=True, kw_only=True):
    """A run summed up: manifest, summaries per model × task × slice, outcomes, gates.

    `repeated` counts the items that were recorded more than once within a leg.
    """

    schema_version: Literal[1] = REPORT_VERSION
    legs: list[Leg]
    manifest: dict[str, Any]
    tasks: dict[str, TaskInfo]
    models: list[str]
    summaries: list[Summary]
    items: list[Item]
    repeated: dict[str, int]
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
        return replace(self, gates=list(gates))
