"""The reply cache keeps what was finished, outlives its process and refuses strangers."""

from __future__ import annotations

import multiprocessing
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from curieval.models.cache import APPLICATION_ID, SCHEMA_VERSION, ReplyCache
from curieval.models.call import call_for
from curieval.models.client import Client
from curieval.models.errors import CacheError
from curieval.models.types import Failure, Hints, Message, Reply, Usage
from tests.models.asking import quick, reply, request, served_client


def test_keeps_a_reply_and_marks_it(tmp_path):
    cache = ReplyCache(tmp_path / "deep" / "replies.sqlite")
    kept = reply("soil", usage=Usage(tokens_in=3, tokens_cached=1), seconds=1.5, attempts=2)
    cache.put("k", kept, model="m")
    assert cache.get("k") == replace(kept, from_cache=True)
    assert cache.get("other") is None
    cache.close()
    assert ReplyCache(tmp_path / "deep" / "replies.sqlite").get("k").seconds == 1.5


def test_keeps_no_failure(tmp_path):
    cache = ReplyCache(tmp_path / "replies.sqlite")
    with pytest.raises(ValueError, match="timeout"):
        cache.put("k", Reply(failure=Failure(kind="timeout", message="late")), model="m")


def test_a_reply_outlives_a_kill_right_after_it_was_kept(tmp_path):
    path = tmp_path / "replies.sqlite"
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from curieval.models.cache import ReplyCache\n"
        "from curieval.models.types import Reply\n"
        "cache = ReplyCache(Path(sys.argv[1]))\n"
        "for i in range(50): cache.put(str(i), Reply(text=str(i), finish='stop'), model='m')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)]).returncode == -9
    cache = ReplyCache(path)
    assert [cache.get(str(i)).text for i in range(50)] == [str(i) for i in range(50)]


def _write(path, worker):
    cache = ReplyCache(path)
    for i in range(200):
        cache.put(f"{worker}-{i}", reply(f"{worker} {i}"), model="m")
    cache.close()


def test_processes_write_at_once_and_lose_nothing(tmp_path):
    path = tmp_path / "replies.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_write, args=(path, n)) for n in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    cache = ReplyCache(path)
    found = [cache.get(f"{n}-{i}").text for n in range(3) for i in range(200)]
    assert found == [f"{n} {i}" for n in range(3) for i in range(200)]


def test_refuses_a_path_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CacheError, match=r"file/replies.sqlite cannot be opened.*--cache FILE"):
        ReplyCache(tmp_path / "file" / "replies.sqlite")


def test_refuses_other_versions_by_name(tmp_path):
    path = tmp_path / "replies.sqlite"
    ReplyCache(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(CacheError, match=f"schema version {SCHEMA_VERSION + 1}, this curieval"):
        ReplyCache(path)


def test_refuses_a_database_of_somebody_else(tmp_path):
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (x)")
    with pytest.raises(CacheError, match="no reply cache of curieval"):
        ReplyCache(path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,)
        tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
    assert tables == [("mine",)]


def test_refuses_a_file_that_is_no_database(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database at all, but long enough to be looked at as one" * 20)
    with pytest.raises(CacheError, match=r"notes\.txt cannot be opened"):
        ReplyCache(path)


def test_names_a_reply_that_cannot_be_read(tmp_path):
    path = tmp_path / "replies.sqlite"
    cache = ReplyCache(path)
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO replies VALUES ('k', 'm', 0, '{\"text\":')")
    with pytest.raises(CacheError, match="unreadable reply under k"):
        cache.get("k")


def test_offline_needs_a_file_and_leaves_it_as_it_was(tmp_path):
    path = tmp_path / "replies.sqlite"
    with pytest.raises(CacheError, match="does not exist"):
        ReplyCache(path, read_only=True)
    cache = ReplyCache(path)
    cache.put("k", reply(), model="m")
    cache.close()
    before = path.read_bytes()
    reader = ReplyCache(path, read_only=True)
    assert reader.get("k").text == "dirt"
    with pytest.raises(CacheError, match="reading only"):
        reader.put("l", reply(), model="m")
    reader.close()
    assert path.read_bytes() == before


@pytest.fixture
def client(tmp_path):
    with served_client(tmp_path, "http://127.0.0.1:1/v1") as opened:
        yield opened


BASE = request("q", schema={"type": "object"})


@pytest.mark.parametrize(
    "other",
    [
        replace(BASE, messages=(*BASE.messages, Message(role="assistant", content=""))),
        replace(BASE, messages=(BASE.messages[1], BASE.messages[0])),
        replace(BASE, max_tokens=17),
        replace(BASE, temperature=0.5),
        replace(BASE, temperature=None),
        replace(BASE, schema=None),
        replace(BASE, schema={"type": "array"}),
        replace(BASE, repeat=2),
    ],
)
def test_the_key_covers_all_that_is_sent(client, other):
    backend = client.line.backend
    assert call_for(backend, other).key != call_for(backend, BASE).key


def test_the_key_leaves_hints_out(client):
    backend = client.line.backend
    hinted = replace(BASE, hints=Hints(case_id="c", reference="r", allowed=("a",)))
    assert call_for(backend, hinted).key == call_for(backend, BASE).key


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("http://me:secret@h.example/v1?key=1", "http://h.example/v1", True),
        ("http://h.example/v1", "http://h.example/v2", False),
        ("http://h.example/v1", "http://h.example:81/v1", False),
    ],
)
def test_the_key_covers_the_endpoint_without_secrets(tmp_path, one, two, same):
    with served_client(tmp_path, one) as first:
        key = call_for(first.line.backend, BASE).key
    with served_client(tmp_path, two) as second:
        assert (call_for(second.line.backend, BASE).key == key) is same


