"""`curieval score qa`: tables of answers judged, whatever becomes of the judge's calls."""

import json

import pytest

from evals.protein_qa.cases import load_cases
from tests.cli.running import curieval, read_table, refused, write_table
from tests.servers.judging import judging, points_of, verdict

CASES = [case for case in load_cases() if case.slices["made"] == "authored"][::15]
PRICE = "price = { input = 1.0, output = 10.0 }"

pytestmark = pytest.mark.usefixtures("own_world")


def rows(answer="full"):
    return [
        {
            "id": case.id,
            "question": case.question,
            "reference": case.reference,
            "prediction": dict(case.answers)[answer],
            "model": "gpt-4o-mini",
        }
        for case in CASES
    ]


def own(**fields):
    return {"id": "1", "question": "Which metal?", "reference": "It binds zinc.", **fields}


@pytest.mark.parametrize("mode", ["rubric", "card"])
@pytest.mark.parametrize("suffix", [".tsv", ".csv", ".jsonl", ".parquet"])
def test_known_answers_in_every_format(tmp_path, suffix, mode):
    for answer, worth in (("full", 100), ("none", 0)):
        table = write_table(tmp_path / f"in{suffix}", rows(answer))
        out = tmp_path / f"out{suffix}"
        ran = curieval("score", "qa", table, "-o", out, "--mode", mode, "--json")
        assert ran.code == 0
        found = ran.json
        assert (found["llm_score"], found["scored"], found["coverage"]) == (worth, len(CASES), 1)
        assert found["bounds"] == [worth, worth]
        assert (found["judge"]["model"], found["settings"]["mode"]) == ("reference-judge", mode)
        assert len(found["settings"]["prompt_sha256"]) == 64
        assert found["judge"]["check"]["trusted"]
        written = read_table(out)
        assert [float(row["llm_score"]) for row in written] == [worth] * len(CASES)
        assert [row["prediction"] for row in written] == [row["prediction"] for row in rows(answer)]


def test_text_names_the_judge_and_its_canaries(tmp_path):
    ran = curieval("score", "qa", write_table(tmp_path / "in.tsv", rows("half")))
    assert ran.code == 0
    assert "judged by reference-judge: 8 of 8 canaries hold" in ran.out
    assert "mode rubric, prompt " in ran.out


def test_an_empty_answer_scores_0_and_is_counted(tmp_path):
    table = write_table(tmp_path / "in.tsv", [{**row, "prediction": " "} for row in rows()])
    ran = curieval("score", "qa", table, "--judge", "constant:never asked", "--no-check", "--json")
    assert (ran.code, ran.json["llm_score"], ran.json["coverage"]) == (0, 0, 1)
    assert ran.json["notes"] == [f"{len(CASES)} empty answers score 0 without a call"]


def test_unreadable_verdicts_are_asked_for_again_twice(tmp_path):
    """The seed numbers the calls about one answer: the third gives a verdict."""
    table = write_table(tmp_path / "in.tsv", rows()[:2])

    def decide(payload):
        return verdict(payload, True) if payload["seed"] == 3 else "I would say it is right."

    with judging(tmp_path, decide, entry=PRICE) as (models, seen):
        ask = ("score", "qa", table, "--judge", "judge", "--models-file", models, "--no-check")
        ran = curieval(*ask, "--json", "-o", tmp_path / "out.tsv")
        again = curieval(*ask, "--json")
    assert (ran.code, ran.json["llm_score"]) == (0, 100)
    assert sorted(payload["seed"] for payload in seen) == [1, 1, 2, 2, 3, 3]
    assert [row["judge_calls"] for row in read_table(tmp_path / "out.tsv")] == ["3", "3"]
    assert ran.json["cost_usd"] == pytest.approx(6 * (1000 * 1.0 + 100 * 10.0) / 1e6)
    assert (again.json["llm_score"], again.json["calls"], again.json["cost_usd"]) == (100, 0, 0)


def test_what_stays_unreadable_is_unscored_within_bounds(tmp_path):
    known = rows()[:4]
    table = write_table(tmp_path / "in.tsv", known)

    def decide(payload):
        text = payload["messages"][-1]["content"]
        return "??" if known[0]["prediction"] in text else verdict(payload, True)

    with judging(tmp_path, decide) as (models, seen):
        ran = curieval(
            *("score", "qa", table, "--judge", "judge", "--models-file", models, "--no-check"),
            *("--json", "-o", tmp_path / "out.tsv"),
        )
    assert len(seen) == 3 + 3
    found = ran.json
    assert (ran.code, found["scored"], found["unscored"], found["coverage"]) == (1, 3, 1, 0.75)
    assert (found["llm_score"], found["bounds"]) == (100, [75, 100])
    first = read_table(tmp_path / "out.tsv")[0]
    assert (first["llm_score"], first["judge_state"]) == ("", "unscored")
    assert first["judge_reason"] == "judge_unreadable (unexpected_format)"


def test_a_refused_key_costs_one_call(tmp_path):
    table = write_table(tmp_path / "in.tsv", rows())
    with judging(tmp_path, lambda payload: "", status=401) as (models, seen):
        line = refused("score", "qa", table, "--judge", "judge", "--models-file", models)
    assert len(seen) == 1
    assert "the judge 'judge' refuses" in line


