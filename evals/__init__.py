"""The evaluations: one folder a task, each with its cases, prompt and scores."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curieval.models.types import Task

TASK_HOMES = {
    "ec_number": "evals.ec_number.task:EC_NUMBER",
    "env_triad": "evals.env_triad.task:ENV_TRIAD",
    "indra_belief": "evals.indra_belief.task:INDRA_BELIEF",
    "indra_evidence": "evals.indra_evidence.task:INDRA_EVIDENCE",
    "protein_qa": "evals.protein_qa.task:PROTEIN_QA",
}
# Tasks that take the place of another in a run, and so share the words of its cases' ids.
TARGET_HOMES = {"env_template": "evals.env_triad.sample_data:ENV_TEMPLATE"}
ALL_HOMES = {**TASK_HOMES, **TARGET_HOMES}


def load_task(name: str) -> Task:
    """The task of that name; KeyError where there is none."""
    module, _, attribute = ALL_HOMES[name].partition(":")
    task: Task = getattr(import_module(module), attribute)
    return task
