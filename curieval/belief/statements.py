"""Statements of a file of INDRA JSON with their sentences, and what of it cannot be used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curieval.evidence import read_statement
from curieval.models.types import CaseFileError
from evals.indra_evidence.corpus import read_statements
from evals.indra_evidence.curations import computed_hash, hash_text
from evals.indra_evidence.statements import UnaskableError
from scoring.claims import claim_text, claim_type
from scoring.evidence import is_negated
from scoring.priors import fold_source


@dataclass(frozen=True, kw_only=True, slots=True)
class Sentence:
    """One evidence: its reader, its hash as text, and whether the reader took it to deny."""

    source_api: str
    source_hash: str
    negated: bool
    has_text: bool
    origin: str


@dataclass(kw_only=True, slots=True)
class Statement:
    """A statement with all its sentences, wherever in the file they stand.

    `hash` is its matches_hash as text, "" where INDRA can give it none; `n_left_out` counts the
    evidence that could not be used.
    """

    hash: str
    id: str
    type: str
    claim: str
    origin: str
    sentences: list[Sentence] = field(default_factory=list)
    n_left_out: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """A record or an evidence that was left out, by its place, and why."""

    origin: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """The statements of a file by identity, and what was left out of them."""

    name: str
    records: int
    statements: list[Statement]
    left_out: list[LeftOut]


def read_corpus(path: Path) -> Corpus:
    """Read INDRA JSON (.json or .jsonl, also .gz) record by record.

    Records of one matches_hash are one statement; an evidence that stands twice in it counts
    once. Raises CaseFileError for a file that is not there, no JSON, or without a statement.
    """
    found: dict[str, Statement] = {}
    seen: dict[tuple[str, str], str] = {}
    left_out: list[LeftOut] = []
    records = 0
    for origin, record in read_statements(path):
        records += 1
        try:
            statement, evidence = _statement(record, origin)
        except UnaskableError as why:
            left_out.append(LeftOut(origin=origin, why=str(why)))
            continue
        key = statement.hash or origin
        kept = found.setdefault(key, statement)
        for number, one in enumerate(evidence, start=1):
            place = f"{origin}, evidence {number}"
            try:
                sentence = _sentence(one, place)
                if _identifies(one) and (first := seen.get((key, sentence.source_hash))):
                    raise UnaskableError(f"the same evidence stands already at {first}")
            except UnaskableError as why:
                left_out.append(LeftOut(origin=place, why=str(why)))
                kept.n_left_out += 1
                continue
            seen[key, sentence.source_hash] = place
            kept.sentences.append(sentence)
    if not records:
        raise CaseFileError(f"{path}: holds no statement; give a list of INDRA's JSON")
    return Corpus(
        name=path.name, records=records, statements=list(found.values()), left_out=left_out
    )


def _statement(record: Any, origin: str) -> tuple[Statement, list[Any]]:  # noqa: ANN401
    if not isinstance(record, Mapping):
        raise UnaskableError(f"a statement is expected, found {repr(record)[:60]}")
    evidence = record.get("evidence")
    if evidence is not None and not isinstance(evidence, list):
        raise UnaskableError(f"field 'evidence': a list is expected, found {repr(evidence)[:60]}")
    bare = {name: value for name, value in record.items() if name != "evidence"}
    try:
        read = read_statement(bare)
        claim = claim_text(read)
    except Exception as error:
        raise UnaskableError(" ".join(str(error).split())[:300]) from error
    return (
        Statement(
            hash=hash_text(record.get("matches_hash")) or _computed(read),
            id=str(record.get("id") or "")[:200],
            type=claim_type(read),
            claim=claim,
            origin=origin,
        ),
        evidence or [],
    )


def _computed(read: Any) -> str:  # noqa: ANN401
    """The matches_hash that INDRA gives; none where an agent that it needs is unknown."""
    try:
        return str(read.get_hash(refresh=True))
    except Exception:
        return ""


def _sentence(evidence: Any, origin: str) -> Sentence:  # noqa: ANN401
    if not isinstance(evidence, Mapping):
        raise UnaskableError(f"an evidence is an object, found {repr(evidence)[:60]}")
    source = evidence.get("source_api")
    if not isinstance(source, str) or not source.strip():
        raise UnaskableError(
            f"field 'source_api': the name of a reader or database is expected, found "
            f"{repr(source)[:60]}"
        )
    text = evidence.get("text")
    if text is not None and not isinstance(text, str):
        raise UnaskableError(f"field 'text': found {repr(text)[:60]}, expected text or nothing")
    return Sentence(
        source_api=fold_source(source),
        source_hash=hash_text(evidence.get("source_hash")) or computed_hash(evidence),
        negated=is_negated(evidence),
        has_text=bool(text and text.strip()),
        origin=origin,
    )


def _identifies(evidence: Mapping[str, Any]) -> bool:
    """Whether INDRA's hash of an evidence tells it from all others."""
    return bool(evidence.get("text") or evidence.get("source_id"))
