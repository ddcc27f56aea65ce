"""`curieval contamination`: cases that the examples of the prompt give away are named."""

import json

import pytest

from scoring import example_bank
from tests.cli.running import curieval, refused, write_table

BANK = {pair.id: pair for pair in example_bank()}
SITE = BANK["phos-site"]
CLEAN = {
    "id": "clean",
    "text": "Overexpressed ABCC9 was pulled down with KCNJ8 from cardiac membranes.",
    "agents": ["ABCC9", "KCNJ8"],
    "type": "Complex",
    "tag": "correct",
}

pytestmark = pytest.mark.usefixtures("own_world")


def case(name, text, agents, kind="Complex"):
    return {"id": name, "text": text, "agents": agents, "type": kind, "tag": "correct"}


def kinds(ran):
    return {(one["kind"], one["example"], one["case"]) for one in ran.json["found"]}


def test_the_projects_cases_are_clean():
    ran = curieval("contamination")
    assert (ran.code, ran.err) == (0, "")
    assert "against 200 cases of evals/indra_evidence" in " ".join(ran.out.split())
    assert "contaminated: none" in ran.out


def test_each_kind_is_named_with_example_and_case(tmp_path):
    rows = [
        CLEAN,
        case("exact", f" {SITE.correct.upper()} ", ["ABCC9", "KCNJ8"]),
        case("longer", f"It is known that {SITE.correct}", ["ABCC9", "KCNJ8"]),
        case("pair", "Both were seen at the centrosome.", ["STK38L", "RAB3IP"], "Phosphorylation"),
        case("turned", "Both were seen at the spindle.", ["RAB3IP", "STK38L"], "Phosphorylation"),
    ]
    table = write_table(tmp_path / "cases.jsonl", rows)
    ran = curieval("contamination", "--cases", table, "--json")
    assert ran.code == 1
    found = kinds(ran)
    assert ("exact", "phos-site-correct", "exact") in found
    assert ("substring", "phos-site-correct", "longer") in found
    assert ("pair", "phos-site-correct", "pair") in found
    assert {name for _, _, name in found} == {"exact", "longer", "pair"}
    assert {one["place"] for one in ran.json["found"] if one["case"] == "pair"} == {"cases.jsonl:4"}
    told = curieval("contamination", "--cases", table)
    assert told.code == 1
    assert "contaminated: 3 cases" in told.out


def test_examples_of_a_file_and_several_files_of_cases(tmp_path):
    mine = {"id": "mine", "type": "Complex", "claim": "KCNJ8 [Complex] ABCC9",
            "correct": "KCNJ8 binds ABCC9.", "incorrect": "KCNJ8 spares ABCC9."}  # fmt: skip
    examples = write_table(tmp_path / "examples.jsonl", [mine])
    other = case("other", SITE.correct, ["STK38L", "RAB3IP"], "Phosphorylation")
    first = write_table(tmp_path / "first.jsonl", [CLEAN])
    second = write_table(tmp_path / "second.jsonl", [other])
    ran = curieval("contamination", "--examples", examples, "--cases", first, "--cases", second,
                   "--json")  # fmt: skip
    assert ran.code == 1
    assert kinds(ran) == {("pair", f"mine-{side}", "clean") for side in ("correct", "incorrect")}
    assert ran.json["cases"] == {str(first): 1, str(second): 1}


def test_rows_without_a_sentence_are_named_and_not_counted_as_clean(tmp_path):
    rows = [CLEAN, {**CLEAN, "id": "empty", "text": " "}]
    ran = curieval("contamination", "--cases", write_table(tmp_path / "cases.jsonl", rows))
    assert ran.code == 0
    assert "note: not compared: cases.jsonl:2: the evidence has no text" in ran.err
    assert "against 1 cases" in " ".join(ran.out.split())


def test_examples_without_entities_are_counted(tmp_path):
    examples = write_table(tmp_path / "examples.jsonl", [{"text": "A sentence that names none."}])
    ran = curieval("contamination", "--examples", examples)
    assert ran.code == 0
    assert "1 sentences of the examples name neither agents nor a claim" in ran.err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"id": "a"}\n', "a.jsonl:1: Value error, a sentence is needed"),
        ("[]\n", "a.jsonl:1: a JSON object is expected"),
        ("", "holds no example"),
        ('{"text": ["a"]}\n', "a.jsonl:1: field 'text'"),
    ],
)
def test_examples_that_cannot_be_read_are_refused(tmp_path, content, told):
    path = tmp_path / "a.jsonl"
    path.write_text(content)
    assert told in refused("contamination", "--examples", path)


def test_a_file_without_a_sentence_is_refused(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps({**CLEAN, "text": ""}) + "\n")
    assert "holds no sentence to compare" in refused("contamination", "--cases", path)
