"""A reference made ready, so that many answers can be held against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from scoring.facts import Given, home_of, loaded
from scoring.hierarchy import NOTHING_IN_COMMON, Likeness, likeness
from scoring.ontology import Ontology
from scoring.strict_term import read_strictly
from scoring.term_answer import Answer, standing


class Relation(NamedTuple):
    """How an answer stands to a reference in the hierarchy.

    `relationship` is exact, descendant, ancestor, unrelated or cross_ontology, `hops` the
    is_a steps of the first three, `hierarchy` their worth in [0, 1].
    """

    relationship: str
    hops: int | None
    hierarchy: float
    likeness: Likeness


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """A reference: what was read, where it counts, and what makes it suspect."""

    label: str | None
    curie: str | None
    home: Ontology | None
    reasons: tuple[str, ...]


@lru_cache(maxsize=1 << 16)
def read_target(text: str, given: Given) -> Target:
    """Read a reference by the strict rule."""
    parsed = read_strictly(text)
    if parsed.curie is None:
        return Target(label=None, curie=None, home=None, reasons=("reference_unread",))
    home = home_of(parsed.curie, given)
    problem = standing(parsed.curie, home)
    return Target(
        label=parsed.label,
        curie=parsed.curie,
        home=home,
        reasons=(f"reference_{problem}",) if problem else (),
    )


@lru_cache(maxsize=1 << 17)
def relate(curie: str, truth: str, given: Given, slot: str) -> Relation:
    """Hold the CURIE of an answer against that of a reference."""
    home, truth_home = home_of(curie, given), home_of(truth, given)
    common = _meeting_place(curie, home, truth, truth_home, given)
    found = likeness(curie, truth, common, slot) if common is not None else NOTHING_IN_COMMON
    if curie == truth:
        return Relation("exact", 0, 1.0, found)
    if home is None or truth_home is None:
        return Relation("unrelated", None, 0.0, found)
    if common is None:
        return Relation("cross_ontology", None, 0.0, found)
    down = common.distance(curie, truth)
    if down is not None:
        return Relation("descendant", down, max(0.0, 1.0 - 0.10 * down), found)
    up = common.distance(truth, curie)
    if up is not None:
        return Relation("ancestor", up, max(0.0, 1.0 - 0.15 * up), found)
    return Relation("unrelated", None, 0.0, found)


def _meeting_place(
    curie: str,
    home: Ontology | None,
    truth: str,
    truth_home: Ontology | None,
    given: Given,
) -> Ontology | None:
    """Where two CURIEs are compared: their common home, or an ontology that relates them.

    ENVO imports PO terms and hangs some FOODON terms below them: those are related there.
    """
    if home is None or truth_home is None:
        return None
    if home is truth_home:
        return home
    for ontology in loaded(given):
        if truth in ontology.ancestors(curie) or curie in ontology.ancestors(truth):
            return ontology
    return None


def read_accepted(accepted: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """CURIE and weight of further references; ValueError names one that cannot be used."""
    read: list[tuple[str, float]] = []
    for text, weight in accepted.items():
        curie = read_strictly(text).curie or read_strictly(f"accepted [{text}]").curie
        if curie is None:
            raise ValueError(f"accepted reference {text!r}: expected `label [CURIE]` or a CURIE")
        if not 0 < weight <= 1:
            raise ValueError(f"accepted reference {text!r}: weight {weight} is not in (0, 1]")
        read.append((curie, weight))
    return tuple(read)


def best_likeness(
    answer: Answer,
    found: Likeness,
    accepted: Sequence[tuple[str, float]],
    given: Given,
    slot: str,
) -> Likeness:
    """The best weight x F1 over the accepted references, each figure times its weight."""
    best = found
    for curie, weight in accepted:
        other = relate(answer.curie, curie, given, slot).likeness
        if weight * other.f1 > best.f1:
            best = Likeness(*(weight * figure for figure in other))
    return best
