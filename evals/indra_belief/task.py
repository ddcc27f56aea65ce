"""Belief in INDRA statements as a task: its figures, its sample, and the baselines beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curieval.models.types import Task
from evals.indra_belief.baselines import baselines, remarks
from evals.indra_belief.cases import WORD, BeliefCase, load_cases
from evals.indra_belief.figures import FIGURES, compose, score_sentence
from evals.indra_evidence.grounded import is_rejected
from evals.indra_evidence.lexical import lexical_verdict
from evals.indra_evidence.prompt import build_request
from scoring import Verdict

# A type has examples of its own to read: one type keeps the default run short.
SAMPLE_TYPE = "Phosphorylation"
SAMPLE_STATEMENTS = 4


def score_answer(case: BeliefCase, said: Verdict) -> dict[str, Any]:
    """The columns of one sentence: the model's own, tier 1's, and what baselines need."""
    scores = score_sentence(case, said, rejected=is_rejected(case))
    return {**scores, "lexical": lexical_verdict(case)}


def suspect(case: BeliefCase) -> str | None:
    """Why a case cannot be asked, as its file or the prompt's examples have it."""
    return case.problem or None


def statement_of(case: BeliefCase) -> str:
    """The statement that a sentence is evidence of."""
    return case.statement


def sample(cases: Sequence[BeliefCase]) -> Sequence[BeliefCase]:
    """The named set that a model on the user's own machine runs by default: whole statements."""
    of_type = [case for case in cases if case.kind == SAMPLE_TYPE]
    chosen = list(dict.fromkeys(case.statement for case in of_type))[:SAMPLE_STATEMENTS]
    return [case for case in of_type if case.statement in chosen]


INDRA_BELIEF = Task(
    name="indra_belief",
    load_cases=load_cases,
    columns=frozenset({"statement", "evidence"}),
    request=build_request,
    figures=FIGURES,
    headline_slice="type",
    strata=("type",),
    sample=sample,
    sample_size=3 * SAMPLE_STATEMENTS,
    words=frozenset({WORD}),
    baselines=baselines,
    suspect=suspect,
    remarks=remarks,
    group=statement_of,
    compose=compose,
)
