"""Writes the shipped facts of an ontology from its OBO file: `write_ontology.py envo FILE.obo.gz`.

Facts are one JSON object a line, gzipped; beside them a JSON file names release, source,
licence and checksums. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
from collections.abc import Sequence
from pathlib import Path

from scoring.facts import facts_line
from scoring.obo import parse_obo
from scoring.ontology import Ontology

SOURCES = {
    "envo": {
        "title": "The Environment Ontology",
        "source": "https://github.com/EnvironmentOntology/envo (envo.obo)",
        "licence": "CC0-1.0",
        "attribution": "Environment Ontology (ENVO)",
    },
    "po": {
        "title": "Plant Ontology",
        "source": "https://github.com/Planteome/plant-ontology (po.obo)",
        "licence": "CC-BY-4.0",
        "attribution": "Plant Ontology, Planteome",
    },
}


def compress(text: str) -> bytes:
    """Gzip without name and time, so that equal text gives equal bytes."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as file:
        file.write(text.encode())
    return buffer.getvalue()


def write_ontology(name: str, obo: Path, folder: Path) -> Ontology:
    """Write `<name>.jsonl.gz` and `<name>.json` into `folder` from an OBO file (.gz too)."""
    raw = obo.read_bytes()
    document = gzip.decompress(raw) if obo.suffix == ".gz" else raw
    sha256 = hashlib.sha256(document).hexdigest()
    ontology = parse_obo(document.decode().split("\n"), name=name, sha256=sha256)
    terms = [ontology.term(curie) for curie in sorted(ontology)]
    facts = compress("".join(facts_line(term) + "\n" for term in terms if term is not None))
    about = {
        "name": name,
        **SOURCES[name],
        "release": ontology.release,
        "terms": len(ontology),
        "live_terms": ontology.live_count,
        "source_sha256": sha256,
        "facts_sha256": hashlib.sha256(facts).hexdigest(),
    }
    (folder / f"{name}.jsonl.gz").write_bytes(facts)
    (folder / f"{name}.json").write_text(json.dumps(about, indent=2) + "\n")
    return ontology


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the facts of one ontology beside this script, or into `--out`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("name", choices=sorted(SOURCES))
    parser.add_argument("obo", type=Path, help="the ontology's OBO file, plain or .gz")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    options = parser.parse_args(arguments)
    ontology = write_ontology(options.name, options.obo, options.out)
    print(f"{options.name} {ontology.release}: {len(ontology)} terms")


if __name__ == "__main__":
    main()
