"""Calls that fail, answers that are none, suspect references: each in its own state, and said."""

from __future__ import annotations

import pytest

ENTRY = "concurrency = 8"


def whole_is_sum(ran):
    counts = ran.tallies()
    assert counts["scored"] + counts["unscored"] + counts["not_run"] == counts["planned"]
    return counts


@pytest.mark.parametrize("workers", [0, 2])
def test_a_server_that_always_refuses_leaves_all_unscored_with_a_line_each(world, server, workers):
    suite = world.suite(6)
    model = world.serve(server.openai("status=500:0:0.01;tag=always"), entry=ENTRY)
    ran = world.run(suite, *model, "--limit", "all", workers=workers)
    assert ran.code == 11, ran.output
    assert whole_is_sum(ran) == {"planned": 6, "scored": 0, "unscored": 6, "not_run": 0}
    records = ran.records().values()
    assert {r["reason"] for r in records} == {"server_error"}
    assert {r["reply"]["attempts"] for r in records} == {5}
    assert all("HTTP 500" in r["detail"] and "\n" not in r["detail"] for r in records)
    assert ran.output.count("unscored: server_error:") >= 6
    assert "Traceback" not in ran.output
    assert "warning: 6 of 6 asked are unscored (6 server_error)" in ran.output
    assert ran.whole()["figures"][0]["mean"] is None


def test_a_few_failures_among_many_are_a_warning(world, server):
    suite = world.suite(60, right="echo: {}")
    model = world.serve(server.openai("status=500:0:0.01;just=17"), entry=ENTRY)
    ran = world.run(suite, *model, "--limit", "all")
    assert ran.code == 0, ran.output
    assert whole_is_sum(ran) == {"planned": 60, "scored": 59, "unscored": 1, "not_run": 0}
    (lost,) = [r for r in ran.records().values() if r["state"] == "unscored"]
    assert (lost["case"], lost["reason"]) == ("thing-00017", "server_error")
    assert "warning: 1 of 60 asked are unscored (1 server_error)" in ran.output
    figure = ran.whole()["figures"][0]
    assert figure["mean"] == 1.0
    assert figure["bound"] == pytest.approx(59 / 60)


def test_without_the_network_only_what_is_cached_is_scored(world, server):
    suite = world.suite(60)
    model = world.serve(server.openai("text=3;tag=offline"), entry=ENTRY)
    world.run(suite, *model, "--limit", "all", "-k", "not 00017")
    ran = world.run(suite, *model, "--limit", "all", "--offline")
    assert ran.code == 0, ran.output
    assert whole_is_sum(ran) == {"planned": 60, "scored": 59, "unscored": 1, "not_run": 0}
    (lost,) = [r for r in ran.records().values() if r["state"] == "unscored"]
    assert (lost["case"], lost["reason"]) == ("thing-00017", "not_cached")
    replies = [r["reply"] for r in ran.records().values() if r["state"] == "scored"]
    assert all(reply["from_cache"] for reply in replies)


@pytest.mark.parametrize("workers", [0, 2])
def test_a_refused_key_stops_the_run_with_one_message(world, server, workers):
    suite = world.suite(80)
    model = world.serve(server.openai("status=401:0;tag=key"), entry="concurrency = 1")
    ran = world.run(suite, *model, "--limit", "all", workers=workers)
    counts = whole_is_sum(ran)
    assert 1 <= counts["unscored"] <= 8
    assert counts["not_run"] == 80 - counts["unscored"]
    unscored = [r for r in ran.records().values() if r["state"] == "unscored"]
    assert {r["reason"] for r in unscored} == {"auth"}
    assert ran.code == 11, ran.output
    assert "auth: HTTP 401" in ran.output
    assert "Traceback" not in ran.output


@pytest.mark.parametrize("how", ["status=404:0", "status=400:0"])
def test_requests_that_are_refused_stop_the_run_after_three(world, server, how):
    suite = world.suite(80)
    model = world.serve(server.openai(f"{how};tag=bad"), entry="concurrency = 1")
    ran = world.run(suite, *model, "--limit", "all")
    assert whole_is_sum(ran)["unscored"] == 3
    assert ran.code == 11


def test_a_refused_request_among_good_ones_stops_nothing(world, server):
    suite = world.suite(80)
    model = world.serve(server.openai("status=400:0;just=5,9,30"), entry=ENTRY)
    ran = world.run(suite, *model, "--limit", "all")
    counts = whole_is_sum(ran)
    assert counts == {"planned": 80, "scored": 77, "unscored": 3, "not_run": 0}
    assert ran.code == 11


@pytest.mark.parametrize(
    ("how", "flag"), [("refusal", "refusal"), ("empty", "empty"), ("length;text=3", "cut_off")]
)
def test_what_the_model_itself_did_is_scored_and_flagged(world, server, how, flag):
    suite = world.suite(4)
    model = world.serve(server.openai(f"{how};tag=own"), entry=ENTRY)
    ran = world.run(suite, *model, "--limit", "all")
    assert ran.code == 0, ran.output
    assert whole_is_sum(ran)["scored"] == 4
    assert all(flag in record["flags"] for record in ran.records().values())
    counts = ran.whole()["counts"]
    assert counts[{"refusal": "refused"}.get(flag, flag)] == 4


