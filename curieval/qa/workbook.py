"""Workbooks (.xlsx): a sheet for people to fill in, and its rows read back as a table."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curieval.tables import Batch, TableError

if TYPE_CHECKING:
    from openpyxl.cell import Cell, MergedCell
    from openpyxl.worksheet.worksheet import Worksheet

SUFFIX = ".xlsx"
LONGEST_CELL = 32_767
WIDTHS = {"id": 24, "question": 60, "reference": 50, "answer": 60, "score": 10}
_RUN_AS_FORMULA = ("=", "+", "-", "@")


def is_workbook(path: Path) -> bool:
    """Whether a file's name says that it is a workbook."""
    return path.suffix.lower() == SUFFIX


def write_workbook(
    path: Path, columns: Sequence[str], rows: Sequence[Sequence[str]], *, advice: Sequence[str]
) -> None:
    """Write rows of text with a score column to fill in, and advice on a sheet of its own.

    Every cell is text, whatever it begins with; characters that a workbook cannot hold are
    replaced. TableError where the file cannot be written; then nothing is left behind.
    """
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font
    from openpyxl.worksheet.datavalidation import DataValidation

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "ratings"
    for number, row in enumerate((columns, *rows), start=1):
        for place, (name, text) in enumerate(zip(columns, row, strict=True), start=1):
            if name == "score" and number > 1:
                continue
            cell = sheet.cell(row=number, column=place)
            _set_text(cell, text, path)
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if number == 1:
                cell.font = Font(bold=True)
    for place, name in enumerate(columns):
        sheet.column_dimensions[chr(ord("A") + place)].width = WIDTHS.get(name, 20)
    sheet.freeze_panes = "A2"
    limits = DataValidation(type="decimal", operator="between", formula1="0", formula2="100")
    limits.error = "a number from 0 to 100"
    letter = chr(ord("A") + [*columns].index("score"))
    limits.add(f"{letter}2:{letter}{len(rows) + 1}")
    sheet.add_data_validation(limits)
    _add_advice(book.create_sheet("how to rate"), advice, path)
    neighbour = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        book.save(neighbour)
        neighbour.replace(path)
    except OSError as error:
        raise TableError(
            f"{path}: cannot be written ({error.strerror or error}); name another file"
        ) from error
    finally:
        with suppress(OSError):
            neighbour.unlink(missing_ok=True)


class WorkbookTable:
    """The first sheet of a workbook, its first row the header; rows are numbered as shown."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.repairs: Counter[str] = Counter()
        rows = self._read()
        header = [_text(cell) for cell in rows[0]] if rows else []
        if not any(header):
            raise TableError(f"{path}: the first sheet is empty; its first row names the columns")
        self._places = [place for place, name in enumerate(header) if name]
        self.columns: Sequence[str] = [header[place] for place in self._places]
        self._rows = rows

    def place(self, line: int) -> str:
        """Where a row stands."""
        return f"{self.path}: row {line}"

    def batches(self) -> Iterator[Batch]:
        """All rows that hold anything, in one batch."""
        kept = [
            (number, row)
            for number, row in enumerate(self._rows[1:], start=2)
            if any(_text(cell) for cell in row)
        ]
        columns = {
            name: [_text(row[place]) if place < len(row) else "" for _, row in kept]
            for place, name in zip(self._places, self.columns, strict=True)
        }
        yield Batch(lines=[number for number, _ in kept], columns=columns)

    def again(self) -> WorkbookTable:
        """The same table from its first row."""
        return WorkbookTable(self.path)

    def _read(self) -> list[tuple[Any, ...]]:
        from openpyxl import load_workbook

        if not self.path.is_file():
            raise TableError(f"{self.path}: is not there; name a file")
        try:
            book = load_workbook(self.path, read_only=True, data_only=True)
            try:
                return [*book.worksheets[0].iter_rows(values_only=True)]
            finally:
                book.close()
        except Exception as error:
            # A broken workbook fails in many ways: as a zip, as XML, in openpyxl's own checks.
            raise TableError(
                f"{self.path}: cannot be read as a workbook ({type(error).__name__}: {error}); "
                "save it as .xlsx, or as .tsv"
            ) from error


def _set_text(cell: Cell | MergedCell, text: str, path: Path) -> None:
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    if len(text) > LONGEST_CELL:
        raise TableError(
            f"{path}: a cell of row {cell.row} would hold {len(text)} characters, a workbook's "
            f"holds {LONGEST_CELL}; write a .tsv"
        )
    whole = text.encode("utf-8", "replace").decode()
    cell.value = ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", whole)
    cell.data_type = "s"
    cell.number_format = "@"
    if text.startswith(_RUN_AS_FORMULA):
        cell.quotePrefix = True


def _add_advice(sheet: Worksheet, advice: Sequence[str], path: Path) -> None:
    sheet.column_dimensions["A"].width = 100
    for number, line in enumerate(advice, start=1):
        _set_text(sheet.cell(row=number, column=1), line, path)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
