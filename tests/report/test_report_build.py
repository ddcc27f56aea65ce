"""Summing a run up: states never mix, means stand beside bounds, cost and baselines."""

from __future__ import annotations

from types import SimpleNamespace

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runs import flat_baselines, item, record, reply, write_leg

from curieval.report import ReportError, build_report, read_run
from scoring.statistics import mean_interval


def report_of(folder, baselines=None):
    return build_report(read_run(folder), baselines=baselines or {})


def test_states_figures_and_baselines(tmp_path):
    items = [item(1), item(2), item(3), item(4), item(5, slot="env_medium"), item(6)]
    lines = [
        record(items[0], 1.0),
        record(items[1], 0.0, flags=["unreadable", "cut_off"]),
        record(items[2], state="unscored", reason="timeout"),
        record(items[3], state="unscored", reason="suspect_reference"),
        record(items[4], 0.8),
    ]
    write_leg(tmp_path, items, lines)
    report = report_of(tmp_path, flat_baselines(constant=0.5, random=0.25))
    whole = report.summary("embedded", "env_triad")
    assert msgspec.to_builtins(whole.counts) == {
        "planned": 6,
        "asked": 4,
        "scored": 3,
        "unscored": 2,
        "not_run": 1,
        "suspect": 1,
        "unreadable": 1,
        "refused": 0,
        "cut_off": 1,
        "empty": 0,
    }
    assert whole.reasons == {"suspect_reference": 1, "timeout": 1}
    figure = whole.figure("hierarchical_f1")
    expected = mean_interval([1.0, 0.0, 0.8])
    assert figure.n == 3
    assert figure.mean == pytest.approx(0.6)
    assert (figure.low, figure.high) == pytest.approx((expected.low, expected.high))
    assert figure.bound == pytest.approx(1.8 / 4)
    assert (figure.constant, figure.random) == (0.5, 0.25)
    assert figure.skill == pytest.approx(0.2)
    assert figure.rough
    assert whole.baselines[0].answer == "biome [ENVO:00000428]"
    medium = report.summary("embedded", "env_triad", slot="env_medium")
    assert medium.counts.planned == 1
    assert medium.figure("hierarchical_f1").mean == 0.8


def test_cost_time_and_tokens(tmp_path):
    items = [item(n) for n in range(4)]
    answers = [
        reply(seconds=1.0),
        reply(seconds=3.0, cost_usd=None),
        reply(seconds=2.0, from_cache=True),
        reply(seconds=10.0, tokens_in=None),
    ]
    lines = [record(each, 1.0, answer=a) for each, a in zip(items, answers, strict=True)]
    write_leg(tmp_path, items, lines)
    whole = report_of(tmp_path).summary("embedded", "env_triad")
    assert msgspec.to_builtins(whole.cost) == {"usd": 0.75, "charged": 0.5, "unknown": 1}
    assert whole.seconds.total == 16.0
    assert whole.seconds.median == 2.5
    assert whole.seconds.p95 == pytest.approx(3 + 0.85 * 7)
    assert (whole.tokens.sent, whole.tokens.received, whole.tokens.unknown) == (300, 40, 1)


def test_repeats_count_as_one_case_in_the_interval(tmp_path):
    items = [item(n, repeat=r) for n in range(40) for r in (1, 2)]
    lines = [record(each, float(each["case"] < "soil-20")) for each in items]
    write_leg(tmp_path, items, lines)
    figure = report_of(tmp_path).summary("embedded", "env_triad").figure("hierarchical_f1")
    expected = mean_interval([1.0] * 20 + [0.0] * 20)
    assert figure.n == 80
    assert (figure.low, figure.high) == pytest.approx((expected.low, expected.high))


def test_a_scored_record_with_nothing_to_count_adds_nothing(tmp_path):
    items = [item(1), item(2)]
    write_leg(tmp_path, items, [record(items[0], 0.5), record(items[1], None)])
    figure = report_of(tmp_path).summary("embedded", "env_triad").figure("hierarchical_f1")
    assert (figure.n, figure.mean, figure.bound) == (1, 0.5, 0.5)


def test_nothing_scored(tmp_path):
    write_leg(tmp_path, [item(1)], [record(item(1), state="unscored", reason="timeout")])
    whole = report_of(tmp_path, flat_baselines()).summary("embedded", "env_triad")
    figure = whole.figure("hierarchical_f1")
    assert (figure.n, figure.mean, figure.low, figure.skill) == (0, None, None, None)
    assert whole.baselines == []


