"""Bad input: one clear line, exit code 4, nothing asked and nothing half written."""

from __future__ import annotations

import json
import os
import re

import pytest

from evals.env_triad.cases import CASE_FOLDER

INTERNALS = ("Traceback", "INTERNALERROR", "_pytest/", "pluggy/")


def refused(ran, *words):
    """The run ended with 4 and one line that holds these words."""
    assert ran.code == 4, ran.output
    lines = [line for line in ran.output.splitlines() if "ERROR" in line or "curieval:" in line]
    (line,) = [line for line in lines if all(word in line for word in words)]
    assert not any(word in ran.output for word in INTERNALS), ran.output
    assert not (ran.folder / "records.jsonl").exists()
    assert not (ran.folder / "report.json").exists()
    return line


@pytest.fixture
def suite(world):
    return world.suite(6)


@pytest.mark.parametrize("workers", [0, 2])
def test_an_unknown_model_is_named_with_near_ones(world, suite, workers):
    ran = world.run(suite, "--model", "claude_sonnet-5-5", workers=workers)
    line = refused(ran, "no model is named 'claude_sonnet-5-5'")
    assert "did you mean claude-sonnet-5-5" in line


def test_an_unknown_judge_is_named(world, suite):
    refused(world.run(suite, "--model", "random", "--judge", "embeded"), "'embeded'", "embedded")


def test_a_missing_key_says_how_to_give_it(world, suite):
    refused(world.run(suite, "--model", "claude-opus-5-5"), "need a key", "ANTHROPIC_API_KEY")


def test_a_missing_key_of_an_own_server_names_the_variable(world, server, suite):
    model = world.serve(server.openai("ok"), entry='key_env = "MY_SERVER_KEY"')
    refused(world.run(suite, *model), "MY_SERVER_KEY")


BAD_VALUES = {
    "limit": ("0", "a whole number from 1, or all"),
    "repeats": ("two", "a whole number from 1"),
    "concurrency": ("-3", "a whole number from 1"),
    "max_cost": ("free", "an amount in US dollars above 0"),
    "slice": ("soil_data", "key=value"),
    "seed": ("x", "a whole number"),
}


@pytest.mark.parametrize("name", BAD_VALUES)
def test_a_bad_value_names_the_flag(world, name):
    value, expected = BAD_VALUES[name]
    flag = "--" + name.replace("_", "-")
    ran = world.run(world.suite(2), f"{flag}={value}", "--model", "random")
    refused(ran, flag, repr(value), expected)


def test_a_bad_value_of_the_environment_names_the_variable(world, suite):
    ran = world.run(suite, "--model", "random", CURIEVAL_MAX_COST="nan")
    refused(ran, "CURIEVAL_MAX_COST", "'nan'", "an amount in US dollars above 0")


def test_a_bad_value_of_the_project_file_names_file_and_key(world):
    suite = world.suite(2, ini='curieval_limit = "many"')
    ran = world.run(suite, "--model", "random", cwd=suite)
    refused(ran, f"{suite / 'pyproject.toml'}: curieval_limit", "'many'", "or all")


def test_a_bad_switch_in_the_environment_is_refused(world, suite):
    ran = world.run(suite, "--model", "random", CURIEVAL_OFFLINE="maybe")
    refused(ran, "CURIEVAL_OFFLINE", "'maybe'", "true or false")


def test_flag_goes_before_variable_and_variable_before_file(world):
    suite = world.suite(9, ini='curieval_limit = "2"\ncurieval_model = "random"')
    assert world.run(suite, cwd=suite).tallies()["planned"] == 2
    assert world.run(suite, cwd=suite, CURIEVAL_LIMIT="3").tallies()["planned"] == 3
    ran = world.run(suite, "--limit", "4", cwd=suite, CURIEVAL_LIMIT="3")
    assert ran.tallies()["planned"] == 4
    assert ran.lines("run")[0]["manifest"]["options"]["models"] == ["random"]


