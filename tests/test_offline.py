"""Nothing needs the network: imports, grounding, scoring and belief, with a home of nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LOOPBACK = ("127.0.0.1", "::1", "localhost")
NAMESPACE = ("unshare", "--map-root-user", "--net")

# Run before anything else is imported. Scoring without a real model opens no socket at all; a
# run of pytest may talk to itself.
GUARD = f"""
import sys
strict = True
def watch(event, arguments):
    if event == "socket.__new__" and strict:
        raise AssertionError(f"a socket was opened: {{arguments}}")
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        if isinstance(address, tuple) and address[0] not in {LOOPBACK!r}:
            raise AssertionError(f"connected to {{address}}")
    if event == "socket.getaddrinfo" and arguments[0] not in {LOOPBACK!r}:
        raise AssertionError(f"looked up {{arguments[0]}}")
sys.addaudithook(watch)
"""
SCORING = """
import curieval, scoring
from curieval import Client, open_grounder, score_statement
from curieval.grounder import quiet_import
for name in (*curieval.__all__, *scoring.__all__):
    getattr(curieval if name in curieval.__all__ else scoring, name)
import evals.ec_number.task, evals.env_triad.task, evals.indra_evidence.task, evals.protein_qa.task
with quiet_import():
    from indra.statements import Agent, Evidence, Phosphorylation
said = []
grounder = open_grounder(progress=said.append)
assert len(said) == 2 and "once" in said[0] and "grounding terms in" in said[1], said
statement = Phosphorylation(Agent("IGF1"), Agent("YBX1"), evidence=[
    Evidence(source_api="reach", text="Insulin phosphorylates YBX1.",
             annotations={"agents": {"raw_text": ["Insulin", "YBX1"]}}),
    Evidence(source_api="sparser", text="IGF1 phosphorylates YB-1.",
             annotations={"agents": {"raw_text": ["IGF1", "YB-1"]}}),
])
for model in ('constant:{"verdict": "correct"}', "reference"):
    scores = score_statement(statement, Client(model), grounder=grounder)
    assert [one.tier for one in scores] == ["grounding", "model"], scores
scores = score_statement(statement, Client('constant:{"verdict": "correct"}'))
rows = [{"source_api": one.source_api, "verdict": score.verdict}
        for one, score in zip(statement.evidence, scores)]
# One sentence of Sparser survives: 1 - syst - rand as INDRA has them.
assert abs(scoring.compose_belief(rows).belief - 0.65) < 1e-12
"""
COMMANDS = """
from curieval.cli import app
def run(*arguments):
    try:
        app(arguments)
    except SystemExit as end:
        assert not end.code, (arguments, end.code)
run("score", "evidence", "statements.json", "--model", 'constant:{"verdict": "correct"}',
    "-o", "scored.jsonl")
run("belief", "statements.json", "--verdicts", "scored.jsonl", "-o", "beliefs.jsonl")
run("contamination")
"""
EVALUATION = f"""
strict = False
import pytest
code = pytest.main([{str(ROOT / "evals" / "indra_evidence")!r}, "--model", "reference", "--limit",
                    "20", "-q", "-p", "no:cacheprovider", "-n", "0", "--cache", "r.sqlite",
                    "--report", "report"])
assert code == 0, code
"""
STATEMENTS = [
    {
        "type": "Phosphorylation",
        "enz": {"name": "IGF1"},
        "sub": {"name": "YBX1"},
        "evidence": [{"source_api": "sparser", "text": "IGF1 phosphorylates YB-1."}],
    }
]


def has_namespaces():
    try:
        return subprocess.run([*NAMESPACE, "true"], capture_output=True).returncode == 0
    except OSError:
        return False


def run(folder, script, *before):
    (folder / "statements.json").write_text(json.dumps(STATEMENTS))
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    environment = kept | {"HOME": str(folder), "PYTHONPATH": str(ROOT)}
    command = [*before, sys.executable, "-c", script]
    ran = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_guard_sees_a_socket(tmp_path):
    with pytest.raises(AssertionError, match="a socket was opened"):
        run(tmp_path, f"{GUARD}\nimport socket\nsocket.socket()")
    with pytest.raises(AssertionError, match="looked up nowhere"):
        run(tmp_path, f"{GUARD}\nimport socket\nsocket.create_connection(('nowhere.test', 80))")


def test_scoring_opens_no_socket_and_needs_no_home(tmp_path):
    run(tmp_path, GUARD + SCORING + COMMANDS + EVALUATION)
    (row,) = (tmp_path / "beliefs.jsonl").read_text().splitlines()
    assert json.loads(row)["belief"] == pytest.approx(0.65, abs=1e-12)


@pytest.mark.skipif(not has_namespaces(), reason="needs the right to open a network namespace")
def test_scoring_works_without_any_network(tmp_path):
    run(tmp_path, SCORING + COMMANDS, *NAMESPACE)
