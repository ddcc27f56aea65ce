"""The words of `fail_if`: what a run may lose against its baseline."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from curieval.report.compare import Comparison


@dataclass(frozen=True, kw_only=True)
class FailIf:
    """One rule against a baseline.

    `mean` fails where the mean moved beyond `limit`, `low` where the interval of the
    difference reaches beyond it, `significant` where answers are worse with p below `limit`.
    `relative` limits are a share of the baseline's mean.
    """

    text: str
    kind: Literal["mean", "low", "significant"]
    limit: float
    relative: bool = False

    def complaint(self, found: Comparison, p: float | None) -> str | None:
        """Why the rule fails, in one phrase; None where it is kept."""
        if found.difference is None or found.before is None:
            return "no case was scored on both sides"
        if self.kind == "significant":
            if found.difference < 0 and p is not None and p <= self.limit:
                return f"worse with p = {p:.2g} ({found.test})"
            return None
        moved = found.difference if self.kind == "mean" else found.low
        limit = self.limit * (found.before if self.relative else 1.0)
        if moved is None:
            return "scores outside 0–1 have no interval"
        # The rule names a step that may be taken; rounding must not turn it into a fall.
        if moved < limit - 1e-12:
            what = "mean" if self.kind == "mean" else "the lower end"
            return f"{what} moved by {100 * moved:+.1f} pp, the rule allows {100 * limit:+.1f} pp"
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
