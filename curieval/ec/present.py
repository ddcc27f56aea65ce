"""A scored table of EC numbers on the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from curieval.ec.score import EcScoring, EcTally
from curieval.report.tables import Column, cut, inert, table, wrapped
from evals.ec_number.baselines import constant_and_drawn
from scoring.ec_counts import LEVELS
from scoring.enzyme import EcCounts, bootstrap_micro_f1
from scoring.statistics import skill_score, wilson_interval

RESAMPLES = 10_000
# Name in the JSON, and under which name the bootstrap returns its interval.
_POOLED = {
    "hierarchical_micro_f1": "f1",
    "hierarchical_micro_precision": "precision",
    "hierarchical_micro_recall": "recall",
    **{f"level_{level}_f1": f"level_{level}_f1" for level in LEVELS},
    "mean_level_f1": "mean_level_f1",
}


@dataclass(frozen=True, kw_only=True)
class EcFigure:
    """One figure with its 95 % interval, beside the best constant answer and draws from the
    references; `skill` = (value − constant) / (1 − constant)."""

    name: str
    n: int
    value: float | None
    low: float | None
    high: float | None
    constant: float | None
    constant_answer: str | None
    random: float | None
    skill: float | None


@dataclass(frozen=True, kw_only=True)
class EcResult:
    """All that was counted, in the words of the JSON."""

    task: str
    table: str
    partial_reference: str
    map_transferred: bool
    rows: int
    scored: int
    unscored: int
    unreadable: int
    empty: int
    no_enzyme: int
    figures: Sequence[EcFigure]
    readings: Mapping[str, int]
    suspect_references: Mapping[str, int]
    dead_numbers: Mapping[str, int]
    mapped: int
    repairs: Mapping[str, int]
    notes: Sequence[str]

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return asdict(self)

    def as_text(self, width: int) -> str:
        """The figures, then what the answers are like and what stayed out."""
        head = f"{self.table}: {self.rows} rows, {self.scored} scored"
        if self.unscored:
            head += f", {self.unscored} unscored (unreadable reference)"
        head += f"; partial references {self.partial_reference}"
        lines = [wrapped(head, width), "", *_figure_table(self.figures, width), ""]
        lines += [wrapped(line, width) for line in self._remarks()]
        return inert("\n".join(lines) + "\n")

    def _remarks(self) -> list[str]:
        remarks = []
        first = self.figures[0]
        if first.constant_answer:
            remarks.append(f"best constant {first.name}: {cut(first.constant_answer, 60)}")
        if self.no_enzyme:
            remarks.append(f"references without a number (no enzyme): {self.no_enzyme}")
        if self.unreadable or self.empty:
            remarks.append(
                f"predictions without a number, counted as such: {self.unreadable} unreadable, "
                f"{self.empty} empty"
            )
        if self.dead_numbers:
            named = ", ".join(list(self.dead_numbers)[:6])
            more = f" and {len(self.dead_numbers) - 6} more" if len(self.dead_numbers) > 6 else ""
            did = f"{self.mapped} were mapped" if self.map_transferred else "scored as written"
            remarks.append(f"transferred or deleted numbers, {did}: {named}{more}")
        if self.suspect_references:
            named = ", ".join(f"{why} {n}" for why, n in self.suspect_references.items())
            remarks.append(f"unreadable references: {named}")
        return remarks


def result_of(name: str, tally: EcTally, scoring: EcScoring) -> EcResult:
    """Sum up a table that was scored."""
    scored = tally.references.total()
    return EcResult(
        task="ec_number",
        table=name,
        partial_reference=scoring.partial_reference,
        map_transferred=scoring.map_transferred,
        rows=tally.rows,
        scored=scored,
        unscored=tally.rows - scored,
        unreadable=tally.unreadable,
        empty=tally.empty,
        no_enzyme=tally.references[()],
        figures=_figures(tally, scoring),
        readings=dict(tally.readings),
        suspect_references=dict(tally.suspects),
        dead_numbers=dict(sorted(tally.dead.items())),
        mapped=tally.mapped,
        repairs=dict(tally.repairs),
        notes=tally.notes,
    )


def _figures(tally: EcTally, scoring: EcScoring) -> list[EcFigure]:
    import numpy as np

    scored, no_enzyme = tally.references.total(), tally.references[()]
    counts = np.concatenate(tally.counts) if tally.counts else np.zeros((0, 12), dtype=np.int32)
    intervals = bootstrap_micro_f1(counts, resamples=RESAMPLES) if len(counts) else {}
    baselines = constant_and_drawn(tally.references, partial_reference=scoring.partial_reference)
    found: dict[str, tuple[int, float | None, tuple[float, float] | None]] = {
        name: (scored, value, intervals.get(_POOLED[name]))
        for name, value in _pooled(counts.sum(axis=0, dtype=np.int64).tolist()).items()
    }
    for name, count, n in (
        ("exact_set", tally.exact, scored),
        ("abstention_accuracy", tally.abstained, no_enzyme),
    ):
        share = wilson_interval(count, n) if n else None
        found[name] = (n, share.mean, (share.low, share.high)) if share else (0, None, None)
    return [
        _figure(name, n, value, interval, baselines) for name, (n, value, interval) in found.items()
    ]


def _pooled(row: Sequence[int]) -> dict[str, float | None]:
    levels = {
        level: EcCounts(tp=row[3 * level - 3], fp=row[3 * level - 2], fn=row[3 * level - 1])
        for level in LEVELS
    }
    total = EcCounts(tp=sum(row[0::3]), fp=sum(row[1::3]), fn=sum(row[2::3]))
    known = [f1 for counts in levels.values() if (f1 := counts.f1) is not None]
    return {
        "hierarchical_micro_f1": total.f1,
        "hierarchical_micro_precision": total.precision,
        "hierarchical_micro_recall": total.recall,
        **{f"level_{level}_f1": counts.f1 for level, counts in levels.items()},
        "mean_level_f1": sum(known) / len(known) if known else None,
    }


def _figure(
    name: str,
    n: int,
    value: float | None,
    interval: tuple[float, float] | None,
    baselines: Sequence[Any],
) -> EcFigure:
    best = next((b for b in baselines if b.name == "best_constant" and name in b.figures), None)
    drawn = next((b.figures.get(name) for b in baselines if b.name == "random"), None)
    constant = best.figures[name] if best else None
    low, high = interval or (None, None)
    return EcFigure(
        name=name,
        n=n,
        value=value,
        low=low,
        high=high,
        constant=constant,
        constant_answer=best.answer if best else None,
        random=drawn,
        skill=skill_score(value, constant) if value is not None and constant is not None else None,
    )


def _figure_table(figures: Sequence[EcFigure], width: int) -> list[str]:
    columns = [
        Column(head="figure", cells=[each.name for each in figures], left=True),
        Column(head="n", cells=[str(each.n) for each in figures]),
        Column(head="value", cells=[_number(each.value) for each in figures]),
        Column(head="95 %", cells=[_interval(each) for each in figures]),
        Column(head="best\nconst", cells=[_number(each.constant) for each in figures], worth=8),
        Column(head="drawn", cells=[_number(each.random) for each in figures], worth=7),
        Column(head="skill", cells=[_number(each.skill) for each in figures], worth=8),
    ]
    return table(columns, width)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(figure: EcFigure) -> str:
    if figure.low is None or figure.high is None:
        return "–"
    return f"{figure.low:.3f}–{figure.high:.3f}"
