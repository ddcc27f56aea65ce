"""The bound on calls in flight holds, halves under overload and comes back."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from curieval.models.call import CallError
from curieval.models.limits import Limit
from tests.models.asking import Scripted, call, reply, run


class Counting:
    """An inner layer that counts how many calls are inside at once."""

    def __init__(self):
        self.inside = 0
        self.most = 0

    async def __call__(self, _):
        self.inside += 1
        self.most = max(self.most, self.inside)
        await asyncio.sleep(0.001)
        self.inside -= 1
        return reply()


def test_holds_the_bound_and_uses_it():
    async def scenario():
        inner = Counting()
        limit = Limit(inner, ceiling=7)
        await asyncio.gather(*(limit(call(str(i))) for i in range(60)))
        return inner

    assert run(scenario()).most == 7


@pytest.mark.parametrize(
    "error",
    [
        CallError("rate_limited", "429", overloaded=True),
        CallError("server_error", "529", overloaded=True),
    ],
)
def test_halves_on_overload_and_recovers(error):
    async def scenario():
        limit = Limit(Scripted(error, reply()), ceiling=16)
        with contextlib.suppress(CallError):
            await limit(call())
        halved = limit.allowed
        for _ in range(200):
            await limit(call())
        return halved, limit.allowed

    assert run(scenario()) == (8, 16)


def test_many_refusals_of_one_round_halve_once():
    async def scenario():
        limit = Limit(Scripted(CallError("rate_limited", "429", overloaded=True)), ceiling=16)
        await asyncio.gather(*(limit(call(str(i))) for i in range(16)), return_exceptions=True)
        return limit.allowed

    assert run(scenario()) == 8


def test_a_wait_named_to_one_call_holds_for_all():
    now = [100.0]
    starts = []

    async def sleep(seconds):
        now[0] += seconds

    async def inner(one):
        starts.append(now[0])
        if len(starts) == 1:
            raise CallError("rate_limited", "429", retry_after=20.0, overloaded=True)
        return reply()

    async def scenario():
        limit = Limit(inner, ceiling=4, clock=lambda: now[0], sleep=sleep)
        await asyncio.gather(limit(call("0")), return_exceptions=True)
        await asyncio.gather(*(limit(call(str(i))) for i in range(1, 4)))

    run(scenario())
    assert starts == [100.0, 120.0, 120.0, 120.0]


def test_a_wait_of_hours_holds_nobody_else():
    async def scenario():
        error = CallError("rate_limited", "429", retry_after=7200.0, overloaded=True)
        limit = Limit(Scripted(error, reply()), ceiling=4)
        with contextlib.suppress(CallError):
            await limit(call("0"))
        return await limit(call("1"))

    assert run(scenario()).text == "dirt"


def test_never_falls_below_one():
    async def scenario():
        limit = Limit(Scripted(CallError("rate_limited", "429", overloaded=True)), ceiling=4)
        for _ in range(10):
            with contextlib.suppress(CallError):
                await limit(call())
        return limit.allowed

    assert run(scenario()) == 1


@pytest.mark.parametrize("kind", ["timeout", "connection", "bad_request", "server_error"])
def test_other_failures_do_not_halve(kind):
    async def scenario():
        limit = Limit(Scripted(CallError(kind, "no")), ceiling=16)
        with contextlib.suppress(CallError):
            await limit(call())
        return limit.allowed

    assert run(scenario()) == 16


def test_cancelled_waiters_give_their_place_on():
    async def scenario():
        inner = Counting()
        limit = Limit(inner, ceiling=1)
        tasks = [asyncio.create_task(limit(call(str(i)))) for i in range(10)]
        await asyncio.sleep(0)
        for task in tasks[1:9]:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        return [type(d).__name__ for d in done], await limit(call("after"))

    names, after = run(scenario())
    assert names == ["Reply"] + ["CancelledError"] * 8 + ["Reply"]
    assert after.text == "dirt"
