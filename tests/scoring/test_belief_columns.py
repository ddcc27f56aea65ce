"""Beliefs of many statements equal those composed one by one, whatever kind the table is."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import compose_belief, compose_beliefs

ROW = st.fixed_dictionaries(
    {
        "statement": st.sampled_from(["s1", "s2", "s3", "-9007199254740993"]),
        "source_api": st.sampled_from(["reach", "Reach", "sparser", "signor", "trips"]),
        "verdict": st.sampled_from(["correct", "incorrect", " CORRECT", "abstain", "other", None]),
        "negated": st.sampled_from([True, False, None]),
        "score": st.one_of(st.none(), st.floats(0, 1)),
        "confidence": st.sampled_from(["high", "medium", "low", None]),
    }
)
COLUMNS = ("belief", "parametric_only", "n_total", "n_surviving", "n_gated")


def columns(rows):
    return {name: [row[name] for row in rows] for name in rows[0]}


@given(st.lists(ROW, min_size=1, max_size=30), st.booleans(), st.booleans())
def test_equals_one_by_one(rows, gate_unscored, graded):
    options = {"gate_unscored": gate_unscored, "graded": graded}
    table = compose_beliefs(columns(rows), **options)
    assert list(table["statement"]) == list(dict.fromkeys(row["statement"] for row in rows))
    for place, statement in enumerate(table["statement"]):
        of_statement = [row for row in rows if row["statement"] == statement]
        one = compose_belief(of_statement, **options)
        for name in COLUMNS:
            assert table[name][place] == pytest.approx(getattr(one, name), abs=1e-12, rel=0)


def test_the_table_that_comes_out_is_of_the_kind_that_went_in():
    given_columns = {
        "statement": [2**60 + 1, 5, 2**60 + 1],
        "source_api": ["reach", "signor", "reach"],
        "verdict": ["correct", None, "incorrect"],
    }
    arrow = compose_beliefs(pa.table(given_columns))
    frame = compose_beliefs(pd.DataFrame(given_columns))
    plain = compose_beliefs(given_columns)
    assert isinstance(arrow, pa.Table)
    assert isinstance(frame, pd.DataFrame)
    assert isinstance(plain["belief"], np.ndarray)
    assert arrow.to_pylist() == frame.to_dict("records")
    assert frame["belief"].tolist() == plain["belief"].tolist() == pytest.approx([0.65, 0.941])
    assert plain["statement"].tolist() == [2**60 + 1, 5]


def test_dictionary_encoded_and_chunked_columns_are_read():
    table = pa.table(
        {
            "statement": pa.chunked_array([["a"], ["b", "a"]]),
            "source_api": pa.array(["reach", "reach", "signor"]).dictionary_encode(),
            "verdict": pa.array(["correct", None, "incorrect"]).dictionary_encode(),
        }
    )
    assert compose_beliefs(table)["belief"].to_pylist() == pytest.approx([0.65, 0.65])


def test_without_verdicts_the_belief_is_indras():
    table = compose_beliefs({"statement": [1, 1], "source_api": ["reach", "reach"]})
    assert table["belief"][0] == table["parametric_only"][0] == pytest.approx(0.86)


def test_an_empty_table_gives_an_empty_table():
    table = compose_beliefs({"statement": [], "source_api": [], "verdict": []})
    assert [len(column) for column in table.values()] == [0] * 6


def test_unknown_sources_are_errors_or_counted():
    table = {"statement": [1, 1], "source_api": ["reach", "novel"], "verdict": [None, None]}
    with pytest.raises(ValueError, match="row 1: no prior for source 'novel'"):
        compose_beliefs(table)
    with pytest.warns(UserWarning, match=r"novel \(1\)"):
        found = compose_beliefs(table, unknown_source=(0.3, 0.05))
    assert found["belief"][0] == pytest.approx(1 - 0.35 * 0.35)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"statement": [1, None]}, "row 1: column 'statement' is empty"),
        ({"source_api": ["reach", None]}, "row 1: column 'source_api' is empty"),
        ({"source_api": ["reach", " "]}, "row 1: column 'source_api' is empty"),
        ({"source_api": [1, 2]}, "column 'source_api': expected words, found 1"),
        ({"verdict": [True, None]}, "column 'verdict': expected words, found True"),
        ({"verdict": ["correct"]}, "column 'verdict' has 1 rows, statement has 2"),
        ({"negated": ["yes", "perhaps"]}, "column 'negated': expected true or false"),
        ({"score": [2.0, 0.1]}, "row 0: expected a score from 0 to 1, found 2.0"),
        ({"score": ["a", "b"]}, "column 'score': expected numbers"),
        ({"verdict": [{}, 1]}, "column 'verdict' cannot be read"),
    ],
)
def test_columns_that_cannot_be_read_are_named(change, message):
    table = {"statement": [1, 2], "source_api": ["reach"] * 2, "verdict": ["correct"] * 2}
    with pytest.raises(ValueError, match=message):
        compose_beliefs(table | change, graded=True)


def test_a_table_without_its_columns_is_named():
    with pytest.raises(ValueError, match=r"no column 'source_api' in \['statement'\]"):
        compose_beliefs({"statement": [1]})
    with pytest.raises(ValueError, match="expected a mapping of columns"):
        compose_beliefs([1, 2])
