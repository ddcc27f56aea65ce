"""Ontology facts: labels, ancestors, distances, information content."""

import math

import pytest

from scoring import Ontology, Term, load_ontology

ROOT, LEFT, RIGHT, LEAF, GONE = (f"T:{number}" for number in range(5))


@pytest.fixture
def diamond():
    return Ontology(
        [
            Term(ROOT, "root"),
            Term(LEFT, "left", (ROOT,)),
            Term(RIGHT, "right", (LEFT, "T:99")),
            Term(LEAF, "leaf", (RIGHT, ROOT), (("foliage", "EXACT"),)),
            Term(GONE, "obsolete gone", obsolete=True, replaced_by=(LEAF,), consider=(LEFT,)),
        ],
        name="toy",
    )


def test_ancestors_take_the_shortest_path(diamond):
    assert diamond.ancestors(LEAF) == {LEAF: 0, RIGHT: 1, ROOT: 1, LEFT: 2}


def test_distance_goes_up_only(diamond):
    assert diamond.distance(LEAF, LEFT) == 2
    assert diamond.distance(LEFT, LEAF) is None
    assert diamond.distance(LEAF, LEAF) == 0
    assert diamond.distance("T:99", "T:99") is None


def test_an_unknown_id_has_nothing(diamond):
    assert diamond.ancestors("T:99") == {}
    assert diamond.label("T:99") is None
    assert "T:99" not in diamond
    assert diamond.synonyms("T:99") == diamond.parents("T:99") == ()
    assert diamond.information_content("T:99") == 0.0


def test_an_obsolete_term_names_its_successors(diamond):
    assert diamond.is_obsolete(GONE)
    assert not diamond.is_live(GONE)
    assert diamond.replaced_by(GONE) == (LEAF,)
    assert diamond.consider(GONE) == (LEFT,)
    assert diamond.ancestors(GONE) == {GONE: 0}


def test_roots_are_live_terms_without_a_known_parent(diamond):
    assert diamond.roots == {ROOT}


def test_information_content_follows_the_descendants(diamond):
    assert diamond.information_content(ROOT) == 0.0
    assert diamond.information_content(LEAF) == 1.0
    assert diamond.information_content(LEFT) == pytest.approx(1 - math.log(3) / math.log(4))
    assert diamond.information_content(LEFT, root=LEFT) == 0.0


def test_a_cycle_ends():
    ontology = Ontology([Term("T:0", "a", ("T:1",)), Term("T:1", "b", ("T:0",))], name="ring")
    assert ontology.ancestors("T:0") == {"T:0": 0, "T:1": 1}


def test_an_id_stated_twice_is_refused():
    with pytest.raises(ValueError, match="toy: the id T:1 is stated twice"):
        Ontology([Term("T:1", "a"), Term("T:1", "b")], name="toy")


def test_only_shipped_facts_load_by_name():
    with pytest.raises(ValueError, match=r"open any other with curieval\.open_ontology"):
        load_ontology("uberon")


def test_own_prefix_beside_imports(envo, po):
    assert (envo.prefix, po.prefix) == ("ENVO", "PO")


def test_known_facts_of_envo(envo):
    # Read off the OBO file by hand.
    assert envo.label("ENVO:00000108") == "meadow ecosystem"
    assert ("meadow", "EXACT") in envo.synonyms("ENVO:00000108")
    assert envo.consider("ENVO:00000876") == ("ENVO:01000202", "ENVO:01000212")
    assert envo.distance("ENVO:01000202", "ENVO:00000428") == 2
    assert envo.distance("ENVO:01000202", "ENVO:00000446") == 3
    assert "ENVO:02000139" not in envo
    biomes = [curie for curie in envo if "ENVO:00000428" in envo.ancestors(curie)]
    assert len(biomes) == 128
