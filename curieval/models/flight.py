"""Single flight: calls with the same key that overlap in time are one call."""

from __future__ import annotations

import asyncio
import dataclasses

from curieval.models.call import Call, Send
from curieval.models.types import Reply


class SingleFlight:
    """Join calls on their key; who joined gets the reply as one from the cache.

    The shared call lives on as long as anybody waits for it and is cancelled with the last.
    """

    def __init__(self, inner: Send) -> None:
        self._inner = inner
        self._flying: dict[str, tuple[asyncio.Task[Reply], list[None]]] = {}

    async def cancel_all(self) -> None:
        """Cancel every shared call and wait for their ends."""
        tasks = [task for task, _ in self._flying.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def __call__(self, call: Call) -> Reply:
        flight = self._flying.get(call.key)
        joined = flight is not None
        if flight is None:
            task = asyncio.ensure_future(self._inner(call))
            flight = (task, [])
            self._flying[call.key] = flight
            task.add_done_callback(lambda _: self._flying.pop(call.key, None))
        task, waiting = flight
        waiting.append(None)
        try:
            reply = await asyncio.shield(task)
        except asyncio.CancelledError:
            if len(waiting) == 1 and not task.done():
                task.cancel()
            raise
        finally:
            waiting.pop()
        if joined and reply.failure is None:
            return dataclasses.replace(reply, from_cache=True)
        return reply
