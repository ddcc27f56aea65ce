"""Builds the semantic-sql database of an ontology's facts, as oaklib's sqlite adapter reads it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from scoring import Ontology

_SCOPE_NAMES = {"EXACT": "Exact", "BROAD": "Broad", "NARROW": "Narrow", "RELATED": "Related"}
Row = tuple[str, str, str | None, str | None, str | None]


def write_semsql(ontology: Ontology, path: Path) -> None:
    """Write labels, is_a and what follows from it, synonyms and obsoletion into a new database."""
    schema = files("semsql").joinpath("builder/sql_schema/semsql.sql").read_text(encoding="utf-8")
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(schema)
        connection.executemany(
            "INSERT INTO statements (subject, predicate, object, value, datatype) "
            "VALUES (?, ?, ?, ?, ?)",
            _statements(ontology),
        )
        connection.executemany(
            "INSERT INTO entailed_edge (subject, predicate, object) "
            "VALUES (?, 'rdfs:subClassOf', ?)",
            (
                (curie, ancestor)
                for curie in ontology
                if ontology.is_live(curie)
                for ancestor in ontology.ancestors(curie)
            ),
        )
        for table, column in (
            ("statements", "subject"),
            ("statements", "predicate"),
            ("statements", "object"),
            ("entailed_edge", "subject"),
            ("entailed_edge", "object"),
        ):
            connection.execute(f"CREATE INDEX {table}_{column} ON {table} ({column})")
    connection.close()


def _statements(ontology: Ontology) -> Iterator[Row]:
    head = f"obo:{ontology.name}.owl"
    yield head, "rdf:type", "owl:Ontology", None, None
    yield head, "owl:versionInfo", None, ontology.release, "xsd:string"
    for curie in ontology:
        term = ontology.term(curie)
        if term is None:
            continue
        yield curie, "rdf:type", "owl:Class", None, None
        if term.label:
            yield curie, "rdfs:label", None, term.label, "xsd:string"
        for parent in term.parents:
            yield curie, "rdfs:subClassOf", parent, None, None
        for text, scope in term.synonyms:
            yield curie, f"oio:has{_SCOPE_NAMES[scope]}Synonym", None, text, "xsd:string"
        if term.obsolete:
            yield curie, "owl:deprecated", None, "true", "xsd:boolean"
        for successor in term.replaced_by:
            yield curie, "IAO:0100001", successor, None, None
        for other in term.consider:
            yield curie, "oio:consider", other, None, None
