"""`curieval judge-check` and rating sheets: canaries, people's ratings, and back."""

import csv
import random
from pathlib import Path

import pytest
from openpyxl import load_workbook

from curieval.report.records import RecordWriter
from evals.protein_qa.cases import load_cases
from scoring.statistics import agreement, prediction_powered_mean
from tests.cli.running import curieval, read_table, refused, write_table
from tests.servers.judging import judging, verdict

CASES = {case.id: case for case in load_cases() if case.slices["made"] == "authored"}
WORTH = {"full": 100, "half": 50, "none": 0}

pytestmark = pytest.mark.usefixtures("own_world")


def write_run(folder, answers, models=("claude-haiku-4-5",)):
    """A run's records with these answers by case id."""
    named = [{"name": name, "slug": name, "identity": {}} for name in models]
    writer = RecordWriter(folder)
    manifest = {"versions": {}, "models": named, "tasks": {}, "ontologies": [], "options": {}}
    start = {"kind": "run", "schema_version": 1, "leg": 1, "started": "2026-12-01T10:00:00+00:00"}
    writer.write({**start, "manifest": manifest})
    for model in models:
        for case_id, text in answers.items():
            case = CASES[case_id]
            identity = {
                "id": f"{case_id}-{model}",
                "task": "protein_qa",
                "case": case_id,
                "model": model,
                "repeat": 1,
                "slices": dict(case.slices),
            }
            writer.write({"kind": "plan", "leg": 1, "items": [identity]})
            writer.write(
                {
                    **identity,
                    "kind": "record",
                    "leg": 1,
                    "label": case.label,
                    "reference": case.reference,
                    "origin": case.origin,
                    "state": "scored",
                    "reason": None,
                    "detail": None,
                    "flags": [],
                    "scores": {"llm_score": 50.0},
                    "reply": {"text": f"{text} [{model}]" if text else "", "finish": "stop"},
                    "prompt": {"prefix": None, "user": case.question},
                }
            )
    writer.close()
    return folder


def sheet_rows(path):
    if path.suffix != ".xlsx":
        return read_table(path)
    rows = list(load_workbook(path).worksheets[0].iter_rows(values_only=True))
    return [dict(zip(rows[0], [cell or "" for cell in row], strict=True)) for row in rows[1:]]


def fill_in(path, score_of, keep=None):
    """Fill in scores as a rater would, in the file itself."""
    if path.suffix == ".xlsx":
        book = load_workbook(path)
        for number, row in enumerate(book.worksheets[0].iter_rows(min_row=2)):
            if keep is None or number < keep:
                row[4].value = score_of(row[0].value, row[3].value)
        book.save(path)
        return
    rows = read_table(path)
    for row in rows[:keep]:
        row["score"] = score_of(row["id"], row["answer"])
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter="\t")
        writer.writeheader()
        writer.writerows(rows)


def worth(sheet_id, answer):
    case = CASES[sheet_id.rpartition(".")[0]]
    return next(WORTH[name] for name, text in case.answers if text == answer)


def test_the_judge_without_a_model_is_trusted_in_both_modes():
    for mode, n in (("rubric", 8), ("card", 7)):
        ran = curieval("judge-check", "--mode", mode, "--json")
        assert ran.code == 0
        assert ran.json["trusted"]
        assert len(ran.json["judge"]["check"]["canaries"]) == n
        assert ran.json["settings"]["mode"] == mode


def test_a_judge_that_grants_everything_ends_with_1(tmp_path):
    with judging(tmp_path, lambda payload: verdict(payload, True)) as (models, seen):
        ran = curieval("judge-check", "--judge", "judge", "--models-file", models)
    assert ran.code == 1
    assert "NOT TRUSTED" in ran.out
    assert "another protein's reference gets at most 20" in ran.out
    assert f"{len(seen)} calls, cost unknown" in ran.out


def test_models_of_the_judges_family_are_named_without_a_call(tmp_path):
    folder = write_run(tmp_path / "run", {"role-01": "It stores oxygen."}, ("gpt-4o", "llama-3"))
    with judging(tmp_path, lambda payload: "no") as (models, _):
        ran = curieval(
            *("judge-check", "--judge", "judge", "--models-file", models, "--json"),
            *("--model", "gpt-5-mini", "--model", "claude-opus-5-5", "--report", folder),
        )
    assert ran.json["own_family"] == ["gpt-5-mini", "gpt-4o"]


