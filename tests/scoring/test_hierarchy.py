"""Hierarchical precision, recall, F1 and Lin similarity, by hand and on toy ontologies."""

import math

import pytest

from scoring import Ontology, Term, score_term
from scoring.hierarchy import BRANCH_ROOTS, in_branch, likeness, set_score

BIOME = BRANCH_ROOTS["env_broad_scale"]
PART = BRANCH_ROOTS["env_local_scale"]
MATERIAL = BRANCH_ROOTS["env_medium"]


@pytest.mark.parametrize(
    ("answer", "reference", "score"),
    [
        (set(), set(), (0.0, 0.0, 0.0)),
        ({"a"}, set(), (0.0, 0.0, 0.0)),
        ({"a"}, {"b"}, (0.0, 0.0, 0.0)),
        ({"a", "b", "c", "d"}, {"a"}, (0.25, 1.0, 0.4)),
        ({"a"}, {"a"}, (1.0, 1.0, 1.0)),
    ],
)
def test_set_score(answer, reference, score):
    assert set_score(answer, reference) == score


@pytest.fixture
def toy():
    r"""The biome branch, beside an outsider, below a parentless top.

    top ── biome ── wet ── lake
       │        └── dry ── desert
       └── outside
    """
    return Ontology(
        [
            Term("T:0", "top"),
            Term(BIOME, "biome", ("T:0",)),
            Term("T:1", "wet", (BIOME,)),
            Term("T:2", "lake", ("T:1",)),
            Term("T:3", "dry", (BIOME,)),
            Term("T:4", "desert", ("T:3", "T:1")),
            Term("T:5", "outside", ("T:0",)),
            Term("T:6", "obsolete bog", obsolete=True),
        ],
        name="toy",
    )


def test_the_branch_root_is_left_out(toy):
    found = likeness("T:1", "T:4", toy, "env_broad_scale")
    assert found[:3] == (1.0, 1 / 3, 0.5)
    assert likeness(BIOME, "T:4", toy, "env_broad_scale").f1 == 0.0
    assert likeness(BIOME, BIOME, toy, "env_broad_scale").f1 == 1.0


def test_outside_the_branch_nothing_counts(toy):
    assert likeness("T:5", "T:1", toy, "env_broad_scale").f1 == 0.0
    assert likeness("T:5", "T:5", toy, "env_broad_scale").f1 == 0.0


def test_local_scale_widens_to_the_whole_ontology(toy):
    # No astronomical body part here, so the sets lose the top alone.
    assert likeness("T:1", "T:2", toy, "env_local_scale")[:3] == (1.0, 2 / 3, 0.8)
    assert likeness("T:5", "T:2", toy, "env_local_scale").f1 == 0.0
    assert likeness("T:0", "T:0", toy, "env_local_scale").f1 == 1.0


def test_unknown_and_obsolete_ids_have_nothing_in_common(toy):
    assert likeness("T:9", "T:9", toy, "env_local_scale").f1 == 0.0
    assert likeness("T:6", "T:6", toy, "env_local_scale").f1 == 0.0


def test_lin_similarity_by_hand(toy):
    # Branch of 5; wet has 2 descendants, lake and desert none.
    wet = 1 - math.log(3) / math.log(5)
    assert likeness("T:2", "T:4", toy, "env_broad_scale").lin == pytest.approx(wet)
    assert likeness("T:1", "T:4", toy, "env_broad_scale").lin == pytest.approx(2 * wet / (wet + 1))
    assert likeness("T:2", "T:3", toy, "env_broad_scale").lin == 0.0
    assert likeness(BIOME, BIOME, toy, "env_broad_scale").lin == 1.0
    assert likeness(BIOME, "T:2", toy, "env_broad_scale").lin == 0.0


def test_branches_of_envo_and_of_another_ontology(envo, po):
    assert in_branch("ENVO:00000447", envo, "env_broad_scale")
    assert not in_branch("ENVO:00002001", envo, "env_broad_scale")
    assert in_branch("ENVO:00002001", envo, "env_medium")
    assert in_branch("PO:0025034", po, "env_medium")
    assert not in_branch("PO:0025034", po, "env_broad_scale")
    assert not in_branch("PO:9999999", po, "env_medium")


def test_plant_terms_are_scored_within_their_own_ontology(envo):
    # From the OBO file: leaf < phyllome < ... and bark share "plant anatomical entity".
    scored = score_term(
        prediction="phyllome [PO:0006001]",
        reference="leaf [PO:0025034]",
        ontology=envo,
        template="plant_associated_data",
        slot="env_medium",
    )
    assert (scored.relationship, scored.hop_distance) == ("ancestor", 1)
    assert scored.hierarchical_precision == 1.0
    assert 0 < scored.hierarchical_recall < 1
    assert scored.ontology_score == pytest.approx(0.925)


def test_across_ontologies_nothing_is_in_common(envo):
    scored = score_term(
        prediction="leaf [PO:0025034]",
        reference="plant litter [ENVO:01000628]",
        ontology=envo,
        slot="env_local_scale",
    )
    assert (scored.relationship, scored.hop_distance) == ("cross_ontology", None)
    assert scored.hierarchical_f1 == scored.lin_similarity == 0.0


def test_imports_that_envo_itself_relates_are_not_across(envo, po):
    # FOODON terms below PO terms, as ENVO imports them both.
    pairs = [
        (curie, above)
        for curie in envo
        if curie.startswith("FOODON:")
        for above in envo.ancestors(curie)
        if above.startswith("PO:")
    ]
    assert pairs
    for below, above in pairs:
        scored = score_term(
            prediction=f"x [{below}]", reference=f"x [{above}]", ontology=[envo, po]
        )
        assert scored.relationship == "descendant"
        assert scored.hop_distance == envo.distance(below, above)
