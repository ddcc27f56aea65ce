"""A model inside the process that echoes after a while, in the place of a server's client."""

from __future__ import annotations

import asyncio
import os

from curieval.models import client
from curieval.models.call import Answer, Traits
from curieval.models.prices import Unknown


class Sleeping:
    """A backend that makes no connection; what a run costs beside it is the harness's own."""

    identity = {"kind": "sleeping"}  # noqa: RUF012
    destination = "this process"
    traits = Traits(price=Unknown())

    def payload(self, request):
        return {"messages": [message.content for message in request.messages]}

    def most_tokens_out(self, payload):
        return None

    async def start(self):
        """Nothing to start."""

    async def send(self, payload):
        await asyncio.sleep(float(os.environ["SLEEPING_SECONDS"]))
        return Answer(text=f"echo: {payload['messages'][-1]}", finish="stop")

    async def close(self):
        """Nothing to close."""


client._backend_for = lambda name, settings: Sleeping()
