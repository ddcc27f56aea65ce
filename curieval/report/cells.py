"""Table cells of report.html: figures with their intervals, numbers, the legend."""

from __future__ import annotations

from curieval.report.markup import escape
from curieval.report.plots import interval_plot
from curieval.report.schema import FigureSummary, Summary


def primary(summary: Summary) -> FigureSummary | None:
    """The figure that heads a task: the primary one, else the first."""
    figures = summary.figures
    return next((figure for figure in figures if figure.primary), figures[0] if figures else None)


def plot_of(figure: FigureSummary) -> str:
    """The figure's interval beside its baselines."""
    return interval_plot(
        figure.mean, figure.low, figure.high, constant=figure.constant, random=figure.random
    )


def mean_text(figure: FigureSummary) -> str:
    """The mean and its interval."""
    if figure.mean is None:
        return "–"
    if figure.low is None or figure.high is None:
        return f"{figure.mean:.3f}"
    return f"{figure.mean:.3f} ({figure.low:.3f}–{figure.high:.3f})"


def number_text(value: float | None) -> str:
    """Three decimals, or nothing."""
    return "" if value is None else f"{value:.3f}"


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
    + "<span>skill = (mean − best constant) / (1 − best constant)</span></p>\n"
)
