"""Scoring one answer against one reference: every column of the environmental triad."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from scoring.facts import Given, Ontologies, allowed_values, as_given, check_slot
from scoring.term_answer import Answer, Reading, read_answer
from scoring.term_target import Target, best_likeness, read_accepted, read_target, relate

_HIERARCHICAL = (
    "hierarchical_precision",
    "hierarchical_recall",
    "hierarchical_f1",
    "lin_similarity",
)


@dataclass(frozen=True, kw_only=True)
class TermScore:
    """One scored answer, its fields in the order of the scored table.

    Where the answer is unread, what is said about it is None and the scores are 0; where
    the reference is unread, there is no score. `relationship` is exact, descendant,
    ancestor, unrelated or cross_ontology; `hop_distance` counts is_a steps;
    `in_template_enum` is None where the template has no value set. `reasons` name what
    was repaired or wrong.
    """

    parse_success: bool
    pred_label: str | None
    pred_curie: str | None
    truth_label: str | None
    truth_curie: str | None
    curie_label_valid: bool | None
    exact_match: bool
    relationship: str | None
    hop_distance: int | None
    in_template_enum: bool | None
    ontology_score: float | None
    hierarchical_precision: float | None
    hierarchical_recall: float | None
    hierarchical_f1: float | None
    lin_similarity: float | None
    reasons: tuple[str, ...] = ()

    def as_row(self) -> dict[str, Any]:
        """The columns in the order of the scored table; `reasons` joined by blanks."""
        row = {name: getattr(self, name) for name in COLUMNS}
        row["reasons"] = " ".join(self.reasons)
        return row


COLUMNS = tuple(field.name for field in fields(TermScore))


def _made(columns: dict[str, Any]) -> TermScore:
    # A frozen dataclass sets its 16 fields one by one through object.__setattr__, which
    # takes longer than all the scoring.
    score = object.__new__(TermScore)
    object.__setattr__(score, "__dict__", columns)
    return score


def score_term(
    *,
    prediction: object,
    reference: object,
    ontology: Ontologies,
    template: str | None = None,
    allowed: Collection[str] | None = None,
    slot: str = "env_broad_scale",
    accepted: Mapping[str, float] | None = None,
    lenient: bool = False,
    multi_valued: bool = False,
) -> TermScore:
    """Score an answer `label [CURIE]` against a reference of the same form.

    `ontology` is one or several; a CURIE counts in the ontology whose own prefix it
    carries (the shipped Plant Ontology stands by for PO), else in the first that imports
    it. `allowed`, a set of CURIEs, overrides the template's value set. `accepted` are
    further references (`label [CURIE]` or a bare CURIE) with weights in (0, 1]: the
    hierarchical figures and `lin_similarity` are those of the reference with the best
    weight x F1, times its weight. `ontology_score` in [0, 1] is
    0.1 parse + 0.1 label + 0.5 hierarchy + 0.3 value set, against `reference` alone.

    `lenient` reads the answer as `parse_terms` does, follows the one successor of an
    obsolete id and looks up a label that stands alone; `reasons` name each repair. Of
    several terms the best counts where the slot is `multi_valued`, else none does
    (reason `several_answers`).

    Raises ValueError for an unknown slot and for an accepted reference that cannot be read.
    """
    given = as_given(ontology)
    return _score(
        read_answer(prediction if isinstance(prediction, str) else str(prediction), given, lenient),
        read_target(reference if isinstance(reference, str) else str(reference), given),
        given,
        slot,
        value_set(template, slot, allowed),
        read_accepted(accepted) if accepted else (),
        multi_valued,
    )


def score_candidates(
    *,
    candidates: Iterable[object],
    reference: object,
    ontology: Ontologies,
    template: str | None = None,
    allowed: Collection[str] | None = None,
    slot: str = "env_broad_scale",
    accepted: Mapping[str, float] | None = None,
) -> list[TermScore]:
    """Score many answers against one reference, as `score_term` would each by the strict rule."""
    given = as_given(ontology)
    target = read_target(str(reference), given)
    values = value_set(template, slot, allowed)
    weighted = read_accepted(accepted) if accepted else ()
    return [
        _score(
            read_answer(str(candidate), given, False), target, given, slot, values, weighted, False
        )
        for candidate in candidates
    ]


def value_set(
    template: str | None, slot: str, allowed: Collection[str] | None
) -> Collection[str] | None:
    """The value set that counts: the caller's own, else the template's; None for neither."""
    if allowed is None:
        return allowed_values(template, slot)
    check_slot(slot)
    if isinstance(allowed, str):
        raise ValueError(f"allowed: expected a set of CURIEs, found the text {allowed!r}")
    return allowed


def _score(
    reading: Reading,
    target: Target,
    given: Given,
    slot: str,
    values: Collection[str] | None,
    accepted: Sequence[tuple[str, float]],
    multi_valued: bool,
) -> TermScore:
    answers = reading.answers
    if len(answers) == 1:
        return _score_one(answers[0], target, given, slot, values, accepted)
    if not answers:
        return _unread(target, reading.reasons)
    if not multi_valued:
        return _unread(target, ("several_answers",))
    scores = [_score_one(answer, target, given, slot, values, accepted) for answer in answers]
    return max(scores, key=lambda score: (score.hierarchical_f1 or 0, score.ontology_score or 0))


def _unread(target: Target, reasons: tuple[str, ...]) -> TermScore:
    figure = 0.0 if target.curie is not None else None
    return _made(
        {
            "parse_success": False,
            "pred_label": None,
            "pred_curie": None,
            "truth_label": target.label,
            "truth_curie": target.curie,
            "curie_label_valid": None,
            "exact_match": False,
            "relationship": None,
            "hop_distance": None,
            "in_template_enum": None,
            "ontology_score": 0.0,
            **dict.fromkeys(_HIERARCHICAL, figure),
            "reasons": reasons + target.reasons,
        }
    )


def _score_one(
    answer: Answer,
    target: Target,
    given: Given,
    slot: str,
    values: Collection[str] | None,
    accepted: Sequence[tuple[str, float]],
) -> TermScore:
    curie, truth = answer.curie, target.curie
    in_enum = None if values is None else curie in values
    if truth is None:
        relationship, hops, score = None, None, None
        precision, recall, f1, lin = None, None, None, None
    else:
        relationship, hops, hierarchy, found = relate(curie, truth, given, slot)
        precision, recall, f1, lin = (
            best_likeness(answer, found, accepted, given, slot) if accepted else found
        )
        membership = 0.5 if in_enum is None else in_enum
        score = 0.1 + 0.1 * answer.label_valid + 0.5 * hierarchy + 0.3 * membership
    return _made(
        {
            "parse_success": True,
            "pred_label": answer.label,
            "pred_curie": curie,
            "truth_label": target.label,
            "truth_curie": truth,
            "curie_label_valid": answer.label_valid,
            "exact_match": curie == truth,
            "relationship": relationship,
            "hop_distance": hops,
            "in_template_enum": in_enum,
            "ontology_score": score,
            "hierarchical_precision": precision,
            "hierarchical_recall": recall,
            "hierarchical_f1": f1,
            "lin_similarity": lin,
            "reasons": answer.reasons + target.reasons if target.reasons else answer.reasons,
        }
    )
