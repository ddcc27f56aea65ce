"""Every row of the vectors for the compatible score and for hierarchical F1."""

import json
from pathlib import Path

import pytest

from scoring import score_term

VECTORS = Path(__file__).parents[1] / "vectors"


def rows(name):
    with (VECTORS / name).open(encoding="utf-8") as lines:
        return [pytest.param(row, id=row["id"]) for row in map(json.loads, lines)]


def expected(row):
    return {
        column: pytest.approx(value, abs=1e-9, rel=0) if isinstance(value, float) else value
        for column, value in row["expected"].items()
    }


@pytest.mark.parametrize("row", rows("ontology_score.jsonl"))
def test_compatible_score(row, envo):
    scored = score_term(
        prediction=row["prediction"],
        reference=row["truth"],
        template=row["template"],
        ontology=envo,
    ).as_row()
    assert {column: scored[column] for column in row["expected"]} == expected(row)


@pytest.mark.parametrize("row", rows("hierarchical_f1.jsonl"))
def test_hierarchical_f1(row, envo):
    scored = score_term(
        prediction=row["prediction"], reference=row["reference"], slot=row["slot"], ontology=envo
    ).as_row()
    assert {column: scored[column] for column in row["expected"]} == expected(row)
