"""Scoring a table of EC numbers: the same rows with their counts, and the pooled figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curieval.ec.reading import EcCell, read_prediction, read_reference
from curieval.tables import (
    ABSENT,
    Batch,
    Field,
    Ids,
    Table,
    find_fields,
    open_output,
    refuse_doubled,
)
from scoring.enzyme import HierarchicalMicroF1, PartialReference, hierarchical_micro_f1

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

READ = (
    Field(name="id", aliases=("case", "protein")),
    Field(name="prediction", required=True),
    Field(name="reference", aliases=("truth", "ec"), required=True),
)
COLUMNS = (
    "predicted",
    "reading",
    "tp",
    "fp",
    "fn",
    "precision",
    "recall",
    "f1",
    "deepest_match",
    "exact_set",
    "dead_numbers",
    "state",
    "suspect_reference",
)


@dataclass(frozen=True, kw_only=True)
class EcScoring:
    """How EC numbers are compared; see `scoring.hierarchical_micro_f1`."""

    partial_reference: PartialReference = "closed"
    map_transferred: bool = False

    def score(
        self, references: Sequence[Sequence[str]], predictions: Sequence[Sequence[str]]
    ) -> HierarchicalMicroF1:
        """Score proteins, in the same order on both sides."""
        return hierarchical_micro_f1(
            reference=references,
            prediction=predictions,
            partial_reference=self.partial_reference,
            map_transferred=self.map_transferred,
        )


@dataclass(kw_only=True)
class EcTally:
    """What a table of EC numbers holds: counts of the sound rows, and what was read how."""

    rows: int = 0
    counts: list[NDArray[np.int32]] = field(default_factory=list)
    exact: int = 0
    abstained: int = 0
    mapped: int = 0
    references: Counter[tuple[str, ...]] = field(default_factory=Counter)
    readings: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0
    empty: int = 0
    suspects: Counter[str] = field(default_factory=Counter)
    dead: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class _Rows:
    batch: Batch
    predictions: Sequence[EcCell]
    references: Sequence[EcCell]

    @property
    def sound(self) -> list[int]:
        return [place for place, cell in enumerate(self.references) if cell.problem is None]


def score_table(
    table: Table, scoring: EcScoring, *, mapping: Mapping[str, str], out: Path | None = None
) -> EcTally:
    """Score every row, write the table where `out` names one, and count.

    Rows whose reference cannot be read are marked and do not count; unreadable and empty
    predictions do, as no number. TableError where the table cannot be read, or an id stands
    twice; then nothing is written.
    """
    found = find_fields(table, READ, mapping)
    tally, ids = EcTally(), Ids()
    own = [name for name in table.columns if name not in COLUMNS]
    target = open_output(out, [*own, *COLUMNS], source=table.path) if out else nullcontext()
    with target as output:
        for batch in table.batches():
            rows = _Rows(
                batch=batch,
                predictions=[
                    read_prediction(value) for value in _column(batch, found["prediction"])
                ],
                references=[read_reference(value) for value in _column(batch, found["reference"])],
            )
            made = _score_rows(rows, scoring, tally)
            if found["id"] is not None:
                ids.add(batch.texts(found["id"]))
            if output is not None:
                kept = {name: values for name, values in batch.columns.items() if name in own}
                output.write({**kept, **made}, len(batch))
        doubled = ids.doubled(table, found["id"])
        refuse_doubled(doubled, found["id"], "give each protein one row")
    tally.repairs.update(table.repairs)
    if output is not None:
        tally.repairs.update(output.repairs)
    replaced = [name for name in table.columns if name in COLUMNS]
    if replaced:
        tally.notes.append(f"columns of the input that were replaced: {', '.join(replaced)}")
    if found["id"] is None:
        tally.notes.append("no column 'id': rows are taken as proteins as they come")
    return tally


def _column(batch: Batch, name: str | None) -> Sequence[Any]:
    values = batch.columns.get(name) if name is not None else None
    return [ABSENT] * len(batch) if values is None else values


def _score_rows(rows: _Rows, scoring: EcScoring, tally: EcTally) -> dict[str, Sequence[Any]]:
    import numpy as np

    sound = rows.sound
    references = [rows.references[place].codes for place in sound]
    predictions = [rows.predictions[place].codes for place in sound]
    score = scoring.score(references, predictions)
    _count(rows, sound, score, tally)
    tp, fp, fn = (score.counts[:, start::3].sum(axis=1) for start in range(3))
    depth = ((score.counts[:, 0::3] > 0) * np.arange(1, 5)).max(axis=1, initial=0)
    nothing = (tp + fp + fn) == 0
    return {
        "predicted": ["; ".join(cell.codes) for cell in rows.predictions],
        "reading": [cell.reading for cell in rows.predictions],
        "tp": _spread(tp, sound, rows),
        "fp": _spread(fp, sound, rows),
        "fn": _spread(fn, sound, rows),
        "precision": _spread(_ratio(tp, tp + fp, nothing), sound, rows),
        "recall": _spread(_ratio(tp, tp + fn, nothing), sound, rows),
        "f1": _spread(_ratio(2 * tp, 2 * tp + fp + fn, nothing), sound, rows),
        "deepest_match": _spread(depth, sound, rows),
        "exact_set": _spread(score.exact, sound, rows),
        "dead_numbers": [cell.dead_numbers for cell in rows.predictions],
        "state": ["scored" if cell.problem is None else "unscored" for cell in rows.references],
        "suspect_reference": [cell.problem for cell in rows.references],
    }


def _count(rows: _Rows, sound: Sequence[int], score: HierarchicalMicroF1, tally: EcTally) -> None:
    tally.rows += len(rows.batch)
    tally.counts.append(score.counts)
    tally.exact += int(score.exact.sum())
    tally.mapped += score.n_mapped
    for place in sound:
        prediction, reference = rows.predictions[place], rows.references[place]
        tally.references[reference.codes] += 1
        tally.readings[prediction.reading] += 1
        tally.unreadable += prediction.is_unreadable
        tally.empty += prediction.reading == "empty"
        tally.abstained += not reference.codes and not prediction.codes
        for cell in (prediction, reference):
            if cell.dead_numbers:
                tally.dead.update(cell.dead_numbers.split("; "))
    tally.suspects.update(cell.reading for cell in rows.references if cell.problem is not None)


def _ratio(part: Any, whole: Any, nothing: Any) -> Any:  # noqa: ANN401 - numpy arrays
    import numpy as np

    ratio = np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
    return np.where(nothing, np.nan, ratio)


def _spread(values: Any, places: Sequence[int], rows: _Rows) -> list[Any]:  # noqa: ANN401
    """Values of the sound rows at their places, None elsewhere."""
    spread: list[Any] = [None] * len(rows.batch)
    for place, value in zip(places, values.tolist(), strict=True):
        spread[place] = value if value == value else None
    return spread
