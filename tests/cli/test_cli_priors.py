"""`curieval priors`: rates from curated counts, and beliefs held to what curators say."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from evals.indra_belief.cases import own_rows
from scoring import compose_belief, load_priors
from scoring.statistics import wilson_interval
from tests.cli.running import curieval, refused, write_table


def curations(*counts):
    """Rows for (reader, right, wrong), each a sentence of its own."""
    return [
        {"source_api": reader, "tag": tag, "source_hash": f"{place}{n}"}
        for place, (reader, right, wrong) in enumerate(counts, start=1)
        for n, tag in enumerate(["correct"] * right + ["polarity"] * wrong)
    ]


def fit(path, *options, code=0):
    ran = curieval("priors", "fit", path, *options, "--json")
    assert ran.code == code, ran
    return ran.json, {each["reader"]: each for each in ran.json["readers"]}


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 130), st.integers(0, 130))
def test_rand_is_one_less_accuracy_and_syst_from_a_hundred_sentences_on(tmp_path, right, wrong):
    rows = curations(("REACH", right, wrong), ("sparser", 1, 1))
    out = tmp_path / "priors.json"
    _, readers = fit(write_table(tmp_path / "t.tsv", rows), "-o", out)
    priors, indra = load_priors(out), load_priors("indra")
    n = right + wrong
    if n < 100:
        assert dict(priors) == dict(indra)
        return
    reach, share = readers["reach"], wilson_interval(right, n)
    assert reach["fitted"]
    assert priors["reach"] == pytest.approx((max(0.0, 1 - right / n - 0.05), 0.05))
    assert (reach["low"], reach["high"]) == (share.low, share.high)
    assert reach["rand_low"] <= reach["rand"] <= reach["rand_high"]
    assert reach["rand_high"] == pytest.approx(max(0.0, 1 - share.low - 0.05))
    assert priors["sparser"] == indra["sparser"]
    assert set(priors) == set(indra)


def test_a_reader_that_indra_does_not_know_gets_the_usual_syst_and_is_noted(tmp_path):
    path = write_table(tmp_path / "t.jsonl", curations(("mine", 60, 40), ("other", 5, 5)))
    found, readers = fit(path, "-o", tmp_path / "p.json")
    assert (readers["mine"]["rand"], readers["mine"]["syst"]) == (pytest.approx(0.35), 0.05)
    assert readers["other"]["rand"] is None
    assert "other" not in load_priors(tmp_path / "p.json")
    assert any("other" in note for note in found["notes"])


def test_several_curations_of_a_sentence_are_one_and_one_right_is_enough(tmp_path):
    row = {"source_api": "reach", "source_hash": "-7478394314952880646", "pa_hash": "5"}
    tags = ("grounding", "correct", "polarity")
    path = write_table(tmp_path / "t.csv", [{**row, "tag": tag} for tag in tags])
    found, readers = fit(path)
    assert (found["rows"], found["sentences"]) == (3, 1)
    assert (readers["reach"]["n"], readers["reach"]["right"]) == (1, 1)


def test_curations_as_the_database_exports_them_are_read(tmp_path):
    rows = [
        {"pa_hash": 7, "source_hash": n, "tag": "correct", "ev_json": {"source_api": "trips"}}
        for n in range(3)
    ]
    _, readers = fit(write_table(tmp_path / "t.jsonl", rows))
    assert readers["trips"]["n"] == 3


def test_bad_rows_are_named_and_the_others_go_on(tmp_path):
    good = {"source_api": "reach", "tag": "correct", "source_hash": "1"}
    bad = [{**good, "tag": "fine"}, {**good, "source_hash": "1.2e18"}, {**good, "source_api": ""}]
    path = write_table(tmp_path / "t.tsv", [*bad, {**good, "source_hash": "2"}])
    found, _ = fit(path, code=1)
    assert [each["origin"] for each in found["left_out"]] == [f"{path}:{n}" for n in (2, 3, 4)]
    assert found["sentences"] == 1


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([{"tag": "correct"}], "no column 'source_api'"),
        ([{"source_api": "reach"}], "no column 'tag'"),
        ([{"source_api": "reach", "tag": "fine"}], "no curated sentence that can be used"),
    ],
)
def test_tables_that_are_no_truth_are_refused(tmp_path, rows, told):
    out = tmp_path / "p.json"
    path = write_table(tmp_path / "t.tsv", rows)
    assert told in refused("priors", "fit", path, "-o", out)
    assert not out.exists()


def test_the_truth_is_not_written_over(tmp_path):
    path = write_table(tmp_path / "t.jsonl", curations(("reach", 1, 1)))
    assert "is being read" in refused("priors", "fit", path, "-o", path)


def truth_and_verdicts(tmp_path, verdict_of, lost=()):
    rows = list(own_rows())
    keys = [
        {
            "source_hash": row["ev_json"]["source_hash"],
            "matches_hash": row["pa_json"]["matches_hash"],
        }
        for row in rows
    ]
    truth = write_table(
        tmp_path / "truth.tsv",
        [
            {**key, "source_api": row["ev_json"]["source_api"], "tag": row["tag"]}
            for key, row in zip(keys, rows, strict=True)
        ],
    )
    said = [
        {**key, "verdict": verdict_of(place, row)}
        for place, (key, row) in enumerate(zip(keys, rows, strict=True))
        if row["id"] not in lost
    ]
    return truth, write_table(tmp_path / "said.tsv", said), rows


def compare(truth, said, *options, code=0):
    ran = curieval("priors", "compare", truth, "--verdicts", said, *options, "--json")
    assert ran.code == code, ran
    return ran.json, {(row["form"], row["priors"]): row for row in ran.json["rows"]}


def brier(beliefs, outcomes):
    return sum((b - o) ** 2 for b, o in zip(beliefs, outcomes, strict=True)) / len(beliefs)


def test_figures_are_those_of_the_beliefs(tmp_path):
    def verdict_of(place, row):
        return "correct" if (row["tag"] == "correct") != (place % 7 == 0) else "incorrect"

    truth, said, rows = truth_and_verdicts(tmp_path, verdict_of)
    found, table = compare(truth, said)
    statements = {}
    for place, row in enumerate(rows):
        one = {"source_api": row["ev_json"]["source_api"], "verdict": verdict_of(place, row)}
        statements.setdefault(row["statement"], []).append((one, row["tag"] == "correct"))
    outcomes = [any(right for _, right in each) for each in statements.values()]
    assert (found["statements"], found["supported"]) == (len(statements), sum(outcomes))
    for name in ("indra", "recalibrated"):
        composed = [
            compose_belief([one for one, _ in each], priors=name) for each in statements.values()
        ]
        graded = [
            compose_belief([one for one, _ in each], priors=name, graded=True).belief
            for each in statements.values()
        ]
        plain = [each.parametric_only for each in composed]
        beliefs = {"parametric": plain, "gated": [e.belief for e in composed], "graded": graded}
        for form, values in beliefs.items():
            row = table[form, name]
            assert row["n"] == len(statements)
            assert row["figures"]["brier"]["value"] == pytest.approx(brier(values, outcomes))
            assert row["figures"]["auroc"]["value"] == pytest.approx(
                roc_auc_score(outcomes, values)
            )
            for each in row["figures"].values():
                assert each["low"] <= each["value"] <= each["high"]
            if form != "parametric":
                assert row["against"] == f"parametric, {name}"
                assert row["differences"]["brier"]["value"] == pytest.approx(
                    brier(values, outcomes) - brier(plain, outcomes)
                )


def test_where_all_is_kept_gated_is_parametric(tmp_path):
    truth, said, _ = truth_and_verdicts(tmp_path, lambda place, row: "correct")
    _, table = compare(truth, said)
    row = table["gated", "indra"]
    for each in row["differences"].values():
        assert (each["value"], each["low"], each["high"]) == (0.0, 0.0, 0.0)
    assert row["figures"] == table["parametric", "indra"]["figures"]


def test_a_statement_with_a_sentence_without_a_verdict_is_left_out_and_counted(tmp_path):
    truth, said, rows = truth_and_verdicts(
        tmp_path, lambda place, row: "" if place == 0 else "correct", lost={"stmt-07-1"}
    )
    found, _ = compare(truth, said)
    assert found["without_verdict"] == 2
    assert found["statements"] == len({row["statement"] for row in rows}) - 2


def test_priors_that_were_fitted_can_be_compared(tmp_path):
    truth, said, _ = truth_and_verdicts(tmp_path, lambda place, row: "correct")
    out = tmp_path / "mine.json"
    fit(truth, "--min-curated", "40", "-o", out)
    _, table = compare(truth, said, "--priors", "indra", "--priors", out)
    assert table["parametric", "mine.json"]["against"] == "parametric, indra"


@pytest.mark.parametrize("columns", ["80", "100"])
def test_every_difference_is_shown_in_a_usual_window(tmp_path, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    truth, said, _ = truth_and_verdicts(tmp_path, lambda place, row: "correct")
    text = curieval("priors", "compare", truth, "--verdicts", said).out
    assert all(len(line) <= int(columns) for line in text.splitlines())
    for figure in ("brier", "ece", "auroc"):
        block = text.split(f" {figure} ")[1]
        assert "difference" in block.splitlines()[0]


def test_rows_without_hashes_are_left_out_of_a_comparison(tmp_path):
    truth, said, rows = truth_and_verdicts(tmp_path, lambda place, row: "correct")
    lines = truth.read_text().splitlines()
    truth.write_text("\n".join([*lines, "9\t\treach\tcorrect"]) + "\n")
    found, _ = compare(truth, said, code=1)
    assert [each["why"][:15] for each in found["left_out"]] == ["no matches_hash"]
    assert json.dumps(found)
    assert found["sentences"] == len(rows)
