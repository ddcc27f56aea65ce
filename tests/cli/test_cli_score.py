"""`curieval score env-triad`: the vectors in every format, the summary, bad tables."""

import json
import math
from pathlib import Path

import pytest

from evals.env_triad.task import shipped_ontologies
from scoring import score_term
from scoring.facts import SLOTS
from tests.cli.running import curieval, read_table, refused, write_table

VECTORS = Path(__file__).parents[1] / "vectors"
COMPATIBLE = [
    "parse_success",
    "pred_label",
    "pred_curie",
    "truth_label",
    "truth_curie",
    "curie_label_valid",
    "exact_match",
    "relationship",
    "hop_distance",
    "in_template_enum",
    "ontology_score",
]
REPLY = ["response_time_s", "prompt_tokens", "completion_tokens", "est_cost_usd"]
FIGURES = ["hierarchical_precision", "hierarchical_recall", "hierarchical_f1", "lin_similarity"]
LENIENT = ["lenient_ontology_score", "lenient_hierarchical_f1", "lenient_reasons"]
LAST = ["reasons", *LENIENT, "state", "suspect_reference"]

TUNDRA = "tundra biome [ENVO:01000180]"
TERRESTRIAL = "terrestrial biome [ENVO:00000446]"
SOIL = "soil [ENVO:00001998]"