def test_asking_again_makes_no_call_and_keeps_the_first_cost(tmp_path, server):
    cache = tmp_path / "replies.sqlite"
    price = "price = { input = 1.0, output = 2.0 }"
    url = server.openai("usage=100:50")
    with served_client(tmp_path, url, entry=price, cache=cache) as client:
        first = client.ask(request("cached once"))
    with served_client(tmp_path, url, entry=price, cache=cache) as client:
        again = client.ask(request("cached once"))
    assert first.cost_usd == pytest.approx((100 * 1 + 50 * 2) / 1e6)
    assert again == replace(first, from_cache=True)
    assert server.calls()["by_prompt"]["cached once"] == 1


def test_refresh_asks_again_and_overwrites(tmp_path, server):
    cache = tmp_path / "replies.sqlite"
    with served_client(tmp_path, server.openai(), cache=cache) as client:
        client.ask(request("refreshed"))
    with served_client(tmp_path, server.openai(), cache=cache, refresh=True) as client:
        assert not client.ask(request("refreshed")).from_cache
    assert server.calls()["by_prompt"]["refreshed"] == 2


def test_offline_answers_from_the_cache_alone(tmp_path, server):
    cache = tmp_path / "replies.sqlite"
    with served_client(tmp_path, server.openai(), cache=cache) as client:
        client.ask(request("known"))
    with served_client(tmp_path, server.openai(), cache=cache, offline=True) as client:
        assert client.ask(request("known")).text == "echo: known"
        assert client.ask(request("unknown")).failure.kind == "not_cached"
    assert "unknown" not in server.calls()["by_prompt"]


def test_offline_needs_no_key(tmp_path):
    ReplyCache(tmp_path / "replies.sqlite").close()
    settings = quick(cache=tmp_path / "replies.sqlite", offline=True)
    with Client("claude-haiku-4-5", settings=settings) as client:
        assert client.ask(request()).failure.kind == "not_cached"


def test_a_retried_reply_keeps_its_attempts(tmp_path, server):
    settings = {"cache": tmp_path / "replies.sqlite"}
    with served_client(tmp_path, server.openai("status=429:2:0.1"), **settings) as client:
        first = client.ask(request("kept attempts"))
        again = client.ask(request("kept attempts"))
    assert (first.attempts, first.waited) == (3, pytest.approx(0.2))
    assert again == replace(first, from_cache=True)


def test_a_kill_repeats_no_more_calls_than_were_in_flight(tmp_path, server):
    how = "delay=0.05;tag=killed run"
    cache = tmp_path / "replies.sqlite"
    asked = [request(f"killed run {i}") for i in range(120)]
    served_client(tmp_path, server.openai(how), cache=cache).close()
    code = (
        "import sys; from pathlib import Path\n"
        "sys.path.insert(0, sys.argv[3])\n"
        "from curieval.models import Client, ClientSettings\n"
        "from tests.models.asking import request\n"
        "settings = ClientSettings(models_file=Path(sys.argv[1]), cache=Path(sys.argv[2]),\n"
        "                          concurrency=6)\n"
        "client = Client('mine', settings=settings)\n"
        "client.ask_many(request(f'killed run {i}') for i in range(120))\n"
    )
    root = str(Path(__file__).parents[2])
    command = [sys.executable, "-c", code, str(tmp_path / "servers.toml"), str(cache), root]
    with subprocess.Popen(command) as process:
        deadline = time.monotonic() + 60
        while "killed run 50" not in server.calls()["by_prompt"]:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.kill()
    with served_client(tmp_path, server.openai(how), cache=cache) as client:
        replies = client.ask_many(asked)
    calls = server.calls()["by_prompt"]
    counts = [calls[f"killed run {i}"] for i in range(120)]
    assert [r.text for r in replies] == [f"echo: killed run {i}" for i in range(120)]
    assert set(counts) <= {1, 2}
    assert counts.count(2) <= 6
    assert sum(r.from_cache for r in replies) >= 40
