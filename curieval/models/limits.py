"""How many calls are in flight, and how many start in a minute.

The bound on calls in flight halves when the server says that it is too much, and grows back by
one for every full round of answers.
"""

from __future__ import annotations

import asyncio
from collections import deque

from curieval.models.call import Call, CallError, Send
from curieval.models.types import Reply


class Limit:
    """At most `ceiling` calls in flight, fewer while the server is overloaded."""

    def __init__(self, inner: Send, *, ceiling: int) -> None:
        self._inner = inner
        self._ceiling = ceiling
        self._allowed = float(ceiling)
        self._flying = 0
        self._generation = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def allowed(self) -> int:
        """Calls that may be in flight now."""
        return max(1, int(self._allowed))

    def widen(self, by: int) -> None:
        """Move the ceiling; to be called on the event loop."""
        self._ceiling += by
        self._allowed = min(self._allowed + max(by, 0), self._ceiling)
        self._wake()

    async def __call__(self, call: Call) -> Reply:
        await self._enter()
        generation = self._generation
        try:
            reply = await self._inner(call)
        except CallError as error:
            # Calls that were under way when the bound was halved say nothing about the half.
            if _is_overload(error) and generation == self._generation:
                self._allowed = max(1.0, self.allowed / 2)
                self._generation += 1
            raise
        else:
            self._allowed = min(self._ceiling, self._allowed + 1 / self.allowed)
            return reply
        finally:
            self._flying -= 1
            self._wake()

    async def _enter(self) -> None:
        if self._flying < self.allowed and not self._waiting:
            self._flying += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._flying -= 1
                self._wake()
            raise

    def _wake(self) -> None:
        while self._waiting and self._flying < self.allowed:
            turn = self._waiting.popleft()
            if not turn.done():
                self._flying += 1
                turn.set_result(None)


def _is_overload(error: CallError) -> bool:
    return error.kind == "rate_limited" or (
        error.kind == "server_error" and error.retry_after is not None
    )
