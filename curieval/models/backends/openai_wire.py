"""The OpenAI chat route over httpx: what is sent, how much is read, what comes out."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from curieval.models.backends.status import shorten, status_error, unfinished
from curieval.models.call import Answer, CallError
from curieval.models.types import FinishReason, Request, Usage

if TYPE_CHECKING:
    import httpx

LARGEST_REPLY = 8 * 2**20
FINISH: dict[str, FinishReason] = {
    "stop": "stop",
    "eos": "stop",
    "length": "length",
    "content_filter": "refusal",
}


def chat_payload(request: Request, *, model: str) -> dict[str, Any]:
    """Return the body of a chat completion; the seed is the number of the repeat."""
    payload: dict[str, Any] = {
        "model": model,
        "messages": [{"role": m.role, "content": m.content} for m in request.messages],
        "max_tokens": request.max_tokens,
        "seed": request.repeat,
    }
    if request.temperature is not None:
        payload["temperature"] = request.temperature
    if request.schema is not None:
        payload["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": dict(request.schema)},
        }
    return payload


@asynccontextmanager
async def posting(
    client: httpx.AsyncClient, url: str, payload: Mapping[str, Any]
) -> AsyncIterator[httpx.Response]:
    """Post and give the response to read; what breaks on the way is a CallError."""
    import httpx

    host = urlsplit(url).hostname or "the server"
    try:
        async with client.stream("POST", url, json=payload) as response:
            yield response
    except httpx.TimeoutException as error:
        raise CallError("timeout", f"{type(error).__name__} at {host}", billed=True) from None
    except httpx.ConnectError as error:
        raise CallError("connection", f"cannot reach {host}: {error}") from None
    except (httpx.TransportError, httpx.StreamError, httpx.DecodingError) as error:
        text = f"the connection to {host} broke: {type(error).__name__}: {error}"
        raise CallError("connection", text, billed=True) from None
    except httpx.InvalidURL as error:
        raise CallError("bad_request", f"{type(error).__name__}: {error}") from None


async def post_json(
    client: httpx.AsyncClient, url: str, payload: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Post and read one JSON object of at most 8 MiB; raise CallError for anything else."""
    async with posting(client, url, payload) as response:
        body = await read_body(response)
    refuse_unless_ok(response, body, url)
    try:
        data = json.loads(body)
    except ValueError:
        kind = response.headers.get("content-type", "no content type")
        text = f"the reply is no JSON ({kind}): {shorten(body.decode(errors='replace'), 120)}"
        raise CallError("server_error", text, billed=True) from None
    if not isinstance(data, dict):
        raise CallError("server_error", "the reply is no JSON object", billed=True)
    return data


def refuse_unless_ok(response: httpx.Response, body: bytes, url: str) -> None:
    """Raise CallError for every status but 200."""
    if response.is_redirect:
        target = response.headers.get("location", "nowhere")
        raise CallError(
            "bad_request",
            f"{urlsplit(url).hostname} redirects to {target}: redirects are not followed, as "
            "they would carry the prompt and the key elsewhere; set base_url to the final address",
        )
    if response.status_code != 200:
        raise status_error(response.status_code, _detail(body), response.headers)


def read_chat(data: Mapping[str, Any]) -> Answer:
    """Read a chat completion; an answer without a finish reason is no finished answer."""
    try:
        choice = data["choices"][0]
        message = choice["message"]
        reason = choice["finish_reason"]
        text = message.get("content") or ""
        refusal = message.get("refusal")
    except (KeyError, IndexError, TypeError, AttributeError):
        detail = data.get("error") or f"fields {sorted(data)[:8]}"
        text = f"the reply is no chat completion: {shorten(str(detail))}"
        raise CallError("server_error", text, billed=True) from None
    if not isinstance(text, str):
        raise CallError("server_error", "the reply's content is no text", billed=True)
    if refusal:
        return Answer(text=str(refusal), finish="refusal", usage=read_usage(data))
    if reason is None:
        raise unfinished()
    if reason not in FINISH:
        raise CallError("server_error", f"unknown finish reason {reason!r}", billed=True)
    return Answer(text=text, finish=FINISH[reason], usage=read_usage(data))


def read_usage(data: Mapping[str, Any]) -> Usage:
    """Read the token counts of a chat completion, None where the server does not count."""
    usage = _mapping(data.get("usage"))
    read = _mapping(usage.get("prompt_tokens_details"))
    written = _mapping(usage.get("completion_tokens_details"))
    return Usage(
        tokens_in=_count(usage.get("prompt_tokens")),
        tokens_out=_count(usage.get("completion_tokens")),
        tokens_cached=_count(read.get("cached_tokens")),
        tokens_cache_write=_count(read.get("cache_write_tokens")),
        tokens_reasoning=_count(written.get("reasoning_tokens")),
    )


async def read_body(response: httpx.Response) -> bytes:
    """Read a body of at most 8 MiB."""
    parts: list[bytes] = []
    size = 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > LARGEST_REPLY:
            raise CallError(
                "server_error",
                f"the reply is larger than {LARGEST_REPLY // 2**20} MiB: reading stopped",
                billed=True,
            )
        parts.append(part)
    return b"".join(parts)


def _detail(body: bytes) -> str:
    text = body.decode(errors="replace")
    try:
        error = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        return text
    if isinstance(error, dict):
        return str(error.get("message") or error)
    return str(error)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None
