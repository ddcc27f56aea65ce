"""Composes the verdicts on a statement's sentences into the belief in the statement."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.priors import Prior, Priors, check_prior, fold_source, load_priors
from scoring.verdict import verdict_score

_CORRECT = "correct"
_ABSTAIN = "abstain"


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceBelief:
    """What one source gives: sentences read and surviving, its prior, and 1 minus its factor."""

    n_total: int
    n_surviving: int
    rand: float
    syst: float
    belief: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Belief:
    """The belief in a statement, in [0, 1], and what it was composed of.

    `parametric_only` is the same without the gate: INDRA's own belief. `n_gated` sentences
    were removed by their verdicts, `n_unknown_source` had no prior of their own. `sources`
    are those of positive evidence, `negated_sources` those of negated evidence.
    """

    belief: float
    parametric_only: float
    n_total: int
    n_surviving: int
    n_gated: int
    n_unknown_source: int
    sources: Mapping[str, SourceBelief]
    negated_sources: Mapping[str, SourceBelief]


class _Tally:
    """The sentences of one source on one side."""

    __slots__ = ("all_out", "n_surviving", "n_total", "prior", "wrong")

    def __init__(self, prior: Prior) -> None:
        self.prior = prior
        self.n_total = 0
        self.n_surviving = 0
        self.all_out = 1.0
        self.wrong = 1.0

    def factor(self, *, graded: bool) -> float:
        if graded:
            return graded_factor(self.prior, all_out=self.all_out, wrong=self.wrong)
        return source_factor(self.prior, self.n_surviving)


def source_factor(prior: Prior, n: int) -> float:
    """The chance that all n sentences of a source are wrong: syst + rand^n, 1 for none."""
    return prior.syst + prior.rand**n if n else 1.0


def graded_factor(prior: Prior, *, all_out: float, wrong: float) -> float:
    """The mean of `source_factor` when each sentence i survives with its own chance w_i.

    `all_out` is Π(1 − w_i), `wrong` is Π(1 − w_i(1 − rand)); with all w_i 0 or 1 the two
    are the same.
    """
    return prior.syst * (1.0 - all_out) + wrong


def survives(verdict: object, *, gate_unscored: bool) -> bool:
    """Whether the gate lets a sentence through: "correct" in any case, or one not scored.

    None and "abstain" are not scored and pass unless `gate_unscored`; any other word is out.
    Raises ValueError for a verdict that is no word.
    """
    if verdict is None:
        return not gate_unscored
    if not isinstance(verdict, str):
        raise ValueError(
            f"expected a verdict as a word or None, found {verdict!r}; "
            'give "correct", "incorrect", "abstain" or None'
        )
    word = verdict.strip().lower()
    return word == _CORRECT or (word == _ABSTAIN and not gate_unscored)


def is_scored(verdict: object) -> bool:
    """Whether a sentence has a verdict, of whatever word: neither None nor "abstain"."""
    return isinstance(verdict, str) and verdict.strip().lower() != _ABSTAIN


def compose_belief(
    evidence: Iterable[Any],
    *,
    priors: Any = "indra",  # noqa: ANN401
    gate_unscored: bool = False,
    unknown_source: tuple[float, float] | None = None,
    graded: bool = False,
) -> Belief:
    """The belief in a statement after the verdicts on its sentences.

    1 − Π over sources (syst + rand^n), n the surviving sentences of that source; with negated
    evidence positive · (1 − negated): INDRA's SimpleScorer. `evidence` holds objects or
    mappings with source_api, verdict (none where missing), optional negated (or INDRA's
    epistemics) and, for `graded`, score or confidence; `priors` is what `load_priors` takes.
    `graded` weighs each sentence by its score instead of gating it: the mean belief when each
    survives with that chance. Raises ValueError naming the sentence, and for a source without
    a prior unless `unknown_source` gives one, which is used with a warning.

    >>> compose_belief([{"source_api": "reach", "verdict": "correct"}]).belief
    0.65
    """
    rates = load_priors(priors)
    fallback = check_prior(unknown_source, "unknown_source") if unknown_source else None
    sides: tuple[dict[str, _Tally], dict[str, _Tally]] = ({}, {})
    unknown: dict[str, int] = {}
    for place, item in enumerate(evidence):
        source, verdict, negated = _read(item, place)
        # The two that nearly all sentences have need no folding.
        kept = verdict == _CORRECT or (verdict is None and not gate_unscored)
        if not kept and verdict is not None:
            try:
                kept = survives(verdict, gate_unscored=gate_unscored)
            except ValueError as error:
                raise ValueError(f"evidence {place}: {error}") from None
        side = sides[1] if negated else sides[0]
        tally = side.get(source)
        if tally is None:
            tally = side[source] = _Tally(_prior(source, rates, fallback, place))
        if source not in rates.rates:
            unknown[source] = unknown.get(source, 0) + 1
        tally.n_total += 1
        tally.n_surviving += kept
        if graded:
            weight = _weight(item, verdict, kept=kept, place=place)
            tally.all_out *= 1.0 - weight
            tally.wrong *= 1.0 - weight * (1.0 - tally.prior.rand)
    warn_of_unknown(unknown, rates)
    backing, denying = (_compose(side, graded=graded) for side in sides)
    n_total = backing.n_total + denying.n_total
    n_surviving = backing.n_surviving + denying.n_surviving
    return Belief(
        belief=backing.belief * (1.0 - denying.belief),
        parametric_only=backing.ungated * (1.0 - denying.ungated),
        n_total=n_total,
        n_surviving=n_surviving,
        n_gated=n_total - n_surviving,
        n_unknown_source=sum(unknown.values()) if unknown else 0,
        sources=backing.sources,
        negated_sources=denying.sources,
    )


def warn_of_unknown(unknown: Mapping[str, int], priors: Priors) -> None:
    """Say once which sources had no prior, and how many sentences each."""
    if unknown:
        listed = ", ".join(f"{source} ({n})" for source, n in sorted(unknown.items()))
        warnings.warn(
            f"sources without a prior in {priors.name!r}, sentences in brackets: {listed}; "
            "unknown_source is used for them",
            stacklevel=3,
        )


def missing_prior(source: str, priors: Priors, where: str) -> ValueError:
    """The error for a source without a prior."""
    return ValueError(
        f"{where}: no prior for source {source!r} in {priors.name!r}; give one in a mapping "
        "{source: (rand, syst)}, or unknown_source=(rand, syst) for all such"
    )


def _prior(source: str, priors: Priors, fallback: Prior | None, place: int) -> Prior:
    prior = priors.rates.get(source, fallback)
    if prior is None:
        raise missing_prior(source, priors, f"evidence {place}")
    return prior


def _read(item: Any, place: int) -> tuple[str, object, bool]:  # noqa: ANN401
    if isinstance(item, dict | Mapping):
        source, verdict, negated = item.get("source_api"), item.get("verdict"), item.get("negated")
        epistemics = item.get("epistemics") if negated is None else None
    else:
        source = getattr(item, "source_api", None)
        verdict = getattr(item, "verdict", None)
        negated = getattr(item, "negated", None)
        epistemics = getattr(item, "epistemics", None) if negated is None else None
    if not isinstance(source, str) or not source.strip():
        raise ValueError(
            f"evidence {place}: expected source_api as the name of a reader or database, "
            f"found {source!r}"
        )
    if epistemics and isinstance(epistemics, Mapping):
        negated = epistemics.get("negated")
    return fold_source(source), verdict, bool(negated)


def _weight(item: Any, verdict: object, *, kept: bool, place: int) -> float:  # noqa: ANN401
    score, confidence = (
        item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
        for name in ("score", "confidence")
    )
    try:
        return sentence_weight(verdict, confidence, score, kept=kept)
    except ValueError as error:
        raise ValueError(f"evidence {place}: {error}") from None


def sentence_weight(
    verdict: object, confidence: object = None, score: object = None, *, kept: bool
) -> float:
    """The chance with which a sentence survives when graded: its score in [0, 1].

    Without a score that of verdict and confidence; a sentence without a verdict, or with another
    word than "correct" or "incorrect", weighs 1 or 0 as the gate has it.
    """
    if not is_scored(verdict):
        return float(kept)
    if score is not None and score == score:
        if not isinstance(score, int | float) or not 0 <= score <= 1:
            raise ValueError(f"expected a score from 0 to 1, found {score!r}")
        return float(score)
    word = str(verdict).strip().lower()
    if word not in (_CORRECT, "incorrect"):
        return 0.0
    return verdict_score(word, confidence if isinstance(confidence, str) else None)


class _Side(NamedTuple):
    """What all sources of one side give together."""

    belief: float = 0.0
    ungated: float = 0.0
    n_total: int = 0
    n_surviving: int = 0
    sources: Mapping[str, SourceBelief] = MappingProxyType({})


_NOTHING = _Side()


def _compose(side: Mapping[str, _Tally], *, graded: bool) -> _Side:
    if not side:
        return _NOTHING
    wrong = ungated = 1.0
    n_total = n_surviving = 0
    sources = {}
    for source, tally in side.items():
        prior = tally.prior
        factor = tally.factor(graded=graded)
        wrong *= factor
        ungated *= source_factor(prior, tally.n_total)
        n_total += tally.n_total
        n_surviving += tally.n_surviving
        sources[source] = SourceBelief(
            n_total=tally.n_total,
            n_surviving=tally.n_surviving,
            rand=prior.rand,
            syst=prior.syst,
            belief=1.0 - factor,
        )
    return _Side(1.0 - wrong, 1.0 - ungated, n_total, n_surviving, sources)
