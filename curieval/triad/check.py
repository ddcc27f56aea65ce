"""Auditing the references of a table, or the triad of the samples in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from curieval.report.tables import inert, wrapped
from curieval.tables import Batch, Field, Table, TableError, find_fields, open_output
from curieval.triad import fields as has
from curieval.triad.accepted import ACCEPTED, accepted_values
from curieval.triad.samples import sample_field
from curieval.triad.schema import PACKAGE, SubmissionSchema
from curieval.triad.score import audit
from scoring.facts import SLOTS
from scoring.ontology import Ontology

ID = Field(name="id", aliases=("case", "samp_name", "sample name"))
REFERENCE = Field(name="reference", aliases=("truth",))
READ = (ID, REFERENCE, ACCEPTED, has.TEMPLATE, has.SLOT, *(sample_field(slot) for slot in SLOTS))
COLUMNS = ("place", "id", "template", "slot", "value", "code", "problem")
MOST_SHOWN = 40


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A value that is suspect: where it stands, and why, as a code and a sentence."""

    place: str
    id: str
    template: str
    slot: str
    value: str
    code: str
    problem: str


@dataclass(kw_only=True)
class Audit:
    """What an audit found: values checked by slot, those left empty, and the suspect ones."""

    table: str
    schema: str
    checked: Counter[str] = field(default_factory=Counter)
    empty: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    repairs: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return {
            "task": "env_triad",
            "table": self.table,
            "schema": self.schema,
            "checked": dict(self.checked),
            "empty": dict(self.empty),
            "codes": dict(self.codes),
            "findings": [asdict(each) for each in self.findings],
            "repairs": dict(self.repairs),
            "notes": self.notes,
        }

    def as_text(self, width: int) -> str:
        """The suspect values, then what was checked."""
        lines: list[str] = []
        shown = self.findings[:MOST_SHOWN]
        for each in shown:
            words = (each.place, each.id, f"{each.slot}: {each.code}: {each.problem}")
            lines.append(wrapped(" ".join(filter(None, words)), width))
        if len(self.findings) > len(shown):
            lines.append(f"and {len(self.findings) - len(shown)} more: --out FILE writes them all")
        if self.codes:
            counted = ", ".join(f"{code} {count}" for code, count in self.codes.most_common())
            lines += ["", wrapped(f"problems: {counted}", width)]
        checked = ", ".join(f"{count} {slot}" for slot, count in self.checked.items())
        total = sum(self.checked.values())
        line = f"{self.table}: {len(self.findings)} of {total} values are suspect"
        if checked:
            line += f" ({checked})"
        if self.empty:
            line += "; empty: " + ", ".join(f"{n} {slot}" for slot, n in self.empty.items())
        lines.append(wrapped(f"{line}; {self.schema}", width))
        return inert("\n".join(lines) + "\n")


@dataclass(frozen=True, kw_only=True)
class Checking:
    """How values are audited: in which ontologies, for which slot and template by default.

    `only` keeps to one slot; with `schema` a value must also be in the enum of its template
    and slot.
    """

    ontologies: tuple[Ontology, ...]
    everywhere: has.Everywhere
    only: str | None = None
    schema: SubmissionSchema | None = None

    def problem(self, value: str, template: str, slot: str) -> str | None:
        """Why a value is suspect, as `code: sentence`; None for a sound one."""
        found = audit(value, template, slot, self.ontologies)
        if found is None and self.schema is not None:
            return self.schema.problem(value, template, slot)
        return found


def check_table(
    source: Table, checking: Checking, *, mapping: Mapping[str, str], out: Path | None = None
) -> Audit:
    """Audit every reference of a table, or where it has none every value of its triad columns.

    `out` is written with a row for each suspect value. TableError where the table cannot be
    read.
    """
    found = find_fields(source, READ, mapping)
    result = Audit(table=source.path.name, schema=_described(checking.schema))
    columns = _columns_to_check(source, found, checking.only)
    for rows in source.batches():
        for column, slot in columns:
            slots = (
                has.slots_of(source, rows, found["slot"], checking.everywhere)
                if slot is None
                else [slot] * len(rows)
            )
            _check_column(source, rows, found, column, slots, checking, result)
    result.repairs.update(source.repairs)
    if found["reference"] is not None:
        result.notes += has.notes_on_fields(found, checking.everywhere)
    if out is not None:
        with open_output(out, COLUMNS, source=source.path) as output:
            told = {name: [getattr(each, name) for each in result.findings] for name in COLUMNS}
            output.write(told, len(result.findings))
        result.repairs.update(output.repairs)
    return result


def _columns_to_check(
    source: Table, found: Mapping[str, str | None], only: str | None
) -> list[tuple[str, str | None]]:
    """Columns that hold values, with their slot; None where a column of the table says."""
    if found["reference"] is not None:
        return [(found["reference"], None)]
    columns: list[tuple[str, str | None]] = [
        (column, slot)
        for slot in SLOTS
        if (column := found[slot]) is not None and only in (None, slot)
    ]
    if not columns:
        wanted = only or ", ".join(SLOTS)
        shown = ", ".join(map(repr, source.columns[:12]))
        raise TableError(
            f"{source.path}: neither a column 'reference' (or 'truth') nor {wanted}; it has "
            f"{shown}. Name yours with --column reference=NAME"
        )
    return columns


def _check_column(
    source: Table,
    rows: Batch,
    found: Mapping[str, str | None],
    column: str,
    slots: Sequence[str],
    checking: Checking,
    result: Audit,
) -> None:
    templates = has.templates_of(rows, found["template"], checking.everywhere)
    ids = rows.texts(found["id"])
    is_reference = column == found["reference"]
    others = accepted_values(source, rows, found["accepted"]) if is_reference else None
    for number, value in enumerate(rows.texts(column)):
        slot, template = slots[number], templates[number]
        if checking.only not in (None, slot):
            continue
        if not value.strip() and not is_reference:
            result.empty[slot] += 1
            continue
        for each in (value, *(others[number] if others else ())):
            result.checked[slot] += 1
            problem = checking.problem(each, template, slot)
            if problem is not None:
                code, _, sentence = problem.partition(": ")
                result.codes[code] += 1
                result.findings.append(
                    Finding(
                        place=source.place(rows.lines[number]),
                        id=ids[number],
                        template=template,
                        slot=slot,
                        value=each,
                        code=code,
                        problem=sentence,
                    )
                )


def _described(schema: SubmissionSchema | None) -> str:
    if schema is None:
        return f"{PACKAGE} is not installed: values were held against the shipped value sets alone"
    return f"held against the enums of {PACKAGE} {schema.release}"
