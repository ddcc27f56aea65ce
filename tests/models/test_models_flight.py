"""Calls with one key that overlap are one call; each other outcome belongs to whom it concerns."""

from __future__ import annotations

import asyncio

import pytest

from curieval.models.flight import SingleFlight
from tests.models.asking import call, reply, run


class Gate:
    """An inner layer that holds every call until it is opened."""

    def __init__(self):
        self.open = asyncio.Event()
        self.calls = 0
        self.cancelled = 0

    async def __call__(self, _):
        self.calls += 1
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return reply(f"call {self.calls}")


def test_joins_overlapping_calls_and_marks_who_joined():
    async def scenario():
        gate = Gate()
        layer = SingleFlight(gate)
        tasks = [asyncio.create_task(layer(call("same"))) for _ in range(8)]
        other = asyncio.create_task(layer(call("other")))
        await asyncio.sleep(0.01)
        gate.open.set()
        return gate.calls, await asyncio.gather(*tasks), await other

    calls, replies, other = run(scenario())
    assert calls == 2
    assert [r.from_cache for r in replies] == [False] + [True] * 7
    assert not other.from_cache


def test_calls_that_do_not_overlap_are_two():
    async def scenario():
        gate = Gate()
        gate.open.set()
        layer = SingleFlight(gate)
        return [await layer(call("same")), await layer(call("same"))], gate.calls

    replies, calls = run(scenario())
    assert calls == 2
    assert not any(r.from_cache for r in replies)


def test_the_first_may_leave_without_harm_to_the_others():
    async def scenario():
        gate = Gate()
        layer = SingleFlight(gate)
        first = asyncio.create_task(layer(call("same")))
        second = asyncio.create_task(layer(call("same")))
        await asyncio.sleep(0.01)
        first.cancel()
        await asyncio.sleep(0.01)
        gate.open.set()
        with pytest.raises(asyncio.CancelledError):
            await first
        return await second, gate

    answer, gate = run(scenario())
    assert answer.text == "call 1"
    assert gate.cancelled == 0


def test_the_call_ends_when_nobody_waits():
    async def scenario():
        gate = Gate()
        layer = SingleFlight(gate)
        tasks = [asyncio.create_task(layer(call("same"))) for _ in range(2)]
        await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.01)
        return gate

    assert run(scenario()).cancelled == 1
