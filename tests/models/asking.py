"""Short ways to say what the tests of the models room ask, and of whom."""

from __future__ import annotations

import asyncio
import hashlib

from curieval.models.call import Call
from curieval.models.client import Client
from curieval.models.settings import ClientSettings
from curieval.models.types import Hints, Message, Reply, Request


def request(text="What is soil?", *, system="Answer briefly.", hints=None, **settings):
    messages = (Message(role="system", content=system), Message(role="user", content=text))
    return Request(messages=messages, hints=hints or Hints(), **{"max_tokens": 16, **settings})


def call(text="What is soil?"):
    key = hashlib.sha256(text.encode()).hexdigest()
    return Call(request=request(text), payload={"prompt": text}, key=key)


def reply(text="dirt", **fields):
    return Reply(text=text, finish="stop", cost_usd=0.0, **fields)


def served_client(tmp_path, base_url, *, entry="", **settings):
    """Open a client of an OpenAI-compatible server; waits between attempts are short."""
    file = tmp_path / "servers.toml"
    file.write_text(f'[models.mine]\nbase_url = "{base_url}"\nmodel_id = "m-1"\n{entry}\n')
    return Client("mine", settings=quick(models_file=file, **settings))


def quick(**settings):
    return ClientSettings(**{"attempts": 3, "backoff": 0.01, "timeout": 20.0, **settings})


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 30))


class Scripted:
    """An inner layer that raises or returns what it was given, in order, then the last again."""

    def __init__(self, *outcomes):
        self.outcomes = list(outcomes)
        self.calls = []

    async def __call__(self, call):
        self.calls.append(call)
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        await asyncio.sleep(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome
