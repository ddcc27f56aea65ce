"""Reading and writing Parquet; pyarrow is imported when the first file is opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from curieval.tables.batch import ABSENT, ROWS_AT_A_TIME, Batch, text_of
from curieval.tables.errors import TableError


class ParquetTable:
    """A Parquet file; places are row numbers, counted from 1."""

    def __init__(self, path: Path) -> None:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile

        self.path = path
        self.repairs: Counter[str] = Counter()
        try:
            self._file = ParquetFile(path)
            self.columns: Sequence[str] = list(self._file.schema_arrow.names)
        except (OSError, ArrowException) as error:
            raise TableError(f"{path}: cannot be read as Parquet: {_line(error)}") from error
        doubled = next((name for name in self.columns if self.columns.count(name) > 1), None)
        if doubled is not None:
            raise TableError(f"{path}: two columns are named {doubled!r}; rename one of them")

    def place(self, line: int) -> str:
        """Where a row stands: a Parquet file has no lines."""
        return f"{self.path}: row {line}"

    def batches(self) -> Iterator[Batch]:
        """The rows, some at a time."""
        from pyarrow import ArrowException

        start = 1
        try:
            for part in self._file.iter_batches(batch_size=ROWS_AT_A_TIME):
                count = part.num_rows
                if count:
                    yield Batch(lines=range(start, start + count), columns=part.to_pydict())
                start += count
        except (OSError, ArrowException) as error:
            raise TableError(f"{self.path}: row {start}: {_line(error)}") from error

    def again(self) -> ParquetTable:
        """The same table from its first row."""
        return ParquetTable(self.path)


class ParquetSink:
    """Writes columns to a Parquet file; the first rows decide each column's type.

    A column of mixed kinds becomes text. TableError where a later value does not fit.
    """

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self._path = path
        self._columns = columns
        self._writer: Any = None
        self._texts: frozenset[str] = frozenset()
        self._types: Any = None

    def write(self, columns: Mapping[str, Sequence[Any]], count: int) -> None:
        """Write `count` rows."""
        import pyarrow

        if self._writer is None:
            self._open(columns, count)
        arrays = []
        for name in self._columns:
            values = _values(columns, name, count)
            if name in self._texts:
                values = [None if value is None else text_of(value) for value in values]
            arrays.append(self._array(name, values, pyarrow))
        self._writer.write_table(pyarrow.Table.from_arrays(arrays, schema=self._types))

    def close(self) -> None:
        """Write the footer; a table without rows is a file with columns of text."""
        if self._writer is None:
            self._open({}, 0)
        self._writer.close()

    def _open(self, columns: Mapping[str, Sequence[Any]], count: int) -> None:
        import pyarrow
        from pyarrow.parquet import ParquetWriter

        fields = [
            pyarrow.field(name, _kind(_values(columns, name, count), pyarrow))
            for name in self._columns
        ]
        self._types = pyarrow.schema(fields)
        self._texts = frozenset(f.name for f in fields if f.type == pyarrow.string())
        self._writer = ParquetWriter(self._path, self._types, compression="zstd")

    def _array(self, name: str, values: Sequence[Any], pyarrow: Any) -> Any:  # noqa: ANN401
        kind = self._types.field(name).type
        try:
            return pyarrow.array(values, type=kind)
        except (pyarrow.ArrowException, OverflowError) as error:
            raise TableError(
                f"field {name!r}: a value does not fit among those before it ({kind}): "
                f"{_line(error)}; write TSV or JSON lines instead"
            ) from error


def _values(columns: Mapping[str, Sequence[Any]], name: str, count: int) -> list[Any]:
    values = columns.get(name)
    if values is None:
        return [None] * count
    return [None if value is ABSENT or value != value else value for value in values]


def _kind(values: Sequence[Any], pyarrow: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    kinds = {type(value) for value in values if value is not None}
    if kinds and kinds <= {bool}:
        return pyarrow.bool_()
    if kinds and kinds <= {int}:
        return pyarrow.int64()
    if kinds and kinds <= {int, float}:
        return pyarrow.float64()
    return pyarrow.string()


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