def test_baselines_see_the_scored_records_of_their_slice(tmp_path):
    items = [item(1), item(2, slot="env_medium"), item(3, slot="env_medium")]
    lines = [*(record(each, 1.0) for each in items[:2]), record(items[2], state="unscored")]
    write_leg(tmp_path, items, lines)
    seen = []

    def baselines(records):
        seen.append(sorted(each["case"] for each in records))
        assert all(each["reference"] == "soil [ENVO:00001998]" for each in records)
        return [SimpleNamespace(name="constant", answer="x", figures={"hierarchical_f1": 1.0})]

    report = report_of(tmp_path, {"env_triad": baselines})
    assert sorted(seen) == [["soil-01"], ["soil-01", "soil-02"], ["soil-02"]]
    assert report.summary("embedded", "env_triad").figure("hierarchical_f1").skill is None


def test_a_failing_baseline_is_named_and_costs_no_report(tmp_path):
    write_leg(tmp_path, [item(1)], [record(item(1), 1.0)])

    def baselines(records):
        raise LookupError("no facts")

    report = report_of(tmp_path, {"env_triad": baselines})
    assert report.warnings == ["baselines of env_triad failed: LookupError: no facts"]
    assert report.summary("embedded", "env_triad").figure("hierarchical_f1").mean == 1.0


def test_case_set_is_that_of_a_leg_that_planned_it_whole(tmp_path):
    items = [item(n) for n in range(4)]
    lines = [record(each, 1.0) for each in items]
    write_leg(tmp_path, items[:2], lines[:2], case_set="sample", n_cases=4)
    assert report_of(tmp_path).summary("embedded", "env_triad").case_set == "sample"
    write_leg(tmp_path, items[2:3], lines[2:3], case_set="partial", n_cases=4)
    assert report_of(tmp_path).summary("embedded", "env_triad").case_set == "partial"
    write_leg(tmp_path, items, lines, case_set="all")
    assert report_of(tmp_path).summary("embedded", "env_triad").case_set == "all"


def test_changed_data_between_legs_are_named(tmp_path):
    write_leg(tmp_path, [item(1)], [record(item(1), 1.0)], sha="ab")
    write_leg(tmp_path, [item(1)], [record(item(1), 1.0)], sha="cd")
    assert "data of env_triad changed" in report_of(tmp_path).warnings[0]


def test_reruns_and_damage_are_named(tmp_path):
    write_leg(tmp_path, [item(1)], [record(item(1), 0.0), record(item(1), 1.0)])
    with (tmp_path / "records.jsonl").open("ab") as file:
        file.write(b'{"kind":"rec')
    report = report_of(tmp_path)
    assert "is cut off" in report.warnings[0]
    assert report.warnings[1] == "1 items were rerun; the first score of each stands"
    assert report.repeated == {"soil-01-embedded": 2}


def test_scores_beyond_one_have_a_mean_and_no_interval(tmp_path):
    items = [item(1), item(2)]
    write_leg(tmp_path, items, [record(items[0], 3), record(items[1], 5)])
    figure = report_of(tmp_path).summary("embedded", "env_triad").figure("hierarchical_f1")
    assert (figure.mean, figure.low, figure.high) == (4, None, None)


def test_an_unknown_aggregator_is_named(tmp_path):
    write_leg(tmp_path, [item(1)], [record(item(1), 1.0)])
    path = tmp_path / "records.jsonl"
    path.write_text(path.read_text().replace('"aggregate":"mean"', '"aggregate":"vibes"'))
    with pytest.raises(ReportError, match=r"hierarchical_f1 names the aggregator 'vibes'.*mean"):
        report_of(tmp_path)


outcomes = st.lists(
    st.tuples(
        st.sampled_from(["scored", "unscored", "not_run", "absent"]),
        st.sampled_from(["a", "b"]),
        st.floats(0, 1),
    ),
    min_size=1,
    max_size=30,
)


@settings(max_examples=30)
@given(outcomes, st.randoms(use_true_random=False))
def test_states_add_up_and_order_does_not_matter(tmp_path_factory, outcomes, random):
    items = [item(n, slot=slot) for n, (_, slot, _) in enumerate(outcomes)]
    lines = [
        record(each, score if state == "scored" else None, state=state)
        for each, (state, _, score) in zip(items, outcomes, strict=True)
        if state != "absent"
    ]
    folder, shuffled = tmp_path_factory.mktemp("run"), tmp_path_factory.mktemp("run")
    write_leg(folder, items, lines)
    random.shuffle(lines)
    write_leg(shuffled, items, lines)
    report = report_of(folder, flat_baselines())
    for summary in report.summaries:
        counts = summary.counts
        assert counts.scored + counts.unscored + counts.not_run == counts.planned
        figure = summary.figures[0]
        if figure.n:
            assert figure.bound <= figure.mean + 1e-12
            assert figure.low <= figure.mean <= figure.high
    whole, *slices = report.summaries
    assert sum(each.counts.scored for each in slices) == whole.counts.scored
    again = report_of(shuffled, flat_baselines())
    assert again == report
