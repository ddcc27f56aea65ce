"""Models of the llm library, with its real plugins, against the local server."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from curieval.models import Client
from curieval.models.backends.llm_library import import_llm
from curieval.models.errors import BudgetError
from tests.models.asking import quick, request

ASK = """
import json, sys
from curieval.models import Client
from curieval.models.backends.llm_library import import_llm
from curieval.models.errors import BudgetError
from curieval.models.types import Message, Request

messages = (Message(role="system", content="Be brief."), Message(role="user", content=sys.argv[1]))
with Client("lab") as client:
    reply = client.ask(Request(messages=messages, max_tokens=8))
    print(json.dumps([reply.text, reply.finish, reply.usage.tokens_in, dict(client.identity),
                      client.destination, client.slug]))
"""


@pytest.fixture
def lab(tmp_path, server):
    """Make `lab` the alias of a model that llm knows from the user's own settings."""

    def serve(how):
        folder = tmp_path / "llm"
        folder.mkdir(exist_ok=True)
        (folder / "extra-openai-models.yaml").write_text(
            f"- model_id: local-model\n  model_name: m\n  api_base: {server.openai(how)}\n"
            "  aliases: [lab]\n"
        )

    return serve


def test_an_alias_answers_in_a_fresh_process_beside_the_weights_package(lab, server):
    lab("ok")
    command = [sys.executable, "-c", ASK, "llm says"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    text, finish, tokens, identity, destination, slug = json.loads(done.stdout)
    assert (text, finish) == ("echo: llm says", "stop")
    assert tokens > 0
    assert identity["model"] == "local-model"
    assert identity["endpoint"] == server.openai("ok")
    assert (destination, slug) == ("127.0.0.1", "lab")


@pytest.mark.parametrize(
    ("how", "finish", "kind", "attempts"),
    [
        ("length", "length", None, 1),
        ("status=500", None, "server_error", 3),
        ("status=401", None, "auth", 1),
        ("status=429:1:0.1", "stop", None, 2),
        ("cut", None, "connection", 3),
        ("broken", None, "server_error", 3),
    ],
)
def test_endings_have_their_names_and_attempts_are_ours_alone(
    lab, server, how, finish, kind, attempts
):
    lab(how)
    with Client("lab", settings=quick()) as client:
        reply = client.ask(request(f"llm {how}"))
    assert (reply.finish, reply.failure and reply.failure.kind) == (finish, kind)
    assert reply.attempts == attempts
    assert server.calls()["by_prompt"][f"llm {how}"] == attempts


def test_a_hanging_plugin_is_left_behind(lab):
    lab("hang")
    with Client("lab", settings=quick(timeout=0.5, attempts=2)) as client:
        reply = client.ask(request("llm hangs"))
    assert (reply.failure.kind, reply.attempts) == ("timeout", 2)


def test_several_turns_are_refused_as_the_users_mistake(lab):
    lab("ok")
    turns = request("q").messages
    with Client("lab", settings=quick()) as client:
        several = request("q").__class__(messages=(*turns, turns[1]))
        failure = client.ask(several).failure
    assert failure.kind == "bad_request"
    assert "one user message a request" in failure.message


@pytest.fixture
def parrot():
    """Add a plugin to llm whose model has no options, no schemas and counts no tokens."""
    llm = import_llm()

    class Parrot(llm.Model):
        model_id = "parrot"

        def execute(self, prompt, stream, response, conversation):
            yield f"{prompt.system} / {prompt.prompt}"

    class Plugin:
        @llm.hookimpl
        def register_models(self, register):
            register(Parrot())

    plugin = Plugin()
    llm.plugins.pm.register(plugin)
    yield
    llm.plugins.pm.unregister(plugin)


def test_a_plugin_is_asked_for_what_it_can_do(parrot):
    asked = request("q", system="Be brief.", schema={"type": "object"})
    with Client("parrot", settings=quick()) as client:
        reply = client.ask(asked)
        assert not client.enforces_schema
        assert client.destination.startswith("where the llm plugin test")
    assert (reply.text, reply.finish, reply.parsed) == ("Be brief. / q", "stop", None)
    assert (reply.usage.tokens_in, reply.cost_usd) == (None, None)


def test_a_cap_needs_a_model_that_can_be_told_to_stop(parrot):
    with pytest.raises(BudgetError, match="parrot cannot be told how long its answers may be"):
        Client("parrot", settings=quick(max_cost=1.0))
