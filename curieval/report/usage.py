"""What a set of items used: money, time and tokens."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from curieval.report.run import Spending
from curieval.report.schema import Cost, Latency, Tokens


def cost_of(spending: Mapping[str, Sequence[Spending]], items: Sequence[Mapping[str, Any]]) -> Cost:
    """What the calls for these items cost over all legs."""
    spent = [each for item in items for each in spending.get(item["id"], ())]
    return Cost(
        usd=math.fsum(each.usd for each in spent),
        charged=math.fsum(each.charged for each in spent),
        unknown=sum(each.unknown for each in spent),
    )


def latency_of(items: Sequence[Mapping[str, Any]]) -> Latency:
    """Seconds of the calls whose answers stand."""
    seconds = sorted(
        float(reply["seconds"])
        for item in items
        if (reply := item.get("reply"))
        and reply.get("finish") is not None
        and reply.get("seconds") is not None
    )
    if not seconds:
        return Latency(total=0.0, median=None, p95=None)
    return Latency(
        total=math.fsum(seconds), median=_quantile(seconds, 0.5), p95=_quantile(seconds, 0.95)
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = (len(ordered) - 1) * share
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def tokens_of(items: Sequence[Mapping[str, Any]]) -> Tokens:
    """Sums over the replies; those that do not say are counted as unknown."""
    sent = received = cached = reasoning = unknown = 0
    for item in items:
        if reply := item.get("reply"):
            tokens_in, tokens_out = reply.get("tokens_in"), reply.get("tokens_out")
            sent += tokens_in or 0
            received += tokens_out or 0
            cached += reply.get("tokens_cached") or 0
            reasoning += reply.get("tokens_reasoning") or 0
            unknown += tokens_in is None or tokens_out is None
    return Tokens(sent=sent, received=received, cached=cached, reasoning=reasoning, unknown=unknown)
