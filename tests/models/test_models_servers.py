"""Servers of models.toml: what is sent follows the entry, what comes back is read by it."""

from __future__ import annotations

import pytest

from curieval.models import Client
from curieval.models.server_entry import ServerEntry
from tests.models.asking import quick, request, served_client


def payload_of(client, asked):
    return client.line.backend.payload(asked)


def test_what_is_sent_by_default(tmp_path):
    with served_client(tmp_path, "http://127.0.0.1:1/v1") as client:
        payload = payload_of(client, request("q", repeat=3, max_tokens=5))
    assert payload == {
        "model": "m-1",
        "messages": [
            {"role": "system", "content": "Answer briefly."},
            {"role": "user", "content": "q"},
        ],
        "max_tokens": 5,
        "temperature": 0.0,
        "seed": 3,
    }


@pytest.mark.parametrize(
    ("base", "address"),
    [
        ("http://h.example/v1", "http://h.example/v1/chat/completions"),
        ("http://h.example/v1/", "http://h.example/v1/chat/completions"),
        ("http://h.example/v1?version=3", "http://h.example/v1/chat/completions?version=3"),
        ("https://me:pw@h.example", "https://me:pw@h.example/chat/completions"),
    ],
)
def test_routes_are_put_before_the_query(base, address):
    entry = ServerEntry(base_url=base, model_id="m")
    assert entry.address("chat/completions") == address


def test_what_the_entry_changes(tmp_path):
    entry = (
        'token_field = "max_completion_tokens"\nmax_tokens = 4000\ntemperature = false\n'
        "seed = false\nstructured = false\nextra = { top_k = 3 }\nconcurrency = 2\n"
    )
    with served_client(tmp_path, "http://127.0.0.1:1/v1", entry=entry) as client:
        payload = payload_of(client, request("q", schema={"type": "object"}))
        assert client.concurrency == 2
        assert not client.enforces_schema
    assert payload["max_completion_tokens"] == 4000
    assert payload["top_k"] == 3
    assert not {"max_tokens", "temperature", "seed", "response_format"} & set(payload)


def test_schemas_are_sent_to_who_enforces_them(tmp_path):
    with served_client(tmp_path, "http://127.0.0.1:1/v1") as client:
        payload = payload_of(client, request("q", schema={"type": "object"}))
        assert client.enforces_schema
    assert payload["response_format"]["json_schema"]["schema"] == {"type": "object"}


def test_keys_and_headers_come_from_the_environment(tmp_path, server, monkeypatch):
    monkeypatch.setenv("LAB_API_KEY", "the-lab-key-0001")
    monkeypatch.setenv("ORG_TOKEN", "the-org-token-0001")
    entry = 'key_env = "LAB_API_KEY"\nheaders = { X-Org = "ORG_TOKEN" }'
    with served_client(tmp_path, server.openai("status=400"), entry=entry) as client:
        reply = client.ask(request("keyed"))
    headers = server.calls()["headers"]
    assert headers["authorization"] == "Bearer the-lab-key-0001"
    assert headers["x-org"] == "the-org-token-0001"
    assert "the-" not in repr((reply, client.identity, client.destination))


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("<think>mud or sand?</think>\n\nmud", "mud"),
        ("<think>and so on and on", ""),
        ("mud <think>no</think>", "mud <think>no</think>"),
    ],
)
def test_reasoning_between_tags_is_left_out(tmp_path, server, said, heard):
    url = server.openai(f"text={said}")
    with served_client(tmp_path, url, entry='reasoning = "think_tags"') as client:
        assert client.ask(request()).text == heard
    with served_client(tmp_path, url) as client:
        assert client.ask(request()).text == said


def test_ollama_is_told_its_context(tmp_path, server):
    entry = 'api = "ollama"\ncontext = 8192'
    with served_client(tmp_path, server.base("usage=5:6"), entry=entry) as client:
        payload = payload_of(client, request("q", schema={"type": "object"}, repeat=2))
        reply = client.ask(request("to ollama"))
    assert payload["options"] == {
        "num_predict": 16,
        "num_ctx": 8192,
        "temperature": 0.0,
        "seed": 2,
    }
    assert payload["format"] == {"type": "object"}
    assert (reply.text, reply.finish) == ("echo: to ollama", "stop")
    assert (reply.usage.tokens_in, reply.usage.tokens_out) == (5, 6)


def test_ollama_that_cut_the_prompt_is_not_believed(tmp_path, server):
    entry = 'api = "ollama"\ncontext = 64'
    with served_client(tmp_path, server.base("usage=64:6"), entry=entry) as client:
        failure = client.ask(request("long")).failure
    assert failure.kind == "bad_request"
    assert "does not fit the context of 64: raise `context` in models.toml" in failure.message


def test_a_claude_may_think(tmp_path, server, monkeypatch):
    entry = 'api = "anthropic"\nthinking = 2000\neffort = "low"'
    with served_client(tmp_path, server.base("usage=7:9"), entry=entry) as client:
        payload = payload_of(client, request("q", max_tokens=100))
        reply = client.ask(request("thought"))
    assert payload["thinking"] == {"type": "enabled", "budget_tokens": 2000}
    assert payload["max_tokens"] == 2100
    assert payload["output_config"] == {"effort": "low"}
    assert (reply.text, reply.finish) == ("echo: thought", "stop")


@pytest.mark.parametrize("api", ["openai", "anthropic"])
@pytest.mark.parametrize(
    ("how", "finish", "kind", "attempts"),
    [
        ("ok", "stop", None, 1),
        ("length", "length", None, 1),
        ("empty", "stop", None, 1),
        ("refusal", "refusal", None, 1),
        ("cut", None, "connection", 3),
        ("nofinish", None, "connection", 3),
        ("status=500", None, "server_error", 3),
        ("status=401", None, "auth", 1),
        ("redirect", None, "bad_request", 1),
        ("huge=50", None, "server_error", 3),
    ],
)
def test_streams_come_whole_or_not_at_all(tmp_path, server, api, how, finish, kind, attempts):
    base = server.openai(how) if api == "openai" else server.base(how)
    entry = f'api = "{api}"\nstream = true'
    with served_client(tmp_path, base, entry=entry) as client:
        reply = client.ask(request(f"streamed {api} {how}"))
    assert (reply.finish, reply.failure and reply.failure.kind) == (finish, kind)
    assert reply.attempts == attempts
    if how == "ok":
        assert reply.text == f"echo: streamed {api} ok"
        assert reply.usage.tokens_out > 0


@pytest.mark.parametrize("api", ["openai", "anthropic"])
def test_a_slow_stream_is_bounded(tmp_path, server, api):
    base = server.openai("slow=0.2") if api == "openai" else server.base("slow=0.2")
    entry = f'api = "{api}"\nstream = true'
    with served_client(tmp_path, base, entry=entry, timeout=0.5, attempts=1) as client:
        assert client.ask(request("a long answer, slowly")).failure.kind == "timeout"


def test_long_answers_of_claude_are_streamed(server, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-none-00000000")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.base())
    with Client("claude-haiku-4-5", settings=quick()) as client:
        assert client.ask(request("long", max_tokens=60_000)).text == "echo: long"
