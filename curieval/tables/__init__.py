"""A user's tables: read and written by their suffix, some rows at a time.

JSON lines (.jsonl, .ndjson), a JSON list (.json, read only), TSV, CSV, each also with .gz,
and Parquet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from curieval.tables.batch import ABSENT, Batch, Table, text_of
from curieval.tables.columns import Field, find_fields, match, read_mapping
from curieval.tables.errors import TableError
from curieval.tables.ids import Doubled, Ids, refuse_doubled
from curieval.tables.lines import check_encoding
from curieval.tables.write import Output

__all__ = [
    "ABSENT",
    "Batch",
    "Doubled",
    "Field",
    "Ids",
    "Output",
    "Table",
    "TableError",
    "find_fields",
    "kind_of",
    "match",
    "open_output",
    "open_table",
    "read_mapping",
    "refuse_doubled",
    "text_of",
]

Kind = Literal["jsonl", "json", "tsv", "csv", "parquet"]
_KINDS: dict[str, Kind] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".csv": "csv",
    ".parquet": "parquet",
}


def kind_of(path: Path) -> Kind:
    """The format that a file's suffix names; TableError for any other."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = suffixes[-1:] == [".gz"]
    suffix = "".join(suffixes[-2:-1] if packed else suffixes[-1:])
    kind = _KINDS.get(suffix)
    if kind is None or (packed and kind == "parquet"):
        raise TableError(
            f"{path}: the suffix {path.suffix!r} names no format of tables; use .tsv, .csv, "
            ".jsonl or .parquet"
        )
    return kind


def open_table(
    path: Path,
    *,
    encoding: str | None = None,
    count_known: Callable[[Sequence[str]], int] | None = None,
) -> Table:
    """Open a table for reading once; `encoding` is that of text, UTF-8 by default.

    `count_known` counts the names in a row of CSV or TSV that the caller knows: where the
    first has none and the second several, the second is the header. TableError where the
    file cannot be used.
    """
    kind = kind_of(path)
    check_encoding(encoding)
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "is not there"
        raise TableError(f"{path}: {what}; name a file")
    if kind == "parquet":
        from curieval.tables.parquet import ParquetTable

        return ParquetTable(path)
    if kind == "jsonl":
        from curieval.tables.json_table import JsonLines

        return JsonLines(path, encoding=encoding)
    if kind == "json":
        from curieval.tables.json_table import JsonList, read_document

        document = read_document(path, encoding)
        if not isinstance(document, list):
            raise TableError(f"{path}: expected a JSON list of objects, one a row")
        return JsonList(path, document)
    from curieval.tables.delimited import DelimitedTable

    delimiter = "\t" if kind == "tsv" else ","
    return DelimitedTable(path, delimiter, encoding=encoding, count_known=count_known)


def open_output(path: Path, columns: Sequence[str], *, source: Path | None = None) -> Output:
    """A table to write; TableError where its suffix, folder or name will not do.

    `source` is the table that is being read, which must not be written over.
    """
    kind = kind_of(path)
    if kind == "json":
        raise TableError(f"{path}: write JSON lines (.jsonl), TSV, CSV or Parquet")
    if path.is_dir() or not path.parent.is_dir():
        what = "is a folder" if path.is_dir() else "its folder does not exist"
        raise TableError(f"{path}: {what}; name a file in a folder that exists")
    if source is not None and path.exists() and path.samefile(source):
        raise TableError(f"{path}: is the table that is being read; name another file")
    return Output(path, columns, kind)
