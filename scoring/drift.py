"""What changed between two releases of an ontology, for the terms that somebody relies on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from scoring.facts import all_allowed_values
from scoring.ontology import Ontology
from scoring.strict_term import read_strictly

TermStatus = Literal["live", "obsolete", "absent"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TermDrift:
    """A term that two releases describe differently.

    `used_by` says who relies on it: value sets as `template slot`, and "reference".
    """

    curie: str
    used_by: tuple[str, ...]
    status_before: TermStatus
    status_after: TermStatus
    label_before: str | None
    label_after: str | None
    parents_lost: tuple[str, ...]
    parents_gained: tuple[str, ...]

    @property
    def label_changed(self) -> bool:
        """Whether both releases know the term, under different labels."""
        return None not in (self.label_before, self.label_after) and (
            self.label_before != self.label_after
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class PairDrift:
    """An answer and a reference that two releases place differently; hops None: unrelated."""

    answer: str
    reference: str
    relationship_before: str
    relationship_after: str
    hops_before: int | None
    hops_after: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Drift:
    """The differences between two releases.

    `related_pairs` counts the ordered pairs of different terms, live in both releases, of
    which one is an ancestor of the other in either; `pairs` are those that changed.
    """

    before: Ontology
    after: Ontology
    terms: tuple[TermDrift, ...]
    pairs: tuple[PairDrift, ...]
    related_pairs: int

    @property
    def relationships_changed(self) -> int:
        """In how many pairs not the distance alone but the relationship changed."""
        return sum(pair.relationship_before != pair.relationship_after for pair in self.pairs)


def compare_releases(
    before: Ontology,
    after: Ontology,
    *,
    references: Iterable[str] = (),
    allowed: Mapping[str, Collection[str]] | None = None,
) -> Drift:
    """Which references and allowed values changed label, parents, status or distances.

    `references` are values `label [CURIE]` (unreadable ones are skipped); `allowed` maps
    CURIEs to who allows them, by default the shipped value sets. Terms that neither
    release knows are left out: another ontology has them.
    """
    users = {
        curie: set(names)
        for curie, names in (all_allowed_values() if allowed is None else allowed).items()
    }
    for reference in references:
        curie = read_strictly(reference).curie
        if curie is not None:
            users.setdefault(curie, set()).add("reference")
    terms = tuple(
        term
        for curie in sorted(users)
        if (term := _term_drift(curie, tuple(sorted(users[curie])), before, after)) is not None
    )
    shared = [curie for curie in sorted(users) if before.is_live(curie) and after.is_live(curie)]
    related = sorted(_related(shared, before) | _related(shared, after))
    pairs = tuple(
        pair
        for answer, reference in related
        if (pair := _pair_drift(answer, reference, before, after)) is not None
    )
    return Drift(before=before, after=after, terms=terms, pairs=pairs, related_pairs=len(related))


def _status(curie: str, ontology: Ontology) -> TermStatus:
    if curie not in ontology:
        return "absent"
    return "obsolete" if ontology.is_obsolete(curie) else "live"


def _term_drift(
    curie: str, used_by: tuple[str, ...], before: Ontology, after: Ontology
) -> TermDrift | None:
    old, new = set(before.parents(curie)), set(after.parents(curie))
    found = TermDrift(
        curie=curie,
        used_by=used_by,
        status_before=_status(curie, before),
        status_after=_status(curie, after),
        label_before=before.label(curie),
        label_after=after.label(curie),
        parents_lost=tuple(sorted(old - new)),
        parents_gained=tuple(sorted(new - old)),
    )
    same = (found.status_before, found.label_before) == (found.status_after, found.label_after)
    return None if same and old == new else found


def _related(curies: Collection[str], ontology: Ontology) -> set[tuple[str, str]]:
    wanted = set(curies)
    pairs: set[tuple[str, str]] = set()
    for curie in curies:
        for ancestor in ontology.ancestors(curie).keys() & wanted:
            if ancestor != curie:
                pairs |= {(curie, ancestor), (ancestor, curie)}
    return pairs


def _place(answer: str, reference: str, ontology: Ontology) -> tuple[str, int | None]:
    down = ontology.distance(answer, reference)
    if down is not None:
        return "descendant", down
    up = ontology.distance(reference, answer)
    return ("ancestor", up) if up is not None else ("unrelated", None)


def _pair_drift(answer: str, reference: str, before: Ontology, after: Ontology) -> PairDrift | None:
    old, new = _place(answer, reference, before), _place(answer, reference, after)
    if old == new:
        return None
    return PairDrift(
        answer=answer,
        reference=reference,
        relationship_before=old[0],
        relationship_after=new[0],
        hops_before=old[1],
        hops_after=new[1],
    )
