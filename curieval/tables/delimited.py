"""Reading CSV and TSV: a header, then rows of as many cells, or an error that says where."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from curieval.tables.batch import ROWS_AT_A_TIME, Batch
from curieval.tables.errors import TableError
from curieval.tables.lines import bad_byte, first_bad_line, first_line, open_text, unreadable

LONGEST_CELL = 10_000_000
# Below these a cell of ordinary text may look as if it held rows.
FEWEST_COLUMNS = {"\t": 2, ",": 5}
BLANK_SKIPPED = "blank rows skipped"
SURPLUS_DROPPED = "rows whose empty cells beyond the last column were dropped"

# How many names that a command knows stand in a row.
CountKnown = Callable[[Sequence[str]], int]


class DelimitedTable:
    """A CSV or TSV file.

    Exports of spreadsheets may have sections in the first row and the names in the second:
    that is so where `count_known` finds none in the first and several in the second.
    """

    def __init__(
        self,
        path: Path,
        delimiter: str,
        *,
        encoding: str | None = None,
        count_known: CountKnown | None = None,
    ) -> None:
        csv.field_size_limit(LONGEST_CELL)
        self.path = path
        self.repairs: Counter[str] = Counter()
        self.columns: Sequence[str] = ()
        self._delimiter = delimiter
        self._encoding = encoding
        self._count_known = count_known
        self._file = open_text(path, encoding, self.repairs)
        self._reader = csv.reader(self._lines(), delimiter=delimiter, strict=True)
        self.columns = self._header()

    def place(self, line: int) -> str:
        """Where a row stands, as `file:line`."""
        return f"{self.path}:{line}"

    def batches(self) -> Iterator[Batch]:
        """The rows, some at a time."""
        width = {len(self.columns)}
        while True:
            before = self._reader.line_num
            rows = self._next_rows(ROWS_AT_A_TIME)
            if not rows:
                self._file.close()
                return
            lines: Sequence[int] = range(before + 1, self._reader.line_num + 1)
            if len(lines) != len(rows) or set(map(len, rows)) != width or not all(map(any, rows)):
                lines, rows = self._mended(before + 1, rows)
            if rows:
                columns = dict(zip(self.columns, zip(*rows, strict=True), strict=True))
                yield Batch(lines=lines, columns=columns)

    def again(self) -> DelimitedTable:
        """The same table from its first row."""
        return DelimitedTable(
            self.path, self._delimiter, encoding=self._encoding, count_known=self._count_known
        )

    def _lines(self) -> Iterator[str]:
        for number, line in enumerate(self._file, start=1):
            if "\0" in line:
                raise TableError(
                    f"{self.place(number)}: a NUL character, which no table holds; this is another "
                    "kind of file, or UTF-16 without its mark: save it as UTF-8, or name its "
                    "encoding, such as --encoding utf-16-le"
                )
            yield line

    def _next_rows(self, count: int) -> list[list[str]]:
        try:
            return list(islice(self._reader, count))
        except csv.Error as error:
            raise self._stray_quote(str(error)) from error
        except UnicodeDecodeError as error:
            raise self._bad_byte(error.encoding) from error
        except UnicodeError as error:
            raise bad_byte(self.path, None, None) from error
        except (OSError, EOFError) as error:
            raise unreadable(self.path, error) from error

    def _header(self) -> list[str]:
        first = self._next_names()
        count_known = self._count_known
        if count_known is None or count_known(first):
            return _checked_names(first, self.place(self._reader.line_num))
        for second in self._next_rows(1):
            names = [cell.strip() for cell in second]
            if count_known(names) > 1:
                return _checked_names(names, self.place(self._reader.line_num))
        # Whoever looks for a column says that it is missing, and what there is.
        return self._start_again(first)

    def _start_again(self, names: list[str]) -> list[str]:
        self._file.close()
        self._file = open_text(self.path, self._encoding, Counter())
        self._reader = csv.reader(self._lines(), delimiter=self._delimiter, strict=True)
        self._next_names()
        return _checked_names(names, self.place(self._reader.line_num))

    def _next_names(self) -> list[str]:
        while rows := self._next_rows(1):
            if any(cell.strip() for cell in rows[0]):
                return [cell.strip() for cell in rows[0]]
        raise TableError(f"{self.path}: is empty; the first line must name the columns")

    def _mended(self, line: int, rows: list[list[str]]) -> tuple[list[int], list[list[str]]]:
        width = len(self.columns)
        lines: list[int] = []
        kept: list[list[str]] = []
        for row in rows:
            begins, line = line, line + _line_count(row)
            if not any(row):
                self.repairs[BLANK_SKIPPED] += 1
                continue
            if line - begins > 1 and self._swallowed(row):
                raise self._stray_quote_at(begins, "a cell takes in whole rows")
            if len(row) != width:
                if len(row) < width or any(row[width:]):
                    raise self._ragged(begins, row)
                self.repairs[SURPLUS_DROPPED] += 1
            lines.append(begins)
            kept.append(row[:width])
        return lines, kept

    def _swallowed(self, row: Sequence[str]) -> bool:
        # A quote that was never closed takes in the rows up to the next quote: its cell holds
        # as many line ends as rows and, for each, all the delimiters of one.
        least = FEWEST_COLUMNS[self._delimiter]
        per_row = len(row) - 1
        return len(row) >= least and any(
            (ends := cell.count("\n")) and cell.count(self._delimiter) == ends * per_row
            for cell in row
        )

    def _stray_quote(self, what: str) -> TableError:
        if "field larger than" in what:
            what = f"a cell of more than {LONGEST_CELL} characters"
        return self._stray_quote_at(self._line_of_error(), what)

    def _line_of_error(self) -> int:
        """Where the row begins that cannot be read: found by reading once more, row by row."""
        with open_text(self.path, self._encoding, Counter()) as file:
            reader = csv.reader(file, delimiter=self._delimiter, strict=True)
            begins = 1
            try:
                for row in reader:
                    if reader.line_num > begins and self._swallowed(row):
                        break
                    begins = reader.line_num + 1
            except csv.Error:
                pass
        return begins

    def _stray_quote_at(self, line: int, what: str) -> TableError:
        return TableError(
            f'{self.place(line)}: a stray " in the row that begins here ({what}); '
            'a cell that holds " is written between quotes with each " doubled'
        )

    def _bad_byte(self, encoding: str) -> TableError:
        place = first_bad_line(self.path, encoding)
        field = None
        if place is not None:
            # Text is decoded ahead of what was read, so that the header may not be known yet.
            columns = self.columns or self._cells_of(first_line(self.path), encoding)
            cells = self._cells_of(place[1], encoding)
            number = len(cells) - 1
            if place[0] > 1 and 0 <= number < len(columns):
                field = columns[number]
        return bad_byte(self.path, place, field)

    def _cells_of(self, line: bytes, encoding: str) -> list[str]:
        text = line.decode(encoding, "replace")
        try:
            return next(csv.reader([text], delimiter=self._delimiter), []) or [""]
        except csv.Error:
            # Line ends within: no table, whose fields nobody can tell.
            return []

    def _ragged(self, line: int, row: Sequence[str]) -> TableError:
        names = self.columns
        if len(row) < len(names):
            what = f"none for the column {names[len(row)]!r}"
        else:
            what = f"one too many is {row[len(names)]!r:.60}"
        return TableError(
            f"{self.place(line)}: {len(row)} cells, where the header has {len(names)} columns: "
            f"{what}; a tab, comma or quote is missing or one too many"
        )


def _line_count(row: Sequence[str]) -> int:
    ends = (cell.count("\n") + cell.count("\r") - cell.count("\r\n") for cell in row)
    return 1 + sum(ends)


def _checked_names(names: list[str], place: str) -> list[str]:
    while names and not names[-1]:
        names = names[:-1]
    for number, name in enumerate(names, start=1):
        if not name:
            raise TableError(f"{place}: column {number} has no name; give it one")
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise TableError(f"{place}: two columns are named {doubled!r}; rename one of them")
    return names
