"""The authored cases keep to their data card and never give the answer away."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter

import pytest

from curieval.models.types import CaseFileError
from evals.env_triad.cases import (
    CASE_FOLDER,
    SLOTS,
    TEMPLATE_WORDS,
    load_cases,
)
from evals.env_triad.prompt import EXAMPLE
from evals.env_triad.task import ENV_TRIAD, SAMPLE_SIZE, suspect
from tests.evals.triad_by_hand import allowed, read

CASES = load_cases()
ID = re.compile(r"(?P<template>[a-z]+)-(?P<slot>[a-z]+)-(?P<group>[a-z]+)-\d\d")
NO_SET = {"host_associated_data", "air_data"}


def test_there_are_enough_cases_of_each_slot_and_template():
    slots = Counter(case.slot for case in CASES)
    assert slots["env_broad_scale"] >= 60
    assert slots["env_local_scale"] >= 45
    assert slots["env_medium"] >= 45
    values = Counter(case.reference for case in CASES if case.slot == "env_broad_scale")
    assert sum(count >= 6 for count in values.values()) >= 10
    assert set(TEMPLATE_WORDS) == {case.template for case in CASES}
    for template in TEMPLATE_WORDS:
        sets = [allowed(template, slot) for slot in SLOTS]
        assert all(values is None for values in sets) == (template in NO_SET)


def test_every_reference_passes_the_audit_and_is_allowed():
    assert {case.id: why for case in CASES if (why := suspect(case))} == {}
    for case in CASES:
        values = allowed(case.template, case.slot)
        assert values is None or read(case.reference)[1] in values, case.id


def test_nothing_shown_holds_the_answer():
    for case in CASES:
        label, curie = read(case.reference)
        text = " ".join(value for _, value in case.shown)
        assert curie not in text, case.id
        whole = re.compile(rf"\b{re.escape(label.lower())}\b")
        bare = re.sub(r"\[\w+:\d+\]", "", text.lower())
        assert not whole.search(bare), f"{case.id} shows {label!r}"


def test_what_is_shown_leaves_out_the_asked_slot_and_every_ecosystem_path():
    for case in CASES:
        names = [name for name, _ in case.shown]
        assert case.slot not in names
        assert len(names) == 9
        assert not any("ecosystem_" in name.lower() for name in names)


def test_ids_say_template_slot_and_group():
    for case in CASES:
        parts = ID.fullmatch(case.id)
        assert parts, case.id
        assert parts["template"] == TEMPLATE_WORDS[case.template]
        assert parts["slot"] == case.slot.split("_")[1]
        assert parts["group"] == case.slices["group"]


def test_a_group_is_one_value():
    for slot in SLOTS:
        groups = {(c.slices["group"], c.reference) for c in CASES if c.slot == slot}
        names = Counter(group for group, _ in groups)
        assert not [name for name, count in names.items() if count > 1]


def test_the_worked_example_helps_with_no_case():
    answers = {EXAMPLE[slot] for slot in SLOTS}
    references = {case.reference for case in CASES} | {t for c in CASES for t, _ in c.accepted}
    assert not answers & references
    assert EXAMPLE["sampleData"] not in TEMPLATE_WORDS


def test_what_cases_share_stands_first_and_is_the_same_to_the_byte():
    shared = {}
    for case in CASES:
        *head, own = ENV_TRIAD.request(case).messages
        shared.setdefault((case.template, case.slot), set()).add(tuple(head))
        assert [line.split(": ")[0].rstrip(":") for line in own.content.split("\n")] == [
            name for name, _ in case.shown
        ]
    assert all(len(heads) == 1 for heads in shared.values())
    for (template, slot), (head,) in shared.items():
        system = head[0].content.split("\n")
        listed = [line for line in system if re.search(r"\[\w+:\d+\]$", line)]
        curies = [read(line)[1] for line in listed]
        assert set(curies) == set(allowed(template, slot) or ())
        assert listed == sorted(listed)
        assert slot in head[0].content


def test_cases_of_one_prompt_run_next_to_each_other():
    prompts = [(case.slot, case.template) for case in CASES]
    changes = sum(a != b for a, b in itertools.pairwise(prompts))
    assert changes + 1 == len(set(prompts))


def test_the_sample_is_spread_over_all_slots_and_templates():
    sample = ENV_TRIAD.sample(CASES)
    assert len(sample) == SAMPLE_SIZE
    assert {case.slot for case in sample} == set(SLOTS)
    assert {case.template for case in sample} == set(TEMPLATE_WORDS)
    assert list(sample) == [case for case in CASES if case in sample]


def rows(slot):
    text = (CASE_FOLDER / f"{slot}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("slot", SLOTS)
def test_every_row_says_why_and_how_hard(slot):
    for row in rows(slot):
        assert row["why"], row["id"]
        assert row["difficulty"] in {"easy", "hard"}, row["id"]
        assert len(row["description"]) <= 500, row["id"]


@pytest.mark.parametrize("line", [2, 3])
@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"slot": "env_broad"}, "field 'slot'"),
        ({"reference": ""}, "field 'reference'"),
        ({"colour": "green"}, "field 'colour'"),
        ({"accepted": {"x": "much"}}, "field 'accepted.x'"),
    ],
    ids=["slot", "reference", "stranger", "weight"],
)
def test_a_malformed_row_is_named_by_file_line_and_field(tmp_path, change, named, line):
    good = rows("env_medium")[:3]
    good[line - 1].update(change)
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, good)), encoding="utf-8")
    with pytest.raises(CaseFileError, match=rf"mine\.jsonl:{line}: {re.escape(named)}"):
        load_cases(path)
