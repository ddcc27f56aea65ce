"""What a run's exit code says: a pure function of how the run went."""

from __future__ import annotations

from dataclasses import dataclass

MOST_UNSCORED = 0.02


@dataclass(frozen=True, kw_only=True)
class Facts:
    """How a run went. `failed` of the `asked` cases ended unscored; suspect references are
    not asked. `test_failed` is an ordinary test, `below_pass_mark` a case under --strict."""

    usage_error: bool = False
    internal_error: bool = False
    interrupted: bool = False
    budget_reached: bool = False
    asked: int = 0
    failed: int = 0
    most_unscored: float = MOST_UNSCORED
    worse_than_baseline: bool = False
    threshold_missed: bool = False
    below_pass_mark: bool = False
    test_failed: bool = False
    nothing_collected: bool = False


def exit_code(facts: Facts) -> int:
    """The first that applies: 4 usage, 3 internal error, 2 interrupted, 12 budget reached,
    11 too many unscored, 10 worse than the baseline, 1 threshold missed or a test failing,
    5 nothing collected, 0 fine.

    >>> exit_code(Facts(asked=200, failed=30, worse_than_baseline=True))
    11
    """
    too_many_unscored = facts.failed > facts.most_unscored * facts.asked
    failing = facts.threshold_missed or facts.below_pass_mark or facts.test_failed
    ranked = (
        (facts.usage_error, 4),
        (facts.internal_error, 3),
        (facts.interrupted, 2),
        (facts.budget_reached, 12),
        (too_many_unscored, 11),
        (facts.worse_than_baseline, 10),
        (failing, 1),
        (facts.nothing_collected, 5),
    )
    return next((code for applies, code in ranked if applies), 0)
