"""The column of values that a table accepts beside each reference, with their weights."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from curieval.tables import Batch, Field, Table, TableError
from scoring.term_target import read_accepted

ACCEPTED = Field(name="accepted")
NONE: Mapping[str, float] = MappingProxyType({})
FORM = "write `label [CURIE]|weight`, several of them separated by ;"
LONGEST_CELL = 10_000


def accepted_values(
    table: Table, batch: Batch, column: str | None
) -> Sequence[Mapping[str, float]] | None:
    """What each row accepts beside its reference, value to weight; None without such a column.

    A cell holds `label [CURIE]|weight` items separated by `;`, or in JSON an object of values
    and weights. A value without a weight counts in full. TableError for a cell of another form.
    """
    if column is None:
        return None
    found = []
    for number, text in enumerate(batch.texts(column)):
        try:
            found.append(_read(text))
        except ValueError as error:
            place = table.place(batch.lines[number])
            raise TableError(f"{place}, field {column!r}: {error}; {FORM}") from None
    return found


@lru_cache(maxsize=1 << 15)
def _read(text: str) -> Mapping[str, float]:
    text = text.strip()
    if not text:
        return NONE
    if len(text) > LONGEST_CELL:
        raise ValueError(f"{len(text)} characters, more than {LONGEST_CELL}")
    values: dict[str, float] = {}
    for value, weight in _json_items(text) if text[0] in "{[" else _items(text):
        if value in values:
            raise ValueError(f"{value!r} stands twice")
        values[value] = weight
    read_accepted(values)
    return MappingProxyType(values)


def _items(text: str) -> list[tuple[str, float]]:
    return [_item(item) for item in text.split(";") if item.strip()]


def _item(text: str) -> tuple[str, float]:
    value, bar, weight = text.rpartition("|")
    return (value.strip(), _weight(weight)) if bar else (text.strip(), 1.0)


def _json_items(text: str) -> list[tuple[str, float]]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{text[:60]!r} is no JSON") from None
    items = []
    for each in given.items() if isinstance(given, dict) else given:
        if isinstance(each, str):
            items.append(_item(each))
        elif isinstance(each, list | tuple) and len(each) == 2 and isinstance(each[0], str):
            items.append((each[0], _weight(each[1])))
        else:
            raise ValueError(f"no value with its weight: {str(each)[:60]!r}")
    return items


def _weight(given: object) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        raise ValueError(f"no weight: {str(given)[:60]!r}")
    try:
        return float(given)
    except (ValueError, OverflowError):
        raise ValueError(f"no weight: {str(given)[:60]!r}") from None
