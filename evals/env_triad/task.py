"""The environmental triad as a task: its figures, its sample, and the baselines beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from curieval.models.types import Baseline, Figure, Task
from evals.env_triad.baselines import constant_and_random, reference_key
from evals.env_triad.branches import branch_columns
from evals.env_triad.cases import SLOTS, TEMPLATE_SLOT, TEMPLATE_WORDS, TriadCase, load_cases
from evals.env_triad.explain import explain
from evals.env_triad.patterns import remarks
from evals.env_triad.prompt import build_request
from evals.env_triad.sample_data import ENV_TEMPLATE
from evals.selection import stratified
from scoring import (
    Ontology,
    TermScore,
    audit_reference,
    load_ontology,
    score_term,
)

STRATA = ("slot", "template")
SAMPLE_SIZE = 30
MOST_VALUES = 56
FIGURES = (
    Figure(name="hierarchical_f1", primary=True),
    Figure(name="ontology_score"),
    Figure(name="lin_similarity"),
    Figure(name="hierarchical_precision"),
    Figure(name="hierarchical_recall"),
)


def score_answer(
    case: TriadCase,
    answer: str,
    ontologies: Sequence[Ontology] | None = None,
    *,
    lenient: bool = False,
) -> TermScore:
    """Score an answer's text against the case; the shipped ontologies serve by default."""
    return score_term(
        prediction=answer,
        reference=case.reference,
        ontology=ontologies or shipped_ontologies(),
        template=case.template,
        slot=case.slot,
        accepted=dict(case.accepted),
        lenient=lenient,
    )


def score_row(
    case: TriadCase, answer: str, ontologies: Sequence[Ontology] | None = None
) -> dict[str, Any]:
    """The columns of a record: the strict reading's, the branches, and what leniency gives."""
    score = score_answer(case, answer, ontologies)
    lenient = score_answer(case, answer, ontologies, lenient=True)
    return {
        **score.as_row(),
        **branch_columns(score, case.slot, tuple(ontologies or shipped_ontologies())),
        "lenient_ontology_score": lenient.ontology_score,
        "lenient_hierarchical_f1": lenient.hierarchical_f1,
        "lenient_reasons": lenient.as_row()["reasons"],
    }


def suspect(case: TriadCase, ontologies: Sequence[Ontology] | None = None) -> str | None:
    """Why the case's reference, or one that it also accepts, cannot be judged against."""
    for reference in (case.reference, *(text for text, _ in case.accepted)):
        reason: str | None = audit_reference(
            reference,
            template=case.template,
            slot=case.slot,
            ontologies=ontologies or shipped_ontologies(),
        )
        if reason:
            return reason
    return None


def sample(cases: Sequence[TriadCase]) -> Sequence[TriadCase]:
    """The named set that a model on the user's own machine runs by default.

    It leaves out the value sets of more than 56 values: reading their prompts would take most of
    the time of a run on two cores.
    """
    quick = [case for case in cases if len(case.allowed) <= MOST_VALUES]
    return stratified(quick, SAMPLE_SIZE, strata=STRATA)


def baselines(
    records: Sequence[Mapping[str, Any]], ontologies: Sequence[Ontology] | None = None
) -> Sequence[Baseline]:
    """What two answers without a model reach on these records, as `constant_and_random` has it."""
    return constant_and_random(Counter(map(reference_key, records)), ontologies=ontologies)


def with_ontologies(ontologies: Sequence[Ontology]) -> Task:
    """The task with audits, baselines and explanations by these ontologies."""
    return replace(
        ENV_TRIAD,
        suspect=partial(suspect, ontologies=ontologies),
        baselines=partial(baselines, ontologies=ontologies),
        explain=partial(explain, ontologies=ontologies),
    )


@cache
def shipped_ontologies() -> tuple[Ontology, ...]:
    """ENVO and the Plant Ontology, as shipped."""
    return (load_ontology("envo"), load_ontology("po"))


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
    explain=explain,
    remarks=remarks,
    with_ontologies=with_ontologies,
    targets={TEMPLATE_SLOT: ENV_TEMPLATE},
)
