"""The words of case ids: `-k WORD` must take what it says and nothing else."""

from __future__ import annotations

import re

import pytest

from curieval.models import slug_for
from evals import TASK_HOMES, load_task
from tests.plugin.running import ROOT

OWN_MODELS = ("embedded", "reference", "random", "constant:x", "lexical", "claude-sonnet-5-5")
MODELS_NAMED_BADLY = ("mistral-medium-3", "local-air", "soiled/water", "broadcast")
# What pytest matches beside the id: folders, modules, functions, and the marks of an item.
MARKS = ("evaluation", "parametrize", "skip", "usefixtures")


@pytest.fixture(scope="module")
def words():
    """Each word of an id, and the tasks whose ids hold it."""
    found = {}
    for name in TASK_HOMES:
        for case in load_task(name).load_cases(None):
            for word in re.split(r"[^a-z0-9]+", case.id):
                if not word.isdigit():
                    found.setdefault(word, set()).add(name)
    return found


def names_beside():
    paths = list((ROOT / "evals").rglob("test_*.py"))
    folders = {part for path in paths for part in path.relative_to(ROOT).parts}
    functions = {f"test_{name}" for name in TASK_HOMES}
    return folders | functions | set(MARKS) | {slug_for(name) for name in OWN_MODELS}


def test_no_word_holds_another(words):
    assert [(a, b) for a in words for b in words if a != b and a in b] == []


def test_no_word_stands_in_a_name_that_k_matches_too(words):
    assert [(w, name) for w in words for name in names_beside() if w in name or name in w] == []


def test_a_word_is_one_tasks_own(words):
    assert {word: tasks for word, tasks in words.items() if len(tasks) > 1} == {}


def test_the_words_that_a_task_names_are_in_its_ids(words):
    for name in TASK_HOMES:
        task = load_task(name)
        own = {word for word, tasks in words.items() if name in tasks}
        assert {part for word in task.words for part in word.split("-")} <= own


@pytest.mark.parametrize("model", MODELS_NAMED_BADLY)
def test_no_models_slug_holds_a_word_of_the_triads_slots_and_templates(model):
    words = load_task("env_triad").words
    assert [word for word in words if word in slug_for(model)] == []


def test_ids_are_short_plain_and_unique_over_all_tasks():
    ids = [case.id for name in TASK_HOMES for case in load_task(name).load_cases(None)]
    assert len(ids) == len(set(ids))
    assert [i for i in ids if not re.fullmatch(r"[a-z0-9][a-z0-9.-]{2,47}", i)] == []
