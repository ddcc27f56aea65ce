"""Plots as SVG text: intervals on a line, differences around zero, reliability, cost and score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from curieval.report.markup import escape
from curieval.report.numbers import figure_text

LINE = 190
TALL = 20


@dataclass(frozen=True, kw_only=True)
class Point:
    """A named point with an interval of its height."""

    name: str
    x: float
    y: float
    low: float
    high: float


def interval_plot(
    mean: float | None,
    low: float | None,
    high: float | None,
    *,
    constant: float | None = None,
    random: float | None = None,
    scale: float = 1.0,
) -> str:
    """A mean with its interval on a line from 0 to `scale`; ticks for best constant and random."""
    if mean is None:
        return ""
    said = figure_text(mean, scale)
    if low is not None and high is not None:
        said += f", from {figure_text(low, scale)} to {figure_text(high, scale)}"
    parts = [
        f'<line class="axis" x1="0" y1="{TALL / 2}" x2="{LINE}" y2="{TALL / 2}"/>',
        *(
            f'<line class="axis" x1="{x * LINE}" y1="{TALL / 2 - 3}" '
            f'x2="{x * LINE}" y2="{TALL / 2 + 3}"/>'
            for x in (0, 0.25, 0.5, 0.75, 1)
        ),
    ]
    for name, value in (("random", random), ("constant", constant)):
        if value is not None:
            x = _place(value / scale)
            parts.append(f'<line class="{name}" x1="{x}" y1="2" x2="{x}" y2="{TALL - 2}"/>')
    if low is not None and high is not None:
        parts.append(
            f'<line class="whisker" x1="{_place(low / scale)}" y1="{TALL / 2}" '
            f'x2="{_place(high / scale)}" y2="{TALL / 2}"/>'
        )
    parts.append(f'<circle class="dot" cx="{_place(mean / scale)}" cy="{TALL / 2}" r="4.5"/>')
    return _svg(LINE, TALL, said, parts)


def interval_axis(scale: float = 1.0) -> str:
    """The scale above interval plots of figures from 0 to `scale`."""
    parts = [
        f'<text x="{x * LINE}" y="11" text-anchor="{anchor}">{x * scale:g}</text>'
        for x, anchor in ((0, "start"), (0.5, "middle"), (1, "end"))
    ]
    return _svg(LINE, 14, f"scale from 0 to {scale:g}", parts)


def difference_plot(mean: float, low: float | None, high: float | None, *, reach: float) -> str:
    """A difference with its interval around zero, on a line from −reach to reach."""

    def place(value: float) -> float:
        return round(LINE * (min(1.0, max(-1.0, value / reach)) + 1.0) / 2.0, 1)

    middle = TALL / 2
    parts = [
        f'<line class="axis" x1="0" y1="{middle}" x2="{LINE}" y2="{middle}"/>',
        f'<line class="zero" x1="{LINE / 2}" y1="1" x2="{LINE / 2}" y2="{TALL - 1}"/>',
    ]
    if low is not None and high is not None:
        parts.append(
            f'<line class="whisker" x1="{place(low)}" y1="{middle}" '
            f'x2="{place(high)}" y2="{middle}"/>'
        )
    parts.append(f'<circle class="dot" cx="{place(mean)}" cy="{middle}" r="4.5"/>')
    return _svg(LINE, TALL, f"difference {mean:+.3f}", parts)


def difference_axis(reach: float) -> str:
    """The scale above a column of difference plots."""
    parts = [
        f'<text x="0" y="11">{100 * -reach:+.0f} pp</text>',
        f'<text x="{LINE / 2}" y="11" text-anchor="middle">0</text>',
        f'<text x="{LINE}" y="11" text-anchor="end">{100 * reach:+.0f} pp</text>',
    ]
    return _svg(LINE, 14, "scale in percentage points", parts)


def reliability_plot(bins: Sequence[tuple[float, float, int]]) -> str:
    """Stated probability against the share that came true; (mean, share, n) a bin."""
    side = 260
    most = max((n for _, _, n in bins), default=1)
    parts = [*_frame(side, side, "stated probability", "share that was true")]
    parts.append(f'<line class="grid" x1="0" y1="{side}" x2="{side}" y2="0"/>')
    for mean, share, n in bins:
        radius = 3 + 7 * math.sqrt(n / most)
        parts.append(
            f'<circle class="dot" cx="{mean * side:.1f}" cy="{side - share * side:.1f}" '
            f'r="{radius:.1f}" fill-opacity="0.7"><title>{n} cases: stated {mean:.2f}, '
            f"true {share:.2f}</title></circle>"
        )
    return _svg(side, side, "reliability diagram", parts, margin=44)


def cost_plot(points: Sequence[Point], figure: str, scale: float = 1.0) -> str:
    """Score, from 0 to `scale`, with interval over USD a run; the cheaper stands further left."""
    wide, tall = 420, 220
    most = max((point.x for point in points), default=0.0) or 1.0
    parts = [*_frame(wide, tall, f"USD (0 to {most:.4g})", figure, scale)]
    for point in points:
        x, y, low, high = (
            point.x / most * wide,
            *(tall - value / scale * tall for value in (point.y, point.low, point.high)),
        )
        parts.append(
            f'<line class="whisker" x1="{x:.1f}" y1="{low:.1f}" x2="{x:.1f}" y2="{high:.1f}"/>'
        )
        anchor, shift = ("end", -9) if x > wide * 0.6 else ("start", 9)
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="5"/>')
        parts.append(
            f'<text class="name" x="{x + shift:.1f}" y="{y - 7:.1f}" text-anchor="{anchor}">'
            f"{escape(point.name)}</text>"
        )
    return _svg(wide, tall, f"{figure} over cost", parts, margin=44)


def _frame(wide: float, tall: float, below: str, beside: str, scale: float = 1.0) -> list[str]:
    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = tall - share * tall
        parts.append(f'<line class="grid" x1="0" y1="{y}" x2="{wide}" y2="{y}"/>')
        parts.append(f'<text x="-6" y="{y + 4}" text-anchor="end">{share * scale:g}</text>')
    parts.append(f'<line class="axis" x1="0" y1="{tall}" x2="{wide}" y2="{tall}"/>')
    parts.append(f'<line class="axis" x1="0" y1="0" x2="0" y2="{tall}"/>')
    parts.append(
        f'<text x="{wide / 2}" y="{tall + 22}" text-anchor="middle">{escape(below)}</text>'
    )
    parts.append(f'<text x="0" y="-10" text-anchor="start">{escape(beside)}</text>')
    return parts


def _svg(wide: float, tall: float, said: str, parts: Sequence[str], margin: float = 0) -> str:
    box = f"{-margin} {-margin / 2} {wide + 2 * margin} {tall + 1.2 * margin}"
    size = f'width="{wide + 2 * margin:g}" height="{tall + 1.2 * margin:g}"'
    return (
        f'<svg {size} viewBox="{box}" role="img" aria-label="{escape(said)}">{"".join(parts)}</svg>'
    )


def _place(value: float) -> float:
    return round(LINE * min(1.0, max(0.0, value)), 1)
