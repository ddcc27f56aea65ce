"""Belief as a task: its statements, what verdicts compose to, whole statements or none."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curieval.evidence import read_statement
from curieval.models.types import Case, CaseFileError
from curieval.report.aggregate import AGGREGATORS
from evals.indra_belief.baselines import baselines, remarks
from evals.indra_belief.cases import FOLDER, load_cases, own_rows
from evals.indra_belief.figures import compose
from evals.indra_belief.task import INDRA_BELIEF, sample, score_answer
from evals.indra_evidence.cases import own_cases as evidence_cases
from evals.indra_evidence.statements import TAGS
from evals.selection import stratified
from scoring import claim_text, compose_belief, example_texts, find_contamination, parse_verdict

CASES = load_cases()
NAMES = ("belief_error", "brier", "ece", "auroc")


def recorded(case, answer):
    said = parse_verdict(json.dumps({"verdict": answer}))
    return {"case": case.id, "repeat": 1, "scores": score_answer(case, said)}


def asked(answer_of):
    return [recorded(case, answer_of(case)) for case in CASES]


def figures(records):
    composed = compose(records)
    return {
        figure.name: AGGREGATORS[figure.aggregate](figure.name, composed)
        for figure in INDRA_BELIEF.figures
        if figure.aggregate != "mean"
    }


def test_the_data_card_counts_what_is_there():
    rows, card = list(own_rows()), (FOLDER / "README.md").read_text(encoding="utf-8")
    tags = Counter(row["tag"] for row in rows)
    statements = {row["statement"]: row for row in rows}
    types = {row["pa_json"]["type"] for row in rows}
    readers = {row["ev_json"]["source_api"] for row in rows}
    assert set(tags) <= set(TAGS)
    assert f"{len(statements)} statements of {len(types)} types with {len(rows)} sentences" in card
    assert (len(readers), tags["correct"]) == (6, 64)
    for tag, n in tags.items():
        assert f"| {tag} | {n} |" in card
    sizes = Counter(min(row["n_sentences"], 4) for row in statements.values())
    assert f"{sizes[2]} statements have two sentences, {sizes[3]} three, {sizes[4]} more" in card
    supported = {row["statement"] for row in rows if row["tag"] == "correct"}
    told = f"{len(supported)} are supported by at least one sentence"
    assert told in card
    assert f"{len(statements) - len(supported)} by\nnone" in card
    assert len(statements) >= 40
    assert len(types) >= 10


def test_statements_are_those_that_indra_reads_and_ids_and_hashes_are_theirs():
    for case, row in zip(CASES, own_rows(), strict=True):
        statement = read_statement(row["pa_json"])
        assert case.claim == claim_text(statement)
        assert row["pa_json"]["matches_hash"] == str(statement.get_hash(refresh=True))
        assert (case.id, case.text) == (row["id"], row["ev_json"]["text"])


def test_nothing_stands_in_the_examples_or_in_the_other_task():
    compared = [
        {"id": c.id, "text": c.text, "agents": [a.name for a in c.agents if a], "type": c.kind}
        for c in CASES
    ]
    assert list(find_contamination(example_texts(), compared)) == []
    pairs = {frozenset(a.name for a in c.agents if a) for c in evidence_cases()}
    assert not [c["id"] for c in compared if frozenset(c["agents"]) in pairs]
    assert len({case.text for case in CASES}) == len(CASES)
    assert not [case.problem for case in CASES if case.problem]


def test_the_reference_is_without_error():
    found = figures(asked(lambda case: case.reference))
    assert found["belief_error"].value == 0.0
    assert found["auroc"].value == 1.0
    assert found["belief_error"].n == len({case.statement for case in CASES})


@pytest.mark.parametrize("name", [*NAMES, *(f"two_tier_{name}" for name in NAMES)])
def test_saying_correct_to_all_is_the_baseline_exactly(name):
    records = asked(lambda case: "correct")
    known = {each.name: each.figures for each in baselines(records)}
    twin = "grounding_tier" if name.startswith("two_tier_") else "constant_correct"
    assert figures(records)[name].value == pytest.approx(known[twin][name], abs=1e-12, rel=0)


@given(st.lists(st.sampled_from(["correct", "incorrect", "?"]), min_size=140, max_size=140))
def test_beliefs_are_those_of_compose_belief(answers):
    records = [recorded(case, said) for case, said in zip(CASES, answers, strict=True)]
    for row in compose(records):
        mine = [
            {"source_api": case.reader, "verdict": None if said == "?" else said}
            for case, said in zip(CASES, answers, strict=True)
            if case.statement == row["case"]
        ]
        assert row["scores"]["probability"] == compose_belief(mine).belief
        assert row["scores"]["two_tier_probability"] <= row["scores"]["probability"]


@given(st.sets(st.sampled_from([case.id for case in CASES])))
def test_a_statement_with_an_unscored_sentence_is_unscored_as_a_whole(lost):
    records = [recorded(case, "correct") for case in CASES if case.id not in lost]
    broken = {case.statement for case in CASES if case.id in lost}
    assert {row["case"] for row in compose(records)} == {c.statement for c in CASES} - broken
    seen = {case.statement for case in CASES if case.id not in lost}
    if broken & seen:
        assert any(f"{len(broken & seen)} statements are unscored" in r for r in remarks(records))


def test_the_sample_takes_whole_statements():
    chosen = sample(CASES)
    assert len(chosen) == INDRA_BELIEF.sample_size
    sizes = Counter(case.statement for case in chosen)
    assert all(sizes[case.statement] == case.n_sentences for case in chosen)


@given(st.integers(1, 140), st.integers(0, 5))
def test_a_limit_takes_whole_groups_that_fit_into_it(n, seed):
    chosen = stratified(CASES, n, strata=("type",), seed=seed, group=INDRA_BELIEF.group)
    sizes = Counter(case.statement for case in chosen)
    assert all(sizes[case.statement] == case.n_sentences for case in chosen)
    assert len(chosen) <= n or len(sizes) == 1
    more = stratified(CASES, n + 20, strata=("type",), seed=seed, group=INDRA_BELIEF.group)
    assert {case.id for case in chosen} <= {case.id for case in more}


def test_without_a_group_a_sample_is_what_it_was():
    cases = [Case(id=str(i), label="", slices={}, reference="", origin="") for i in range(9)]
    assert len(stratified(cases, 4, strata=())) == 4


def written(tmp_path, *rows):
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def row(*evidence, **more):
    statement = {"type": "Complex", "members": [{"name": "AURKB"}, {"name": "BOD1"}]}
    return {"statement": statement, "evidence": list(evidence), **more}


def said(text, tag="correct", **more):
    return {"source_api": "reach", "text": text, "tag": tag, **more}


def test_a_file_of_ones_own_is_read_and_negation_kept(tmp_path):
    path = written(
        tmp_path,
        row(
            said("AURKB binds BOD1."),
            said("AURKB does not bind BOD1.", epistemics={"negated": True}),
        ),
    )
    cases = load_cases(path)
    assert [case.id for case in cases] == ["stmt-1-1", "stmt-1-2"]
    assert [case.problem for case in cases] == ["", ""]
    assert cases[1].claim == "not: AURKB [Complex] BOD1"
    (composed,) = compose([recorded(case, "correct") for case in cases])
    assert composed["scores"]["probability"] == pytest.approx(0.65 * (1 - 0.65))
    assert composed["scores"]["outcome"] == 1


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (said(None), "no text"),
        (said("A.", tag="fine"), "field 'tag'"),
        (said("A.", source_api="mine"), "no prior"),
        (said("AURKB binds BOD1."), "stands already"),
    ],
)
def test_a_sentence_that_cannot_be_asked_leaves_its_statement_out(tmp_path, bad, why):
    good = said("AURKB binds BOD1.")
    cases = load_cases(written(tmp_path, row(good, bad), row(good, id="other")))
    assert [bool(case.problem) for case in cases if case.statement != "other"] == [True, True]
    assert all(why in case.problem for case in cases if case.statement != "other")
    assert [case.problem for case in cases if case.statement == "other"] == [""]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([row()], "evidence"),
        ([row(said("A."), id="x"), row(said("B."), id="x")], "stands already"),
        ([{"statement": {}}], "evidence"),
    ],
)
def test_rows_that_are_none_are_refused(tmp_path, rows, told):
    with pytest.raises(CaseFileError, match=told):
        load_cases(written(tmp_path, *rows))
