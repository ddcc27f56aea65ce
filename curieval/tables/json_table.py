"""Reading JSON lines, and files that hold one JSON list: an object a row."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from curieval.tables.batch import ABSENT, ROWS_AT_A_TIME, Batch
from curieval.tables.errors import TableError
from curieval.tables.lines import bad_byte, first_bad_line, open_text, unreadable

Row = Mapping[str, Any]


class JsonLines:
    """A file of one JSON object a line; blank lines are skipped.

    It is read once to learn which fields its rows have, and again for the rows.
    """

    def __init__(self, path: Path, *, encoding: str | None = None) -> None:
        self.path = path
        self.repairs: Counter[str] = Counter()
        self._encoding = encoding
        names: dict[str, None] = {}
        for _, row in self._read(Counter()):
            if row.keys() - names.keys():
                names.update(dict.fromkeys(row))
        if not names:
            raise TableError(f"{path}: is empty; write one JSON object a line")
        self.columns: Sequence[str] = list(names)

    def place(self, line: int) -> str:
        """Where a row stands, as `file:line`."""
        return f"{self.path}:{line}"

    def batches(self) -> Iterator[Batch]:
        """The rows, some at a time."""
        return batched(self._read(self.repairs))

    def again(self) -> JsonLines:
        """The same table from its first row."""
        return JsonLines(self.path, encoding=self._encoding)

    def _read(self, repairs: Counter[str]) -> Iterator[tuple[int, Row]]:
        with _decoding(self.path), open_text(self.path, self._encoding, repairs) as file:
            for number, text in enumerate(file, start=1):
                if text.strip():
                    yield number, self._object(text, number)

    def _object(self, text: str, number: int) -> Row:
        try:
            row = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise TableError(f"{self.place(number)}: no JSON: {error}") from error
        return checked_row(row, self.place(number))


class JsonList:
    """Rows that were read from one JSON document, counted from 1."""

    def __init__(self, path: Path, rows: Sequence[Any]) -> None:
        self.path = path
        self.repairs: Counter[str] = Counter()
        self._rows = [checked_row(row, self.place(n)) for n, row in enumerate(rows, start=1)]
        if not self._rows:
            raise TableError(f"{path}: holds no rows")
        self.columns: Sequence[str] = list(dict.fromkeys(key for row in self._rows for key in row))

    def place(self, line: int) -> str:
        """Where a row stands: JSON has no lines to speak of."""
        return f"{self.path}: row {line}"

    def batches(self) -> Iterator[Batch]:
        """The rows, some at a time."""
        return batched(enumerate(self._rows, start=1))

    def again(self) -> JsonList:
        """The same table from its first row."""
        return self


def read_document(path: Path, encoding: str | None) -> Any:  # noqa: ANN401 - any JSON
    """What a JSON file holds; TableError where it is no JSON."""
    with _decoding(path), open_text(path, encoding, Counter()) as file:
        try:
            return json.load(file)
        except UnicodeError:
            raise
        except (ValueError, RecursionError) as error:
            raise TableError(f"{path}: no JSON: {error}") from error


def checked_row(row: object, place: str) -> Row:
    """A row as an object of JSON; TableError where it is none."""
    if not isinstance(row, dict):
        raise TableError(
            f'{place}: expected a JSON object such as {{"id": ...}}, found {str(row)!r:.60}'
        )
    return row


def batched(rows: Iterator[tuple[int, Row]]) -> Iterator[Batch]:
    """Rows as columns, some at a time."""
    lines: list[int] = []
    held: list[Row] = []
    for line, row in rows:
        lines.append(line)
        held.append(row)
        if len(held) == ROWS_AT_A_TIME:
            yield _batch(lines, held)
            lines, held = [], []
    if held:
        yield _batch(lines, held)


@contextmanager
def _decoding(path: Path) -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError as error:
        raise bad_byte(path, first_bad_line(path, error.encoding), None) from error
    except UnicodeError as error:
        raise bad_byte(path, None, None) from error
    except (OSError, EOFError) as error:
        raise unreadable(path, error) from error


def _batch(lines: Sequence[int], rows: Sequence[Row]) -> Batch:
    names = dict.fromkeys(key for row in rows for key in row)
    return Batch(
        lines=lines, columns={name: [row.get(name, ABSENT) for row in rows] for name in names}
    )
