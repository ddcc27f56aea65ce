"""The ledger: what was spent and what is reserved, in one SQLite file that outlives any kill.

A call reserves its worst case before it is sent and settles what it cost after. Whoever opens
the ledger finds the reservations of those who died: nobody knows whether they were billed, so
they count as spent until somebody settles them.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from curieval.models.errors import BudgetError

APPLICATION_ID = 0x43757262
SCHEMA_VERSION = 1
NANO = 10**9
# A call in flight for longer counts as spent: whoever made it may be dead.
STALE_SECONDS = 900

_CREATE = """
CREATE TABLE spent (model TEXT PRIMARY KEY, nano INTEGER NOT NULL, calls INTEGER NOT NULL);
CREATE TABLE reserved (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    model TEXT NOT NULL,
    nano INTEGER NOT NULL,
    since REAL NOT NULL,
    lost INTEGER NOT NULL DEFAULT 0
);
"""


@dataclass(frozen=True, kw_only=True)
class Totals:
    """USD by model: `spent` was settled, `lost` was in flight when a process died."""

    spent: Mapping[str, float]
    lost: Mapping[str, float]

    @property
    def usd(self) -> float:
        """All that counts against a cap."""
        return sum(self.spent.values()) + sum(self.lost.values())


class Ledger:
    """Reserve and settle, all clients of all processes in one file; in memory without a path.

    Raises BudgetError where the file cannot be used.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                ":memory:" if path is None else path,
                timeout=60,
                isolation_level=None,
                check_same_thread=False,
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._open()
        except (OSError, sqlite3.Error) as error:
            raise BudgetError(
                f"the ledger {path} cannot be used: {error}; without it no cap on cost can be "
                "kept: name a folder that you may write"
            ) from error

    def _open(self) -> None:
        with self._transaction() as connection:
            if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                for statement in _CREATE.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if (application, version) != (APPLICATION_ID, SCHEMA_VERSION):
                raise BudgetError(
                    f"{self._path} is no ledger that this curieval reads: start a report folder "
                    "of its own, or use the version that wrote it"
                )
            connection.execute("UPDATE reserved SET lost = 1")

    def reserve(
        self, model: str, usd: float, *, cap: float | None
    ) -> int | Literal["wait", "never"]:
        """Set aside `usd`; return the number of the reservation, or why there is none.

        "wait": it may fit when calls in flight settle for less; "never": it cannot fit.
        """
        nano = _nano(usd)
        with self._transaction() as connection:
            if cap is not None:
                fresh = time.time() - STALE_SECONDS
                left = _nano(cap) - self._booked(connection, fresh) - nano
                if left < 0:
                    return "never"
                if left < self._flying(connection, fresh):
                    return "wait"
            row = connection.execute(
                "INSERT INTO reserved (model, nano, since) VALUES (?, ?, ?) RETURNING id",
                (model, nano, time.time()),
            ).fetchone()
            return int(row[0])

    def settle(self, number: int, usd: float, *, calls: int = 1) -> None:
        """Replace a reservation, lost or not, by what was spent."""
        with self._transaction() as connection:
            row = connection.execute(
                "DELETE FROM reserved WHERE id = ? RETURNING model", (number,)
            ).fetchone()
            if row is None:
                return
            connection.execute(
                "INSERT INTO spent VALUES (?, ?, ?) ON CONFLICT (model) DO UPDATE "
                "SET nano = nano + excluded.nano, calls = calls + excluded.calls",
                (row[0], _nano(usd), calls),
            )

    def release(self, number: int) -> None:
        """Drop a reservation that was not billed."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM reserved WHERE id = ?", (number,))

    def totals(self) -> Totals:
        """Return what counts as spent."""
        with self._lock:
            spent = self._connection.execute("SELECT model, nano FROM spent").fetchall()
            lost = self._connection.execute(
                "SELECT model, sum(nano) FROM reserved WHERE lost GROUP BY model"
            ).fetchall()
        return Totals(
            spent={model: nano / NANO for model, nano in spent},
            lost={model: nano / NANO for model, nano in lost},
        )

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _booked(self, connection: sqlite3.Connection, fresh: float) -> int:
        return int(
            connection.execute(
                "SELECT (SELECT coalesce(sum(nano), 0) FROM spent)"
                " + (SELECT coalesce(sum(nano), 0) FROM reserved WHERE lost OR since < ?)",
                (fresh,),
            ).fetchone()[0]
        )

    def _flying(self, connection: sqlite3.Connection, fresh: float) -> int:
        query = "SELECT coalesce(sum(nano), 0) FROM reserved WHERE NOT lost AND since >= ?"
        return int(connection.execute(query, (fresh,)).fetchone()[0])

    def _transaction(self) -> _Transaction:
        return _Transaction(self._lock, self._connection, self._path)


def _nano(usd: float) -> int:
    """Return USD in billionths, so that sums are exact and a hundred cents are a dollar."""
    return round(usd * NANO)


class _Transaction:
    """Hold the lock and a write transaction; commit at the end or roll back on an error.

    Raises BudgetError where the file refuses.
    """

    def __init__(
        self, lock: threading.Lock, connection: sqlite3.Connection, path: Path | None
    ) -> None:
        self._lock = lock
        self._connection = connection
        self._path = path

    def __enter__(self) -> sqlite3.Connection:
        self._lock.acquire()
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except BaseException as error:
            self._lock.release()
            raise self._refused(error) from error
        return self._connection

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> None:
        try:
            self._connection.execute("COMMIT" if error is None else "ROLLBACK")
        except sqlite3.Error as refusal:
            raise self._refused(error or refusal) from refusal
        finally:
            self._lock.release()
        if isinstance(error, sqlite3.Error):
            raise self._refused(error) from error

    def _refused(self, error: BaseException) -> BaseException:
        if not isinstance(error, sqlite3.Error):
            return error
        return BudgetError(
            f"the ledger {self._path} cannot be written: {error}; without it no cap on cost can "
            "be kept: free some space and run again"
        )


def read_totals(path: Path) -> Totals:
    """Return what a ledger has booked, without opening it for a run; nothing where none is."""
    if not path.exists():
        return Totals(spent={}, lost={})
    try:
        with sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True) as connection:
            spent = connection.execute("SELECT model, nano FROM spent").fetchall()
            open_ = connection.execute(
                "SELECT model, sum(nano) FROM reserved GROUP BY model"
            ).fetchall()
        connection.close()
    except sqlite3.Error as error:
        raise BudgetError(f"the ledger {path} cannot be read: {error}") from error
    return Totals(
        spent={model: nano / NANO for model, nano in spent},
        lost={model: nano / NANO for model, nano in open_},
    )
