"""What `curieval score evidence` tells of a file: its sentences by state, verdict and reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curieval.models.client import Client
from curieval.report.judges import LEAST_COVERAGE
from curieval.report.tables import inert, wrapped
from curieval.statements.score import Tally
from scoring.statistics import is_rough, wilson_interval

_TOLD = 20


@dataclass(frozen=True, kw_only=True)
class Result:
    """Counts of a file's sentences; `correct` is the share among readable verdicts."""

    file: str
    model: str
    sentences: int
    states: Mapping[str, int]
    tiers: Mapping[str, int]
    verdicts: Mapping[str, int]
    reasons: Mapping[str, int]
    first: Mapping[str, str]
    correct: Mapping[str, Any] | None
    calls: int
    cached: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    left_out: Sequence[Mapping[str, str]]
    repairs: Mapping[str, int]

    @property
    def is_covered(self) -> bool:
        """Whether enough of what could be asked was scored."""
        asked = self.sentences - self.states["no_text"]
        return self.states["scored"] >= LEAST_COVERAGE * asked

    @property
    def notes(self) -> list[str]:
        """What was left out, by its place."""
        told = [f"left out: {one['place']}: {one['why']}" for one in self.left_out[:_TOLD]]
        more = len(self.left_out) - _TOLD
        return told + ([f"and {more} more left out; --json names all"] if more > 0 else [])

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {"task": "indra_evidence", **plain, "covered": self.is_covered}

    def as_text(self, width: int) -> str:
        """Counts by state, tier and verdict, what the calls took, what is missing."""
        states, verdicts = self.states, self.verdicts
        rest = (("unscored", "unscored"), ("not_run", "not run"), ("no_text", "without text"))
        head = f"{self.file}: {self.sentences} sentences, {states['scored']} scored"
        head += "".join(f", {states[name]} {told}" for name, told in rest if states[name])
        if self.left_out:
            head += f"; {len(self.left_out)} left out"
        lines = [
            head,
            f"verdicts: correct {verdicts['correct']}, incorrect {verdicts['incorrect']}, "
            f"none {verdicts['none']}; decided by grounding {self.tiers['grounding']}, "
            f"by {self.model} {self.tiers['model']}",
        ]
        if self.correct is not None:
            rough = ", rough" if self.correct["rough"] else ""
            lines.append(
                f"correct among readable verdicts {self.correct['share']:.3f} "
                f"(95 % {self.correct['low']:.3f}–{self.correct['high']:.3f}{rough}), "
                f"n {self.correct['n']}"
            )
        if self.reasons:
            told = ", ".join(f"{why} {count}" for why, count in self.reasons.items())
            lines.append(f"no verdict: {told}")
        lines += [f"first {told}: {self.first[name]}" for name, told in rest if name in self.first]
        if self.calls or self.cached:
            cost = "cost unknown" if self.cost_usd is None else f"${self.cost_usd:.4f}"
            lines.append(
                f"{self.calls} calls ({self.cached} more from the cache), {self.tokens_in} tokens "
                f"in, {self.tokens_out} out, {cost}"
            )
        if not self.is_covered:
            lines.append(
                f"fewer than {LEAST_COVERAGE:.0%} of the sentences with text were scored: run it "
                "again, and what was answered comes from the cache"
            )
        return inert("\n".join(wrapped(line, width) for line in lines) + "\n")


def result_of(file: str, client: Client, tally: Tally) -> Result:
    """What is told of the tally of a file."""
    correct, incorrect = tally.verdicts["correct"], tally.verdicts["incorrect"]
    n = correct + incorrect
    share: dict[str, Any] | None = None
    if n:
        interval = wilson_interval(correct, n)
        rough = is_rough(correct / n, n)
        ends = {"low": interval.low, "high": interval.high}
        share = {"share": correct / n, **ends, "n": n, "rough": rough}
    states = ("scored", "unscored", "not_run", "no_text")
    return Result(
        file=file,
        model=client.name,
        sentences=tally.sentences,
        states={name: tally.states[name] for name in states},
        tiers={name: tally.tiers[name] for name in ("grounding", "model", "unscored", "no_text")},
        verdicts={name: tally.verdicts[name] for name in ("correct", "incorrect", "none")},
        reasons=dict(tally.reasons.most_common()),
        first={name: tally.first[name] for name in states[1:] if name in tally.first},
        correct=share,
        calls=0 if client.instant else tally.calls,
        cached=tally.cached,
        tokens_in=tally.tokens_in,
        tokens_out=tally.tokens_out,
        cost_usd=None if tally.unpriced else tally.cost_usd,
        left_out=[{"place": one.origin, "why": one.why} for one in tally.left_out],
        repairs=dict(tally.repairs),
    )
