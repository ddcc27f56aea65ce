"""Reading the facts out of an OBO file: labels, is_a parents, synonyms, what replaces what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scoring.ontology import Ontology, Term, as_curie, release_date

_ESCAPES = {"n": "\n", "t": "\t", "W": " "}
_ESCAPED = re.compile(r"\\(.)")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*([A-Z]+)?')
_SCOPES = frozenset({"EXACT", "BROAD", "NARROW", "RELATED"})


@dataclass(kw_only=True)
class _Stanza:
    line: int
    id: str = ""
    label: str = ""
    parents: list[str]
    synonyms: list[tuple[str, str]]
    obsolete: bool = False
    replaced_by: list[str]
    consider: list[str]


def parse_obo(lines: Iterable[str], *, name: str = "", sha256: str = "") -> Ontology:
    """Read an OBO 1.2 or 1.4 document into an `Ontology`; definitions and relations are skipped.

    `name` overrides the document's own `ontology:` header, `sha256` identifies its bytes.
    Raises ValueError with the line number where a [Term] has no id, or no term is found.
    """
    header: dict[str, str] = {}
    terms = [_term(stanza) for stanza in _stanzas(lines, header)]
    if not terms:
        raise ValueError("no [Term] stanza found: is this an OBO file?")
    return Ontology(
        terms,
        name=name or header.get("ontology", ""),
        release=release_date(header.get("data-version", "")),
        sha256=sha256,
    )


def _stanzas(lines: Iterable[str], header: dict[str, str]) -> Iterator[_Stanza]:
    current: _Stanza | None = None
    in_header = True
    for number, raw in enumerate(lines, start=1):
        line = raw.strip()
        if line.startswith("["):
            in_header = False
            if current is not None:
                yield _complete(current)
            current = None
            if line == "[Term]":
                current = _Stanza(line=number, parents=[], synonyms=[], replaced_by=[], consider=[])
            continue
        tag, colon, value = line.partition(":")
        if not colon:
            continue
        if in_header:
            header.setdefault(tag, value.strip())
        elif current is not None:
            _read_tag(current, tag, value.strip())
    if current is not None:
        yield _complete(current)


def _complete(stanza: _Stanza) -> _Stanza:
    if not stanza.id:
        raise ValueError(f"line {stanza.line}: a [Term] without an id")
    return stanza


def _read_tag(stanza: _Stanza, tag: str, value: str) -> None:
    if tag == "id":
        stanza.id = _first_word(value)
    elif tag == "name":
        stanza.label = stanza.label or _unescape(value)
    elif tag == "is_a":
        stanza.parents.append(_first_word(value))
    elif tag == "synonym":
        quoted = _QUOTED.match(value)
        if quoted:
            scope = quoted.group(2) if quoted.group(2) in _SCOPES else "RELATED"
            stanza.synonyms.append((_unescape(quoted.group(1)), scope))
    elif tag == "is_obsolete":
        stanza.obsolete = _first_word(value) == "true"
    elif tag == "replaced_by":
        stanza.replaced_by.append(_first_word(value))
    elif tag == "consider":
        stanza.consider.append(_first_word(value))


def _first_word(value: str) -> str:
    return as_curie(_unescape(value.split(None, 1)[0])) if value else ""


def _unescape(value: str) -> str:
    if "\\" not in value:
        return value
    return _ESCAPED.sub(lambda found: _ESCAPES.get(found.group(1), found.group(1)), value)


def _term(stanza: _Stanza) -> Term:
    return Term(
        id=stanza.id,
        label=stanza.label,
        parents=tuple(dict.fromkeys(stanza.parents)),
        synonyms=tuple(dict.fromkeys(stanza.synonyms)),
        obsolete=stanza.obsolete,
        replaced_by=tuple(dict.fromkeys(stanza.replaced_by)),
        consider=tuple(dict.fromkeys(stanza.consider)),
    )
