"""Clients against a real server that misbehaves: every ending has its name."""

from __future__ import annotations

import asyncio
import json
import threading
import time

import pytest

import curieval
from curieval.models.client import Client, open_client
from curieval.models.settings import ClientSettings
from curieval.models.types import Hints
from tests.models.asking import quick, request, served_client

KEY = "sk-ant-api03-notreallyakey-0123456789"


@pytest.fixture(params=["openai", "anthropic"])
def opened(request, tmp_path, server, monkeypatch):
    clients = []

    def open_for(how, **settings):
        if request.param == "openai":
            client = served_client(tmp_path, server.openai(how), **settings)
        else:
            monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.base(how))
            client = Client("claude-haiku-4-5", settings=quick(**settings))
        clients.append(client)
        return client

    yield open_for
    for client in clients:
        client.close()


@pytest.fixture
def unique(request):
    return request.node.name


def test_answers(opened, unique):
    reply = opened("ok").ask(request(unique))
    assert (reply.text, reply.finish, reply.failure) == (f"echo: {unique}", "stop", None)
    assert (reply.attempts, reply.waited, reply.from_cache) == (1, 0.0, False)
    assert reply.usage.tokens_in > 0 < reply.usage.tokens_out


@pytest.mark.parametrize(
    ("how", "finish"), [("length", "length"), ("refusal", "refusal"), ("empty", "stop")]
)
def test_refusals_empty_and_cut_off_answers_are_answers(opened, unique, how, finish):
    reply = opened(how).ask(request(unique))
    assert (reply.finish, reply.failure, reply.attempts) == (finish, None, 1)


@pytest.mark.parametrize(
    ("how", "kind", "says"),
    [
        ("status=500", "server_error", "HTTP 500: refused with 500"),
        ("cut", "connection", "broke"),
        ("broken", "server_error", "the reply is no"),
        ("html", "server_error", "the reply is no"),
        ("wrong", "server_error", "the reply is no"),
        ("nofinish", "connection", "broke off"),
    ],
)
def test_ends_in_a_named_failure_after_the_stated_attempts(opened, server, unique, how, kind, says):
    reply = opened(how).ask(request(unique))
    assert reply.failure.kind == kind
    assert says in reply.failure.message
    assert reply.attempts == 3
    assert reply.cost_usd is None
    assert server.calls()["by_prompt"][unique] == 3


def test_an_overloaded_server_is_tried_twice_as_often(opened, server, unique):
    reply = opened("status=429").ask(request(unique))
    assert (reply.failure.kind, reply.attempts) == ("rate_limited", 6)
    assert server.calls()["by_prompt"][unique] == 6


@pytest.mark.parametrize(
    ("how", "kind"),
    [
        ("status=401", "auth"),
        ("status=403", "auth"),
        ("status=400", "bad_request"),
        ("status=404", "bad_request"),
        ("redirect", "bad_request"),
    ],
)
def test_does_not_repeat_what_stays_wrong(opened, server, unique, how, kind):
    reply = opened(how).ask(request(unique))
    assert (reply.failure.kind, reply.attempts) == (kind, 1)
    assert server.calls()["by_prompt"][unique] == 1


def test_overcomes_rate_limits_and_records_the_waits(opened, unique):
    reply = opened("status=429:2:0.1").ask(request(unique))
    assert reply.text == f"echo: {unique}"
    assert (reply.attempts, reply.waited) == (3, pytest.approx(0.2))


@pytest.mark.parametrize("how", ["hang", "slow=0.05"])
def test_time_outs_bound_everything(opened, unique, how):
    reply = opened(how, timeout=0.3, attempts=2).ask(request(unique))
    assert (reply.failure.kind, reply.attempts) == ("timeout", 2)
    assert "0.3 s" in reply.failure.message


def test_reads_no_more_than_it_must(opened, unique):
    reply = opened("huge=50", attempts=1).ask(request(unique))
    assert reply.failure.kind == "server_error"
    assert "larger than 8 MiB" in reply.failure.message


