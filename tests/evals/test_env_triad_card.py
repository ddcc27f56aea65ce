"""The data card of the triad says of the cases what is true of them."""

from __future__ import annotations

import json
import re
from collections import Counter
from math import fsum

import pytest

from curieval.triad.schema import installed_schema
from evals.env_triad.cases import CASE_FOLDER, SLOTS, candidate_texts, load_cases
from evals.env_triad.lexical import lexical_answer
from evals.env_triad.task import score_answer, suspect

CASES = load_cases()
CARD = (CASE_FOLDER.parent / "README.md").read_text(encoding="utf-8")
FLAT = " ".join(CARD.split())
TEMPLATE_COLUMNS = (
    "soil_data",
    "water_data",
    "sediment_data",
    "plant_associated_data",
    "host_associated_data",
    "air_data",
)


def cells(head, slot):
    """The cells of the row of one slot in the table whose head begins so, by column."""
    tables = re.findall(r"(?:^\|.*\n)+", CARD, re.M)
    (lines,) = [table.splitlines() for table in tables if table.startswith(head)]
    names, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    (row,) = [row for row in rows if row[0] == slot]
    return dict(zip(names, row, strict=True))


@pytest.mark.parametrize("slot", SLOTS)
def test_the_counts_of_a_slot(slot):
    own = [case for case in CASES if case.slot == slot]
    said = cells("| slot | cases", slot)
    templates = Counter(case.template for case in own)
    assert int(said["cases"]) == len(own)
    assert int(said["values"]) == len({case.reference for case in own})
    assert int(said["hard"]) == sum(case.slices["difficulty"] == "hard" for case in own)
    assert int(said["with accepted values"]) == sum(bool(case.accepted) for case in own)
    for template in TEMPLATE_COLUMNS:
        column = template.removesuffix("_data").replace("_", " ")
        assert int(said[column]) == templates[template], column


@pytest.mark.parametrize("slot", SLOTS)
@pytest.mark.parametrize("difficulty", ["easy", "hard"])
def test_what_the_keyword_answer_reaches_by_difficulty(slot, difficulty):
    own = [c for c in CASES if c.slot == slot and c.slices["difficulty"] == difficulty]
    scores = [
        score_answer(case, lexical_answer(case.shown, candidate_texts(case.template, case.slot)))
        for case in own
    ]
    said = cells("| slot | easy", slot)
    mean = fsum(score.hierarchical_f1 for score in scores) / len(own)
    assert int(said[difficulty]) == len(own)
    assert said[f"keywords, {difficulty}"] == f"{mean:.2f}"


def test_the_suite_is_as_large_as_it_says():
    counts = Counter(case.slot for case in CASES)
    assert f"{len(CASES)} cases." in CARD
    assert counts["env_broad_scale"] >= 150
    assert counts["env_local_scale"] >= 75
    assert counts["env_medium"] >= 75
    values = Counter(case.reference for case in CASES if case.slot == "env_broad_scale")
    assert sum(count >= 10 for count in values.values()) >= 15
    often = sum(count >= 10 for count in values.values())
    assert f"{often} of the broad scale's values have ten cases or more" in FLAT


def test_the_result_of_the_audit():
    texts = [
        (case, text)
        for case in CASES
        for text in (case.reference, *(accepted for accepted, _ in case.accepted))
    ]
    others = len(texts) - len(CASES)
    schema = installed_schema()
    held = [(case, text) for case, text in texts if (case.template, case.slot) in schema.enums]
    assert [case.id for case in CASES if suspect(case)] == []
    assert [c.id for c, text in held if schema.problem(text, c.template, c.slot)] == []
    said = f"{len(CASES)} references and {others} accepted values were audited, none is suspect"
    assert said in FLAT
    assert f"{len(held)} of them" in FLAT
    assert f"nmdc-submission-schema {schema.release}" in FLAT


@pytest.mark.parametrize("slot", SLOTS)
def test_every_case_is_argued_in_one_line_of_its_own(slot):
    lines = (CASE_FOLDER / f"{slot}.jsonl").read_text(encoding="utf-8").splitlines()
    arguments = [json.loads(line)["why"] for line in lines]
    assert all(len(why) >= 20 and "\n" not in why for why in arguments)
    assert len(set(arguments)) == len(arguments)
