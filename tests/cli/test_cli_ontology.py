"""`curieval ontology diff`: releases compared for cases, value sets, and a table's values."""

import gzip
from pathlib import Path

import pytest

from tests.cli.running import curieval, refused, write_table

VECTORS = Path(__file__).parents[1] / "vectors"
BEFORE = """\
data-version: releases/2031-01-01
ontology: toy

[Term]
id: ENVO:00000001
name: water body

[Term]
id: ENVO:00000002
name: lake
is_a: ENVO:00000001

[Term]
id: ENVO:00000003
name: tarn
is_a: ENVO:00000001
"""
AFTER = (
    BEFORE.replace("2031-01-01", "2032-01-01")
    .replace("name: tarn\nis_a: ENVO:00000001", "name: mountain lake\nis_a: ENVO:00000002")
    .replace("name: lake\n", "name: lake\nis_obsolete: true\n")
)

pytestmark = pytest.mark.usefixtures("own_world")


@pytest.fixture
def releases(tmp_path):
    (tmp_path / "before.obo").write_text(BEFORE)
    with gzip.open(tmp_path / "after.obo.gz", "wt") as file:
        file.write(AFTER)
    return tmp_path / "before.obo", tmp_path / "after.obo.gz"


@pytest.fixture(scope="module")
def shipped_release(tmp_path_factory):
    """A past release of ENVO as OBO, cut down to what value sets need."""
    from scoring.facts import read_facts

    def write(date):
        facts = gzip.decompress((VECTORS / f"envo-{date}.jsonl.gz").read_bytes()).decode()
        lines = [f"data-version: releases/{date}", "ontology: envo", ""]
        for term in read_facts(facts):
            lines += ["[Term]", f"id: {term.id}", f"name: {term.label}"]
            lines += [f"is_a: {parent}" for parent in term.parents]
            lines += ["is_obsolete: true"] * term.obsolete + [""]
        path = tmp_path_factory.mktemp(date) / "envo.obo"
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return write


def test_what_changed_for_a_tables_values(tmp_path, releases):
    values = ["lake [ENVO:00000002]", "tarn [ENVO:00000003]", "water body [ENVO:00000001]"]
    table = write_table(tmp_path / "t.tsv", [{"env_medium": value} for value in values])
    arguments = (*releases, "--values", table, "--column", "value=env_medium")
    ran = curieval("ontology", "diff", *arguments, "--json")
    assert ran.code == 1
    found = ran.json
    assert (found["before"]["release"], found["after"]["release"]) == ("2031-01-01", "2032-01-01")
    lake, tarn = found["terms"]
    assert (lake["status_before"], lake["status_after"]) == ("live", "obsolete")
    assert (tarn["label_before"], tarn["label_after"]) == ("tarn", "mountain lake")
    assert (tarn["parents_lost"], tarn["parents_gained"]) == (
        ["ENVO:00000001"],
        ["ENVO:00000002"],
    )
    assert tarn["used_by"] == ["t.tsv"]
    text = curieval("ontology", "diff", *arguments)
    assert text.code == 1
    assert "label 'tarn' → 'mountain lake'" in " ".join(text.out.split())
    assert "live → obsolete" in text.out


def test_values_that_did_not_change_give_exit_code_0(tmp_path, releases):
    table = write_table(
        tmp_path / "t.csv",
        [{"id": "ENVO:00000001"}, {"id": "ENVO:99999999"}, {"id": "nothing"}, {"id": ""}],
    )
    ran = curieval("ontology", "diff", *releases, "--values", table)
    assert ran.code == 0
    assert "0 terms differ" in ran.out
    assert "1 values name no term" in ran.err
    assert "1 of 2 terms are in neither release" in ran.err


def test_several_terms_of_a_cell_are_all_looked_at(tmp_path, releases):
    both = "lake [ENVO:00000002] | tarn [ENVO:00000003]"
    table = write_table(tmp_path / "t.jsonl", [{"reference": both}])
    ran = curieval("ontology", "diff", *releases, "--values", table, "--json")
    assert [term["curie"] for term in ran.json["terms"]] == ["ENVO:00000002", "ENVO:00000003"]


def test_ninety_six_of_1344_pairs_of_allowed_values_differ(shipped_release):
    ran = curieval("ontology", "diff", shipped_release("2025-02-05"), "envo", "--json")
    assert ran.code == 1
    assert ran.json["allowed_values"] == {
        "related_pairs": 1344,
        "changed_pairs": 96,
        "relationships_changed": 46,
    }
    changed = {
        term["curie"]: (term["label_before"], term["label_after"])
        for term in ran.json["terms"]
        if term["label_before"] and term["label_before"] != term["label_after"]
        if term["status_after"] == "live"
    }
    assert changed == {"ENVO:00002149": ("ocean water", "sea water")}


def test_no_pair_differs_from_2024_07_01(shipped_release):
    ran = curieval("ontology", "diff", shipped_release("2024-07-01"), "envo", "--json")
    assert ran.code == 1
    assert ran.json["allowed_values"]["changed_pairs"] == 0
    gone = [term["curie"] for term in ran.json["terms"] if term["status_after"] == "absent"]
    assert gone == ["ENVO:02000139", "ENVO:02000145"]


def test_a_release_does_not_differ_from_itself():
    ran = curieval("ontology", "diff", "envo", "envo", "--json")
    assert ran.code == 0
    assert (ran.json["changed"], ran.json["terms"], ran.json["pairs"]) == (False, [], [])


def test_mistakes_are_one_line(tmp_path, releases):
    assert "no ontology 'nowhere.obo'" in refused("ontology", "diff", "nowhere.obo", "envo")
    table = write_table(tmp_path / "t.tsv", [{"medium": "soil"}])
    line = refused("ontology", "diff", *releases, "--values", table)
    assert "no column 'value' or 'reference' or 'truth' or 'id'" in line
