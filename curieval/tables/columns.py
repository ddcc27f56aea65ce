"""Which column of a user's table holds which field, by name, alias or the user's own word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from curieval.tables.batch import Table
from curieval.tables.errors import TableError


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field that a command reads: its name, other names for it, whether it must be there."""

    name: str
    aliases: tuple[str, ...] = ()
    required: bool = False


def read_mapping(pairs: Iterable[str], fields: Sequence[Field]) -> dict[str, str]:
    """`FIELD=NAME` pairs as a dictionary; TableError for what is no pair or no field."""
    known = [field.name for field in fields]
    alias_of = {alias: field.name for field in fields for alias in field.aliases}
    mapping: dict[str, str] = {}
    for pair in pairs:
        field, sign, name = pair.partition("=")
        if not (sign and name):
            raise TableError(f"--column {pair}: expected FIELD=NAME, such as {known[0]}=my_column")
        field = alias_of.get(field, field)
        if field not in known:
            raise TableError(f"--column {pair}: no field {field!r}; fields are {', '.join(known)}")
        mapping[field] = name
    return mapping


def match(name: str, columns: Sequence[str]) -> str | None:
    """The column of that name: exactly, else the only one that differs in case or blanks."""
    if name in columns:
        return name
    alike = [column for column in columns if _plain(column) == _plain(name)]
    return alike[0] if len(alike) == 1 else None


def find_fields(
    table: Table, fields: Sequence[Field], mapping: Mapping[str, str]
) -> dict[str, str | None]:
    """The column of each field, None for one that is not there and need not be.

    A name of the user's must be a column; else the field's own name counts before its
    aliases. TableError names what is missing, what is there, and what to do.
    """
    found: dict[str, str | None] = {}
    for field in fields:
        if field.name in mapping:
            wanted = mapping[field.name]
            found[field.name] = match(wanted, table.columns)
            if found[field.name] is None:
                raise _missing(table, field, (wanted,))
            continue
        names = (field.name, *field.aliases)
        found[field.name] = next(
            (column for name in names if (column := match(name, table.columns))), None
        )
        if found[field.name] is None and field.required:
            raise _missing(table, field, names)
    return found


def _missing(table: Table, field: Field, names: Sequence[str]) -> TableError:
    near = [each for name in names for each in get_close_matches(name, table.columns, 1, 0.7)]
    hint = f"did you mean {near[0]!r}? " if near else ""
    shown = ", ".join(repr(column) for column in table.columns[:12])
    more = f" and {len(table.columns) - 12} more" if len(table.columns) > 12 else ""
    return TableError(
        f"{table.path}: no column {' or '.join(map(repr, names))}; it has {shown}{more}. "
        f"{hint}Name yours with --column {field.name}=NAME"
    )


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").split()).casefold()
