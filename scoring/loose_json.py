"""Finds JSON objects in a reply, also with quotes, commas or an end that JSON does not allow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# Bounds on what a reply can cost: characters read in vain, and how deep an object may nest.
_MOST_READ_IN_VAIN = 500_000
_DEEPEST = 24

_SPACE = re.compile(r"\s*")
_KEY = re.compile(
    r"(?:[\"'“”‘’](?P<quoted>[^\"'“”‘’\n]{0,80})[\"'“”‘’]|(?P<bare>[A-Za-z_][A-Za-z0-9_-]*))\s*[:：]"
)
_BARE_VALUE = re.compile(r"[^,{}\[\]\"“”\n]+")
_STRING_END = {
    mark: re.compile(rf"\\.|[{closing}]", re.S)
    for mark, closing in {'"': '"', "'": "'", "“": '”“"', "”": "”", "‘": "’", "’": "’"}.items()
}
# What may follow a value's closing quote; a key in quotes may, where its comma was forgotten.
_AFTER_VALUE = re.compile(r"\s*(?:[,}\]]|$|[\"“'][\w -]{1,40}[\"”']\s*[:：])")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(frozen=True, slots=True)
class Cut:
    """A value that the end of the reply broke off, as far as it goes."""

    text: str


@dataclass(slots=True)
class LooseObject:
    """Keys and values in order, where they stand in the reply, and whether the object ends."""

    start: int
    end: int = 0
    complete: bool = False
    pairs: list[tuple[str, object]] = field(default_factory=list)


class _Broken(Exception):  # noqa: N818
    """No JSON at this place."""

    def __init__(self, place: int) -> None:
        self.place = place


def find_objects(text: str) -> Iterator[LooseObject]:
    """The outermost objects of a reply, first to last.

    A value is a str, a Cut, a LooseObject or a list of values; words without quotes, numbers
    and literals are str as written.
    """
    place, left = 0, _MOST_READ_IN_VAIN
    while left > 0 and (start := text.find("{", place)) >= 0:
        found = LooseObject(start)
        try:
            place = found.end = _read_object(text, start, found, 0)
        except _Broken as broken:
            place = found.end = max(found.end, start + 1)
            left -= 1 + broken.place - place
        if found.pairs:
            yield found


def _read_object(text: str, place: int, into: LooseObject, depth: int) -> int:
    if depth > _DEEPEST:
        raise _Broken(place)
    place = _skip(text, place + 1)
    while place < len(text):
        if text[place] == "}":
            into.complete = True
            return place + 1
        if text[place] == ",":
            place = _skip(text, place + 1)
            continue
        key, place = _read_key(text, place)
        value, place = _read_value(text, _skip(text, place), depth)
        if value is not None:
            into.pairs.append((key, value))
        place = into.end = _skip(text, place)
    return place


def _read_key(text: str, place: int) -> tuple[str, int]:
    key = _KEY.match(text, place)
    if key is None:
        raise _Broken(place)
    return (key["quoted"] or key["bare"] or "").strip(), key.end()


def _read_value(text: str, place: int, depth: int) -> tuple[object, int]:
    if place >= len(text):
        return None, place
    mark = text[place]
    if mark == "{":
        inner = LooseObject(place)
        place = inner.end = _read_object(text, place, inner, depth + 1)
        return inner, place
    if mark == "[":
        return _read_list(text, place, depth + 1)
    if mark in _STRING_END:
        return _read_string(text, place)
    bare = _BARE_VALUE.match(text, place)
    if bare is None:
        raise _Broken(place)
    word = bare.group().strip()
    return (Cut(word) if bare.end() == len(text) else word), bare.end()


def _read_list(text: str, place: int, depth: int) -> tuple[list[object], int]:
    if depth > _DEEPEST:
        raise _Broken(place)
    values: list[object] = []
    place = _skip(text, place + 1)
    while place < len(text):
        if text[place] == "]":
            return values, place + 1
        if text[place] == ",":
            place = _skip(text, place + 1)
            continue
        value, place = _read_value(text, place, depth)
        values.append(value)
        place = _skip(text, place)
    return values, place


def _read_string(text: str, place: int) -> tuple[object, int]:
    closing = _STRING_END[text[place]]
    at = start = place + 1
    while (mark := closing.search(text, at)) is not None:
        at = mark.end()
        if not mark.group().startswith("\\") and _AFTER_VALUE.match(text, at):
            return _unescape(text[start : mark.start()]), at
    return Cut(_unescape(text[start:])), len(text)


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return re.sub(r"\\(.)", lambda mark: _ESCAPES.get(mark.group(1), mark.group(1)), text)


def _skip(text: str, place: int) -> int:
    space = _SPACE.match(text, place)
    return space.end() if space else place
