"""Evidence as a task: its sentences and data card, figures by hand, baselines, users' files."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curieval.evidence import read_statement
from curieval.models.types import CaseFileError
from curieval.report.aggregate import AGGREGATORS
from evals.indra_evidence.baselines import baselines, remarks
from evals.indra_evidence.cases import (
    FOLDER,
    GROUNDED,
    TYPE_WORDS,
    load_cases,
    own_cases,
    own_rows,
)
from evals.indra_evidence.prompt import build_request
from evals.indra_evidence.statements import TAGS
from evals.indra_evidence.task import INDRA_EVIDENCE, sample, score_answer
from evals.indra_evidence.write_grounded import grounded_text
from scoring import claim_text, parse_verdict, verdict_score
from scoring.evidence import is_negated

CASES, ROWS = own_cases(), own_rows()
BIG = 9_007_199_254_740_993
NAMES = ("f1", "precision", "recall", "accuracy", "mcc", "auroc", "brier", "ece")
REPLIES = [
    *(json.dumps({"verdict": v, "confidence": c})
      for v in ("correct", "incorrect") for c in ("high", "medium", "low")),
    "I cannot say.",
]  # fmt: skip


def recorded(case, reply):
    scores = score_answer(case, parse_verdict(reply))
    return {"case": case.id, "repeat": 1, "scores": scores}


def figures(records):
    return {
        figure.name: AGGREGATORS[figure.aggregate](figure.name, records, figure.scale).value
        for figure in INDRA_EVIDENCE.figures
    }


def say(verdict, confidence="high"):
    return json.dumps({"verdict": verdict, "confidence": confidence})


def test_the_data_card_counts_what_is_there():
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    types = Counter(row["pa_json"]["type"] for row in ROWS)
    readers = Counter(row["ev_json"]["source_api"] for row in ROWS)
    tags = Counter(row["tag"] for row in ROWS)
    levels = Counter(row["difficulty"] for row in ROWS)
    told = [line for line in card.splitlines() if line.startswith("| ") and line[-3].isdigit()]
    counted = [
        f"| {name} | {n} |" for table in (types, readers, tags, levels) for name, n in table.items()
    ]
    assert sorted(told) == sorted(counted)
    assert f"{len(ROWS)} sentences by five readers on statements of {len(types)} types" in card
    assert (len(readers), len(ROWS), tags["correct"]) == (5, 200, 100)
    assert set(tags) == set(TAGS) - {"other"}
    assert len({row["cluster"] for row in ROWS}) == 50
    rejected = [case for case in CASES if recorded(case, "")["scores"]["rejected"]]
    assert f"it rejects {len(rejected)} of the 200, all tagged `grounding`" in card
    assert {case.slices["tag"] for case in rejected} == {"grounding"}


def test_a_twin_differs_in_one_word_and_has_the_other_verdict():
    by_id = {row["id"]: row for row in ROWS}
    twins = [row for row in ROWS if row["twin"] == "twin"]
    assert len(twins) == len(ROWS) / 2
    for twin in twins:
        original = by_id[twin["id"].removesuffix("-twin")]
        words = [row["ev_json"]["text"].split() for row in (original, twin)]
        assert len(words[0]) == len(words[1])
        assert sum(a != b for a, b in zip(*words, strict=True)) == 1
        assert (original["tag"] == "correct") != (twin["tag"] == "correct")
        assert original["pa_hash"] == twin["pa_hash"]
        assert original["cluster"] == twin["cluster"]


def test_statements_hashes_and_claims_are_those_of_indra():
    from indra.statements import Evidence

    for case, row in zip(CASES, ROWS, strict=True):
        statement = read_statement(row["pa_json"])
        assert case.claim == claim_text(statement, negated=is_negated(row["ev_json"]))
        assert row["pa_hash"] == statement.get_hash(refresh=True)
        bare = {name: value for name, value in row["ev_json"].items() if name != "source_hash"}
        assert row["source_hash"] == Evidence._from_json(bare).get_source_hash()
        assert not case.problem
    assert {row["pa_json"]["type"] for row in ROWS} == set(TYPE_WORDS)
    assert len({row["source_hash"] for row in ROWS}) == len(ROWS)


def test_the_shipped_groundings_are_what_the_script_writes():
    assert grounded_text(ROWS) == GROUNDED.read_text(encoding="utf-8")


def test_the_reference_is_all_right():
    found = figures([recorded(case, say(case.reference)) for case in CASES])
    assert [found[name] for name in ("f1", "accuracy", "mcc", "auroc")] == [1.0] * 4
    assert found["brier"] == pytest.approx(0.05**2)


def test_saying_correct_to_all_is_the_baseline_exactly():
    records = [recorded(case, '{"verdict": "correct"}') for case in CASES]
    found, known = figures(records), {each.name: each.figures for each in baselines(records)}
    assert found["f1"] == pytest.approx(2 / 3)
    for name in NAMES:
        assert found[name] == pytest.approx(known["constant_correct"].get(name))
        # Behind the grounding tier it says what that tier alone says.
        assert found[f"two_tier_{name}"] == pytest.approx(known["grounding_tier"].get(name))
    lexical = [recorded(case, build_request(case).hints.answers["lexical"]()) for case in CASES]
    for name in NAMES:
        assert figures(lexical)[name] == pytest.approx(known["lexical"][name])


def test_a_reply_without_a_verdict_is_wrong_and_a_half():
    records = [recorded(case, "I cannot say.") for case in CASES]
    found = figures(records)
    assert [found[name] for name in ("f1", "accuracy", "mcc")] == [0.0, 0.0, -1.0]
    assert (found["brier"], found["auroc"]) == (0.25, 0.5)
    assert {record["scores"]["reading"] for record in records} == {"unreadable"}


@settings(max_examples=25)
@given(st.lists(st.sampled_from(REPLIES), min_size=len(CASES), max_size=len(CASES)))
def test_figures_equal_scikit_learn(replies):
    metrics = pytest.importorskip("sklearn.metrics")
    found = figures([recorded(c, reply) for c, reply in zip(CASES, replies, strict=True)])
    for prefix in ("", "two_tier_"):
        truth, said, chances = [], [], []
        for case, reply in zip(CASES, replies, strict=True):
            verdict = parse_verdict(reply)
            word, chance = verdict.verdict, verdict_score(verdict.verdict, verdict.confidence)
            if prefix and any(one and one.auto_reject for one in case.groundings):
                word, chance = "incorrect", 0.05
            right = case.reference == "correct"
            truth.append(right)
            said.append(not right if word is None else word == "correct")
            chances.append(chance)
        expected = {
            "f1": metrics.f1_score(truth, said),
            "precision": metrics.precision_score(truth, said, zero_division=float("nan")),
            "recall": metrics.recall_score(truth, said),
            "accuracy": metrics.accuracy_score(truth, said),
            "mcc": metrics.matthews_corrcoef(truth, said),
            "auroc": metrics.roc_auc_score(truth, chances),
            "brier": metrics.brier_score_loss(truth, chances),
        }
        for name, value in expected.items():
            if found[prefix + name] is not None:
                assert found[prefix + name] == pytest.approx(value), prefix + name


def test_published_figures_stand_with_their_source():
    told = " ".join(remarks([recorded(case, say("correct")) for case in CASES]))
    for figure in ("0.726", "4,625", "0.636", "0.751", "0.744", "86 %", "doi:10.5281/zenodo"):
        assert figure in told
    assert "constant_correct 0.667" in told


def test_the_sample_is_twins_of_three_types():
    chosen = sample(CASES)
    assert len(chosen) == INDRA_EVIDENCE.sample_size == 12
    assert Counter(case.reference for case in chosen) == {"correct": 6, "incorrect": 6}


SENTENCE = {"text": "ABCC9 was pulled down with KCNJ8.", "agents": ["ABCC9", "KCNJ8"],
            "type": "Complex", "tag": "correct"}  # fmt: skip
CURATION = {
    "tag": "correct",
    "pa_hash": BIG,
    "source_hash": -BIG,
    "pa_json": {"type": "Complex", "members": [{"name": "ABCC9"}, {"name": "KCNJ8"}]},
    "ev_json": {"source_api": "reach", "text": SENTENCE["text"], "pmid": "12"},
}


def loaded(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return load_cases(path)


def test_sentences_and_curations_of_a_file(tmp_path):
    (one,) = loaded(tmp_path / "a.jsonl", [SENTENCE])
    (two,) = loaded(tmp_path / "b.jsonl", [CURATION])
    assert one.claim == two.claim == "ABCC9 [Complex] KCNJ8"
    assert (two.id, two.cluster, two.reader) == (f"{BIG}.{-BIG}", "12", "reach")
    assert not one.problem + two.problem


def test_a_hold_out_of_hashes_is_joined_with_its_corpus(tmp_path):
    statement = {**CURATION["pa_json"], "matches_hash": str(BIG)}
    evidence = [{**CURATION["ev_json"], "source_hash": n} for n in (-BIG, BIG, -BIG)]
    corpus = [{**statement, "evidence": evidence}]
    wanted = [{"source_hash": str(-BIG), "tag": "correct"}, {"source_hash": 7, "tag": "grounding"}]
    found = loaded(tmp_path / "a.jsonl", [{"statements": corpus, "curations": wanted}])
    problems = [case.problem for case in found]
    assert Counter(bool(problem) for problem in problems) == {False: 1, True: 2}
    assert any("no evidence of the corpus has source_hash 7" in problem for problem in problems)
    assert any("the same evidence stands already at" in problem for problem in problems)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"text": None}, "the evidence has no text"),
        ({"tag": "fine"}, "field 'tag': found 'fine'"),
        ({"type": "Nonsense"}, "field 'type': INDRA has no statement type 'Nonsense'"),
        ({"agents": [None, None]}, "field 'agents': none is named"),
        ({"type": "Activation", "agents": ["ABCC9"]}, "field 'agents': Activation has 2"),
    ],
)
def test_rows_that_cannot_be_asked_are_named_and_the_others_go_on(tmp_path, change, told):
    found = loaded(tmp_path / "a.jsonl", [{**SENTENCE, **change}, {**SENTENCE, "id": "good"}])
    problems = {case.id: case.problem for case in found}
    assert problems["row-1"].startswith(f"a.jsonl:1: {told}")
    assert problems["good"] == ""


def test_a_rounded_hash_is_named(tmp_path):
    (bad,) = loaded(tmp_path / "a.jsonl", [{**CURATION, "source_hash": 1e18}])
    assert "hash 1e+18 was rounded" in bad.problem


def test_a_file_outside_its_folder_is_refused(tmp_path):
    (tmp_path / "in").mkdir()
    row = {"statements": "../secret.json", "curations": []}
    with pytest.raises(CaseFileError, match="lies outside"):
        loaded(tmp_path / "in" / "a.jsonl", [row])
