"""Decodes a judge's JSON with number literals, doubled keys and their places kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_START = re.compile(r"\{\s*[\"}]")
_MOST_STARTS = 64


class NumberText(str):
    """A JSON number as it was written; NaN and Infinity are none."""


class Pairs(list[tuple[str, object]]):
    """A JSON object as its pairs, so that a doubled key is seen."""

    def under(self, *names: str) -> list[object]:
        """The values under keys that have one of the names once case, blanks and `_-` are gone."""
        return [value for key, value in self if re.sub(r"[\s_-]", "", key.lower()) in names]

    def exactly(self, name: str) -> list[object]:
        """The values under one key, letter by letter."""
        return [value for key, value in self if key == name]

    def parts(self) -> Iterator[Pairs]:
        """The objects within this one."""
        for _, value in self:
            yield from _objects_in(value)


def _objects_in(value: object) -> Iterator[Pairs]:
    if isinstance(value, Pairs):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _objects_in(part)


_DECODER = json.JSONDecoder(
    object_pairs_hook=Pairs,
    parse_int=NumberText,
    parse_float=NumberText,
    parse_constant=lambda name: None,
)


def decode(text: str) -> object:
    """The JSON value that the whole text is; None if it is none."""
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def take_objects(text: str) -> tuple[list[Pairs], str]:
    """The JSON objects in a text, and the text without them."""
    objects: list[Pairs] = []
    rest: list[str] = []
    place = begin = 0
    for _ in range(_MOST_STARTS):
        start = _START.search(text, begin)
        if start is None:
            break
        begin = start.end()
        try:
            document, end = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        objects.append(document)
        rest.append(text[place : start.start()])
        place = begin = end
    return objects, " ".join([*rest, text[place:]])