@pytest.mark.parametrize("workers", [0, 2])
def test_suspect_references_are_skipped_before_any_call(world, server, workers):
    suite = world.suite(10, suspects=(2, 3))
    model = world.serve(server.openai(f"text=4;tag=suspect{workers}"), entry=ENTRY)
    before = server.calls()["by_prompt"]
    ran = world.run(suite, *model, "--limit", "all", workers=workers)
    assert ran.code == 0, ran.output
    counts = ran.whole()["counts"]
    assert (counts["planned"], counts["scored"], counts["suspect"]) == (10, 8, 2)
    assert (counts["asked"], counts["unscored"]) == (8, 2)
    assert ran.whole()["figures"][0]["n"] == 8
    suspects = {r["reference"] for r in ran.records().values() if r["state"] == "unscored"}
    assert suspects == {"2", "3"}
    after = server.calls()["by_prompt"]
    assert {p: after[p] - before.get(p, 0) for p in ("2", "3", "4") if p in after} == {
        **{p: 0 for p in ("2", "3") if p in after}, "4": 1
    }  # fmt: skip
    assert "2 references are suspect and were not asked" in ran.output
    assert (
        "suspect reference: no number"
        in world.run(suite, "--model", "reference", "--limit", "all", "-rs").output
    )


def test_a_score_that_breaks_is_an_ordinary_failure_with_its_traceback(world):
    test = """
from fixtures.cases import evaluation
from tests.plugin.trivial import trivial_task

@evaluation(trivial_task({arguments}))
def test_trivial(case, reply, record):
    record({{"right": 1 / int(case.reference)}})
"""
    suite = world.suite(100, test=test)
    ran = world.run(suite, "--model", "reference", "--limit", "all")
    assert whole_is_sum(ran) == {"planned": 100, "scored": 99, "unscored": 1, "not_run": 0}
    (lost,) = [r for r in ran.records().values() if r["state"] == "unscored"]
    assert lost["reason"] == "scorer_error"
    assert "ZeroDivisionError" in lost["detail"]
    assert "ZeroDivisionError" in ran.output
    assert ran.code == 1


def test_a_test_that_records_nothing_is_unscored(world):
    test = """
from fixtures.cases import evaluation
from tests.plugin.trivial import trivial_task

@evaluation(trivial_task({arguments}))
def test_trivial(case, reply, record):
    pass
"""
    ran = world.run(world.suite(3, test=test), "--model", "reference", "--limit", "all")
    assert whole_is_sum(ran)["unscored"] == 3
    assert ran.code in (1, 11)
    assert {r["detail"] for r in ran.records().values()} == {"the test recorded no score"}


@pytest.mark.parametrize("workers", [0, 2])
def test_a_budget_that_is_reached_leaves_the_rest_not_run(world, server, workers):
    entry = f"{ENTRY}\nprice = {{ input = 1000.0, output = 1000.0 }}"
    suite = world.suite(30)
    model = world.serve(server.openai(f"text=3;usage=10:2;tag=cap{workers}"), entry=entry)
    ran = world.run(suite, *model, "--limit", "all", "--max-cost", "1.00", workers=workers)
    counts = whole_is_sum(ran)
    assert ran.code == 12, ran.output
    assert counts["unscored"] == 0
    assert 0 < counts["not_run"] < 30
    assert {r["reason"] for r in ran.records().values() if r["state"] == "not_run"} == {"budget"}
    assert 0 < ran.whole()["cost"]["charged"] <= 1.0
    more = world.run(
        suite, *model, "--limit", "all", "--max-cost", "50", workers=workers, report=ran.folder
    )
    assert more.code == 0, more.output
    assert more.tallies()["scored"] == 30


def test_a_cap_without_a_price_is_refused_before_any_call(world, server):
    suite = world.suite(5)
    model = world.serve(server.openai("text=3;tag=unpriced"), entry=ENTRY)
    before = server.calls()["total"]
    ran = world.run(suite, *model, "--limit", "all", "--max-cost", "1")
    assert ran.code == 4, ran.output
    assert server.calls()["total"] == before
    assert not (ran.folder / "records.jsonl").exists()
    assert "price" in ran.output


@pytest.mark.parametrize("workers", [0, 2])
def test_scores_of_any_kind_are_written_as_strict_json(world, workers):
    test = """
from decimal import Decimal
from fixtures.cases import evaluation
from tests.plugin.trivial import trivial_task

KINDS = [float("nan"), Decimal("0.5"), {{1, 2}}, "lone \\ud800", 2**70, object, [1, (2, None)]]

@evaluation(trivial_task({arguments}))
def test_trivial(case, reply, record):
    record({{"right": 1.0, "odd": KINDS[int(case.reference)]}})
"""
    ran = world.run(
        world.suite(7, test=test), "--model", "reference", "--limit", "all", workers=workers
    )
    assert ran.code == 0, ran.output
    records = sorted(ran.records().values(), key=lambda record: record["case"])
    odd = [record["scores"]["odd"] for record in records]
    assert odd[:5] == [None, 0.5, [1, 2], "lone \ufffd", float(2**70)]
    assert isinstance(odd[5], str)
    assert odd[6] == [1, [2, None]]
    text = (ran.folder / "records.jsonl").read_text(encoding="utf-8")
    assert "NaN" not in text
