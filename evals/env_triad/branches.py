"""The branch of a slot's ontology that a term lies in: a child of the branch's root."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from scoring import Ontology, TermScore
from scoring.facts import home_of
from scoring.hierarchy import BRANCH_ROOTS

UNKNOWN = "not in the ontology"


def branch_columns(
    score: TermScore, slot: str, ontologies: tuple[Ontology, ...]
) -> Mapping[str, str | None]:
    """`truth_branch` and `pred_branch`, labels of children of the slot's root; None if unread.

    A term below several children counts in the one with most terms; an answer in the
    reference's wherever it lies below that too, or shares a branch and stands above or below the
    reference. The root itself goes by its own label, a term that does not lie below it by
    `outside <root>`.
    """
    truth, answer = (
        branches_of(curie, slot, ontologies) if curie else ()
        for curie in (score.truth_curie, score.pred_curie)
    )
    own = truth[0] if truth else None
    above_or_below = score.relationship in ("ancestor", "descendant") and {*truth} & {*answer}
    other = own if own in answer or above_or_below else next(iter(answer), None)
    return {"truth_branch": own, "pred_branch": other}


@lru_cache(maxsize=1 << 14)
def branches_of(curie: str, slot: str, ontologies: tuple[Ontology, ...]) -> tuple[str, ...]:
    """Labels of the slot's branches that a term lies in, those with most terms first."""
    root = BRANCH_ROOTS[slot]
    home = home_of(curie, ontologies)
    if home is None or curie not in home:
        return (UNKNOWN,)
    above = home.ancestors(curie)
    if root not in above:
        top = home_of(root, ontologies)
        return (f"outside {(top and top.label(root)) or root}",)
    if curie == root:
        return (home.label(root) or root,)
    children = [term for term in above if root in home.parents(term)]
    children.sort(key=lambda term: (-home.descendant_count(term), term))
    return tuple(home.label(term) or term for term in children)
