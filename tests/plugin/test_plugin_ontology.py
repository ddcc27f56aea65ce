"""`--ontology`: answers, references and baselines judged in a release of the user's."""

import gzip
import hashlib

import pytest

from scoring import load_ontology
from tests.cli.running import curieval

TUNDRA, FOREST = "ENVO:01000180", "ENVO:01000174"
ARGUMENTS = ("--model", f"constant:forest biome [{FOREST}]", "--limit", "12")


def write_release(path, *, forest_parent="", tundra="tundra biome", left_out=()):
    """Write ENVO as OBO, with one other parent or label, or without some terms."""
    envo = load_ontology("envo")
    lines = ["data-version: releases/2031-05-06", "ontology: envo"]
    for term in map(envo.term, envo):
        if term.id in left_out:
            continue
        parents = (forest_parent,) if forest_parent and term.id == FOREST else term.parents
        lines += ["", "[Term]", f"id: {term.id}"]
        lines += [f"name: {tundra if term.id == TUNDRA else term.label}"]
        lines += [f"is_a: {parent}" for parent in parents]
        lines += ["is_obsolete: true"] * term.obsolete
    document = "\n".join(lines).encode()
    path.write_bytes(gzip.compress(document))
    return hashlib.sha256(document).hexdigest()


@pytest.fixture
def cases(world):
    """Two cases of tundra."""
    rows = [
        '{"id": "soil-broad-cold-01", "slot": "env_broad_scale", "sampleData": "soil_data", '
        f'"description": "frozen ground", "reference": "tundra biome [{TUNDRA}]"}}',
    ]
    rows.append(rows[0].replace("cold-01", "cold-02").replace("frozen", "icy"))
    path = world.folder / "cases.jsonl"
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize("workers", [0, 2])
def test_answers_are_scored_in_the_release_that_is_named(world, cases, workers):
    # In no release is forest below tundra: only there can the answer be a descendant.
    release = world.folder / "mine.obo.gz"
    sha256 = write_release(release, forest_parent=TUNDRA)
    arguments = (*ARGUMENTS, "--cases", cases)
    ran = world.evals(*arguments, "--ontology", release, workers=workers)
    assert ran.code == 0, ran.output
    found = {record["scores"]["relationship"] for record in ran.records().values()}
    assert found == {"descendant"}
    (envo,) = [each for each in ran.report()["manifest"]["ontologies"] if each["name"] == "envo"]
    assert (envo["release"], envo["sha256"]) == ("2031-05-06", sha256)
    assert "the answer is more specific than the reference" in (
        ran.folder / "report.html"
    ).read_text(encoding="utf-8")
    shipped = world.evals(*arguments, workers=workers)
    found = {record["scores"]["relationship"] for record in shipped.records().values()}
    assert found == {"unrelated"}


def test_references_are_audited_in_the_release_that_is_named(world, cases):
    write_release(world.folder / "mine.obo.gz", left_out=(TUNDRA,))
    release = world.folder / "mine.obo.gz"
    ran = world.evals(*ARGUMENTS, "--cases", cases, "--ontology", release)
    reasons = {record["reason"] for record in ran.records().values()}
    assert reasons == {"suspect_reference"}


def test_the_best_constant_is_that_of_the_release(world, cases):
    write_release(world.folder / "mine.obo.gz", forest_parent=TUNDRA)
    release = world.folder / "mine.obo.gz"
    ran = world.evals(*ARGUMENTS, "--cases", cases, "--ontology", release)
    figures = {figure["name"]: figure for figure in ran.whole()["figures"]}
    assert figures["hierarchical_f1"]["constant"] == 1.0
    assert figures["hierarchical_f1"]["mean"] > 0.6


def test_a_mistake_in_the_ontology_ends_the_run_before_it_asks(world):
    ran = world.evals(*ARGUMENTS, "--ontology", "nowhere.obo")
    assert ran.code == 4
    assert "no ontology 'nowhere.obo'" in ran.output
    assert not ran.folder.exists()
    write_release(world.folder / "mine.obo.gz")
    release = world.folder / "mine.obo.gz"
    ran = world.evals(*ARGUMENTS, "--ontology", release, "--ontology", "envo")
    assert ran.code == 4
    assert "another source holds ENVO already" in ran.output


def test_the_report_is_rebuilt_with_the_same_release(world, cases, monkeypatch):
    write_release(world.folder / "mine.obo.gz", forest_parent=TUNDRA)
    release = world.folder / "mine.obo.gz"
    ran = world.evals(*ARGUMENTS, "--cases", cases, "--ontology", release)
    before = ran.report()["summaries"]
    release.unlink()
    monkeypatch.setenv("XDG_CACHE_HOME", world.environment["XDG_CACHE_HOME"])
    assert curieval("report", ran.folder).code == 0
    assert ran.report()["summaries"] == before
    monkeypatch.setenv("XDG_CACHE_HOME", str(world.folder / "empty"))
    again = curieval("report", ran.folder)
    assert "env_triad without baselines" in again.err
