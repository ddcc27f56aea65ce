"""Blind sheets for people to rate answers on, and which answers they were."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from curieval.qa.workbook import is_workbook, write_workbook
from curieval.report.tables import inert, wrapped
from curieval.tables import TableError, open_output
from evals.protein_qa.cases import GENERATED, load_cases
from evals.protein_qa.task import PROTEIN_QA

COLUMNS = ("id", "question", "reference", "answer", "score")
ADVICE = (
    "Give each answer a score from 0 to 100 in the column score; skip what you cannot judge.",
    "100: everything that the reference says is said, and nothing is wrong.",
    "50: about half of it is said, and nothing is wrong.",
    "0: nothing of it is said, or the answer contradicts the reference.",
    "Judge what is said against the reference, not style, length or confidence.",
    "Do not look up who or what wrote an answer; the order of the rows is random.",
    "Leave the other columns as they are: the ids lead back to the answers.",
)
_ID = re.compile(r"(?P<case>.+)\.(?P<digest>[0-9a-f]{8})")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer to be rated; `case` is the id of its case."""

    case: str
    question: str
    reference: str
    text: str

    @property
    def id(self) -> str:
        """An id that tells the case and no more: the rest is a hash of the answer."""
        digest = hashlib.sha256(f"{self.case}\n{self.text}".encode("utf-8", "replace"))
        return f"{self.case}.{digest.hexdigest()[:8]}"


@dataclass(frozen=True, kw_only=True)
class Account:
    """What a sheet holds."""

    out: str
    answers: int
    pool: int
    seed: int
    source: str
    repairs: Mapping[str, int]
    notes: Sequence[str] = ()

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return asdict(self)

    def as_text(self, width: int) -> str:
        """The same in a line or two."""
        line = (
            f"{self.out}: {self.answers} of {self.pool} answers of {self.source}, seed "
            f"{self.seed}; fill in the column score from 0 to 100, then "
            f"`curieval judge-check --judge NAME --human {self.out}`"
        )
        return inert(wrapped(line, width) + "\n")


def case_of_id(sheet_id: str) -> str:
    """The case's id in the id of a sheet's row; any other id as it is."""
    found = _ID.fullmatch(sheet_id)
    return found["case"] if found else sheet_id


def write_sheet(path: Path, *, n: int, seed: int = 0, report: Path | None = None) -> Account:
    """Draw `n` answers at random and write them for rating, as .xlsx or a table.

    They are those of a run's records, or the authored answers of known quality. A simple
    random sample, as the prediction-powered mean wants it; never the model's name.
    TableError where nothing can be drawn or written.
    """
    if n < 1:
        raise TableError(f"--for-rating {n}: name at least 1 answer")
    found = known_answers() if report is None else run_answers(report)
    pool = sorted({answer.id: answer for answer in found}.values(), key=lambda each: each.id)
    source = "known quality" if report is None else report.name
    if not pool:
        raise TableError(f"{report}: the run holds no answer to a protein question")
    chosen = random.Random(seed).sample(pool, min(n, len(pool)))
    rows = [(a.id, a.question, a.reference, a.text, "") for a in chosen]
    repairs: Mapping[str, int] = {}
    if is_workbook(path):
        if not path.parent.is_dir():
            raise TableError(f"{path}: its folder does not exist; name a folder that does")
        write_workbook(path, COLUMNS, rows, advice=ADVICE)
    else:
        columns = dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))
        with open_output(path, COLUMNS) as output:
            output.write(columns, len(rows))
        repairs = dict(output.repairs)
    notes = [] if n <= len(pool) else [f"{n} answers were asked for, there are {len(pool)}"]
    return Account(
        out=path.name,
        answers=len(chosen),
        pool=len(pool),
        seed=seed,
        source=source,
        repairs=repairs,
        notes=notes,
    )


def known_answers() -> Iterator[Answer]:
    """The authored answers of known quality."""
    for case in load_cases():
        if case.slices["made"] == GENERATED:
            continue
        for _, text in case.answers:
            yield Answer(
                case=case.id,
                question=_shown(case.context, case.question),
                reference=case.reference,
                text=text,
            )


def run_answers(folder: Path) -> Iterable[Answer]:
    """The answers to protein questions that a run recorded, without empty ones and refusals."""
    from curieval.report.run import read_run

    for record in read_run(folder).transcripts():
        reply = record.get("reply") or {}
        text = str(reply.get("text") or "").strip()
        if record.get("task") != PROTEIN_QA.name or not text or reply.get("finish") == "refusal":
            continue
        yield Answer(
            case=str(record["case"]),
            question=str((record.get("prompt") or {}).get("user") or record.get("label")),
            reference=str(record["reference"]),
            text=text,
        )


def _shown(context: str, question: str) -> str:
    return f"{context}\n\n{question}" if context else question
