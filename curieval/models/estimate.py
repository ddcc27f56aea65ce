"""What a run would cost, without a call to the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curieval.models.call import Call, CallError, call_for
from curieval.models.client import Client
from curieval.models.errors import ConfigError
from curieval.models.loop import spawn
from curieval.models.pace import CHARACTERS_PER_TOKEN, likely_tokens
from curieval.models.prices import Listed
from curieval.models.stack import Stack
from curieval.models.types import Request, Usage

SAMPLE = 40
SMALLEST_CACHED_PREFIX = 1024
COUNTING_SECONDS = 60.0
RULE = f"{CHARACTERS_PER_TOKEN} characters a token"


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """Calls, tokens and USD of a run with one model.

    `tokens_out` is the limit of all answers, so that every sum is an upper bound as far as the
    count of the prompts is right; `counted` says how they were counted. Sums are None where the
    price is unknown, `usd_prompt_cache` and `usd_batch` where the model has no such thing.
    """

    model: str
    calls: int
    cached: int
    tokens_in: int
    tokens_out: int
    counted: str
    usd: float | None
    usd_prompt_cache: float | None
    usd_batch: float | None


def estimate(client: Client, requests: Iterable[Request], *, count: bool = True) -> Estimate:
    """Estimate the requests that the cache does not answer; equal ones are one call.

    With `count`, the provider's own counter is asked where it has one, for an evenly spaced
    sample; else four characters are taken for a token.
    """
    if client.instant:
        return _nothing(client.name)
    stack = client.line
    if not isinstance(stack, Stack):
        raise ConfigError(f"{client.name}: only the process that makes the calls can estimate them")
    calls = {}
    cached = 0
    for request in requests:
        call = call_for(stack.backend, request)
        if call.key in calls:
            continue
        if stack.cache and not stack.settings.refresh and stack.cache.get(call.key):
            cached += 1
        else:
            calls[call.key] = call
    todo = list(calls.values())
    factor, counted = _factor(stack, todo) if count else (1.0, RULE)
    return _priced(stack, todo, cached=cached, factor=factor, counted=counted)


def _nothing(model: str) -> Estimate:
    return Estimate(
        model=model,
        calls=0,
        cached=0,
        tokens_in=0,
        tokens_out=0,
        counted="no model is called",
        usd=0.0,
        usd_prompt_cache=None,
        usd_batch=None,
    )


def _factor(stack: Stack, calls: Sequence[Call]) -> tuple[float, str]:
    """Return how many counted tokens one of the rule's is, from a sample."""
    counter = getattr(stack.backend, "count_tokens", None)
    if counter is None or not calls or stack.settings.offline:
        return 1.0, RULE
    sample = calls[:: max(1, len(calls) // SAMPLE)]
    counted = ruled = 0

    async def count() -> None:
        nonlocal counted, ruled
        for call in sample:
            counted += await counter(call.payload)
            ruled += likely_tokens(call.payload)

    counting = spawn(count())
    try:
        counting.result(COUNTING_SECONDS)
    except (CallError, TimeoutError):
        counting.cancel()
    if not ruled:
        return 1.0, f"{RULE}, as the provider's counter did not answer"
    return counted / ruled, f"the provider's counter, on {len(sample)} of {len(calls)} prompts"


def _priced(
    stack: Stack, calls: Sequence[Call], *, cached: int, factor: float, counted: str
) -> Estimate:
    price = stack.backend.traits.price
    batches = getattr(stack.backend, "batches", None)
    prefix_cache = isinstance(price, Listed) and price.provider == "anthropic"
    seen: Counter[str] = Counter()
    plain: list[float | None] = []
    shared: list[float | None] = []
    tokens_in = tokens_out = 0
    for call in calls:
        prompt = round(likely_tokens(call.payload) * factor)
        answer = stack.backend.most_tokens_out(call.payload) or call.request.max_tokens
        tokens_in += prompt
        tokens_out += answer
        plain.append(price.cost(Usage(tokens_in=prompt, tokens_out=answer)))
        system = "".join(m.content for m in call.request.messages if m.role == "system")
        prefix = min(prompt, round(len(system) / CHARACTERS_PER_TOKEN * factor))
        kept = prefix if prefix >= SMALLEST_CACHED_PREFIX else 0
        first = seen[system] == 0
        seen[system] += 1
        usage = Usage(
            tokens_in=prompt,
            tokens_out=answer,
            tokens_cached=0 if first else kept,
            tokens_cache_write=kept if first else 0,
        )
        shared.append(price.cost(usage))
    usd = _sum(plain)
    return Estimate(
        model=stack.model,
        calls=len(calls),
        cached=cached,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        counted=counted,
        usd=usd,
        usd_prompt_cache=_sum(shared) if prefix_cache else None,
        usd_batch=None if batches is None or usd is None else usd * batches.share_of_price,
    )


def _sum(parts: Sequence[float | None]) -> float | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None
