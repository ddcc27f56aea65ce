"""Composes the verdicts on the sentences of a corpus into beliefs, and writes them as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curieval.belief.statements import Corpus, Sentence, Statement
from curieval.belief.verdicts import Said, Verdicts
from curieval.models.errors import ConfigError
from curieval.tables import open_output
from scoring.belief import Belief, SourceBelief, compose_belief, is_scored
from scoring.priors import Prior, Priors, check_prior, load_priors

COLUMNS = (
    "statement",
    "id",
    "type",
    "claim",
    "belief",
    "parametric_only",
    "n_total",
    "n_surviving",
    "n_gated",
    "n_verdicts",
    "n_left_out",
    "sources",
)
_ROWS_AT_A_TIME = 10_000


@dataclass(frozen=True, kw_only=True)
class Composing:
    """How beliefs are composed; see `scoring.compose_belief`."""

    priors: Priors
    gate_unscored: bool = False
    graded: bool = False
    unknown_source: Prior | None = None


@dataclass(frozen=True, kw_only=True)
class Composed:
    """A statement's belief, and how many of its sentences have a verdict."""

    statement: Statement
    belief: Belief
    n_verdicts: int


def read_priors(name: str) -> Priors:
    """The priors of that name or file; ConfigError says what is wrong with them."""
    try:
        return load_priors(name)
    except ValueError as error:
        raise ConfigError(f"--priors {name}: {error}") from error


def read_unknown_source(text: str | None) -> Prior | None:
    """`RAND,SYST` as a prior; ConfigError for what is none."""
    if text is None:
        return None
    try:
        return check_prior(tuple(text.split(",")), "--unknown-source")
    except ValueError:
        raise ConfigError(
            f"--unknown-source {text}: expected RAND,SYST such as 0.3,0.05: two rates from 0 to 1 "
            "that sum to at most 1"
        ) from None


def compose_corpus(corpus: Corpus, verdicts: Verdicts, composing: Composing) -> list[Composed]:
    """The belief in each statement; ConfigError names the sources that have no prior."""
    if composing.unknown_source is None:
        refuse_unknown(corpus, composing.priors)
    return [_composed(statement, verdicts, composing) for statement in corpus.statements]


def write_beliefs(composed: Sequence[Composed], out: Path, source: Path) -> Mapping[str, int]:
    """Write one row a statement, and say what was mended on the way; TableError."""
    with open_output(out, COLUMNS, source=source) as output:
        for start in range(0, len(composed), _ROWS_AT_A_TIME):
            rows = [_row(one) for one in composed[start : start + _ROWS_AT_A_TIME]]
            columns = {name: [row[name] for row in rows] for name in COLUMNS}
            output.write(columns, len(rows))
    return output.repairs


def unknown_sources(corpus: Corpus, priors: Priors) -> dict[str, list[Sentence]]:
    """The sentences of each source that the priors do not name."""
    unknown: dict[str, list[Sentence]] = {}
    for statement in corpus.statements:
        for sentence in statement.sentences:
            if sentence.source_api not in priors.rates:
                unknown.setdefault(sentence.source_api, []).append(sentence)
    return unknown


def refuse_unknown(corpus: Corpus, priors: Priors) -> None:
    """Raise ConfigError where a source of the corpus has no prior."""
    unknown = unknown_sources(corpus, priors)
    if unknown:
        named = "; ".join(
            f"{source[:60]!r} ({len(sentences)} sentences, the first at {sentences[0].origin})"
            for source, sentences in sorted(unknown.items())[:6]
        )
        raise ConfigError(
            f"{corpus.name}: sources without a prior in {priors.name!r}: {named}; give "
            "--unknown-source RAND,SYST, or --priors FILE that names them"
        )


def as_evidence(sentence: Sentence, said: Said) -> dict[str, Any]:
    """A sentence and its verdict, as `compose_belief` takes them."""
    return {
        "source_api": sentence.source_api,
        "negated": sentence.negated,
        "verdict": said.verdict,
        "confidence": said.confidence,
        "score": said.score,
    }


def _composed(statement: Statement, verdicts: Verdicts, composing: Composing) -> Composed:
    said = [verdicts.of(statement, sentence) for sentence in statement.sentences]
    rates = dict(composing.priors)
    if composing.unknown_source is not None:
        # Counted once for the whole file, not warned of by each statement.
        named = {sentence.source_api for sentence in statement.sentences}
        rates = dict.fromkeys(named, composing.unknown_source) | rates
    belief = compose_belief(
        map(as_evidence, statement.sentences, said),
        priors=Priors(rates, name=composing.priors.name),
        gate_unscored=composing.gate_unscored,
        graded=composing.graded,
    )
    n_verdicts = sum(is_scored(one.verdict) for one in said)
    return Composed(statement=statement, belief=belief, n_verdicts=n_verdicts)


def _row(one: Composed) -> dict[str, Any]:
    belief = one.belief
    return {
        "statement": one.statement.hash,
        "id": one.statement.id,
        "type": one.statement.type,
        "claim": one.statement.claim,
        "belief": belief.belief,
        "parametric_only": belief.parametric_only,
        "n_total": belief.n_total,
        "n_surviving": belief.n_surviving,
        "n_gated": belief.n_gated,
        "n_verdicts": one.n_verdicts,
        "n_left_out": one.statement.n_left_out,
        "sources": ", ".join(
            [*_sources(belief.sources), *_sources(belief.negated_sources, "not ")]
        ),
    }


def _sources(sources: Mapping[str, SourceBelief], prefix: str = "") -> list[str]:
    return [
        f"{prefix}{name} {each.n_surviving}/{each.n_total}"
        for name, each in sorted(sources.items())
    ]
