"""The packaged facts: ENVO, the Plant Ontology, and the allowed values of the templates."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scoring.ontology import Ontology, Term

Ontologies = Ontology | Sequence[Ontology]
Given = Ontology | tuple[Ontology, ...]

# Beside this package, in a checkout as in an installation.
_DATA = Path(__file__).resolve().parents[1] / "enum_data"

SLOTS = ("env_broad_scale", "env_local_scale", "env_medium")
SHIPPED = ("envo", "po")


@cache
def load_ontology(name: str) -> Ontology:
    """The shipped facts of one ontology, "envo" or "po"; read once a process.

    Raises ValueError for any other name: `curieval.open_ontology` opens those.
    """
    if name not in SHIPPED:
        raise ValueError(
            f"no facts of an ontology {name!r} are shipped, only of {' and '.join(SHIPPED)}; "
            "open any other with curieval.open_ontology"
        )
    about = json.loads((_DATA / f"{name}.json").read_text(encoding="utf-8"))
    lines = gzip.decompress((_DATA / f"{name}.jsonl.gz").read_bytes()).decode()
    return Ontology(
        read_facts(lines),
        name=name,
        release=about["release"],
        sha256=about["source_sha256"],
    )


def read_facts(lines: str) -> list[Term]:
    """Terms from facts of one JSON object a line, as `facts_line` writes them."""
    rows = json.loads("[" + ",".join(filter(None, lines.split("\n"))) + "]")
    return [
        Term(
            row["id"],
            row["label"],
            tuple(row.get("is_a", ())),
            tuple((text, scope) for text, scope in row.get("synonyms", ())),
            row.get("obsolete", False),
            tuple(row.get("replaced_by", ())),
            tuple(row.get("consider", ())),
        )
        for row in rows
    ]


def facts_line(term: Term) -> str:
    """One term as one line of JSON, as `read_facts` reads it; what a term lacks is left out."""
    row: dict[str, Any] = {"id": term.id, "label": term.label}
    if term.parents:
        row["is_a"] = term.parents
    if term.synonyms:
        row["synonyms"] = term.synonyms
    if term.obsolete:
        row["obsolete"] = True
    if term.replaced_by:
        row["replaced_by"] = term.replaced_by
    if term.consider:
        row["consider"] = term.consider
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


@cache
def _value_sets() -> Mapping[tuple[str, str], Mapping[str, str]]:
    sets: dict[tuple[str, str], Mapping[str, str]] = {}
    for entry in _DATA.iterdir():
        stem, dot, suffix = entry.name.rpartition(".")
        slot = next((slot for slot in SLOTS if stem.endswith(f"_{slot}")), None)
        if not dot or suffix != "tsv" or slot is None:
            continue
        header, *rows = entry.read_text(encoding="utf-8").splitlines()
        if header != "id\tlabel":
            raise ValueError(f"{entry.name}:1: expected the columns id and label, found {header!r}")
        values = dict(row.split("\t") for row in rows)
        sets[stem.removesuffix(f"_{slot}"), slot] = MappingProxyType(values)
    return MappingProxyType(sets)


@lru_cache(maxsize=1024)
def allowed_values(template: str | None, slot: str) -> Mapping[str, str] | None:
    """The values that a template allows in a slot, CURIE to label; None where it has no set.

    Raises ValueError for a slot that is none of the environmental triad.
    """
    check_slot(slot)
    return _value_sets().get((template or "", slot))


def is_allowed_anywhere(curie: str, slot: str) -> bool:
    """Whether some template's value set of this slot holds the CURIE."""
    return any(curie in values for (_, of), values in _value_sets().items() if of == slot)


def all_allowed_values() -> Mapping[str, frozenset[str]]:
    """Every CURIE of the shipped value sets, with the `template slot` that allow it."""
    users: dict[str, set[str]] = {}
    for (template, slot), values in sorted(_value_sets().items()):
        for curie in values:
            users.setdefault(curie, set()).add(f"{template} {slot}")
    return {curie: frozenset(names) for curie, names in sorted(users.items())}


def check_slot(slot: str) -> None:
    """Raise ValueError for a slot that is none of the environmental triad."""
    if slot not in SLOTS:
        raise ValueError(f"no slot {slot!r}: use one of {', '.join(SLOTS)}")


def as_given(ontologies: Ontologies) -> Given:
    """One ontology or several, in a form that can be looked up by."""
    return ontologies if isinstance(ontologies, Ontology) else tuple(ontologies)


def loaded(ontologies: Given) -> tuple[Ontology, ...]:
    """One ontology or several, as several."""
    return (ontologies,) if isinstance(ontologies, Ontology) else ontologies


@lru_cache(maxsize=1 << 15)
def home_of(curie: str, ontologies: Given) -> Ontology | None:
    """The ontology in which a CURIE counts; None where none that is loaded can tell.

    That is the one whose own prefix it carries, or for PO the shipped facts, even where
    the id is unknown there; else the first that imports the id.
    """
    given = loaded(ontologies)
    prefix = curie.partition(":")[0]
    own = [ontology for ontology in given if ontology.prefix == prefix]
    if not own and prefix == "PO":
        own = [load_ontology("po")]
    for ontology in (*own, *given):
        if curie in ontology:
            return ontology
    return own[0] if own else None
