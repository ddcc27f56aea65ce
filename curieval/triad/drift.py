"""What two releases say differently of the values that cases, templates or a table rely on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from curieval.report.tables import inert, wrapped
from curieval.tables import Field, find_fields, open_table
from evals.env_triad.cases import load_cases
from scoring.drift import Drift, PairDrift, TermDrift, compare_releases
from scoring.ontology import Ontology
from scoring.terms import parse_terms

VALUES = (Field(name="value", aliases=("reference", "truth", "id"), required=True),)
MOST_SHOWN = 40


@dataclass(frozen=True, kw_only=True)
class Values:
    """The terms that a table relies on: CURIE to who says so, and how many cells hold none."""

    users: Mapping[str, frozenset[str]]
    without_term: int


@dataclass(frozen=True, kw_only=True)
class Difference:
    """What changed for the values that were looked at; `allowed` for the allowed ones alone."""

    drift: Drift
    allowed: Drift | None = None
    notes: Sequence[str] = field(default_factory=tuple)

    @property
    def changed(self) -> bool:
        """Whether a term or the place of one against another differs."""
        return bool(self.drift.terms or self.drift.pairs)

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return {
            "before": _about(self.drift.before),
            "after": _about(self.drift.after),
            "changed": self.changed,
            "terms": [asdict(term) for term in self.drift.terms],
            "related_pairs": self.drift.related_pairs,
            "relationships_changed": self.drift.relationships_changed,
            "pairs": [asdict(pair) for pair in self.drift.pairs],
            "allowed_values": self.allowed
            and {
                "related_pairs": self.allowed.related_pairs,
                "changed_pairs": len(self.allowed.pairs),
                "relationships_changed": self.allowed.relationships_changed,
            },
            "notes": list(self.notes),
        }

    def as_text(self, width: int) -> str:
        """The terms that changed, then the pairs; of many the first."""
        drift = self.drift
        lines = [
            f"{_release(drift.before)} → {_release(drift.after)}: {len(drift.terms)} terms "
            f"differ; of {drift.related_pairs} pairs of answer and reference, one above the "
            f"other, {len(drift.pairs)} differ, {drift.relationships_changed} of them in "
            "relationship"
        ]
        if self.allowed is not None and self.changed:
            lines.append(
                f"among allowed values alone, {len(self.allowed.pairs)} of "
                f"{self.allowed.related_pairs} pairs differ"
            )
        lines += _first([self._term_line(term) for term in drift.terms], "terms")
        lines += _first([self._pair_line(pair) for pair in drift.pairs], "pairs")
        return inert("\n".join(wrapped(line, width) for line in lines) + "\n")

    def _term_line(self, term: TermDrift) -> str:
        changes = []
        if term.status_before != term.status_after:
            changes.append(f"{term.status_before} → {term.status_after}")
        if term.label_changed:
            changes.append(f"label {term.label_before!r} → {term.label_after!r}")
        # A term that is gone has no parents to have lost.
        if "absent" not in (term.status_before, term.status_after):
            changes += [f"− parent {self._named(parent)}" for parent in term.parents_lost]
            changes += [f"+ parent {self._named(parent)}" for parent in term.parents_gained]
        return f"{self._named(term.curie)}: {'; '.join(changes)} (in {', '.join(term.used_by)})"

    def _pair_line(self, pair: PairDrift) -> str:
        before = _place(pair.relationship_before, pair.hops_before)
        after = _place(pair.relationship_after, pair.hops_after)
        answer, reference = self._named(pair.answer), self._named(pair.reference)
        return f"{answer} against {reference}: {before} → {after}"

    def _named(self, curie: str) -> str:
        label = self.drift.after.label(curie) or self.drift.before.label(curie)
        return f"{label} [{curie}]"


def compare(before: Ontology, after: Ontology, *, values: Values | None = None) -> Difference:
    """What changed for a table's values; by default for the cases and value sets as shipped."""
    if values is None:
        cases = load_cases()
        references = {case.reference for case in cases}
        references |= {text for case in cases for text, _ in case.accepted}
        return Difference(
            drift=compare_releases(before, after, references=sorted(references)),
            allowed=compare_releases(before, after),
        )
    unknown = sum(curie not in before and curie not in after for curie in values.users)
    notes = []
    if values.without_term:
        notes.append(f"{values.without_term} values name no term and were passed over")
    if unknown:
        notes.append(f"{unknown} of {len(values.users)} terms are in neither release")
    drift = compare_releases(before, after, allowed=values.users)
    return Difference(drift=drift, notes=tuple(notes))


def values_of(path: Path, *, encoding: str | None, mapping: Mapping[str, str]) -> Values:
    """The terms in a table's column `value` (reference, truth, or id); several a cell may be.

    TableError where the table cannot be read or has no such column.
    """
    table = open_table(path, encoding=encoding)
    column = find_fields(table, VALUES, mapping)["value"]
    seen: dict[str, list[str]] = {}
    without = 0
    for rows in table.batches():
        for text in rows.texts(column):
            if text not in seen:
                seen[text] = [term.curie for term in parse_terms(text) if term.curie is not None]
            without += bool(text.strip()) and not seen[text]
    user = frozenset({path.name})
    curies = sorted({curie for found in seen.values() for curie in found})
    return Values(users=dict.fromkeys(curies, user), without_term=without)


def _about(ontology: Ontology) -> dict[str, str]:
    return {"name": ontology.name, "release": ontology.release, "sha256": ontology.sha256}


def _release(ontology: Ontology) -> str:
    return f"{ontology.name} {ontology.release}".strip()


def _place(relationship: str, hops: int | None) -> str:
    return relationship if hops is None else f"{relationship} by {hops}"


def _first(lines: Sequence[str], what: str) -> list[str]:
    more = len(lines) - MOST_SHOWN
    rest = [f"and {more} more {what} (--json lists all)"] if more > 0 else []
    return [*lines[:MOST_SHOWN], *rest]