def vectors(name):
    with (VECTORS / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def told(cell, like):
    """A cell of text in the type of an expected value."""
    if like is None:
        assert cell in (None, "")
        return None
    if not isinstance(cell, str) or isinstance(like, str):
        return cell
    return {"true": True, "false": False}[cell] if isinstance(like, bool) else type(like)(cell)


def row(id_="a", prediction=TUNDRA, reference=TUNDRA, **more):
    return {
        "id": id_,
        "prediction": prediction,
        "reference": reference,
        "template": "soil_data",
        "slot": "env_broad_scale",
        **more,
    }


@pytest.mark.parametrize("suffix", ["tsv", "csv", "jsonl", "parquet"])
def test_the_compatible_columns_hold_the_vectors(tmp_path, suffix):
    rows = vectors("ontology_score.jsonl")
    given = [{name: r[name] for name in ("id", "prediction", "truth", "template")} for r in rows]
    table = write_table(tmp_path / f"in.{suffix}", given)
    out = tmp_path / f"out.{suffix}"
    ran = curieval("score", "env-triad", table, "-o", out)
    assert ran.code == 0
    scored = read_table(out)
    assert list(scored[0]) == [
        "id",
        "prediction",
        "truth",
        "template",
        *COMPATIBLE,
        *FIGURES,
        *LAST,
    ]
    assert [each["id"] for each in scored] == [each["id"] for each in rows]
    for found, vector in zip(scored, rows, strict=True):
        for name, value in vector["expected"].items():
            cell = told(found[name], value)
            expected = pytest.approx(value, abs=1e-9) if isinstance(value, float) else value
            assert cell == expected, (vector["id"], name)


def test_the_hierarchical_columns_hold_the_vectors(tmp_path):
    rows = vectors("hierarchical_f1.jsonl")
    given = [{n: r[n] for n in ("id", "prediction", "reference", "slot")} for r in rows]
    out = tmp_path / "out.jsonl"
    ran = curieval("score", "env-triad", write_table(tmp_path / "in.tsv", given), "-o", out)
    assert ran.code == 0
    for found, vector in zip(read_table(out), rows, strict=True):
        for name, value in vector["expected"].items():
            assert found[name] == pytest.approx(value, abs=1e-9), (vector["id"], name)


def test_time_tokens_and_cost_stand_in_their_place_where_the_table_has_them(tmp_path):
    table = write_table(
        tmp_path / "in.tsv",
        [row(est_cost_usd="0.5", note="x", prompt_tokens="100", exact_match="old")],
    )
    out = tmp_path / "out.tsv"
    ran = curieval("score", "env-triad", table, "-o", out)
    (found,) = read_table(out)
    own = ["id", "prediction", "reference", "template", "slot", "note"]
    reply = ["prompt_tokens", "est_cost_usd"]
    assert list(found) == [*own, *COMPATIBLE, *reply, *FIGURES, *LAST]
    assert (found["est_cost_usd"], found["prompt_tokens"]) == ("0.5", "100")
    assert found["exact_match"] == "true"
    assert "columns of the input that were replaced: exact_match" in ran.err
    assert "est_cost_usd 0.5 in 1 rows" in ran.out


def test_the_summary_counts_states_and_sums_up_each_slot(tmp_path):
    rows = [
        row("a"),
        row("b", TERRESTRIAL),
        row("c", "I cannot tell"),
        row("d", ""),
        row("e", TUNDRA, "oceanic epipelagic zone biome [ENVO:01000036]"),
        row("f", SOIL, SOIL, slot="env_medium"),
        row("g", f"Answer: {SOIL}.", SOIL, slot="env_medium"),
    ]
    ran = curieval("score", "env-triad", write_table(tmp_path / "in.jsonl", rows), "--json")
    found = ran.json
    whole, broad, medium = found["summaries"]
    assert (whole["slice"], broad["slice"]) == ({}, {"slot": "env_broad_scale"})
    assert medium["slice"] == {"slot": "env_medium"}
    states = [
        [s[n] for n in ("rows", "scored", "unscored", "unreadable", "empty")]
        for s in (whole, broad, medium)
    ]
    assert states == [[7, 6, 1, 3, 1], [5, 4, 1, 2, 1], [2, 2, 0, 1, 0]]
    assert found["suspect_references"] == {"label_disagrees": 1}
    assert [s["read_leniently"] for s in (whole, broad, medium)] == [1, 0, 1]
    assert medium["lenient"] == {"hierarchical_f1": 1.0, "ontology_score": 1.0}
    assert broad["lenient"]["hierarchical_f1"] == pytest.approx(5 / 12)
    f1 = {each["name"]: each for each in broad["figures"]}["hierarchical_f1"]
    # tundra biome lies two steps below the branch root, terrestrial biome one: P 1, R 1/2.
    assert f1["mean"] == pytest.approx((1 + 2 / 3 + 0 + 0) / 4, abs=1e-12)
    assert f1["low"] < f1["mean"] < f1["high"]
    assert f1["constant"] == pytest.approx(1.0)
    assert f1["constant_answer"] == TUNDRA
    assert f1["skill"] is None
    assert broad["answers"]["exact"] == broad["answers"]["ancestor"] == 1
    score = {each["name"]: each for each in whole["figures"]}["ontology_score"]
    assert score["mean"] == pytest.approx((1 + 0.925 + 0 + 0 + 1 + 0) / 6, abs=1e-12)
    assert score["skill"] == pytest.approx(
        (score["mean"] - score["constant"]) / (1 - score["constant"])
    )
    assert 0 < score["random"] < 1
    assert [each["name"] for each in found["ontologies"]] == ["envo", "po"]
    assert all(each["release"] and len(each["sha256"]) == 64 for each in found["ontologies"])


def test_the_text_says_what_the_json_says(tmp_path):
    table = write_table(tmp_path / "in.tsv", [row("a"), row("b", TERRESTRIAL)])
    text = curieval("score", "env-triad", table).out
    assert text.startswith("in.tsv: 2 rows, 2 scored; strict reading, envo 2025-10-20")
    assert "hierarchical_f1" in text
    assert "0.833" in text
    assert "tundra biome [ENVO:01000180]" in text
    assert "50.0 % exact" in text
    assert "50.0 % ancestor" in text


def test_a_suspect_reference_is_marked_and_stays_out_of_the_means(tmp_path):
    rows = [row("a"), row("b", TUNDRA, "tundra biome [ENVO:01000174]"), row("c", TUNDRA, "junk")]
    out = tmp_path / "out.jsonl"
    ran = curieval(
        "score", "env-triad", write_table(tmp_path / "in.csv", rows), "-o", out, "--json"
    )
    assert [each["state"] for each in read_table(out)] == ["scored", "unscored", "unscored"]
    assert read_table(out)[1]["suspect_reference"].startswith("label_disagrees: ENVO:01000174")
    assert read_table(out)[2]["suspect_reference"].startswith("unreadable: ")
    (whole,) = ran.json["summaries"]
    assert [each["n"] for each in whole["figures"]] == [1] * 5
    assert whole["figures"][0]["mean"] == 1.0


def test_lenient_reading_repairs_and_names_each_repair(tmp_path):
    table = write_table(tmp_path / "in.tsv", [row("a", "**tundra biome** (ENVO_01000180)")])
    out = tmp_path / "out.jsonl"
    assert curieval("score", "env-triad", table, "-o", out).code == 0
    assert read_table(out)[0]["ontology_score"] == 0.0
    assert curieval("score", "env-triad", table, "-o", out, "--lenient").code == 0
    (found,) = read_table(out)
    assert found["ontology_score"] == 1.0
    assert found["reasons"]


def test_both_readings_are_recorded_and_agree_with_scoring_one_by_one(tmp_path):
    rows = [
        row(f"r{n}", text)
        for n, text in enumerate(
            [
                TUNDRA, f"1. {TUNDRA}", "ENVO_01000180", "tundra biome", "Tundra Biome", "", "junk",
                "tundra biome [ENVO:01000174]", f"{TUNDRA}|{TERRESTRIAL}", "`tundra biome`",
                "soil [PO:0025034]", "x [X:1]", "alpine tundra biome [ENVO:01001505]",
            ]
        )
    ]  # fmt: skip
    out = tmp_path / "out.jsonl"
    curieval("score", "env-triad", write_table(tmp_path / "in.jsonl", rows), "-o", out)
    for found, each in zip(read_table(out), rows, strict=True):
        for lenient, prefix in ((False, ""), (True, "lenient_")):
            alone = score_term(
                prediction=each["prediction"],
                reference=each["reference"],
                template=each["template"],
                ontology=shipped_ontologies(),
                lenient=lenient,
            ).as_row()
            for name in ("ontology_score", "hierarchical_f1", "reasons"):
                assert found[prefix + name] == alone[name], (each["prediction"], prefix + name)


def test_of_several_terms_the_best_counts_where_asked(tmp_path):
    table = write_table(tmp_path / "in.tsv", [row("a", f"{TERRESTRIAL}|{TUNDRA}")])
    out = tmp_path / "out.jsonl"
    curieval("score", "env-triad", table, "-o", out, "--lenient")
    assert (read_table(out)[0]["parse_success"], read_table(out)[0]["reasons"]) == (
        False,
        "several_answers",
    )
    curieval("score", "env-triad", table, "-o", out, "--several")
    assert read_table(out)[0]["pred_curie"] == "ENVO:01000180"


def test_what_a_table_does_not_say_is_assumed_aloud(tmp_path):
    rows = [{"prediction": SOIL, "truth": SOIL}]
    table = write_table(tmp_path / "in.tsv", rows)
    ran = curieval("score", "env-triad", table, "--slot", "env_medium", "--json")
    assert [note.partition(":")[0] for note in ran.json["notes"]] == [
        "no column 'slot'",
        "no column 'template'",
    ]
    by_name = {each["name"]: each["mean"] for each in ran.json["summaries"][0]["figures"]}
    assert by_name["ontology_score"] == pytest.approx(0.85)
    ran = curieval(
        "score", "env-triad", table, "--slot", "env_medium", "--template", "soil_data", "--json"
    )
    by_name = {each["name"]: each["mean"] for each in ran.json["summaries"][0]["figures"]}
    assert by_name["ontology_score"] == pytest.approx(1.0)


def test_a_template_that_is_nearly_one_with_a_value_set_is_pointed_out(tmp_path):
    table = write_table(tmp_path / "in.tsv", [row() | {"template": "Soil"}])
    assert (
        "template 'Soil' has no value set and counts as neutral; 'soil_data'"
        in curieval("score", "env-triad", table).err
    )


def test_columns_may_have_other_names(tmp_path):
    rows = [{"case": "a", "model said": TUNDRA, "ideal": TERRESTRIAL}]
    out = tmp_path / "out.jsonl"
    ran = curieval(
        "score", "env-triad", write_table(tmp_path / "in.csv", rows), "-o", out,
        "--column", "prediction=model said", "--column", "truth=ideal",
    )  # fmt: skip
    assert ran.code == 0
    assert read_table(out)[0]["relationship"] == "descendant"


def test_repairs_are_counted(tmp_path):
    table = tmp_path / "in.tsv"
    header, cells = "\t".join(row()), "\t".join(row(prediction="=1+1").values())
    table.write_bytes(f"\ufeff{header}\n\n{cells}\t\t\n".encode())
    ran = curieval("score", "env-triad", table, "-o", tmp_path / "out.tsv")
    assert ran.code == 0
    assert [line.rpartition(": ")[2] for line in ran.err.splitlines()] == ["1"] * 4
    assert "byte order mark" in ran.err
    assert "blank rows" in ran.err
    assert "formula" in ran.err
    assert read_table(tmp_path / "out.tsv")[0]["prediction"] == "'=1+1"


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([{"id": "a", "prediction": TUNDRA}], [], "no column 'reference' or 'truth'"),
        ([{"id": "a", "truth": TUNDRA}], [], "no column 'prediction'"),
        (
            [row() | {"slot": "env_broad"}],
            [],
            ":2, field 'slot': no slot 'env_broad'; did you mean",
        ),
        ([row(), row("b") | {"slot": ""}], [], ":3, field 'slot': no slot ''"),
        ([row(), row()], [], ":3, field 'id': the id 'a' stands already at"),
        ([row()], ["--slot", "medium"], "--slot medium: use env_broad_scale"),
        ([row()], ["--column", "x=y"], "--column x=y: no field 'x'"),
        ([row()], ["--encoding", "klingon"], "no such encoding"),
        ([row()], ["-o", "none/out.tsv"], "its folder does not exist"),
        ([row()], ["-o", "out.xlsx"], "names no format of tables"),
        ([row()], ["-o", "in.tsv"], "is the table that is being read"),
        ([row()], ["--ontology", "nowhere.obo"], "no ontology 'nowhere.obo'"),
    ],
)
def test_bad_tables_and_options_give_one_line(tmp_path, monkeypatch, rows, options, message):
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "in.tsv", rows)
    assert message in refused("score", "env-triad", "in.tsv", *options)
    assert [each.name for each in tmp_path.iterdir()] == ["in.tsv"]


