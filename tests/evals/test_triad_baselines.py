"""What a constant and a random answer reach, held against scoring every answer one by one."""

from collections import Counter

import pytest

from evals.env_triad.baselines import NAMES, constant_and_random, reference_key
from evals.env_triad.cases import allowed_texts, candidate_texts, load_cases
from evals.env_triad.task import shipped_ontologies
from scoring import score_term

TUNDRA = "tundra biome [ENVO:01000180]"
FOREST = "forest biome [ENVO:01000174]"


def one_by_one(references, answers, name):
    """The mean of each answer over all rows, by the scorer of one answer."""
    means = {}
    for answer in answers:
        total = 0.0
        for (reference, accepted, template, slot), count in references.items():
            score = score_term(
                prediction=answer,
                reference=reference,
                ontology=shipped_ontologies(),
                template=template,
                slot=slot,
                accepted=dict(accepted),
            )
            total += count * getattr(score, name)
        means[answer] = total / sum(references.values())
    return means


@pytest.fixture(scope="module")
def references():
    few = [case for case in load_cases() if case.template in ("air_data", "sediment_data")]
    records = [
        {
            "reference": case.reference,
            "accepted": dict(case.accepted),
            "slices": {"template": case.template, "slot": case.slot},
        }
        for case in few[::3]
    ]
    return Counter(map(reference_key, records))


@pytest.mark.parametrize("name", NAMES)
def test_the_best_constant_is_the_best_of_all_answers(references, name):
    assert any(accepted for _, accepted, _, _ in references)
    slots = {key[3] for key in references}
    answers = {key[0] for key in references} | {
        text
        for template in ("soil_data", "water_data", "sediment_data", "plant_associated_data")
        for slot in slots
        for text in allowed_texts(template, slot)
    }
    means = one_by_one(references, sorted(answers)[::7] + [key[0] for key in references], name)
    found = next(b for b in constant_and_random(references) if name in b.figures)
    assert found.name == "best_constant"
    assert found.figures[name] >= max(means.values()) - 1e-12
    again = one_by_one(references, [found.answer], name)[found.answer]
    assert found.figures[name] == pytest.approx(again, abs=1e-12)


def test_random_is_the_mean_over_what_the_template_allows():
    references = {(TUNDRA, (), "sediment_data", "env_broad_scale"): 3}
    found = constant_and_random(references)[-1]
    assert found.name == "random"
    picks = candidate_texts("sediment_data", "env_broad_scale")
    for name in NAMES:
        means = one_by_one(references, picks, name)
        assert found.figures[name] == pytest.approx(sum(means.values()) / len(picks), abs=1e-12)


def test_counts_weigh():
    soil = ("soil_data", "env_broad_scale")
    often = {(TUNDRA, (), *soil): 9, (FOREST, (), *soil): 1}
    best = next(b for b in constant_and_random(often) if "hierarchical_f1" in b.figures)
    assert best.answer == TUNDRA
    written_out = [TUNDRA] * 9 + [FOREST]
    spread = Counter((reference, (), *soil) for reference in written_out)
    assert constant_and_random(spread) == constant_and_random(often)


def test_a_constant_for_one_slot_still_earns_its_form_in_another():
    references = {
        (TUNDRA, (), "soil_data", "env_broad_scale"): 1,
        ("soil [ENVO:00001998]", (), "soil_data", "env_medium"): 1,
    }
    best = next(b for b in constant_and_random(references) if "ontology_score" in b.figures)
    # 1.0 in its own slot, 0.2 for form and label in the other.
    assert best.figures["ontology_score"] == pytest.approx(0.6, abs=1e-12)


def test_nothing_for_no_references():
    assert constant_and_random({}) == ()
