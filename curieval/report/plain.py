"""Any value as strict JSON: what JSON cannot say is replaced, and each replacement is named."""

from __future__ import annotations

import dataclasses
import datetime
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import PurePath
from typing import Any
from uuid import UUID

# A reply beyond this is a runaway; kept whole it would make every later reader suffer.
LONGEST_TEXT = 1_000_000
LARGEST_INTEGER = 2**53
DEEPEST = 50
MOST_NOTES = 20


@dataclasses.dataclass(frozen=True, kw_only=True)
class Plain:
    """A value of dict, list, str, int, finite float, bool and None, and what was replaced."""

    value: object
    notes: tuple[str, ...]


def to_plain(value: object, *, clean: Callable[[str], str] = str) -> Plain:
    """`value` as strict JSON data; `clean` is applied to every text and key. Never raises."""
    walk = _Walk(clean)
    plain = walk.visit(value, "", 0)
    if walk.unnamed:
        walk.notes.append(f"and {walk.unnamed} more")
    return Plain(value=plain, notes=tuple(walk.notes))


class _Walk:
    def __init__(self, clean: Callable[[str], str]) -> None:
        self.clean = clean
        self.notes: list[str] = []
        self.unnamed = 0
        self.open: set[int] = set()

    def note(self, path: str, what: str) -> None:
        if len(self.notes) < MOST_NOTES:
            self.notes.append(f"{path or 'the line'}: {what}")
        else:
            self.unnamed += 1

    def visit(self, value: object, path: str, depth: int) -> object:
        if type(value) is str:
            return self.text(value, path)
        if value is None or type(value) is bool:
            return value
        if type(value) is float:
            return self.number(value, path)
        if type(value) is int:
            return self.integer(value, path)
        try:
            return self.other(value, path, depth)
        except Exception as error:
            kind = type(value).__name__
            self.note(path, f"a {kind} that cannot be read ({type(error).__name__})")
            return f"<unreadable {kind}>"

    def text(self, value: str, path: str) -> str:
        if len(value) > LONGEST_TEXT:
            self.note(path, f"cut from {len(value)} to {LONGEST_TEXT} characters")
            value = value[:LONGEST_TEXT]
        try:
            value.encode()
        except UnicodeEncodeError:
            self.note(path, "lone surrogates replaced")
            value = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        try:
            return self.clean(value)
        except Exception as error:
            self.note(path, f"withheld, since cleaning it of keys failed ({type(error).__name__})")
            return "<withheld>"

    def number(self, value: float, path: str) -> float | None:
        if math.isfinite(value):
            return value
        self.note(path, f"{value} replaced by null")
        return None

    def integer(self, value: int, path: str) -> int | float:
        if abs(value) <= LARGEST_INTEGER:
            return value
        self.note(path, "integer beyond 2^53 rounded")
        try:
            return float(value)
        except OverflowError:
            return sys.float_info.max if value > 0 else -sys.float_info.max

    def other(self, value: object, path: str, depth: int) -> object:
        if isinstance(value, Enum):
            return self.visit(value.value, path, depth + 1)
        if isinstance(value, str):
            return self.text(str.__str__(value), path)
        if isinstance(value, int):
            return self.integer(int(value), path)
        if isinstance(value, float | Decimal | Fraction):
            return self.number(float(value), path)
        if isinstance(value, datetime.datetime | datetime.date | datetime.time):
            return value.isoformat()
        if isinstance(value, UUID | PurePath):
            return self.text(str(value), path)
        if isinstance(value, bytes | bytearray):
            return self.text(bytes(value).decode("utf-8", "replace"), path)
        if depth >= DEEPEST:
            self.note(path, f"nested deeper than {DEEPEST}")
            return "<nested too deep>"
        if id(value) in self.open:
            self.note(path, "holds itself")
            return "<holds itself>"
        self.open.add(id(value))
        try:
            return self.container(value, path, depth)
        finally:
            self.open.discard(id(value))

    def container(self, value: object, path: str, depth: int) -> object:
        if isinstance(value, Mapping):
            return self.mapping(value, path, depth)
        if isinstance(value, Sequence):
            return [
                self.visit(item, f"{path}[{place}]", depth + 1) for place, item in enumerate(value)
            ]
        if isinstance(value, AbstractSet):
            items = [self.visit(item, f"{path}[]", depth + 1) for item in value]
            return sorted(items, key=repr)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
            return self.mapping(fields, path, depth)
        # numpy, pandas and pydantic are known by their methods, so that none is imported.
        for method in ("model_dump", "tolist", "item"):
            convert = getattr(value, method, None)
            if callable(convert) and not isinstance(value, type):
                return self.visit(convert(), path, depth + 1)
        text = self.text(repr(value), path)
        self.note(path, f"a {type(value).__name__} written as its repr")
        return text

    def mapping(self, value: Mapping[Any, object], path: str, depth: int) -> dict[str, object]:
        plain: dict[str, object] = {}
        for key, item in value.items():
            name = key if type(key) is str else self.visit(key, f"{path} key", depth + 1)
            if type(name) is str:
                name = self.text(name, f"{path} key")
            else:
                self.note(path, f"key {name!r:.40} is no text")
                name = str(name)
            if name in plain:
                self.note(path, f"key {name!r:.40} twice, the last kept")
            plain[name] = self.visit(item, f"{path}.{name[:40]}" if path else name[:40], depth + 1)
        return plain