@pytest.mark.parametrize("suffix", [".xlsx", ".tsv"])
def test_a_sheet_of_known_answers_goes_out_blind_and_comes_back(tmp_path, suffix):
    sheet, again = tmp_path / f"sheet{suffix}", tmp_path / f"again{suffix}"
    for path in (sheet, again):
        assert curieval("cases", "qa", "--for-rating", 60, "--seed", 5, "-o", path).code == 0
    rows = sheet_rows(sheet)
    assert rows == sheet_rows(again)
    assert list(rows[0]) == ["id", "question", "reference", "answer", "score"]
    assert {row["score"] for row in rows} == {""}
    assert len({row["id"] for row in rows}) == 60
    assert not any(name in row["id"] for row in rows for name in WORTH)

    fill_in(sheet, worth, keep=40)
    ran = curieval("judge-check", "--human", sheet, "--json")
    people = ran.json["people"]
    assert ran.code == 0
    assert (people["n"], people["unrated"], people["raters"]) == (40, 20, 1)
    assert people["figures"]["spearman"]["value"] > 0.95
    assert people["figures"]["krippendorff_alpha"]["value"] > 0.95
    assert abs(people["figures"]["bias"]["value"]) < 5
    mean = people["prediction_powered_tuned"]
    assert mean["low"] < people["people_mean"]["value"] < mean["high"]


def test_a_sheet_of_a_run_names_no_model_and_takes_each_answer_once(tmp_path):
    answers = {name: dict(CASES[name].answers)["half"] for name in list(CASES)[:6]}
    answers["role-02"] = ""
    folder = write_run(tmp_path / "run", answers, ("claude-haiku-4-5", "gpt-4o"))
    sheet = tmp_path / "sheet.tsv"
    ran = curieval("cases", "qa", "--for-rating", 500, "--report", folder, "-o", sheet, "--json")
    assert (ran.json["answers"], ran.json["pool"]) == (10, 10)
    assert ran.json["notes"] == ["500 answers were asked for, there are 10"]
    for row in read_table(sheet):
        assert "claude" not in row["id"] + row["question"]
        assert row["question"] == CASES[row["id"].rpartition(".")[0]].question


def test_formulas_reach_people_as_text_and_come_back(tmp_path):
    answers = dict(
        zip(list(CASES), ('=HYPERLINK("http://x")', "+zinc", "-zinc", "@zinc"), strict=False)
    )
    folder = write_run(tmp_path / "run", answers)
    book, table = tmp_path / "sheet.xlsx", tmp_path / "sheet.tsv"
    for path in (book, table):
        curieval("cases", "qa", "--for-rating", 4, "--report", folder, "-o", path)
    cells = [row[3] for row in load_workbook(book).worksheets[0].iter_rows(min_row=2)]
    assert {cell.data_type for cell in cells} == {"s"}
    assert all(cell.quotePrefix for cell in cells)
    assert {cell.value[0] for cell in cells} == set("=+-@")
    assert {row["answer"][:1] for row in read_table(table)} == {"'"}
    for path in (book, table):
        fill_in(path, lambda i, a: 0)
        ran = curieval("judge-check", "--human", path, "--report", folder, "--json")
        assert (ran.json["people"]["n"], ran.json["people"]["unrated"]) == (4, 0)


