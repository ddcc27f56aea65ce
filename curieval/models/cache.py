"""The reply cache: one SQLite file that many processes may read and write at once."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import sqlite3
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from curieval.models.errors import CacheError
from curieval.models.types import Reply
from curieval.models.wire import canonical, reply_from_json, reply_to_json

APPLICATION_ID = 0x43757269
SCHEMA_VERSION = 1
BUSY_SECONDS = 60

Row = tuple[str, str, float, str]

_CREATE = (
    """CREATE TABLE replies (
        key TEXT PRIMARY KEY,
        model TEXT NOT NULL,
        kept REAL NOT NULL,
        reply TEXT NOT NULL
    )""",
    """CREATE TABLE batches (
        number TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        keys TEXT NOT NULL,
        reservation INTEGER,
        created REAL NOT NULL
    )""",
)


def default_cache_path() -> Path:
    """Return where replies are kept unless the user names a file: the user's cache folder."""
    import platformdirs

    return platformdirs.user_cache_path("curieval", appauthor=False) / "replies.sqlite"


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Open a reply cache, creating it if need be.

    Raises CacheError where the file cannot be used or another version of curieval wrote it.
    """
    try:
        if read_only:
            return _checked(_open_read_only(path), path)
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            for statement in _CREATE:
                connection.execute(statement)
        connection.execute("COMMIT")
        return _checked(connection, path)
    except (OSError, sqlite3.Error) as error:
        raise CacheError(
            f"the reply cache {path} cannot be opened: {error}; "
            "name a file in a folder that you may write with --cache FILE"
        ) from error


def _open_read_only(path: Path) -> sqlite3.Connection:
    if not path.exists():
        raise CacheError(
            f"offline needs a reply cache, and {path} does not exist: run without --offline "
            "once, or import a cache with `curieval cache import`"
        )
    location = path.absolute().as_uri()
    for mode in ("mode=ro", "mode=ro&immutable=1"):
        connection = sqlite3.connect(
            f"{location}?{mode}", uri=True, timeout=BUSY_SECONDS, check_same_thread=False
        )
        try:
            connection.execute("SELECT 1 FROM sqlite_master")
        except sqlite3.OperationalError:
            # A WAL file in a folder that cannot be written opens only as immutable.
            connection.close()
        else:
            return connection
    raise CacheError(f"the reply cache {path} cannot be read: check its permissions")


def _checked(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        connection.close()
        raise CacheError(f"{path} is no reply cache of curieval: name another file with --cache")
    if version != SCHEMA_VERSION:
        connection.close()
        raise CacheError(
            f"the reply cache {path} has schema version {version}, this curieval reads and "
            f"writes {SCHEMA_VERSION}: use the curieval that wrote it or name another file "
            "with --cache"
        )
    return connection


class ReplyCache:
    """Finished replies by key; reads from any thread, writes in one of its own."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._reader = connect(path, read_only=read_only)
        self._writer = None if read_only else connect(path)
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="curieval-cache")
        self._pending: list[tuple[Row, asyncio.Future[None]]] = []
        self._draining: asyncio.Task[None] | None = None

    def get(self, key: str) -> Reply | None:
        """Return the kept reply, marked as such, or None."""
        try:
            with self._lock:
                row = self._reader.execute(
                    "SELECT reply FROM replies WHERE key = ?", (key,)
                ).fetchone()
        except sqlite3.Error as error:
            raise CacheError(
                f"the reply cache {self.path} cannot be read: {error}; "
                "name another file with --cache FILE"
            ) from error
        if row is None:
            return None
        try:
            reply = reply_from_json(json.loads(row[0]))
        except (ValueError, KeyError, TypeError) as error:
            raise CacheError(
                f"the reply cache {self.path} holds an unreadable reply under {key}: {error}; "
                "run with --refresh or name another file with --cache FILE"
            ) from error
        return dataclasses.replace(reply, from_cache=True)

    def put(self, key: str, reply: Reply, *, model: str) -> None:
        """Keep a finished reply; when this returns, it outlives the process."""
        self._write([_row(key, reply, model)])

    async def keep(self, key: str, reply: Reply, *, model: str) -> None:
        """Put from the event loop: what comes while a write is under way is written together."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append((_row(key, reply, model), done))
        if self._draining is None:
            self._draining = asyncio.ensure_future(self._drain())
        await done

    async def _drain(self) -> None:
        loop = asyncio.get_running_loop()
        while self._pending:
            batch, self._pending = self._pending, []
            rows = [row for row, _ in batch]
            failed: Exception | None = None
            try:
                await loop.run_in_executor(self._writing, self._write, rows)
            except Exception as error:
                failed = error
            for _, done in batch:
                if done.done():
                    continue
                if failed is None:
                    done.set_result(None)
                else:
                    done.set_exception(failed)
        self._draining = None

    def _write(self, rows: Sequence[Row]) -> None:
        if self._writer is None:
            raise CacheError(f"the reply cache {self.path} is open for reading only")
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            self._writer.executemany("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", rows)
            self._writer.execute("COMMIT")
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            raise CacheError(
                f"the reply cache {self.path} cannot be written: {error}; "
                "free some space or name another file with --cache FILE"
            ) from error

    def close(self) -> None:
        """Finish pending writes and close the file."""
        self._writing.shutdown(wait=True)
        if self._pending:
            self._write([row for row, _ in self._pending])
        with self._lock:
            self._reader.close()
        if self._writer is not None:
            self._writer.close()


def _row(key: str, reply: Reply, model: str) -> Row:
    if reply.failure is not None:
        raise ValueError(f"only finished replies are kept, found {reply.failure.kind}")
    text = canonical(reply_to_json(dataclasses.replace(reply, from_cache=False)))
    return key, model, time.time(), text