def triad_rows(n=3):
    lines = (CASE_FOLDER / "env_medium.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[:n]]


def cases_file(world, rows):
    path = world.folder / "mine.jsonl"
    text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("workers", [0, 2])
def test_a_malformed_case_is_named_by_file_line_and_field(world, workers):
    rows = triad_rows()
    rows[1]["slot"] = "env_wide"
    path = cases_file(world, rows)
    ran = world.evals("--model", "random", "--cases", path, workers=workers)
    refused(ran, f"{path}:2", "field 'slot'", "'env_wide'")


@pytest.mark.parametrize("workers", [0, 2])
def test_doubled_ids_are_named_with_both_places(world, workers):
    rows = triad_rows()
    rows[2]["id"] = rows[0]["id"]
    path = cases_file(world, rows)
    ran = world.evals("--model", "random", "--cases", path, workers=workers)
    refused(ran, "mine.jsonl:3", "mine.jsonl:1", rows[0]["id"])


@pytest.mark.parametrize(("first", "second"), [(1, "1"), ("a b", "a-b")], ids=["1", "blank"])
def test_ids_that_read_alike_are_doubled(world, first, second):
    rows = triad_rows(2)
    rows[0]["id"], rows[1]["id"] = first, second
    ran = world.evals("--model", "random", "--cases", cases_file(world, rows))
    refused(ran, "mine.jsonl:2", "mine.jsonl:1")


@pytest.mark.parametrize("option", [(), ("--collect-only",)], ids=["run", "collect"])
def test_a_line_that_is_no_json_is_named(world, option):
    path = cases_file(world, [triad_rows(1)[0], '{"id": "x", '])
    ran = world.evals("--model", "random", "--cases", path, *option)
    refused(ran, f"{path}:2")


def test_a_file_of_no_task_says_what_is_missing(world):
    path = cases_file(world, [{"name": "x"}])
    ran = world.evals("--model", "random", "--cases", path)
    refused(ran, str(path), "env_triad needs", "sampleData")


def test_a_missing_cases_file_is_named(world):
    path = world.folder / "none.jsonl"
    refused(world.evals("--model", "random", "--cases", path), str(path), "cannot be read")


def test_good_cases_of_the_users_own_run(world):
    ran = world.evals("--model", "reference", "--cases", cases_file(world, triad_rows()))
    assert ran.code == 0, ran.output
    assert ran.tallies() == {"planned": 3, "scored": 3, "unscored": 0, "not_run": 0}


@pytest.mark.parametrize("workers", [0, 2])
def test_a_file_where_the_report_should_go_is_refused(world, suite, workers):
    place = world.folder / "taken"
    place.write_text("mine")
    ran = world.run(suite, "--model", "random", report=place, workers=workers)
    refused(ran, str(place), "--report")
    assert place.read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_refused(world, suite):
    place = world.folder / "shut"
    place.mkdir(mode=0o500)
    refused(world.run(suite, "--model", "random", report=place / "in"), str(place), "--report")


def test_a_folder_with_other_records_is_left_alone(world, suite):
    place = world.folder / "other"
    place.mkdir()
    (place / "records.jsonl").write_text('{"my": "data"}\n')
    ran = world.run(suite, "--model", "random", report=place)
    assert ran.code == 4, ran.output
    assert "records.jsonl:1" in ran.output
    assert not any(word in ran.output for word in INTERNALS)
    assert [entry.name for entry in place.iterdir()] == ["records.jsonl"]
    assert (place / "records.jsonl").read_text() == '{"my": "data"}\n'


def test_two_runs_into_one_folder_at_once_are_refused(world, server, suite):
    model = world.serve(server.openai("text=3;delay=2;tag=both"), entry="concurrency = 1")
    with world.started(suite, *model, "--limit", "all") as first:
        first.wait_for_records(1)
        second = world.run(suite, *model, "--limit", "all", report=first.folder)
        assert second.code == 4, second.output
        assert "another run is writing" in second.output
        ran = first.end()
    assert ran.code == 0, ran.output
    assert ran.tallies()["scored"] == 6


THRESHOLDS = {
    "toml": ("[[random.trivial]\n", "is not TOML"),
    "key": ('[[random.trivial]]\nfigure = "right"\nleast = 1\n', "unknown key 'least'"),
    "figure": ('[[random.trivial]]\nfigure = "rihgt"\nmin = 1\n', "unknown figure 'rihgt'"),
    "task": ('[[random.trival]]\nfigure = "right"\nmin = 1\n', "unknown task 'trival'"),
    "number": ('[[random.trivial]]\nfigure = "right"\nmin = "1"\n', "min is a number"),
}


@pytest.mark.parametrize("what", THRESHOLDS)
def test_malformed_thresholds_are_named_by_file_and_line(world, suite, what):
    text, expected = THRESHOLDS[what]
    path = world.folder / "gates.toml"
    path.write_text(text)
    refused(world.run(suite, "--model", "random", "--thresholds", path), str(path), expected)


def test_missing_thresholds_and_baseline_are_named(world, suite):
    path = world.folder / "none"
    refused(world.run(suite, "--model", "random", "--thresholds", path), str(path))
    refused(world.run(suite, "--model", "random", "--baseline", path), str(path))


def test_a_broken_models_file_is_named_by_key(world, suite):
    (world.folder / "models.toml").write_text("[models.mine]\nbase_url = 3\nmodel_id = 'm'\n")
    refused(world.run(suite, "--model", "mine"), "models.toml", "models.mine.base_url")


def test_a_cache_that_is_none_is_refused(world, suite, server):
    model = world.serve(server.openai("ok"))
    (world.folder / "replies.sqlite").write_text("no database at all, but some text instead")
    refused(world.run(suite, *model), "replies.sqlite", "--cache")


def test_nothing_selected_is_five_and_writes_nothing(world, suite):
    for workers in (0, 2):
        ran = world.run(suite, "--model", "random", "-k", "nowhere", workers=workers)
        assert ran.code == 5, ran.output
        assert not ran.folder.exists()


def test_the_help_names_every_option(world, suite):
    ran = world.run(suite, "--help")
    flags = set(re.findall(r"^  (--[a-z-]+)", ran.output.partition("curieval (each")[2], re.M))
    wanted = {"--model", "--limit", "--slice", "--cases", "--max-cost", "--report", "--offline"}
    assert wanted <= flags
