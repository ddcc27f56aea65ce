"""The cache as layers: look a reply up before the call, keep it after."""

from __future__ import annotations

from curieval.models.cache import ReplyCache
from curieval.models.call import Call, Send
from curieval.models.types import Failure, Reply


class Lookup:
    """Answer from the cache where it can; offline, nothing goes further."""

    def __init__(
        self, inner: Send, cache: ReplyCache | None, *, offline: bool, refresh: bool
    ) -> None:
        self._inner = inner
        self._cache = cache
        self._offline = offline
        self._refresh = refresh

    def find(self, call: Call) -> Reply | None:
        """Return the reply that needs no call, or None; safe from any thread."""
        if self._cache is not None and not self._refresh:
            reply = self._cache.get(call.key)
            if reply is not None:
                return reply
        if self._offline:
            return Reply(
                failure=Failure(
                    kind="not_cached",
                    message="offline, and the reply cache holds no reply to this request: "
                    "run without --offline once, or import the cache of somebody who did",
                ),
                attempts=0,
            )
        return None

    async def __call__(self, call: Call) -> Reply:
        return self.find(call) or await self._inner(call)


class Keep:
    """Write finished replies to the cache before anybody sees them.

    It stands inside the bound on calls in flight, so that a kill never loses more replies than
    that bound.
    """

    def __init__(self, inner: Send, cache: ReplyCache, *, model: str) -> None:
        self._inner = inner
        self._cache = cache
        self._model = model

    async def __call__(self, call: Call) -> Reply:
        reply = await self._inner(call)
        await self._cache.keep(call.key, reply, model=self._model)
        return reply
