"""The second route agrees with the vectors, and the task agrees with the second route."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.env_triad.cases import SLOTS, load_cases
from evals.env_triad.task import ENV_TRIAD, FIGURES, score_answer
from tests.evals import triad_by_hand as by_hand

VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "hierarchical_f1.jsonl"
ANSWERS = (
    "terrestrial biome [ENVO:00000446]",
    "soil [ENVO:00001998]",
    "lake [ENVO:00000020]",
    "biome [ENVO:00000428]",
    "leaf [PO:0025034]",
    "no such thing [ENVO:99999999]",
)


def vectors():
    rows = map(json.loads, VECTORS.read_text(encoding="utf-8").splitlines())
    return [row for row in rows if "[" in row["prediction"]]


def test_the_second_route_holds_the_given_vectors():
    for row in vectors():
        found = by_hand.hierarchical_f1(row["prediction"], row["reference"], row["slot"])
        assert found == pytest.approx(row["expected"]["hierarchical_f1"], abs=1e-9), row["id"]


@pytest.mark.parametrize("answer", ANSWERS)
def test_scores_of_an_answer_to_every_case(answer):
    for case in load_cases():
        score = score_answer(case, answer)
        reference, slot = case.reference, case.slot
        compatible = by_hand.ontology_score(answer, reference, case.template, slot)
        f1 = by_hand.hierarchical_f1(answer, reference, slot, case.accepted)
        assert score.ontology_score == pytest.approx(compatible, abs=1e-9), case.id
        assert score.hierarchical_f1 == pytest.approx(f1, abs=1e-9), case.id


@pytest.mark.parametrize("slot", SLOTS)
def test_the_baselines_are_the_best_and_the_mean_of_all_answers(slot):
    cases = [case for case in load_cases() if case.slot == slot][::7]
    records = [
        {
            "reference": case.reference,
            "accepted": dict(case.accepted),
            "slices": dict(case.slices),
        }
        for case in cases
    ]
    found = {baseline.name: baseline for baseline in ENV_TRIAD.baselines(records)}
    best = next(b for b in ENV_TRIAD.baselines(records) if set(b.figures) == {"hierarchical_f1"})

    def f1(answer, case):
        return by_hand.hierarchical_f1(answer, case.reference, slot, case.accepted)

    candidates = {text for case in cases for text in (*allowed_texts(case), case.reference)}
    means = {text: sum(f1(text, case) for case in cases) / len(cases) for text in candidates}
    assert best.figures["hierarchical_f1"] == pytest.approx(max(means.values()), abs=1e-9)
    assert means[best.answer] == pytest.approx(max(means.values()), abs=1e-9)

    picks = [sum(f1(t, c) for t in allowed_texts(c)) / len(allowed_texts(c)) for c in cases]
    random = found["random"].figures["hierarchical_f1"]
    assert random == pytest.approx(sum(picks) / len(picks), abs=1e-9)


def allowed_texts(case):
    return ENV_TRIAD.request(case).hints.allowed


def test_the_figures_are_those_of_the_spec():
    primary = [figure.name for figure in FIGURES if figure.primary]
    assert primary == ["hierarchical_f1"]
    assert {"ontology_score", "lin_similarity"} < {figure.name for figure in FIGURES}
