"""Tier 1: the vectors with gilda's own Grounder over their lexicon, and the rules beside them."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from indra.statements import Agent, Complex, Evidence, Phosphorylation

from curieval.grounder import quiet_import
from enum_data.write_pseudogenes import pseudogene_symbols, read_hgnc
from scoring import check_grounding, reader_texts
from scoring.grounding import pseudogenes
from scoring.mentions import is_mentioned

with quiet_import():
    from gilda.grounder import Grounder
    from gilda.process import normalize
    from gilda.term import Term

VECTORS = Path(__file__).parents[1] / "vectors" / "belief.jsonl"
ROWS = [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]
LEXICON = next(row["input"] for row in ROWS if row["group"] == "grounding_lexicon")


def vectors(group):
    return [pytest.param(row, id=row["id"]) for row in ROWS if row["group"] == group]


def grounder_of(terms):
    return Grounder(
        [
            Term(
                normalize(text),
                text,
                db,
                id,
                name,
                status,
                "test",
                "9606" if db == "HGNC" else None,
            )
            for text, db, id, name, status in terms
        ]
    )


@pytest.fixture(scope="module")
def grounder():
    return grounder_of(
        (term["text"], term["db"], term["id"], term["name"], term["status"])
        for term in LEXICON["terms"]
    )


def check(grounder, claim, raw, sentence, **more):
    return check_grounding(
        claim, raw, sentence, grounder=grounder, families=LEXICON["families"], **more
    )


@pytest.mark.parametrize("row", vectors("grounding"))
def test_vectors(row, grounder):
    found = check_grounding(**row["input"], grounder=grounder, families=LEXICON["families"])
    assert {"status": found.status, "auto_reject": found.auto_reject} == row["expected"]


@pytest.mark.parametrize("row", vectors("reader_text"))
def test_vectors_of_reader_texts(row):
    subject, object_ = (Agent(name) if name else None for name in row["input"]["agents"])
    evidence = Evidence(annotations={"agents": {"raw_text": row["input"]["raw_text"]}})
    found = reader_texts(Phosphorylation(subject, object_), evidence)
    assert found == [row["expected"]["subject_raw"], row["expected"]["object_raw"]]


def test_a_family_of_families_holds_its_members_members(grounder):
    families = {"MAPK": ["ERK", "JNK"], "ERK": ["MAPK1"], "JNK": ["MAPK"]}
    terms = [("MAPK", "FPLX", "MAPK", "MAPK", "name"), ("MAPK1", "HGNC", "6871", "MAPK1", "name")]
    found = check_grounding(
        "MAPK1", "MAPK", "MAPK is on.", grounder=grounder_of(terms), families=families
    )
    assert found.status == "MATCH"


def test_a_member_matches_its_family_and_a_sibling_does_not(grounder):
    assert check(grounder, "AKT", "AKT1", "AKT1 is on.").status == "MATCH"
    sibling = check(grounder, "AKT1", "AKT2", "AKT2 is on.")
    assert (sibling.status, sibling.auto_reject) == ("MISMATCH", True)


def test_ids_of_the_claim_go_before_its_name(grounder):
    refs = {"TEXT": "x", "UP": "P28482", "HGNC": "6871"}
    found = check(grounder, "p42 kinase", "ERK2", "ERK2 is on.", claim_db_refs=refs)
    assert (found.status, found.entity.curie) == ("MATCH", "HGNC:6871")
    other = check(grounder, "MAPK1", "ERK2", "ERK2 is on.", claim_db_refs={"HGNC": "6877"})
    assert other.status == "MISMATCH"


def test_another_databases_entry_of_the_same_name_is_an_alias():
    terms = [
        ("cisplatin", "CHEBI", "CHEBI:27899", "cisplatin", "name"),
        ("CDDP", "MESH", "D002945", "Cisplatin", "synonym"),
        ("CDDP", "HGNC", "1", "CDDPX", "former_name"),
    ]
    found = check_grounding("cisplatin", "CDDP", "x", grounder=grounder_of(terms), families={})
    assert found.status == "MATCH"


def test_an_unsure_mismatch_goes_on():
    terms = [("MET", "HGNC", "7029", "MET", "name"), ("HGF-R", "HGNC", "9", "OTHER", "former_name")]
    found = check_grounding(
        "MET", "HGF-R", "HGF-R is on.", grounder=grounder_of(terms), families={}
    )
    assert (found.status, found.auto_reject) == ("MISMATCH", False)


def test_without_a_sentence_nothing_is_rejected(grounder):
    for sentence in (None, " "):
        assert not check(grounder, "MAPK1", "MAPK3", sentence).auto_reject


def test_what_was_found_is_told(grounder):
    found = check(grounder, "AREG", "AR", "AR was secreted.")
    assert (found.best.name, found.best.curie) == ("AR", "HGNC:644")
    assert [rival.name for rival in found.rivals] == ["AR"]
    assert "amphiregulin" in found.names
    assert found.entity.curie == "HGNC:651"


@pytest.mark.parametrize("raw", [None, "", "  ", "MAPK1"])
def test_nothing_to_check_is_no_status(grounder, raw):
    found = check(grounder, "MAPK1", raw, "MAPK1 is on.")
    assert (found.status, found.auto_reject) == (None, False)


def test_an_empty_grounder_checks_nothing_and_rejects_nothing():
    found = check_grounding("MAPK1", "AKT1", "AKT1", grounder=grounder_of([]), families={})
    assert (found.status, found.auto_reject) == (None, False)


NAMES = st.sampled_from(sorted({term["name"] for term in LEXICON["terms"]}))
TEXTS = st.sampled_from(sorted({term["text"] for term in LEXICON["terms"]}))


@given(NAMES, TEXTS, st.text(max_size=30))
def test_only_mismatches_and_pseudogenes_in_a_tie_are_rejected(grounder, claim, raw, sentence):
    found = check(grounder, claim, raw, sentence)
    if found.auto_reject:
        assert found.status == "MISMATCH" or (
            found.status == "AMBIGUOUS" and found.entity.name in pseudogenes()
        )
    named = check(grounder, claim, raw, f"{sentence} {claim} .")
    assert not named.auto_reject


@given(TEXTS, st.sampled_from(["{}", "the {}.", "({})", "anti-{} serum", "{}-dependent"]))
def test_a_name_is_found_among_words(name, frame):
    assert is_mentioned([name], frame.format(name))


@pytest.mark.parametrize(
    ("names", "sentence", "expected"),
    [
        (["WAS"], "It was phosphorylated.", False),
        (["WAS"], "WAS was phosphorylated.", True),
        (["MAPK1"], "MAPK14 is on.", False),
        (["HNF4alpha"], "HNF-4α binds.", True),
        (["amyloid beta precursor protein"], "the Amyloid-beta precursor protein", True),
        (["TNF"], "TNFRSF1A is on.", False),
        ([""], "anything", False),
    ],
)
def test_mentions(names, sentence, expected):
    assert is_mentioned(names, sentence) is expected


def test_pseudogenes_are_those_of_hgnc():
    assert {"DVL1P1", "PTENP1", "BRAFP1", "IGHV1-12", "TRAV8-5"} <= pseudogenes()
    assert not {"DVL1", "PTEN", "BRAF", "HOTAIR"} & pseudogenes()


def test_the_shipped_list_is_what_its_script_writes():
    assert set(pseudogene_symbols(read_hgnc().splitlines())) == pseudogenes()


MEMBERS = [Agent("A", db_refs={"TEXT": "a1"}), Agent("B")]


@pytest.mark.parametrize(
    ("annotations", "expected"),
    [
        ({"agents": {"raw_text": ["x", None]}}, ["x", None]),
        ({"agents": {"raw_text": ["x", " "]}}, ["x", None]),
        ({"agents": {"raw_text": ["x"]}}, [None, None]),
        ({"agents": {"raw_text": "xy"}}, [None, None]),
        ({"agents": {}}, ["a1", None]),
        ({}, ["a1", None]),
        (None, ["a1", None]),
    ],
)
def test_reader_texts_keep_their_places(annotations, expected):
    evidence = SimpleNamespace(annotations=annotations)
    assert reader_texts(Complex(MEMBERS), evidence) == expected
    assert reader_texts(Complex(MEMBERS), {"annotations": annotations}) == expected


def test_an_agents_own_text_is_not_that_of_several_sentences():
    statement = Complex(MEMBERS, evidence=[Evidence(text="1"), Evidence(text="2")])
    assert reader_texts(statement, statement.evidence[0]) == [None, None]
