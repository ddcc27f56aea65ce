"""Facts of ontologies that were opened before, one gzipped file for each document."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import tempfile
import zlib
from pathlib import Path

from scoring.facts import facts_line, read_facts
from scoring.ontology import Ontology

# Part of each name, so that facts of another form are never read.
_FORM = 1


def cache_folder(folder: Path | None) -> Path:
    """The folder for ontologies: the one given, or below the user's cache folder."""
    if folder is not None:
        return folder
    import platformdirs

    return platformdirs.user_cache_path("curieval", appauthor=False) / "ontologies"


def cached_facts(folder: Path, sha256: str) -> Ontology | None:
    """The facts kept under the checksum of their document, None where there are none.

    A file that cannot be read counts as none: it is written anew.
    """
    path = _path(folder, sha256)
    try:
        head, _, lines = gzip.decompress(path.read_bytes()).decode().partition("\n")
        about = json.loads(head)
        if about["sha256"] != sha256:
            return None
        return Ontology(
            read_facts(lines), name=about["name"], release=about["release"], sha256=sha256
        )
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError):
        return None


def keep_facts(folder: Path, ontology: Ontology) -> None:
    """Keep facts for the next time; where the folder cannot be written, do without."""
    about = {"name": ontology.name, "release": ontology.release, "sha256": ontology.sha256}
    terms = (ontology.term(curie) for curie in ontology)
    lines = [json.dumps(about), *(facts_line(term) for term in terms if term is not None)]
    with contextlib.suppress(OSError):
        write_whole(
            _path(folder, ontology.sha256), gzip.compress("\n".join(lines).encode(), mtime=0)
        )


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a reader finds all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _path(folder: Path, sha256: str) -> Path:
    return folder / f"{sha256[:32]}-{_FORM}.jsonl.gz"
