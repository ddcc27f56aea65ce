"""Requests and tokens per minute: calls start evenly spaced, however many wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from curieval.models.call import Call, Send
from curieval.models.types import Reply
from curieval.models.wire import canonical

CHARACTERS_PER_TOKEN = 4


def likely_tokens(payload: Mapping[str, Any]) -> int:
    """Return the prompt's tokens by the rule of thumb of four characters a token, at least 1."""
    return max(1, len(canonical(payload)) // CHARACTERS_PER_TOKEN)


class Pace:
    """Start each call when the minute has room for it."""

    def __init__(
        self,
        inner: Send,
        *,
        requests: int | None,
        tokens: int | None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._inner = inner
        self._requests = requests
        self._tokens = tokens
        self._clock = clock
        self._sleep = sleep
        self._free = 0.0

    async def __call__(self, call: Call) -> Reply:
        seconds = 0.0
        if self._requests is not None:
            seconds = 60 / self._requests
        if self._tokens is not None:
            used = likely_tokens(call.payload) + call.request.max_tokens
            seconds = max(seconds, 60 * used / self._tokens)
        now = self._clock()
        start = max(now, self._free)
        self._free = start + seconds
        if start > now:
            await self._sleep(start - now)
        return await self._inner(call)
