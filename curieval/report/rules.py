"""The words of `fail_if`: what a run may lose against its baseline."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from curieval.report.numbers import points_text

if TYPE_CHECKING:
    from curieval.report.compare import Comparison


@dataclass(frozen=True, kw_only=True)
class FailIf:
    """One rule against a baseline.

    `mean` fails where the mean moved beyond `limit`, `low` where the interval of the
    difference reaches beyond it, `significant` where answers are worse with p below `limit`.
    `relative` limits are a share of the baseline's mean, others a share of the figure's scale.
    Where lower is better, the step that is allowed is upwards.
    """

    text: str
    kind: Literal["mean", "low", "significant"]
    limit: float
    relative: bool = False

    def complaint(self, found: Comparison, p: float | None) -> str | None:
        """Why the rule fails, in one phrase; None where it is kept."""
        if found.judges is not None:
            return "scores by different judges are not compared; store a baseline by this judge"
        if found.difference is None or found.before is None:
            return "no case was scored on both sides"
        sign = -1.0 if found.lower_is_better else 1.0
        if self.kind == "significant":
            if sign * found.difference < 0 and p is not None and p <= self.limit:
                return f"worse with p = {p:.2g} ({found.test})"
            return None
        worst = found.high if found.lower_is_better else found.low
        moved = found.difference if self.kind == "mean" else worst
        limit = sign * self.limit * (found.before if self.relative else found.scale)
        if moved is None:
            return f"scores outside 0–{found.scale:g} have no interval"
        # The rule names a step that may be taken; rounding must not turn it into a fall.
        if sign * (moved - limit) < -1e-12 * found.scale:
            what = "mean" if self.kind == "mean" else "the worse end"
            step, allowed = (points_text(each, found.scale) for each in (moved, limit))
            return f"{what} moved by {step} pp, the rule allows {allowed} pp"
        return None


DEFAULT_RULE = FailIf(text="significant:5%", kind="significant", limit=0.05)


def parse_fail_if(text: str) -> FailIf:
    """Read `mean:-2pp`, `mean:-5%`, `low:-4pp` or `significant:5%`; ValueError otherwise."""
    found = re.fullmatch(r"\s*(mean|low|significant)\s*:\s*(-?\d+(?:\.\d+)?)\s*(pp|%)\s*", text)
    if not found:
        raise ValueError(
            f"{text!r} is no rule; write mean:-2pp, mean:-5%, low:-4pp or significant:5%"
        )
    kind, number, unit = found[1], float(found[2]) / 100.0, found[3]
    if kind == "significant":
        if unit != "%" or not 0 < number < 1:
            raise ValueError(f"{text!r}: write a level such as significant:5%")
        return FailIf(text=text, kind="significant", limit=number)
    if number > 0:
        raise ValueError(f"{text!r}: the step that is allowed is downwards, as in {kind}:-2pp")
    return FailIf(
        text=text,
        kind="mean" if kind == "mean" else "low",
        limit=number,
        relative=unit == "%",
    )
