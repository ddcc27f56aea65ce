"""The prompt of a protein question, and what an adjudicator is asked about the answer."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from curieval.models.types import Hints, Judgement, Message, Reply, Request
from evals.protein_qa.cases import QaCase
from scoring.judge import Mode, Rubric, RubricPoint, judge_request, parse_rubric
from scoring.judge_reference import judge_by_terms
from scoring.judge_score import parse_judge_score

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


def build_judge_request(
    case: QaCase, reply: Reply, attempt: int, *, mode: Mode = "rubric", is_reversed: bool = False
) -> Request | None:
    """What the adjudicator is asked; None for an empty answer or a refusal, which score 0.

    `is_reversed` lists the points of the rubric from the last to the first.
    """
    answer = reply.text.strip()
    if not answer or reply.finish == "refusal":
        return None
    rubric = turned(case.rubric) if is_reversed else case.rubric
    asked = judge_request(
        case.question,
        case.reference,
        answer,
        mode=mode,
        rubric=rubric,
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
                "reference-judge": lambda: _by_terms(answer, rubric, case.reference, mode),
            },
        ),
    )


def read_judgement(case: QaCase, reply: Reply, *, mode: Mode = "rubric") -> Judgement:
    """The score that an adjudicator's reply gives, read strictly."""
    found = (
        parse_judge_score(reply.text) if mode == "card" else parse_rubric(reply.text, case.rubric)
    )
    return Judgement(score=found.score, reason=found.reason)


def turned(rubric: Rubric) -> Rubric:
    """The same rubric, its points from the last to the first."""
    return Rubric(points=rubric.points[::-1], must_not_say=rubric.must_not_say[::-1])


def judge_settings(mode: Mode) -> dict[str, Any]:
    """What a score depends on besides the judge: mode, hash of the rules, sampling."""
    blank = Rubric(points=(RubricPoint(id="p1", text=""),))
    rules = judge_request("", "", "", mode=mode, rubric=blank, nonce="k").messages[0].content
    return {
        "mode": mode,
        "prompt_sha256": hashlib.sha256(rules.encode()).hexdigest(),
        "temperature": 0.0,
        "max_tokens": JUDGE_TOKENS,
    }


def _by_terms(answer: str, rubric: Rubric, reference: str, mode: Mode) -> str:
    verdict = judge_by_terms(answer, rubric, reference=reference)
    return json.dumps({"score": round(verdict.score)}) if mode == "card" else verdict.as_reply()


def _nonce(case_id: str, answer: str) -> str:
    # It follows from the answer, so that no answer can hold it, and is the same in every run.
    return hashlib.sha256(f"{case_id}\n{answer}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