def test_a_bad_row_leaves_no_half_table(tmp_path):
    table = write_table(tmp_path / "in.tsv", [row(str(n)) for n in range(70_000)])
    with table.open("a") as file:
        file.write("ragged\trow\n")
    out = tmp_path / "out.tsv"
    out.write_text("as it was")
    line = refused("score", "env-triad", table, "-o", out)
    assert ":70002: 2 cells" in line
    assert out.read_text() == "as it was"
    assert len(list(tmp_path.iterdir())) == 2


def test_doubled_ids_may_be_scored_all_the_same(tmp_path):
    table = write_table(tmp_path / "in.tsv", [row(), row(), row()])
    ran = curieval("score", "env-triad", table, "--doubled-ids", "--json")
    assert ran.code == 0
    assert ran.json["rows"] == 3
    assert list(ran.json["repairs"].values()) == [2]


def test_a_table_without_rows_is_scored_as_such(tmp_path):
    table = write_table(tmp_path / "in.tsv", [], list(row()))
    ran = curieval("score", "env-triad", table, "-o", tmp_path / "out.tsv", "--json")
    assert ran.code == 0
    assert ran.json["summaries"][0]["figures"][0]["mean"] is None
    assert (tmp_path / "out.tsv").read_text().startswith("id\tprediction")
    assert curieval("score", "env-triad", table).code == 0


