"""The cases of the environmental triad: what a curator saw, and the value that is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from curieval.models.types import Case, CaseFileError
from evals.rows import read_rows, refuse_doubled
from scoring import allowed_values

CASE_FOLDER = Path(__file__).parent / "cases"
SLOTS = ("env_broad_scale", "env_local_scale", "env_medium")
# The slot that names a sample's template, a target of the same cases.
TEMPLATE_SLOT = "sampleData"
TEMPLATE_WORDS = {
    "soil_data": "soil",
    "water_data": "water",
    "sediment_data": "sediment",
    "plant_associated_data": "plant",
    "host_associated_data": "host",
    "air_data": "air",
}


@dataclass(frozen=True, kw_only=True)
class TriadCase(Case):
    """One slot of one biosample: the metadata shown, and the reference `label [CURIE]`.

    `shown` holds the `Name: value` lines of the prompt in their order, `allowed` the values
    that the template allows in the slot (empty where it has no set).
    """

    template: str
    slot: str
    shown: tuple[tuple[str, str], ...]
    allowed: tuple[str, ...]


class TriadRow(BaseModel):
    """A line of a case file."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)

    id: str = Field(min_length=1, max_length=200)
    slot: Literal["env_broad_scale", "env_local_scale", "env_medium", "sampleData"]
    sampleData: str = Field(min_length=1, max_length=100)  # noqa: N815 - the submission schema's name
    study_name: str = ""
    description: str = ""
    notes: str = ""
    geo_loc_name: str = ""
    depth: str = ""
    analysis_type: str = ""
    env_broad_scale: str = ""
    env_local_scale: str = ""
    env_medium: str = ""
    reference: str = Field(min_length=1)
    accepted: dict[str, float] = Field(default_factory=dict)
    value_group: str = ""
    difficulty: str = ""
    why: str = ""


def load_cases(path: Path | None = None) -> Sequence[TriadCase]:
    """Read the project's cases, or those of a JSON lines file, those of one prompt together.

    Raises CaseFileError that names file, line and field.
    """
    cases = []
    for origin, row in triad_rows(path):
        if row.slot == TEMPLATE_SLOT:
            raise CaseFileError(
                f"{origin}, field 'slot': {TEMPLATE_SLOT} is asked for by --slot {TEMPLATE_SLOT}; "
                "add that option, or name one of the triad's slots here"
            )
        cases.append(_case(row, origin))
    return sorted(cases, key=lambda case: (case.slot, case.template, case.id))


def triad_rows(path: Path | None) -> Iterator[tuple[str, TriadRow]]:
    """Yield (`file:line`, row) of the project's case files, or of one of the user's.

    Raises CaseFileError for a row that cannot be used and for an id that stands twice.
    """
    files = [path] if path else [CASE_FOLDER / f"{slot}.jsonl" for slot in SLOTS]
    places: dict[str, str] = {}
    for file in files:
        for origin, row in read_rows(file, TriadRow):
            refuse_doubled(places, row.id, origin)
            yield origin, row


def _case(row: TriadRow, origin: str) -> TriadCase:
    return TriadCase(
        id=row.id,
        label=row.study_name or row.id,
        slices={
            "slot": row.slot,
            "template": row.sampleData,
            "group": row.value_group,
            "difficulty": row.difficulty,
        },
        reference=row.reference,
        origin=origin,
        template=row.sampleData,
        slot=row.slot,
        shown=tuple((name, getattr(row, name)) for name in shown_names(row.slot)),
        allowed=allowed_texts(row.sampleData, row.slot),
        accepted=tuple(row.accepted.items()),
    )


def shown_names(slot: str) -> tuple[str, ...]:
    """The metadata fields that a prompt shows, in order: all but the slot that is asked."""
    head, tail = ("study_name", "description", "notes"), ("geo_loc_name", "depth", "analysis_type")
    return tuple(name for name in (*head, TEMPLATE_SLOT, *SLOTS, *tail) if name != slot)


@cache
def allowed_texts(template: str, slot: str) -> tuple[str, ...]:
    """The allowed values of a template's slot as `label [CURIE]`, sorted; empty without a set."""
    values = allowed_values(template, slot) or {}
    return tuple(sorted(f"{label} [{curie}]" for curie, label in values.items()))


@cache
def candidate_texts(template: str, slot: str) -> tuple[str, ...]:
    """What an answer could be: the allowed values, or those of all templates without a set."""
    own = allowed_texts(template, slot)
    return own or tuple(
        sorted({text for each in TEMPLATE_WORDS for text in allowed_texts(each, slot)})
    )
