"""The terminal summary: what fell short first, a row a slice, in narrow windows too."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runs import flat_baselines, item, record, write_leg

from curieval.report import (
    build_report,
    check_gates,
    load_thresholds,
    read_run,
    render_summary,
)
from scoring.statistics import mean_interval

SLOTS = ["env_broad_scale", "env_local_scale", "env_medium"]
RULES = """
[[default.env_triad]]
figure = "hierarchical_f1"
statistic = "low"
slice = { slot = "env_medium" }
min = 0.9
[[default.env_triad]]
figure = "hierarchical_f1"
min = 0.1
"""


@pytest.fixture
def rendered(tmp_path):
    def render(lines, *, items=None, width=100, folder="run", **about):
        planned = items or [item(n, slot=SLOTS[n % 3]) for n in range(9)]
        write_leg(tmp_path / folder, planned, lines, **about)
        report = build_report(read_run(tmp_path / folder), baselines=flat_baselines())
        (tmp_path / "thresholds.toml").write_text(RULES)
        gates = check_gates(report, load_thresholds(tmp_path / "thresholds.toml"))
        return render_summary(report, gates, width)

    return render


def scored(n=9, value=0.5):
    return [record(item(k, slot=SLOTS[k % 3]), value) for k in range(n)]


def test_what_fell_short_comes_first(rendered):
    lines = rendered(scored()).splitlines()
    assert lines[0] == "env_triad · embedded: 9 of 9 cases scored"
    assert lines[1] == "FELL SHORT of 1 of 2 thresholds:"
    assert lines[3].startswith("hierarchical_f1 low ≥ 0.9 (slot env_medium)")
    # Wilson's lower end of 1.5 of 3 at the effective n, as mean_interval gives it.
    assert f"{mean_interval([0.5] * 3).low:.3f}" in lines[3]


def test_a_row_for_each_value_of_the_headline_slice(rendered):
    text = rendered(scored())
    row = next(line for line in text.splitlines() if line.startswith("env_medium"))
    cells = row.split()
    # n, unread, unscored; the mean with its interval; constant, random, skill; the other figure;
    # cost; seconds.
    assert cells[1:5] == ["3", "0", "0", "0.500"]
    assert cells[6:] == ["0.50", "0.25", "0.00", "0.500", "$0.75", "3.0"]
    assert "best constant answer: biome [ENVO:00000428]" in text


def test_what_was_not_run_has_a_column_where_there_is_some(rendered):
    lines = [*scored(6), record(item(6, slot=SLOTS[0]), 0.5, flags=["unreadable"]),
             record(item(7, slot=SLOTS[1]), state="unscored", reason="timeout")]  # fmt: skip
    text = rendered(lines)
    (first,) = [line for line in text.splitlines() if line.startswith("env_broad_scale")]
    assert first.split()[1:5] == ["3", "1", "0", "0"]
    assert "not" not in rendered(scored(), folder="whole").splitlines()[1]


def test_one_value_of_the_headline_slice_is_not_repeated(rendered):
    text = rendered([record(item(k), 0.5) for k in range(40)], items=[item(k) for k in range(40)])
    assert [line.split()[0] for line in text.splitlines() if "0.500 [" in line] == [
        "env_broad_scale"
    ]


def test_cases_without_the_headline_slice_are_in_the_row_of_all(rendered):
    bare = {**item(9), "slices": {}}
    items = [item(k) for k in range(9)] + [bare]
    text = rendered([record(each, 0.5) for each in items], items=items)
    rows = [line.split()[:2] for line in text.splitlines() if "0.500 [" in line]
    assert rows == [["env_broad_scale", "9"], ["all", "10"]]


def test_roughness_is_noted_where_a_rough_interval_is_shown(rendered):
    items = [item(k, slot=SLOTS[k % 3]) for k in range(90)]
    smooth = [record(each, 0.5) for each in items]
    assert "rough" not in rendered(smooth, items=items)
    # The other figure is rough, but only its mean is shown.
    other = [
        {**record(each, 0.5), "scores": {"hierarchical_f1": 0.5, "ontology_score": 1.0}}
        for each in items
    ]
    assert "rough" not in rendered(other, items=items, folder="other")
    few = rendered(scored(), folder="few").splitlines()
    assert "~ rough: fewer than 30 cases, or nearly all right or wrong" in few
    assert sum(line.endswith("~") or "]~ " in line for line in few) == 4


@pytest.mark.parametrize("width", [80, 100, 120])
def test_figure_and_interval_stand_at_every_width(rendered, width):
    text = rendered(scored(), width=width)
    assert max(map(len, text.splitlines())) <= width
    for slot in (*SLOTS, "all"):
        (row,) = [line for line in text.splitlines() if line.startswith(f"{slot} ")][-1:]
        assert "0.500 [" in row


def test_few_unscored_are_a_warning_with_the_bound(rendered):
    lines = [*scored(8), record(item(8, slot=SLOTS[2]), state="unscored", reason="timeout")]
    text = rendered(lines)
    assert "8 of 9 cases scored, 1 unscored" in text
    assert "warning: 1 of 9 asked are unscored (1 timeout); counted as 0, hierarchical_f1" in text


def test_a_partial_run_says_so(rendered):
    text = rendered(scored(3))
    assert "this is a partial run and held against no threshold: 6 of 9 cases were not run" in (
        " ".join(text.split())
    )
    assert "FELL SHORT" not in text


def test_notes_of_the_run_are_shown(rendered):
    assert "note: at chance level" in rendered(scored(), notes=["at chance level"])


def test_kept_thresholds_are_one_line(rendered):
    assert "thresholds and baseline rules: all 2 kept" in rendered(
        [record(item(k, slot="env_medium"), 1.0) for k in range(99)],
        items=[item(k, slot="env_medium") for k in range(99)],
    )


@settings(max_examples=40)
@given(
    width=st.integers(60, 140),
    slot=st.text(st.characters(codec="utf-8"), max_size=120),
    value=st.floats(0, 1),
)
def test_no_line_is_wider_than_the_window(tmp_path_factory, width, slot, value):
    folder = tmp_path_factory.mktemp("run")
    planned = item(1, slot=slot)
    write_leg(folder, [planned, item(2)], [record(planned, value)])
    report = build_report(read_run(folder), baselines=flat_baselines())
    text = render_summary(report, [], width)
    assert max(map(len, text.splitlines())) <= width


def test_the_ontologies_are_named_where_there_are_any(rendered):
    entries = [
        {"name": "envo", "release": "2025-10-20", "sha256": "0123456789abcdef"},
        {"name": "po", "release": "2026-01-09", "sha256": "f" * 64},
    ]
    text = rendered(scored(), ontologies=entries)
    assert (
        "scored in envo 2025-10-20 (sha256 0123456789ab), po 2026-01-09 (sha256 ffffffffffff)"
        in " ".join(text.split())
    )
    assert "scored in" not in rendered(scored(), folder="other")
