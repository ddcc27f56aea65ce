"""What one EC number is: its four fields, and whether it is valid, transferred or deleted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal, NamedTuple

Status = Literal["valid", "transferred", "deleted", "unknown"]
HIGHEST = (7, 99, 99, 999)
_NOT_GIVEN = frozenset("-xX*?nN")
_ORDINARY = re.compile(r"[1-7](?:\.[1-9][0-9]?){2}\.[1-9][0-9]{0,2}")


class EcCode(NamedTuple):
    """One number read: `code` padded to four fields, or empty and `reason` says why."""

    code: str
    reason: str


@lru_cache(maxsize=1 << 16)
def read_code(text: str) -> EcCode:
    """Read dot-separated fields: 1 to 4 of them, the last ones may be `-`, `x`, `*`, `?` or `n`.

    Serial numbers may be preliminary (`n3`, BRENDA's `B5`). Classes run from 1 to 7, fields 2
    and 3 to 99, field 4 to 999; leading zeros are dropped, a field 0 is refused.

    >>> read_code("3.6")
    EcCode(code='3.6.-.-', reason='ok')
    """
    if _ORDINARY.fullmatch(text):
        return EcCode(text, "ok")
    fields = text.replace(" ", "").replace("\t", "").split(".")
    if len(fields) > 4:
        return EcCode("", "too_many_fields")
    given: list[str] = []
    missing = False
    for place, field in enumerate(fields):
        if field in _NOT_GIVEN:
            missing = True
            continue
        if missing:
            return EcCode("", "gap")
        label, reason = _read_field(field, place)
        if reason:
            return EcCode("", reason)
        given.append(label)
    if not given:
        return EcCode("", "explicit_none")
    return EcCode(".".join(given + ["-"] * (4 - len(given))), "ok")


def _read_field(field: str, place: int) -> tuple[str, str]:
    mark, digits = "", field
    if place == 3 and field[:1] in ("n", "N", "b", "B"):
        mark, digits = ("n" if field[0] in "nN" else "B"), field[1:]
    if not (digits.isascii() and digits.isdecimal()):
        return "", "malformed"
    digits = digits.lstrip("0")
    if not digits:
        return "", "zero_field"
    if len(digits) > 3 or int(digits) > HIGHEST[place]:
        return "", "no_such_class" if place == 0 else "out_of_range"
    return mark + digits, ""


class EcFacts(NamedTuple):
    """The packaged facts: valid numbers (`1.1` for 1.1.-.-), moved ones with their new
    numbers, and deleted ones."""

    valid: frozenset[str]
    replaced: Mapping[str, tuple[str, ...]]
    deleted: frozenset[str]


@cache
def load_ec_facts() -> EcFacts:
    """The packaged facts about EC numbers; read once a process."""
    folder = files("enum_data")
    moved = folder.joinpath("ec_replaced.tsv").read_text(encoding="utf-8").splitlines()
    return EcFacts(
        valid=frozenset(folder.joinpath("ec_valid.txt").read_text(encoding="utf-8").split()),
        replaced=MappingProxyType(
            {old: tuple(new) for old, *new in (line.split("\t") for line in moved)}
        ),
        deleted=frozenset(folder.joinpath("ec_deleted.txt").read_text(encoding="utf-8").split()),
    )


def ec_status(code: str) -> Status:
    """Whether a number is valid, transferred, deleted, or on none of the lists.

    The lists of dead numbers are not complete, so `unknown` is not wrong.
    """
    facts = load_ec_facts()
    if code in facts.replaced:
        return "transferred"
    if code in facts.deleted:
        return "deleted"
    return "valid" if code.rstrip(".-") in facts.valid else "unknown"


def current_number(code: str) -> str:
    """Where one-to-one transfers lead, along chains of them; the number itself if nowhere."""
    replaced = load_ec_facts().replaced
    seen = {code}
    at = code
    while len(successors := replaced.get(at, ())) == 1:
        at = successors[0]
        if at in seen:
            return code
        seen.add(at)
    return at