def test_nobody_there(opened, tmp_path, monkeypatch):
    reply = served_client(tmp_path, "http://127.0.0.1:1/v1", attempts=2).ask(request())
    assert (reply.failure.kind, reply.attempts) == ("connection", 2)
    assert "127.0.0.1" in reply.failure.message


def test_failures_are_not_cached(opened, server, unique, tmp_path):
    client = opened("status=500:3", cache=tmp_path / "replies.sqlite")
    assert client.ask(request(unique)).failure.kind == "server_error"
    assert client.ask(request(unique)).text == f"echo: {unique}"
    assert client.ask(request(unique)).from_cache
    assert server.calls()["by_prompt"][unique] == 4


def test_overlapping_questions_are_one_call(opened, server, unique):
    replies = opened("delay=0.2").ask_many([request(unique)] * 8)
    assert {r.text for r in replies} == {f"echo: {unique}"}
    assert sum(not r.from_cache for r in replies) == 1
    assert server.calls()["by_prompt"][unique] == 1


def test_asks_many_in_order(opened, unique):
    texts = [f"{unique} {i}" for i in range(40)]
    replies = opened("delay=0.01").ask_many(request(t) for t in texts)
    assert [r.text for r in replies] == [f"echo: {t}" for t in texts]


def test_the_key_reaches_the_server_and_nothing_else(server, monkeypatch, unique):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    seen = []
    for login in ("", "me:hunter2hunter2@"):
        base = server.base("status=400").replace("http://", f"http://{login}")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", base)
        with Client("claude-haiku-4-5", settings=quick()) as client:
            seen += [client.ask(request(unique)), client.identity, client.destination, client]
        if not login:
            assert KEY in json.dumps(server.calls()["headers"])
    for text in map(repr, seen):
        assert KEY not in text
        assert "hunter2" not in text


def test_the_system_text_is_marked_for_the_prompt_cache(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with Client("claude-haiku-4-5") as client:
        payload = client.line.backend.payload(request("q", system="Rules.", schema={"a": 1}))
    assert payload["system"] == [
        {"type": "text", "text": "Rules.", "cache_control": {"type": "ephemeral"}}
    ]
    assert payload["messages"] == [{"role": "user", "content": "q"}]
    assert payload["output_config"] == {"format": {"type": "json_schema", "schema": {"a": 1}}}
    assert "temperature" not in payload


def test_usage_counts_cached_tokens_into_the_prompt(server, monkeypatch, unique):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.base("usage=100:50"))
    with Client("claude-haiku-4-5", settings=quick()) as client:
        usage = client.ask(request(unique)).usage
    assert (usage.tokens_in, usage.tokens_out) == (100 + 7 + 11, 50)
    assert (usage.tokens_cached, usage.tokens_cache_write) == (11, 7)


def test_structured_answers_are_parsed(tmp_path, server):
    schema = {"type": "object", "properties": {"term": {"enum": ["soil"]}}}
    with served_client(tmp_path, server.openai('text={"term": "soil"}')) as client:
        assert client.ask(request(schema=schema)).parsed == {"term": "soil"}
        assert client.ask(request()).parsed is None
    with served_client(tmp_path, server.openai("text=soil")) as client:
        reply = client.ask(request(schema=schema))
    assert (reply.text, reply.parsed, reply.failure) == ("soil", None, None)


def test_concurrency_is_used_and_kept(tmp_path, server):
    with served_client(tmp_path, server.openai("delay=0.1"), concurrency=9) as client:
        client.ask_many(request(f"bounded {i}") for i in range(45))
    assert server.calls()["most_in_flight"]["delay=0.1"] == 9
    with served_client(tmp_path, server.openai("overload=9;delay=0.01"), concurrency=9) as client:
        replies = client.ask_many(request(f"never more {i}") for i in range(45))
    assert {r.attempts for r in replies} == {1}


