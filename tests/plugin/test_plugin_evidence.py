"""Evidence as people run it: what the examples of the prompt give away is not asked."""

import json

from scoring import example_bank
from tests.plugin.running import ROOT

SITE = next(pair for pair in example_bank() if pair.id == "phos-site")


def write_cases(path):
    rows = [
        {"id": "clean", "text": "ABCC9 was pulled down with KCNJ8.", "agents": ["ABCC9", "KCNJ8"],
         "type": "Complex", "tag": "correct"},
        {"id": "shown", "text": f"{SITE.correct.rstrip('.')}, as before.",
         "agents": ["ABCC9", "KCNJ8"], "type": "Phosphorylation", "tag": "correct"},
        {"id": "paired", "text": "NDR2 was seen beside Rabin8.", "agents": list(SITE.agents),
         "type": "Phosphorylation", "tag": "no_relation"},
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_contaminated_cases_of_a_file_are_refused_at_collection(world):
    cases = write_cases(world.folder / "mine.jsonl")
    home = ROOT / "evals" / "indra_evidence"
    ran = world.run(home, "--cases", cases, "--model", "reference", "-rs", cwd=ROOT)
    assert ran.code == 0, ran.output
    assert ran.tallies() == {"planned": 3, "scored": 1, "unscored": 2, "not_run": 0}
    told = {record["case"]: record["detail"] for record in ran.records().values()}
    assert "substring match with example phos-site-correct" in told["shown"]
    assert "pair match with example phos-site-correct" in told["paired"]
    assert "mine.jsonl:2: the prompt's examples give it away" in ran.output
    assert "2 references are suspect and were not asked" in ran.output
