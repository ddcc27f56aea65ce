"""Scoring a table of predictions made elsewhere: the same rows with the scores beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from curieval.tables import Batch, Ids, Table, find_fields, open_output, refuse_doubled
from curieval.triad import fields as has
from curieval.triad.accepted import ACCEPTED, NONE, accepted_values
from curieval.triad.tally import Tally, Total
from evals.env_triad.task import shipped_ontologies
from scoring.audit import audit_reference
from scoring.ontology import Ontology
from scoring.term_score import COLUMNS
from scoring.term_table import score_terms

READ = (has.ID, has.PREDICTION, has.REFERENCE, has.TEMPLATE, has.SLOT, ACCEPTED)
REPLY_COLUMNS = ("response_time_s", "prompt_tokens", "completion_tokens", "est_cost_usd")
LENIENT_COLUMNS = ("lenient_ontology_score", "lenient_hierarchical_f1", "lenient_reasons")
STATE_COLUMNS = ("state", "suspect_reference")
_COMPATIBLE = COLUMNS[: COLUMNS.index("ontology_score") + 1]
_FIGURES = COLUMNS[len(_COMPATIBLE) :]
_OURS = frozenset((*_COMPATIBLE, *REPLY_COLUMNS, *_FIGURES, *LENIENT_COLUMNS, *STATE_COLUMNS))


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """How a table is scored: what holds for all its rows, and in which ontologies."""

    ontologies: tuple[Ontology, ...]
    everywhere: has.Everywhere
    lenient: bool = False
    multi_valued: bool = False
    doubled_ids: bool = False


@dataclass(frozen=True, kw_only=True)
class ScoredBatch:
    """Some rows with their scores; `suspects` say why a reference is suspect, None for none.

    `accepted` are the values that count beside each reference, with their weights.
    `scores` are those of the reading that counts, `lenient` those of the lenient one.
    """

    rows: Batch
    templates: Sequence[str]
    slots: Sequence[str]
    references: Sequence[str]
    accepted: Sequence[Mapping[str, float]]
    scores: Mapping[str, Any]
    lenient: Mapping[str, Any]
    suspects: Sequence[str | None]


def score_table(
    table: Table, scoring: Scoring, *, mapping: Mapping[str, str], out: Path | None = None
) -> Tally:
    """Score every row, write the table where `out` names one, and count.

    The scores stand after the row's own columns: those of the compatible score, time, tokens
    and cost where the table has them, the hierarchical figures, what the lenient reading
    gives, then whether the row counts. Rows with a suspect reference are scored all the same
    and do not count. TableError where the table cannot be read; then nothing is written.
    """
    found = find_fields(table, READ, mapping)
    tally = Tally()
    ids = Ids()
    names = output_columns(table.columns)
    replies = [name for name in REPLY_COLUMNS if name in table.columns]
    with open_output(out, names, source=table.path) if out else nullcontext() as output:
        for rows in table.batches():
            scored = _score_batch(table, rows, found, scoring)
            tally.add(scored, rows.texts(found["prediction"]))
            for name in replies:
                tally.replies.setdefault(name, Total()).add(rows.texts(name))
            if found["id"] is not None:
                ids.add(rows.texts(found["id"]))
            if output is not None:
                output.write(_written(scored, names), len(rows))
        doubled = ids.doubled(table, found["id"])
        if not scoring.doubled_ids:
            refuse_doubled(
                doubled, found["id"], "give each row its own, or score them with --doubled-ids"
            )
    tally.notes = has.notes_on_fields(found, scoring.everywhere)
    tally.notes += has.notes_on_templates(tally.templates)
    tally.repairs.update(table.repairs)
    if output is not None:
        tally.repairs.update(output.repairs)
    if doubled.count:
        tally.repairs["rows whose id stands before them, each scored on its own"] = doubled.count
    replaced = [name for name in table.columns if name in _OURS and name not in REPLY_COLUMNS]
    if replaced:
        tally.notes.append(f"columns of the input that were replaced: {', '.join(replaced)}")
    return tally


def open_ontologies(sources: Sequence[str]) -> tuple[Ontology, ...]:
    """The ontologies that a user names, or those that are shipped."""
    if not sources:
        return shipped_ontologies()
    from curieval.ontologies import open_ontology

    return tuple(open_ontology(source) for source in sources)


def output_columns(columns: Sequence[str]) -> list[str]:
    """The columns of the scored table: the row's own, then the scores in their order.

    Scores that the table brings along from an earlier time give way to the ones made here.
    """
    own = [name for name in columns if name not in _OURS]
    replies = [name for name in REPLY_COLUMNS if name in columns]
    return [*own, *_COMPATIBLE, *replies, *_FIGURES, *LENIENT_COLUMNS, *STATE_COLUMNS]


def _score_batch(
    table: Table, rows: Batch, found: Mapping[str, str | None], scoring: Scoring
) -> ScoredBatch:
    references = rows.texts(found["reference"])
    templates = has.templates_of(rows, found["template"], scoring.everywhere)
    slots = has.slots_of(table, rows, found["slot"], scoring.everywhere)
    accepted = accepted_values(table, rows, found["accepted"])
    read: dict[str, Sequence[Any]] = {
        "prediction": rows.texts(found["prediction"]),
        "reference": references,
        "template": templates,
        "slot": slots,
        **({} if accepted is None else {"accepted": accepted}),
    }
    accepted = accepted or [NONE] * len(rows)
    scores = _scores(read, scoring, lenient=scoring.lenient)
    return ScoredBatch(
        rows=rows,
        templates=templates,
        slots=slots,
        references=references,
        accepted=accepted,
        scores=scores,
        lenient=scores if scoring.lenient else _leniently(read, scores, scoring),
        suspects=[
            audit_all((reference, *others), template, slot, scoring.ontologies)
            for reference, others, template, slot in zip(
                references, accepted, templates, slots, strict=True
            )
        ],
    )


def _scores(read: Mapping[str, Sequence[Any]], scoring: Scoring, *, lenient: bool) -> Any:  # noqa: ANN401
    return score_terms(
        read,
        ontology=scoring.ontologies,
        lenient=lenient,
        multi_valued=lenient and scoring.multi_valued,
    )


def _leniently(
    read: Mapping[str, Sequence[Any]], strict: Mapping[str, Any], scoring: Scoring
) -> Mapping[str, Any]:
    """The scores of the lenient reading, which tells only on answers that are odd in some way."""
    import numpy as np

    odd = np.flatnonzero((strict["curie_label_valid"] != True) | (strict["reasons"] != ""))  # noqa: E712 - elementwise
    scores = {name: strict[name].copy() for name in strict}
    if len(odd):
        part = {name: [column[row] for row in odd.tolist()] for name, column in read.items()}
        for name, values in _scores(part, scoring, lenient=True).items():
            scores[name] = scores[name].astype(object) if values.dtype == object else scores[name]
            scores[name][odd] = values
    return scores


@lru_cache(maxsize=1 << 17)
def audit(reference: str, template: str, slot: str, ontologies: tuple[Ontology, ...]) -> str | None:
    """Why a reference cannot be judged against, None for a sound one."""
    return audit_reference(reference, template=template, slot=slot, ontologies=ontologies)


def audit_all(
    references: Sequence[str], template: str, slot: str, ontologies: tuple[Ontology, ...]
) -> str | None:
    """Why the first of several references that is not sound cannot be judged against."""
    return next(
        filter(None, (audit(each, template, slot, ontologies) for each in references)), None
    )


def _written(scored: ScoredBatch, names: Sequence[str]) -> dict[str, Sequence[Any]]:
    own = {name: values for name, values in scored.rows.columns.items() if name in names}
    made = {name: _plain(values) for name, values in scored.scores.items()}
    for name in LENIENT_COLUMNS:
        made[name] = _plain(scored.lenient[name.removeprefix("lenient_")])
    states = ["scored" if why is None else "unscored" for why in scored.suspects]
    return {**own, **made, "state": states, "suspect_reference": scored.suspects}


def _plain(values: Any) -> list[Any]:  # noqa: ANN401 - a numpy array of any kind
    listed: list[Any] = values.tolist()
    if values.dtype.kind == "f":
        return [value if value == value else None for value in listed]
    return listed
