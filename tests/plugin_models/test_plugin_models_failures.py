"""Servers that fail: what is asked again, what ends unscored, and what ends the run."""

from __future__ import annotations

import sqlite3

import pytest

from tests.plugin_models.trial import Trial

ATTEMPTS = 5


@pytest.mark.parametrize(
    ("how", "reason"), [("status=500", "server_error"), ("cut", "connection")], ids=["500", "cut"]
)
def test_cases_that_fail_for_ever_end_unscored_after_the_stated_attempts(
    tmp_path, server, how, reason
):
    trial = Trial(tmp_path, server, cases=24)
    trial.serve(f"{how};only=question 00")
    done = trial.run("--concurrency", "24")

    assert done.code == 11, done.output
    failed = [line for line in trial.lines() if line["state"] == "unscored"]
    assert [line["case"] for line in failed] == [f"trial-{n:03}" for n in range(10)]
    assert {line["reason"] for line in failed} == {reason}
    assert {line["reply"]["attempts"] for line in failed} == {ATTEMPTS}
    assert min(line["reply"]["waited"] for line in failed) > 0
    assert {line["scores"].get("exact") for line in failed} == {None}
    asked = server.calls()["by_prompt"]
    assert {asked[f"question 00{n}"] for n in range(10)} == {ATTEMPTS}
    whole = trial.whole()
    assert (whole["counts"]["scored"], whole["counts"]["unscored"]) == (14, 10)
    assert whole["figures"][0]["mean"] == 1.0
    assert whole["figures"][0]["bound"] == pytest.approx(14 / 24)
    assert "Traceback" not in done.output

    trial.models.unlink()
    trial.serve(f"{how};only=question 99")
    trial.run()
    assert server.calls()["by_prompt"]["question 001"] == ATTEMPTS + 1, "a failure was kept"


def test_calls_that_are_told_to_wait_end_scored_with_attempts_and_waits(short_trial):
    short_trial.serve("status=429:2:0.2")
    done = short_trial.run("-n", "2")
    assert done.code == 0, done.output
    replies = [line["reply"] for line in short_trial.lines()]
    assert len(replies) == 12
    assert {reply["attempts"] for reply in replies} == {3}
    assert [reply["waited"] for reply in replies] == pytest.approx([0.4] * 12)
    assert short_trial.whole()["counts"]["scored"] == 12


@pytest.mark.parametrize(("how", "flag"), [("refusal", "refusal"), ("empty", "empty")])
def test_refusals_and_empty_answers_are_scored_and_flagged(short_trial, how, flag):
    short_trial.serve(f"{how};only=question 00")
    done = short_trial.run()
    assert done.code == 0, done.output
    odd = [line for line in short_trial.lines() if line["case"] < "trial-010"]
    assert len(odd) == 10
    for line in odd:
        assert line["state"] == "scored"
        assert line["scores"] == {"exact": 0.0}
        assert flag in line["flags"]
        assert line["reply"]["attempts"] == 1
    counted = {"refusal": "refused", "empty": "empty"}[flag]
    assert short_trial.whole()["counts"][counted] == 10


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_refused_key_ends_the_run_with_one_message(trial, workers):
    trial.serve("status=401")
    done = trial.run("-n", workers)
    assert done.code == 11, done.output
    assert "auth: HTTP 401" in done.output
    assert trial.server.calls()["total"] <= 64
    counts = trial.whole()["counts"]
    assert counts["unscored"] in (1, 2)
    assert counts["unscored"] + counts["not_run"] == 200
    assert done.output.count("\nunscored: auth") == counts["unscored"]
    assert "Traceback" not in done.output


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_cache_that_is_full_ends_the_run_with_one_message(trial, workers):
    trial.serve("ok")
    trial.run("-k", "trial-000")
    with sqlite3.connect(trial.cache) as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON replies "
            "WHEN (SELECT count(*) FROM replies) >= 20 "
            "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        )
    connection.close()

    done = trial.run("-n", workers, "--concurrency", "4")

    assert done.code == 11, done.output
    advice = "database or disk is full; free some space or name another file with --cache"
    assert f"unscored: local: the reply cache {trial.cache} cannot be written: {advice}" in (
        done.output
    )
    assert "Traceback" not in done.output
    assert "INTERNALERROR" not in done.output
    whole = trial.whole()
    assert whole["reasons"]["local"] == whole["counts"]["unscored"] <= 2
    assert whole["counts"]["scored"] >= 1
    assert whole["counts"]["not_run"] > 150
