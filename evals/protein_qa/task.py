"""Protein questions as a task: free answers, scored by an adjudicator."""

from __future__ import annotations

from collections.abc import Sequence

from curieval.models.types import Figure, Judge, Task
from evals.protein_qa.canaries import check_judge
from evals.protein_qa.cases import GENERATED, KIND_WORDS, QaCase, load_cases
from evals.protein_qa.prompt import build_judge_request, build_request, read_judgement
from evals.selection import stratified

STRATA = ("kind",)
SAMPLE_SIZE = 12


def sample(cases: Sequence[QaCase]) -> Sequence[QaCase]:
    """The named set that a model on the user's own machine runs by default: one authored a kind.

    Generated items ask for what a small model cannot know.
    """
    authored = [case for case in cases if case.slices.get("made") != GENERATED]
    return stratified(authored, SAMPLE_SIZE, strata=STRATA)


PROTEIN_QA = Task(
    name="protein_qa",
    load_cases=load_cases,
    columns=frozenset({"id", "question", "reference"}),
    request=build_request,
    figures=(Figure(name="llm_score", primary=True, scale=100.0),),
    headline_slice="kind",
    strata=STRATA,
    sample=sample,
    sample_size=SAMPLE_SIZE,
    words=frozenset(KIND_WORDS.values()),
    judge=Judge(request=build_judge_request, read=read_judgement, check=check_judge),
)
