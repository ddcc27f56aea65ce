"""Branches of the slots' ontology: what lies where, and what a model took for what."""

from __future__ import annotations

import pytest

from evals.env_triad.branches import branch_columns
from evals.env_triad.cases import load_cases
from evals.env_triad.patterns import remarks
from evals.env_triad.task import score_answer, shipped_ontologies
from scoring import score_term

BROAD, MEDIUM = "env_broad_scale", "env_medium"
TUNDRA = "tundra biome [ENVO:01000180]"
OCEAN = "oceanic epipelagic zone biome [ENVO:01000035]"
TROPICAL_FOREST = "tropical moist broadleaf forest biome [ENVO:01000228]"


def columns(answer, reference, slot=BROAD):
    score = score_term(
        prediction=answer, reference=reference, ontology=shipped_ontologies(), slot=slot
    )
    return tuple(branch_columns(score, slot, shipped_ontologies()).values())


@pytest.mark.parametrize(
    ("answer", "reference", "slot", "expected"),
    [
        (OCEAN, TUNDRA, BROAD, ("terrestrial biome", "aquatic biome")),
        (TROPICAL_FOREST, TUNDRA, BROAD, ("terrestrial biome", "terrestrial biome")),
        ("biome [ENVO:00000428]", TUNDRA, BROAD, ("terrestrial biome", "biome")),
        ("soil [ENVO:00001998]", TUNDRA, BROAD, ("terrestrial biome", "outside biome")),
        ("x [ENVO:99999999]", TUNDRA, BROAD, ("terrestrial biome", "not in the ontology")),
        ("x [QQ:1]", TUNDRA, BROAD, ("terrestrial biome", "not in the ontology")),
        ("no idea", TUNDRA, BROAD, ("terrestrial biome", None)),
        (TUNDRA, "tundra", BROAD, (None, "terrestrial biome")),
        ("leaf [PO:0025034]", "soil [ENVO:00001998]", MEDIUM,
         ("soil", "outside environmental material")),
    ],
)  # fmt: skip
def test_each_term_lies_in_its_branch(answer, reference, slot, expected):
    assert columns(answer, reference, slot) == expected


def test_a_term_of_two_branches_counts_in_the_references_own():
    envo = shipped_ontologies()[0]
    above = {envo.label(term) for term in envo.ancestors("ENVO:01000228")}
    assert {"terrestrial biome", "tropical biome"} <= above
    tropical = "tropical biome [ENVO:01001830]"
    assert columns(TROPICAL_FOREST, tropical) == ("tropical biome", "tropical biome")
    assert columns(tropical, TROPICAL_FOREST) == ("terrestrial biome", "terrestrial biome")


def test_a_right_answer_is_never_in_another_branch():
    for case in load_cases():
        score = score_answer(case, case.reference)
        truth, answer = branch_columns(score, case.slot, shipped_ontologies()).values()
        assert truth == answer is not None, case.id


def test_the_remark_says_what_was_taken_for_what():
    records = []
    for number, (truth, answer) in enumerate([("a", "b"), ("a", "b"), ("b", "b"), ("a", None)]):
        scores = {"parse_success": answer is not None, "truth_branch": truth, "pred_branch": answer}
        records.append({"case": f"c{number}", "scores": scores})
    line = next(line for line in remarks(records) if line.startswith("branches"))
    assert line == (
        "branches: 2 of 3 readable answers lie in another branch than the reference, "
        "most often 'b' for 'a' 2"
    )
