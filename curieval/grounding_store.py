"""A term set in one SQLite file: built once, read by many processes, with what gilda answered."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from curieval.grounding_terms import TermRow

# What gilda gives for a text: db, id, entry name, text, status and score of each match.
Answer = list[list[Any]]

# Part of each file's name, so that a file of another form is never read.
FORM = 1
_BUSY_SECONDS = 60
# A write costs as much as an answer.
_GROUP = 64

_CREATE = """
CREATE TABLE terms (
    norm_text TEXT NOT NULL, text TEXT NOT NULL, db TEXT NOT NULL, id TEXT NOT NULL,
    entry_name TEXT NOT NULL, status TEXT NOT NULL, source TEXT NOT NULL, organism TEXT
);
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
_INDEX = """
CREATE INDEX by_text ON terms (norm_text);
CREATE INDEX by_entity ON terms (db, id);
"""


def build_store(
    path: Path, rows: Iterable[TermRow], normalize: Callable[[str], str], about: dict[str, str]
) -> None:
    """Write a term set whole or not at all; `about` gains its size and checksum."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    temporary = Path(name)
    try:
        connection = sqlite3.connect(temporary)
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(_CREATE)
        checksum = hashlib.sha256()
        connection.executemany(
            "INSERT INTO terms VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            _normalized(rows, normalize, checksum.update),
        )
        connection.executescript(_INDEX)
        counts = connection.execute("SELECT COUNT(*), COUNT(DISTINCT norm_text) FROM terms")
        n_terms, n_texts = counts.fetchone()
        about |= {
            "sha256": checksum.hexdigest(),
            "n_terms": str(n_terms),
            "n_texts": str(n_texts),
        }
        connection.executemany("INSERT INTO about VALUES (?, ?)", sorted(about.items()))
        connection.commit()
        connection.close()
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def one_builder(path: Path) -> Iterator[None]:
    """Let one process at a time build; the others wait, and find the file when their turn comes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        try:
            import fcntl

            # Released by the system when its holder dies.
            fcntl.flock(lock, fcntl.LOCK_EX)
        except ImportError:
            pass
        yield


class TermStore:
    """Lookups in a term set; each thread has a connection of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._uri = f"{path.absolute().as_uri()}?mode=ro"
        self._local = threading.local()
        self.about: dict[str, str] = dict(self._all("SELECT key, value FROM about"))

    def rows(self, norm_text: str) -> list[TermRow]:
        """All terms of one normalized text."""
        found = self._all(
            "SELECT text, db, id, entry_name, status, source, organism FROM terms "
            "WHERE norm_text = ? ORDER BY rowid",
            norm_text,
        )
        return [TermRow(*row) for row in found]

    def names(self, db: str, id: str) -> tuple[str, ...]:
        """All texts of one entity, in order."""
        query = "SELECT DISTINCT text FROM terms WHERE db = ? AND id = ? ORDER BY text"
        return tuple(text for (text,) in self._all(query, db, id))

    def _all(self, query: str, *values: str) -> list[Any]:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self._uri, uri=True, timeout=_BUSY_SECONDS)
            self._local.connection = connection
        found: list[Any] = connection.execute(query, values).fetchall()
        return found


class AnswerStore:
    """What gilda answered for each text, shared by processes: most never need to load it.

    Where the file cannot be written or read, nothing is kept and nothing is known.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()
        self._waiting: list[tuple[str, Answer]] = []
        self._lock = threading.Lock()
        atexit.register(self.flush)

    def get(self, text: str) -> Answer | None:
        """The answer kept for a text."""
        with contextlib.suppress(sqlite3.Error, OSError):
            query = "SELECT answer FROM answers WHERE text = ?"
            row = self._connection().execute(query, (text,)).fetchone()
            if row:
                answer: Answer = json.loads(row[0])
                return answer
        return None

    @contextlib.contextmanager
    def one_asker(self) -> Iterator[None]:
        """Let one process at a time ask gilda; the others find its answers in their turn."""
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(OSError):
                stack.enter_context(one_builder(self._path))
            yield

    def keep(self, text: str, answer: Answer) -> None:
        """Keep an answer for all processes; written in groups, the last ones at exit."""
        with self._lock:
            self._waiting.append((text, answer))
            full = len(self._waiting) >= _GROUP
        if full:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        if waiting:
            with contextlib.suppress(sqlite3.Error, OSError):
                connection = self._connection()
                with connection:
                    connection.executemany(
                        "INSERT OR IGNORE INTO answers VALUES (?, ?)",
                        [(text, json.dumps(answer)) for text, answer in waiting],
                    )

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS answers (text TEXT PRIMARY KEY, answer TEXT NOT NULL)"
            )
            self._local.connection = connection
        return connection


def _normalized(
    rows: Iterable[TermRow], normalize: Callable[[str], str], update: Callable[[bytes], None]
) -> Iterator[tuple[str | None, ...]]:
    for row in rows:
        norm_text = normalize(row.text)
        if norm_text.strip():
            line = (norm_text, *row)
            update("\t".join(part or "" for part in line).encode() + b"\n")
            yield line
