"""Table cells of report.html: figures with their intervals, numbers, the legend."""

from __future__ import annotations

from curieval.report.markup import escape
from curieval.report.numbers import figure_text
from curieval.report.plots import interval_plot
from curieval.report.schema import FigureSummary, Summary


def primary(summary: Summary) -> FigureSummary | None:
    """The figure that heads a task: the primary one, else the first."""
    figures = summary.figures
    return next((figure for figure in figures if figure.primary), figures[0] if figures else None)


def plot_of(figure: FigureSummary) -> str:
    """The figure's interval beside its baselines."""
    return interval_plot(
        figure.mean,
        figure.low,
        figure.high,
        constant=figure.constant,
        random=figure.random,
        scale=figure.scale,
    )


def mean_text(figure: FigureSummary) -> str:
    """The mean and its interval."""
    return interval_text(figure.mean, figure.low, figure.high, figure.scale)


def interval_text(
    mean: float | None, low: float | None, high: float | None, scale: float = 1.0
) -> str:
    """A value with its interval, such as `0.612 (0.540–0.681)`."""
    if low is None or high is None:
        return figure_text(mean, scale)
    return f"{figure_text(mean, scale)} ({figure_text(low, scale)}–{figure_text(high, scale)})"


def number_text(value: float | None, scale: float = 1.0) -> str:
    """A value of a figure, or nothing."""
    return figure_text(value, scale, absent="")


def number_cell(text: str) -> str:
    """A cell aligned to the right."""
    return f'<td class="n">{escape(text)}</td>'


_KEY = {
    "mean with 95 % interval": '<line class="whisker" x1="1" y1="7" x2="25" y2="7"/>'
    '<circle class="dot" cx="13" cy="7" r="4.5"/>',
    "best constant answer": '<line class="constant" x1="13" y1="0" x2="13" y2="14"/>',
    "random answers": '<line class="random" x1="13" y1="0" x2="13" y2="14"/>',
}
LEGEND = (
    '<p class="legend">'
    + "".join(
        f'<span><svg width="26" height="14" aria-hidden="true">{mark}</svg>{name}</span>'
        for name, mark in _KEY.items()
    )
    + "<span>skill = (mean − best constant) / (full score − best constant)</span></p>\n"
)
