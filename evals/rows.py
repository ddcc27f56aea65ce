"""Reads case files: JSON lines to validated rows, each mistake named with its place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from curieval.models.types import CaseFileError

Row = TypeVar("Row", bound=BaseModel)


def read_rows(path: Path, model: type[Row]) -> Iterator[tuple[str, Row]]:
    """Yield (`file:line`, row) for each line of a JSON lines file; blank lines are skipped.

    Raises CaseFileError that names file, line and field.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CaseFileError(f"{path}: cannot be read ({error.strerror}); check the path") from error
    except UnicodeDecodeError as error:
        raise CaseFileError(
            f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8"
        ) from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            origin = f"{path.name}:{number}"
            yield origin, _read_row(line, model, f"{path}:{number}")


def refuse_doubled(places: dict[str, str], case_id: str, origin: str) -> None:
    """Note where an id stands; raise CaseFileError with both places when it stood before."""
    if case_id in places:
        raise CaseFileError(
            f"{origin}: id {case_id!r} stands already at {places[case_id]}; "
            "give each case an id of its own"
        )
    places[case_id] = origin


def _read_row(line: str, model: type[Row], place: str) -> Row:
    try:
        return model.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        found = "" if first["type"] == "missing" else f", found {str(first['input'])[:60]!r}"
        where = f"field {field!r}: " if field else ""
        raise CaseFileError(f"{place}: {where}{first['msg']}{found}") from error
