"""Writing records.jsonl: one strict JSON line a record, on disk as soon as it is known."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable, Mapping
from io import FileIO
from pathlib import Path
from typing import IO, Any

from curieval.report.errors import ReportError
from curieval.report.plain import LONGEST_TEXT, to_plain

RECORDS_FILE = "records.jsonl"
RECORDS_VERSION = 1
_strict_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_LONG_INTEGER = re.compile(r"(?<![\d.])\d{16,}")
RUN_LINE = b'{"kind":"run",'


class RecordWriter:
    """Appends one leg to a run folder; each line is flushed, and synced once a second.

    A killed process loses no finished line. ReportError where the folder cannot be written,
    holds records of something else, or is being written by another run.
    """

    def __init__(self, folder: Path, *, clean: Callable[[str], str] = str) -> None:
        self.folder = Path(folder)
        self.path = self.folder / RECORDS_FILE
        self._clean = clean
        self._lock = threading.Lock()
        self._synced = 0.0
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            # Unbuffered, so that a line is handed to the system whole or known to be torn.
            self._file = self.path.open("ab", buffering=0)
        except OSError as error:
            raise ReportError(
                f"the report folder {self.folder} cannot be written: {error.strerror or error}; "
                "name another with --report"
            ) from error
        try:
            _lock_or_refuse(self._file, self.folder)
            with self.path.open("rb") as written:
                self.leg, self._torn = 1 + _count_legs(written, self.path), _ends_torn(written)
        except BaseException:
            self._file.close()
            raise

    def write(self, line: Mapping[str, Any]) -> None:
        """Append one line; content that JSON cannot hold is replaced and listed in `mended`.

        ReportError only where the disk refuses.
        """
        data = self._encode(line)
        with self._lock:
            try:
                # What a full disk or a kill left half written must not swallow this line.
                rest = memoryview(b"\n" + data if self._torn else data)
                self._torn = True
                while rest:
                    rest = rest[self._file.write(rest) :]
                self._torn = False
                if time.monotonic() - self._synced >= 1.0:
                    os.fsync(self._file.fileno())
                    self._synced = time.monotonic()
            except (OSError, ValueError) as error:
                raise ReportError(
                    f"{self.path} cannot be written: {error}; "
                    "free some space or name another folder with --report, and run again: "
                    "what was finished is kept"
                ) from error

    def close(self) -> None:
        """Sync and close; a second call does nothing."""
        with self._lock:
            if self._file.closed:
                return
            try:
                os.fsync(self._file.fileno())
            except OSError as error:
                raise ReportError(f"{self.path} cannot be written: {error}") from error
            finally:
                self._file.close()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _encode(self, line: Mapping[str, Any]) -> bytes:
        text = _dump_at_once(self._ordered(line))
        if text is not None and self._clean(text) == text:
            return text.encode() + b"\n"
        plain = to_plain(line, clean=self._clean)
        ordered = self._ordered(plain.value if isinstance(plain.value, dict) else {})
        if plain.notes:
            ordered["mended"] = list(plain.notes)
        return _strict_json(ordered).encode() + b"\n"

    def _ordered(self, line: Mapping[str, Any]) -> dict[str, Any]:
        kind = line.get("kind", "record")
        ordered = {"kind": kind, **line}
        if kind == "run":
            ordered.setdefault("schema_version", RECORDS_VERSION)
        if kind in ("run", "plan", "record", "end"):
            ordered.setdefault("leg", self.leg)
        return ordered


def _dump_at_once(value: object) -> str | None:
    """The line as strict JSON in one go; None where it holds what must be looked at piece by
    piece, which is rare and twenty times slower."""
    try:
        text = _strict_json(value)
        text.encode()
    except (ValueError, TypeError, RecursionError):
        return None
    return None if len(text) > LONGEST_TEXT or _LONG_INTEGER.search(text) else text


def _lock_or_refuse(file: FileIO, folder: Path) -> None:
    try:
        import fcntl
    except ImportError:  # no advisory locks on Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise ReportError(
            f"another run is writing to {folder}; wait for it, or name another with --report"
        ) from error
    except OSError:  # a file system without locks
        return


def _count_legs(file: IO[bytes], path: Path) -> int:
    file.seek(0)
    first = file.readline()
    if not first:
        return 0
    if not first.startswith(RUN_LINE) and not RUN_LINE.startswith(first.rstrip(b"\n")):
        raise ReportError(
            f"{path}:1 is not the start of a run's records; "
            "name another folder with --report, or move that file away"
        )
    legs = 1
    for line in file:
        legs += line.startswith(RUN_LINE)
    return legs


def _ends_torn(file: IO[bytes]) -> bool:
    if file.seek(0, os.SEEK_END) == 0:
        return False
    file.seek(-1, os.SEEK_END)
    return file.read(1) != b"\n"
