"""Whether ids stand more than once in a table, at eight bytes an id."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from curieval.tables.batch import Table
from curieval.tables.errors import TableError


@dataclass(frozen=True, kw_only=True)
class Doubled:
    """The ids that stand more than once: how many, and the first with both its places."""

    count: int = 0
    first: str = ""
    places: tuple[str, str] = ("", "")


class Ids:
    """Remembers the hash of each id; empty ids are left out."""

    def __init__(self) -> None:
        self._hashes = array("q")

    def add(self, texts: Sequence[str]) -> None:
        """Take in the ids of some rows."""
        self._hashes.extend(hash(text) for text in texts if text)

    def doubled(self, table: Table, column: str | None) -> Doubled:
        """The ids that stand more than once in the column of the table they came from."""
        if column is None or len(set(self._hashes)) == len(self._hashes):
            return Doubled()
        suspicious: set[int] = set()
        seen: set[int] = set()
        for value in self._hashes:
            (suspicious if value in seen else seen).add(value)
        # Texts were not kept, and hashes may agree by chance: the table is read once more.
        places: dict[str, int] = {}
        first: tuple[str, int, int] | None = None
        count = 0
        for batch in table.again().batches():
            for line, text in zip(batch.lines, batch.texts(column), strict=True):
                if not text or hash(text) not in suspicious:
                    continue
                if text in places:
                    count += 1
                    first = first or (text, places[text], line)
                places.setdefault(text, line)
        if first is None:
            return Doubled()
        return Doubled(
            count=count, first=first[0], places=(table.place(first[1]), table.place(first[2]))
        )


def refuse_doubled(doubled: Doubled, column: str | None, hint: str) -> None:
    """Raise TableError where an id stands more than once."""
    if doubled.count:
        more = f", and {doubled.count - 1} more rows" if doubled.count > 1 else ""
        raise TableError(
            f"{doubled.places[1]}, field {column!r}: the id {doubled.first!r} stands already at "
            f"{doubled.places[0]}{more}; {hint}"
        )
