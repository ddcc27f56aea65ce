"""Reading the facts out of an OBO-Graph document, the JSON form of an ontology."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.ontology import Ontology, Term, as_curie, release_date

_REPLACED_BY = ("IAO_0100001", "IAO:0100001")
_CONSIDER = ("consider",)
_SCOPES = {
    "hasExactSynonym": "EXACT",
    "hasBroadSynonym": "BROAD",
    "hasNarrowSynonym": "NARROW",
    "hasRelatedSynonym": "RELATED",
}


def parse_obograph(document: Mapping[str, Any], *, name: str = "", sha256: str = "") -> Ontology:
    """Read an OBO-Graph document into an `Ontology`; all its graphs count as one.

    IRIs of the OBO library become CURIEs, others stay as they are. `name` overrides the
    name in the first graph's id. Raises ValueError for a document that is no OBO-Graph.
    """
    graphs = document.get("graphs")
    if not isinstance(graphs, list) or not graphs:
        raise ValueError('no list "graphs": is this an OBO-Graph document?')
    parents: dict[str, list[str]] = {}
    for edge in _each(graphs, "edges"):
        if edge.get("pred") == "is_a":
            parents.setdefault(as_curie(str(edge["sub"])), []).append(as_curie(str(edge["obj"])))
    terms: dict[str, Term] = {}
    for node in _each(graphs, "nodes"):
        if node.get("type", "CLASS") == "CLASS" and "id" in node:
            term = _term(node, parents)
            terms.setdefault(term.id, term)
    if not terms:
        raise ValueError("no class among the nodes: is this an OBO-Graph document?")
    return Ontology(
        terms.values(),
        name=name or _name(str(graphs[0].get("id", ""))),
        release=release_date(str((graphs[0].get("meta") or {}).get("version", ""))),
        sha256=sha256,
    )


def _name(iri: str) -> str:
    return iri.rpartition("/")[2].partition(".")[0]


def _each(graphs: list[Any], kind: str) -> Iterator[Mapping[str, Any]]:
    for graph in graphs:
        yield from graph.get(kind) or ()


def _term(node: Mapping[str, Any], parents: Mapping[str, list[str]]) -> Term:
    curie = as_curie(str(node["id"]))
    meta = node.get("meta") or {}
    values = [
        (str(value.get("pred", "")), as_curie(str(value.get("val", ""))))
        for value in meta.get("basicPropertyValues") or ()
    ]
    return Term(
        id=curie,
        label=str(node.get("lbl") or ""),
        parents=tuple(dict.fromkeys(parents.get(curie, ()))),
        synonyms=tuple(
            dict.fromkeys(
                (str(synonym["val"]), _SCOPES.get(str(synonym.get("pred")), "RELATED"))
                for synonym in meta.get("synonyms") or ()
            )
        ),
        obsolete=bool(meta.get("deprecated", False)),
        replaced_by=_named(values, _REPLACED_BY),
        consider=_named(values, _CONSIDER),
    )


def _named(values: list[tuple[str, str]], endings: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for key, value in values if key.endswith(endings)))
