"""One attempt: bounded in time, measured, and priced."""

from __future__ import annotations

import asyncio
import time

from curieval.models.call import Backend, Call, CallError
from curieval.models.secrets import redact
from curieval.models.types import Reply

STARTING_SECONDS = 300.0


class Attempt:
    """The innermost layer: ask the backend once."""

    def __init__(self, backend: Backend, *, timeout: float | None = None) -> None:
        self._backend = backend
        self._timeout = backend.traits.timeout if timeout is None else timeout

    async def __call__(self, call: Call) -> Reply:
        try:
            async with asyncio.timeout(STARTING_SECONDS):
                await self._backend.start()
        except TimeoutError:
            text = f"the model was not ready within {STARTING_SECONDS:g} s"
            raise CallError("timeout", text) from None
        started = time.perf_counter()
        try:
            async with asyncio.timeout(self._timeout):
                answer = await self._backend.send(call.payload)
        except TimeoutError:
            raise CallError(
                "timeout", f"no answer within {self._timeout:g} s", billed=True
            ) from None
        except CallError:
            raise
        except Exception as error:
            raise CallError("server_error", redact(f"{type(error).__name__}: {error}")) from error
        return Reply(
            text=answer.text,
            finish=answer.finish,
            usage=answer.usage,
            cost_usd=self._backend.traits.price.cost(answer.usage),
            seconds=time.perf_counter() - started,
            attempts=call.attempt,
            waited=call.waited,
        )
