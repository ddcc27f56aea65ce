"""Statistics of an evaluation: intervals, skill; pure functions of plain numbers."""

from scoring.statistics.intervals import (
    Interval,
    is_rough,
    mean_interval,
    skill_score,
    wilson_interval,
)

__all__ = ["Interval", "is_rough", "mean_interval", "skill_score", "wilson_interval"]
