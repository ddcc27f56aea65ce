"""Reads the sentences of a file of INDRA statements, and says what of it cannot be scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curieval.evidence import read_statement
from evals.indra_evidence.corpus import read_statements
from evals.indra_evidence.curations import computed_hash, hash_text
from evals.indra_evidence.statements import LONGEST_TEXT, UNKNOWN, UnaskableError
from scoring.claims import claim_agents, claim_text, claim_type
from scoring.evidence import is_negated

_SHOWN = 60


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """One evidence of a statement; hashes as text, "" where INDRA can give none."""

    statement: Any
    evidence: Mapping[str, Any]
    matches_hash: str
    source_hash: str
    type: str
    claim: str
    source_api: str
    negated: bool
    origin: str


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A record or an evidence that cannot be scored, by its place, and why."""

    origin: str
    why: str

    def __str__(self) -> str:
        return f"{self.origin}: {self.why}"


def read_sentences(path: Path) -> Iterator[Sentence | LeftOut]:
    """Yield every evidence of INDRA JSON (.json or .jsonl, also .gz), in the order of the file.

    An evidence that stands twice under a statement comes once. Raises CaseFileError for a file
    that is not there, or is no JSON.
    """
    seen: dict[tuple[str, str], str] = {}
    for origin, record in read_statements(path):
        try:
            statement, matches_hash, evidence = _statement(record)
        except UnaskableError as why:
            yield LeftOut(origin=origin, why=str(why))
            continue
        for number, item in enumerate(evidence, start=1):
            place = f"{origin}, evidence {number}"
            try:
                one = _sentence(statement, matches_hash, item, place)
                if _identifies(item):
                    _refuse_doubled(seen, (matches_hash or origin, one.source_hash), place)
            except UnaskableError as why:
                yield LeftOut(origin=place, why=str(why))
                continue
            yield one


def _statement(record: Any) -> tuple[Any, str, list[Any]]:  # noqa: ANN401 - JSON of a user's file
    if not isinstance(record, Mapping):
        raise UnaskableError(f"a statement is expected, found {_shown(record)}")
    evidence = record.get("evidence")
    if evidence is not None and not isinstance(evidence, list):
        raise UnaskableError(f"field 'evidence': a list is expected, found {_shown(evidence)}")
    matches_hash = hash_text(record.get("matches_hash"))
    try:
        read = read_statement({name: record[name] for name in record if name != "evidence"})
        agents = claim_agents(read)
        claim_text(read)
    except Exception as error:
        raise UnaskableError(" ".join(str(error).split())[:300]) from error
    if not any(agents):
        raise UnaskableError("the statement names no agent: nothing can be checked")
    if not evidence:
        raise UnaskableError("the statement has no evidence: nothing can be scored")
    return read, matches_hash or _computed(read), evidence


def _computed(statement: Any) -> str:  # noqa: ANN401
    """The matches_hash that INDRA gives; none where an agent that it needs is unknown."""
    try:
        return str(statement.get_hash(refresh=True))
    except Exception:
        return ""


def _sentence(statement: Any, matches_hash: str, evidence: Any, place: str) -> Sentence:  # noqa: ANN401
    if not isinstance(evidence, Mapping):
        raise UnaskableError(f"an evidence is an object, found {_shown(evidence)}")
    text, source = evidence.get("text"), evidence.get("source_api")
    if text is not None and not isinstance(text, str):
        raise UnaskableError(f"field 'text': found {_shown(text)}, expected text or nothing")
    if text and len(text) > LONGEST_TEXT:
        raise UnaskableError(
            f"the text has {len(text)} characters, at most {LONGEST_TEXT} are asked"
        )
    if source is not None and not isinstance(source, str):
        raise UnaskableError(f"field 'source_api': found {_shown(source)}, expected a name")
    negated = is_negated(evidence)
    return Sentence(
        statement=statement,
        evidence=evidence,
        matches_hash=matches_hash,
        source_hash=hash_text(evidence.get("source_hash")) or computed_hash(evidence),
        type=claim_type(statement),
        claim=claim_text(statement, negated=negated),
        source_api=(source or UNKNOWN).strip().lower(),
        negated=negated,
        origin=place,
    )


def _refuse_doubled(seen: dict[tuple[str, str], str], key: tuple[str, str], place: str) -> None:
    if key in seen:
        raise UnaskableError(f"the same evidence stands already at {seen[key]}")
    seen[key] = place


def _identifies(evidence: Mapping[str, Any]) -> bool:
    """Whether INDRA's hash of an evidence tells it from all others."""
    return bool(evidence.get("text") or evidence.get("source_id"))


def _shown(value: Any) -> str:  # noqa: ANN401
    return repr(value)[:_SHOWN]
