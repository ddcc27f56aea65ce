"""What a row of a user's table says of a case: question, reference, rubric."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

from pydantic import ValidationError

from curieval.models.types import CaseFileError
from curieval.tables import Field, TableError
from evals.protein_qa.cases import PointRow, QaCase, QaRow, load_cases, make_case
from scoring.judge_reference import rubric_from_reference

ID = Field(name="id", aliases=("case", "case_id"))
QUESTION = Field(name="question", aliases=("prompt",), required=True)
REFERENCE = Field(name="reference", aliases=("truth", "ground_truth", "ideal"), required=True)
PREDICTION = Field(
    name="prediction", aliases=("answer", "response", "output", "completion"), required=True
)
RUBRIC = Field(name="rubric", aliases=("points",))
MUST_NOT = Field(name="must_not", aliases=("must_not_say",))
MODEL = Field(name="model")


@cache
def project_cases() -> Mapping[str, QaCase]:
    """The project's items by id."""
    return {case.id: case for case in load_cases()}


def case_of(
    *,
    place: str,
    case_id: str,
    question: str,
    reference: str,
    rubric: object = "",
    must_not: object = "",
) -> QaCase:
    """The case of a row, with the project's rubric where id and reference are the project's.

    Without any rubric, the content words of the reference are its points. TableError names
    place and field of what will not do.
    """
    for name, text in (("question", question), ("reference", reference)):
        if not text.strip():
            raise TableError(f"{place}, field {name!r}: is empty; each row needs a {name}")
    own = project_cases().get(case_id)
    points = read_points(rubric, place, "rubric")
    if not points and own is not None and own.reference == reference:
        return own
    try:
        row = QaRow(
            id=case_id[:200],
            question=question,
            reference=reference,
            rubric=points,
            must_not=read_points(must_not, place, "must_not"),
        )
        return make_case(row, place)
    except (ValidationError, CaseFileError, ValueError) as error:
        raise TableError(f"{place}: {str(error).splitlines()[-1].strip()}") from error


def read_points(cell: object, place: str, field: str) -> list[PointRow]:
    """The points in a cell: a list or its JSON, of texts or of objects as in item files, or text.

    Text holds one point a line, or points between ` | `. A point without terms is met, for the
    judge without a model, by all its content words.
    """
    value: object = cell
    if isinstance(cell, str):
        if not cell.strip():
            return []
        if cell.lstrip().startswith("["):
            try:
                value = json.loads(cell)
            except ValueError as error:
                raise TableError(f"{place}, field {field!r}: no JSON list ({error})") from error
        else:
            value = [part.strip() for part in cell.replace(" | ", "\n").splitlines()]
    if not isinstance(value, list):
        return []
    points = []
    for number, each in enumerate(value, start=1):
        if each == "":
            continue
        try:
            point = PointRow.model_validate({"point": each} if isinstance(each, str) else each)
        except ValidationError as error:
            first = error.errors()[0]
            what = ".".join(map(str, first["loc"])) or "point"
            raise TableError(
                f"{place}, field {field!r}: point {number}, {what}: {first['msg']}, "
                f"found {str(first['input'])[:60]!r}"
            ) from error
        points.append(point if point.terms else _with_terms(point, f"{place}, field {field!r}"))
    return points


def _with_terms(point: PointRow, where: str) -> PointRow:
    try:
        words = rubric_from_reference(point.point).points
    except ValueError as error:
        raise TableError(f"{where}: {error}") from error
    terms = [[word.id] for word in words]
    return point.model_copy(update={"terms": terms, "denied": any(word.denied for word in words)})
