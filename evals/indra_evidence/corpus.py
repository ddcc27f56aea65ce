"""Reads INDRA statements one by one from JSON, also compressed, however large the file is."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from curieval.models.types import CaseFileError

_CHUNK = 1 << 20
# One statement with all its sentences; what is longer is no statement.
LONGEST_VALUE = 1 << 28
_DECODER = json.JSONDecoder()


def read_statements(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield (`file:n`, value) of a list in JSON, or of JSON lines; `.gz` of either.

    Raises CaseFileError that names the place of what cannot be read.
    """
    try:
        with _opened(path) as stream:
            for number, value in enumerate(_values(stream, path.name), start=1):
                yield f"{path.name}:{number}", value
    except (OSError, EOFError) as error:
        raise CaseFileError(f"{path}: cannot be read ({error}); check the file") from error
    except UnicodeDecodeError as error:
        raise CaseFileError(f"{path}: is not UTF-8 ({error.reason}); save it as UTF-8") from error


def _opened(path: Path) -> IO[str]:
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig")
    return path.open(encoding="utf-8-sig")


def _values(stream: IO[str], name: str) -> Iterator[Any]:
    """The values of a list or of lines, each parsed as soon as enough of it was read."""
    text, chunk, number = "", _CHUNK, 1
    while True:
        more = stream.read(chunk)
        text += more
        start = 0
        while True:
            start = _next(text, start)
            if start == len(text):
                break
            try:
                value, end = _DECODER.raw_decode(text, start)
            except (ValueError, RecursionError) as error:
                if more and len(text) - start < LONGEST_VALUE:
                    break
                raise CaseFileError(
                    f"{name}:{number}: statement {number} is not JSON ({error}); mend or cut it"
                ) from error
            if end == len(text) and more and not isinstance(value, dict):
                break
            yield value
            number, start = number + 1, end
        text = text[start:]
        # What is not whole yet is parsed again: reading twice as much keeps that linear.
        chunk = max(_CHUNK, 2 * len(text))
        if not more:
            return


def _next(text: str, start: int) -> int:
    """Where the next value begins, past blanks, commas and the brackets of a list."""
    while start < len(text) and text[start] in " \t\r\n,[]":
        start += 1
    return start