def test_a_call_may_widen_the_bound(tmp_path, server):
    with served_client(tmp_path, server.openai("delay=0.3")) as client:
        assert client.concurrency == 16
        client.ask_many((request(f"wide {i}") for i in range(40)), concurrency=40)
    assert server.calls()["most_in_flight"]["delay=0.3"] >= 30


def test_an_overloaded_server_is_given_air(tmp_path, server):
    url = server.openai("overload=4;delay=0.02")
    with served_client(tmp_path, url, concurrency=16, attempts=20) as client:
        replies = client.ask_many(request(f"crowd {i}") for i in range(60))
    assert all(r.failure is None for r in replies)
    assert max(r.attempts for r in replies) > 1
    assert client.line._limit.allowed <= 8


def test_cancelling_a_future_gives_the_call_up(tmp_path, server):
    with served_client(tmp_path, server.openai("delay=30")) as client:
        future = client.submit(request("given up"))
        assert future.cancel()
        assert future.cancelled()


def test_close_cancels_what_is_in_flight(tmp_path, server):
    client = served_client(tmp_path, server.openai("delay=30"), timeout=60)
    future = client.submit(request("left open"))
    started = time.monotonic()
    client.close()
    client.close()
    assert future.cancelled()
    assert time.monotonic() - started < 10
    with pytest.raises(RuntimeError, match="closed"):
        client.submit(request())


def test_asks_from_coroutines(tmp_path, server):
    async def scenario(client):
        return await asyncio.gather(*(client.ask_async(request(f"co {i}")) for i in range(5)))

    with served_client(tmp_path, server.openai()) as client:
        replies = asyncio.run(scenario(client))
    assert [r.text for r in replies] == [f"echo: co {i}" for i in range(5)]


HINTS = Hints(case_id="soil-01", reference="soil [ENVO:00001998]", allowed=("a", "b", "c", "d"))


def test_baselines_answer_at_once_without_a_thread(tmp_path):
    before = threading.active_count()
    asked = request(hints=HINTS)
    for name, text in [
        ("constant:mud: [ENVO:01000001]", "mud: [ENVO:01000001]"),
        ("constant:", ""),
        ("reference", "soil [ENVO:00001998]"),
    ]:
        client = open_client(name, settings=ClientSettings(cache=tmp_path / "c.sqlite"))
        assert client.instant
        assert client.destination == "this process"
        reply = client.ask(asked)
        assert (reply.text, reply.finish, reply.cost_usd) == (text, "stop", 0.0)
    assert threading.active_count() <= before
    assert not (tmp_path / "c.sqlite").exists()


def test_random_is_the_same_in_every_run_and_draws_evenly():
    client = Client("random")
    texts = [
        client.ask(request(hints=Hints(case_id=f"c{i}", allowed=HINTS.allowed))).text
        for i in range(400)
    ]
    again = [
        client.ask(request(hints=Hints(case_id=f"c{i}", allowed=HINTS.allowed))).text
        for i in range(400)
    ]
    assert texts == again
    # Binomial(400, 1/4): 100 expected, standard deviation 8.7, here within five of them.
    assert all(56 < texts.count(answer) < 144 for answer in "abcd")
    repeats = {client.ask(request(hints=HINTS, repeat=n)).text for n in range(1, 30)}
    assert len(repeats) > 1
    assert client.ask(request()).text == ""


@pytest.mark.parametrize(
    "settings",
    [
        {"concurrency": 0},
        {"attempts": 0},
        {"max_cost": -1.0},
        {"max_cost": float("nan")},
        {"offline": True, "refresh": True},
    ],
)
def test_settings_are_checked_at_the_door(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        ClientSettings(**settings)


def test_the_client_stands_alone():
    messages = (curieval.Message(role="user", content="What is soil?"),)
    with curieval.Client("constant:dirt") as client:
        reply = client.ask(curieval.Request(messages=messages))
    assert isinstance(reply, curieval.Reply)
    assert reply.text == "dirt"
