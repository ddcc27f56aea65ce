"""Models of the llm library, with its real plugins, against the local server."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

ASK = """
import json, sys
from curieval.models import Client, ClientSettings
from curieval.models.types import Message, Request

messages = (Message(role="system", content="Be brief."), Message(role="user", content=sys.argv[1]))
settings = ClientSettings(attempts=3, backoff=0.01, timeout=float(sys.argv[2]))
with Client("lab", settings=settings) as client:
    reply = client.ask(Request(messages=messages, max_tokens=8))
    print(json.dumps([reply.text, reply.finish, reply.failure and reply.failure.kind,
                      reply.attempts, reply.usage.tokens_in, dict(client.identity),
                      client.destination, client.slug]))
"""


@pytest.fixture
def ask(tmp_path, server):
    """Ask a model that the llm library knows from its own settings, in a fresh process."""

    def ask_with(how, text, timeout=20):
        folder = tmp_path / "llm"
        folder.mkdir(exist_ok=True)
        (folder / "extra-openai-models.yaml").write_text(
            f"- model_id: local-model\n  model_name: m\n  api_base: {server.openai(how)}\n"
            "  aliases: [lab]\n"
        )
        command = [sys.executable, "-c", ASK, text, str(timeout)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask_with


def test_an_alias_answers_beside_the_weights_package(ask, server):
    text, finish, failure, attempts, tokens, identity, destination, slug = ask("ok", "llm says")
    assert (text, finish, failure, attempts) == ("echo: llm says", "stop", None, 1)
    assert tokens > 0
    assert identity["model"] == "local-model"
    assert identity["endpoint"] == server.openai("ok")
    assert (destination, slug) == ("127.0.0.1", "lab")


def test_attempts_are_ours_alone(ask, server):
    _, _, failure, attempts, *_ = ask("status=500", "llm fails")
    assert (failure, attempts) == ("server_error", 3)
    assert server.calls()["by_prompt"]["llm fails"] == 3


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("length", ["length", None, 1]),
        ("status=401", [None, "auth", 1]),
        ("status=429:1:0.1", ["stop", None, 2]),
        ("hang", [None, "timeout", 3]),
    ],
)
def test_endings_have_their_names(ask, how, expected):
    timeout = 2 if how == "hang" else 20
    assert ask(how, f"llm {how}", timeout=timeout)[1:4] == expected
