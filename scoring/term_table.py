"""Scoring columns of answers against columns of references: columns in, columns out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scoring.facts import SLOTS, Given, Ontologies, as_given
from scoring.term_accepted import Accepted, accepted_of, let_best_count
from scoring.term_answer import Reading, read_answer
from scoring.term_pairs import EXACT, RELATIONSHIPS, Relations, relate_pairs
from scoring.term_score import COLUMNS, score_term, value_set
from scoring.term_target import Target, read_target

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_REFERENCE_NAMES = ("reference", "truth")
_FIGURES = (
    "ontology_score",
    "hierarchical_precision",
    "hierarchical_recall",
    "hierarchical_f1",
    "lin_similarity",
)


def score_terms(
    table: Mapping[str, Sequence[Any]],
    *,
    ontology: Ontologies,
    template: str | None = None,
    allowed: Collection[str] | None = None,
    slot: str = "env_broad_scale",
    lenient: bool = False,
    multi_valued: bool = False,
) -> dict[str, Any]:
    """Score a table, every row as `score_term` would: the columns of `TermScore`, in order.

    `table` maps column names to sequences of one length (lists, arrays, the columns of a
    data frame): `prediction`, `reference` (or `truth`), where they differ by row `template`
    and `slot`, and where rows accept further references `accepted`, a mapping of these to
    weights in (0, 1], or None. Returned are numpy arrays: float64 for the figures, NaN where
    there is no score; objects with None for what is empty elsewhere. Work is done once
    for each distinct text and pair, so that the cost of a row does not grow with the table.

    Raises ValueError for a missing column, columns of unequal length, an unknown slot and
    an accepted reference that cannot be read.
    """
    import numpy as np

    given = as_given(ontology)
    predictions, references = _columns(table)
    count = len(predictions)
    answer_of, answer_texts = _distinct(predictions)
    target_of, target_texts = _distinct(references)
    readings = [read_answer(text, given, lenient) for text in answer_texts]
    targets = [read_target(text, given) for text in target_texts]
    accepted_column = _values(table["accepted"]) if "accepted" in table else ()
    accepted = accepted_of(accepted_column)
    terms = _Terms(readings, targets, accepted.curies)
    scored = _start(count, readings, targets, answer_of, target_of)
    for rows, row_template, row_slot in _groups(table, count, template, slot):
        values = value_set(row_template, row_slot, allowed)
        member = np.array([None if values is None else curie in values for curie in terms.curies])
        membership = np.full(len(member), 0.5) if values is None else member.astype(float)
        answers, truths = terms.answers[answer_of[rows]], terms.targets[target_of[rows]]
        for place, chosen in _all_or_some(rows, answers >= 0):
            _put(scored, "in_template_enum", place, member[answers[chosen]])
        for place, chosen in _all_or_some(rows, (answers >= 0) & (truths >= 0)):
            codes, pairs = _distinct_pairs(answers[chosen], truths[chosen], len(member))
            relations = relate_pairs(terms.curies, *pairs, given=given, slot=row_slot)
            _put_relations(scored, place, relations, codes)
            score = (
                0.1
                + 0.1 * terms.label_valid[answer_of[place]]
                + 0.5 * relations.hierarchy[codes]
                + 0.3 * membership[answers[chosen]]
            )
            _put(scored, "ontology_score", place, score)
            _accept_others(scored, accepted, terms, answer_of, place, given, row_slot)
        if multi_valued:
            for row in np.arange(count)[rows][terms.several[answer_of[rows]]]:
                one = score_term(
                    prediction=predictions[row],
                    reference=references[row],
                    ontology=ontology,
                    template=row_template,
                    allowed=allowed,
                    slot=row_slot,
                    accepted=accepted_column[row] if len(accepted_column) else None,
                    lenient=True,
                    multi_valued=True,
                ).as_row()
                for name in COLUMNS:
                    scored[name][row] = one[name]
    return scored


def _all_or_some(
    rows: slice | NDArray[np.intp], chosen: NDArray[np.bool_]
) -> Iterator[tuple[slice | NDArray[np.intp], slice | NDArray[np.bool_]]]:
    """The chosen rows of a group, by place in the table and in the group; nothing for none.

    Slices where that is everything: they cost no copy of a million rows.
    """
    import numpy as np

    if chosen.all():
        if len(chosen):
            yield rows, slice(None)
    elif chosen.any():
        places = np.flatnonzero(chosen) if isinstance(rows, slice) else rows[chosen]
        yield places, chosen


def _accept_others(
    scored: dict[str, Any],
    accepted: Accepted,
    terms: _Terms,
    answer_of: NDArray[np.intp],
    place: slice | NDArray[np.intp],
    given: Given,
    slot: str,
) -> None:
    """Let further references count in the rows at `place`, where both sides are read."""
    import numpy as np

    if not accepted.curies:
        return
    here = np.zeros(len(answer_of), dtype=bool)
    here[place] = True
    mine = here[accepted.rows]
    rows = accepted.rows[mine]
    relations = relate_pairs(
        terms.curies, terms.answers[answer_of[rows]], terms.accepted[mine], given=given, slot=slot
    )
    let_best_count(scored, rows, accepted.ranks[mine], accepted.weights[mine], relations)


def _put(
    scored: dict[str, Any], name: str, place: slice | NDArray[np.intp], values: NDArray[Any]
) -> None:
    if isinstance(place, slice):
        scored[name] = values
    else:
        scored[name][place] = values


def _put_relations(
    scored: dict[str, Any],
    place: slice | NDArray[np.intp],
    relations: Relations,
    codes: NDArray[np.intp],
) -> None:
    import numpy as np

    hops = relations.hops.astype(object)
    hops[relations.hops < 0] = None
    words = np.array(RELATIONSHIPS, dtype=object)[relations.relationship]
    for name, values in (
        ("relationship", words),
        ("hop_distance", hops),
        ("exact_match", relations.relationship == EXACT),
        ("hierarchical_precision", relations.precision),
        ("hierarchical_recall", relations.recall),
        ("hierarchical_f1", relations.f1),
        ("lin_similarity", relations.lin),
    ):
        _put(scored, name, place, values[codes])


def _columns(table: Mapping[str, Sequence[Any]]) -> tuple[Sequence[Any], Sequence[Any]]:
    names = list(table)
    reference = next((name for name in _REFERENCE_NAMES if name in names), None)
    for name, found in (("prediction", "prediction" in names), ("reference", reference)):
        if not found:
            raise ValueError(f"no column {name!r}: the table has {', '.join(map(repr, names))}")
    used = [
        name for name in ("prediction", reference, "template", "slot", "accepted") if name in names
    ]
    lengths = {name: len(table[name]) for name in used if name}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise ValueError(f"columns of unequal length: {said}")
    return _values(table["prediction"]), _values(table[reference or ""])


def _values(column: Any) -> Sequence[Any]:  # noqa: ANN401
    # By position, whatever index a data frame gives its rows.
    if hasattr(column, "to_pylist"):
        return list(column.to_pylist())
    return list(column.tolist()) if hasattr(column, "tolist") else column


def _distinct(column: Sequence[Any]) -> tuple[NDArray[np.intp], list[str]]:
    """Each row's number among the distinct texts, and these."""
    import numpy as np

    if set(map(type, column)) != {str}:
        column = [str(value) for value in column]
    numbers = {text: number for number, text in enumerate(dict.fromkeys(column))}
    codes = np.fromiter(map(numbers.__getitem__, column), dtype=np.intp, count=len(column))
    return codes, list(numbers)


