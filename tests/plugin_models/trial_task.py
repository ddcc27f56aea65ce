"""A task of numbered questions that an echoing model answers right; copied into each trial."""

from __future__ import annotations

import os

from curieval.models.types import Case, Figure, Hints, Message, Request, Task
from fixtures.cases import evaluation

SYSTEM = Message(role="system", content="Repeat the question.")
SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}


def load_cases(file):
    return [
        Case(
            id=f"trial-{number:03}",
            label=f"question {number}",
            slices={"tens": f"t{number // 10}"},
            reference=f"echo: question {number:03}",
            origin=f"trial:{number}",
        )
        for number in range(int(os.environ["TRIAL_CASES"]))
    ]


def build_request(case):
    return Request(
        messages=(SYSTEM, Message(role="user", content=case.reference.removeprefix("echo: "))),
        max_tokens=16,
        schema=SCHEMA,
        hints=Hints(case_id=case.id, reference=case.reference),
    )


TRIAL = Task(
    name="trial",
    load_cases=load_cases,
    columns=frozenset({"id"}),
    request=build_request,
    figures=(Figure(name="exact", primary=True),),
    headline_slice="",
    strata=(),
    sample=lambda cases: cases,
    sample_size=10,
    words=frozenset({"trial"}),
)


@evaluation(TRIAL)
def test_trial(case, reply, record):
    record({"exact": float(reply.text == case.reference)})
