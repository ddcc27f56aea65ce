"""The prompt of the environmental triad: what cases share first, then one sample's lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from curieval.models.types import Hints, Message, Reply, Request
from evals.env_triad.cases import TriadCase, candidate_texts, shown_names
from evals.env_triad.lexical import lexical_answer

MEANINGS = {
    "env_broad_scale": "the biome, the largest environmental system that the sample comes from",
    "env_local_scale": "the feature in the immediate surroundings of the sample",
    "env_medium": "the material that was in contact with the sample or surrounded it",
}
EXAMPLE = {
    "study_name": "Wall coatings in hill settlements",
    "description": "flakes from the inner wall of an inhabited home, some 40 households around it",
    "notes": "scraped with a sterile blade",
    "sampleData": "built_env_data",
    "env_broad_scale": "village biome [ENVO:01000246]",
    "env_local_scale": "house [ENVO:01000417]",
    "env_medium": "paint [ENVO:02000123]",
    "geo_loc_name": "Nepal: Gandaki Province, Lamjung",
    "depth": "",
    "analysis_type": "metagenomics",
}
ANSWER_TOKENS = 48


def build_request(case: TriadCase) -> Request:
    """The request for one case: what cases share, then its nine `Name: value` lines."""
    candidates = candidate_texts(case.template, case.slot)
    return Request(
        messages=(
            Message(role="system", content=system_text(case.slot, case.allowed)),
            *worked_example(case.slot),
            Message(role="user", content=sample_text(case.shown)),
        ),
        max_tokens=ANSWER_TOKENS,
        temperature=0.0,
        schema=answer_schema(case.allowed),
        hints=Hints(
            case_id=case.id,
            reference=case.reference,
            allowed=candidates,
            answers={"lexical": partial(lexical_answer, case.shown, candidates)},
        ),
    )


def answer_schema(allowed: Sequence[str]) -> Mapping[str, Any]:
    """The JSON Schema of an answer: one of the allowed values, else the free answer's form."""
    form = {"enum": list(allowed)} if allowed else {"description": "label [CURIE]"}
    return {
        "type": "object",
        "properties": {"answer": {"type": "string", **form}},
        "required": ["answer"],
        "additionalProperties": False,
    }


def answer_text(reply: Reply) -> str:
    """The answer itself, be it free or the value of a structured reply."""
    if isinstance(reply.parsed, Mapping) and isinstance(reply.parsed.get("answer"), str):
        return str(reply.parsed["answer"])
    return reply.text


def system_text(slot: str, allowed: Sequence[str]) -> str:
    """Role, task, form of the answer, and the allowed values where the template has a set."""
    lines = [
        "You are a curator of biosample metadata.",
        f"Name the value of the MIxS slot {slot}: {MEANINGS[slot]}.",
        "Answer with one ontology term in the form: label [CURIE]",
        "Give the answer only, without explanation.",
    ]
    if allowed:
        lines += ["Choose one of these values:", *allowed]
    return "\n".join(lines)


def worked_example(slot: str) -> tuple[Message, Message]:
    """One sample with its answer: small models keep to a form only when they see it used.

    The sample is of a template, and its values are of a kind, that no case has.
    """
    shown = [(name, EXAMPLE[name]) for name in shown_names(slot)]
    return (
        Message(role="user", content=sample_text(shown)),
        Message(role="assistant", content=EXAMPLE[slot]),
    )


def sample_text(shown: Sequence[tuple[str, str]]) -> str:
    """The metadata of a sample, one `Name: value` line each."""
    return "\n".join(f"{name}: {_one_line(value)}" for name, value in shown)


def _one_line(value: str) -> str:
    return " ".join(value.split())
