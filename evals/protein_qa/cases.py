"""The protein questions: what is asked, the reference, and the rubric that an answer meets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from curieval.models.types import Case, CaseFileError
from evals.protein_qa.generated import GENERATED_KINDS, generated_rows
from evals.rows import read_rows, refuse_doubled
from scoring.judge import Rubric, RubricPoint

ITEM_FOLDER = Path(__file__).parent / "items"
KINDS = (
    "function", "pathway", "location", "reaction", "cofactor", "subunit",
    "domain", "interaction", "conflict", "variant", "abstention", "identity",
)  # fmt: skip
# "reaction" would be found in "interaction" by -k, and "function" in "bifunctional".
OTHER_WORDS = {"reaction": "catalysis", "function": "role"}
KIND_WORDS = {kind: OTHER_WORDS.get(kind, kind) for kind in (*KINDS, *GENERATED_KINDS)}
AUTHORED, GENERATED = "authored", "generated"


@dataclass(frozen=True, kw_only=True)
class QaCase(Case):
    """One question with its rubric; `answers` are worth 100, 50 and 0 (`full`, `half`, `none`)."""

    question: str
    context: str
    rubric: Rubric
    answers: tuple[tuple[str, str], ...]


class PointRow(BaseModel):
    """A point of a rubric, or a statement that contradicts the reference."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    point: str = Field(min_length=1)
    weight: float = Field(default=1.0, gt=0, le=1)
    terms: list[list[str]] = Field(default_factory=list)
    denied: bool = False


class QaRow(BaseModel):
    """A line of an item file."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)

    id: str = Field(min_length=1, max_length=200)
    kind: str = ""
    mode: Literal["sequence", "context", "both"] = "context"
    question: str = Field(min_length=1)
    context: str = ""
    reference: str = Field(min_length=1)
    rubric: list[PointRow] = Field(default_factory=list)
    must_not: list[PointRow] = Field(default_factory=list)
    answers: dict[str, str] = Field(default_factory=dict)
    subject: str = ""
    why: str = ""


def load_cases(path: Path | None = None) -> Sequence[QaCase]:
    """The project's items, authored and generated, or those of a user's file.

    A row without a rubric gets one from the content words of its reference. Raises CaseFileError
    that names file, line and field.
    """
    if path is None:
        return own_cases()
    places: dict[str, str] = {}
    cases = []
    for origin, row in read_rows(path, QaRow):
        refuse_doubled(places, row.id, origin)
        cases.append(make_case(row, origin))
    return cases


@cache
def own_cases() -> tuple[QaCase, ...]:
    """The project's items; the slice `made` says whether they are authored or generated."""
    return tuple(
        make_case(QaRow.model_validate(row), origin, made=made)
        for made, rows in ((AUTHORED, _authored_rows()), (GENERATED, generated_rows()))
        for origin, row in rows
    )


def case_rows() -> Iterator[dict[str, Any]]:
    """The project's items as rows of the shape that a user's file has."""
    for _, row in (*_authored_rows(), *generated_rows()):
        yield row


def _authored_rows() -> Iterator[tuple[str, dict[str, Any]]]:
    for kind in KINDS:
        file = ITEM_FOLDER / f"{kind}.jsonl"
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            yield f"{file.name}:{number}", json.loads(line)


def make_case(row: QaRow, origin: str, *, made: str = "") -> QaCase:
    """The case of a checked row; CaseFileError where its rubric will not do."""
    slices = {"kind": row.kind, "mode": row.mode}
    return QaCase(
        id=row.id,
        label=row.question,
        slices={**slices, "made": made} if made else slices,
        reference=row.reference,
        origin=origin,
        question=row.question,
        context=row.context,
        rubric=_rubric(row, origin),
        answers=tuple(row.answers.items()),
    )


def _rubric(row: QaRow, origin: str) -> Rubric:
    from scoring.judge_reference import rubric_from_reference

    try:
        if not row.rubric:
            return rubric_from_reference(row.reference)
        return Rubric(points=_points("p", row.rubric), must_not_say=_points("n", row.must_not))
    except ValueError as error:
        raise CaseFileError(f"{origin}: field 'rubric': {error}") from error


def _points(letter: str, rows: Sequence[PointRow]) -> tuple[RubricPoint, ...]:
    return tuple(
        RubricPoint(
            id=f"{letter}{number}",
            text=row.point,
            weight=row.weight,
            terms=tuple(tuple(group) for group in row.terms),
            denied=row.denied,
        )
        for number, row in enumerate(rows, start=1)
    )
