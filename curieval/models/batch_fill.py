"""Filling the reply cache by a provider's batch API, before a run goes on from there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from curieval.models.batches import BatchApi, BatchBook, BatchLook, OpenBatch, adopt
from curieval.models.budget import Budget
from curieval.models.cache import ReplyCache
from curieval.models.call import Answer, Call, CallError, call_for
from curieval.models.client import Client
from curieval.models.errors import ConfigError
from curieval.models.ledger import Ledger
from curieval.models.loop import spawn
from curieval.models.retry import PASSING
from curieval.models.secrets import redact
from curieval.models.stack import Stack
from curieval.models.types import Failure, Reply, Request
from curieval.models.wire import canonical

POLL_SECONDS = 30.0
LOST_LOOKS = 10
LOOK_SECONDS = 60.0

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class BatchProgress:
    """How far the open batches are: `done` of `total` requests."""

    done: int
    total: int
    batches: tuple[str, ...]


@dataclass(kw_only=True)
class BatchSummary:
    """What a fill came to, in requests; `failures` are the kinds that the provider gave.

    `picked_up` were handed in by an earlier run, `beyond_budget` were left out, and `failure` is
    why the fill stopped early, if it did: then the batches stay open for the next run.
    """

    cached: int = 0
    submitted: int = 0
    picked_up: int = 0
    succeeded: int = 0
    beyond_budget: int = 0
    cost_usd: float | None = 0.0
    failures: dict[str, int] = field(default_factory=dict)
    failure: Failure | None = None


def fill_by_batch(
    client: Client,
    requests: Iterable[Request],
    *,
    poll: float = POLL_SECONDS,
    report: Callable[[BatchProgress], None] | None = None,
) -> BatchSummary:
    """Hand the uncached requests in as batches, wait for them and keep their replies.

    Blocks for minutes to a day, looking every `poll` seconds; when interrupted, the batches go
    on at the provider and the next call picks them up. Raises ConfigError where the model has no
    batch API or the client no cache.
    """
    stack = client.line
    api = getattr(stack.backend, "batches", None) if isinstance(stack, Stack) else None
    if not isinstance(stack, Stack) or api is None:
        raise ConfigError(f"model {client.name} has no batch API: leave --batch out")
    if stack.cache is None or stack.settings.offline:
        raise ConfigError("batches need a reply cache to fill: leave --offline out, give --cache")
    fill = _Fill(stack, api, stack.cache, poll=poll, report=report)
    future = spawn(fill.run(list(requests)))
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


class _Fill:
    def __init__(
        self,
        stack: Stack,
        api: BatchApi,
        cache: ReplyCache,
        *,
        poll: float,
        report: Callable[[BatchProgress], None] | None,
    ) -> None:
        self._stack = stack
        self._api = api
        self._cache = cache
        self._poll = poll
        self._report = report
        self._summary = BatchSummary()
        self._looks: dict[str, BatchLook] = {}

    async def run(self, requests: list[Request]) -> BatchSummary:
        book = BatchBook(self._cache.path, owner=canonical(self._stack.identity))
        try:
            await self._adopt_pending(book)
            await self._submit(book, requests)
            await self._wait(book)
        except CallError as error:
            self._summary.failure = Failure(kind=error.kind, message=redact(error.message))
        finally:
            book.close()
        return self._summary

    async def _adopt_pending(self, book: BatchBook) -> None:
        entries = book.open_batches()
        pending = [entry for entry in entries if entry.pending]
        if not pending:
            return
        seen = await self._patiently(self._api.recent)
        known = [entry.number for entry in entries]
        for entry in pending:
            number = adopt(entry, seen, known)
            if number is None:
                book.strike(entry.number)
            else:
                book.rename(entry.number, number)
                known.append(number)

    async def _submit(self, book: BatchBook, requests: list[Request]) -> None:
        under_way = {key for entry in book.open_batches() for key in entry.keys}
        todo: dict[str, Call] = {}
        for request in requests:
            call = call_for(self._stack.backend, request)
            if call.key in todo:
                continue
            if call.key in under_way:
                self._summary.picked_up += 1
            elif not self._stack.settings.refresh and self._cache.get(call.key) is not None:
                self._summary.cached += 1
            else:
                todo[call.key] = call
        for part in self._parts(list(todo.values())):
            calls, reservation = self._affordable(part)
            self._summary.beyond_budget += len(part) - len(calls)
            if not calls:
                continue
            provisional = book.intend([call.key for call in calls], reservation=reservation)
            try:
                number = await self._api.create({call.key: call.payload for call in calls})
            except CallError as error:
                # Where the provider may have taken it, the next run asks for its latest batches.
                if not error.billed:
                    book.strike(provisional)
                    if self._stack.ledger is not None and reservation is not None:
                        self._stack.ledger.release(reservation)
                raise
            book.rename(provisional, number)
            self._summary.submitted += len(calls)

    def _parts(self, calls: list[Call]) -> Iterator[list[Call]]:
        part: list[Call] = []
        size = 0
        for call in calls:
            length = len(canonical(call.payload).encode())
            if part and (
                len(part) >= self._api.most_requests or size + length > self._api.most_bytes
            ):
                yield part
                part, size = [], 0
            part.append(call)
            size += length
        if part:
            yield part

    def _affordable(self, part: list[Call]) -> tuple[list[Call], int | None]:
        budget, ledger = self._stack.budget, self._stack.ledger
        if budget is None or ledger is None:
            return part, None
        cap = self._stack.settings.max_cost
        while part:
            number = ledger.reserve(self._stack.model, self._worst(budget, part), cap=cap)
            if isinstance(number, int):
                return part, number
            part = self._that_fit(budget, ledger, part)
        return [], None

    def _that_fit(self, budget: Budget, ledger: Ledger, part: list[Call]) -> list[Call]:
        room = (self._stack.settings.max_cost or 0.0) - ledger.totals().usd
        fitting: list[Call] = []
        for call in part[:-1]:
            room -= self._worst(budget, [call])
            if room < -1e-9:
                break
            fitting.append(call)
        return fitting

    def _worst(self, budget: Budget, calls: list[Call]) -> float:
        whole = sum(budget.worst(call.payload) or 0.0 for call in calls)
        return whole * self._api.share_of_price

    async def _wait(self, book: BatchBook) -> None:
        while True:
            entries = book.open_batches()
            for entry in entries:
                look = await self._patiently(partial(self._api.look, entry.number))
                self._looks[entry.number] = look
                if look.ended:
                    await self._collect(entry)
                    book.strike(entry.number)
            self._tell()
            if not book.open_batches():
                return
            await asyncio.sleep(self._poll)

    def _tell(self) -> None:
        if self._report is not None and self._looks:
            looks = self._looks.values()
            self._report(
                BatchProgress(
                    done=sum(look.done for look in looks),
                    total=sum(look.total for look in looks),
                    batches=tuple(self._looks),
                )
            )

    async def _collect(self, entry: OpenBatch) -> None:
        wanted = set(entry.keys)
        spent: float | None = 0.0
        async for key, outcome in self._api.results(entry.number):
            if key not in wanted:
                continue
            if isinstance(outcome, CallError):
                failures = self._summary.failures
                failures[outcome.kind] = failures.get(outcome.kind, 0) + 1
                continue
            reply = self._reply(outcome)
            await self._cache.keep(key, reply, model=self._stack.model)
            self._summary.succeeded += 1
            spent = None if spent is None or reply.cost_usd is None else spent + reply.cost_usd
        if self._stack.ledger is not None and entry.reservation is not None and spent is not None:
            self._stack.ledger.settle(entry.reservation, spent, calls=len(entry.keys))
        known = self._summary.cost_usd
        self._summary.cost_usd = None if known is None or spent is None else known + spent

    def _reply(self, answer: Answer) -> Reply:
        cost = self._stack.backend.traits.price.cost(answer.usage)
        return Reply(
            text=answer.text,
            finish=answer.finish,
            usage=answer.usage,
            cost_usd=None if cost is None else cost * self._api.share_of_price,
        )

    async def _patiently(self, ask: Callable[[], Awaitable[T]]) -> T:
        for _ in range(LOST_LOOKS):
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    return await ask()
            except TimeoutError:
                continue
            except CallError as error:
                if error.kind not in PASSING:
                    raise
                await asyncio.sleep(min(self._poll, error.retry_after or self._poll))
        raise CallError(
            "connection",
            f"the batch API did not answer {LOST_LOOKS} times; the batches stay open at the "
            "provider, and the same command picks them up",
        )
