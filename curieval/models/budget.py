"""The cap on cost: every attempt reserves its worst case before it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from curieval.models.call import Backend, Call, CallError, Send
from curieval.models.errors import BudgetError
from curieval.models.ledger import Ledger
from curieval.models.types import Message, Reply, Request
from curieval.models.wire import canonical

POLL_SECONDS = 0.25
# What a provider may add to a prompt unseen: chat template, structured-output instructions.
UNSEEN_TOKENS = 512


def most_tokens_in(payload: Mapping[str, Any]) -> int:
    """Return a bound on the prompt's tokens: no tokeniser makes more of them than bytes."""
    return len(canonical(payload).encode()) + UNSEEN_TOKENS


def check_capable(backend: Backend, model: str, cap: float) -> None:
    """Raise BudgetError where no worst case of this model's calls is known."""
    probe = Request(messages=(Message(role="user", content="?"),))
    if backend.most_tokens_out(backend.payload(probe)) is None:
        raise BudgetError(
            f"{model} cannot be told how long its answers may be, so --max-cost {cap:g} cannot be "
            "kept: choose a model with a token limit, or run without --max-cost"
        )
    if backend.traits.price.worst(tokens_in=1, tokens_out=1) is None:
        raise BudgetError(
            f"the price of {model} is unknown, so --max-cost {cap:g} cannot be kept: give the "
            "model an entry with `price` in models.toml, or run without --max-cost"
        )


class Budget:
    """Reserve, send, settle; a call that does not fit waits for those in flight."""

    def __init__(
        self, inner: Send, backend: Backend, ledger: Ledger, *, model: str, cap: float | None
    ) -> None:
        self._inner = inner
        self._backend = backend
        self._ledger = ledger
        self._model = model
        self._cap = cap
        self._settled = asyncio.Event()
        self._beyond = 1.0

    def worst(self, payload: Mapping[str, Any]) -> float | None:
        """Return the most that one attempt can cost, in USD."""
        tokens_out = self._backend.most_tokens_out(payload)
        if tokens_out is None:
            return None
        return self._backend.traits.price.worst(
            tokens_in=most_tokens_in(payload), tokens_out=tokens_out
        )

    async def __call__(self, call: Call) -> Reply:
        worst = self.worst(call.payload)
        if worst is None:
            if self._cap is None:
                return await self._inner(call)
            raise CallError(
                "budget",
                f"{self._model} cannot be told how long its answers may be, so no worst case "
                "is known and the cap on cost cannot be kept",
            )
        reserved = worst * self._beyond
        number = await self._reserve(reserved)
        spent = reserved
        try:
            reply = await self._inner(call)
            if reply.cost_usd is not None:
                spent = reply.cost_usd
            return reply
        except CallError as error:
            if not error.billed:
                spent = 0.0
            raise
        finally:
            self._settle(number, spent, worst)

    def _settle(self, number: int, spent: float, worst: float) -> None:
        # A server that counts more tokens than the prompt has bytes is met with more reserve.
        if worst > 0:
            self._beyond = max(self._beyond, spent / worst)
        if spent > 0:
            self._ledger.settle(number, spent)
        else:
            self._ledger.release(number)
        self._settled.set()

    async def _reserve(self, worst: float) -> int:
        while True:
            self._settled.clear()
            number = self._ledger.reserve(self._model, worst, cap=self._cap)
            if isinstance(number, int):
                return number
            if number == "never":
                raise CallError(
                    "budget",
                    f"the cap of ${self._cap:g} leaves no room: ${self._ledger.totals().usd:.4f} "
                    f"are spent and this call may cost ${worst:.4f}; raise --max-cost to go on",
                )
            try:
                # Calls of other clients settle without a word to this one.
                async with asyncio.timeout(POLL_SECONDS):
                    await self._settled.wait()
            except TimeoutError:
                continue
