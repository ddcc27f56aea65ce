"""The environmental triad as a task: its figures, its sample, and the baselines beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from curieval.models.types import Baseline, Figure, Task
from evals.env_triad.cases import (
    SLOTS,
    TEMPLATE_WORDS,
    TriadCase,
    candidate_texts,
    load_cases,
)
from evals.env_triad.prompt import build_request
from evals.selection import stratified
from scoring import (
    Ontology,
    TermScore,
    audit_reference,
    load_ontology,
    score_candidates,
    score_term,
)

STRATA = ("slot", "template")
SAMPLE_SIZE = 36
# Reference, other accepted values with their weights, template, slot.
ReferenceKey = tuple[str, tuple[tuple[str, float], ...], str, str]
LONG_SETS = frozenset({"soil_data", "water_data", "plant_associated_data"})
FIGURES = (
    Figure(name="hierarchical_f1", primary=True),
    Figure(name="ontology_score"),
    Figure(name="lin_similarity"),
    Figure(name="hierarchical_precision"),
    Figure(name="hierarchical_recall"),
)


def score_answer(
    case: TriadCase, answer: str, ontologies: Sequence[Ontology] | None = None
) -> TermScore:
    """Score an answer's text against the case; the shipped ontologies serve by default."""
    return score_term(
        prediction=answer,
        reference=case.reference,
        ontology=ontologies or shipped_ontologies(),
        template=case.template,
        slot=case.slot,
        accepted=dict(case.accepted),
    )


def suspect(case: TriadCase) -> str | None:
    """Why the case's reference, or one that it also accepts, cannot be judged against."""
    for reference in (case.reference, *(text for text, _ in case.accepted)):
        reason: str | None = audit_reference(
            reference, template=case.template, slot=case.slot, ontologies=shipped_ontologies()
        )
        if reason:
            return reason
    return None


def sample(cases: Sequence[TriadCase]) -> Sequence[TriadCase]:
    """The named set that a model on the user's own machine runs by default.

    All templates stand in it for the broad scale. Local scale and medium leave out the three
    longest value sets, since reading those prompts takes most of the time of a run on two cores.
    """
    quick = [
        case for case in cases if case.slot == "env_broad_scale" or case.template not in LONG_SETS
    ]
    return stratified(quick, SAMPLE_SIZE, strata=STRATA)


def baselines(records: Sequence[Mapping[str, Any]]) -> Sequence[Baseline]:
    """What two answers without a model reach on these records, as `constant_and_random` has it."""
    return constant_and_random(Counter(map(_key, records)))


def constant_and_random(
    references: Mapping[ReferenceKey, int], ontologies: Sequence[Ontology] | None = None
) -> Sequence[Baseline]:
    """What two answers without a model reach on these references, counted by how often each stands.

    For each figure the constant answer with the highest mean, among all values that the
    templates allow and all the references; and the mean over all allowed answers, which is
    what random picks reach. Nothing for no references. The shipped ontologies serve by default.
    """
    if not references:
        return ()
    total = sum(references.values())
    given = tuple(ontologies or shipped_ontologies())
    scored = [(_candidate_scores(*key, given), count) for key, count in references.items()]
    found = []
    for figure in FIGURES:
        best, value = _best_constant([(s[figure.name], count) for s, count in scored], total)
        found.append(Baseline(name="best_constant", answer=best, figures={figure.name: value}))
    random_means = {
        figure.name: sum(s["random"][figure.name] * count for s, count in scored) / total
        for figure in FIGURES
    }
    return (*found, Baseline(name="random", answer="a random allowed value", figures=random_means))


@cache
def shipped_ontologies() -> tuple[Ontology, ...]:
    """ENVO and the Plant Ontology, as shipped."""
    return (load_ontology("envo"), load_ontology("po"))


def _key(record: Mapping[str, Any]) -> ReferenceKey:
    accepted = tuple(sorted(record.get("accepted", {}).items()))
    slices = record["slices"]
    return record["reference"], accepted, slices["template"], slices["slot"]


@cache
def _candidate_scores(
    reference: str,
    accepted: tuple[tuple[str, float], ...],
    template: str,
    slot: str,
    ontologies: tuple[Ontology, ...],
) -> Mapping[str, Mapping[str, float]]:
    """Figure to answer to score, non-zero ones alone; under "random" the mean of each figure."""
    ownset = candidate_texts(template, slot)
    others = {text for each in TEMPLATE_WORDS for text in candidate_texts(each, slot)}
    answers = [*ownset, *sorted((others | {reference}) - set(ownset))]
    scores = score_candidates(
        candidates=answers,
        reference=reference,
        ontology=ontologies,
        template=template,
        slot=slot,
        accepted=dict(accepted),
    )
    table: dict[str, dict[str, float]] = {"random": {}}
    for figure in FIGURES:
        values = [getattr(score, figure.name) or 0.0 for score in scores]
        table[figure.name] = {a: v for a, v in zip(answers, values, strict=True) if v}
        table["random"][figure.name] = sum(values[: len(ownset)]) / len(ownset)
    return table


def _best_constant(
    columns: Sequence[tuple[Mapping[str, float], int]], total: int
) -> tuple[str, float]:
    sums: dict[str, float] = {}
    for column, count in columns:
        for answer, value in column.items():
            sums[answer] = sums.get(answer, 0.0) + value * count
    best = min(sums, key=lambda answer: (-sums[answer], answer), default="")
    return best, sums.get(best, 0.0) / total


ENV_TRIAD = Task(
    name="env_triad",
    load_cases=load_cases,
    columns=frozenset({"id", "slot", "sampleData", "reference"}),
    request=build_request,
    figures=FIGURES,
    headline_slice="slot",
    strata=STRATA,
    sample=sample,
    sample_size=SAMPLE_SIZE,
    words=frozenset(TEMPLATE_WORDS.values()) | {slot.split("_")[1] for slot in SLOTS},
    baselines=baselines,
    suspect=suspect,
)
