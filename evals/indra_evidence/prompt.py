"""The request for one sentence: rules and examples of its type, then claim, names, sentence."""

from __future__ import annotations

import json
from functools import partial

from curieval.models.types import Hints, Message, Request
from evals.indra_evidence.cases import EvidenceCase
from evals.indra_evidence.grounded import groundings_of
from evals.indra_evidence.lexical import lexical_verdict
from scoring.evidence import ANSWER_TOKENS, claim_prompt


def build_request(case: EvidenceCase) -> Request:
    """The request for one case; the system message is the same for all sentences of a type."""
    prompt = claim_prompt(
        case.claim, kind=case.kind, text=case.text, groundings=groundings_of(case)
    )
    return Request(
        messages=(
            Message(role="system", content=prompt.system),
            Message(role="user", content=prompt.user),
        ),
        max_tokens=ANSWER_TOKENS,
        schema=prompt.schema,
        hints=Hints(
            case_id=case.id,
            reference=answer(case.reference),
            allowed=(answer("correct"), answer("incorrect")),
            answers={"lexical": partial(_lexical_answer, case)},
        ),
    )


def answer(verdict: str) -> str:
    """A verdict as a model is asked to give it, with high confidence."""
    return json.dumps({"verdict": verdict, "confidence": "high"})


def _lexical_answer(case: EvidenceCase) -> str:
    return answer(lexical_verdict(case))
