"""Claude through the anthropic SDK: prompt caching, structured answers, usage."""

from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from curieval.models.backends.claude_wire import bound, read_message, translated
from curieval.models.call import Answer, Traits
from curieval.models.endpoints import bare_url
from curieval.models.errors import MissingKey
from curieval.models.loop import in_thread
from curieval.models.prices import Listed
from curieval.models.secrets import stored_keys
from curieval.models.types import Request

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import Message

    from curieval.models.batches import BatchApi
    from curieval.models.server_entry import ServerEntry

LONGEST_UNSTREAMED = 8192
PUBLIC_ENDPOINT = "https://api.anthropic.com"


def find_key() -> tuple[str | None, str | None]:
    """Return (API key, bearer token) from the environment or llm's key store.

    Raises MissingKey where there is neither.
    """
    if os.environ.get("ANTHROPIC_API_KEY"):
        return os.environ["ANTHROPIC_API_KEY"], None
    if os.environ.get("ANTHROPIC_AUTH_TOKEN"):
        return None, os.environ["ANTHROPIC_AUTH_TOKEN"]
    stored = stored_keys()
    for name in ("anthropic", "claude"):
        if stored.get(name):
            return stored[name], None
    raise MissingKey(
        "claude models need a key: set ANTHROPIC_API_KEY, or store one with "
        "`llm keys set anthropic`"
    )


class Claude:
    """One Claude model; the system text is marked for the provider's prompt cache.

    `entry`, a table of models.toml, overrides endpoint, key, limits, thinking and price.
    """

    def __init__(
        self, model: str, *, offline: bool = False, entry: ServerEntry | None = None
    ) -> None:
        self._model = model
        self._entry = entry
        self._key: tuple[str | None, str | None] = (None, None)
        self._headers: dict[str, str] = {}
        self._client: anthropic.AsyncAnthropic | None = None
        self._starting = asyncio.Lock()
        self.traits = Traits(price=Listed(model=model, provider="anthropic"))
        if entry is None:
            self._endpoint = os.environ.get("ANTHROPIC_BASE_URL") or PUBLIC_ENDPOINT
            if not offline:
                self._key = find_key()
            return
        self._endpoint = entry.base_url
        self.traits = entry.traits(unlisted=self.traits.price)
        if not offline:
            self._key = (entry.find_key() or "none", None)
            self._headers = entry.find_headers()

    @functools.cached_property
    def identity(self) -> Mapping[str, Any]:
        """The model's name and the endpoint without user info and query."""
        return {"kind": "anthropic", "model": self._model, "endpoint": bare_url(self._endpoint)}

    @property
    def destination(self) -> str:
        """The host of the endpoint."""
        return urlsplit(self._endpoint).hostname or self._endpoint

    def payload(self, request: Request) -> dict[str, Any]:
        """Return the body of a message; the SDK has no temperature, so none is sent."""
        system = [m.content for m in request.messages if m.role == "system"]
        payload: dict[str, Any] = {
            "model": self._model,
            "max_tokens": request.max_tokens,
            "messages": [
                {"role": m.role, "content": m.content}
                for m in request.messages
                if m.role != "system"
            ],
        }
        if system:
            blocks: list[dict[str, Any]] = [{"type": "text", "text": text} for text in system]
            blocks[-1]["cache_control"] = {"type": "ephemeral"}
            payload["system"] = blocks
        if request.schema is not None:
            payload["output_config"] = {
                "format": {"type": "json_schema", "schema": dict(request.schema)}
            }
        if self._entry is not None:
            _apply(self._entry, payload)
        return payload

    def most_tokens_out(self, payload: Mapping[str, Any]) -> int | None:
        """Return the token limit that is sent; thinking counts toward it."""
        return int(payload["max_tokens"])

    async def start(self) -> None:
        """Import the SDK, which takes seconds, in a thread."""
        async with self._starting:
            if self._client is None:
                self._client = await in_thread(self._connect, name="curieval-anthropic")

    async def send(self, payload: Mapping[str, Any]) -> Answer:
        """Ask once."""
        client = self.connection
        with translated(self.destination):
            # Connections that are silent for minutes are cut by proxies on the way.
            if payload["max_tokens"] > LONGEST_UNSTREAMED or (self._entry and self._entry.stream):
                async with client.messages.stream(**payload) as stream:
                    message: Message = await stream.get_final_message()
            else:
                message = await client.messages.create(**payload)
            return read_message(message)

    async def started(self) -> anthropic.AsyncAnthropic:
        """Start if need be and return the SDK's client."""
        await self.start()
        return self.connection

    async def count_tokens(self, payload: Mapping[str, Any]) -> int:
        """Return the prompt's tokens by the provider's free counter."""
        client = await self.started()
        counted = {
            name: payload[name]
            for name in ("model", "messages", "system", "output_config", "thinking")
            if name in payload
        }
        with translated(self.destination):
            return (await client.messages.count_tokens(**counted)).input_tokens

    @functools.cached_property
    def batches(self) -> BatchApi:
        """The provider's batches of this model."""
        from curieval.models.backends.claude_batches import ClaudeBatches

        return ClaudeBatches(self)

    @property
    def connection(self) -> anthropic.AsyncAnthropic:
        """The SDK's client, there from `start` to `close`."""
        if self._client is None:
            raise RuntimeError("send before start")
        return self._client

    def _connect(self) -> anthropic.AsyncAnthropic:
        import anthropic

        key, token = self._key
        # The SDK appends its routes to the whole base address, a query included.
        address = urlsplit(self._endpoint)
        return anthropic.AsyncAnthropic(
            api_key=key,
            auth_token=token,
            base_url=urlunsplit((*address[:3], "", "")),
            default_query=dict(parse_qsl(address.query)),
            max_retries=0,
            timeout=None,
            default_headers=self._headers,
            http_client=anthropic.DefaultAsyncHttpxClient(
                follow_redirects=False, event_hooks={"response": [bound]}
            ),
        )

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None


def _apply(entry: ServerEntry, payload: dict[str, Any]) -> None:
    if entry.thinking is not None:
        payload["thinking"] = {"type": "enabled", "budget_tokens": entry.thinking}
        # Thinking counts toward the limit, which must leave the answer its room.
        payload["max_tokens"] += entry.thinking
    if entry.max_tokens is not None:
        payload["max_tokens"] = max(payload["max_tokens"], entry.max_tokens)
    if entry.effort is not None:
        payload.setdefault("output_config", {})["effort"] = entry.effort
    if entry.extra:
        payload["extra_body"] = dict(entry.extra)
