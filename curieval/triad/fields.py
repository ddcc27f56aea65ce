"""The columns that tables of the triad have, and the fields of each row they give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from curieval.tables import Batch, Field, Table, TableError
from evals.env_triad.cases import TEMPLATE_WORDS
from scoring.facts import SLOTS, allowed_values

ID = Field(name="id", aliases=("case",))
PREDICTION = Field(name="prediction", required=True)
REFERENCE = Field(name="reference", aliases=("truth",), required=True)
TEMPLATE = Field(name="template", aliases=("sampleData",))
SLOT = Field(name="slot")


@dataclass(frozen=True, kw_only=True)
class Everywhere:
    """What holds for rows that have no template or slot of their own."""

    template: str = ""
    slot: str = SLOTS[0]


def everywhere(*, template: str, slot: str) -> Everywhere:
    """What the user says of all rows; TableError for a slot that is none of the triad."""
    if slot not in SLOTS:
        raise TableError(f"--slot {slot}: use {', '.join(SLOTS)}")
    return Everywhere(template=template, slot=slot)


def templates_of(batch: Batch, column: str | None, everywhere: Everywhere) -> list[str]:
    """The template of each row."""
    if column is None:
        return [everywhere.template] * len(batch)
    return [text.strip() or everywhere.template for text in batch.texts(column)]


def slots_of(table: Table, batch: Batch, column: str | None, everywhere: Everywhere) -> list[str]:
    """The slot of each row; TableError at the first that is none of the triad."""
    if column is None:
        return [everywhere.slot] * len(batch)
    slots = [text.strip() for text in batch.texts(column)]
    for unknown in set(slots) - set(SLOTS):
        place = table.place(batch.lines[slots.index(unknown)])
        near = get_close_matches(unknown, SLOTS, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise TableError(
            f"{place}, field {column!r}: no slot {unknown!r}; {hint}Use {', '.join(SLOTS)}"
        )
    return slots


def notes_on_fields(found: Mapping[str, str | None], everywhere: Everywhere) -> list[str]:
    """What is assumed for columns that a table does not have."""
    notes = []
    if found.get("slot") is None:
        notes.append(f"no column 'slot': every row is taken as {everywhere.slot} (--slot)")
    if found.get("template") is None and not everywhere.template:
        notes.append("no column 'template': no value set is looked at (--template)")
    return notes


def notes_on_templates(templates: Iterable[str]) -> list[str]:
    """Which templates look like ones that have value sets, and are not."""
    with_sets = [name for name in TEMPLATE_WORDS if allowed_values(name, SLOTS[0]) is not None]
    notes = []
    for template in sorted(set(templates) - set(with_sets)):
        words = template.lower().replace("-", "_").replace(" ", "_")
        near = get_close_matches(words, with_sets, 1, 0.6)
        if near and near[0].split("_")[0] in words:
            notes.append(
                f"template {template!r} has no value set and counts as neutral; {near[0]!r} has one"
            )
    return notes
