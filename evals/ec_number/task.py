"""EC numbers as a task: its figures, its sample, and the baselines beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curieval.models.types import Figure, Task
from evals.ec_number.baselines import baselines
from evals.ec_number.cases import WORDS, EcCase, load_cases
from evals.ec_number.prompt import build_request
from evals.selection import stratified
from scoring import EcAnswer, ec_status, hierarchical_micro_f1

STRATA = ("category", "shown")
SAMPLE_SIZE = 40
FIGURES = (
    Figure(name="hierarchical_micro_f1", aggregate="micro_f1", primary=True),
    Figure(name="hierarchical_micro_precision", aggregate="micro_precision"),
    Figure(name="hierarchical_micro_recall", aggregate="micro_recall"),
    Figure(name="level_1_f1", aggregate="level_1_f1"),
    Figure(name="level_2_f1", aggregate="level_2_f1"),
    Figure(name="level_3_f1", aggregate="level_3_f1"),
    Figure(name="level_4_f1", aggregate="level_4_f1"),
    Figure(name="mean_level_f1", aggregate="mean_level_f1"),
    Figure(name="exact_set"),
    Figure(name="abstention_accuracy"),
)


def is_unreadable(answer: EcAnswer) -> bool:
    """Whether an answer names no number and does not say that there is none."""
    return not answer.codes and answer.reason != "explicit_none"


def score_answer(case: EcCase, answer: EcAnswer) -> dict[str, Any]:
    """The columns of one case: its counts for the pooled figures, and what is its own.

    A partial reference says nothing of the fields it lacks, so a deeper answer on its path is
    not counted as wrong there. `abstention_accuracy` is 1 or 0 for a protein that is no enzyme,
    else None; the F1 of a case with nothing to count, a correct abstention, is None.
    """
    score = hierarchical_micro_f1(
        reference=[case.codes], prediction=[answer.codes], partial_reference="open"
    )
    protein = score.per_protein[0]
    levels = {
        f"level_{level}_{kind}": getattr(counts, kind)
        for level, counts in score.levels.items()
        for kind in ("tp", "fp", "fn")
    }
    return {
        "hierarchical_micro_f1": score.f1,
        "hierarchical_micro_precision": score.precision,
        "hierarchical_micro_recall": score.recall,
        "exact_set": float(protein.exact_set),
        "abstention_accuracy": score.abstention_accuracy,
        "tp": score.total.tp,
        "fp": score.total.fp,
        "fn": score.total.fn,
        **levels,
        **{f"level_{level}_f1": counts.f1 for level, counts in score.levels.items()},
        "mean_level_f1": score.mean_level_f1,
        "deepest_match": protein.deepest_match,
        "predicted": "; ".join(answer.codes),
        "reading": answer.reason,
        "dead_numbers": "; ".join(sorted([*score.transferred, *score.deleted])) or None,
    }


def suspect(case: EcCase) -> str | None:
    """Why the reference cannot be judged against: a number that is not on the valid list."""
    for code in case.codes:
        status = ec_status(code)
        if status != "valid":
            return f"EC {code} is {status}"
    return None


def sample(cases: Sequence[EcCase]) -> Sequence[EcCase]:
    """The named set that a model on the user's own machine runs by default."""
    return stratified(cases, SAMPLE_SIZE, strata=STRATA)


EC_NUMBER = Task(
    name="ec_number",
    load_cases=load_cases,
    columns=frozenset({"id", "ec"}),
    request=build_request,
    figures=FIGURES,
    headline_slice="shown",
    strata=STRATA,
    sample=sample,
    sample_size=SAMPLE_SIZE,
    words=WORDS,
    baselines=baselines,
    suspect=suspect,
)
