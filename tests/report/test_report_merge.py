"""Merging runs: shards add up to the whole, and nothing counts twice."""

from __future__ import annotations

import pytest
from runs import item, record, write_leg

from curieval.report import ReportError, build_report, merge_runs, read_run


def shards(folder, **about):
    items = [item(n) for n in range(6)]
    for name, part in (("one", items[:4]), ("two", items[4:])):
        lines = [record(each, 1.0) for each in part]
        write_leg(folder / name, part, lines, case_set="partial", n_cases=6, **about)
    return [folder / "one", folder / "two"]


def test_shards_add_up_to_the_whole(tmp_path):
    merge_runs(shards(tmp_path), tmp_path / "merged")
    run = read_run(tmp_path / "merged")
    assert run.damage == ()
    report = build_report(run, baselines={})
    (whole, *_) = report.summaries
    assert whole.case_set == "all"
    assert whole.counts.scored == whole.counts.planned == 6
    assert whole.cost.usd == 1.5
    assert len(report.legs) == 2


def test_a_missing_shard_stays_partial(tmp_path):
    sources = shards(tmp_path)
    merge_runs(sources[:1], tmp_path / "merged")
    (whole, *_) = build_report(read_run(tmp_path / "merged"), baselines={}).summaries
    assert whole.case_set == "partial"


def test_a_torn_end_of_one_does_not_reach_the_next(tmp_path):
    sources = shards(tmp_path)
    path = sources[0] / "records.jsonl"
    path.write_bytes(path.read_bytes()[:-30])
    merge_runs(sources, tmp_path / "merged")
    assert len(read_run(tmp_path / "merged").records) == 6


def test_models_run_apart_come_together(tmp_path):
    for model in ("one", "two"):
        items = [item(n, model=model) for n in range(3)]
        write_leg(tmp_path / model, items, [record(each, 1.0) for each in items], models=(model,))
    merge_runs([tmp_path / "one", tmp_path / "two"], tmp_path / "merged")
    report = build_report(read_run(tmp_path / "merged"), baselines={})
    assert report.models == ["one", "two"]
    assert [each["name"] for each in report.manifest["models"]] == ["one", "two"]


def test_a_run_is_merged_once(tmp_path):
    sources = shards(tmp_path)
    with pytest.raises(ReportError, match="are the same run"):
        merge_runs([sources[0], sources[0]], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()
    with pytest.raises(ReportError, match="already holds a run"):
        merge_runs(sources, tmp_path / "one")
    with pytest.raises(ReportError, match=r"no records\.jsonl"):
        merge_runs([tmp_path], tmp_path / "merged")
