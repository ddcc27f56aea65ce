"""The words every stage shares: Case, Request, Reply, Task.

A case is data, a task turns it into a request, a model turns the request into a reply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Role = Literal["system", "user", "assistant"]
FinishReason = Literal["stop", "length", "refusal"]
FailureKind = Literal[
    "timeout",
    "connection",
    "rate_limited",
    "server_error",
    "bad_request",
    "auth",
    "budget",
    "not_cached",
    "cancelled",
    "local",
]


class CaseFileError(ValueError):
    """A case file that cannot be used: names file, line and field, and what to do."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One thing to ask: id, categories, inputs, reference. Tasks add fields of their own.

    `id` is short ASCII, unique in its task and stable; `slices` are the categories that
    reports split by; `accepted` holds further references with weights in (0, 1]; `origin`
    says where the case stands, as `file:line`.
    """

    id: str
    label: str
    slices: Mapping[str, str]
    reference: str
    accepted: tuple[tuple[str, float], ...] = ()
    origin: str


@dataclass(frozen=True, kw_only=True)
class Message:
    """One turn of a conversation, as sent to a model."""

    role: Role
    content: str


@dataclass(frozen=True, kw_only=True)
class Hints:
    """What baselines need and no model is ever sent; not part of a real model's cache key.

    `answers` gives, by a baseline's name, what the task's own rule would answer.
    """

    case_id: str = ""
    reference: str = ""
    allowed: tuple[str, ...] = ()
    answers: Mapping[str, Callable[[], str]] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, kw_only=True)
class Request:
    """Everything that is sent to a model, and the hints that are not.

    Text that many cases share stands first and byte-identical: prompt caches live on it.
    `schema` is a JSON Schema that the answer must follow, `repeat` counts from 1.
    """

    messages: tuple[Message, ...]
    max_tokens: int = 256
    temperature: float | None = 0.0
    schema: Mapping[str, Any] | None = None
    repeat: int = 1
    hints: Hints = field(default_factory=Hints)


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Why a call gave no answer, as a value in records.

    `local` is what went wrong on this machine: a cache that is full, a ledger, weights.
    """

    kind: FailureKind
    message: str


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens as the provider counted them; None where it did not say.

    `tokens_in` includes `tokens_cached` (read from a prompt cache) and
    `tokens_cache_write`; `tokens_out` includes `tokens_reasoning`.
    """

    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    tokens_cache_write: int | None = None
    tokens_reasoning: int | None = None


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came back: an answer with its finish reason, or a failure.

    `seconds` is the latency of the last attempt, `waited` the seconds slept between attempts;
    `cost_usd` is what the answer cost and None where the price is unknown, never 0 for want of
    a price. A cached reply keeps its first seconds and cost.
    """

    text: str = ""
    parsed: Any = None
    finish: FinishReason | None = None
    failure: Failure | None = None
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = None
    seconds: float = 0.0
    attempts: int = 1
    waited: float = 0.0
    from_cache: bool = False


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One column of scores, from 0 to `scale`, and how a set of cases is summed up in it.

    A figure that is not `trusted` is shown, and no rule is held against it.
    """

    name: str
    aggregate: Literal[
        "mean",
        "macro_f1",
        "absolute_error",
        "two_tier_absolute_error",
        "micro_f1",
        "micro_precision",
        "micro_recall",
        "level_1_f1",
        "level_2_f1",
        "level_3_f1",
        "level_4_f1",
        "mean_level_f1",
        "mcc",
        "auroc",
        "brier",
        "ece",
        "two_tier_micro_f1",
        "two_tier_micro_precision",
        "two_tier_micro_recall",
        "two_tier_mcc",
        "two_tier_auroc",
        "two_tier_brier",
        "two_tier_ece",
    ] = "mean"
    primary: bool = False
    scale: float = 1.0
    trusted: bool = True


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """What an answer without a model reaches on the same cases: figure name to mean."""

    name: str
    answer: str
    figures: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What an adjudicator model said of an answer, on a scale from 0 to 100.

    `score` is None where its reply could not be read, for the `reason` given.
    """

    score: float | None
    reason: str


@dataclass(frozen=True, kw_only=True)
class Judge:
    """How a task has answers judged by another model.

    `request` takes the case, the answer and the number of the attempt, counted from 1, and
    gives None for an answer that scores 0 unasked; `read` takes the case and the judge's reply.
    `check` tries a judge, given as a function from requests to replies, on answers of known
    quality, and returns what it found as JSON data with a key `trusted`.
    """

    request: Callable[[Any, Reply, int], Request | None]
    read: Callable[[Any, Reply], Judgement]
    check: Callable[[Callable[[Sequence[Request]], Sequence[Reply]]], Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Task:
    """An evaluation: cases, requests and figures, as plain functions.

    `load_cases` reads the task's own cases, or those of a user's file, and raises CaseFileError; a
    file is the task's when its first row has all `columns`, or all of a set of `other_columns`.
    `strata` are the slice keys over which
    samples are spread, `sample` is the named set that the embedded model runs by default and
    `sample_size` how many of other selections it runs. `words` are all words that the ids of the
    task's cases may hold. `baselines` takes scored records of one slice, as written to
    records.jsonl; `suspect` says why a reference cannot be judged against, or None. With a `judge`,
    the answer is scored by another model. `explain` says of a record why it got its score, for the
    page of the report: `text`, and for terms the path `up`, `shared`, `down`. `remarks` says in
    sentences what a model's scored records have in common. `with_ontologies` gives the task as it
    is when these ontologies judge instead of the ones that are shipped. `targets` are tasks that
    take its place when another slot of the same cases is asked for, by the slot's name. Where
    figures are about several cases together, `group` names the group of a case, which samples take
    whole, and `compose` turns scored records into one for each whole group, with the columns that
    pooled figures read.
    """

    name: str
    load_cases: Callable[[Path | None], Sequence[Any]]
    columns: frozenset[str]
    request: Callable[[Any], Request]
    figures: tuple[Figure, ...]
    headline_slice: str
    strata: tuple[str, ...]
    sample: Callable[[Sequence[Any]], Sequence[Any]]
    sample_size: int
    words: frozenset[str]
    other_columns: tuple[frozenset[str], ...] = ()
    baselines: Callable[[Sequence[Mapping[str, Any]]], Sequence[Baseline]] | None = None
    suspect: Callable[[Any], str | None] | None = None
    judge: Judge | None = None
    explain: Callable[[Mapping[str, Any]], Mapping[str, Any] | None] | None = None
    remarks: Callable[[Sequence[Mapping[str, Any]]], Sequence[str]] | None = None
    with_ontologies: Callable[[Sequence[Any]], Task] | None = None
    targets: Mapping[str, Task] = field(default_factory=dict)
    group: Callable[[Any], str] | None = None
    compose: Callable[[Sequence[Mapping[str, Any]]], Sequence[Mapping[str, Any]]] | None = None

    def reads(self, columns: frozenset[str]) -> bool:
        """Whether a file whose first row has these columns is one of the task's."""
        return any(needed <= columns for needed in (self.columns, *self.other_columns))
