"""What is reached on evidence without a model: one answer, priors of readers, tier 1, keywords."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curieval.models.types import Baseline
from evals.indra_evidence.figures import REJECTED, TWO_TIER, Forecast, summed_up
from scoring import load_priors
from scoring.verdict import verdict_score

Record = Mapping[str, Any]
ALL_CORRECT = Forecast("correct", verdict_score("correct", None))
# Published for other sentences, to read one's own figures by.
PUBLISHED = (
    "For comparison, published for curated sentences of the INDRA benchmark corpus "
    "(doi:10.5281/zenodo.7559353; github.com/gyorilab/indra-belief-model): all-correct F1 0.726 on "
    "a hold-out of 4,625 and 0.636 on one of 500; one single-call scorer F1 0.751 and accuracy "
    "0.744 on the latter; curators agree with each other on 86 %"
)


def baselines(records: Sequence[Record]) -> Sequence[Baseline]:
    """What each baseline reaches on these records, the same beside both kinds of figures.

    `constant_correct` is what `{"verdict": "correct"}` for every case gives; a reader's prior is
    the chance that a single sentence of it is right, 1 - rand - syst; `grounding_tier` says
    "correct" to all that tier 1 lets through.
    """
    scores = [record["scores"] for record in records]
    outcomes = [bool(each["outcome"]) for each in scores]
    found = (
        (
            "constant_correct",
            '{"verdict": "correct"}',
            [ALL_CORRECT for _ in scores],
        ),
        *(
            (f"reader_prior_{name}", f"1 - rand - syst, {name} priors", _by_reader(scores, name))
            for name in ("indra", "recalibrated")
        ),
        (
            "grounding_tier",
            "incorrect where tier 1 rejects",
            [REJECTED if each["rejected"] else ALL_CORRECT for each in scores],
        ),
        (
            "lexical",
            "correct where both agents and a trigger word stand",
            [_said(each["lexical"]) for each in scores],
        ),
    )
    return [
        Baseline(name=name, answer=answer, figures=_beside_both(forecasts, outcomes))
        for name, answer, forecasts in found
    ]


def remarks(records: Sequence[Record]) -> Sequence[str]:
    """The baselines in a sentence, and what was published for other sentences."""
    if not records:
        return []
    told = [
        f"{each.name} {each.figures['f1']:.3f}"
        for each in baselines(records)
        if "f1" in each.figures
    ]
    return [*([f"F1 without a model: {', '.join(told)}"] if told else []), PUBLISHED]


def _by_reader(scores: Sequence[Mapping[str, Any]], name: str) -> list[Forecast]:
    rates = load_priors(name)
    chances = {
        reader: 1.0 - sum(rates[reader]) if reader in rates else 0.5
        for reader in {str(each["reader"]).lower() for each in scores}
    }
    return [_likely(chances[str(each["reader"]).lower()]) for each in scores]


def _likely(chance: float) -> Forecast:
    return Forecast("correct" if chance >= 0.5 else "incorrect", chance)


def _said(verdict: Any) -> Forecast:  # noqa: ANN401 - read from a file
    return Forecast(verdict, verdict_score(verdict, "high"))


def _beside_both(forecasts: Sequence[Forecast], outcomes: Sequence[bool]) -> dict[str, float]:
    figures = summed_up(forecasts, outcomes)
    return figures | {f"{TWO_TIER}{name}": value for name, value in figures.items()}
