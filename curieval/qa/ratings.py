"""People's ratings of answers, read from a sheet or any table with the columns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from curieval.qa import rows as has
from curieval.qa.adjudicator import Item
from curieval.qa.sheet import case_of_id, run_answers
from curieval.qa.workbook import WorkbookTable, is_workbook
from curieval.tables import Field, Table, TableError, find_fields, open_table
from evals.protein_qa.cases import QaCase

ANSWER = Field(name="answer", aliases=("prediction", "response"), required=True)
SCORE = Field(name="score", aliases=("rating", "human", "human_score"), required=True)
RATER = Field(name="rater", aliases=("annotator", "person"))
READ = (
    replace(has.ID, required=True),
    *(ANSWER, SCORE, RATER, has.MODEL),
    replace(has.QUESTION, required=False),
    replace(has.REFERENCE, required=False),
)
_DEFUSED = ("'=", "'+", "'-", "'@", "'\t", "'\r")
KNOWN_NAMES = ("reference", "full", "half", "none")


@dataclass(frozen=True, kw_only=True)
class Ratings:
    """Answers with what people gave them: a row a person, a column an answer, None for no score.

    `unrated` are answers that nobody rated; `models` who wrote them, where the table says.
    """

    items: Sequence[Item]
    people: Sequence[Sequence[float | None]]
    raters: Sequence[str]
    unrated: Sequence[Item]
    models: Sequence[str]

    @property
    def means(self) -> list[float]:
        """People's mean score of each answer."""
        columns = zip(*self.people, strict=True)
        given = ([each for each in column if each is not None] for column in columns)
        return [math.fsum(scores) / len(scores) for scores in given]


def open_ratings(path: Path, *, encoding: str | None = None) -> Table:
    """Open a workbook or a table."""
    return WorkbookTable(path) if is_workbook(path) else open_table(path, encoding=encoding)


def read_ratings(
    table: Table, *, mapping: Mapping[str, str], report: Path | None = None
) -> Ratings:
    """Read ratings; the answers of a run in `report` that nobody rated are added as unrated.

    A row names its case by id (that of the case, or of a sheet's row) and its answer by text or,
    for the project's items, as reference, full, half or none. TableError names file, row and
    field of what will not do.
    """
    found = find_fields(table, READ, mapping)
    items: dict[tuple[str, str], Item] = {}
    given: dict[tuple[str, str], dict[str, float]] = {}
    places: dict[tuple[str, str, str], str] = {}
    raters: dict[str, None] = {}
    models: dict[str, None] = {}
    for place, row in _rows(table, found):
        item = _item(place, row)
        key = (item.case.id, item.answer)
        items.setdefault(key, item)
        if row["model"]:
            models[row["model"]] = None
        score = _score(row["score"], place)
        if score is None:
            continue
        rater = row["rater"]
        raters[rater] = None
        if (*key, rater) in places:
            who = f" by {rater}" if rater else ""
            raise TableError(
                f"{place}: this answer to {item.case.id!r} was rated{who} at "
                f"{places[(*key, rater)]} already; give one score, or name raters in a column rater"
            )
        places[(*key, rater)] = place
        given.setdefault(key, {})[rater] = score
    if not given:
        raise TableError(
            f"{table.path}: no row has a score in {found['score']!r}; give numbers from 0 to 100"
        )
    unrated = {key: item for key, item in items.items() if key not in given}
    if report is not None:
        for item in _run_items(report):
            key = (item.case.id, item.answer)
            if key not in given:
                unrated.setdefault(key, item)
    return Ratings(
        items=[items[key] for key in given],
        people=[[scores.get(rater) for scores in given.values()] for rater in raters],
        raters=[*raters],
        unrated=[*unrated.values()],
        models=[*models],
    )


def models_of_run(report: Path) -> list[str]:
    """The models whose answers a run holds."""
    from curieval.report.run import read_run

    return [str(model["name"]) for model in read_run(report).manifest["models"]]


def _rows(table: Table, found: Mapping[str, str | None]) -> Iterator[tuple[str, dict[str, str]]]:
    for batch in table.batches():
        texts = {name: batch.texts(column) for name, column in found.items()}
        for n, line in enumerate(batch.lines):
            yield table.place(line), {name: column[n].strip() for name, column in texts.items()}


def _item(place: str, row: Mapping[str, str]) -> Item:
    case = _case(place, row)
    # Tables that we write put a ' before what a spreadsheet would run.
    text = row["answer"]
    text = text[1:] if text.startswith(_DEFUSED) else text
    known = {"reference": case.reference, **dict(case.answers)}
    if text in KNOWN_NAMES and text in known:
        text = known[text]
    if not text:
        raise TableError(f"{place}, field 'answer': is empty; give the answer or its name")
    return Item(case=case, answer=text)


def _case(place: str, row: Mapping[str, str]) -> QaCase:
    case_id = case_of_id(row["id"])
    own = has.project_cases().get(case_id)
    if own is not None and row["reference"] in ("", own.reference):
        return own
    if not (row["question"] and row["reference"]):
        raise TableError(
            f"{place}, field 'id': {row['id']!r} is no item of protein_qa; give the columns "
            "question and reference for questions of your own"
        )
    return has.case_of(
        place=place, case_id=case_id, question=row["question"], reference=row["reference"]
    )


def _run_items(report: Path) -> Iterator[Item]:
    for answer in run_answers(report):
        own = has.project_cases().get(answer.case)
        case = (
            own
            if own is not None and own.reference == answer.reference
            else has.case_of(
                place=f"{report.name}: {answer.case}",
                case_id=answer.case,
                question=answer.question,
                reference=answer.reference,
            )
        )
        yield Item(case=case, answer=answer.text)


def _score(text: str, place: str) -> float | None:
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 100:
        raise TableError(f"{place}, field 'score': {text!r} is no number from 0 to 100")
    return value
