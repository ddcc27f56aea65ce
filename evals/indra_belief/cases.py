"""The sentences of statements, each a case: authored ones, or those of a user's file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from curieval.models.types import CaseFileError
from evals.indra_evidence.cases import EvidenceCase, authored_case, refuse_contaminated
from evals.rows import read_rows, refuse_doubled
from scoring.evidence import is_negated
from scoring.priors import fold_source, load_priors

FOLDER = Path(__file__).parent
STATEMENTS, GROUNDED = FOLDER / "statements.jsonl", FOLDER / "grounded.json"
# The word of all ids: statements are told apart by number, their types by slice.
WORD = "stmt"
PRIORS = "indra"


@dataclass(frozen=True, kw_only=True)
class BeliefCase(EvidenceCase):
    """One sentence of a statement that has `n_sentences`; a case's `cluster` is its statement.

    `negated` says that the reader took the sentence to deny the claim.
    """

    statement: str
    n_sentences: int
    negated: bool


class StatementRow(BaseModel):
    """A statement as INDRA's JSON, and its evidence as INDRA's JSON, each with a curator's tag."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)

    id: str = Field(default="", max_length=60)
    difficulty: str = ""
    statement: dict[str, Any]
    evidence: list[dict[str, Any]] = Field(min_length=1)


def load_cases(path: Path | None = None) -> Sequence[BeliefCase]:
    """The sentences of the project's statements, or of those in a user's file.

    A statement with a sentence that cannot be asked is not asked at all: each of its cases has
    that `problem`. Raises CaseFileError for a file that holds no such rows, and for doubled ids.
    """
    return own_cases() if path is None else _whole(refuse_contaminated(list(_read(path))))


@cache
def own_cases() -> tuple[BeliefCase, ...]:
    """The authored sentences, with what tier 1 found when their groundings were last written."""
    grounded = json.loads(GROUNDED.read_text(encoding="utf-8"))
    cases = [
        _of_statement(
            authored_case(row, grounded, origin=f"{STATEMENTS.name}:{row['line']}"),
            statement=row["statement"],
            n_sentences=row["n_sentences"],
            difficulty=row["difficulty"],
            negated=is_negated(row["ev_json"]),
        )
        for row in own_rows()
    ]
    return tuple(_whole(refuse_contaminated(cases)))


def own_rows() -> Iterator[dict[str, Any]]:
    """The authored sentences as they stand in the file, one row each."""
    lines = STATEMENTS.read_text(encoding="utf-8").splitlines()
    for line, row in enumerate(map(json.loads, lines), start=1):
        for number, evidence in enumerate(row["evidence"], start=1):
            yield {
                "id": f"{row['id']}-{number}",
                "line": line,
                "statement": row["id"],
                "n_sentences": len(row["evidence"]),
                "difficulty": row["difficulty"],
                "tag": evidence["tag"],
                "twin": "",
                "cluster": row["id"],
                "pa_json": row["statement"],
                "ev_json": evidence,
            }


def _read(path: Path) -> Iterator[BeliefCase]:
    from evals.indra_evidence.grounded import look_up
    from evals.indra_evidence.statements import left_out, make_case

    places: dict[str, str] = {}
    cases: list[BeliefCase] = []
    known = load_priors(PRIORS)
    for number, (origin, row) in enumerate(read_rows(path, StatementRow), start=1):
        statement = row.id or f"{WORD}-{number}"
        refuse_doubled(places, statement, origin)
        seen: dict[tuple[str, str], int] = {}
        for place, evidence in enumerate(row.evidence, start=1):
            case_id, where = f"{statement}-{place}", f"{origin}, evidence {place}"
            case = make_case(
                case_id,
                statement=row.statement,
                evidence=evidence,
                tag=evidence.get("tag"),
                origin=where,
                cluster=statement,
            )
            first = seen.setdefault((case.reader, case.text), place)
            if not case.problem and fold_source(case.reader) not in known:
                why = f"source {case.reader[:60]!r} has no prior in {PRIORS!r}"
                case = left_out(case_id, why, where)
            elif not case.problem and first != place:
                why = f"the same evidence stands already as evidence {first}: leave one out"
                case = left_out(case_id, why, where)
            cases.append(
                _of_statement(
                    case,
                    statement=statement,
                    n_sentences=len(row.evidence),
                    difficulty=row.difficulty,
                    negated=is_negated(evidence),
                )
            )
    if not cases:
        raise CaseFileError(f"{path}: holds no statement")
    look_up(cases)
    # Sentences of a type are asked one after another: they share most of their prompt.
    yield from sorted(cases, key=lambda case: case.kind)


def _of_statement(
    case: EvidenceCase, *, statement: str, n_sentences: int, difficulty: str, negated: bool
) -> BeliefCase:
    given: dict[str, Any] = {field.name: getattr(case, field.name) for field in fields(case)}
    slices = {"type": case.kind, "sentences": str(n_sentences), "difficulty": difficulty}
    return BeliefCase(
        **given
        | {
            "slices": {name: value for name, value in slices.items() if value},
            "cluster": statement,
            "statement": statement,
            "n_sentences": n_sentences,
            "negated": negated,
        }
    )


def _whole(cases: Sequence[Any]) -> list[BeliefCase]:
    """The cases, with a problem for all of a statement where one has it."""
    problems: Mapping[str, str] = {
        case.statement: case.problem for case in reversed(cases) if case.problem
    }
    return [
        replace(case, problem=f"its statement cannot be asked in full: {why}")
        if (why := problems.get(case.statement)) and not case.problem
        else case
        for case in cases
    ]
