"""The ontologies that answers are scored against: those shipped, or a user's in their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from curieval.models.errors import ConfigError
from curieval.ontologies import open_ontology
from curieval.ontologies.cache import cache_folder, cached_facts
from scoring.facts import SHIPPED, load_ontology
from scoring.ontology import Ontology


@cache
def in_force(sources: tuple[str, ...] = ()) -> tuple[Ontology, ...]:
    """ENVO and PO as shipped, each giving way to the source whose own terms have its prefix.

    `sources` are what `open_ontology` takes; ontologies of other prefixes come on top.
    ConfigError for what cannot be opened, and for two sources of one prefix.
    """
    given: dict[str, Ontology] = {}
    for source in sources:
        ontology = open_ontology(source)
        if ontology.prefix in given:
            raise ConfigError(
                f"--ontology {source}: another source holds {ontology.prefix} already; "
                "name one release of each ontology"
            )
        given[ontology.prefix] = ontology
    shipped = {ontology.prefix: ontology for ontology in map(load_ontology, SHIPPED)}
    return tuple({**shipped, **given}.values())


def about(ontology: Ontology) -> dict[str, str]:
    """Name, release and sha256, as manifests write them."""
    return {"name": ontology.name, "release": ontology.release, "sha256": ontology.sha256}


def reopen(entries: Iterable[Mapping[str, Any]]) -> tuple[Ontology, ...] | None:
    """The very ontologies that a manifest names, or None where one is no longer kept."""
    folder = cache_folder(None)
    found = []
    for entry in entries:
        shipped = [each for each in map(load_ontology, SHIPPED) if each.sha256 == entry["sha256"]]
        ontology = shipped[0] if shipped else cached_facts(folder, entry["sha256"])
        if ontology is None:
            return None
        found.append(ontology)
    return tuple(found)