def test_what_the_budget_does_not_cover_is_not_run(tmp_path):
    table = write_table(tmp_path / "in.tsv", rows())

    def decide(payload):
        return verdict(payload, True)

    with judging(tmp_path, decide, entry=f"{PRICE}\nconcurrency = 1") as (models, seen):
        ran = curieval(
            *("score", "qa", table, "--judge", "judge", "--models-file", models, "--no-check"),
            *("--max-cost", "0.012", "--json"),
        )
    assert 0 < len(seen) < len(CASES)
    found = ran.json
    assert (ran.code, found["scored"], found["not_run"]) == (1, len(seen), len(CASES) - len(seen))
    assert found["reasons"]["judge_failed (budget)"] == found["not_run"]
    assert found["cost_usd"] <= 0.012


def test_repeats_are_calls_of_their_own_with_their_spread(tmp_path):
    table = write_table(tmp_path / "in.tsv", rows()[:3])

    def decide(payload):
        return verdict(payload, payload["seed"] < 7)

    with judging(tmp_path, decide) as (models, seen):
        ran = curieval(
            *("score", "qa", table, "--judge", "judge", "--models-file", models, "--no-check"),
            *("--repeats", "3", "--json", "-o", tmp_path / "out.tsv"),
        )
    assert sorted({payload["seed"] for payload in seen}) == [1, 4, 7]
    assert ran.json["llm_score"] == pytest.approx(200 / 3)
    assert ran.json["spread"] == 100
    assert {row["judge_spread"] for row in read_table(tmp_path / "out.tsv")} == {"100.0"}


def test_answers_of_the_judges_family_are_named(tmp_path):
    table = write_table(tmp_path / "in.tsv", rows()[:2])
    with judging(tmp_path, lambda payload: verdict(payload, True)) as (models, _):
        ran = curieval(
            "score", "qa", table, "--judge", "judge", "--models-file", models, "--no-check"
        )
    assert "own family: the judge may favour gpt-4o-mini (2 rows)" in ran.out
    assert "was not tried on answers of known quality" in ran.out


@pytest.mark.parametrize(
    "rubric",
    [
        "It binds zinc. | It cleaves peptides.",
        '["It binds zinc.", {"point": "It cleaves peptides.", "weight": 1}]',
    ],
)
def test_a_rubric_of_ones_own(tmp_path, rubric):
    fields = {"rubric": rubric, "must_not": "It binds copper."}
    table = write_table(
        tmp_path / "in.tsv",
        [
            own(prediction="It binds zinc and cleaves peptides.", **fields),
            own(id="2", prediction="It binds zinc.", **fields) | {"id": "2"},
            own(prediction="It binds zinc; it cleaves peptides. It binds copper.", **fields)
            | {"id": "3"},
        ],
    )
    out = tmp_path / "out.jsonl"
    ran = curieval("score", "qa", table, "-o", out, "--no-check", "--json")
    assert ran.json["settings"]["mode"] == "rubric"
    assert [row["llm_score"] for row in read_table(out)] == [100, 50, 25]


def test_points_reach_a_model_as_they_are_written(tmp_path):
    table = write_table(
        tmp_path / "in.jsonl", [own(prediction="Zinc.", rubric=["It binds zinc.", "It is old."])]
    )
    with judging(tmp_path, lambda payload: verdict(payload, True)) as (models, seen):
        curieval("score", "qa", table, "--judge", "judge", "--models-file", models, "--no-check")
    assert points_of(seen[0]) == ["p1", "p2"]
    assert "p2: It is old." in seen[0]["messages"][-1]["content"]


def test_without_rubrics_the_card_is_used(tmp_path):
    table = write_table(tmp_path / "in.csv", [own(prediction="It binds zinc.")])
    ran = curieval("score", "qa", table, "--no-check", "--json")
    assert (ran.json["settings"]["mode"], ran.json["llm_score"]) == ("card", 100)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (own(prediction="x", question=" "), "in.tsv:3, field 'question': is empty"),
        (own(prediction="x", reference=""), "in.tsv:3, field 'reference': is empty"),
        (own(prediction="x", rubric="[1]"), "in.tsv:3, field 'rubric': point 1"),
        (own(prediction="x", rubric="[{"), "in.tsv:3, field 'rubric': no JSON list"),
        (own(prediction="x", id="0"), "in.tsv:3, field 'id': the id '0' stands already at"),
    ],
)
def test_a_mistake_names_its_place_before_any_call(tmp_path, row, message):
    first = own(id="0", prediction="Zinc.", rubric="It binds zinc.")
    table = write_table(tmp_path / "in.tsv", [first, {"rubric": "It binds zinc.", **row}])
    with judging(tmp_path, lambda payload: "") as (models, seen):
        line = refused(
            *("score", "qa", table, "--judge", "judge", "--models-file", models),
            *("-o", tmp_path / "out.tsv"),
        )
    assert message in line
    assert seen == []
    assert not (tmp_path / "out.tsv").exists()


def test_a_missing_column_is_named(tmp_path):
    table = write_table(tmp_path / "in.tsv", [{"question": "q", "reference": "r"}])
    assert "no column 'prediction'" in refused("score", "qa", table)


def test_the_questions_are_written_as_a_case_file(tmp_path):
    ran = curieval("cases", "qa", "-o", tmp_path / "all.jsonl", "--json")
    assert ran.json["cases"] == len(load_cases())
    assert [c.id for c in load_cases(tmp_path / "all.jsonl")] == [c.id for c in load_cases()]
    printed = curieval("cases", "qa").out.splitlines()
    assert [json.loads(line)["id"] for line in printed] == [c.id for c in load_cases()]
