"""The shipped facts: what they say of themselves, and what the script makes of an OBO file."""

import gzip
import hashlib
import json

import pytest

from enum_data.write_ontology import main, write_ontology
from scoring import load_ontology

OBO = """\
format-version: 1.2
data-version: releases/2031-02-03
ontology: toy

[Term]
id: ENVO:00000002
name: b\\, the second
synonym: "bee \\"B\\"" EXACT [source:1] {comment="why"}
synonym: "no scope" []
is_a: ENVO:00000001 {is_inferred="true"} ! a
relationship: part_of ENVO:00000003

[Term]
id: ENVO:00000001
name: a

[Term]
id: ENVO:00000003
name: obsolete c
is_obsolete: true
replaced_by: ENVO:00000002
consider: ENVO:00000001

[Typedef]
id: part_of
name: part of
is_a: overlaps
"""

FACTS = [
    {"id": "ENVO:00000001", "label": "a"},
    {
        "id": "ENVO:00000002",
        "label": "b, the second",
        "is_a": ["ENVO:00000001"],
        "synonyms": [['bee "B"', "EXACT"], ["no scope", "RELATED"]],
    },
    {
        "id": "ENVO:00000003",
        "label": "obsolete c",
        "obsolete": True,
        "replaced_by": ["ENVO:00000002"],
        "consider": ["ENVO:00000001"],
    },
]


@pytest.fixture
def obo(tmp_path):
    path = tmp_path / "toy.obo"
    path.write_text(OBO, encoding="utf-8")
    return path


def test_facts_of_an_obo_file(obo, tmp_path):
    write_ontology("envo", obo, tmp_path)
    lines = gzip.decompress((tmp_path / "envo.jsonl.gz").read_bytes()).decode().splitlines()
    assert [json.loads(line) for line in lines] == FACTS
    about = json.loads((tmp_path / "envo.json").read_text())
    assert about["release"] == "2031-02-03"
    assert about["source_sha256"] == hashlib.sha256(OBO.encode()).hexdigest()


def test_the_same_document_gives_the_same_bytes(obo, tmp_path, capsys):
    zipped = tmp_path / "toy.obo.gz"
    zipped.write_bytes(gzip.compress(OBO.encode()))
    written = []
    for source in (obo, zipped):
        out = tmp_path / source.name.replace(".", "-")
        out.mkdir()
        main(["envo", str(source), "--out", str(out)])
        written.append([(out / name).read_bytes() for name in ("envo.jsonl.gz", "envo.json")])
    assert written[0] == written[1]
    assert capsys.readouterr().out.count("envo 2031-02-03: 3 terms") == 2


@pytest.mark.parametrize(
    ("name", "release", "terms", "live"),
    [("envo", "2025-10-20", 6906, 6453), ("po", "2026-01-09", 1793, 1659)],
)
def test_shipped_facts_are_whole(enum_data, name, release, terms, live):
    about = json.loads((enum_data / f"{name}.json").read_text())
    facts = (enum_data / f"{name}.jsonl.gz").read_bytes()
    assert about["facts_sha256"] == hashlib.sha256(facts).hexdigest()
    ontology = load_ontology(name)
    assert (ontology.release, len(ontology), ontology.live_count) == (release, terms, live)
    assert ontology.sha256 == about["source_sha256"]


def test_shipped_facts_are_small(enum_data):
    assert sum(path.stat().st_size for path in enum_data.glob("*.jsonl.gz")) < 500_000


def test_every_source_has_its_licence(enum_data):
    licences = (enum_data / "LICENCES.md").read_text(encoding="utf-8")
    for about in map(json.loads, (p.read_text() for p in enum_data.glob("*.json"))):
        if "licence" in about and "terms" in about:
            spoken = {"CC0-1.0": "CC0 1.0", "CC-BY-4.0": "CC BY 4.0"}
            assert spoken[about["licence"]] in licences
            assert about["attribution"] in licences
