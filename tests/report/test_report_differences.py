"""Comparisons as text: the difference, the cases that moved, what could not be paired."""

from __future__ import annotations

from runs import item, record, write_leg

from curieval.report import build_report, compare_reports, read_run, render_comparison


def report_of(folder, scores, **about):
    items = [item(n) for n in range(len(scores))]
    write_leg(folder, items, [record(i, s) for i, s in zip(items, scores, strict=True)], **about)
    return build_report(read_run(folder), baselines={})


def test_what_moved_is_shown(tmp_path):
    before = report_of(tmp_path / "a", [1.0] * 40 + [0.0] * 10)
    after = report_of(tmp_path / "b", [0.0] * 30 + [1.0] * 11 + [0.0] * 8, sha="cd")
    text = render_comparison(compare_reports(before, after))
    lines = text.splitlines()
    assert lines[0] == "env_triad · embedded"
    # 49 pairs: 40 of 49 right before, 11 after.
    assert lines[1].startswith("hierarchical_f1: 0.816 → 0.224 (-59.2 pp, 95 % ")
    assert "McNemar exact) on 49 cases, 30 fell and 1 rose" in text.replace("\n  ", " ")
    assert "warning: the data changed between the two" in lines
    assert "warning: 1 only in the first: soil-49" in lines
    assert "fell (30):" in lines
    assert "  and 10 more" in lines
    assert "rose (1):" in lines
    assert lines[lines.index("rose (1):") + 2].split() == ["soil-40", "0.000", "1.000"]
    assert max(map(len, lines)) <= 100


def test_nothing_moved(tmp_path):
    before = report_of(tmp_path / "a", [1.0, 0.5])
    after = report_of(tmp_path / "b", [1.0, 0.5])
    text = render_comparison(compare_reports(before, after))
    assert "0.750 → 0.750 (+0.0 pp" in text
    assert "fell (" not in text
