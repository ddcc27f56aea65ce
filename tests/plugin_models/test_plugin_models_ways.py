"""Other ways to run: offline, by batches, structured, estimated, several models and repeats."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.plugin_models.trial import end_of_group

CLAUDE = 'api = "anthropic"\nprice = { input = 1.0, output = 5.0 }'


def test_an_exported_cache_is_replayed_offline_in_another_place(short_trial, tmp_path):
    short_trial.serve("ok", entry='key_env = "TRIAL_API_KEY"')
    key = {"TRIAL_API_KEY": "tk-9fK2hhLp03vX"}
    assert short_trial.run(environment=key).code == 0
    first = {line["id"]: line for line in short_trial.lines()}
    export = tmp_path / "replies.jsonl.gz"
    for arguments, cache in (
        (("export", str(export)), short_trial.cache),
        (("import", str(export)), tmp_path / "elsewhere.sqlite"),
    ):
        command = [sys.executable, "-m", "curieval", "cache", *arguments, "--cache", str(cache)]
        subprocess.run(command, env=short_trial.environment, check=True, capture_output=True)
    calls = short_trial.server.calls()["total"]
    short_trial.cache = tmp_path / "elsewhere.sqlite"
    short_trial.report = tmp_path / "replay"

    done = short_trial.run("--offline", "-n", "2")

    assert done.code == 0, done.output
    assert short_trial.server.calls()["total"] == calls == 12
    replayed = {line["id"]: line for line in short_trial.lines()}
    assert all(line["reply"]["from_cache"] for line in replayed.values())
    assert {k: (v["scores"], v["reply"]["seconds"]) for k, v in replayed.items()} == {
        k: (v["scores"], v["reply"]["seconds"]) for k, v in first.items()
    }


def test_a_batch_whose_run_was_killed_is_picked_up(short_trial):
    short_trial.serve("ok", entry=CLAUDE)
    process = short_trial.start("--batch", "-n", "2")
    while "GET v1/messages/batches/msgbatch_1" not in short_trial.server.calls()["paths"]:
        assert process.poll() is None, short_trial.output()
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert end_of_group(process)

    done = short_trial.run("--batch", "-n", "2")

    assert done.code == 0, done.output
    assert "0 handed in, 12 picked up, 12 succeeded" in done.output
    calls = short_trial.server.calls()
    assert calls["paths"]["POST v1/messages/batches"] == 1
    assert "POST v1/messages" not in calls["paths"]
    assert short_trial.whole()["counts"]["scored"] == 12
    assert short_trial.whole()["from_cache"] == 12


def test_what_failed_in_a_batch_is_said_and_asked_singly(short_trial):
    short_trial.serve("item_error=question 003;looks=1", entry=CLAUDE)
    done = short_trial.run("--batch")
    assert done.code == 0, done.output
    assert "11 succeeded, 1 failed (1 server_error) and are asked singly" in done.output
    assert short_trial.server.calls()["paths"]["POST v1/messages"] == 1


def test_a_batch_that_cannot_be_handed_in_ends_the_run(short_trial):
    short_trial.serve("status=401", entry=CLAUDE)
    done = short_trial.run("--batch")
    assert done.code == 4, done.output
    assert "batch of mine: auth" in done.output
    assert "no case was asked one by one" in done.output
    assert "Traceback" not in done.output
    assert "POST v1/messages" not in short_trial.server.calls()["paths"]
    assert short_trial.whole()["counts"]["not_run"] == 12
    assert short_trial.lines("end")[-1]["exit_code"] == 4


def test_a_schema_is_sent_only_where_it_is_wanted_and_enforced(short_trial):
    trial = short_trial
    trial.serve("ok;tag=holds", name="holds")
    trial.serve("ok;tag=loose", name="loose", entry="structured = false")

    done = trial.run("--structured", "--model", "holds", "--model", "loose", model=None)
    assert done.code == 0, done.output
    assert "trial · holds, held to a schema: 12 of 12" in done.output
    assert "trial · loose: 12 of 12" in done.output
    assert trial.server.calls()["with_schema"] == {"ok;tag=holds": 12}
    assert trial.summed_up()["tasks"]["trial"]["structured"] == ["holds"]

    refused = trial.run("--model", "holds", model=None)
    assert refused.code == 4, refused.output
    assert "free and structured answers are not put together" in refused.output

    structured, trial.report = trial.report, trial.folder / "free"
    done = trial.run("--baseline", str(structured), "--model", "holds", model=None)
    assert done.code == 0, done.output
    assert trial.server.calls()["with_schema"] == {"ok;tag=holds": 12}
    assert trial.server.calls()["total"] == 36
    command = [sys.executable, "-m", "curieval", "compare", str(structured), str(trial.report)]
    compared = subprocess.run(command, env=trial.environment, capture_output=True, text=True)
    assert "structured answers before, free answers after" in compared.stdout, compared


def test_an_estimate_asks_nothing_and_writes_no_report(short_trial):
    short_trial.serve("ok", entry="price = { input = 1.0, output = 5.0 }")
    done = short_trial.run("--estimate", "-n", "2")
    assert done.code == 0, done.output
    assert "mine: 12 calls (0 more are cached)" in done.output
    assert "$" in done.output
    assert short_trial.server.calls()["total"] == 0
    assert not (short_trial.report / "records.jsonl").exists()


@pytest.mark.parametrize("workers", ["0", "2"])
def test_models_and_repeats_are_asked_each_for_itself(short_trial, workers):
    short_trial.serve("ok;tag=a", name="a")
    short_trial.serve("text=no;tag=b", name="b")
    asked = ("--model", "a", "--model", "b", "--repeats", "2")

    done = short_trial.run("-n", workers, *asked, model=None)

    assert done.code == 0, done.output
    assert set(short_trial.server.calls()["by_prompt"].values()) == {4}
    found = sorted((line["case"], line["model"], line["repeat"]) for line in short_trial.lines())
    assert found == [
        (f"trial-{n:03}", model, repeat) for n in range(12) for model in "ab" for repeat in (1, 2)
    ]
    for model, mean in (("a", 1.0), ("b", 0.0)):
        figure = short_trial.whole(model)["figures"][0]
        assert figure["mean"] == mean
        reducers = {each["reducer"]: each["n"] for each in figure["repeats"]}
        assert set(reducers.values()) == {12}
        assert len(reducers) >= 3
    assert json.dumps(short_trial.summed_up())
