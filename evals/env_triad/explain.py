"""Why an answer got its score: the way through the ontology from the answer to the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring import Ontology, load_ontology

RELATIONS = {
    "exact": "the same term",
    "descendant": "the answer is more specific than the reference",
    "ancestor": "the answer is more general than the reference",
    "unrelated": "neither term is above the other",
    "cross_ontology": "the terms stand in different ontologies and have nothing in common",
}


def explain(
    record: Mapping[str, Any], ontologies: Sequence[Ontology] | None = None
) -> Mapping[str, Any] | None:
    """The relation in words, and the path over the nearest term that both stand under."""
    scores = record["scores"]
    answer, reference = scores.get("pred_curie"), scores.get("truth_curie")
    if not scores.get("parse_success"):
        return {"text": "the answer does not have the form `label [CURIE]`"}
    relation = RELATIONS.get(scores.get("relationship"), "")
    ontology = _home(answer, reference, ontologies)
    if ontology is None:
        return {"text": relation or "the answer's id is not in the ontology"}
    shared = _nearest_shared(ontology, answer, reference)
    if shared is None:
        return {"text": relation}
    return {
        "text": relation,
        "up": _path(ontology, answer, shared)[:-1],
        "shared": ontology.label(shared) or shared,
        "down": _path(ontology, reference, shared)[-2::-1],
    }


def _home(answer: str, reference: str, ontologies: Sequence[Ontology] | None) -> Ontology | None:
    for ontology in ontologies or (load_ontology("envo"), load_ontology("po")):
        if answer in ontology and reference in ontology:
            return ontology
    return None


def _nearest_shared(ontology: Ontology, answer: str, reference: str) -> str | None:
    up, down = ontology.ancestors(answer), ontology.ancestors(reference)
    return min(
        up.keys() & down.keys(),
        key=lambda term: (up[term] + down[term], down[term], term),
        default=None,
    )


def _path(ontology: Ontology, start: str, end: str) -> Sequence[str]:
    """Labels of a shortest is_a path, both ends included."""
    labels = [ontology.label(start) or start]
    while start != end:
        start = min(
            ontology.parents(start),
            key=lambda parent: (ontology.ancestors(parent).get(end, len(ontology)), parent),
        )
        labels.append(ontology.label(start) or start)
    return labels
