"""Connections of calls in flight: what was cut short spoils nothing for the next."""

from __future__ import annotations

import asyncio
import random

import pytest

from curieval.models.backends.lanes import Lanes

BODY = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}


async def ask(lanes, server):
    address = server.openai("delay=0.002;tag=lanes") + "/chat/completions"
    async with lanes.stream("POST", address, json=BODY) as response:
        return response.status_code, await response.aread()


async def cut_short(lanes, server, draw):
    call = asyncio.ensure_future(ask(lanes, server))
    for _ in range(draw.randint(0, 60)):
        await asyncio.sleep(0)
    await asyncio.sleep(draw.random() * 0.004)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)


def test_a_call_goes_through_after_others_were_cut_short_at_any_moment(server):
    draw = random.Random(3)

    async def run():
        lanes = Lanes(timeout=None)
        for _ in range(150):
            await cut_short(lanes, server, draw)
            async with asyncio.timeout(30):
                status, body = await ask(lanes, server)
            assert (status, body[:1]) == (200, b"{")
        await lanes.aclose()

    asyncio.run(run())


def test_an_answer_that_is_an_error_leaves_its_connection_open(server):
    async def run():
        lanes = Lanes(timeout=None)
        for _ in range(5):
            with pytest.raises(KeyError):
                async with lanes.stream("POST", server.openai("tag=lanes2") + "/none", json=BODY):
                    raise KeyError
        kept = len(lanes._lanes)
        await lanes.aclose()
        return kept

    assert asyncio.run(run()) == 1
