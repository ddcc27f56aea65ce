"""How figures are written: in their own unit, with as many decimals as their scale bears."""

from __future__ import annotations

import math

ABSENT = "–"


def decimals(scale: float) -> int:
    """Three for figures up to 1, one for figures up to 100.

    >>> decimals(1.0), decimals(100.0)
    (3, 1)
    """
    return max(0, 3 - round(math.log10(scale)))


def figure_text(value: float | None, scale: float = 1.0, absent: str = ABSENT) -> str:
    """A value of a figure that goes from 0 to `scale`.

    >>> figure_text(0.5), figure_text(52.5, 100.0)
    ('0.500', '52.5')
    """
    return absent if value is None else f"{value:.{decimals(scale)}f}"


def points_text(difference: float, scale: float = 1.0) -> str:
    """A difference in points of 100 of the figure's scale, signed.

    >>> points_text(-0.02), points_text(-2.0, 100.0)
    ('-2.0', '-2.0')
    """
    return f"{100 * difference / scale:+.1f}"


def reach_text(low: float, high: float, scale: float = 1.0) -> str:
    """An interval in brackets, as narrow as a terminal wants it.

    >>> reach_text(0.41, 0.63), reach_text(41.0, 63.0, 100.0)
    ('[.41–.63]', '[41.0–63.0]')
    """
    places = 2 if scale == 1.0 else decimals(scale)
    ends = [f"{end:.{places}f}" for end in (low, high)]
    if scale == 1.0:
        ends = [end.removeprefix("0") for end in ends]
    return f"[{ends[0]}–{ends[1]}]"
