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
    def render(lines, *, items=None, width=100, **about):
        write_leg(tmp_path / "run", items or [item(n, slot=SLOTS[n % 3]) for n in range(9)], lines,
                  **about)  # fmt: skip
        report = build_report(read_run(tmp_path / "run"), baselines=flat_baselines())
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
    assert "0.900" in lines[3]


def test_a_row_for_each_value_of_the_headline_slice(rendered):
    text = rendered(scored())
    row = next(line for line in text.splitlines() if line.startswith("env_medium"))
    cells = row.split()
    # n, unreadable, unscored, not run; the mean with its interval; constant, random, skill;
    # the other figure; cost; seconds
    assert cells[1:5] == ["3", "0", "0", "0"]
    assert cells[5] == "0.500"
    assert cells[7:] == ["0.50", "0.25", "0.00", "0.500", "$0.75", "3.0"]
    assert "best constant answer: biome [ENVO:00000428]" in text


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
