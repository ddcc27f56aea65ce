"""`curieval score env-triad`: values that a table accepts beside each reference."""

import json

import pytest

from evals.env_triad.cases import CASE_FOLDER
from scoring.facts import SLOTS
from tests.cli.running import curieval, read_table, refused, write_table
from tests.evals import triad_by_hand as by_hand

TUNDRA = "tundra biome [ENVO:01000180]"
FOREST = "forest biome [ENVO:01000174]"
TERRESTRIAL = "terrestrial biome [ENVO:00000446]"
SOIL = "soil [ENVO:00001998]"


def row(accepted, *, id_="a", prediction=TUNDRA, reference=FOREST):
    return {
        "id": id_,
        "prediction": prediction,
        "reference": reference,
        "template": "soil_data",
        "accepted": accepted,
    }


def scored(tmp_path, rows, suffix="tsv"):
    out = tmp_path / "out.jsonl"
    ran = curieval("score", "env-triad", write_table(tmp_path / f"t.{suffix}", rows), "-o", out)
    assert ran.code == 0, ran
    return read_table(out)


@pytest.mark.parametrize("slot", SLOTS)
def test_the_projects_cases_score_as_the_formula_has_it(tmp_path, slot):
    lines = (CASE_FOLDER / f"{slot}.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    answers = [
        next(iter(case["accepted"]), TERRESTRIAL) if number % 2 else case["reference"]
        for number, case in enumerate(cases)
    ]
    rows = [{**case, "prediction": answer} for case, answer in zip(cases, answers, strict=True)]
    found = scored(tmp_path, rows, "jsonl")
    for case, answer, line in zip(cases, answers, found, strict=True):
        expected = by_hand.hierarchical_f1(
            answer, case["reference"], slot, tuple(case["accepted"].items())
        )
        assert line["hierarchical_f1"] == pytest.approx(expected, abs=1e-9)
        assert line["state"] == "scored"


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        # Forest and tundra share one of the two terms that each has below biome.
        ("", 0.5),
        (f"{TUNDRA}|0.8", 0.8),
        (f" {TUNDRA} | 0.8 ; {TERRESTRIAL}|0.9", 0.8),
        (f"{TUNDRA}|0.3", 0.5),
        (TUNDRA, 1.0),
        (f"{TUNDRA};", 1.0),
        (json.dumps({TUNDRA: 0.75}), 0.75),
        (json.dumps([f"{TUNDRA}|0.75"]), 0.75),
        (json.dumps([[TUNDRA, 0.75]]), 0.75),
    ],
)
def test_the_best_of_weight_times_f1_counts(tmp_path, accepted, expected):
    (line,) = scored(tmp_path, [row(accepted)])
    assert line["hierarchical_f1"] == pytest.approx(expected, abs=1e-9)
    assert line["accepted"] == accepted


def test_parquet_and_json_hold_weights_as_they_are(tmp_path):
    (line,) = scored(tmp_path, [row({TUNDRA: 0.8})], "jsonl")
    assert line["hierarchical_f1"] == pytest.approx(0.8, abs=1e-9)
    (line,) = scored(tmp_path, [row([f"{TUNDRA}|0.8"])], "parquet")
    assert line["hierarchical_f1"] == pytest.approx(0.8, abs=1e-9)


def test_the_best_constant_knows_what_is_accepted(tmp_path):
    rows = [row(f"{TUNDRA}|0.9", id_="a"), row("", id_="b", reference=TUNDRA)]
    table = write_table(tmp_path / "t.tsv", rows)
    figures = curieval("score", "env-triad", table, "--json").json["summaries"][0]["figures"]
    f1 = next(each for each in figures if each["primary"])
    assert f1["constant_answer"] == TUNDRA
    assert f1["constant"] == pytest.approx((0.9 + 1.0) / 2, abs=1e-9)


def test_an_accepted_value_that_is_suspect_takes_the_row_out(tmp_path):
    first, second = scored(tmp_path, [row(f"{SOIL}|0.5"), row(f"{TUNDRA}|0.5", id_="b")])
    assert first["state"] == "unscored"
    assert first["suspect_reference"].startswith("not_allowed: ENVO:00001998")
    assert second["state"] == "scored"


@pytest.mark.parametrize(
    ("accepted", "message"),
    [
        ("tundra|0.5", "accepted reference 'tundra': expected `label [CURIE]`"),
        (f"{TUNDRA}|half", "no weight: 'half'"),
        (f"{TUNDRA}|nan", "weight nan is not in (0, 1]"),
        (f"{TUNDRA}|0", "weight 0.0 is not in (0, 1]"),
        (f"{TUNDRA}|1.5", "weight 1.5 is not in (0, 1]"),
        (f"{TUNDRA}|0.5; {TUNDRA}|0.6", "stands twice"),
        ("{", "'{' is no JSON"),
        (json.dumps({TUNDRA: None}), "no weight: 'None'"),
        (json.dumps([1]), "no value with its weight: '1'"),
        ("x" * 10_001, "10001 characters, more than 10000"),
    ],
)
def test_a_cell_of_another_form_is_named_with_its_place(tmp_path, accepted, message):
    table = write_table(tmp_path / "t.tsv", [row(""), row(accepted, id_="b")])
    out = tmp_path / "out.tsv"
    line = refused("score", "env-triad", table, "-o", out)
    assert f"{table}:3, field 'accepted': " in line
    assert message in line
    assert "write `label [CURIE]|weight`, several of them separated by ;" in line
    assert not out.exists()
