"""`curieval score ec`: the vectors by way of a table, lists and texts, what is unread."""

import json
from pathlib import Path

import pytest

from curieval.ec.reading import read_prediction, read_reference
from curieval.tables import ABSENT
from tests.cli.running import curieval, read_table, refused, write_table

VECTORS = Path(__file__).parents[1] / "vectors" / "ec.jsonl"
POOLED = {
    "f1": "hierarchical_micro_f1",
    "pooled_f1": "hierarchical_micro_f1",
    "precision": "hierarchical_micro_precision",
    "recall": "hierarchical_micro_recall",
    "mean_level_f1": "mean_level_f1",
    "exact_set_accuracy": "exact_set",
}


def vectors(*kinds):
    with VECTORS.open(encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["kind"] in kinds]
    return [pytest.param(row, id=row["id"]) for row in rows]


def proteins(reference, prediction):
    return [
        {"id": f"p{n}", "reference": true, "prediction": said}
        for n, (true, said) in enumerate(zip(reference, prediction, strict=True))
    ]


def score(path, *options):
    ran = curieval("score", "ec", path, *options, "--json")
    assert ran.code == 0, ran.err
    return ran.json


def figures(found):
    return {each["name"]: each for each in found["figures"]}


def exactly(value):
    return None if value is None else pytest.approx(value, abs=1e-12, rel=0)


@pytest.mark.parametrize("row", vectors("micro", "per_level", "micro_open_partial"))
def test_pooled_figures_hold_the_vectors(tmp_path, row):
    rows = proteins(row["input"]["true"], row["input"]["pred"])
    how = "open" if row["kind"] == "micro_open_partial" else "closed"
    found = score(write_table(tmp_path / "t.jsonl", rows), "--partial-reference", how)
    by_name = figures(found)
    checked = 0
    for key, value in row["expected"].items():
        if key in POOLED:
            assert by_name[POOLED[key]]["value"] == exactly(value), key
            checked += 1
        elif key == "levels":
            for level, counts in value.items():
                assert by_name[f"level_{level}_f1"]["value"] == exactly(counts["f1"])
    assert checked >= 2
    assert found["scored"] == row["expected"]["n"]


@pytest.mark.parametrize("suffix", ["jsonl", "parquet", "tsv", "csv"])
def test_rows_hold_the_vectors_of_one_protein(tmp_path, suffix):
    rows = [each.values[0] for each in vectors("per_protein", "edge")]
    given = proteins([r["input"]["true"] for r in rows], [r["input"]["pred"] for r in rows])
    if suffix in ("tsv", "csv"):
        given = [
            each | {key: ";".join(each[key]) for key in ("reference", "prediction")}
            for each in given
        ]
    out = tmp_path / "out.jsonl"
    ran = curieval("score", "ec", write_table(tmp_path / f"t.{suffix}", given), "-o", out)
    assert ran.code == 0, ran.err
    for found, row in zip(read_table(out), rows, strict=True):
        expected = row["expected"]
        for name in ("precision", "recall", "f1"):
            assert found[name] == exactly(expected[name]), (row["id"], name)
        for name in ("deepest_match", "exact_set"):
            assert found[name] == expected[name], (row["id"], name)
        assert {name: found[name] for name in ("tp", "fp", "fn")} == expected["total"]


def test_the_table_keeps_its_columns_and_gets_the_scores(tmp_path):
    rows = [
        {"id": "a", "truth": "1.1.1.1", "prediction": "The answer is EC 1.1.1.1.", "note": "x"},
        {"id": "b", "truth": "9.9.9.9", "prediction": "1.1.1.1", "note": ""},
        {"id": "c", "truth": "none", "prediction": "no enzyme", "note": ""},
    ]
    out = tmp_path / "out.tsv"
    curieval("score", "ec", write_table(tmp_path / "t.tsv", rows), "-o", out)
    found = read_table(out)
    assert list(found[0]) == [
        "id", "truth", "prediction", "note", "predicted", "reading", "tp", "fp", "fn",
        "precision", "recall", "f1", "deepest_match", "exact_set", "dead_numbers", "state",
        "suspect_reference",
    ]  # fmt: skip
    assert (found[0]["predicted"], found[0]["f1"], found[0]["exact_set"]) == (
        "1.1.1.1", "1.0", "true",
    )  # fmt: skip
    assert (found[1]["state"], found[1]["f1"]) == ("unscored", "")
    assert found[1]["suspect_reference"] == "unreadable: '9.9.9.9' (no_such_class)"
    assert (found[2]["f1"], found[2]["exact_set"], found[2]["state"]) == ("", "true", "scored")


def test_unread_and_empty_predictions_stay_in_and_are_counted(tmp_path):
    rows = proteins(["1.1.1.1", "1.1.1.2", "2.7.1.1", ""], ["1.1.1.1", "no idea", "", "none"])
    found = score(write_table(tmp_path / "t.csv", rows))
    assert (found["rows"], found["scored"], found["unreadable"], found["empty"]) == (4, 4, 1, 1)
    assert found["no_enzyme"] == 1
    by_name = figures(found)
    # Of three proteins with four prefixes each one was found.
    assert by_name["hierarchical_micro_recall"]["value"] == pytest.approx(4 / 12)
    assert by_name["hierarchical_micro_f1"]["value"] == pytest.approx(8 / 16)
    assert (by_name["abstention_accuracy"]["n"], by_name["abstention_accuracy"]["value"]) == (1, 1)


