"""Requests and replies as plain JSON, for the cache and for the gateway."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from curieval.models.types import Failure, Message, Reply, Request, Usage


def canonical(value: object) -> str:
    """Return the one JSON text of a value: sorted keys, no blanks, no NaN."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def request_to_json(request: Request) -> dict[str, Any]:
    """Return what is sent of a request; hints stay behind."""
    return {
        "messages": [{"role": m.role, "content": m.content} for m in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "schema": None if request.schema is None else dict(request.schema),
        "repeat": request.repeat,
    }


def request_from_json(data: Mapping[str, Any]) -> Request:
    """Rebuild a request, without hints."""
    return Request(
        messages=tuple(Message(role=m["role"], content=m["content"]) for m in data["messages"]),
        max_tokens=data["max_tokens"],
        temperature=data["temperature"],
        schema=data["schema"],
        repeat=data["repeat"],
    )


def reply_to_json(reply: Reply) -> dict[str, Any]:
    """Return a reply as plain JSON; `parsed` follows from the text and stays behind."""
    data = dataclasses.asdict(dataclasses.replace(reply, parsed=None))
    del data["parsed"]
    return data


def reply_from_json(data: Mapping[str, Any]) -> Reply:
    """Rebuild a reply from `reply_to_json`."""
    fields = dict(data)
    failure = fields.pop("failure")
    return Reply(
        failure=None if failure is None else Failure(**failure),
        usage=Usage(**fields.pop("usage")),
        **fields,
    )


def with_parsed(reply: Reply, request: Request) -> Reply:
    """Add the object that a structured answer spells, or None where it is no JSON."""
    if request.schema is None or reply.failure is not None:
        return reply
    try:
        parsed = json.loads(reply.text)
    except ValueError:
        return reply
    return dataclasses.replace(reply, parsed=parsed)
