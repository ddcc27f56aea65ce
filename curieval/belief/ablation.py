"""Parametric, gated and graded belief under several priors, held to a truth set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from curieval.belief.compose import Composing, compose_corpus
from curieval.belief.fit import left_out_lines
from curieval.belief.statements import Corpus, LeftOut
from curieval.belief.verdicts import Verdicts
from curieval.models.errors import ConfigError
from curieval.report.pooled import auroc, brier, calibration_error
from curieval.report.tables import Column, inert, table, wrapped
from scoring.belief import is_scored
from scoring.priors import Prior, Priors
from scoring.statistics import bootstrap_interval

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

FORMS = ("parametric", "gated", "graded")
RESAMPLES = 1_000
FIGURES: Mapping[str, Callable[[NDArray[float64]], float]] = {
    "brier": brier,
    "ece": calibration_error,
    "auroc": auroc,
}


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A value with its 95 % interval, by bootstrap over statements; None where it is undefined."""

    value: float | None
    low: float | None
    high: float | None


NOTHING = Estimate(value=None, low=None, high=None)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One form of belief under one set of priors: its figures, and their paired differences.

    A difference is this row minus the row that `against` names, over the same statements.
    """

    priors: str
    form: str
    n: int
    figures: Mapping[str, Estimate]
    against: str
    differences: Mapping[str, Estimate]


@dataclass(frozen=True, kw_only=True)
class Ablation:
    """The table, and the statements that it is about.

    `statements` are compared, `supported` of them true; `without_verdict` are left out, since a
    sentence of theirs has no verdict.
    """

    truth: str
    statements: int
    supported: int
    sentences: int
    without_verdict: int
    rows: Sequence[Row]
    left_out: Sequence[LeftOut]
    notes: Sequence[str]

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return asdict(self)

    def as_text(self, width: int) -> str:
        """The figures, the differences, then what was left out."""
        head = (
            f"{self.truth}: {self.statements} statements with {self.sentences} curated sentences, "
            f"{self.supported} of them true; {self.without_verdict} more have a sentence without a "
            "verdict and are left out"
        )
        told = (
            "Differences are paired by statement: gated and graded against parametric under the "
            f"same priors, parametric against that under {self.rows[0].priors}."
        )
        lines = [wrapped(head, width), wrapped(told, width)]
        for name in FIGURES:
            lines += ["", *self._table(name, width)]
        lines += left_out_lines(self.left_out, width)
        return inert("\n".join(lines) + "\n")

    def _table(self, figure: str, width: int) -> list[str]:
        names = [f"{row.form}, {row.priors}" for row in self.rows]
        values = [_shown(row.figures[figure], signed=False) for row in self.rows]
        moved = [_shown(row.differences.get(figure, NOTHING), signed=True) for row in self.rows]
        columns = [
            Column(head="belief", cells=names, left=True),
            Column(head="n", cells=[str(row.n) for row in self.rows]),
            Column(head=figure, cells=values),
            Column(head="difference", cells=moved),
        ]
        return table(columns, width)


def compare_priors(
    corpus: Corpus,
    supported: Mapping[str, bool],
    verdicts: Verdicts,
    priors: Sequence[Priors],
    *,
    unknown_source: Prior | None = None,
) -> Ablation:
    """Each form of belief under each set of priors, where all sentences have a verdict.

    A statement is true where a curator says so of any of its sentences; its belief is composed of
    the curated ones alone. Brier score, calibration error over ten bins and AUROC, with percentile
    bootstrap intervals by statement. Raises ConfigError where no statement can be compared.
    """
    whole = [
        statement
        for statement in corpus.statements
        if all(is_scored(verdicts.of(statement, one).verdict) for one in statement.sentences)
    ]
    if not whole:
        raise ConfigError(
            f"{corpus.name}: no statement has a verdict on each of its curated sentences; "
            "give --verdicts on them"
        )
    kept = Corpus(name=corpus.name, records=corpus.records, statements=whole, left_out=[])
    outcomes = [float(supported[statement.hash]) for statement in whole]
    rows: list[Row] = []
    first: list[float] = []
    for each in priors:
        beliefs = _beliefs(kept, verdicts, each, unknown_source)
        plain = beliefs["parametric"]
        for form in FORMS:
            other, against = (plain, f"parametric, {each.name}")
            if form == "parametric":
                other, against = (first, f"parametric, {priors[0].name}") if first else ([], "")
            rows.append(
                Row(
                    priors=each.name,
                    form=form,
                    n=len(whole),
                    figures=_figures(beliefs[form], outcomes),
                    against=against,
                    differences=_differences(other, beliefs[form], outcomes) if against else {},
                )
            )
        first = first or plain
    return Ablation(
        truth=corpus.name,
        statements=len(whole),
        supported=int(sum(outcomes)),
        sentences=sum(len(statement.sentences) for statement in whole),
        without_verdict=len(corpus.statements) - len(whole),
        rows=rows,
        left_out=corpus.left_out,
        notes=_notes(corpus, verdicts, outcomes),
    )


def _notes(corpus: Corpus, verdicts: Verdicts, outcomes: Sequence[float]) -> list[str]:
    notes = []
    if len(set(outcomes)) < 2:
        notes.append("all statements are alike in truth: AUROC is undefined")
    if len(outcomes) < 30:
        notes.append("fewer than 30 statements: intervals are rough")
    if verdicts.unmatched:
        notes.append(
            f"verdicts on sentences that {corpus.name} does not hold: {verdicts.unmatched}"
        )
    if verdicts.ambiguous:
        notes.append(
            "sentences of several statements whose verdict names none of them count as without a "
            f"verdict (add the column matches_hash): {len(verdicts.ambiguous)}"
        )
    return notes


def _beliefs(
    corpus: Corpus, verdicts: Verdicts, priors: Priors, unknown_source: Prior | None
) -> dict[str, list[float]]:
    gated, graded = (
        compose_corpus(
            corpus, verdicts, Composing(priors=priors, graded=graded, unknown_source=unknown_source)
        )
        for graded in (False, True)
    )
    return {
        "parametric": [each.belief.parametric_only for each in gated],
        "gated": [each.belief.belief for each in gated],
        "graded": [each.belief.belief for each in graded],
    }


def _figures(beliefs: Sequence[float], outcomes: Sequence[float]) -> dict[str, Estimate]:
    rows = list(zip(beliefs, outcomes, strict=True))
    return {name: _estimate(rows, figure) for name, figure in FIGURES.items()}


def _differences(
    before: Sequence[float], after: Sequence[float], outcomes: Sequence[float]
) -> dict[str, Estimate]:
    rows = list(zip(before, after, outcomes, strict=True))
    return {name: _estimate(rows, _difference(figure)) for name, figure in FIGURES.items()}


def _difference(
    figure: Callable[[NDArray[float64]], float],
) -> Callable[[NDArray[float64]], float]:
    return lambda rows: figure(rows[:, [1, 2]]) - figure(rows[:, [0, 2]])


def _estimate(
    rows: Sequence[Sequence[float]], statistic: Callable[[NDArray[float64]], float]
) -> Estimate:
    import numpy

    value = float(statistic(numpy.asarray(rows)))
    if value != value:
        return NOTHING
    try:
        found = bootstrap_interval(rows, statistic, method="percentile", resamples=RESAMPLES)
    except ValueError:
        return Estimate(value=value, low=None, high=None)
    return Estimate(value=value, low=found.low, high=found.high)


def _shown(each: Estimate, *, signed: bool) -> str:
    if each.value is None:
        return "–"
    form = "+.3f" if signed else ".3f"
    if each.low is None or each.high is None:
        return f"{each.value:{form}}"
    text = f"{each.value:{form}} ({each.low:{form}} to {each.high:{form}})"
    return text.replace("0.", ".")
