"""The offline term set: the probes, what it must know, and that no network or home is needed."""

import csv
import gzip
import os
import subprocess
import sys
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from curieval.grounder import GroundingError, open_grounder, quiet_import
from curieval.grounding_terms import famplex_families, shipped_terms
from scoring import check_grounding

PROBES = Path(__file__).parents[1] / "vectors" / "grounding_probes.tsv"

# ROS is curated as the gene ROS1 and as reactive oxygen species; the two tie.
MISSED = {"ROS"}

ALONE = """
import socket, sys
def blocked(*args, **kwargs):
    raise AssertionError(f"a socket was asked for: {args}")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = blocked
import logging
from curieval.grounder import open_grounder
from scoring import check_grounding
said = []
grounder = open_grounder(progress=said.append)
found = check_grounding("MAPK1", "ERK2", "ERK2 is on.", grounder=grounder,
                        families=grounder.families)
assert found.status == "MATCH", found
assert len(said) == 2 and "445" not in said[0], said
assert grounder.identity["name"] == "shipped", grounder.identity
assert not logging.getLogger().handlers, logging.getLogger().handlers
again = open_grounder(progress=said.append)
assert len(said) == 2 and again.identity == grounder.identity
"""


@pytest.fixture(scope="session")
def grounder():
    return open_grounder("shipped")


def curie(match):
    id = match.term.id
    return id if id.startswith(f"{match.term.db}:") else f"{match.term.db}:{id}"


def test_the_probes_that_a_curator_answered(grounder):
    with PROBES.open(encoding="utf-8", newline="") as file:
        probes = list(csv.DictReader(file, delimiter="\t"))
    missed = set()
    for probe in probes:
        matches = grounder.ground(probe["text"])
        if (curie(matches[0]) if matches else "") != probe["curie"]:
            missed.add(probe["text"])
    assert len(probes) == 76
    assert len(probes) - len(missed) >= 70
    assert missed == MISSED


def test_two_genes_that_share_words_of_their_names_never_match(grounder):
    by_words = {}
    for row in shipped_terms():
        if row.db == "HGNC" and row.status == "name" and row.text != row.name:
            words = row.text.replace(",", "").split()
            for pair in combinations(sorted(set(words)), 3):
                by_words.setdefault(pair, {})[row.name] = row.text
    pairs = []
    for words in sorted(by_words)[::400]:
        genes = sorted(by_words[words].items())
        pairs += list(pairwise(genes))[:3]
    assert len(pairs) > 200
    for (symbol, _), (other, long_name) in pairs[:400]:
        found = check_grounding(
            symbol, long_name, long_name, grounder=grounder, families=grounder.families
        )
        assert found.status != "MATCH", (symbol, other, long_name)


def test_a_gene_matches_its_own_names(grounder):
    for row in shipped_terms()[:40_000:100]:
        found = check_grounding(
            row.name, row.text, row.text, grounder=grounder, families=grounder.families
        )
        assert found.status in ("MATCH", "AMBIGUOUS", None), row
        assert not (found.auto_reject and found.status == "MISMATCH")


def test_texts_are_normalized_as_gilda_does(grounder):
    with quiet_import():
        from gilda.process import normalize
    for row in shipped_terms()[::200]:
        assert row in grounder._store.rows(normalize(row.text))


def test_families_are_famplex():
    families = famplex_families()
    assert families["ERK"] == ("MAPK1", "MAPK3")
    assert "ERK" in families["MAPK"]
    assert "PRKAA1" in {member for part in families["AMPK"] for member in families.get(part, ())}


def test_names_of_an_entity(grounder):
    assert {"TP53", "p53", "tumor protein p53"} <= set(grounder.get_names("HGNC", "11998"))
    assert grounder.get_names("HGNC", "0") == ()


def test_the_first_run_needs_no_network_and_no_home(tmp_path):
    environment = os.environ | {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment = {name: value for name, value in environment.items() if "PYSTOW" not in name}
    subprocess.run([sys.executable, "-c", ALONE], check=True, env=environment, timeout=600)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder that none may write")
def test_a_home_that_cannot_be_written_is_no_error(grounder):
    script = (
        "from curieval.grounder import open_grounder\n"
        "assert not open_grounder('shipped').ground('a text that none has asked for ' * 2)\n"
    )
    cache = grounder._store.path.parents[2]
    environment = {name: value for name, value in os.environ.items() if "PYSTOW" not in name}
    environment |= {"HOME": "/proc/nobody", "XDG_CACHE_HOME": str(cache)}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment, timeout=600)


def test_a_user_without_official_terms_is_told_how_to_get_them(monkeypatch, tmp_path):
    monkeypatch.setenv("PYSTOW_HOME", str(tmp_path))
    with pytest.raises(GroundingError, match=r"run `python -m gilda\.resources`"):
        open_grounder("official", folder=tmp_path)


def test_official_terms_go_first_and_a_small_set_is_refused(monkeypatch, tmp_path):
    from importlib.metadata import version

    official = tmp_path / "gilda" / version("gilda") / "grounding_terms.tsv.gz"
    official.parent.mkdir(parents=True)
    row = ["tp53", "TP53", "HGNC", "11998", "TP53", "name", "hgnc", "9606", "", ""]
    with gzip.open(official, "wt", encoding="utf-8") as file:
        file.write("\t".join(["norm_text", *["x"] * 9]) + "\n" + "\t".join(row) + "\n")
    monkeypatch.setenv("PYSTOW_HOME", str(tmp_path))
    with pytest.raises(GroundingError, match="holds 1 texts, expected at least 100000"):
        open_grounder(folder=tmp_path / "cache", progress=lambda line: None)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"not gzip", "cannot be read as gilda's grounding terms"), (None, "no file of grounding")],
)
def test_a_terms_file_that_cannot_be_read_is_named(tmp_path, content, message):
    path = tmp_path / "terms.tsv.gz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(GroundingError, match=message):
        open_grounder(path, folder=tmp_path / "cache", progress=lambda line: None)
    assert not list(tmp_path.glob("cache/*.sqlite"))


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(GroundingError, match="the term set cannot be written to"):
        open_grounder("shipped", folder=tmp_path / "file" / "folder")
