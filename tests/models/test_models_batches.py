"""Batches fill the cache, outlive a kill at any point, and are paid once."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from curieval.models import Client
from curieval.models.batch_fill import fill_by_batch
from curieval.models.batches import BatchBook, BatchLook, OpenBatch, adopt
from curieval.models.errors import ConfigError
from curieval.models.ledger import read_totals
from curieval.models.wire import canonical
from tests.models.asking import quick, request, served_client

HALF = "price = { input = 0.0, output = 1000.0 }"


def batching(tmp_path, server, how="ok", **settings):
    entry = f'api = "anthropic"\n{HALF}'
    cache = tmp_path / "replies.sqlite"
    return served_client(tmp_path, server.base(how), entry=entry, cache=cache, **settings)


def asked(tag, number):
    return [request(f"batch {tag} {i}", max_tokens=10) for i in range(number)]


def test_fills_the_cache_at_half_the_price(tmp_path, server):
    requests = asked("fill", 5)
    seen = []
    with batching(tmp_path, server, "ok;tag=fill") as client:
        client.ask(requests[0])
        summary = fill_by_batch(client, [*requests, requests[1]], poll=0.05, report=seen.append)
        replies = client.ask_many(requests)
    assert (summary.cached, summary.submitted, summary.succeeded) == (1, 4, 4)
    assert summary.failure is None
    # Ten tokens a reply at $1,000 a million, and half of it in a batch.
    assert summary.cost_usd == pytest.approx(4 * 0.01 / 2)
    assert [r.text for r in replies] == [f"echo: batch fill {i}" for i in range(5)]
    assert all(r.from_cache for r in replies)
    assert replies[1].cost_usd == pytest.approx(0.005)
    assert (seen[-1].done, seen[-1].total) == (4, 4)
    counts = server.calls()["by_prompt"]
    assert [counts[f"batch fill {i}"] for i in range(5)] == [1] * 5


def test_requests_that_fail_in_a_batch_are_counted_and_not_kept(tmp_path, server):
    with batching(tmp_path, server, "item_error=2;tag=failing") as client:
        summary = fill_by_batch(client, asked("failing", 4), poll=0.05)
        assert (summary.succeeded, summary.failures) == (3, {"server_error": 1})
        assert not client.ask(asked("failing", 4)[2]).from_cache


def test_a_killed_run_is_picked_up(tmp_path, server):
    how = "ok;tag=killed"
    batching(tmp_path, server, how).close()
    code = (
        "import sys; from pathlib import Path\n"
        "from curieval.models import Client, ClientSettings\n"
        "from curieval.models.batch_fill import fill_by_batch\n"
        "sys.path.insert(0, sys.argv[3])\n"
        "from tests.models.asking import request\n"
        "settings = ClientSettings(models_file=Path(sys.argv[1]), cache=Path(sys.argv[2]),\n"
        "                          ledger=Path(sys.argv[2] + '.ledger'), max_cost=1.0)\n"
        "requests = [request(f'batch killed {i}', max_tokens=10) for i in range(3)]\n"
        "fill_by_batch(Client('mine', settings=settings), requests, poll=600)\n"
    )
    cache = tmp_path / "replies.sqlite"
    root = str(Path(__file__).parents[2])
    command = [sys.executable, "-c", code, str(tmp_path / "servers.toml"), str(cache), root]
    ledger = tmp_path / "replies.sqlite.ledger"
    with subprocess.Popen(command) as process:
        deadline = time.monotonic() + 30
        while "batch killed 2" not in server.calls()["by_prompt"]:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        with batching(tmp_path, server, how) as client:
            book = BatchBook(cache, owner=canonical(dict(client.identity)))
            while not any(not entry.pending for entry in book.open_batches()):
                assert time.monotonic() < deadline
                time.sleep(0.05)
            book.close()
        process.kill()
    assert read_totals(ledger).lost == {"mine": pytest.approx(3 * 0.01 / 2)}
    with batching(tmp_path, server, how, ledger=ledger, max_cost=1.0) as client:
        summary = fill_by_batch(client, asked("killed", 4), poll=0.05)
        replies = client.ask_many(asked("killed", 4))
    assert (summary.picked_up, summary.submitted, summary.succeeded) == (3, 1, 4)
    assert all(r.from_cache for r in replies)
    counts = server.calls()["by_prompt"]
    assert [counts[f"batch killed {i}"] for i in range(4)] == [1] * 4
    totals = read_totals(ledger)
    assert (totals.usd, totals.lost) == (pytest.approx(4 * 0.01 / 2), {})


def test_a_batch_whose_number_never_came_is_found_again(tmp_path, server):
    with batching(tmp_path, server, "forget;tag=forgotten") as client:
        summary = fill_by_batch(client, asked("forgotten", 3), poll=0.05)
        assert summary.failure.kind == "connection"
        again = fill_by_batch(client, asked("forgotten", 3), poll=0.05)
    assert (again.picked_up, again.submitted, again.succeeded) == (3, 0, 3)
    assert server.calls()["by_prompt"]["batch forgotten 0"] == 1


def test_a_refused_batch_leaves_nothing_behind(tmp_path, server):
    ledger = tmp_path / "ledger.sqlite"
    with batching(tmp_path, server, "status=401", ledger=ledger, max_cost=1.0) as client:
        summary = fill_by_batch(client, asked("refused", 3), poll=0.05)
        assert summary.failure.kind == "auth"
        book = BatchBook(tmp_path / "replies.sqlite", owner=canonical(dict(client.identity)))
        assert book.open_batches() == []
        book.close()
    assert read_totals(ledger).usd == 0.0


def test_a_batch_takes_no_more_than_the_cap_allows(tmp_path, server):
    ledger = tmp_path / "ledger.sqlite"
    # Half a cent each: five fit under two and a half cents.
    with batching(tmp_path, server, "ok;tag=capped", ledger=ledger, max_cost=0.025) as client:
        summary = fill_by_batch(client, asked("capped", 8), poll=0.05)
    assert (summary.submitted, summary.beyond_budget, summary.succeeded) == (5, 3, 5)
    assert read_totals(ledger).usd == pytest.approx(0.025)


def test_models_without_batches_say_so(tmp_path, server):
    with (
        served_client(tmp_path, server.openai(), cache=tmp_path / "c.sqlite") as client,
        pytest.raises(ConfigError, match="model mine has no batch API"),
    ):
        fill_by_batch(client, asked("none", 1))
    with pytest.raises(ConfigError, match="has no batch API"):
        fill_by_batch(Client("random"), asked("none", 1))


def test_batches_need_a_cache(server, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-none-00000000")
    with (
        Client("claude-haiku-4-5", settings=quick()) as client,
        pytest.raises(ConfigError, match="need a reply cache"),
    ):
        fill_by_batch(client, asked("none", 1))


def look(number, *, total=2, created=1000.0):
    return BatchLook(number=number, ended=False, done=0, total=total, created=created)


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ([look("a")], "a"),
        ([look("a", created=1100.0), look("b", total=3)], "a"),
        ([look("a", created=9000.0)], None),
        ([look("known")], None),
        ([look("a"), look("b")], None),
        ([], None),
    ],
)
def test_a_pending_batch_is_adopted_only_when_it_is_surely_ours(seen, expected):
    batch = OpenBatch(number="pending-1", keys=("x", "y"), reservation=None, created=1010.0)
    assert adopt(batch, seen, ["known"]) == expected
