"""Trying again: what may pass is tried again with growing waits, and every wait is recorded."""

from __future__ import annotations

import asyncio
import dataclasses
import random
from collections.abc import Awaitable, Callable

from curieval.models.call import Call, CallError, Send
from curieval.models.secrets import redact
from curieval.models.types import Failure, FailureKind, Reply

PASSING: frozenset[FailureKind] = frozenset(
    {"timeout", "connection", "rate_limited", "server_error"}
)
LONGEST_WAIT = 120.0
PATIENCE = 2
LONGEST_DOUBLING = 30.0


class Retry:
    """Turn attempts into a reply: the first answer, or the last failure as a value.

    Waits double from `backoff` to 30 s with full jitter; a Retry-After of the server's is kept
    instead, unless it asks for more than two minutes: then the call fails at once and says so.
    """

    def __init__(
        self,
        inner: Send,
        *,
        attempts: int,
        backoff: float,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._inner = inner
        self._attempts = attempts
        self._backoff = backoff
        self._sleep = sleep

    async def __call__(self, call: Call) -> Reply:
        while True:
            try:
                return await self._inner(call)
            except CallError as error:
                wait = self._wait(call.attempt, error)
                if wait is None:
                    failure = Failure(kind=error.kind, message=redact(error.message))
                    return Reply(failure=failure, attempts=call.attempt, waited=call.waited)
                await self._sleep(wait)
                call = dataclasses.replace(
                    call, attempt=call.attempt + 1, waited=call.waited + wait
                )

    def _wait(self, attempt: int, error: CallError) -> float | None:
        # Somebody who says that he is busy will be free again; somebody who fails may not.
        attempts = self._attempts * PATIENCE if error.overloaded else self._attempts
        if error.kind not in PASSING or attempt >= attempts:
            return None
        if error.retry_after is None:
            ceiling = min(LONGEST_DOUBLING, self._backoff * 2 ** (attempt - 1))
            return random.uniform(ceiling / 2, ceiling)
        if error.retry_after > LONGEST_WAIT:
            error.message += f"; the server asks to wait {error.retry_after:g} s, which is too long"
            return None
        return error.retry_after