def test_every_figure_has_an_interval_and_stands_beside_its_baselines(tmp_path):
    reference = ["1.1.1.1"] * 30 + ["2.7.11.1"] * 10
    prediction = ["1.1.1.1"] * 20 + ["1.1.1.2"] * 10 + ["2.7.11.1"] * 5 + ["3.1.1.1"] * 5
    by_name = figures(score(write_table(tmp_path / "t.tsv", proteins(reference, prediction))))
    first = by_name["hierarchical_micro_f1"]
    assert first["low"] < first["value"] < first["high"]
    # The commonest number as constant answer is right in all four levels of 30 of 40.
    assert (first["constant"], first["constant_answer"]) == (pytest.approx(0.75), "1.1.1.1")
    assert first["skill"] == pytest.approx((first["value"] - 0.75) / 0.25)
    # Drawn answers agree in 30/40 of draws for 30 and in 10/40 for 10 of the 40.
    assert first["random"] == pytest.approx((30 * 0.75 + 10 * 0.25) / 40)


def test_dead_numbers_are_named_and_mapped_where_asked(tmp_path):
    table = write_table(tmp_path / "t.tsv", proteins(["2.7.11.1"], ["2.7.1.37"]))
    found = score(table)
    assert found["dead_numbers"] == {"2.7.1.37": 1}
    assert found["mapped"] == 0
    single = write_table(tmp_path / "s.tsv", proteins(["1.1.1.1"], ["1.1.1.109"]))
    told = score(single), score(single, "--map-transferred")
    assert [each["mapped"] for each in told] == [0, 1]
    assert list(told[0]["dead_numbers"]) == ["1.1.1.109"]


def test_text_output_reads(tmp_path):
    table = write_table(tmp_path / "t.tsv", proteins(["1.1.1.1", "x"], ["1.1.1.1", "1.1.1.1"]))
    text = curieval("score", "ec", table).out
    assert text.startswith("t.tsv: 2 rows, 1 scored, 1 unscored (unreadable reference)")
    assert "hierarchical_micro_f1" in text
    assert "unreadable references: " in text


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([{"id": "a", "prediction": "1.1.1.1"}], [], "no column 'reference' or 'truth' or 'ec'"),
        ([{"id": "a", "reference": "1.1.1.1"}], [], "no column 'prediction'"),
        (proteins(["1.1.1.1"] * 2, ["1.1.1.1"] * 2) * 2, [], "the id 'p0' stands already at"),
        (proteins(["1.1.1.1"], ["1.1.1.1"]), ["--partial-reference", "ajar"], "not one of"),
    ],
)
def test_mistakes_give_one_line(tmp_path, rows, options, message):
    table = write_table(tmp_path / "t.tsv", rows)
    out = tmp_path / "out.tsv"
    assert message in refused("score", "ec", table, "-o", out, *options)
    assert not out.exists()


def test_a_table_without_rows_has_no_figures(tmp_path):
    table = write_table(tmp_path / "t.tsv", [], ["id", "reference", "prediction"])
    assert all(each["value"] is None for each in score(table)["figures"])


@pytest.mark.parametrize(
    ("value", "codes", "reading"),
    [
        (["1.1.1.1", "2.7.-.-"], ("1.1.1.1", "2.7.-.-"), "ok"),
        (["1.1.1.1", "1.1.1.1"], ("1.1.1.1",), "ok"),
        ([], (), "empty"),
        (None, (), "empty"),
        (ABSENT, (), "empty"),
        ("", (), "empty"),
        ("1.1.1.1;2.7.1.1", ("1.1.1.1", "2.7.1.1"), "ok"),
        ("EC 1.1.1.1 and EC 2.7.1.1", ("1.1.1.1", "2.7.1.1"), "ok"),
        ('{"ec": ["1.1.1.1"]}', ("1.1.1.1",), "ok"),
        ("not an enzyme", (), "explicit_none"),
        ("no idea", (), "no_candidate"),
    ],
)
def test_predictions_are_lists_or_texts(value, codes, reading):
    cell = read_prediction(value)
    assert (cell.codes, cell.reading) == (codes, reading)


@pytest.mark.parametrize(
    ("value", "codes", "sound"),
    [
        ("1.1.1.1", ("1.1.1.1",), True),
        ("3.6", ("3.6.-.-",), True),
        ("1.1.1.1; 2.7.11.1", ("1.1.1.1", "2.7.11.1"), True),
        (["1.1.1.1", "3.5.1.n3"], ("1.1.1.1", "3.5.1.n3"), True),
        ("none", (), True),
        ("", (), True),
        (None, (), True),
        ([], (), True),
        ("9.1.1.1", (), False),
        ("kinase", (), False),
        (["1.1.1.1", "9.1.1.1"], ("1.1.1.1",), False),
        ("1.1.1.1.1", (), False),
    ],
)
def test_references_are_numbers_or_a_word_for_none(value, codes, sound):
    cell = read_reference(value)
    assert cell.codes == codes
    assert (cell.problem is None) == sound
