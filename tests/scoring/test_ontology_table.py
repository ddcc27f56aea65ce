"""score_terms: every row as score_term has it, and what a table must hold."""

import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import allowed_values, load_ontology, score_term, score_terms
from scoring.facts import SLOTS
from scoring.term_pairs import RELATIONSHIPS, relate_pairs
from scoring.term_score import COLUMNS
from scoring.term_target import relate

ODD = (
    "junk",
    None,
    "x [X:1]",
    "soil",
    "ENVO:00001998",
    "soil; sand",
    "leaf [PO:0025034]",
    "phyllome [PO:0006001]",
    "biome [ENVO:00000428]",
    "y [ENVO:99999999]",
    "gone [ENVO:00000876]",
    "not applicable",
)


def plain(value):
    return None if isinstance(value, float) and math.isnan(value) else value


def as_rows(columns):
    return [
        {name: plain(values[row]) for name, values in columns.items()}
        for row in range(len(columns["prediction" if "prediction" in columns else "reasons"]))
    ]


@st.composite
def tables(draw):
    envo = load_ontology("envo")
    allowed = [
        f"{label} [{curie}]"
        for slot in SLOTS
        for curie, label in allowed_values("soil_data", slot).items()
    ]
    live = st.sampled_from(list(envo)).map(lambda curie: f"{envo.label(curie)} [{curie}]")
    value = st.sampled_from(allowed) | live | st.sampled_from(ODD)
    size = draw(st.integers(0, 12))
    column = st.lists(value, min_size=size, max_size=size)
    table = {
        "prediction": draw(column),
        draw(st.sampled_from(("reference", "truth"))): draw(column),
    }
    if draw(st.booleans()):
        choices = st.sampled_from(("soil_data", "plant_associated_data", "air_data", ""))
        table["template"] = draw(st.lists(choices, min_size=size, max_size=size))
    if draw(st.booleans()):
        table["slot"] = draw(st.lists(st.sampled_from(SLOTS), min_size=size, max_size=size))
    if draw(st.booleans()):
        others = st.dictionaries(st.sampled_from(allowed), st.floats(0.01, 1.0), max_size=3)
        table["accepted"] = draw(st.lists(st.none() | others, min_size=size, max_size=size))
    return table


@given(
    tables(),
    st.sampled_from(({}, {"lenient": True}, {"lenient": True, "multi_valued": True})),
    st.sampled_from((None, {"ENVO:00001998", "ENVO:01000180"})),
)
@settings(max_examples=150)
def test_every_row_is_scored_as_alone(table, reading, allowed):
    envo = load_ontology("envo")
    scored = score_terms(table, ontology=envo, template="water_data", allowed=allowed, **reading)
    assert tuple(scored) == COLUMNS
    references = table.get("reference", table.get("truth"))
    expected = [
        score_term(
            prediction=prediction,
            reference=references[row],
            template=table["template"][row] if "template" in table else "water_data",
            slot=table["slot"][row] if "slot" in table else "env_broad_scale",
            ontology=envo,
            allowed=allowed,
            accepted=table["accepted"][row] if "accepted" in table else None,
            **reading,
        ).as_row()
        for row, prediction in enumerate(table["prediction"])
    ]
    assert as_rows(scored) == expected


@pytest.mark.parametrize("slot", SLOTS)
def test_many_pairs_relate_as_one_by_one(slot, envo, po):
    random = np.random.default_rng(7)
    biomes = [curie for curie in envo if "ENVO:00000428" in envo.ancestors(curie)]
    curies = [*list(envo)[::40], *biomes, *list(po)[::40], "X:1", "ENVO:99999999"]
    curies = list(dict.fromkeys([*curies, "ENVO:01000813", "ENVO:00010483", "BFO:0000001"]))
    answers = random.integers(0, len(curies), 4000)
    truths = random.integers(0, len(curies), 4000)
    truths[::9] = answers[::9]
    found = relate_pairs(curies, answers, truths, given=envo, slot=slot)
    assert set(found.relationship) == set(range(len(RELATIONSHIPS)))
    for row in range(len(answers)):
        one = relate(curies[answers[row]], curies[truths[row]], envo, slot)
        hops = None if found.hops[row] < 0 else found.hops[row]
        assert RELATIONSHIPS[found.relationship[row]] == one.relationship
        assert (hops, found.hierarchy[row]) == (one.hops, one.hierarchy)
        figures = (found.precision[row], found.recall[row], found.f1[row], found.lin[row])
        assert figures == tuple(one.likeness)


def test_columns_of_frames_and_arrays_read_alike(envo):
    answers = ["forest biome [ENVO:01000174]", "junk", "marine biome [ENVO:00000447]"]
    truths = ["forest biome [ENVO:01000174]"] * 3
    lists = {"prediction": answers, "reference": truths}
    expected = as_rows(score_terms(lists, ontology=envo))
    frame = pd.DataFrame(lists, index=[7, 7, 9])
    for table in (frame, {name: frame[name].to_numpy() for name in frame}):
        assert as_rows(score_terms(table, ontology=envo)) == expected
    arrow = {name: pa.chunked_array([pa.array(values)]) for name, values in lists.items()}
    assert as_rows(score_terms(arrow, ontology=envo)) == expected


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"reference": []}, "no column 'prediction': the table has 'reference'"),
        ({"prediction": []}, "no column 'reference': the table has 'prediction'"),
        (
            {"prediction": ["a"], "truth": ["a", "b"]},
            "columns of unequal length: prediction 1, truth 2",
        ),
        (
            {"prediction": ["a", "b"], "truth": ["a", "b"], "slot": ["env_medium", "medium"]},
            "row 2: no slot 'medium'",
        ),
    ],
)
def test_mistakes_in_the_table_are_named(envo, table, message):
    with pytest.raises(ValueError, match=message):
        score_terms(table, ontology=envo)
