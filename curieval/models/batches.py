"""Batches that were handed in: kept beside the replies, so that a killed run picks them up."""

from __future__ import annotations

import json
import sqlite3
import time
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from curieval.models.cache import connect
from curieval.models.call import Answer, CallError

PENDING = "pending-"
CLOCK_SKEW = 300.0


@dataclass(frozen=True, kw_only=True)
class BatchLook:
    """How far a batch is: `done` of `total` requests; `created` in seconds since 1970."""

    number: str
    ended: bool
    done: int
    total: int
    created: float


@dataclass(frozen=True, kw_only=True)
class OpenBatch:
    """A batch whose replies are not yet in the cache."""

    number: str
    keys: tuple[str, ...]
    reservation: int | None
    created: float

    @property
    def pending(self) -> bool:
        """Whether nobody knows if the provider took it: the run died as it was handed in."""
        return self.number.startswith(PENDING)


class BatchApi(Protocol):
    """A provider's batches."""

    share_of_price: float
    most_requests: int
    most_bytes: int

    async def create(self, payloads: Mapping[str, Mapping[str, Any]]) -> str:
        """Hand a batch in; return its id."""

    async def look(self, number: str) -> BatchLook:
        """Ask how far a batch is."""

    async def recent(self) -> list[BatchLook]:
        """Return the latest batches."""

    def results(self, number: str) -> AsyncIterator[tuple[str, Answer | CallError]]:
        """Yield what came of each request."""


class BatchBook:
    """The open batches of one model, in the file of the reply cache."""

    def __init__(self, path: Path, *, owner: str) -> None:
        self._connection: sqlite3.Connection = connect(path)
        self._owner = owner

    def open_batches(self) -> list[OpenBatch]:
        """Return the batches whose replies are still to come, oldest first."""
        rows = self._connection.execute(
            "SELECT number, keys, reservation, created FROM batches WHERE owner = ? "
            "ORDER BY created",
            (self._owner,),
        ).fetchall()
        return [
            OpenBatch(
                number=number,
                keys=tuple(json.loads(keys)),
                reservation=reservation,
                created=created,
            )
            for number, keys, reservation, created in rows
        ]

    def intend(self, keys: Sequence[str], *, reservation: int | None) -> str:
        """Write down that a batch is about to be handed in; return its provisional number."""
        number = f"{PENDING}{uuid.uuid4().hex}"
        self._connection.execute(
            "INSERT INTO batches VALUES (?, ?, ?, ?, ?)",
            (number, self._owner, json.dumps(list(keys)), reservation, time.time()),
        )
        return number

    def rename(self, provisional: str, number: str) -> None:
        """Write down the number that the provider gave."""
        self._connection.execute(
            "UPDATE batches SET number = ? WHERE number = ?", (number, provisional)
        )

    def strike(self, number: str) -> None:
        """Forget a batch: its replies are kept, or it never was."""
        self._connection.execute("DELETE FROM batches WHERE number = ?", (number,))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def adopt(batch: OpenBatch, seen: Sequence[BatchLook], known: Sequence[str]) -> str | None:
    """Return the number of the provider's batch that a pending one became, or None.

    It is the one of the same size, made about when this one was handed in, that no other entry
    of the book names.
    """
    fitting = [
        look.number
        for look in seen
        if look.number not in known
        and look.total == len(batch.keys)
        and abs(look.created - batch.created) <= CLOCK_SKEW
    ]
    return fitting[0] if len(fitting) == 1 else None
