"""Suites of triad cases from a user's table: read, drawn, written whole, accounted for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from curieval.report.tables import Column, inert, table, wrapped
from curieval.tables import (
    Table,
    TableError,
    find_fields,
    kind_of,
    match,
    open_output,
    read_mapping,
)
from curieval.tables.json_table import JsonList
from curieval.triad.fields import Everywhere
from curieval.triad.samples import STUDY_FIELDS, has_titles, sample_field
from curieval.triad.score import audit
from evals.env_triad.cases import TEMPLATE_SLOT
from evals.env_triad.sample_data import template_problem
from evals.env_triad.suite import GOLD_PATH, INPUTS, Sample, Stratum, Suite, build_suite
from scoring.ontology import Ontology

FIELDS = [sample_field(name) for name in INPUTS]


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """How a suite is drawn."""

    slot: str
    per_category: int
    min_pool: int
    seed: int

    def suite(self, samples: Iterable[Sample]) -> Suite:
        """Draw it; TableError for settings that will not do."""
        try:
            return build_suite(samples, **asdict(self))
        except ValueError as error:
            raise TableError(str(error)) from error


@dataclass(frozen=True, kw_only=True)
class Account:
    """What became of every row of the source, and of the suite."""

    source: str
    out: str | None
    suite: Suite
    drawing: Drawing
    suspects: Mapping[str, int]
    repairs: Mapping[str, int]
    notes: Sequence[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Everything but the cases as JSON data."""
        suite = asdict(self.suite)
        suite["cases"] = len(suite.pop("rows"))
        return {
            "task": "env_triad",
            "source": self.source,
            "out": self.out,
            **asdict(self.drawing),
            **suite,
            "suspect_references": dict(self.suspects),
            "repairs": dict(self.repairs),
            "notes": list(self.notes),
        }

    def as_text(self, width: int) -> str:
        """What was kept and what was left out, with counts."""
        suite = self.suite
        lines = [
            wrapped(
                f"{self.source}: {suite.read} rows read; {suite.without_target} without "
                f"{suite.slot}, {suite.without_template} without a template, "
                f"{suite.duplicates} that give the same prompt and value as one before",
                width,
            )
        ]
        if suite.contradictory:
            lines.append(
                wrapped(
                    f"{suite.contradictory} prompts are given by samples of several values: no "
                    "answer is right for all of them",
                    width,
                )
            )
        lines += _strata(f"kept ({len(suite.kept)} values)", suite.kept, width)
        head = f"left out: fewer than {self.drawing.min_pool} ({len(suite.left_out)} values)"
        lines += _strata(head, suite.left_out, width)
        cases = f"{len(suite.rows)} cases, seed {self.drawing.seed}"
        if not suite.rows:
            cases = "no cases: no value has enough samples, lower --min-pool"
        lines += ["", f"{cases}, in {self.out}" if self.out else cases]
        if self.suspects:
            named = ", ".join(f"{code} {count}" for code, count in self.suspects.items())
            lines.append(wrapped(f"suspect references, which no run will ask: {named}", width))
        return inert("\n".join(lines) + "\n")


def make_cases(
    source: Table,
    drawing: Drawing,
    *,
    everywhere: Everywhere,
    columns: Sequence[str],
    ontologies: tuple[Ontology, ...],
    out: Path | None,
) -> Account:
    """Draw a suite from a table of samples and write it where `out` names a file.

    TableError where the table lacks a column or cannot be read; then nothing is written.
    """
    if out is not None and kind_of(out) != "jsonl":
        raise TableError(f"{out}: a suite is JSON lines; name a .jsonl file")
    found, notes = _find_inputs(source, drawing.slot, columns, everywhere)
    suite = drawing.suite(_samples(source, found, everywhere))
    suspects = Counter(
        problem.partition(":")[0]
        for row in suite.rows
        if (
            problem := _problem(
                str(row["reference"]), str(row["sampleData"]), drawing.slot, ontologies
            )
        )
    )
    if out is not None and suite.rows:
        names = list(suite.rows[0])
        with open_output(out, names, source=source.path) as output:
            output.write({n: [row[n] for row in suite.rows] for n in names}, len(suite.rows))
    return Account(
        source=source.path.name,
        out=str(out) if out and suite.rows else None,
        suite=suite,
        drawing=drawing,
        suspects=dict(suspects),
        repairs=dict(source.repairs),
        notes=notes,
    )


def _problem(
    reference: str, template: str, slot: str, ontologies: tuple[Ontology, ...]
) -> str | None:
    if slot == TEMPLATE_SLOT:
        return template_problem(reference)
    return audit(reference, template, slot, ontologies)


def case_lines(suite: Suite) -> str:
    """The cases as the lines of a case file."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in suite.rows)


def _find_inputs(
    source: Table, slot: str, columns: Sequence[str], everywhere: Everywhere
) -> tuple[Mapping[str, str | None], list[str]]:
    left_out = {pair.partition("=")[0] for pair in columns if pair.endswith("=")}
    mapping = read_mapping([pair for pair in columns if not pair.endswith("=")], FIELDS)
    for name, column in mapping.items():
        if match(column, GOLD_PATH):
            raise TableError(
                f"--column {name}={column}: the GOLD path states the answer and never reaches "
                "a prompt; name another column"
            )
    may_lack = set(left_out)
    notes = []
    if everywhere.template:
        may_lack.add("sampleData")
    if isinstance(source, JsonList):
        # A submission leaves out what is empty.
        may_lack |= set(INPUTS) - {slot}
    if has_titles(source):
        may_lack |= set(STUDY_FIELDS)
        notes.append("the table is one of samples alone: prompts show no study")
    fields = [sample_field(name, required=name not in may_lack) for name in INPUTS]
    found = find_fields(source, fields, mapping)
    return {name: None if name in left_out else column for name, column in found.items()}, notes


def _samples(
    source: Table, found: Mapping[str, str | None], everywhere: Everywhere
) -> Iterator[Sample]:
    for rows in source.batches():
        cells = {name: rows.texts(column) for name, column in found.items()}
        for number, line in enumerate(rows.lines):
            fields = {name: texts[number] for name, texts in cells.items()}
            fields["sampleData"] = fields["sampleData"].strip() or everywhere.template
            yield Sample(place=_place(source, line), fields=fields)


def _place(source: Table, line: int) -> str:
    # The name alone: where the file lies is nobody's business in a suite that is handed on.
    return source.place(line).replace(str(source.path), source.path.name, 1)


def _strata(head: str, strata: Sequence[Stratum], width: int) -> list[str]:
    if not strata:
        return []
    columns = [
        Column(head=head, cells=[each.value for each in strata], left=True),
        Column(head="samples", cells=[str(each.pool) for each in strata]),
        Column(head="taken", cells=[str(each.taken) for each in strata]),
    ]
    return ["", *table(columns, width)]
