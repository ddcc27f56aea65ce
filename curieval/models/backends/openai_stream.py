"""A chat completion that comes in pieces: whole, or an error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from curieval.models.backends.openai_wire import (
    LARGEST_REPLY,
    posting,
    read_body,
    read_chat,
    refuse_unless_ok,
)
from curieval.models.backends.status import unfinished
from curieval.models.call import Answer, CallError

if TYPE_CHECKING:
    import httpx


async def stream_chat(client: httpx.AsyncClient, url: str, payload: Mapping[str, Any]) -> Answer:
    """Post and put the pieces together; raise CallError where the stream breaks off."""
    texts: list[str] = []
    whole: dict[str, Any] = {"choices": [{"message": {}, "finish_reason": None}]}
    size = 0
    async with posting(client, url, payload) as response:
        if response.status_code != 200:
            refuse_unless_ok(response, await read_body(response), url)
        async for line in response.aiter_lines():
            size += len(line)
            if size > LARGEST_REPLY:
                raise CallError(
                    "server_error",
                    f"the reply is larger than {LARGEST_REPLY // 2**20} MiB: reading stopped",
                    billed=True,
                )
            if line.startswith("data:") and line[5:].strip() != "[DONE]":
                _take(_parse(line[5:]), texts, whole)
    if whole["choices"][0]["finish_reason"] is None:
        raise unfinished()
    whole["choices"][0]["message"]["content"] = "".join(texts)
    return read_chat(whole)


def _parse(text: str) -> Mapping[str, Any]:
    try:
        piece = json.loads(text)
    except ValueError:
        raise CallError("server_error", "a piece of the stream is no JSON", billed=True) from None
    if not isinstance(piece, dict):
        raise CallError("server_error", "a piece of the stream is no object", billed=True)
    if "error" in piece:
        raise CallError("server_error", f"the stream says: {piece['error']}", billed=True)
    return piece


def _take(piece: Mapping[str, Any], texts: list[str], whole: dict[str, Any]) -> None:
    if piece.get("usage"):
        whole["usage"] = piece["usage"]
    for choice in (piece.get("choices") or [])[:1]:
        delta = choice.get("delta") or {}
        texts.append(delta.get("content") or "")
        message = whole["choices"][0]["message"]
        if delta.get("refusal"):
            message["refusal"] = message.get("refusal", "") + delta["refusal"]
        if choice.get("finish_reason"):
            whole["choices"][0]["finish_reason"] = choice["finish_reason"]
