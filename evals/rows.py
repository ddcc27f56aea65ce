"""Reads case files, JSON or a table, to validated rows; names each mistake's place."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from curieval.models.types import CaseFileError

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

Row = TypeVar("Row", bound="BaseModel")
SEPARATORS = {".tsv": "\t", ".csv": ","}
LONGEST_CELL = 1_000_000


def read_rows(path: Path, model: type[Row]) -> Iterator[tuple[str, Row]]:
    """Yield (`file:line`, row) for each row of a .jsonl, .json, .tsv or .csv file.

    Blank lines are skipped; a .json file may also hold one list of rows, or one row, and then
    rows are counted instead of lines.

    Raises CaseFileError that names file, line and field.
    """
    from pydantic import ValidationError

    for number, values in _raw_rows(path):
        try:
            yield f"{path.name}:{number}", model.model_validate(values)
        except ValidationError as error:
            raise CaseFileError(f"{path}:{number}: {_first_mistake(error)}") from error


def columns_of(path: Path) -> frozenset[str]:
    """The fields of the first row of a case file; empty for an empty file.

    Raises CaseFileError where that row cannot be read.
    """
    first = next(_raw_rows(path), None)
    return frozenset(first[1]) if first else frozenset()


def refuse_doubled(places: dict[str, str], case_id: str, origin: str) -> None:
    """Note where an id stands; raise CaseFileError with both places when it stood before."""
    if case_id in places:
        raise CaseFileError(
            f"{origin}: id {case_id!r} stands already at {places[case_id]}; "
            "give each case an id of its own"
        )
    places[case_id] = origin


def _raw_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    text = _text(path)
    if path.suffix.lower() == ".json" and (document := _document(text)) is not None:
        yield from ((n, _as_row(row, f"{path}:{n}")) for n, row in enumerate(document, start=1))
        return
    lines = text.split("\n")
    separator = SEPARATORS.get(path.suffix.lower())
    if separator is None:
        yield from (
            (number, _parsed(line, f"{path}:{number}"))
            for number, line in enumerate(lines, start=1)
            if line.strip()
        )
    else:
        yield from _table_rows(path, lines, separator)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CaseFileError(f"{path}: cannot be read ({error.strerror}); check the path") from error
    except UnicodeDecodeError as error:
        raise CaseFileError(
            f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8"
        ) from error


def _document(text: str) -> list[Any] | None:
    """The rows of a text that is one JSON value; None for JSON lines and what is no JSON."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) else [value]


def _parsed(line: str, place: str) -> dict[str, Any]:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CaseFileError(f"{place}: not a JSON object ({error})") from error
    return _as_row(values, place)


def _as_row(values: Any, place: str) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    if not isinstance(values, dict):
        found = json.dumps(values, ensure_ascii=False)[:60]
        raise CaseFileError(f"{place}: a JSON object is expected, found {found}")
    return values


def _table_rows(
    path: Path, lines: list[str], separator: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(lines, delimiter=separator, strict=True)
    try:
        header = next(reader, [])
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                raise CaseFileError(
                    f"{path}:{reader.line_num}: {len(cells)} cells, but the header has "
                    f"{len(header)}; check for a stray quote or separator"
                )
            named = zip(header, cells, strict=True)
            yield reader.line_num, {name: cell for name, cell in named if cell != ""}
    except csv.Error as error:
        raise CaseFileError(f"{path}:{reader.line_num}: {error}; check the quotes") from error


def _first_mistake(error: ValidationError) -> str:
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"])
    found = "" if first["type"] == "missing" else f", found {str(first['input'])[:60]!r}"
    where = f"field {field!r}: " if field else ""
    return f"{where}{first['msg']}{found}"