def _distinct_pairs(
    answers: NDArray[np.intp], truths: NDArray[np.intp], size: int
) -> tuple[NDArray[np.intp], tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Each row's number among the distinct pairs of terms, and these."""
    import numpy as np

    keys = answers * size + truths
    if size * size <= max(4 * len(keys), 1 << 16):
        # A table of all pairs is small: no need to sort.
        seen = np.zeros(size * size, dtype=bool)
        seen[keys] = True
        pairs = np.flatnonzero(seen)
        number = np.zeros(size * size, dtype=np.intp)
        number[pairs] = np.arange(len(pairs))
        codes = number[keys]
    else:
        pairs, codes = np.unique(keys, return_inverse=True)
    return codes, (pairs // size, pairs % size)


class _Terms:
    """The distinct CURIEs of a table, and which of them each distinct text names (-1: none)."""

    def __init__(
        self, readings: Sequence[Reading], targets: Sequence[Target], accepted: Sequence[str]
    ) -> None:
        import numpy as np

        numbers: dict[str, int] = {}

        def number(curie: str | None) -> int:
            return -1 if curie is None else numbers.setdefault(curie, len(numbers))

        alone = [reading.answers[0] if len(reading.answers) == 1 else None for reading in readings]
        self.answers = np.array(
            [number(answer.curie if answer else None) for answer in alone], dtype=np.intp
        )
        self.targets = np.array([number(target.curie) for target in targets], dtype=np.intp)
        self.accepted = np.array([number(curie) for curie in accepted], dtype=np.intp)
        self.label_valid = np.array(
            [answer is not None and answer.label_valid for answer in alone], dtype=bool
        )
        self.several = np.array([len(reading.answers) > 1 for reading in readings], dtype=bool)
        self.curies = list(numbers)


def _start(
    count: int,
    readings: Sequence[Reading],
    targets: Sequence[Target],
    answer_of: NDArray[np.intp],
    target_of: NDArray[np.intp],
) -> dict[str, Any]:
    """All columns, with what depends on the answer alone and on the reference alone."""
    import numpy as np

    alone = [reading.answers[0] if len(reading.answers) == 1 else None for reading in readings]
    read = np.array([answer is not None for answer in alone], dtype=bool)[answer_of]
    known = np.array([target.curie is not None for target in targets], dtype=bool)[target_of]
    scored: dict[str, Any] = {
        "parse_success": read,
        "pred_label": _objects(answer and answer.label for answer in alone)[answer_of],
        "pred_curie": _objects(answer and answer.curie for answer in alone)[answer_of],
        "truth_label": _objects(target.label for target in targets)[target_of],
        "truth_curie": _objects(target.curie for target in targets)[target_of],
        "curie_label_valid": _objects(answer and answer.label_valid for answer in alone)[answer_of],
        "exact_match": np.zeros(count, dtype=bool),
        "relationship": np.full(count, None, dtype=object),
        "hop_distance": np.full(count, None, dtype=object),
        "in_template_enum": np.full(count, None, dtype=object),
    }
    unread = ~read
    for name in _FIGURES:
        scored[name] = np.full(count, np.nan)
        scored[name][unread if name == "ontology_score" else unread & known] = 0.0
    reasons = _objects(" ".join(_reasons_of(reading)) for reading in readings)[answer_of]
    suspect = _objects(" ".join(target.reasons) for target in targets)
    for row in np.flatnonzero((suspect != "")[target_of]) if (suspect != "").any() else ():
        reasons[row] = f"{reasons[row]} {suspect[target_of[row]]}".strip()
    scored["reasons"] = reasons
    return scored


def _reasons_of(reading: Reading) -> tuple[str, ...]:
    if len(reading.answers) > 1:
        return ("several_answers",)
    return reading.answers[0].reasons if reading.answers else reading.reasons


def _objects(values: Iterator[Any]) -> NDArray[np.object_]:
    import numpy as np

    listed = list(values)
    array = np.empty(len(listed), dtype=object)
    array[:] = listed
    return array


def _groups(
    table: Mapping[str, Sequence[Any]], count: int, template: str | None, slot: str
) -> Iterator[tuple[slice | NDArray[np.intp], str | None, str]]:
    """The rows of each template and slot; a slice where all are of one."""
    import numpy as np

    templates: list[str | None] = [template]
    slots = [slot]
    template_of = slot_of = None
    if "template" in table:
        template_of, texts = _distinct(_values(table["template"]))
        templates = list(texts)
    if "slot" in table:
        slot_of, slots = _distinct(_values(table["slot"]))
    for number, name in enumerate(slots):
        if name not in SLOTS:
            row = 1 if slot_of is None else int(np.argmax(slot_of == number)) + 1
            raise ValueError(f"row {row}: no slot {name!r}: use one of {', '.join(SLOTS)}")
    for one, row_template in enumerate(templates):
        for other, row_slot in enumerate(slots):
            if len(templates) * len(slots) == 1:
                yield slice(None), row_template, row_slot
                continue
            chosen = np.ones(count, dtype=bool)
            if template_of is not None:
                chosen &= template_of == one
            if slot_of is not None:
                chosen &= slot_of == other
            rows = np.flatnonzero(chosen)
            if len(rows):
                yield rows, row_template, row_slot
