"""The figures of verdicts: what the model reaches alone, and behind the grounding tier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from curieval.models.types import Figure
from evals.indra_evidence.cases import CORRECT, EvidenceCase
from scoring.verdict import Verdict, VerdictWord, verdict_score

TWO_TIER = "two_tier_"
FIGURES = (
    Figure(name="f1", aggregate="micro_f1", primary=True),
    Figure(name="precision", aggregate="micro_precision"),
    Figure(name="recall", aggregate="micro_recall"),
    Figure(name="accuracy"),
    Figure(name="mcc", aggregate="mcc"),
    Figure(name="auroc", aggregate="auroc"),
    Figure(name="brier", aggregate="brier"),
    Figure(name="ece", aggregate="ece"),
    Figure(name="two_tier_f1", aggregate="two_tier_micro_f1"),
    Figure(name="two_tier_precision", aggregate="two_tier_micro_precision"),
    Figure(name="two_tier_recall", aggregate="two_tier_micro_recall"),
    Figure(name="two_tier_accuracy"),
    Figure(name="two_tier_mcc", aggregate="two_tier_mcc"),
    Figure(name="two_tier_auroc", aggregate="two_tier_auroc"),
    Figure(name="two_tier_brier", aggregate="two_tier_brier"),
    Figure(name="two_tier_ece", aggregate="two_tier_ece"),
)


class Forecast(NamedTuple):
    """A verdict, None for an unreadable one, and the chance in [0, 1] that the claim holds."""

    verdict: VerdictWord | None
    probability: float


REJECTED = Forecast("incorrect", verdict_score("incorrect", "high"))


def score_verdict(case: EvidenceCase, said: Verdict, *, rejected: bool) -> dict[str, Any]:
    """The columns of one case; those behind the grounding tier begin with `two_tier_`.

    An unreadable verdict is wrong in counts and accuracy, and a probability of 0.5.
    """
    outcome = case.reference == CORRECT
    model = Forecast(said.verdict, said.score)
    gated = _columns(REJECTED if rejected else model, outcome)
    return {
        **_columns(model, outcome),
        **{f"{TWO_TIER}{name}": value for name, value in gated.items()},
        "outcome": int(outcome),
        "verdict": said.verdict,
        "confidence": said.confidence,
        "reading": said.reason,
        "rejected": rejected,
        "reader": case.reader,
        "cluster": case.cluster or None,
    }


def _columns(forecast: Forecast, outcome: bool) -> dict[str, Any]:
    positive = is_positive(forecast, outcome)
    right = positive == outcome
    return {
        "tp": int(positive and outcome),
        "fp": int(positive and not outcome),
        "fn": int(not positive and outcome),
        "tn": int(not positive and not outcome),
        "probability": forecast.probability,
        "accuracy": float(right),
        "f1": float(right) if positive or outcome else None,
    }


def is_positive(forecast: Forecast, outcome: bool) -> bool:
    """Whether a verdict counts as "correct": an unreadable one as the wrong word."""
    return not outcome if forecast.verdict is None else forecast.verdict == CORRECT


def summed_up(forecasts: Sequence[Forecast], outcomes: Sequence[bool]) -> dict[str, float]:
    """The model-only figures of forecasts; one that is undefined is left out."""
    from scoring.statistics import auroc, brier_score, expected_calibration_error

    said = [is_positive(one, true) for one, true in zip(forecasts, outcomes, strict=True)]
    pairs = list(zip(said, outcomes, strict=True))
    tp, fp = pairs.count((True, True)), pairs.count((True, False))
    fn, tn = pairs.count((False, True)), pairs.count((False, False))
    chances = [one.probability for one in forecasts]
    margins = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    figures = {
        "f1": _share(2 * tp, 2 * tp + fp + fn),
        "precision": _share(tp, tp + fp),
        "recall": _share(tp, tp + fn),
        "accuracy": _share(tp + tn, len(pairs)),
        "mcc": _share(tp * tn - fp * fn, margins**0.5),
        "brier": brier_score(chances, outcomes),
        "ece": expected_calibration_error(chances, outcomes),
    }
    if len(set(outcomes)) == 2:
        figures["auroc"] = auroc(chances, outcomes)
    return {name: value for name, value in figures.items() if value is not None}


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
