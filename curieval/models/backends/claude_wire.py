"""What the anthropic SDK says, in our words: messages, usage, errors, and how much is read."""

from __future__ import annotations

import functools
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from curieval.models.backends.openai_wire import LARGEST_REPLY
from curieval.models.backends.status import shorten, status_error, unfinished
from curieval.models.call import Answer, CallError
from curieval.models.types import FinishReason, Usage

if TYPE_CHECKING:
    import anthropic
    import httpx2
    from anthropic.types import Message

FINISH: dict[str, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


@contextmanager
def translated(host: str) -> Iterator[None]:
    """Turn what the SDK raises into CallError."""
    import anthropic
    import httpx2

    try:
        yield
    except anthropic.APIStatusError as error:
        raise _refused(error) from None
    except anthropic.APITimeoutError:
        raise CallError("timeout", f"the connection to {host} timed out", billed=True) from None
    except anthropic.APIConnectionError as error:
        cause = error.__cause__
        if isinstance(cause, CallError):
            raise cause from None
        text = f"the connection to {host} broke: {type(cause).__name__}: {cause}"
        reached = type(cause).__name__ != "ConnectError"
        raise CallError("connection", text, billed=reached) from None
    except httpx2.HTTPError as error:
        text = f"the connection to {host} broke: {type(error).__name__}: {error}"
        raise CallError("connection", text, billed=True) from None
    except (anthropic.AnthropicError, AssertionError, ValueError) as error:
        text = f"the reply is no message: {shorten(str(error))}"
        raise CallError("server_error", text, billed=True) from None


def read_message(message: Message) -> Answer:
    """Read a message; the prompt's tokens include those read from and written to the cache."""
    try:
        text = "".join(block.text for block in message.content if block.type == "text")
        reason = message.stop_reason
        usage = read_usage(message)
    except (AttributeError, TypeError) as error:
        raise CallError("server_error", f"the reply is no message: {error}", billed=True) from None
    if reason is None:
        raise unfinished()
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
    return status_error(error.status_code, detail, error.response.headers)


async def bound(response: httpx2.Response) -> None:
    """Stop reading a reply at 8 MiB; the results of a batch may be larger."""
    if response.request.url.path.endswith("/results"):
        return
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
