"""What a reader of a table hands on: some rows at a time, as columns, with their places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

ROWS_AT_A_TIME = 1 << 16


class Absent(Enum):
    """A field that a line of JSON does not have: not the same as one that is null."""

    ABSENT = 0


ABSENT = Absent.ABSENT


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Rows as columns of one length; `lines` says where each row begins, counted from 1."""

    lines: Sequence[int]
    columns: Mapping[str, Sequence[Any]]

    def __len__(self) -> int:
        return len(self.lines)

    def texts(self, name: str | None) -> list[str]:
        """One column as text, "" where it is empty, absent or not there at all."""
        values = self.columns.get(name) if name is not None else None
        if values is None:
            return [""] * len(self)
        return [value if type(value) is str else text_of(value) for value in values]


class Table(Protocol):
    """A table that is read once, from its first row to its last.

    `columns` are those that any row has. `repairs` count what was mended on the way, in words.
    """

    path: Path
    columns: Sequence[str]
    repairs: Counter[str]

    def place(self, line: int) -> str:
        """Where a row stands, as messages name it."""

    def batches(self) -> Iterator[Batch]:
        """The rows, some at a time; TableError at the first that cannot be read."""

    def again(self) -> Table:
        """The same table from its first row."""


def text_of(value: object) -> str:
    """A value as a cell of text: "" for what is empty, JSON for lists and objects."""
    if value is None or value is ABSENT or value != value:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, dict)):
        import json

        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
