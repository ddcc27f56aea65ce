"""Runs that end early: Ctrl-C, SIGTERM, killed workers and a killed controller."""

from __future__ import annotations

import os
import signal
import time

import pytest

SOON = 10.0  # half of it on a quiet machine is twice what it takes
DELAYED = "text=3;delay=0.1"


def slow(world, server, how=DELAYED):
    """A model that is asked four times at once, told apart from other tests' by the folder."""
    return world.serve(server.openai(f"{how};tag={world.folder.name}"), entry="concurrency = 4")


def processes_gone(running, seconds=2.0):
    waited = time.monotonic() + seconds
    while running.members() and time.monotonic() < waited:
        time.sleep(0.02)
    return running.members()


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize(
    ("number", "group"),
    [(signal.SIGINT, True), (signal.SIGINT, False), (signal.SIGTERM, False)],
    ids=["Ctrl-C", "SIGINT", "SIGTERM"],
)
def test_an_interrupt_ends_soon_and_keeps_what_was_finished(world, server, workers, number, group):
    suite = world.suite(400)
    model = slow(world, server)
    with world.started(suite, *model, "--limit", "all", workers=workers) as running:
        running.wait_for_records(6)
        finished = set(running.finished())
        running.interrupt(number, group=group)
        ran = running.end(SOON)
        assert processes_gone(running) == {}
    assert ran.code == 2, ran.output
    records = ran.records()
    assert finished <= set(records)
    assert {r["state"] for r in records.values()} == {"scored"}
    counts = ran.tallies()
    assert counts == {
        "planned": 400, "scored": len(records), "unscored": 0, "not_run": 400 - len(records)
    }  # fmt: skip
    assert ran.lines("end")[-1]["interrupted"] is True
    assert ran.report()["legs"][-1]["exit_code"] == 2
    assert "Traceback" not in ran.output
    assert "raised exception" not in ran.output


def test_an_interrupt_during_a_hanging_call_ends_soon(world, server):
    suite = world.suite(10)
    model = slow(world, server, how="hang")
    with world.started(suite, *model, "--limit", "all") as running:
        while not (running.folder / "records.jsonl").exists():
            time.sleep(0.05)
        time.sleep(0.5)
        running.interrupt(signal.SIGINT)
        ran = running.end(SOON)
    assert ran.code == 2, ran.output
    assert ran.tallies() == {"planned": 10, "scored": 0, "unscored": 0, "not_run": 10}


def test_a_killed_worker_costs_the_case_it_was_on(world, server):
    suite = world.suite(60)
    model = slow(world, server)
    with world.started(suite, *model, "--limit", "all", workers=2) as running:
        running.wait_for_records(4)
        workers = [pid for pid, command in running.members().items() if pid != running.process.pid]
        assert len(workers) == 2
        os.kill(workers[0], signal.SIGKILL)
        ran = running.end()
        assert processes_gone(running) == {}
    counts = ran.tallies()
    assert counts == {"planned": 60, "scored": 59, "unscored": 1, "not_run": 0}
    (lost,) = [r for r in ran.records().values() if r["state"] == "unscored"]
    assert lost["reason"] == "worker_died"
    assert len(ran.lines("record")) == 60
    assert ran.code == 0, ran.output
    assert "1 of 60 asked are unscored (1 worker_died)" in ran.output


def test_a_killed_controller_loses_no_record_and_the_next_run_goes_on(world, server):
    suite = world.suite(40)
    model = slow(world, server)
    with world.started(suite, *model, "--limit", "all", workers=2) as running:
        running.wait_for_records(8)
        running.process.kill()
        running.process.wait()
        finished = set(running.finished())
        assert processes_gone(running, seconds=10) == {}
    assert len(finished) >= 8
    asked = server.calls()["total"]
    again = world.run(suite, *model, "--limit", "all", workers=2, report=running.folder)
    assert again.code == 0, again.output
    assert ", leg 2" in again.output
    assert again.tallies() == {"planned": 40, "scored": 40, "unscored": 0, "not_run": 0}
    report = again.report()
    assert [leg["exit_code"] for leg in report["legs"]] == [None, 0]
    assert finished <= set(again.records())
    cached = [i for i, r in again.records().items() if r["reply"]["from_cache"]]
    assert finished <= set(cached)
    assert server.calls()["total"] - asked <= 40 - len(finished)


def test_a_killed_sole_process_goes_on_as_leg_two(world, server):
    suite = world.suite(30)
    model = slow(world, server)
    with world.started(suite, *model, "--limit", "all") as running:
        running.wait_for_records(5)
        running.process.kill()
        running.process.wait()
        finished = set(running.finished())
    again = world.run(suite, *model, "--limit", "all", report=running.folder)
    assert again.code == 0, again.output
    assert again.tallies()["scored"] == 30
    assert len(again.report()["legs"]) == 2
    assert finished <= {i for i, r in again.records().items() if r["reply"]["from_cache"]}


def test_a_test_that_ends_its_worker_each_time_costs_only_its_own_case(world):
    test = """
import os
from fixtures.cases import evaluation
from tests.plugin.trivial import trivial_task

@evaluation(trivial_task({arguments}))
def test_trivial(case, reply, record):
    if case.reference == "7":
        os._exit(3)
    record({{"right": 1.0}})
"""
    suite = world.suite(60, test=test)
    ran = world.run(suite, "--model", "reference", "--limit", "all", workers=2)
    assert ran.tallies() == {"planned": 60, "scored": 59, "unscored": 1, "not_run": 0}
    (lost,) = [r for r in ran.records().values() if r["state"] == "unscored"]
    assert (lost["case"], lost["reason"]) == ("thing-00007", "worker_died")


@pytest.mark.parametrize("workers", [0, 2])
def test_x_stops_at_the_first_failure_and_gates_nothing(world, server, workers):
    suite = world.suite(40)
    (world.folder / "gates.toml").write_text('[[slow.trivial]]\nfigure = "right"\nmin = 0.9\n')
    model = slow(world, server, how="text=3;status=400:0")
    gates = ("--thresholds", world.folder / "gates.toml")
    ran = world.run(suite, *model, "--limit", "all", "-x", *gates, workers=workers)
    counts = ran.tallies()
    assert counts["unscored"] >= 1
    assert counts["not_run"] >= 30
    assert sum(v for k, v in counts.items() if k != "planned") == 40
    assert [gate["state"] for gate in ran.report()["gates"]] == ["skipped"]
    assert ran.code == 11
