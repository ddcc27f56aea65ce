"""Curated sentences of a table: who read them, of which statement, and whether they support it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from curieval.belief.statements import Corpus, LeftOut, Sentence, Statement
from curieval.tables import ABSENT, Batch, Field, TableError, find_fields, open_table, text_of
from evals.indra_evidence.cases import CORRECT
from evals.indra_evidence.curations import hash_text
from evals.indra_evidence.statements import TAGS, UnaskableError
from scoring.evidence import is_negated
from scoring.priors import fold_source

READ = (
    Field(name="tag", aliases=("truth", "label"), required=True),
    Field(name="source_api", aliases=("reader", "source")),
    Field(name="source_hash", aliases=("evidence_hash",)),
    Field(name="matches_hash", aliases=("statement_hash", "statement", "pa_hash")),
    Field(name="negated"),
    Field(name="ev_json"),
)
_YES, _NO = frozenset({"true", "1", "yes"}), frozenset({"", "false", "0", "no"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Curated:
    """One sentence under its statement; `right` where one curator says that it supports it."""

    statement: str
    sentence: Sentence
    right: bool


@dataclass(frozen=True, kw_only=True)
class Truth:
    """The curated sentences of a table; several curations of one sentence are one."""

    name: str
    rows: int
    curated: list[Curated]
    left_out: list[LeftOut]

    def corpus(self) -> tuple[Corpus, dict[str, bool]]:
        """The statements with their curated sentences, and which of them any sentence supports.

        Sentences without both hashes are left out: no verdict can be found for them.
        """
        statements: dict[str, Statement] = {}
        supported: dict[str, bool] = {}
        left_out = list(self.left_out)
        for one in self.curated:
            if not (one.statement and one.sentence.source_hash):
                which = "source_hash" if one.statement else "matches_hash"
                why = f"no {which}: no verdict can be found for it"
                left_out.append(LeftOut(origin=one.sentence.origin, why=why))
                continue
            made = Statement(
                hash=one.statement, id="", type="", claim="", origin=one.sentence.origin
            )
            statements.setdefault(one.statement, made).sentences.append(one.sentence)
            holds = one.right and not one.sentence.negated
            supported[one.statement] = supported.get(one.statement, False) or holds
        listed = list(statements.values())
        corpus = Corpus(name=self.name, records=self.rows, statements=listed, left_out=left_out)
        return corpus, supported


def read_truth(path: Path, mapping: Mapping[str, str]) -> Truth:
    """Read curations: a tag for each sentence and its reader; hashes where they are known.

    The reader and the hashes may stand in INDRA's own JSON of the evidence, `ev_json`. A row that
    cannot be used is left out and named. Raises TableError for a table without any such row.
    """
    table = open_table(path)
    found = find_fields(table, READ, mapping)
    if found["source_api"] is None and found["ev_json"] is None:
        raise TableError(
            f"{path}: no column 'source_api' (or 'reader') that says who read a sentence, and no "
            "'ev_json'; name yours with --column source_api=NAME"
        )
    sentences: dict[tuple[str, str], Curated] = {}
    left_out: list[LeftOut] = []
    rows = 0
    for batch in table.batches():
        for origin, values in _rows(batch, found, table):
            rows += 1
            try:
                one = _curated(values, origin)
            except UnaskableError as why:
                left_out.append(LeftOut(origin=origin, why=str(why)))
                continue
            hashes = (one.statement, one.sentence.source_hash)
            key = hashes if hashes[1] else ("", origin)
            first = sentences.setdefault(key, one)
            if first.sentence.source_api != one.sentence.source_api:
                why_not = (
                    f"evidence {hashes[1]} was read by {first.sentence.source_api!r} at "
                    f"{first.sentence.origin}, here by {one.sentence.source_api!r}"
                )
                left_out.append(LeftOut(origin=origin, why=why_not))
            elif one.right and not first.right:
                sentences[key] = replace(first, right=True)
    if not sentences:
        why_none = f"; the first: {left_out[0].origin}: {left_out[0].why}" if left_out else ""
        raise TableError(f"{path}: holds no curated sentence that can be used{why_none}")
    return Truth(name=path.name, rows=rows, curated=list(sentences.values()), left_out=left_out)


def _rows(
    batch: Batch,
    found: Mapping[str, str | None],
    table: Any,  # noqa: ANN401 - any kind of table
) -> Iterator[tuple[str, dict[str, Any]]]:
    columns = {
        name: batch.columns[column]
        for name, column in found.items()
        if column is not None and column in batch.columns
    }
    for row, line in enumerate(batch.lines):
        cells = {name: values[row] for name, values in columns.items()}
        yield (
            table.place(line),
            {name: cell for name, cell in cells.items() if cell is not ABSENT and text_of(cell)},
        )


def _curated(values: Mapping[str, Any], origin: str) -> Curated:
    tag = text_of(values.get("tag")).strip().lower()
    if tag not in (*TAGS, "incorrect"):
        raise UnaskableError(
            f"field 'tag': found {tag[:60]!r}, expected incorrect or one of {', '.join(TAGS)}"
        )
    evidence = values.get("ev_json")
    evidence = evidence if isinstance(evidence, Mapping) else {}
    source = values.get("source_api") or evidence.get("source_api")
    if not isinstance(source, str) or not source.strip():
        raise UnaskableError("field 'source_api': the name of the reader is expected, found none")
    told = text_of(values.get("negated")).strip().lower()
    if told not in _YES | _NO:
        raise UnaskableError(f"field 'negated': found {told[:60]!r}, expected true or false")
    source_hash = hash_text(values.get("source_hash") or evidence.get("source_hash"))
    return Curated(
        statement=hash_text(values.get("matches_hash")),
        sentence=Sentence(
            source_api=fold_source(source),
            source_hash=source_hash,
            negated=told in _YES or is_negated(evidence),
            has_text=True,
            origin=origin,
        ),
        right=tag == CORRECT,
    )
