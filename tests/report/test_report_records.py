"""records.jsonl: what was written stays, whatever dies, and reads back as it was."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runs import item, record, reply, write_leg

from curieval.report import RecordWriter, ReportError, read_run


def test_a_run_reads_back(tmp_path):
    items = [item(1), item(2, slot="env_medium"), item(3)]
    write_leg(tmp_path, items, [record(items[0], 0.5), record(items[1], state="unscored")])
    run = read_run(tmp_path)
    assert list(run.plan) == ["soil-01-embedded", "soil-02-embedded", "soil-03-embedded"]
    assert run.records["soil-01-embedded"]["scores"]["hierarchical_f1"] == 0.5
    assert run.records["soil-02-embedded"]["slices"] == {"slot": "env_medium"}
    assert "soil-03-embedded" not in run.records
    assert run.legs[0].exit_code == 0
    assert run.damage == ()


def test_transcripts_stay_on_disk(tmp_path):
    items = [item(1), item(2)]
    write_leg(tmp_path, items, [record(each, 1.0) for each in items])
    run = read_run(tmp_path)
    assert "text" not in run.records["soil-01-embedded"]["reply"]
    assert "prompt" not in run.records["soil-01-embedded"]
    texts = [each["reply"]["text"] for each in run.transcripts()]
    assert texts == ["soil [ENVO:00001998]"] * 2


def test_every_line_is_strict_json_and_names_what_was_mended(tmp_path):
    planned = item(1)
    write_leg(tmp_path, [planned], [record(planned, math.nan, detail="a\ud800")])
    lines = [json.loads(line) for line in (tmp_path / "records.jsonl").read_bytes().splitlines()]
    assert [line["kind"] for line in lines] == ["run", "plan", "record", "end"]
    assert lines[2]["scores"]["hierarchical_f1"] is None
    assert "scores.hierarchical_f1: nan replaced by null" in lines[2]["mended"]
    assert "detail: lone surrogates replaced" in lines[2]["mended"]


def test_keys_are_cleaned_before_the_first_write(tmp_path):
    with RecordWriter(tmp_path, clean=lambda text: text.replace("sk-secret", "[key]")) as writer:
        writer.write({"kind": "run", "manifest": {"options": {"key": "sk-secret"}}})
    assert "sk-secret" not in (tmp_path / "records.jsonl").read_text()


def test_legs_add_up(tmp_path):
    items = [item(1), item(2)]
    assert write_leg(tmp_path, items, [record(items[0], 0.2)]) == 1
    again = record(items[0], 0.4, answer=reply(from_cache=True))
    assert write_leg(tmp_path, items, [again, record(items[1], 1.0)]) == 2
    run = read_run(tmp_path)
    assert len(run.legs) == 2
    assert run.records["soil-01-embedded"]["scores"]["hierarchical_f1"] == 0.4
    (spent,) = run.spending["soil-01-embedded"]
    assert (spent.usd, spent.charged, spent.unknown) == (0.25, 0.25, 0)


def test_costs_of_refreshed_replies_sum_over_legs(tmp_path):
    planned = item(1)
    for price in (0.25, 0.5, None):
        write_leg(tmp_path, [planned], [record(planned, 1.0, answer=reply(cost_usd=price))])
    (spent,) = read_run(tmp_path).spending["soil-01-embedded"]
    assert (spent.usd, spent.charged, spent.unknown) == (0.75, 0.75, 1)


def test_a_cached_reply_keeps_its_price_and_is_not_charged(tmp_path):
    planned = item(1)
    for _ in range(2):
        write_leg(tmp_path, [planned], [record(planned, 1.0, answer=reply(from_cache=True))])
    (spent,) = read_run(tmp_path).spending["soil-01-embedded"]
    assert (spent.usd, spent.charged, spent.unknown) == (0.25, 0.0, 0)


def test_a_judges_calls_are_paid_too(tmp_path):
    planned = item(1)
    judge = {"reason": "", "replies": [reply(cost_usd=0.5), reply(cost_usd=None)]}
    write_leg(tmp_path, [planned], [record(planned, 1.0, judge=judge)])
    cached = {"reason": "", "replies": [reply(cost_usd=0.5, from_cache=True), reply(cost_usd=2)]}
    write_leg(tmp_path, [planned], [record(planned, 1.0, judge=cached)])
    run = read_run(tmp_path)
    answer, first, second = run.spending["soil-01-embedded"]
    assert (answer.usd, first.usd, second.usd) == (0.5, 0.5, 2)
    assert (answer.charged, first.charged, second.charged) == (0.5, 0.5, 2)
    assert second.unknown == 1
    assert "text" not in run.records["soil-01-embedded"]["judge"]["replies"][0]


def test_a_call_that_failed_has_no_price_to_know(tmp_path):
    planned = item(1)
    failed = reply(cost_usd=None, finish=None)
    line = record(planned, state="unscored", reason="timeout") | {"reply": failed}
    write_leg(tmp_path, [planned], [line])
    (spent,) = read_run(tmp_path).spending["soil-01-embedded"]
    assert (spent.usd, spent.unknown) == (0, 0)


def test_what_never_ran_displaces_nothing(tmp_path):
    planned = item(1)
    write_leg(tmp_path, [planned], [record(planned, 1.0)])
    write_leg(tmp_path, [planned], [record(planned, state="not_run", reason="budget")])
    assert read_run(tmp_path).records["soil-01-embedded"]["state"] == "scored"


def test_a_rerun_cannot_pick_the_better_score(tmp_path):
    planned = item(1)
    lines = [record(planned, state="unscored"), record(planned, 0.1), record(planned, 0.9)]
    write_leg(tmp_path, [planned], lines)
    run = read_run(tmp_path)
    assert run.records["soil-01-embedded"]["scores"]["hierarchical_f1"] == 0.1
    assert run.repeated == {"soil-01-embedded": 3}


@pytest.mark.parametrize("cut", range(2, 60, 7))
def test_a_line_cut_off_costs_itself_alone(tmp_path, cut):
    items = [item(1), item(2)]
    write_leg(tmp_path, items, [record(each, 1.0) for each in items], end=False)
    path = tmp_path / "records.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    run = read_run(tmp_path)
    assert list(run.records) == ["soil-01-embedded"]
    assert len(run.damage) == 1
    assert "records.jsonl:4 is cut off" in run.damage[0]
    write_leg(tmp_path, items, [record(items[1], 0.5)])
    again = read_run(tmp_path)
    assert again.records["soil-02-embedded"]["scores"]["hierarchical_f1"] == 0.5
    assert "records.jsonl:4 is cut off" in again.damage[0]


def test_a_damaged_line_within_is_named(tmp_path):
    items = [item(1), item(2)]
    write_leg(tmp_path, items, [record(each, 1.0) for each in items])
    path = tmp_path / "records.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = b'{"kind":"record","id":NaN}\n'
    path.write_bytes(b"".join(lines))
    run = read_run(tmp_path)
    assert list(run.records) == ["soil-02-embedded"]
    assert "records.jsonl:3 cannot be read" in run.damage[0]


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from curieval.report import RecordWriter
    writer = RecordWriter(Path(sys.argv[1]))
    writer.write({"kind": "run", "started": "", "manifest": {}})
    for number in range(5):
        name = f"c-{number}"
        writer.write({"kind": "record", "id": name, "task": "t", "case": name, "model": "m",
                      "state": "scored", "scores": {}})
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_process_loses_no_finished_record(tmp_path):
    code = textwrap.dedent(KILLED)
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert len(read_run(tmp_path).records) == 5
    with RecordWriter(tmp_path) as writer:
        assert writer.leg == 2


def test_foreign_records_are_left_alone(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_text('{"my": "own data"}\n')
    with pytest.raises(ReportError, match=r"records.jsonl:1 is not the start.*another folder"):
        RecordWriter(tmp_path)
    assert path.read_text() == '{"my": "own data"}\n'


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ReportError, match=r"cannot be written.*--report"):
        RecordWriter(tmp_path / "file" / "report")


def test_two_runs_do_not_write_to_one_folder(tmp_path):
    with RecordWriter(tmp_path), pytest.raises(ReportError, match="another run is writing"):
        RecordWriter(tmp_path)


def test_no_run_there(tmp_path):
    with pytest.raises(ReportError, match=r"no records\.jsonl"):
        read_run(tmp_path)
    (tmp_path / "records.jsonl").write_text("")
    with pytest.raises(ReportError, match="holds no run"):
        read_run(tmp_path)


def test_records_of_another_version_are_refused_by_name(tmp_path):
    (tmp_path / "records.jsonl").write_text('{"kind":"run","schema_version":7}\n')
    with pytest.raises(ReportError, match="records of version 7"):
        read_run(tmp_path)


@settings(max_examples=25)
@given(
    ids=st.lists(
        st.text(st.characters(codec=None), max_size=30), min_size=1, max_size=8, unique=True
    )
)
def test_ids_of_any_kind_survive(tmp_path_factory, ids):
    folder = tmp_path_factory.mktemp("ids")
    items = [{**item(1), "id": name, "case": name} for name in ids]
    write_leg(folder, items, [record(each, 1.0) for each in items])
    run = read_run(folder)
    assert run.damage == ()
    readable = {name for name in ids if not any("\ud800" <= c <= "\udfff" for c in name)}
    assert readable <= set(run.records)
    assert len(run.records) <= len(ids)
