"""Workers ask through the gateway; who has no token is refused, who dies loses no reply."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
import sys
import time

import pytest

from curieval.models import ClientSettings, Gateway, open_client
from curieval.models.errors import GatewayError
from tests.models.asking import request, served_client


@pytest.fixture
def through(tmp_path, server):
    """Open a client behind a gateway: `through(how)` gives (address, client)."""
    opened = []

    def open_for(how, **settings):
        cache = tmp_path / "replies.sqlite"
        client = served_client(tmp_path, server.openai(how), cache=cache, **settings)
        gateway = Gateway({"mine": client})
        opened.append((gateway, client))
        return gateway.start(), client

    yield open_for
    for gateway, client in opened:
        gateway.stop()
        client.close()


def worker(address):
    return open_client("mine", settings=ClientSettings(gateway=address))


def test_a_worker_gets_what_the_controller_would(through):
    address, client = through("ok")
    with worker(address) as remote:
        assert remote.ask(request("by wire")).text == "echo: by wire"
        assert client.ask(request("by wire")).from_cache
        assert remote.identity == client.identity
        assert remote.destination == client.destination
        assert (remote.concurrency, remote.instant) == (client.concurrency, False)


def test_structured_answers_are_parsed_in_the_worker(through):
    address, _ = through('text={"a": [1, 2]}')
    with worker(address) as remote:
        assert remote.ask(request(schema={"type": "object"})).parsed == {"a": [1, 2]}


def test_workers_share_calls_and_the_bound(through, server):
    address, _ = through("overload=3;delay=0.02", concurrency=3)
    remotes = [worker(address) for _ in range(4)]
    futures = [r.submit(request(f"shared {i}")) for i in range(15) for r in remotes]
    replies = [f.result(30) for f in futures]
    for remote in remotes:
        remote.close()
    assert all(r.failure is None for r in replies)
    asked = server.calls()["by_prompt"]
    assert {asked[f"shared {i}"] for i in range(15)} == {1}


def test_failures_come_through(through):
    address, _ = through("status=401")
    with worker(address) as remote:
        assert remote.ask(request("by wire, refused")).failure.kind == "auth"


def test_a_wrong_token_is_refused(through):
    (host, port, token), _ = through("ok")
    with pytest.raises(GatewayError, match="token is wrong"):
        worker((host, port, token[:-1] + ("a" if token[-1] != "a" else "b")))


def test_an_unknown_model_is_refused(through):
    (host, port, token), _ = through("ok")
    with pytest.raises(GatewayError, match="no model 'embedded'"):
        open_client("embedded", settings=ClientSettings(gateway=(host, port, token)))


def test_nobody_there():
    with pytest.raises(GatewayError, match=r"does not answer at 127\.0\.0\.1:1"):
        worker(("127.0.0.1", 1, "token"))


@pytest.mark.parametrize(
    "noise",
    [b"GET / HTTP/1.1\r\n\r\n", struct.pack(">I", 2**31), struct.pack(">I", 4) + b"nul}", b""],
)
def test_noise_does_no_harm(through, noise):
    address, _ = through("ok")
    with socket.create_connection(address[:2], timeout=10) as stranger:
        stranger.sendall(noise)
        stranger.shutdown(socket.SHUT_WR)
        assert stranger.recv(100) == b""
    with worker(address) as remote:
        assert remote.ask(request("after noise")).failure is None


def test_a_request_before_the_token_is_refused(through, server):
    address, _ = through("ok")
    body = json.dumps({"id": 1, "model": "mine", "request": {}}).encode()
    with socket.create_connection(address[:2], timeout=10) as stranger:
        stranger.sendall(struct.pack(">I", len(body)) + body)
        assert stranger.recv(100) == b""


def test_a_killed_worker_leaves_its_calls_to_finish(through, server):
    address, client = through("delay=0.5")
    code = (
        "import json, os, signal, sys, time\n"
        "from curieval.models import ClientSettings, open_client\n"
        "from curieval.models.types import Message, Request\n"
        "def ask(text):\n"
        "    turns = (('system', 'Answer briefly.'), ('user', text))\n"
        "    messages = tuple(Message(role=r, content=c) for r, c in turns)\n"
        "    return Request(messages=messages, max_tokens=16)\n"
        "address = tuple(json.loads(sys.argv[1]))\n"
        "client = open_client('mine', settings=ClientSettings(gateway=address))\n"
        "for i in range(4): client.submit(ask(f'orphan {i}'))\n"
        "print('sent', flush=True); time.sleep(60)\n"
    )
    command = [sys.executable, "-c", code, json.dumps(address)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "sent\n"
        deadline = time.monotonic() + 20
        while not all(f"orphan {i}" in server.calls()["by_prompt"] for i in range(4)):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.kill()
    replies = client.ask_many(request(f"orphan {i}") for i in range(4))
    assert all(r.from_cache for r in replies)
    assert {server.calls()["by_prompt"][f"orphan {i}"] for i in range(4)} == {1}


def test_a_cancelled_call_is_given_up(through):
    address, client = through("delay=30", timeout=60)
    with worker(address) as remote:
        future = remote.submit(request("cancelled by wire"))
        deadline = time.monotonic() + 20
        while not client.line._flying:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert future.cancel()
        while client.line._flying:
            assert time.monotonic() < deadline
            time.sleep(0.01)


def test_a_lost_controller_is_a_failure_with_a_name(through):
    _, client = through("delay=30", timeout=60)
    gateway = Gateway({"mine": client})
    remote = worker(gateway.start())
    future = remote.submit(request("left alone"))
    gateway.stop()
    assert future.result(10).failure.kind == "connection"
    assert remote.ask(request("too late")).failure.kind == "connection"
    remote.close()
