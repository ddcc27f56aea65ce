"""Counting a scored table as it goes by, slot by slot, and summing it up."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evals.env_triad.baselines import ReferenceKey, constant_and_random
from evals.env_triad.task import FIGURES
from scoring.facts import SLOTS
from scoring.statistics import is_rough, mean_interval, skill_score

if TYPE_CHECKING:
    from curieval.triad.score import ScoredBatch
    from scoring.ontology import Ontology

NAMES = tuple(figure.name for figure in FIGURES)
LENIENT = ("hierarchical_f1", "ontology_score")


@dataclass(frozen=True, kw_only=True)
class FigureSummary:
    """One figure over the rows that count: mean with its 95 % interval, beside what no model
    needs to know to reach it; `skill` = (mean − constant) / (1 − constant)."""

    name: str
    primary: bool
    n: int
    mean: float | None
    low: float | None
    high: float | None
    method: str | None
    rough: bool
    constant: float | None
    constant_answer: str | None
    random: float | None
    skill: float | None


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Rows of one slot, or of all (`slice` empty).

    `scored` + `unscored` = `rows`; unscored are those with a suspect reference; `unreadable`
    and, among them, `empty` answers score 0; `read_leniently` counts the unreadable ones that
    the lenient reading reads, `lenient` holds the means that it gives. `answers` counts how
    readable answers stand to their references, and what else is said of them.
    """

    slice: Mapping[str, str]
    rows: int
    scored: int
    unscored: int
    unreadable: int
    empty: int
    read_leniently: int
    lenient: Mapping[str, float]
    figures: Sequence[FigureSummary]
    answers: Mapping[str, int]


@dataclass(kw_only=True)
class Total:
    """The sum of a column over the `n` rows that hold a number."""

    n: int = 0
    total: float = 0.0

    def add(self, texts: Sequence[str]) -> None:
        """Take in some cells; those that hold no number are left out."""
        numbers = [number for text in texts if (number := _number(text)) is not None]
        self.n += len(numbers)
        self.total += math.fsum(numbers)


@dataclass(kw_only=True)
class _SlotCounts:
    rows: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    values: dict[str, array[float]] = field(
        default_factory=lambda: {name: array("d") for name in NAMES}
    )
    lenient: dict[str, float] = field(default_factory=lambda: dict.fromkeys(LENIENT, 0.0))
    references: Counter[ReferenceKey] = field(default_factory=Counter)

    @property
    def scored(self) -> int:
        return len(self.values[NAMES[0]])


@dataclass(kw_only=True)
class Tally:
    """What a scored table holds: counts, figures, reasons, repairs, and notes for the user."""

    notes: list[str] = field(default_factory=list)
    repairs: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    suspects: Counter[str] = field(default_factory=Counter)
    templates: Counter[str] = field(default_factory=Counter)
    replies: dict[str, Total] = field(default_factory=dict)
    slots: dict[str, _SlotCounts] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """How many rows went by."""
        return sum(slot.rows for slot in self.slots.values())

    def add(self, scored: ScoredBatch, predictions: Sequence[str]) -> None:
        """Take in some rows."""
        import numpy as np

        sound = np.array([why is None for why in scored.suspects], dtype=bool)
        self.suspects.update(why.partition(":")[0] for why in scored.suspects if why is not None)
        self.templates.update(scored.templates)
        for reasons, count in Counter(scored.scores["reasons"].tolist()).items():
            self.reasons.update(dict.fromkeys(reasons.split(), count))
        for slot in sorted(set(scored.slots)):
            of_slot = np.array([name == slot for name in scored.slots], dtype=bool)
            self._add_slot(slot, scored, predictions, of_slot, sound)

    def _add_slot(
        self,
        slot: str,
        scored: ScoredBatch,
        predictions: Sequence[str],
        of_slot: Any,  # noqa: ANN401 - arrays of bool
        sound: Any,  # noqa: ANN401
    ) -> None:
        import numpy as np

        counts = self.slots.setdefault(slot, _SlotCounts())
        counts.rows += int(of_slot.sum())
        counting = of_slot & sound
        for name in NAMES:
            counts.values[name].frombytes(scored.scores[name][counting].tobytes())
        for name in LENIENT:
            lenient = scored.lenient[name][counting]
            counts.lenient[name] += float(lenient.sum())
        counts.counts["read_leniently"] += int(
            (~scored.scores["parse_success"] & scored.lenient["parse_success"])[counting].sum()
        )
        places = np.flatnonzero(counting).tolist()
        counts.references.update(
            (
                scored.references[place],
                tuple(sorted(scored.accepted[place].items())),
                scored.templates[place],
                slot,
            )
            for place in places
        )
        counts.counts.update(filter(None, scored.scores["relationship"][counting].tolist()))
        for column, right, wrong in (
            ("in_template_enum", "in_value_set", "off_value_set"),
            ("curie_label_valid", "label_valid", "label_invalid"),
        ):
            said = Counter(scored.scores[column][counting].tolist())
            counts.counts[right] += said[True]
            counts.counts[wrong] += said[False]
        for place in np.flatnonzero(counting & ~scored.scores["parse_success"]).tolist():
            text = predictions[place]
            counts.counts["unreadable"] += 1
            counts.counts["empty"] += not text.strip()

    def summaries(self, ontologies: tuple[Ontology, ...]) -> list[Summary]:
        """A summary of all rows, then one of each slot where there are several."""
        slots = [slot for slot in SLOTS if slot in self.slots]
        parts = [self.slots[slot] for slot in slots]
        found = [_summary({}, parts, ontologies)]
        if len(slots) > 1:
            found += [
                _summary({"slot": slot}, [part], ontologies)
                for slot, part in zip(slots, parts, strict=True)
            ]
        return found


def _summary(
    slice_: Mapping[str, str], parts: Sequence[_SlotCounts], ontologies: tuple[Ontology, ...]
) -> Summary:
    counts: Counter[str] = sum((part.counts for part in parts), Counter())
    references: Counter[ReferenceKey] = sum((part.references for part in parts), Counter())
    rows, scored = sum(part.rows for part in parts), sum(part.scored for part in parts)
    baselines = constant_and_random(references, ontologies)
    constants = {
        name: (baseline.figures[name], baseline.answer)
        for baseline in baselines
        if baseline.name == "best_constant"
        for name in baseline.figures
    }
    randoms = next((dict(each.figures) for each in baselines if each.name == "random"), {})
    return Summary(
        slice=slice_,
        rows=rows,
        scored=scored,
        unscored=rows - scored,
        unreadable=counts.pop("unreadable", 0),
        empty=counts.pop("empty", 0),
        read_leniently=counts.pop("read_leniently", 0),
        lenient={
            name: sum(part.lenient[name] for part in parts) / scored for name in LENIENT if scored
        },
        figures=[
            _figure(
                figure.name,
                figure.primary,
                [value for part in parts for value in part.values[figure.name]],
                constants.get(figure.name),
                randoms.get(figure.name),
            )
            for figure in FIGURES
        ],
        answers=dict(counts),
    )


def _figure(
    name: str,
    primary: bool,
    values: Sequence[float],
    constant: tuple[float, str] | None,
    random: float | None,
) -> FigureSummary:
    interval = mean_interval(values) if values else None
    best, answer = constant or (None, None)
    return FigureSummary(
        name=name,
        primary=primary,
        n=len(values),
        mean=interval.mean if interval else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        method=interval.method if interval else None,
        rough=is_rough(interval.mean, interval.n) if interval else True,
        constant=best,
        constant_answer=answer,
        random=random,
        skill=skill_score(interval.mean, best) if interval and best is not None else None,
    )


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
