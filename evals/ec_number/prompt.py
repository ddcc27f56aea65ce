"""The prompt for EC numbers: what all cases share first, then the lines of one protein."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

from curieval.models.types import Hints, Message, Reply, Request
from evals.ec_number.cases import EcCase, load_cases
from evals.ec_number.lexical import lexical_answer

SYSTEM = "\n".join(
    (
        "You are a curator of enzymes.",
        "Name the EC number (Enzyme Commission number) of the protein that is described.",
        "Answer with the number in the form a.b.c.d; several numbers separated by '; ' if it "
        "catalyses several reactions; '-' for a field that is not known, as in a.b.-.-; "
        "'none' if it is not an enzyme.",
        "Give the answer only, without explanation.",
    )
)
# Bacterial proteins whose numbers no case has: small models keep to a form only when they see it.
EXAMPLES = (
    ((("Gene", "trpB (Escherichia coli)"),), "4.2.1.20"),
    ((("Gene", "thrA (Escherichia coli)"),), "2.7.2.4; 1.1.1.3"),
    ((("Gene", "ompA (Escherichia coli)"),), "none"),
)
ANSWER_TOKENS = 40
ANSWER_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "ec_numbers": {
            "type": "array",
            "items": {"type": "string", "description": "a.b.c.d, with - for an unknown field"},
            "description": "empty if the protein is not an enzyme",
        }
    },
    "required": ["ec_numbers"],
    "additionalProperties": False,
}


def build_request(case: EcCase) -> Request:
    """The request for one case: shared rules and examples, then what is shown of the protein."""
    return Request(
        messages=(*shared_messages(), Message(role="user", content=protein_text(case.shown))),
        max_tokens=ANSWER_TOKENS,
        temperature=0.0,
        schema=ANSWER_SCHEMA,
        hints=Hints(
            case_id=case.id,
            reference=case.reference,
            allowed=allowed_answers(),
            answers={"lexical": partial(lexical_answer, case.shown)},
        ),
    )


def answer_text(reply: Reply) -> str:
    """The answer as free text: of a structured reply its numbers, or `none`."""
    numbers = reply.parsed.get("ec_numbers") if isinstance(reply.parsed, Mapping) else None
    if not isinstance(numbers, list):
        return reply.text
    return "; ".join(str(number) for number in numbers) or "none"


@cache
def shared_messages() -> tuple[Message, ...]:
    """The rules and the worked examples, the same for every case."""
    messages = [Message(role="system", content=SYSTEM)]
    for shown, answer in EXAMPLES:
        messages += [
            Message(role="user", content=protein_text(shown)),
            Message(role="assistant", content=answer),
        ]
    return tuple(messages)


@cache
def allowed_answers() -> tuple[str, ...]:
    """The references of the project's cases, each as often as it occurs: what random draws from."""
    return tuple(case.reference for case in load_cases())


def protein_text(shown: Sequence[tuple[str, str]]) -> str:
    """What is shown of a protein, one `Name: value` line each."""
    return "\n".join(f"{name}: {' '.join(value.split())}" for name, value in shown)
