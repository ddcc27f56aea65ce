"""Statistics of an evaluation: intervals, paired tests, calibration, agreement.

Pure functions of plain numbers; numpy is imported only where resampling needs it.
"""

from scoring.statistics.agreement import cohen_kappa, krippendorff_alpha, prediction_powered_mean
from scoring.statistics.bootstrap import bootstrap_interval, bootstrap_sums
from scoring.statistics.calibration import (
    ReliabilityBin,
    auroc,
    brier_score,
    expected_calibration_error,
    reliability_bins,
)
from scoring.statistics.intervals import (
    Interval,
    is_rough,
    mean_interval,
    skill_score,
    wilson_interval,
)
from scoring.statistics.paired import (
    Difference,
    McNemar,
    holm,
    mcnemar,
    minimum_detectable_difference,
    paired_difference,
    permutation_test,
)
from scoring.statistics.raters import Estimate, agreement, spearman

__all__ = [
    "Difference",
    "Estimate",
    "Interval",
    "McNemar",
    "ReliabilityBin",
    "agreement",
    "auroc",
    "bootstrap_interval",
    "bootstrap_sums",
    "brier_score",
    "cohen_kappa",
    "expected_calibration_error",
    "holm",
    "is_rough",
    "krippendorff_alpha",
    "mcnemar",
    "mean_interval",
    "minimum_detectable_difference",
    "paired_difference",
    "permutation_test",
    "prediction_powered_mean",
    "reliability_bins",
    "skill_score",
    "spearman",
    "wilson_interval",
]
