"""What a run decides about its clients: cache, budget, concurrency, where calls are made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class ClientSettings:
    """How a client behaves; the defaults make calls at once, without cache or cap.

    `cache` is the SQLite file of replies, `offline` answers from it alone, `refresh` asks again
    and overwrites. `concurrency` bounds calls in flight (16 when None; the embedded model: 1).
    `max_cost` is a cap in USD over everything that `ledger` (a SQLite file) has booked.
    `gateway` (host, port, token) hands the calls of a worker to the process that makes them.
    `attempts` counts the first try (a server that says it is overloaded is tried twice as
    often), `backoff` is the first wait in seconds, `timeout` bounds one attempt in seconds (None:
    what suits the model).
    """

    cache: Path | None = None
    offline: bool = False
    refresh: bool = False
    concurrency: int | None = None
    max_cost: float | None = None
    ledger: Path | None = None
    models_file: Path | None = None
    gateway: tuple[str, int, str] | None = None
    attempts: int = 5
    backoff: float = 1.0
    timeout: float | None = None

    def __post_init__(self) -> None:
        if self.concurrency is not None and self.concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, found {self.concurrency}")
        if self.attempts < 1:
            raise ValueError(f"attempts must be at least 1, found {self.attempts}")
        if self.max_cost is not None and not 0 <= self.max_cost < float("inf"):
            raise ValueError(f"max_cost must be a number of USD from 0, found {self.max_cost}")
        if self.offline and self.refresh:
            raise ValueError("offline and refresh exclude each other: choose one")
