"""One call on its way through the layers, and what a backend must offer."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from curieval.models.types import FailureKind, FinishReason, Reply, Request, Usage
from curieval.models.wire import canonical


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request, the exact payload that is sent for it, and the key of its reply.

    `attempt` counts from 1, `waited` is the seconds slept between attempts so far.
    """

    request: Request
    payload: Mapping[str, Any]
    key: str
    attempt: int = 1
    waited: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a model said, before anybody counts time or money."""

    text: str
    finish: FinishReason
    usage: Usage = field(default_factory=Usage)


class CallError(Exception):
    """An attempt that gave no answer; the retry layer turns the last one into a value.

    `retry_after` is the wait in seconds that the server asked for, `overloaded` whether it said
    that it is asked too much. `billed` says whether the provider may charge for the attempt all
    the same, as after a time-out.
    """

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        retry_after: float | None = None,
        overloaded: bool = False,
        billed: bool = False,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry_after = retry_after
        self.overloaded = overloaded
        self.billed = billed


class Price(Protocol):
    """What tokens cost; None where the price is not known."""

    def cost(self, usage: Usage) -> float | None:
        """USD for the tokens of one call."""

    def worst(self, *, tokens_in: int, tokens_out: int) -> float | None:
        """USD that one call with these token counts can cost at most."""


@dataclass(frozen=True, kw_only=True)
class Traits:
    """What a model costs and bears.

    `concurrency` and the rates a minute are None where nobody set a bound, `timeout` bounds an
    attempt in seconds, `enforces_schema` says whether answers are held to a JSON Schema.
    """

    price: Price
    concurrency: int | None = None
    timeout: float = 300.0
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    enforces_schema: bool = True


class Backend(Protocol):
    """One model somewhere: how it is named, what is sent to it, how it is asked."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """What tells this model from every other, as JSON: part of the key of its replies."""

    @property
    def destination(self) -> str:
        """Where the data go, in words for the first line of a run."""

    @property
    def traits(self) -> Traits:
        """What it costs and bears."""

    def payload(self, request: Request) -> dict[str, Any]:
        """Everything that is sent for a request, as JSON."""

    def most_tokens_out(self, payload: Mapping[str, Any]) -> int | None:
        """Return the tokens that an answer may have; None where the model cannot be told."""

    async def start(self) -> None:
        """Import, load and connect what the first attempt needs; may be called again."""

    async def send(self, payload: Mapping[str, Any]) -> Answer:
        """Ask once; raise CallError where no finished answer comes."""

    async def close(self) -> None:
        """Let go of connections."""


Send = Callable[[Call], Awaitable[Reply]]


def call_for(backend: Backend, request: Request) -> Call:
    """Build the call: its key covers all that is sent, to whom, and which repeat it is."""
    payload = backend.payload(request)
    text = canonical(
        {"to": dict(backend.identity), "sent": payload, "repeat": request.repeat, "version": 1}
    )
    return Call(request=request, payload=payload, key=hashlib.sha256(text.encode()).hexdigest())
