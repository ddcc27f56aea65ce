"""The prompt of a protein question, and what an adjudicator is asked about the answer."""

from __future__ import annotations

import hashlib

from curieval.models.types import Hints, Judgement, Message, Reply, Request
from evals.protein_qa.cases import QaCase
from scoring.judge import judge_request, parse_rubric
from scoring.judge_reference import judge_by_terms

ANSWER_TOKENS = 160
JUDGE_TOKENS = 400
RULES = "\n".join(
    (
        "You answer questions about proteins for people who annotate them.",
        "Answer in one to three sentences, with the fact that is asked for and nothing else.",
        "Where the question cannot be answered from what is known or given, say so.",
    )
)


def build_request(case: QaCase) -> Request:
    """The request for one question: the shared rules, then context and question."""
    text = f"{case.context}\n\n{case.question}" if case.context else case.question
    return Request(
        messages=(Message(role="system", content=RULES), Message(role="user", content=text)),
        max_tokens=ANSWER_TOKENS,
        hints=Hints(case_id=case.id, reference=case.reference),
    )


def build_judge_request(case: QaCase, reply: Reply, attempt: int) -> Request | None:
    """What the adjudicator is asked; None for an empty answer or a refusal, which score 0."""
    answer = reply.text.strip()
    if not answer or reply.finish == "refusal":
        return None
    asked = judge_request(
        case.question,
        case.reference,
        answer,
        mode="rubric",
        rubric=case.rubric,
        nonce=_nonce(case.id, answer),
    )
    return Request(
        messages=tuple(Message(role=m.role, content=m.content) for m in asked.messages),
        max_tokens=JUDGE_TOKENS,
        schema=asked.schema,
        repeat=attempt,
        hints=Hints(
            case_id=case.id,
            answers={
                "reference-judge": lambda: judge_by_terms(
                    answer, case.rubric, reference=case.reference
                ).as_reply()
            },
        ),
    )


def read_judgement(case: QaCase, reply: Reply) -> Judgement:
    """The score that an adjudicator's reply gives by the rubric, read strictly."""
    found = parse_rubric(reply.text, case.rubric)
    return Judgement(score=found.score, reason=found.reason)


def _nonce(case_id: str, answer: str) -> str:
    # It follows from the answer, so that no answer can hold it, and is the same in every run.
    return hashlib.sha256(f"{case_id}\n{answer}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
