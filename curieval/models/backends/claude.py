"""Claude through the anthropic SDK: prompt caching, structured answers, usage."""

from __future__ import annotations

import asyncio
import functools
import json
import os
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from curieval.models.backends.openai_wire import LARGEST_REPLY
from curieval.models.backends.status import retry_after, shorten, status_error
from curieval.models.call import Answer, CallError, Price
from curieval.models.endpoints import bare_url
from curieval.models.errors import MissingKey
from curieval.models.loop import in_thread
from curieval.models.prices import Fixed, Listed
from curieval.models.secrets import stored_keys
from curieval.models.types import FinishReason, Request, Usage

if TYPE_CHECKING:
    import anthropic
    import httpx2
    from anthropic.types import Message

    from curieval.models.server_entry import ServerEntry

PUBLIC_ENDPOINT = "https://api.anthropic.com"
FINISH: dict[str, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


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
        self.price: Price = Listed(model=model, provider="anthropic")
        self.timeout = 300.0
        self.concurrency: int | None = None
        if entry is None:
            self._endpoint = os.environ.get("ANTHROPIC_BASE_URL") or PUBLIC_ENDPOINT
            if not offline:
                self._key = find_key()
            return
        self._endpoint = entry.base_url
        self.timeout = entry.timeout
        self.concurrency = entry.concurrency
        if entry.price is not None:
            self.price = Fixed(**entry.price.model_dump())
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

    async def start(self) -> None:
        """Import the SDK, which takes seconds, in a thread."""
        async with self._starting:
            if self._client is None:
                self._client = await in_thread(self._connect, name="curieval-anthropic")

    async def send(self, payload: Mapping[str, Any]) -> Answer:
        """Ask once."""
        import anthropic

        if self._client is None:
            raise RuntimeError("send before start")
        try:
            message = await self._client.messages.create(**payload)
        except anthropic.APIStatusError as error:
            raise _refused(error) from None
        except anthropic.APITimeoutError:
            raise CallError(
                "timeout", f"the connection to {self.destination} timed out", billed=True
            ) from None
        except anthropic.APIConnectionError as error:
            raise self._broken(error) from None
        except (anthropic.APIResponseValidationError, ValueError) as error:
            text = f"the reply is no message: {shorten(str(error))}"
            raise CallError("server_error", text, billed=True) from None
        return read_message(message)

    def _connect(self) -> anthropic.AsyncAnthropic:
        import anthropic

        key, token = self._key
        return anthropic.AsyncAnthropic(
            api_key=key,
            auth_token=token,
            base_url=self._endpoint,
            max_retries=0,
            timeout=None,
            default_headers=self._headers,
            http_client=anthropic.DefaultAsyncHttpxClient(
                follow_redirects=False, event_hooks={"response": [_bound]}
            ),
        )

    def _broken(self, error: anthropic.APIConnectionError) -> CallError:
        cause = error.__cause__
        if isinstance(cause, CallError):
            return cause
        reached = type(cause).__name__ != "ConnectError"
        text = f"the connection to {self.destination} broke: {type(cause).__name__}: {cause}"
        return CallError("connection", text, billed=reached)

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


def read_message(message: Message) -> Answer:
    """Read a message; the prompt's tokens include those read from and written to the cache."""
    try:
        text = "".join(block.text for block in message.content if block.type == "text")
        reason = message.stop_reason
        usage = read_usage(message)
    except (AttributeError, TypeError) as error:
        raise CallError("server_error", f"the reply is no message: {error}", billed=True) from None
    if reason not in FINISH:
        raise CallError("server_error", f"unknown stop reason {reason!r}", billed=True)
    return Answer(text=text, finish=FINISH[reason], usage=usage)


def read_usage(message: Message) -> Usage:
    """Read the token counts of a message."""
    usage = message.usage
    read = usage.cache_read_input_tokens or 0
    written = usage.cache_creation_input_tokens or 0
    details = usage.output_tokens_details
    return Usage(
        tokens_in=usage.input_tokens + read + written,
        tokens_out=usage.output_tokens,
        tokens_cached=read,
        tokens_cache_write=written,
        tokens_reasoning=None if details is None else details.thinking_tokens,
    )


def _refused(error: anthropic.APIStatusError) -> CallError:
    if 300 <= error.status_code < 400:
        target = error.response.headers.get("location", "nowhere")
        return CallError(
            "bad_request",
            f"the endpoint redirects to {target}: redirects are not followed, as they would "
            "carry the prompt and the key elsewhere; set ANTHROPIC_BASE_URL to the final address",
        )
    detail = error.api_message or (
        json.dumps(error.body) if isinstance(error.body, dict) else str(error.body or error)
    )
    failure = status_error(error.status_code, detail, error.response.headers)
    if error.type == "overloaded_error" and failure.retry_after is None:
        failure.retry_after = retry_after({"retry-after": "1"})
    return failure


async def _bound(response: httpx2.Response) -> None:
    response.stream = _bounded_stream()(response.stream)


@functools.cache
def _bounded_stream() -> type:
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self, stream: httpx2.AsyncByteStream) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for part in self._stream:
                size += len(part)
                if size > LARGEST_REPLY:
                    raise CallError(
                        "server_error",
                        f"the reply is larger than {LARGEST_REPLY // 2**20} MiB: reading stopped",
                        billed=True,
                    )
                yield part

        async def aclose(self) -> None:
            await self._stream.aclose()

    return Bounded
