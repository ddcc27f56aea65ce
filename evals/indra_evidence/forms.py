"""Tells the forms of a user's file apart: sentences, curations, or curations beside statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from curieval.models.types import CaseFileError
from evals.indra_evidence.cases import EvidenceCase
from evals.indra_evidence.corpus import read_statements
from evals.indra_evidence.curations import (
    CurationRow,
    cases_in_corpus,
    cases_with_json,
    group_curations,
)
from evals.indra_evidence.grounded import look_up
from evals.indra_evidence.sentences import cases_of_sentences
from evals.rows import columns_of, read_rows

BESIDE = frozenset({"statements", "curations"})
WHOLE = frozenset({"tag", "pa_json", "ev_json"})


class Beside(BaseModel):
    """Curations, or a hold-out list, beside the statements they are of: lists, or files' names."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    statements: list[Any] | str
    curations: list[CurationRow] | str


def cases_of_file(path: Path) -> Sequence[EvidenceCase]:
    """The cases of a file as `read_cases` gives them, with their names grounded.

    Raises CaseFileError for a file that is none of the forms, or names one outside its folder.
    """
    cases = read_cases(path)
    look_up(cases)
    # Sentences of a type are asked one after another: they share most of their prompt.
    return sorted(cases, key=lambda case: case.kind)


def read_cases(path: Path) -> list[EvidenceCase]:
    """The cases in the order of the file; what cannot be asked has a `problem`.

    Raises CaseFileError as `cases_of_file` does.
    """
    columns = columns_of(path)
    if columns >= BESIDE:
        return list(_beside(path))
    if columns >= WHOLE:
        groups, bad = group_curations(read_rows(path, CurationRow))
        return [*cases_with_json(groups), *bad]
    return list(cases_of_sentences(path))


def _beside(path: Path) -> Iterator[EvidenceCase]:
    for origin, row in read_rows(path, Beside):
        groups, bad = group_curations(_curations(row, path, origin))
        yield from cases_in_corpus(groups, _statements(row, path, origin))
        yield from bad


def _curations(row: Beside, path: Path, origin: str) -> Iterable[tuple[str, CurationRow]]:
    if isinstance(row.curations, str):
        return read_rows(_neighbour(path, row.curations, "curations"), CurationRow)
    return [
        (f"{origin}, curation {number}", one) for number, one in enumerate(row.curations, start=1)
    ]


def _statements(row: Beside, path: Path, origin: str) -> Iterable[tuple[str, Any]]:
    if isinstance(row.statements, str):
        return read_statements(_neighbour(path, row.statements, "statements"))
    return [
        (f"{origin}, statement {number}", one) for number, one in enumerate(row.statements, start=1)
    ]


def _neighbour(path: Path, name: str, field: str) -> Path:
    """A file in the folder of the case file or below; what it says is sent to a model."""
    folder = path.parent.resolve()
    found = (folder / name).resolve()
    if not found.is_relative_to(folder):
        raise CaseFileError(
            f"{path}: field {field!r}: {name!r} lies outside {folder}; put both files together"
        )
    if not found.is_file():
        raise CaseFileError(f"{path}: field {field!r}: there is no file {found}")
    return found
