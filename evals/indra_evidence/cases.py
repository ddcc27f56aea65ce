"""The cases of evidence: the project's authored sentences, or curated ones of a user's file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from curieval.models.types import Case
from scoring import example_texts, find_contamination
from scoring.grounding import Entity, Grounding

FOLDER = Path(__file__).parent
CASES, GROUNDED = FOLDER / "cases.jsonl", FOLDER / "grounded.json"
CORRECT = "correct"
# A statement type and its word in ids, where no word may stand within another.
TYPE_WORDS = {
    "Phosphorylation": "phosphorylation",
    "Dephosphorylation": "dephospho",
    "Autophosphorylation": "autophospho",
    "Ubiquitination": "ubiquitination",
    "Deubiquitination": "deubiquitin",
    "Acetylation": "acetylation",
    "Deacetylation": "deacetyl",
    "Methylation": "methylation",
    "Demethylation": "demethyl",
    "Sumoylation": "sumoylation",
    "Palmitoylation": "palmitoylation",
    "Hydroxylation": "hydroxylation",
    "Glycosylation": "glycosylation",
    "Activation": "activation",
    "Inhibition": "inhibition",
    "IncreaseAmount": "increase",
    "DecreaseAmount": "decrease",
    "Complex": "complex",
    "Translocation": "shuttling",
    "ActiveForm": "activeform",
    "Gef": "gef",
    "Gap": "gap",
    "Conversion": "conversion",
}
TWIN, ORIGINAL = "twin", "original"


@dataclass(frozen=True, kw_only=True)
class ClaimAgent:
    """An agent of a claim: its name, the reader's own text for it, and its ids by database."""

    name: str
    raw_text: str | None
    refs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class EvidenceCase(Case):
    """One sentence and what a reader took it to say.

    `claim` is the statement as text, `kind` its type; `agents` stand in INDRA's order, None for
    an unknown one. `groundings` is what tier 1 found for each, None where it has yet to look.
    `problem` says why the case cannot be asked.
    """

    claim: str
    kind: str
    text: str
    agents: tuple[ClaimAgent | None, ...]
    reader: str
    cluster: str
    groundings: tuple[Grounding | None, ...] | None = None
    problem: str = ""


def load_cases(path: Path | None = None) -> Sequence[EvidenceCase]:
    """The project's cases, or those of a user's file.

    What cannot be asked is kept as a case with a `problem`, so that it is named and counted:
    also sentences and entity pairs that the examples of the prompt give away. Raises
    CaseFileError for a file of none of the forms that the data card lists.
    """
    if path is None:
        return own_cases()
    from evals.indra_evidence.forms import cases_of_file

    return refuse_contaminated(cases_of_file(path))


@cache
def own_cases() -> tuple[EvidenceCase, ...]:
    """The authored cases, with what tier 1 found when their groundings were last written."""
    grounded = json.loads(GROUNDED.read_text(encoding="utf-8"))
    cases = [
        authored_case(row, grounded, origin=f"{CASES.name}:{number}")
        for number, row in enumerate(own_rows(), start=1)
    ]
    return tuple(refuse_contaminated(cases))


def own_rows() -> list[dict[str, Any]]:
    """The authored cases as they stand in the file: curations with statement and evidence."""
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def refuse_contaminated(cases: Sequence[EvidenceCase]) -> list[EvidenceCase]:
    """The cases, with a problem for those that also stand in the examples a model is shown."""
    asked = [case for case in cases if not case.problem]
    found: dict[str, str] = {}
    for one in find_contamination(example_texts(), map(as_compared, asked)):
        found.setdefault(one.case["id"], f"{one.kind} match with example {one.example.id}")
    return [
        replace(case, problem=_given_away(case, found[case.id])) if case.id in found else case
        for case in cases
    ]


def _given_away(case: EvidenceCase, how: str) -> str:
    return f"{case.origin}: the prompt's examples give it away ({how}); leave it out"


def as_compared(case: EvidenceCase) -> dict[str, Any]:
    """What of a case is compared with the examples: sentence, entities, type."""
    names = [agent.name for agent in case.agents if agent]
    return {"id": case.id, "text": case.text, "agents": names, "type": case.kind}


def authored_case(
    row: Mapping[str, Any], grounded: Mapping[str, Any], *, origin: str
) -> EvidenceCase:
    """The case of an authored row, with its claim and groundings as they were last written."""
    kind, evidence, known = row["pa_json"]["type"], row["ev_json"], grounded["cases"][row["id"]]
    found = [_grounding(one, grounded["names"]) for one in known["agents"]]
    return EvidenceCase(
        id=row["id"],
        label=known["claim"],
        slices={
            "type": kind,
            "reader": evidence["source_api"],
            "tag": row["tag"],
            "twin": row["twin"],
            "difficulty": row["difficulty"],
        },
        reference=reference_of(row["tag"]),
        origin=origin,
        claim=known["claim"],
        kind=kind,
        text=evidence["text"],
        agents=tuple(map(_agent, found)),
        reader=evidence["source_api"],
        cluster=row["cluster"],
        groundings=tuple(found),
    )


def reference_of(tag: str) -> str:
    """The verdict that a curator's tag stands for."""
    return CORRECT if tag == CORRECT else "incorrect"


def _agent(found: Grounding | None) -> ClaimAgent | None:
    return None if found is None else ClaimAgent(name=found.claim_name, raw_text=found.raw_text)


def _grounding(
    row: Mapping[str, Any] | None, names: Mapping[str, Sequence[str]]
) -> Grounding | None:
    if row is None:
        return None
    return Grounding(
        status=row["status"],
        auto_reject=row["auto_reject"],
        claim_name=row["claim_name"],
        raw_text=row["raw_text"],
        entity=_entity(row["entity"]),
        best=_entity(row["best"]),
        rivals=tuple(Entity(**rival) for rival in row["rivals"]),
        names=tuple(names[row["claim_name"]]),
    )


def _entity(row: Mapping[str, Any] | None) -> Entity | None:
    return None if row is None else Entity(**row)