def test_an_own_ontology_is_used_and_named(tmp_path):
    obo = tmp_path / "mine.obo"
    obo.write_text(
        "format-version: 1.2\ndata-version: 2026-12-01\nontology: envo\n\n"
        "[Term]\nid: ENVO:00000428\nname: biome\n\n"
        "[Term]\nid: ENVO:09999999\nname: odd biome\nis_a: ENVO:00000428\n"
    )
    odd = "odd biome [ENVO:09999999]"
    table = write_table(tmp_path / "in.tsv", [{"prediction": odd, "truth": odd}])
    ran = curieval("score", "env-triad", table, "--ontology", obo, "--json")
    assert ran.json["ontologies"][0]["release"] == "2026-12-01"
    assert ran.json["summaries"][0]["figures"][0]["mean"] == 1.0
    shipped = curieval("score", "env-triad", table, "--json")
    assert shipped.json["suspect_references"] == {"unknown_id": 1}


def test_scores_written_once_can_be_scored_again(tmp_path):
    table = write_table(tmp_path / "in.tsv", [row("a"), row("b", TERRESTRIAL)])
    first, second = tmp_path / "one.tsv", tmp_path / "two.tsv"
    curieval("score", "env-triad", table, "-o", first)
    curieval("score", "env-triad", first, "-o", second)
    assert first.read_text() == second.read_text()


def test_batches_make_no_difference(tmp_path):
    few = [
        row(f"{slot}-{n}", TERRESTRIAL, TUNDRA, slot="env_broad_scale", n=n)
        for n in range(3)
        for slot in SLOTS[:1]
    ]
    many = [each | {"id": f"{number}"} for number, each in enumerate(few * 12_000)]
    ran = [
        curieval("score", "env-triad", write_table(tmp_path / f"{len(rows)}.tsv", rows), "--json")
        for rows in (few, many)
    ]
    means = [[each["mean"] for each in one.json["summaries"][0]["figures"]] for one in ran]
    assert means[0] == pytest.approx(means[1], abs=1e-12)
    assert not any(map(math.isnan, means[0]))
