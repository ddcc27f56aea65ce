"""How many calls are in flight.

The bound halves when the server says that it is asked too much, and grows back by one for every
full round of answers; a wait that the server names to one call holds for all.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable

from curieval.models.call import Call, CallError, Send
from curieval.models.retry import LONGEST_WAIT
from curieval.models.types import Reply


class Limit:
    """At most `ceiling` calls in flight, fewer while the server is overloaded."""

    def __init__(
        self,
        inner: Send,
        *,
        ceiling: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._inner = inner
        self._clock = clock
        self._sleep = sleep
        self._resume = 0.0
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
        try:
            await self._pause()
        except asyncio.CancelledError:
            self._leave()
            raise
        generation = self._generation
        try:
            reply = await self._inner(call)
        except CallError as error:
            if error.overloaded:
                self._give_air(error.retry_after or 0.0, generation)
            raise
        else:
            self._allowed = min(self._ceiling, self._allowed + 1 / self.allowed)
            return reply
        finally:
            self._leave()

    def _give_air(self, wait: float, generation: int) -> None:
        if wait <= LONGEST_WAIT:
            self._resume = max(self._resume, self._clock() + wait)
        # Calls that were under way when the bound was halved say nothing about the half.
        if generation == self._generation:
            self._allowed = max(1.0, self.allowed / 2)
            self._generation += 1

    async def _pause(self) -> None:
        """Wait until the time that the server named to any call is over."""
        while (left := self._resume - self._clock()) > 0:
            await self._sleep(left)

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
                self._leave()
            raise

    def _leave(self) -> None:
        self._flying -= 1
        self._wake()

    def _wake(self) -> None:
        while self._waiting and self._flying < self.allowed:
            turn = self._waiting.popleft()
            if not turn.done():
                self._flying += 1
                turn.set_result(None)
