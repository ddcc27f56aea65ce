"""The cap holds: worst cases are reserved, what was spent is booked, kills count as spent."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curieval.models import Client, Gateway, open_client
from curieval.models.budget import most_tokens_in
from curieval.models.errors import BudgetError
from curieval.models.ledger import Ledger, read_totals
from curieval.models.settings import ClientSettings
from tests.models.asking import quick, request, served_client

# A cent a call: ten tokens out at $1,000 a million, nothing for the prompt.
CENT = "price = { input = 0.0, output = 1000.0 }"


def cent_client(tmp_path, server, how="usage=5:10", **settings):
    settings = {"ledger": tmp_path / "ledger.sqlite", "concurrency": 16, **settings}
    return served_client(tmp_path, server.openai(how), entry=CENT, **settings)


def cents(number, start=0, tag=""):
    return [request(f"cent {tag} {i}", max_tokens=10) for i in range(start, start + number)]


def test_spends_the_cap_and_not_a_cent_more(tmp_path, server):
    with cent_client(tmp_path, server, max_cost=1.0) as client:
        replies = client.ask_many(cents(200, tag="cap"))
    paid = [r for r in replies if r.failure is None]
    assert len(paid) == 100
    assert {r.failure.kind for r in replies if r.failure} == {"budget"}
    assert "the cap of $1 leaves no room: $1.0000 are spent" in replies[-1].failure.message
    assert read_totals(tmp_path / "ledger.sqlite").usd == pytest.approx(1.0)
    assert sum(n for p, n in server.calls()["by_prompt"].items() if p.startswith("cent cap")) == 100


def test_a_larger_cap_goes_on_and_cached_replies_are_free(tmp_path, server):
    cache = tmp_path / "replies.sqlite"
    asked = cents(30, tag="larger")
    with cent_client(tmp_path, server, max_cost=0.1, cache=cache) as client:
        assert sum(r.failure is None for r in client.ask_many(asked)) == 10
    with cent_client(tmp_path, server, max_cost=0.25, cache=cache) as client:
        replies = client.ask_many(asked)
    assert sum(r.failure is None for r in replies) == 25
    assert sum(r.from_cache for r in replies) == 10
    assert read_totals(tmp_path / "ledger.sqlite").usd == pytest.approx(0.25)


def test_a_server_that_counts_more_than_was_sent_is_reserved_for_once(tmp_path, server):
    # Each of the first calls costs a fifth more than its worst case: all find the same fifth.
    dear = cent_client(tmp_path, server, "usage=5:12;delay=0.2", max_cost=1.0)
    with dear as client:
        replies = client.ask_many(cents(200, tag="dear"))
    assert sum(r.failure is None for r in replies) == 83
    assert read_totals(tmp_path / "ledger.sqlite").usd == pytest.approx(0.996)


def test_worst_cases_that_do_not_come_true_leave_room(tmp_path, server):
    # Each call may cost ten cents and costs one: all 50 fit under a dollar, a few at a time.
    how = "usage=5:10;delay=0.01"
    with cent_client(tmp_path, server, how, max_cost=1.0) as client:
        replies = client.ask_many(request(f"roomy {i}", max_tokens=100) for i in range(50))
    assert all(r.failure is None for r in replies)
    assert server.calls()["most_in_flight"][how] <= 10
    assert read_totals(tmp_path / "ledger.sqlite").usd == pytest.approx(0.5)


def test_refusals_of_the_server_are_not_billed(tmp_path, server):
    with cent_client(tmp_path, server, "usage=5:10;status=500:2", max_cost=0.05) as client:
        replies = client.ask_many(cents(5, tag="refused"))
    assert [r.attempts for r in replies] == [3] * 5
    assert read_totals(tmp_path / "ledger.sqlite").usd == pytest.approx(0.05)


@pytest.mark.parametrize("how", ["hang", "cut", "broken"])
def test_attempts_that_may_be_billed_count_at_their_worst(tmp_path, server, how):
    with cent_client(tmp_path, server, how, max_cost=1.0, timeout=0.2) as client:
        reply = client.ask(cents(1, tag=how)[0])
    assert reply.attempts == 3
    assert read_totals(tmp_path / "ledger.sqlite").usd == pytest.approx(0.03)


def test_retries_stop_at_the_cap(tmp_path, server):
    with cent_client(tmp_path, server, "broken", max_cost=0.02, attempts=9) as client:
        reply = client.ask(cents(1, tag="retried")[0])
    assert (reply.failure.kind, reply.attempts) == ("budget", 3)
    assert server.calls()["by_prompt"]["cent retried 0"] == 2


def test_a_server_that_counts_more_than_bytes_is_soon_believed(tmp_path, server):
    price = "price = { input = 10.0, output = 0.0 }"
    settings = {"ledger": tmp_path / "ledger.sqlite", "max_cost": 1.0, "concurrency": 1}
    url = server.openai("usage=10000:1")
    with served_client(tmp_path, url, entry=price, **settings) as client:
        replies = client.ask_many(request(f"dear {i}") for i in range(30))
    assert sum(r.failure is None for r in replies) == 10
    assert read_totals(tmp_path / "ledger.sqlite").usd == pytest.approx(1.0)


def test_several_models_share_the_ledger(tmp_path, server):
    with (
        cent_client(tmp_path, server, "usage=5:10;tag=a", max_cost=0.3) as one,
        cent_client(tmp_path, server, "usage=5:10;tag=b", max_cost=0.3) as two,
    ):
        futures = [c.submit(r) for r in cents(40, tag="shared") for c in (one, two)]
        replies = [f.result(30) for f in futures]
    assert sum(r.failure is None for r in replies) == 30


def test_workers_share_the_cap_through_the_gateway(tmp_path, server):
    with cent_client(tmp_path, server, max_cost=0.2) as client:
        gateway = Gateway({"mine": client})
        address = gateway.start()
        settings = ClientSettings(gateway=address, max_cost=0.2)
        remotes = [open_client("mine", settings=settings) for _ in range(4)]
        asked = [cents(20, tag=f"worker {n}") for n in range(4)]
        futures = [r.submit(q) for r, qs in zip(remotes, asked, strict=True) for q in qs]
        replies = [f.result(30) for f in futures]
        for remote in remotes:
            remote.close()
        gateway.stop()
    assert sum(r.failure is None for r in replies) == 20


def test_what_was_in_flight_at_a_kill_counts_as_spent(tmp_path, server):
    cent_client(tmp_path, server, "delay=60").close()
    code = (
        "import sys; from pathlib import Path\n"
        "from curieval.models import Client, ClientSettings\n"
        "from curieval.models.types import Message, Request\n"
        "settings = ClientSettings(models_file=Path(sys.argv[1]), ledger=Path(sys.argv[2]),\n"
        "                          max_cost=1.0, concurrency=4, timeout=90)\n"
        "client = Client('mine', settings=settings)\n"
        "for i in range(4):\n"
        "    message = Message(role='user', content=f'killed {i}')\n"
        "    client.submit(Request(messages=(message,), max_tokens=10))\n"
        "sys.stdin.read()\n"
    )
    ledger = tmp_path / "ledger.sqlite"
    command = [sys.executable, "-c", code, str(tmp_path / "servers.toml"), str(ledger)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        deadline = time.monotonic() + 20
        while not all(f"killed {i}" in server.calls()["by_prompt"] for i in range(4)):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.kill()
    totals = read_totals(ledger)
    assert (totals.spent, totals.lost) == ({}, {"mine": pytest.approx(0.04)})
    with cent_client(tmp_path, server, max_cost=0.1) as client:
        replies = client.ask_many(cents(10, tag="after"))
    assert sum(r.failure is None for r in replies) == 6


def test_an_unknown_price_is_refused_before_the_first_call(tmp_path, server):
    with pytest.raises(BudgetError, match="price of mine is unknown, so --max-cost 5"):
        served_client(tmp_path, server.openai(), max_cost=5.0)


def test_free_models_need_no_price(tmp_path):
    with Client("embedded", settings=quick(max_cost=0.0)) as client:
        worst = client.line.budget.worst(client.line.backend.payload(request()))
    assert worst == 0.0


def test_a_strange_ledger_is_named(tmp_path):
    path = tmp_path / "ledger.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (x)")
    with pytest.raises(BudgetError, match="no ledger that this curieval reads"):
        Ledger(path)
    (tmp_path / "file").write_text("")
    with pytest.raises(BudgetError, match="cannot be used"):
        Ledger(tmp_path / "file" / "ledger.sqlite")


def test_threads_and_files_never_reserve_more_than_the_cap(tmp_path):
    path = tmp_path / "ledger.sqlite"
    ledgers = [Ledger(path) for _ in range(4)]
    got = []

    def take(ledger):
        for _ in range(40):
            number = ledger.reserve("m", 0.01, cap=1.0)
            if isinstance(number, int):
                got.append(number)
                ledger.settle(number, 0.01)

    threads = [threading.Thread(target=take, args=(ledger,)) for ledger in ledgers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 100
    assert ledgers[0].totals().usd == pytest.approx(1.0)


@given(st.lists(st.tuples(st.floats(0, 0.5), st.floats(0, 1), st.booleans()), max_size=40))
def test_spent_never_passes_the_cap_when_no_call_passes_its_worst_case(calls):
    ledger = Ledger(None)
    open_ = []
    for worst, share, settle_one in calls:
        number = ledger.reserve("m", worst, cap=1.0)
        if isinstance(number, int):
            open_.append((number, worst * share))
        if settle_one and open_:
            ledger.settle(*open_.pop())
    for number, spent in open_:
        ledger.settle(number, spent)
    assert ledger.totals().usd <= 1.0 + 1e-7


@given(st.text())
def test_a_prompt_has_no_more_tokens_than_the_bound(text):
    assert most_tokens_in({"messages": [{"content": text}]}) >= len(
        text.encode(errors="surrogatepass")
    )
