"""The embedded model, with its real weights and its real server."""

from __future__ import annotations

import json

import pytest

from curieval.models import Client, ClientSettings
from curieval.models.backends.embedded import Embedded, packaged_weights, start_server
from curieval.models.errors import ModelUnavailable
from tests.models.asking import request

RULES = "Name the one environment that fits the sample, in few words, and nothing else. " * 6


def test_answers_reads_the_shared_prefix_once_and_resumes(tmp_path):
    cache = tmp_path / "replies.sqlite"
    asked = [request(f"Sample {n}: lake mud", system=RULES, max_tokens=6) for n in range(3)]
    with Client("embedded", settings=ClientSettings(cache=cache, concurrency=8)) as client:
        assert client.concurrency == 1
        assert client.destination == "127.0.0.1 (embedded)"
        first = client.ask_many(asked)
    for reply in first:
        assert reply.failure is None
        assert reply.finish in ("stop", "length")
        assert (reply.cost_usd, reply.from_cache) == (0.0, False)
    # What comes later finds the shared text read: at least eight tenths of the first's tokens.
    for reply in first[1:]:
        assert reply.usage.tokens_cached >= 0.8 * reply.usage.tokens_in
    with Client("embedded", settings=ClientSettings(cache=cache, offline=True)) as client:
        assert [r.text for r in client.ask_many(asked)] == [r.text for r in first]
        assert client.identity["kind"] == "embedded"
        assert len(client.identity["weights_sha256"]) == 64


def test_enforces_a_schema_and_names_a_prompt_that_is_too_long():
    schema = {
        "type": "object",
        "properties": {"term": {"enum": ["soil", "water"]}},
        "required": ["term"],
    }
    with Client("embedded") as client:
        reply = client.ask(request("Which is wet?", schema=schema, max_tokens=40))
        assert reply.parsed["term"] in ("soil", "water")
        assert json.loads(reply.text) == reply.parsed
        failure = client.ask(request("mud " * 5000)).failure
    assert failure.kind == "bad_request"
    assert "tokens) exceeds the available context size (4096 tokens)" in failure.message
    assert "shorten the prompt" in failure.message


def test_both_real_sdks_can_ask_it(tmp_path):
    with Client("embedded") as client:
        client.ask(request("Wake up."))
    _, address = start_server(packaged_weights())
    (tmp_path / "llm").mkdir()
    (tmp_path / "llm" / "extra-openai-models.yaml").write_text(
        f"- model_id: by-openai\n  model_name: smollm2-135m\n  api_base: {address}/v1\n"
    )
    file = tmp_path / "servers.toml"
    file.write_text(
        f'[models.by-anthropic]\napi = "anthropic"\nbase_url = "{address}"\nmodel_id = "m"\n'
    )
    for name in ("by-openai", "by-anthropic"):
        with Client(name, settings=ClientSettings(models_file=file)) as client:
            reply = client.ask(request("Is mud wet?", max_tokens=4))
        assert reply.failure is None
        assert reply.finish in ("stop", "length")
        assert reply.usage.tokens_in > reply.usage.tokens_out > 0


def test_missing_weights_are_named_at_once(tmp_path):
    with pytest.raises(ModelUnavailable, match=r"nowhere\.gguf does not exist; reinstall with"):
        Embedded(tmp_path / "nowhere.gguf")
