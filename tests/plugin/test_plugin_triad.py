"""The environmental triad as people run it: baselines, thresholds, and the same for any -n."""

from __future__ import annotations

import pytest
from sklearn.metrics import f1_score

from evals.env_triad.cases import load_cases
from tests.evals import triad_by_hand as by_hand
from tests.plugin.running import World, timeless

TERRESTRIAL = "terrestrial biome [ENVO:00000446]"
FIGURES = ("hierarchical_f1", "hierarchical_precision", "hierarchical_recall", "lin_similarity")
NO_SET = ("host_associated_data", "air_data")


@pytest.fixture(scope="module")
def module_world(tmp_path_factory, bytecode):
    return World(tmp_path_factory.mktemp("triad"), bytecode)


@pytest.fixture(scope="module")
def reference(module_world):
    return module_world.evals("--model", "reference", "--limit", "all", workers=2)


@pytest.fixture(scope="module")
def constant(module_world):
    """The constant answer to all cases by the number of workers."""
    model = f"constant:{TERRESTRIAL}"
    return {
        workers: module_world.evals("--model", model, "--limit", "all", workers=workers)
        for workers in (0, 2, 8)
    }


def test_the_reference_is_worth_all_there_is(reference):
    assert reference.code == 0, reference.output
    cases = load_cases()
    records = reference.records()
    assert {record["case"] for record in records.values()} == {case.id for case in cases}
    for record in records.values():
        scores = record["scores"]
        assert record["state"] == "scored"
        assert [scores[name] for name in FIGURES] == [1.0] * 4
        full = 0.85 if record["slices"]["template"] in NO_SET else 1.0
        assert scores["ontology_score"] == pytest.approx(full, abs=1e-9)
    whole = reference.whole()
    assert whole["case_set"] == "all"
    assert [f["mean"] for f in whole["figures"] if f["name"] in FIGURES] == [1.0] * 4
    assert reference.tallies() == {
        "planned": len(cases), "scored": len(cases), "unscored": 0, "not_run": 0
    }  # fmt: skip


def test_a_constant_answer_reaches_the_means_of_the_formula(constant):
    ran = constant[2]
    assert ran.code == 0, ran.output
    cases = load_cases()
    f1 = [by_hand.hierarchical_f1(TERRESTRIAL, c.reference, c.slot, c.accepted) for c in cases]
    compatible = [
        by_hand.ontology_score(TERRESTRIAL, c.reference, c.template, c.slot) for c in cases
    ]
    means = {figure["name"]: figure["mean"] for figure in ran.whole()["figures"]}
    assert means["hierarchical_f1"] == pytest.approx(sum(f1) / len(f1), abs=1e-9)
    assert means["ontology_score"] == pytest.approx(sum(compatible) / len(cases), abs=1e-9)
    assert 0 < means["hierarchical_f1"] < 0.5


def test_a_threshold_above_the_mean_gives_one_and_says_what_fell_short(module_world, constant):
    mean = next(f["mean"] for f in constant[0].whole()["figures"] if f["primary"])
    gates = module_world.folder / "above.toml"
    name = f"constant:{TERRESTRIAL}"
    gates.write_text(
        f'[["{name}".env_triad]]\nfigure = "hierarchical_f1"\nmin = {mean + 0.01:.4f}\n'
        f'[["{name}".env_triad]]\nfigure = "hierarchical_f1"\nmin = {mean - 0.01:.4f}\n'
    )
    ran = module_world.evals("--model", name, "--limit", "all", "--thresholds", gates)
    assert ran.code == 1, ran.output
    assert "FELL SHORT of 1 of 2 thresholds" in ran.output
    assert f"hierarchical_f1 mean ≥ {mean + 0.01:.4f}".rstrip("0") in ran.output
    assert f"{mean:.3f}" in ran.output
    assert [gate["state"] for gate in ran.report()["gates"]] == ["failed", "passed"]


@pytest.mark.parametrize("workers", [2, 8])
def test_any_number_of_workers_gives_the_same(constant, workers):
    alone, together = constant[0], constant[workers]
    first, second = alone.records(), together.records()
    assert set(first) == set(second)
    for key, record in first.items():
        assert timeless(record) == timeless(second[key])
    assert summaries(alone) == summaries(together)
    tasks = [run.lines("run")[0]["manifest"]["tasks"]["env_triad"] for run in (alone, together)]
    assert tasks[0] == tasks[1]
    plans = [run.lines("plan")[0]["items"] for run in (alone, together)]
    assert plans[0] == plans[1]


def test_random_answers_are_the_same_each_time(module_world):
    options = ("--model", "random", "--limit", "60")
    alone = module_world.evals(*options)
    together = module_world.evals(*options, workers=2)
    assert {k: timeless(r) for k, r in alone.records().items()} == {
        k: timeless(r) for k, r in together.records().items()
    }
    assert len({record["reply"]["text"] for record in alone.records().values()}) > 20
    assert alone.whole()["case_set"] == "partial"


def summaries(ran):
    """The summaries without what they took."""
    return [{**s, "seconds": None} for s in ran.report()["summaries"]]


def test_the_output_says_who_answers_what_and_where_the_report_is(reference):
    assert "curieval: reference answers; the cases go to this process" in reference.output
    assert {gate["state"] for gate in reference.report()["gates"]} == {"passed"}
    assert f"{reference.folder}/report.html (exit code 0)" in reference.output
    for name in ("records.jsonl", "report.json", "report.html", "scores.tsv"):
        assert (reference.folder / name).stat().st_size > 0


def test_one_slot_alone(module_world):
    ran = module_world.evals("--model", "reference", "--slot", "env_medium", "--limit", "all")
    assert ran.code == 0, ran.output
    assert {record["slices"]["slot"] for record in ran.records().values()} == {"env_medium"}
    assert {record["case"] for record in ran.records().values()} == {
        case.id for case in load_cases() if case.slot == "env_medium"
    }


@pytest.mark.parametrize("workers", [0, 2])
def test_a_slot_that_no_case_asks_for_is_an_error(module_world, workers):
    ran = module_world.evals("--model", "reference", "--slot", "env_braod", workers=workers)
    assert ran.code == 4, ran.output
    assert "--slot env_braod: no case asks for that slot; there are env_broad_scale" in ran.output


def test_the_template_is_classified_by_any_number_of_workers(module_world):
    options = ("--slot", "sampleData", "--model", "random", "--limit", "all")
    alone, together = (module_world.evals(*options, workers=n) for n in (0, 2))
    assert alone.code == together.code == 0, alone.output
    assert {k: timeless(r) for k, r in alone.records().items()} == {
        k: timeless(r) for k, r in together.records().items()
    }
    whole = alone.whole("env_template")
    truths = [record["scores"]["truth_class"] for record in alone.records().values()]
    answers = [record["scores"]["pred_class"] for record in alone.records().values()]
    means = {figure["name"]: figure["mean"] for figure in whole["figures"]}
    hits = sum(a == b for a, b in zip(truths, answers, strict=True))
    assert means["exact_match"] == pytest.approx(hits / len(truths))
    expected = f1_score(truths, answers, labels=sorted(set(truths)), average="macro")
    assert means["macro_f1"] == pytest.approx(expected)
    slices = [s["slice"] for s in alone.report()["summaries"] if "template" in s["slice"]]
    assert {each["template"] for each in slices} == set(truths)
