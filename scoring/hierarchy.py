"""Precision, recall and F1 of two sets, and how alike two terms of an ontology are."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from typing import NamedTuple

from scoring.ontology import Ontology

BRANCH_ROOTS = {
    "env_broad_scale": "ENVO:00000428",
    "env_local_scale": "ENVO:01000813",
    "env_medium": "ENVO:00010483",
}


class SetScore(NamedTuple):
    """Precision, recall and F1, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


class Likeness(NamedTuple):
    """Hierarchical precision, recall and F1 of two terms and their Lin similarity, in [0, 1]."""

    precision: float
    recall: float
    f1: float
    lin: float


NO_OVERLAP = SetScore(0.0, 0.0, 0.0)
NOTHING_IN_COMMON = Likeness(0.0, 0.0, 0.0, 0.0)
SAME = Likeness(1.0, 1.0, 1.0, 1.0)


def count_score(common: int, only_answer: int, only_reference: int) -> SetScore | None:
    """Precision, recall and F1 from counts of set members, of one pair of sets or pooled over many.

    None where there is nothing to count; else what is undefined is 0.
    """
    answer, reference = common + only_answer, common + only_reference
    if not answer and not reference:
        return None
    return SetScore(
        common / answer if answer else 0.0,
        common / reference if reference else 0.0,
        2 * common / (answer + reference),
    )


def set_score(answer: Set[str], reference: Set[str]) -> SetScore:
    """Precision, recall and F1 of a set against another; all 0 where either is empty.

    Over sets of ancestors these are the hierarchical measures of Kiritchenko et al. (2005).
    """
    common = len(answer & reference)
    score = count_score(common, len(answer) - common, len(reference) - common)
    return score or NO_OVERLAP


@lru_cache(maxsize=1 << 17)
def likeness(answer: str, reference: str, ontology: Ontology, slot: str) -> Likeness:
    """How much an answer has in common with a reference, both CURIEs of one ontology.

    Sets are the term and its is_a ancestors within the slot's branch, the branch root
    itself left out. Broad scale and medium: nothing in common where either term lies
    outside the branch. Local scale, and an ontology without the slot's branch: sets over
    the whole ontology, every parentless term left out. An id that the release lacks or
    calls obsolete has nothing in common with any term.
    """
    if not (ontology.is_live(answer) and ontology.is_live(reference)):
        return NOTHING_IN_COMMON
    if answer == reference and slot == "env_local_scale":
        return SAME
    root = _common_root(answer, reference, ontology, slot)
    if root is not None and not (
        root in ontology.ancestors(answer) and root in ontology.ancestors(reference)
    ):
        return NOTHING_IN_COMMON
    if answer == reference:
        return SAME
    above_answer = lineage(answer, ontology, root)
    above_reference = lineage(reference, ontology, root)
    common = above_answer & above_reference
    if not common:
        return NOTHING_IN_COMMON
    # Seco et al. (2004): information from the number of descendants alone.
    shared = max([content(term, ontology, root) for term in common])
    total = content(answer, ontology, root) + content(reference, ontology, root)
    lin = 2 * shared / total if total else 0.0
    return Likeness(*set_score(above_answer, above_reference), lin)


@lru_cache(maxsize=1 << 15)
def lineage(curie: str, ontology: Ontology, root: str | None) -> frozenset[str]:
    """A term and its ancestors below a root; without a root, all but those without a parent."""
    ancestors = ontology.ancestors(curie).keys()
    if root is None:
        return frozenset(ancestors - ontology.roots)
    return frozenset(
        ancestor
        for ancestor in ancestors
        if ancestor != root and root in ontology.ancestors(ancestor)
    )


@lru_cache(maxsize=1 << 15)
def content(curie: str, ontology: Ontology, root: str | None) -> float:
    """The information content of a term within the branch of a root, or in all."""
    return ontology.information_content(curie, root=root)


def in_branch(curie: str, ontology: Ontology, slot: str) -> bool:
    """Whether a term lies in the slot's branch, root included.

    An ontology without that branch is its own: there every live term does, but for
    env_broad_scale, which takes biomes alone.
    """
    root = BRANCH_ROOTS[slot]
    if root in ontology:
        return root in ontology.ancestors(curie)
    return slot != "env_broad_scale" and ontology.is_live(curie)


def _common_root(answer: str, reference: str, ontology: Ontology, slot: str) -> str | None:
    root = BRANCH_ROOTS[slot]
    if slot == "env_broad_scale":
        return root
    if root not in ontology:
        return None
    if slot == "env_local_scale" and not (
        root in ontology.ancestors(answer) and root in ontology.ancestors(reference)
    ):
        return None
    return root