def test_figures_are_those_of_the_ratings(tmp_path):
    """Several raters with gaps, answers by name, and a judge whose scores are known."""
    draw = random.Random(4)
    names = list(CASES)[:30]
    rows = []
    for name in names:
        for rater in ("ann", "bo"):
            for answer in ("full", "none"):
                score = max(0, min(100, WORTH[answer] + draw.choice([-30, -10, 0, 20])))
                kept = "" if (rater, answer) == ("bo", "none") else score
                rows.append({"id": name, "answer": answer, "score": kept, "rater": rater})
    half = [{"id": name, "answer": "half", "score": "", "rater": ""} for name in names]
    human = write_table(tmp_path / "human.csv", [*rows, *half])
    found = curieval("judge-check", "--human", human, "--json").json["people"]

    keys = [(name, answer) for name in names for answer in ("full", "none")]
    given = {(row["id"], row["answer"], row["rater"]): row["score"] for row in rows}
    people = [
        [None if given[*key, rater] == "" else given[*key, rater] for key in keys]
        for rater in ("ann", "bo")
    ]
    judge = [WORTH[answer] for _, answer in keys]
    expected = agreement(judge, people, clusters=[name for name, _ in keys])
    assert {name: each["value"] for name, each in found["figures"].items()} == pytest.approx(
        {name: each.value for name, each in expected.items()}
    )
    means = [
        sum(each for each in column if each is not None) / sum(e is not None for e in column)
        for column in zip(*people, strict=True)
    ]
    assert found["people_mean"]["value"] == pytest.approx(sum(means) / len(means))
    assert (found["n"], found["raters"], found["cases"], found["unrated"]) == (60, 2, 30, 30)
    from scoring.judge_reference import judge_by_terms

    halves = [
        judge_by_terms(
            dict(CASES[name].answers)["half"], CASES[name].rubric, reference=CASES[name].reference
        ).score
        for name in names
    ]
    plain = prediction_powered_mean(halves, judge, means)
    assert found["prediction_powered"] == pytest.approx(
        {"value": plain.mean, "low": plain.low, "high": plain.high, "n": 90}
    )


def test_few_ratings_and_no_others_are_told(tmp_path):
    human = write_table(
        tmp_path / "human.tsv", [{"id": "role-01", "answer": "full", "score": "90"}]
    )
    ran = curieval("judge-check", "--human", human)
    assert ran.code == 0
    assert "intervals are rough" in ran.err
    assert "no prediction-powered mean" in ran.err


def test_questions_of_ones_own_are_rated_too(tmp_path):
    row = {"id": "x", "question": "Which metal?", "reference": "It binds zinc."}
    human = write_table(
        tmp_path / "human.tsv",
        [
            {**row, "answer": "It binds zinc.", "score": "100"},
            {**row, "answer": "It binds iron.", "score": "20"},
        ],
    )
    assert curieval("judge-check", "--human", human, "--json").json["people"]["n"] == 2


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"score": "101"}, "human.tsv:2, field 'score': '101' is no number from 0 to 100"),
        ({"score": "good"}, "field 'score': 'good' is no number"),
        ({"score": "nan"}, "field 'score': 'nan' is no number"),
        ({"answer": " "}, "field 'answer': is empty"),
        ({"id": "nobody"}, "field 'id': 'nobody' is no item of protein_qa"),
        ({"score": ""}, "no row has a score"),
    ],
)
def test_a_bad_rating_names_its_place(tmp_path, row, message):
    human = write_table(
        tmp_path / "human.tsv", [{"id": "role-01", "answer": "full", "score": "90", **row}]
    )
    assert message in refused("judge-check", "--human", human)


def test_the_same_answer_rated_twice_names_both_places(tmp_path):
    row = {"id": "role-01", "answer": "full", "score": "90"}
    human = write_table(tmp_path / "human.tsv", [row, row])
    line = refused("judge-check", "--human", human)
    assert "human.tsv:3: this answer to 'role-01' was rated at" in line
    assert "human.tsv:2 already" in line


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("gone.xlsx", None, "is not there"),
        ("broken.xlsx", b"PK nonsense", "cannot be read as a workbook"),
    ],
)
def test_a_workbook_that_is_none_is_refused(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert message in refused("judge-check", "--human", tmp_path / name)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--for-rating", 3), "name it with --out"),
        (("--for-rating", 3, "-o", "no/sheet.xlsx"), "folder"),
        (("--for-rating", 3, "-o", "sheet.doc"), "suffix"),
        (("--report", "run"), "--for-rating N"),
        (("--for-rating", 3, "-o", "s.tsv", "--report", "nowhere"), "no records.jsonl"),
        (("-o", "all.tsv"), "name a .jsonl file"),
    ],
)
def test_sheets_that_cannot_be_written_are_refused(arguments, message):
    assert message in refused("cases", "qa", *arguments)
    assert not list(Path().glob("*"))
