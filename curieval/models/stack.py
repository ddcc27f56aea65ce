"""The layers of a client, put together in the order in which a call meets them.

From the outside in: look-up, single flight, retry, calls in flight, pace, keeping, budget,
attempt. Retry stands outside limits and budget: every attempt reserves its own worst case, counts
for the rate, and holds no place in flight while it waits for the next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from curieval.models.attempt import Attempt
from curieval.models.budget import Budget, check_capable
from curieval.models.cache import ReplyCache
from curieval.models.cached import Keep, Lookup
from curieval.models.call import Backend, Call, Send, call_for
from curieval.models.flight import SingleFlight
from curieval.models.ledger import Ledger
from curieval.models.limits import Limit
from curieval.models.loop import background_loop, loop_runs, spawn
from curieval.models.pace import Pace
from curieval.models.retry import Retry
from curieval.models.settings import ClientSettings
from curieval.models.types import Failure, Reply, Request
from curieval.models.wire import with_parsed

DEFAULT_CONCURRENCY = 16
CLOSING_SECONDS = 5.0


class Stack:
    """A model whose calls are made in this process."""

    instant = False

    def __init__(self, backend: Backend, *, model: str, settings: ClientSettings) -> None:
        self.backend = backend
        self.cache = (
            None
            if settings.cache is None
            else ReplyCache(settings.cache, read_only=settings.offline)
        )
        traits = backend.traits
        wanted = settings.concurrency or DEFAULT_CONCURRENCY
        self.enforces_schema = traits.enforces_schema
        self.concurrency = min(wanted, traits.concurrency or wanted)
        send: Send = Attempt(backend, timeout=settings.timeout)
        self.ledger = self.budget = None
        if not settings.offline and (settings.max_cost is not None or settings.ledger is not None):
            if settings.max_cost is not None:
                check_capable(backend, model, settings.max_cost)
            self.ledger = Ledger(settings.ledger)
            self.budget = Budget(send, backend, self.ledger, model=model, cap=settings.max_cost)
            send = self.budget
        if self.cache is not None:
            send = Keep(send, self.cache, model=model)
        if traits.requests_per_minute is not None or traits.tokens_per_minute is not None:
            send = Pace(send, requests=traits.requests_per_minute, tokens=traits.tokens_per_minute)
        self._limit = Limit(send, ceiling=self.concurrency)
        send = Retry(self._limit, attempts=settings.attempts, backoff=settings.backoff)
        self._flight = SingleFlight(send)
        self._layers = Lookup(
            self._flight, self.cache, offline=settings.offline, refresh=settings.refresh
        )
        self._flying: set[Future[Reply]] = set()
        self.model = model
        self.settings = settings
        self._closed = False

    @property
    def identity(self) -> dict[str, Any]:
        """What tells this model from every other."""
        return dict(self.backend.identity)

    @property
    def destination(self) -> str:
        """Where the data go."""
        return self.backend.destination

    def submit(self, request: Request) -> Future[Reply]:
        """Start a call, or answer at once where no call is needed."""
        if self._closed:
            raise RuntimeError("the client is closed")
        try:
            call = call_for(self.backend, request)
        except ValueError as error:
            failure = Failure(kind="bad_request", message=str(error))
            return finished(Reply(failure=failure, attempts=0))
        found = self._layers.find(call)
        if found is not None:
            return finished(with_parsed(found, request))
        future = spawn(self._run(request, self._layers, call))
        self._flying.add(future)
        future.add_done_callback(self._flying.discard)
        return future

    async def _run(self, request: Request, send: Send, call: Call) -> Reply:
        return with_parsed(await send(call), request)

    @contextmanager
    def widened(self, concurrency: int) -> Iterator[None]:
        """Allow more calls in flight for a while, as far as the model bears them."""
        by = min(concurrency, self.backend.traits.concurrency or concurrency) - self.concurrency
        if by <= 0:
            yield
            return
        background_loop().call_soon_threadsafe(self._limit.widen, by)
        try:
            yield
        finally:
            background_loop().call_soon_threadsafe(self._limit.widen, -by)

    def close(self) -> None:
        """Cancel what is in flight and let go of files and connections, within seconds."""
        if self._closed:
            return
        self._closed = True
        for future in list(self._flying):
            future.cancel()
        if loop_runs():
            closing = spawn(self._shut())
            try:
                closing.result(CLOSING_SECONDS)
            except (TimeoutError, asyncio.CancelledError):
                closing.cancel()
        if self.ledger is not None:
            self.ledger.close()
        if self.cache is not None:
            self.cache.close()

    async def _shut(self) -> None:
        await self._flight.cancel_all()
        await self.backend.close()


def finished(reply: Reply) -> Future[Reply]:
    """Return a future that already holds its reply."""
    future: Future[Reply] = Future()
    future.set_result(reply)
    return future
