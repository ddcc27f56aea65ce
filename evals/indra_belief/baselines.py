"""What beliefs reach without a model: all sentences kept, readers by their priors, tier 1 alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from curieval.models.types import Baseline
from evals.indra_belief.cases import PRIORS
from evals.indra_belief.figures import (
    INCORRECT,
    Group,
    Record,
    Scores,
    belief,
    groups_of,
    is_supported,
    reference,
)
from evals.indra_evidence.cases import CORRECT
from scoring import load_priors

Rule = Callable[[Scores], str]


def baselines(records: Sequence[Record]) -> Sequence[Baseline]:
    """What each rule reaches on the statements that were scored in full.

    `constant_correct` is the parametric belief, and what `{"verdict": "correct"}` for every
    sentence gives; `reader_prior` keeps the readers of which a single sentence is right more often
    than not, 1 - rand - syst; `grounding_tier` keeps what tier 1 lets through;
    `reference_verdicts` shows what is left where every verdict is right.
    """
    groups = [group for group in groups_of(records) if group.is_whole]
    if not groups:
        return []
    rules: tuple[tuple[str, str, Rule, str], ...] = (
        ("constant_correct", '{"verdict": "correct"}', lambda _: CORRECT, PRIORS),
        (
            "parametric_recalibrated",
            "correct for every sentence, recalibrated priors",
            lambda _: CORRECT,
            "recalibrated",
        ),
        *(
            (
                f"reader_prior_{name}",
                f"correct where 1 - rand - syst is at least 0.5, {name} priors",
                _by_reader(groups, name),
                PRIORS,
            )
            for name in ("indra", "recalibrated")
        ),
        (
            "grounding_tier",
            "incorrect where tier 1 rejects",
            lambda one: INCORRECT if one["rejected"] else CORRECT,
            PRIORS,
        ),
        (
            "lexical",
            "correct where both agents and a trigger word stand",
            lambda one: str(one["lexical"]),
            PRIORS,
        ),
        ("reference_verdicts", "the curators' verdicts", reference, PRIORS),
    )
    return [
        Baseline(name=name, answer=answer, figures=_figures(groups, rule, priors))
        for name, answer, rule, priors in rules
    ]


def remarks(records: Sequence[Record]) -> Sequence[str]:
    """How many statements the figures are about, and how many could not be composed."""
    if not records:
        return []
    groups = groups_of(records)
    whole = [group for group in groups if group.is_whole]
    told = [f"beliefs of {len(whole)} statements, composed with {PRIORS} priors"]
    if len(whole) < len(groups):
        told.append(
            f"{len(groups) - len(whole)} statements are unscored as a whole, as some of their "
            "sentences were not scored"
        )
    errors = [
        f"{each.name} {each.figures['belief_error']:.3f}"
        for each in baselines(records)
        if each.name != "reference_verdicts"
    ]
    if errors:
        told.append(f"belief error without a model: {', '.join(errors)}")
    return told


def _by_reader(groups: Sequence[Group], name: str) -> Rule:
    rates = load_priors(name)
    readers = {str(one["reader"]) for group in groups for one in group.sentences}
    trusted = {
        reader for reader in readers if reader not in rates or 1.0 - sum(rates[reader]) >= 0.5
    }
    return lambda one: CORRECT if one["reader"] in trusted else INCORRECT


def _figures(groups: Sequence[Group], rule: Rule, priors: str) -> dict[str, float]:
    from scoring.statistics import auroc, brier_score, expected_calibration_error

    beliefs = [belief(group, rule, priors=priors) for group in groups]
    expected = [belief(group, reference) for group in groups]
    outcomes = [is_supported(group) for group in groups]
    sentences = [one for group in groups for one in group.sentences]
    gaps = [abs(one - other) for one, other in zip(beliefs, expected, strict=True)]
    figures = {
        "belief_error": sum(gaps) / len(gaps),
        "brier": brier_score(beliefs, outcomes),
        "ece": expected_calibration_error(beliefs, outcomes),
        "accuracy": sum(rule(one) == reference(one) for one in sentences) / len(sentences),
    }
    if len(set(outcomes)) == 2:
        figures["auroc"] = auroc(beliefs, outcomes)
    two_tier: Mapping[str, Any] = {
        f"two_tier_{name}": value for name, value in figures.items() if name != "accuracy"
    }
    return {**figures, **two_tier}
