"""INDRA evidence as a task: its figures, its sample, and the baselines beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curieval.models.types import Task
from evals.indra_evidence.baselines import baselines, remarks
from evals.indra_evidence.cases import TWIN, TYPE_WORDS, EvidenceCase, load_cases
from evals.indra_evidence.figures import FIGURES, score_verdict
from evals.indra_evidence.grounded import is_rejected
from evals.indra_evidence.lexical import lexical_verdict
from evals.indra_evidence.prompt import build_request
from scoring import Verdict

STRATA = ("type", "twin")
# A type has examples of its own to read: few types keep the default run short.
SAMPLE_TYPES = ("Phosphorylation", "Activation", "Complex")
SAMPLE_PAIRS = ("01", "02")


def score_answer(case: EvidenceCase, said: Verdict) -> dict[str, Any]:
    """The columns of one case: the model's own, those behind tier 1, and what baselines need."""
    scores = score_verdict(case, said, rejected=is_rejected(case))
    return {**scores, "lexical": lexical_verdict(case)}


def suspect(case: EvidenceCase) -> str | None:
    """Why a case cannot be asked, as its file or the prompt's examples have it."""
    return case.problem or None


def sample(cases: Sequence[EvidenceCase]) -> Sequence[EvidenceCase]:
    """The named set that a model on the user's own machine runs by default: twins of three types.

    A sentence and its twin have opposite verdicts, so that both are as frequent.
    """
    words = [TYPE_WORDS[kind] for kind in SAMPLE_TYPES]
    pairs = {f"{word}-{number}" for word in words for number in SAMPLE_PAIRS}
    return [case for case in cases if case.id.removesuffix(f"-{TWIN}") in pairs]


INDRA_EVIDENCE = Task(
    name="indra_evidence",
    load_cases=load_cases,
    columns=frozenset({"text", "agents", "type", "tag"}),
    other_columns=(
        frozenset({"tag", "pa_json", "ev_json"}),
        frozenset({"statements", "curations"}),
    ),
    request=build_request,
    figures=FIGURES,
    headline_slice="type",
    strata=STRATA,
    sample=sample,
    sample_size=len(SAMPLE_TYPES) * len(SAMPLE_PAIRS) * 2,
    words=frozenset(TYPE_WORDS.values()) | {TWIN},
    baselines=baselines,
    suspect=suspect,
    remarks=remarks,
)
