"""Reading facts through oaklib, for any selector that it knows.

Importing oaklib takes seconds: nothing here is touched when the facts are in the cache.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from curieval.models.errors import ConfigError
from curieval.ontologies.cache import cached_facts, keep_facts
from scoring.ontology import Ontology, Term, as_curie, release_date

_IS_A = "rdfs:subClassOf"
_CLASS = "owl:Class"
_SCOPES = {
    "oio:hasExactSynonym": "EXACT",
    "oio:hasBroadSynonym": "BROAD",
    "oio:hasNarrowSynonym": "NARROW",
    "oio:hasRelatedSynonym": "RELATED",
}
_REPLACED_BY = "IAO:0100001"
_AT_ONCE = 500
_OF_SQLITE = "sqlite:obo:"


def open_selector(selector: str, folder: Path, *, refresh: bool = False) -> Ontology:
    """The facts behind an oaklib selector, from the cache where the file is known.

    A database that sqlite:obo:NAME downloaded once is used for good, though oaklib itself
    asks the network again after a month. Raises ConfigError with oaklib's reason.
    """
    database = _downloaded(selector)
    if database is not None and database.is_file() and not refresh:
        selector = f"sqlite:{database}"
    path = _file_of(selector)
    if path is not None and not path.is_file():
        raise ConfigError(f"{selector}: there is no file {path}")
    if path is not None and path.suffix == ".gz":
        raise ConfigError(f"{selector}: oaklib reads no .gz; unzip it, or give an OBO path alone")
    if path is not None:
        known = cached_facts(folder, _sha256(path))
        if known is not None:
            return known
    adapter = _adapter(selector)
    if path is None and database is not None:
        path = database
    sha256 = _sha256(path) if path is not None else ""
    try:
        ontology = read_adapter(adapter, name=_name(selector, path), sha256=sha256)
    except Exception as error:
        raise ConfigError(f"{selector}: oaklib cannot read it: {error}") from error
    if not len(ontology):
        raise ConfigError(f"{selector}: oaklib finds no class in it")
    if sha256:
        keep_facts(folder, ontology)
    return ontology


def _adapter(selector: str) -> Any:  # noqa: ANN401
    try:
        with warnings.catch_warnings():
            # Its dependencies warn of their own deprecated imports.
            warnings.simplefilter("ignore")
            from oaklib import get_adapter

            return get_adapter(selector)
    except Exception as error:
        hint = (
            "; without the network, open a file instead" if selector.startswith(_OF_SQLITE) else ""
        )
        raise ConfigError(f"{selector}: oaklib cannot open it: {error}{hint}") from error


def read_adapter(adapter: Any, *, name: str, sha256: str) -> Ontology:  # noqa: ANN401
    """All classes of an oaklib adapter as facts."""
    curies = sorted(set(adapter.entities(filter_obsoletes=False, owl_type=_CLASS)))
    classes = set(curies)
    labels = dict(adapter.labels(curies))
    parents = _pairs(
        (child, parent)
        for child, predicate, parent in adapter.relationships(predicates=[_IS_A])
        if predicate == _IS_A and child in classes and parent in classes
    )
    # Ids merged into others count as obsolete to oaklib, though some are live terms.
    merged = set(adapter.obsoletes()) - set(adapter.obsoletes(include_merged=False))
    obsolete = set(adapter.obsoletes()) - {curie for curie in merged if curie in parents}
    curies = [curie for curie in curies if labels.get(curie) or curie not in obsolete]
    synonyms = _synonyms(adapter, curies)
    successors = [
        (old, predicate, as_curie(str(new).strip("<>")))
        for old, predicate, new in adapter.obsoletes_migration_relationships(sorted(obsolete))
    ]
    replaced = _pairs((old, new) for old, predicate, new in successors if predicate == _REPLACED_BY)
    consider = _pairs((old, new) for old, predicate, new in successors if predicate != _REPLACED_BY)
    terms = [
        Term(
            id=curie,
            label=str(labels.get(curie) or ""),
            parents=tuple(sorted(set(parents.get(curie, ())))),
            synonyms=tuple(sorted(set(synonyms.get(curie, ())))),
            obsolete=curie in obsolete,
            replaced_by=tuple(dict.fromkeys(replaced.get(curie, ()))),
            consider=tuple(dict.fromkeys(consider.get(curie, ()))),
        )
        for curie in curies
    ]
    return Ontology(terms, name=name, release=_release(adapter), sha256=sha256)


def _pairs(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for key, value in pairs:
        grouped.setdefault(key, []).append(value)
    return grouped


def _synonyms(
    adapter: Any,  # noqa: ANN401
    curies: list[str],
) -> dict[str, list[tuple[str, str]]]:
    from oaklib.implementations import SqlImplementation

    found: dict[str, list[tuple[str, str]]] = {}
    if isinstance(adapter, SqlImplementation):
        # One by one, each question reads the whole table: minutes for ENVO.
        for start in range(0, len(curies), _AT_ONCE):
            for curie, predicate, text, *_ in adapter.entities_metadata_statements(
                curies[start : start + _AT_ONCE], list(_SCOPES), include_nested_metadata=True
            ):
                found.setdefault(curie, []).append((str(text), _SCOPES[predicate]))
        return found
    for curie in curies:
        for predicate, texts in adapter.entity_alias_map(curie).items():
            if predicate in _SCOPES:
                pairs = [(str(text), _SCOPES[predicate]) for text in texts if text]
                found.setdefault(curie, []).extend(pairs)
    return found


def _release(adapter: Any) -> str:  # noqa: ANN401
    for ontology in adapter.ontologies():
        about = adapter.ontology_metadata_map(ontology)
        for key in ("owl:versionInfo", "owl:versionIRI"):
            for value in about.get(key) or ():
                return release_date(str(value))
    return ""


def _name(selector: str, path: Path | None) -> str:
    if path is not None:
        return path.name.partition(".")[0].partition("-2")[0]
    return selector.rpartition(":")[2]


def _file_of(selector: str) -> Path | None:
    scheme, _, rest = selector.partition(":")
    if scheme in ("sqlite", "pronto", "obograph", "fastobo", "owl") and rest:
        return None if rest.startswith("obo:") or "://" in rest else Path(rest).expanduser()
    return None


def _downloaded(selector: str) -> Path | None:
    """Where oaklib keeps the database of sqlite:obo:NAME."""
    if not selector.startswith(_OF_SQLITE):
        return None
    import pystow

    return Path(pystow.join("oaklib", name=f"{selector.removeprefix(_OF_SQLITE)}.db"))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
