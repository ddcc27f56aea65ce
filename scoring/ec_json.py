"""Finds what a reply gives as JSON under a key that names EC numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_KEYS = re.compile(r"ec(?:s|(?:number|code|no)s?)?|enzymecommission(?:numbers?)?")
_HAS_KEY = re.compile(r'"[\s_]*(?:e\.?c|enzyme)', re.I)
_START = re.compile(r"[\[{]")
_MOST_STARTS = 64


class _Pairs(list[tuple[str, object]]):
    """An object of JSON with doubled keys kept."""


_DECODER = json.JSONDecoder(object_pairs_hook=_Pairs)


def json_values(text: str) -> list[object] | None:
    """All values under EC keys, lists taken apart; None where no JSON has such a key."""
    if '"' not in text or "{" not in text or not _HAS_KEY.search(text):
        return None
    values: list[object] = []
    keyed = False
    try:
        for document in _documents(text):
            for value in _keyed_values(document):
                keyed = True
                values.extend(_flat(value))
    except RecursionError:
        return None
    return values if keyed else None


def _documents(text: str) -> Iterator[object]:
    place = 0
    for _ in range(_MOST_STARTS):
        start = _START.search(text, place)
        if start is None:
            return
        try:
            document, place = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            place = start.end()
            continue
        yield document


def _keyed_values(document: object) -> Iterator[object]:
    if isinstance(document, _Pairs):
        for key, value in document:
            if _KEYS.fullmatch(re.sub(r"[^a-z]", "", key.lower())):
                yield value
            else:
                yield from _keyed_values(value)
    elif isinstance(document, list):
        for value in document:
            yield from _keyed_values(value)


def _flat(value: object) -> Iterator[object]:
    if isinstance(value, _Pairs):
        for _, part in value:
            yield from _flat(part)
    elif isinstance(value, list):
        for part in value:
            yield from _flat(part)
    else:
        yield value
