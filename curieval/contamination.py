"""Looks for evaluation cases in the examples a model is shown: the project's, or those of files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from curieval.models.types import CaseFileError
from curieval.report.tables import Column, cut, inert, table, wrapped
from evals.indra_evidence.cases import EvidenceCase, as_compared, own_cases
from evals.indra_evidence.forms import read_cases
from evals.rows import read_rows
from scoring.contamination import find_contamination
from scoring.examples import example_texts

PROJECT_EXAMPLES = "enum_data/evidence_examples.jsonl"
PROJECT_CASES = "evals/indra_evidence"
_TOLD = 60


class ExampleRow(BaseModel):
    """An example as the project's bank has them, in two sentences, or a single sentence."""

    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)

    id: str = ""
    type: str = ""
    claim: str = ""
    agents: list[str | None] | str | None = None
    text: str = ""
    correct: str = ""
    incorrect: str = ""

    @model_validator(mode="after")
    def _says_something(self) -> ExampleRow:
        if not any(text.strip() for text in (self.text, self.correct, self.incorrect)):
            raise ValueError("a sentence is needed: `text`, or `correct` and `incorrect`")
        return self


@dataclass(frozen=True, kw_only=True)
class Shared:
    """One example and one case that agree; both by id, with the case's place and sentence."""

    kind: str
    example: str
    case: str
    place: str
    text: str


@dataclass(frozen=True, kw_only=True)
class ContaminationReport:
    """What the examples give away; `left_out` are rows with no sentence to compare, by place."""

    examples: str
    sentences: int
    cases: Mapping[str, int]
    found: Sequence[Shared]
    left_out: Sequence[str]
    without_entities: int

    @property
    def notes(self) -> list[str]:
        """What was not compared."""
        told = [f"not compared: {why}" for why in self.left_out]
        if self.without_entities:
            told.append(
                f"{self.without_entities} sentences of the examples name neither agents nor a "
                "claim: entity pairs are not looked for in them"
            )
        return told

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return asdict(self)

    def as_text(self, width: int) -> str:
        """How much was compared, then one line for each that agrees."""
        compared = ", ".join(f"{count} cases of {name}" for name, count in self.cases.items())
        lines = [
            wrapped(f"{self.sentences} sentences of {self.examples} against {compared}", width)
        ]
        given = len({(one.place, one.case) for one in self.found})
        kinds = Counter(one.kind for one in self.found)
        told = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
        lines.append(f"contaminated: {given} cases ({told})" if given else "contaminated: none")
        if self.found:
            cells = {
                name: [cut(getattr(one, name), _TOLD) for one in self.found]
                for name in ("kind", "example", "case", "place", "text")
            }
            worths = {"text": 1, "place": 2}
            columns = [
                Column(head=name, cells=each, left=True, worth=worths.get(name, 9))
                for name, each in cells.items()
            ]
            lines += ["", *table(columns, width)]
        return inert("\n".join(lines) + "\n")


def look_for_contamination(
    examples: Path | None = None, cases: Iterable[Path] = ()
) -> ContaminationReport:
    """Compare examples with the cases of files, by default the project's with the project's.

    Raises CaseFileError for a file that cannot be read, or holds nothing to compare.
    """
    bank = [*map(asdict, example_texts())] if examples is None else read_examples(examples)
    sets: dict[str, Sequence[EvidenceCase]] = {str(path): read_cases(path) for path in cases}
    if not sets:
        sets = {PROJECT_CASES: own_cases()}
    found: list[Shared] = []
    counts: dict[str, int] = {}
    left_out: list[str] = []
    for name, those in sets.items():
        compared = [case for case in those if case.text]
        if not compared:
            raise CaseFileError(f"{name}: holds no sentence to compare; check the file")
        counts[name] = len(compared)
        left_out += [case.problem for case in those if not case.text]
        found += _shared(bank, compared)
    return ContaminationReport(
        examples=PROJECT_EXAMPLES if examples is None else str(examples),
        sentences=len(bank),
        cases=counts,
        found=found,
        left_out=left_out,
        without_entities=sum(not (each["agents"] or each.get("claim")) for each in bank),
    )


def read_examples(path: Path) -> list[dict[str, Any]]:
    """The sentences of a file of examples (JSON lines, JSON, TSV, CSV): id, text, entities.

    Raises CaseFileError that names the place of what cannot be read.
    """
    found = []
    for origin, row in read_rows(path, ExampleRow):
        given = row.agents.split(";") if isinstance(row.agents, str) else row.agents or ()
        agents = [name.strip() for name in given if name and name.strip()]
        shared = {"agents": agents, "claim": row.claim, "type": row.type}
        sides = (("", row.text), ("-correct", row.correct), ("-incorrect", row.incorrect))
        found += [
            {"id": f"{row.id or origin}{side}", "text": text, **shared}
            for side, text in sides
            if text.strip()
        ]
    if not found:
        raise CaseFileError(f"{path}: holds no example; give rows with correct and incorrect")
    return found


def _shared(bank: Sequence[Mapping[str, Any]], cases: Sequence[EvidenceCase]) -> list[Shared]:
    # By place and not by id, which rows of a user's file may share.
    known = {str(number): case for number, case in enumerate(cases)}
    compared = [{**as_compared(case), "id": number} for number, case in known.items()]
    return [
        Shared(
            kind=one.kind,
            example=one.example["id"],
            case=known[one.case["id"]].id,
            place=known[one.case["id"]].origin,
            text=known[one.case["id"]].text,
        )
        for one in find_contamination(bank, compared)
    ]
