"""The template as a target of the triad's cases: reading, prompt, baselines, and whole runs."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curieval.models.types import CaseFileError
from evals.env_triad.cases import SLOTS, load_cases
from evals.env_triad.sample_data import (
    ENV_TEMPLATE,
    build_template_request,
    load_template_cases,
    sample,
    template_baselines,
)
from evals.env_triad.templates import TEMPLATES, read_template, score_template

CASES = load_template_cases()
WHOLE = {case.id: case for case in load_cases()}


def test_templates_are_those_of_the_schema_whose_samples_have_the_triad():
    name = "project/jsonschema/nmdc_submission_schema.schema.json"
    schema = json.loads(files("nmdc_submission_schema").joinpath(name).read_text(encoding="utf-8"))
    having = []
    for template, about in schema["properties"].items():
        tab = schema["$defs"][about["items"]["$ref"].rpartition("/")[2]]
        if set(SLOTS) <= set(tab["properties"]):
            having.append(template)
    assert sorted(having) == list(TEMPLATES)


@pytest.mark.parametrize(
    ("text", "value", "reason"),
    [
        ("soil_data", "soil_data", ""),
        ("Soil_Data", "soil_data", "other_form"),
        (" `soil_data`.", "soil_data", "other_form"),
        ("**plant-associated data**", "plant_associated_data", "other_form"),
        ("built env", "built_env_data", "other_form"),
        ("sampleData: water_data", "water_data", "other_form"),
        ('{"answer": "air_data"}', "air_data", "other_form"),
        ("```json\n{\"sampleData\": \"air_data\"}\n```", "air_data", "other_form"),
        ("ｓｏｉｌ＿ｄａｔａ", "soil_data", "other_form"),
        ("<think>water_data or soil_data?</think>\nsoil_data", "soil_data", "other_form"),
        ("The template is sediment_data because of the core.", "sediment_data", "in_text"),
        ("I'm not sure, but soil_data.", "soil_data", "in_text"),
        ("It is water_data, not sediment_data.", "water_data", "in_text"),
        ("soil_data or sediment_data", None, "several_answers"),
        ("This is not soil_data", None, "denied"),
        ("The soil was dry", None, "no_answer"),
        ("subsoil_data", None, "no_answer"),
        ("I cannot tell.", None, "no_answer"),
        ("", None, "no_answer"),
    ],
)  # fmt: skip
def test_answers_are_read_as_people_write_them(text, value, reason):
    assert read_template(text) == (value, reason)


@given(st.text(max_size=300))
def test_any_text_is_read_or_has_a_reason(text):
    value, reason = read_template(text)
    assert value in TEMPLATES or (value is None and reason)


@given(st.sampled_from(TEMPLATES), st.sampled_from(["", "`", '"', "**", "<b>", " ", "\n"]))
def test_every_template_reads_back_through_wrapping(name, around):
    assert read_template(f"{around}{name}{around.replace('<', '</')}")[0] == name


@pytest.mark.parametrize("filling", ["_", " ", "[", "soil_", "not soil_data ", "<think>", "\n"])
def test_a_megabyte_of_anything_is_read(filling):
    read_template((filling * 1_000_000)[:1_000_000])


def test_the_template_stays_out_of_the_prompt_and_its_slot_goes_in():
    assert len(CASES) == len(WHOLE)
    for case in CASES:
        source = WHOLE[case.id.removeprefix("template-")]
        shown = dict(case.shown)
        assert len(shown) == 9
        assert "sampleData" not in shown
        assert shown[source.slot] == source.reference
        assert case.reference == source.template
        own = build_template_request(case).messages[-1].content
        assert not any(name in own.lower() for name in TEMPLATES)


def test_what_cases_share_is_the_same_to_the_byte_and_lists_every_template():
    heads = {build_template_request(case).messages[:-1] for case in CASES}
    assert len(heads) == 1
    system = next(iter(heads))[0].content
    assert system.endswith("\n".join(TEMPLATES))


def test_ids_differ_from_those_of_the_triad_and_one_sample_spreads_over_templates():
    ids = [case.id for case in CASES]
    assert len(set(ids)) == len(ids)
    assert not set(ids) & set(WHOLE)
    counts = Counter(case.reference for case in sample(CASES))
    assert set(counts) == {case.reference for case in CASES}
    assert max(counts.values()) - min(counts.values()) <= 1


def records(truths):
    return [{"scores": score_template("", truth).as_row()} for truth in truths]


def test_baselines_are_what_the_answers_reach():
    from sklearn.metrics import f1_score

    truths = ["soil_data"] * 5 + ["water_data"] * 3 + ["air_data"]
    constant, picks = template_baselines(records(truths))
    assert constant.answer == "soil_data"
    assert constant.figures["exact_match"] == pytest.approx(5 / 9)
    for answer in TEMPLATES:
        given_always = f1_score(
            truths, [answer] * 9, average="macro", labels=sorted(set(truths)), zero_division=0
        )
        assert given_always <= constant.figures["macro_f1"] + 1e-12
    reached = f1_score(truths, ["soil_data"] * 9, average="macro", zero_division=0)
    assert constant.figures["macro_f1"] == pytest.approx(reached)
    # Every reference is answered once by each template: the expected counts, nine times.
    spread = [(truth, answer) for truth in truths for answer in TEMPLATES]
    expected = f1_score(
        *zip(*spread, strict=True), average="macro", labels=sorted(set(truths)), zero_division=0
    )
    assert picks.figures["macro_f1"] == pytest.approx(expected)
    assert picks.figures["exact_match"] == pytest.approx(1 / 9)


def test_no_macro_f1_of_one_template_and_nothing_of_no_records():
    constant, picks = template_baselines(records(["soil_data"] * 3))
    assert "macro_f1" not in constant.figures
    assert "macro_f1" not in picks.figures
    assert template_baselines([]) == ()


ROW = {
    "id": "s-1",
    "slot": "env_medium",
    "sampleData": "Soil",
    "reference": "soil [ENVO:00001998]",
}


@pytest.mark.parametrize(
    ("change", "reference", "why"),
    [
        ({}, "soil_data", None),
        ({"slot": "sampleData", "reference": "water_data"}, "water_data", None),
        ({"sampleData": "moon"}, "moon", "unknown_template: 'moon' is none of air_data"),
    ],
)
def test_references_are_checked_like_answers(tmp_path, change, reference, why):
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(ROW | change))
    (case,) = load_template_cases(path)
    assert case.reference == reference
    found = ENV_TEMPLATE.suspect(case)
    assert found == why or found.startswith(why)


def test_cases_that_ask_for_the_template_need_the_option(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(ROW | {"slot": "sampleData"}))
    with pytest.raises(CaseFileError, match=r"mine\.jsonl:1, field 'slot': .*--slot sampleData"):
        load_cases(path)
