"""Calls start evenly spaced, so that no minute holds more than allowed."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from curieval.models.pace import Pace, likely_tokens
from tests.models.asking import Scripted, call, reply, run, served_client
from tests.models.asking import request as ask


class Clock:
    """A clock that moves when somebody sleeps."""

    def __init__(self):
        self.now = 100.0

    async def sleep(self, seconds):
        self.now += seconds


def starts(number, **bounds):
    clock = Clock()
    times = []

    async def scenario():
        inner = Scripted(reply())

        async def noting(one):
            times.append(clock.now)
            return await inner(one)

        pace = Pace(noting, clock=lambda: clock.now, sleep=clock.sleep, **bounds)
        for i in range(number):
            await pace(call(f"{i:03}"))

    run(scenario())
    return times


def test_requests_a_minute():
    times = starts(7, requests=30, tokens=None)
    assert [b - a for a, b in pairwise(times)] == pytest.approx([2.0] * 6)


def test_tokens_a_minute():
    used = likely_tokens(call("000").payload) + 16
    times = starts(4, requests=None, tokens=used * 6)
    assert [b - a for a, b in pairwise(times)] == pytest.approx([10.0] * 3)


def test_the_tighter_bound_counts():
    used = likely_tokens(call("000").payload) + 16
    times = starts(3, requests=60, tokens=used * 6)
    assert times[2] - times[0] == pytest.approx(20.0)


def test_time_that_passed_is_not_waited_for_again():
    clock = Clock()

    async def scenario():
        pace = Pace(
            Scripted(reply()), requests=60, tokens=None, clock=lambda: clock.now, sleep=clock.sleep
        )
        await pace(call())
        clock.now += 50
        before = clock.now
        await pace(call())
        return clock.now - before

    assert run(scenario()) == 0.0


def test_concurrent_calls_take_turns():
    clock = Clock()
    waits = []

    async def sleep(seconds):
        waits.append(seconds)
        await asyncio.sleep(0)

    async def scenario():
        pace = Pace(
            Scripted(reply()), requests=60, tokens=None, clock=lambda: clock.now, sleep=sleep
        )
        await asyncio.gather(*(pace(call(str(i))) for i in range(4)))

    run(scenario())
    assert waits == pytest.approx([1.0, 2.0, 3.0])


def test_models_toml_sets_the_pace(tmp_path, server):
    entry = "requests_per_minute = 6000"
    with served_client(tmp_path, server.openai(), entry=entry) as client:
        assert [r.text for r in client.ask_many(ask(f"p{i}") for i in range(5))] == [
            f"echo: p{i}" for i in range(5)
        ]
