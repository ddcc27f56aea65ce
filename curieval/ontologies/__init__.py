"""Opening ontologies: shipped facts, files, addresses and oaklib selectors, all as facts."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from pathlib import Path

from curieval.models.errors import ConfigError
from curieval.ontologies.cache import cache_folder, cached_facts, keep_facts
from curieval.ontologies.download import download
from scoring.facts import SHIPPED, load_ontology
from scoring.obo import parse_obo
from scoring.obograph import parse_obograph
from scoring.ontology import Ontology

__all__ = ["open_ontology"]

_SELECTOR = re.compile(r"[a-z][a-z0-9]+:")
_HINT = (
    "give envo, po, an OBO or OBO-Graph file (.gz too), its address, or an oaklib selector "
    "such as simpleobo:FILE, sqlite:FILE or sqlite:obo:envo"
)


def open_ontology(
    source: str | Path, *, cache: Path | None = None, refresh: bool = False
) -> Ontology:
    """Open an ontology as facts: labels, synonyms, is_a, what is obsolete.

    `source` is "envo" or "po" (shipped), a path to an OBO or OBO-Graph file (.gz too), an
    http(s) address of one, or an oaklib selector (simpleobo:FILE, sqlite:FILE,
    sqlite:obo:NAME, ...). Facts are kept in `cache` (by default the user's cache folder)
    under the sha256 of the document, so that opening the same again needs neither oaklib
    nor the network; `refresh` downloads anew. Raises ConfigError for what cannot be
    opened, with the reason and what to do.
    """
    text = str(source)
    folder = cache_folder(cache)
    if text in SHIPPED:
        return load_ontology(text)
    if text.startswith(("http://", "https://")):
        return _open_file(download(text, folder, refresh=refresh), folder)
    # The OBO parser here gives the facts that oaklib's simpleobo gives, without its 20 s.
    text = text.removeprefix("simpleobo:")
    if _SELECTOR.match(text) and not Path(text).exists():
        from curieval.ontologies.oak import open_selector

        return open_selector(text, folder, refresh=refresh)
    path = Path(text).expanduser()
    if not path.is_file():
        raise ConfigError(f"no ontology {text!r}: there is no such file; {_HINT}")
    return _open_file(path, folder)


def _open_file(path: Path, folder: Path) -> Ontology:
    try:
        raw = path.read_bytes()
        document = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    except (OSError, EOFError, zlib.error) as error:
        raise ConfigError(f"{path}: cannot be read as an ontology file: {error}") from error
    sha256 = hashlib.sha256(document).hexdigest()
    known = cached_facts(folder, sha256)
    if known is not None:
        return known
    ontology = _parse(path, document, sha256)
    keep_facts(folder, ontology)
    return ontology


def _parse(path: Path, document: bytes, sha256: str) -> Ontology:
    stem = path.name.partition(".")[0]
    try:
        text = document.decode("utf-8-sig")
        if text.lstrip()[:1] == "{":
            ontology = parse_obograph(json.loads(text), sha256=sha256)
        elif text.lstrip()[:1] == "<":
            raise ConfigError(
                f"{path}: this is XML (OWL?); convert it to OBO or OBO-Graph JSON, for "
                "instance with `robot convert`, or open its sqlite form by sqlite:FILE"
            )
        else:
            ontology = parse_obo(text.split("\n"), sha256=sha256)
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: byte {error.start} is not UTF-8; {_HINT}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    ontology.name = ontology.name or stem
    return ontology
