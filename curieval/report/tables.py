"""Plain-text tables that fit a window: columns aligned, the least needed left out."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of a table, its head of one or two lines; of those that do not fit, the least
    `worth` goes first."""

    head: str
    cells: Sequence[str]
    worth: int = 9
    left: bool = False

    @property
    def width(self) -> int:
        return max(map(len, (*self.head.splitlines(), *self.cells)))


def table(columns: Sequence[Column], width: int) -> list[str]:
    """The lines of a table of at most `width` characters, its first column cut if need be."""
    kept = list(columns)
    while len(kept) > 2 and _width(kept) > width:
        kept.remove(min(reversed(kept), key=lambda column: column.worth))
    first = kept[0]
    room = max(12, width - (_width(kept) - first.width))
    widths = [min(first.width, room), *(column.width for column in kept[1:])]
    lines = []
    heads = [column.head.split("\n") for column in kept]
    tall = max(map(len, heads))
    rows = [[([""] * tall + head)[line - tall] for head in heads] for line in range(tall)]
    rows += [[column.cells[row] for column in kept] for row in range(len(first.cells))]
    for cells in rows:
        cells[0] = cut(cells[0], room)
        aligned = [
            cell.ljust(size) if column.left else cell.rjust(size)
            for cell, column, size in zip(cells, kept, widths, strict=True)
        ]
        lines.append("  ".join(aligned).rstrip())
    return lines


def _width(columns: Sequence[Column]) -> int:
    return sum(column.width for column in columns) + 2 * (len(columns) - 1)


def cut(text: str, width: int) -> str:
    """`text`, or its beginning and an ellipsis where it is longer than `width`."""
    return text if len(text) <= width else text[: width - 1] + "…"


def wrapped(text: str, width: int) -> str:
    """`text` over as many lines as it needs, indented from the second."""
    return textwrap.fill(" ".join(text.split()), width, subsequent_indent="  ")


def inert(text: str) -> str:
    """`text` without the control characters by which it could steer a terminal."""
    return "".join(c if c == "\n" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
