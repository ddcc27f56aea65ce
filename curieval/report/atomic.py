"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from curieval.report.errors import ReportError


def write_whole(path: Path, parts: Iterator[str] | Sequence[str]) -> None:
    """Write a text file so that no reader ever sees half of it; ReportError if it cannot be."""
    with whole(path) as neighbour, neighbour.open("w", encoding="utf-8", newline="") as file:
        file.writelines(parts)


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A temporary neighbour of `path` to be written in its stead, which then takes its place."""
    neighbour = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield neighbour
        with neighbour.open("rb") as file:
            os.fsync(file.fileno())
        neighbour.replace(path)
    except OSError as error:
        raise ReportError(
            f"{path} cannot be written: {error.strerror or error}; "
            "free some space or name another folder"
        ) from error
    finally:
        with suppress(OSError):
            neighbour.unlink(missing_ok=True)
