"""Runs that are killed or interrupted, and run again."""

from __future__ import annotations

import os
import signal

import pytest

from tests.plugin_models.trial import end_of_group

CONCURRENCY = 4
FOUR_WORKERS = ("-n", "4", "--concurrency", str(CONCURRENCY))


def test_a_killed_run_goes_on_where_it_was(trial):
    trial.serve("delay=0.05")
    process = trial.start(*FOUR_WORKERS)
    trial.await_calls(process, 80)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert end_of_group(process)
    before = len({line["id"] for line in trial.lines()})
    assert 0 < before < 200

    done = trial.run(*FOUR_WORKERS)

    assert done.code == 0, done.output
    asked = trial.server.calls()["by_prompt"]
    assert len(asked) == 200
    assert sum(asked.values()) <= 200 + CONCURRENCY
    again = trial.leg(2)
    assert sorted(line["case"] for line in again) == sorted(f"trial-{n:03}" for n in range(200))
    assert all(line["scores"] == {"exact": 1.0} for line in again)
    resumed = sum(line["reply"]["from_cache"] for line in again)
    assert resumed >= before
    whole = trial.whole()
    assert whole["counts"]["scored"] == whole["counts"]["planned"] == 200
    assert whole["from_cache"] == resumed
    assert f"{resumed} of 200 replies came from the cache" in done.output


@pytest.mark.parametrize("sign", ["SIGINT", "SIGTERM"])
def test_an_interrupted_run_leaves_no_process_and_goes_on(trial, sign):
    trial.serve("delay=0.05")
    process = trial.start(*FOUR_WORKERS)
    trial.await_calls(process, 80)
    if sign == "SIGINT":
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.terminate()
    done = trial.finish(process)
    assert done.code == 2, done.output
    assert "Traceback" not in done.output
    assert end_of_group(process)
    counts = trial.whole()["counts"]
    assert counts["scored"] + counts["not_run"] == counts["planned"] == 200
    assert counts["scored"] > 0
    assert counts["not_run"] > 0
    assert trial.lines("end")[-1]["interrupted"] is True

    done = trial.run(*FOUR_WORKERS)

    assert done.code == 0, done.output
    asked = trial.server.calls()["by_prompt"]
    assert len(asked) == 200
    assert sum(asked.values()) <= 200 + CONCURRENCY
    assert trial.whole()["counts"]["scored"] == 200
