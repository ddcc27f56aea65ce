"""Writing a table by its suffix: into a temporary neighbour that takes the name when whole."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import NoneType, TracebackType
from typing import IO, Any, Protocol

from curieval.tables.batch import ABSENT, text_of
from curieval.tables.errors import TableError

FORMULAS_DEFUSED = "cells that a spreadsheet would run as a formula now begin with '"
SURROGATES_REPLACED = "rows with half characters (lone surrogates), which were replaced"
_WORDS = {True: "true", False: "false", None: ""}
_RUN_AS_FORMULA = frozenset("=+-@\t\r")


class Sink(Protocol):
    """What writes rows in one format."""

    def write(self, columns: Mapping[str, Sequence[Any]], count: int) -> None:
        """Write `count` rows."""

    def close(self) -> None:
        """Write what is left."""


class Output:
    """A table being written: `columns` in order, the file in its place only after the last row.

    Use as a context; after an exception nothing is left behind, and a file of that name stays
    as it was. `repairs` count what was changed on the way.
    """

    def __init__(self, path: Path, columns: Sequence[str], kind: str) -> None:
        self.path = path
        self.columns = list(columns)
        self.repairs: Counter[str] = Counter()
        self._kind = kind
        self._neighbour = path.with_name(f".{path.name}.{os.getpid()}")
        self._sink: Sink | None = None

    def __enter__(self) -> Output:
        try:
            self._sink = self._open()
        except OSError as error:
            raise self._failed(error) from error
        return self

    def write(self, columns: Mapping[str, Sequence[Any]], count: int) -> None:
        """Write `count` rows; columns that are not given are empty."""
        assert self._sink is not None
        try:
            self._sink.write(columns, count)
        except OSError as error:
            raise self._failed(error) from error
        except TableError as error:
            raise TableError(f"{self.path}: {error}") from error

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._sink is not None
        try:
            self._sink.close()
            if kind is None:
                with self._neighbour.open("rb+") as file:
                    os.fsync(file.fileno())
                self._neighbour.replace(self.path)
        except OSError as problem:
            if kind is None:
                raise self._failed(problem) from problem
        finally:
            with suppress(OSError):
                self._neighbour.unlink(missing_ok=True)

    def _open(self) -> Sink:
        if self._kind == "parquet":
            from curieval.tables.parquet import ParquetSink

            return ParquetSink(self._neighbour, self.columns)
        raw = self._neighbour.open("wb")
        file: IO[bytes] = raw
        if self.path.suffix.lower() == ".gz":
            file = gzip.GzipFile(fileobj=raw, mode="wb", mtime=0)  # type: ignore[assignment]
        # Names of columns may hold half characters too; cells are mended and counted before.
        text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="")
        if self._kind == "jsonl":
            return JsonLinesSink(text, raw, self.columns, self.repairs)
        delimiter = "," if self._kind == "csv" else "\t"
        return DelimitedSink(text, raw, self.columns, self.repairs, delimiter)

    def _failed(self, error: OSError) -> TableError:
        return TableError(
            f"{self.path}: cannot be written ({error.strerror or error}); "
            "free some space or name another file"
        )


class DelimitedSink:
    """CSV or TSV; a text that a spreadsheet would run gets a `'` before it."""

    def __init__(
        self,
        text: IO[str],
        raw: IO[bytes],
        columns: Sequence[str],
        repairs: Counter[str],
        delimiter: str,
    ) -> None:
        self._text = text
        self._raw = raw
        self._columns = columns
        self._repairs = repairs
        self._writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
        # The writer leaves a lone carriage return unquoted, and readers take it for a line end.
        self._quoting = csv.writer(
            text, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL
        )
        self._returns = False
        self._writer.writerow(columns)

    def write(self, columns: Mapping[str, Sequence[Any]], count: int) -> None:
        """Write `count` rows."""
        cells = [self._cells(columns.get(name), count) for name in self._columns]
        if not self._returns:
            self._writer.writerows(zip(*cells, strict=True))
            return
        self._returns = False
        for row in zip(*cells, strict=True):
            returns = any(type(cell) is str and "\r" in cell for cell in row)
            (self._quoting if returns else self._writer).writerow(row)

    def close(self) -> None:
        """Flush and close."""
        self._text.close()
        self._raw.close()

    def _cells(self, values: Sequence[Any] | None, count: int) -> Sequence[Any]:
        if values is None:
            return [""] * count
        kinds = set(map(type, values))
        if kinds <= {int, NoneType}:
            return values
        if kinds <= {float, NoneType}:
            return _number_words(values)
        if kinds <= {bool, NoneType}:
            return [_WORDS[value] for value in values]
        if kinds <= {str, NoneType}:
            texts = [value or "" for value in values]
        else:
            texts = [value if type(value) is str else text_of(value) for value in values]
        if not _RUN_AS_FORMULA.isdisjoint({text[:1] for text in texts}):
            texts = [self._defused(text) for text in texts]
        joined = "".join(texts)
        self._returns = self._returns or "\r" in joined
        return [_whole(text, self._repairs) for text in texts] if _halved(joined) else texts

    def _defused(self, text: str) -> str:
        if text[:1] not in _RUN_AS_FORMULA or _is_number(text):
            return text
        self._repairs[FORMULAS_DEFUSED] += 1
        return "'" + text


class JsonLinesSink:
    """One JSON object a row, strict: what is no number is null."""

    def __init__(
        self, text: IO[str], raw: IO[bytes], columns: Sequence[str], repairs: Counter[str]
    ) -> None:
        self._text = text
        self._raw = raw
        self._columns = columns
        self._repairs = repairs

    def write(self, columns: Mapping[str, Sequence[Any]], count: int) -> None:
        """Write `count` rows; a field that a line did not have stays out of it."""
        known = dict.fromkeys((*columns, *self._columns))
        names = [name for name in self._columns if name in columns]
        names += [name for name in known if name not in self._columns]
        lines = []
        for row in zip(*(columns[name] for name in names), strict=True):
            fields = {
                name: value for name, value in zip(names, row, strict=True) if value is not ABSENT
            }
            try:
                lines.append(json.dumps(fields, ensure_ascii=False, allow_nan=False))
            except (ValueError, TypeError):
                lines.append(json.dumps(_strict(fields), ensure_ascii=False, allow_nan=False))
        lines.append("")
        text = "\n".join(lines)
        if _halved(text):
            text = "\n".join(_whole(line, self._repairs) for line in lines)
        self._text.write(text)

    def close(self) -> None:
        """Flush and close."""
        self._text.close()
        self._raw.close()


def _strict(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _strict(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_strict(each) for each in value]
    if isinstance(value, float):
        return value if value - value == 0 else None
    if value is None or isinstance(value, (str, bool, int)):
        return value
    return str(value)


def _number_words(values: Sequence[Any]) -> Sequence[Any]:
    distinct = set(values)
    if 4 * len(distinct) > len(values):
        return [value if value == value else None for value in values]
    # Scores repeat: writing each of them anew takes longer than all the scoring.
    words = {
        value: repr(value) if value == value and value is not None else "" for value in distinct
    }
    return [words[value] for value in values]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _halved(text: str) -> bool:
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _whole(text: str, repairs: Counter[str]) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        repairs[SURROGATES_REPLACED] += 1
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
