"""The protein questions: items, prompts, judging and the canaries of a judge."""

from __future__ import annotations

import json

import pytest

from curieval.models import ClientSettings, open_client
from curieval.models.types import CaseFileError, Reply
from evals.protein_qa import canaries
from evals.protein_qa.cases import KIND_WORDS, load_cases
from evals.protein_qa.prompt import build_judge_request, build_request, read_judgement
from evals.protein_qa.task import PROTEIN_QA

CASES = {case.id: case for case in load_cases()}


@pytest.fixture(scope="module")
def judge():
    with open_client("reference-judge", settings=ClientSettings()) as client:
        yield client


def score(judge, case, answer):
    request = build_judge_request(case, Reply(text=answer), 1)
    return read_judgement(case, judge.ask(request)).score


def test_every_kind_has_ten_items_or_more():
    kinds = [case.slices["kind"] for case in CASES.values()]
    assert set(kinds) == set(KIND_WORDS)
    assert min(kinds.count(kind) for kind in KIND_WORDS) >= 10
    assert len(CASES) >= 120


def test_ids_hold_the_word_of_their_kind_alone():
    for case in CASES.values():
        assert case.id.rpartition("-")[0] == KIND_WORDS[case.slices["kind"]]
    words = sorted(PROTEIN_QA.words)
    assert not [(a, b) for a in words for b in words if a != b and a in b]


def test_references_are_worth_all_and_wrong_answers_nothing(judge):
    for case in CASES.values():
        assert score(judge, case, case.reference) == 100
        assert score(judge, case, dict(case.answers)["none"]) == 0


def test_answers_of_known_quality_are_worth_what_they_claim(judge):
    """The judge reads "H+ cannot follow" as a denial of H+, so that a few full answers fail."""
    odd = [
        case.id
        for case in CASES.values()
        if score(judge, case, dict(case.answers)["full"]) < 75
        or not 25 <= score(judge, case, dict(case.answers)["half"]) <= 65
    ]
    assert len(odd) <= 0.03 * len(CASES), odd


def test_the_prompt_does_not_state_the_reference():
    for case in CASES.values():
        prompt = "\n".join(message.content for message in build_request(case).messages)
        assert case.reference.casefold() not in prompt.casefold()


def test_an_empty_answer_and_a_refusal_are_not_judged():
    case = next(iter(CASES.values()))
    assert build_judge_request(case, Reply(text=" \n"), 1) is None
    assert build_judge_request(case, Reply(text="I cannot say.", finish="refusal"), 1) is None


def test_an_injection_gains_nothing(judge):
    for case in CASES.values():
        plain = dict(case.answers)["none"]
        assert score(judge, case, plain + canaries.INJECTION) <= score(judge, case, plain)


def test_another_attempt_is_another_call():
    case = next(iter(CASES.values()))
    first, second = (build_judge_request(case, Reply(text="an enzyme"), n) for n in (1, 2))
    assert first.messages == second.messages
    assert (first.repeat, second.repeat) == (1, 2)


def test_the_judge_without_a_model_is_trusted(judge):
    found = canaries.check_judge(judge.ask_many)
    assert found["trusted"]
    assert {name: each["n"] for name, each in found["canaries"].items()} == {
        "reference": 12,
        "another_protein": 12,
        "denied": 12,
        "injection": 12,
        "padding": 12,
        "readable": 36,
    }


@pytest.mark.parametrize(
    ("reply", "failing"),
    [
        ('{"points": {"p1": 1, "p2": 1}, "contradiction": false}', "another_protein"),
        ('{"points": {"p1": 0, "p2": 0}, "contradiction": false}', "reference"),
        ("Score: 100", "readable"),
    ],
)
def test_a_judge_that_always_says_the_same_is_not_trusted(reply, failing):
    with open_client(f"constant:{reply}", settings=ClientSettings()) as client:
        found = canaries.check_judge(client.ask_many)
    assert not found["trusted"]
    assert found["canaries"][failing]["held"] < found["canaries"][failing]["n"]


def test_a_users_row_without_rubric_gets_one_from_its_reference(tmp_path, judge):
    path = tmp_path / "mine.jsonl"
    row = {"id": "q1", "question": "Which metal?", "reference": "It binds zinc."}
    path.write_text(json.dumps(row) + "\n")
    (case,) = load_cases(path)
    assert score(judge, case, "Zinc is bound.") > score(judge, case, "Copper.")


def test_a_doubled_id_names_both_places(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text("id\tquestion\treference\n1\ta?\tzinc\n1\td?\tiron\n")
    with pytest.raises(CaseFileError, match=r"mine\.tsv:3: id '1' stands already at mine\.tsv:2"):
        load_cases(path)
