"""What stands out in answers to the triad, counted on records made by the scorer itself."""

import pytest

from evals.env_triad.cases import load_cases
from evals.env_triad.patterns import find_patterns, remarks
from evals.env_triad.task import score_row
from scoring import load_ontology, score_term

REFERENCE = "forest biome [ENVO:01000174]"
EXACT, HEDGED = REFERENCE, "terrestrial biome [ENVO:00000446]"
OTHERS = "forest biome [ENVO:01000180]"
UNHEARD = "woods [ENVO:01000174]"
NO_ID = "forest biome [ENVO:99999999]"
NAMES = ("general", "specific", "outside", "invented", "unreadable")


def records(*answers, reference=REFERENCE, allowed=None):
    return [
        {
            "case": f"soil-broad-forest-{number:02}",
            "scores": score_term(
                prediction=answer,
                reference=reference,
                ontology=load_ontology("envo"),
                template="soil_data",
                allowed=allowed,
            ).as_row(),
        }
        for number, answer in enumerate(answers, 1)
    ]


def counts(found):
    """How many answers each pattern holds, by a short name."""
    patterns = find_patterns(found)
    return {name: len(pattern.cases) for name, pattern in zip(NAMES, patterns, strict=True)}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (EXACT, {}),
        (HEDGED, {"general": 1}),
        ("temperate forest biome", {"unreadable": 1}),
        ("", {"unreadable": 1}),
        (OTHERS, {"invented": 1}),
        (UNHEARD, {"invented": 1}),
        (NO_ID, {"invented": 1}),
        ("x [X:1]", {"invented": 1}),
    ],
)
def test_each_answer_falls_into_its_pattern(answer, expected):
    assert counts(records(answer)) == dict.fromkeys(NAMES, 0) | expected


def test_a_deeper_answer_is_more_specific():
    found = records("tropical moist broadleaf forest biome [ENVO:01000228]", reference=REFERENCE)
    assert counts(found)["specific"] == 1


def test_a_near_answer_outside_the_set_is_told_from_a_wrong_one():
    near = records(EXACT, allowed={"ENVO:01000180"})
    wrong = records("tundra biome [ENVO:01000180]", allowed={"ENVO:01000174"})
    assert counts(near)["outside"] == 1
    assert counts(wrong)["outside"] == 0


def test_what_stands_out_is_named_with_its_cases():
    found = records(*[HEDGED] * 7, EXACT, OTHERS, NO_ID)
    shares, *named = remarks(found)
    assert "70 % more general than the reference (hedging)" in shares
    assert "20 % invented pairs" in shares
    assert "0 % unreadable" in shares
    hedging, invented = named
    assert "7 of 10 answers are more general" in hedging
    assert "the prompt may be too weak" in hedging
    assert "forest-05 and 2 more)" in hedging
    assert "1 with the label of another term, 1 with an id that no term has" in invented
    assert invented.endswith("(soil-broad-forest-09, soil-broad-forest-10)")


def test_one_odd_answer_stands_for_nothing():
    assert len(remarks(records(EXACT, HEDGED))) == 1
    assert remarks([]) == ()


def test_records_hold_both_readings_and_the_remark_says_what_leniency_gives():
    case = next(case for case in load_cases() if case.id == "soil-broad-tundra-01")
    wrapped = f"**{case.reference}**"
    found = [
        {"case": f"c{number}", "scores": score_row(case, answer)}
        for number, answer in enumerate([case.reference, wrapped, wrapped, "no idea"])
    ]
    assert [record["scores"]["hierarchical_f1"] for record in found] == [1.0, 0.0, 0.0, 0.0]
    assert [record["scores"]["lenient_hierarchical_f1"] for record in found] == [1.0, 1.0, 1.0, 0.0]
    assert found[1]["scores"]["lenient_reasons"] == "bold"
    assert found[1]["scores"]["lenient_ontology_score"] == found[0]["scores"]["ontology_score"]
    line = next(line for line in remarks(found) if line.startswith("lenient"))
    assert line == (
        "lenient reading: hierarchical_f1 0.750 instead of 0.250, as 2 of 4 answers score "
        "otherwise (bold 2)"
    )
    assert not [line for line in remarks(found[:1]) if line.startswith("lenient")]
