"""Verdicts on sentences as tables hold them, found by the hashes of evidence and statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curieval.belief.statements import Corpus, Sentence, Statement
from curieval.tables import (
    ABSENT,
    Batch,
    Field,
    Table,
    TableError,
    find_fields,
    open_table,
    text_of,
)
from evals.indra_evidence.curations import hash_text
from evals.indra_evidence.statements import UnaskableError

READ = (
    Field(name="source_hash", aliases=("evidence_hash",), required=True),
    Field(name="matches_hash", aliases=("statement_hash", "statement", "pa_hash")),
    Field(name="verdict", required=True),
    Field(name="confidence"),
    Field(name="score"),
)
WORDS = frozenset({"correct", "incorrect", "abstain"})
CONFIDENCES = frozenset({"high", "medium", "low"})
_NO_VERDICT = frozenset({"", "none", "null", "nan"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """What was said of one sentence; `verdict` None where there is none, `score` from 0 to 1."""

    verdict: str | None
    confidence: str | None
    score: float | None


UNSAID = Said(verdict=None, confidence=None, score=None)


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """Verdicts by source_hash and matches_hash, "" where a row names no statement.

    `ambiguous` are the source hashes of rows that name no statement and stand in several
    statements of the corpus: one reading of a sentence may be right and another wrong.
    """

    said: Mapping[tuple[str, str], Said]
    ambiguous: frozenset[str]
    unmatched: int
    strange_words: Mapping[str, int]

    def of(self, statement: Statement, sentence: Sentence) -> Said:
        """What was said of a sentence under its statement; nothing where that is ambiguous."""
        found = self.said.get((sentence.source_hash, statement.hash)) if statement.hash else None
        if found is None and sentence.source_hash not in self.ambiguous:
            found = self.said.get((sentence.source_hash, ""))
        return found or UNSAID


NO_VERDICTS = Verdicts(said={}, ambiguous=frozenset(), unmatched=0, strange_words={})


def read_verdicts(path: Path, corpus: Corpus, mapping: Mapping[str, str]) -> Verdicts:
    """Read a table of verdicts for the sentences of a corpus.

    Raises TableError naming the row for a hash that was rounded, a confidence or score that is
    none, two rows that contradict each other, and where no row names a sentence of the corpus.
    """
    table = open_table(path)
    found = find_fields(table, READ, mapping)
    said: dict[tuple[str, str], Said] = {}
    lines: dict[tuple[str, str], int] = {}
    for batch in table.batches():
        for row, line in enumerate(batch.lines):
            values = {name: _cell(batch, column, row) for name, column in found.items()}
            try:
                key, one = _read(values)
                if said.setdefault(key, one) != one:
                    raise UnaskableError(
                        f"another verdict on evidence {key[0]} stands at "
                        f"{table.place(lines[key])}; keep one"
                    )
            except UnaskableError as why:
                raise TableError(f"{table.place(line)}: {why}") from why
            lines.setdefault(key, line)
    return _matched(said, corpus, table)


def _matched(said: Mapping[tuple[str, str], Said], corpus: Corpus, table: Table) -> Verdicts:
    homes: dict[str, set[str]] = {}
    for statement in corpus.statements:
        for sentence in statement.sentences:
            homes.setdefault(sentence.source_hash, set()).add(statement.hash or statement.origin)
    matched = {
        (source, statement)
        for source, statement in said
        if (statement in homes.get(source, ()) if statement else source in homes)
    }
    if said and not matched:
        raise TableError(
            f"{table.path}: none of its {len(said)} verdicts names an evidence of {corpus.name}; "
            "give the verdicts on that file, with hashes as they were, not rounded"
        )
    words = Counter(
        word for key in sorted(matched) if (word := said[key].verdict) and word not in WORDS
    )
    return Verdicts(
        said=said,
        ambiguous=frozenset(
            source for source, statement in said if not statement and len(homes.get(source, ())) > 1
        ),
        unmatched=len(said) - len(matched),
        strange_words=dict(words.most_common()),
    )


def _read(values: Mapping[str, Any]) -> tuple[tuple[str, str], Said]:
    source = hash_text(values["source_hash"])
    if not source:
        raise UnaskableError("field 'source_hash': empty; name the evidence that the verdict is on")
    word = text_of(values["verdict"]).strip().lower()
    confidence = text_of(values["confidence"]).strip().lower()
    if confidence and confidence not in CONFIDENCES:
        raise UnaskableError(
            f"field 'confidence': found {confidence[:60]!r}, expected high, medium, low or nothing"
        )
    return (source, hash_text(values["matches_hash"])), Said(
        verdict=None if word in _NO_VERDICT else word[:60],
        confidence=confidence or None,
        score=_score(values["score"]),
    )


def _score(value: Any) -> float | None:  # noqa: ANN401 - a cell
    text = text_of(value).strip()
    if not text:
        return None
    try:
        score = float(text)
    except ValueError:
        score = -1.0
    if not 0.0 <= score <= 1.0:
        raise UnaskableError(f"field 'score': found {text[:60]!r}, expected a number from 0 to 1")
    return score


def _cell(batch: Batch, column: str | None, row: int) -> Any:  # noqa: ANN401 - a cell
    values: Sequence[Any] | None = batch.columns.get(column) if column is not None else None
    value = ABSENT if values is None else values[row]
    return value if text_of(value) else ""


def shown(words: Iterable[str]) -> str:
    """A few of a file's words, quoted."""
    listed = list(words)
    more = f" and {len(listed) - 6} more" if len(listed) > 6 else ""
    return ", ".join(map(repr, listed[:6])) + more
