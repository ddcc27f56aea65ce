"""The user's own servers, as models.toml describes them."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from curieval.models.backends.claude import Claude
from curieval.models.backends.openai_stream import stream_chat
from curieval.models.backends.openai_wire import chat_payload, post_json, read_chat
from curieval.models.call import Answer, Backend, CallError
from curieval.models.endpoints import bare_url
from curieval.models.prices import Unknown
from curieval.models.types import Request, Usage

if TYPE_CHECKING:
    import httpx

    from curieval.models.server_entry import ServerEntry

THINK = re.compile(r"\A\s*<think>.*?(?:</think>\s*|\Z)", re.DOTALL)


def open_server(entry: ServerEntry, *, offline: bool) -> Backend:
    """Return the backend of an entry; raises MissingKey where a variable is not set."""
    if entry.api == "anthropic":
        return Claude(entry.model_id, offline=offline, entry=entry)
    if entry.api == "ollama":
        return Ollama(entry, offline=offline)
    return OpenAICompatible(entry, offline=offline)


class Served:
    """What every server of models.toml has in common: address, key, limits, price."""

    def __init__(self, entry: ServerEntry, *, offline: bool) -> None:
        self._entry = entry
        self._headers: dict[str, str] = {}
        if not offline:
            self._headers = entry.find_headers()
            key = entry.find_key()
            if key is not None:
                self._headers["Authorization"] = f"Bearer {key}"
        self._client: httpx.AsyncClient | None = None
        self.traits = entry.traits(unlisted=Unknown())

    @functools.cached_property
    def identity(self) -> Mapping[str, Any]:
        """The model's id at the server and the endpoint without user info and query."""
        return {
            "kind": self._entry.api,
            "model": self._entry.model_id,
            "endpoint": bare_url(self._entry.base_url),
        }

    @property
    def destination(self) -> str:
        """The host of the endpoint."""
        return urlsplit(self._entry.base_url).hostname or self._entry.base_url

    async def start(self) -> None:
        """Make the connections' pool."""
        if self._client is None:
            from curieval.models.backends.lanes import Lanes

            # Time is bounded by the attempt, connections by the calls in flight.
            self._client = Lanes(headers=self._headers, timeout=None)

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None


class OpenAICompatible(Served):
    """A server with the OpenAI chat route: vLLM, llama.cpp, a provider."""

    def payload(self, request: Request) -> dict[str, Any]:
        """Return the body of a chat completion, shaped as the entry asks."""
        entry = self._entry
        if not entry.structured:
            request = replace(request, schema=None)
        payload = chat_payload(request, model=entry.model_id)
        limit = max(payload.pop("max_tokens"), entry.max_tokens or 0)
        payload[entry.token_field] = limit
        if not entry.temperature:
            payload.pop("temperature", None)
        if not entry.seed:
            del payload["seed"]
        if entry.stream:
            payload |= {"stream": True, "stream_options": {"include_usage": True}}
        return {**payload, **entry.extra}

    def most_tokens_out(self, payload: Mapping[str, Any]) -> int | None:
        """Return the token limit that is sent."""
        return int(payload[self._entry.token_field])

    async def send(self, payload: Mapping[str, Any]) -> Answer:
        """Ask once."""
        if self._client is None:
            raise RuntimeError("send before start")
        url = self._entry.address("chat/completions")
        if payload.get("stream"):
            answer = await stream_chat(self._client, url, payload)
        else:
            answer = read_chat(await post_json(self._client, url, payload))
        if self._entry.reasoning == "think_tags":
            answer = replace(answer, text=THINK.sub("", answer.text))
        return answer


class Ollama(Served):
    """Ollama's own route, since its OpenAI route cannot be told the context size."""

    def payload(self, request: Request) -> dict[str, Any]:
        """Return the body of Ollama's chat route."""
        entry = self._entry
        options: dict[str, Any] = {"num_predict": max(request.max_tokens, entry.max_tokens or 0)}
        if entry.context is not None:
            options["num_ctx"] = entry.context
        if entry.temperature and request.temperature is not None:
            options["temperature"] = request.temperature
        if entry.seed:
            options["seed"] = request.repeat
        payload: dict[str, Any] = {
            "model": entry.model_id,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            "stream": False,
            "options": options,
        }
        if entry.structured and request.schema is not None:
            payload["format"] = dict(request.schema)
        return {**payload, **entry.extra}

    def most_tokens_out(self, payload: Mapping[str, Any]) -> int | None:
        """Return the token limit that is sent."""
        return int(payload["options"]["num_predict"])

    async def send(self, payload: Mapping[str, Any]) -> Answer:
        """Ask once; a prompt that fills the context was cut, and its answer is worth nothing."""
        if self._client is None:
            raise RuntimeError("send before start")
        data = await post_json(self._client, self._entry.address("api/chat"), payload)
        try:
            text = str(data["message"]["content"])
            reason = data["done_reason"]
            usage = Usage(
                tokens_in=data.get("prompt_eval_count"), tokens_out=data.get("eval_count")
            )
        except (KeyError, TypeError):
            raise CallError(
                "server_error", "the reply is no chat of Ollama's", billed=True
            ) from None
        if reason not in ("stop", "length"):
            raise CallError("server_error", f"unknown done reason {reason!r}", billed=True)
        context = payload["options"].get("num_ctx")
        if context is not None and usage.tokens_in is not None and usage.tokens_in >= context:
            raise CallError(
                "bad_request",
                f"the prompt of {usage.tokens_in} tokens or more does not fit the context of "
                f"{context}: raise `context` in models.toml or shorten the prompt",
            )
        if self._entry.reasoning == "think_tags":
            text = THINK.sub("", text)
        return Answer(text=text, finish="length" if reason == "length" else "stop", usage=usage)
