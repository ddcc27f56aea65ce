"""Writes grounded.json: the claims of the authored cases, and what tier 1 finds of agents."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from curieval.evidence import read_statement
from curieval.grounder import open_grounder
from evals.indra_evidence.cases import GROUNDED, own_rows
from scoring import Grounding, claim_text, ground_agents
from scoring.evidence import is_negated


def grounded_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """The file's content for rows of cases, by the terms built from what indra and gilda ship."""
    grounder = open_grounder("shipped")
    names: dict[str, tuple[str, ...]] = {}
    cases: dict[str, Any] = {}
    for row in rows:
        statement, evidence = read_statement(row["pa_json"]), row["ev_json"]
        found = ground_agents(statement, evidence, grounder=grounder, families=grounder.families)
        names |= {one.claim_name: one.names for one in found if one}
        cases[row["id"]] = {
            "claim": claim_text(statement, negated=is_negated(evidence)),
            "agents": [one and _row(one) for one in found],
        }
    lines = [
        "{",
        '"names": {',
        ",\n".join(f"{_json(name)}: {_json(texts)}" for name, texts in sorted(names.items())),
        "},",
        '"cases": {',
        ",\n".join(f"{_json(case_id)}: {_json(case)}" for case_id, case in cases.items()),
        "}",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _row(found: Grounding) -> dict[str, Any]:
    row = asdict(found)
    del row["names"]
    return row


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    GROUNDED.write_text(grounded_text(own_rows()), encoding="utf-8")
