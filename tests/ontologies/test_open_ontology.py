"""open_ontology: each form gives the same facts, once read they are kept, errors say why."""

import gzip
import hashlib
import http.server
import json
import os
import subprocess
import sys
import threading
import time
from functools import partial

import pytest

from benchmarks.oak_database import write_semsql
from curieval.models.errors import ConfigError
from curieval.ontologies import open_ontology
from scoring import load_ontology


def test_shipped_facts_by_name():
    assert open_ontology("envo") is load_ontology("envo")


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("form", ["obo", "json"])
def test_files(form, zipped, tmp_path, toy, same, obo, obograph):
    document = (obo if form == "obo" else json.dumps(obograph)).encode()
    path = tmp_path / f"toy.{form}{'.gz' if zipped else ''}"
    path.write_bytes(gzip.compress(document) if zipped else document)
    opened = open_ontology(path, cache=tmp_path / "cache")
    same(opened, toy)
    assert opened.sha256 == hashlib.sha256(document).hexdigest()


def test_what_was_opened_once_is_read_from_the_cache(tmp_path, toy, same, obo):
    path, cache = tmp_path / "toy.obo", tmp_path / "cache"
    path.write_text(obo, encoding="utf-8")
    open_ontology(path, cache=cache)
    (kept,) = cache.iterdir()
    facts = gzip.decompress(kept.read_bytes()).decode()
    kept.write_bytes(gzip.compress(facts.replace("crater lake", "from the cache").encode()))
    assert open_ontology(path, cache=cache).label("ENVO:00000003") == "from the cache"
    kept.write_bytes(b"broken")
    same(open_ontology(path, cache=cache), toy)
    assert gzip.decompress(kept.read_bytes()).decode() == facts


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, toy, same, obo):
    path, blocked = tmp_path / "toy.obo", tmp_path / "file"
    path.write_text(obo, encoding="utf-8")
    blocked.write_text("no folder")
    same(open_ontology(path, cache=blocked / "cache"), toy)


def test_simpleobo_selector(tmp_path, toy, same, obo):
    path = tmp_path / "toy.obo"
    path.write_text(obo, encoding="utf-8")
    same(open_ontology(f"simpleobo:{path}", cache=tmp_path / "cache"), toy)


def test_sqlite_selector_reads_through_oaklib_once(tmp_path, toy, same):
    path, cache = tmp_path / "toy.db", tmp_path / "cache"
    write_semsql(toy, path)
    opened = open_ontology(f"sqlite:{path}", cache=cache)
    same(opened, toy)
    assert opened.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    script = (
        "import sys\nfrom curieval.ontologies import open_ontology\nfrom pathlib import Path\n"
        f"ontology = open_ontology('sqlite:{path}', cache=Path({str(cache)!r}))\n"
        "assert ontology.label('ENVO:00000002') == 'lake'\n"
        "assert 'oaklib' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)


@pytest.fixture
def served(tmp_path):
    """A folder and the address it is served at; `stop` takes the server away."""
    folder = tmp_path / "served"
    folder.mkdir()
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()

    def stop():
        server.shutdown()
        server.server_close()

    yield folder, f"http://127.0.0.1:{server.server_port}", stop
    stop()


def test_an_address_is_downloaded_once(served, tmp_path, toy, same, obo):
    folder, address, stop = served
    (folder / "toy.obo.gz").write_bytes(gzip.compress(obo.encode()))
    source, cache = f"{address}/toy.obo.gz", tmp_path / "cache"
    same(open_ontology(source, cache=cache), toy)
    with pytest.raises(ConfigError, match="cannot be downloaded"):
        open_ontology(f"{address}/none.obo", cache=cache)
    stop()
    same(open_ontology(source, cache=cache), toy)
    with pytest.raises(ConfigError, match="give the path of a file instead"):
        open_ontology(source, cache=cache, refresh=True)


OPEN_OBO = """
import sys
from pathlib import Path
from curieval.ontologies import open_ontology
ontology = open_ontology("sqlite:obo:toy", cache=Path(sys.argv[1]))
print(ontology.name, ontology.release, len(ontology), ontology.label("ENVO:00000002"))
"""


def test_a_database_of_oaklibs_is_used_for_good(served, tmp_path, toy):
    folder, address, stop = served
    write_semsql(toy, tmp_path / "toy.db")
    (folder / "toy.db.gz").write_bytes(gzip.compress((tmp_path / "toy.db").read_bytes()))
    environment = {
        **os.environ,
        "PYSTOW_HOME": str(tmp_path / "pystow"),
        "OAKLIB_SEMSQL_SQLITE_URL_BASE": address,
    }

    def opened(cache):
        return subprocess.run(
            [sys.executable, "-c", OPEN_OBO, str(tmp_path / cache)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )

    first = opened("cache")
    assert first.stdout.strip() == "toy 2031-02-03 5 lake", first.stderr
    stop()
    (kept,) = (tmp_path / "pystow").rglob("toy.db")
    long_ago = time.time() - 90 * 24 * 3600
    os.utime(kept, (long_ago, long_ago))
    assert opened("another").stdout == first.stdout


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("toy.obo", b"[Term]\nname: nameless\n", "toy.obo: line 1: a .Term. without an id"),
        ("toy.obo", b"hello", "no .Term. stanza found: is this an OBO file"),
        ("toy.obo", b"[Term]\nid: A:1\n\xff", "byte 15 is not UTF-8"),
        ("toy.obo.gz", b"\x1f\x8b broken", "cannot be read as an ontology file"),
        ("toy.json", b'{"graphs": ', "toy.json: Expecting value"),
        ("toy.json", b'{"nodes": []}', "is this an OBO-Graph document"),
        ("toy.json", b'{"graphs": [{"nodes": []}]}', "no class among the nodes"),
        ("toy.json", b'{"graphs": [3]}', "toy.json: "),
        ("toy.owl", b"<rdf:RDF/>", "convert it to OBO or OBO-Graph"),
        (
            "toy.obo",
            b"[Term]\nid: A:1\n\n[Term]\nid: A:1\n",
            "the id A:1 is stated twice",
        ),
    ],
)
def test_files_that_cannot_be_read(name, content, message, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        open_ontology(path, cache=tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("nowhere.obo", "no ontology 'nowhere.obo': there is no such file; give envo, po"),
        ("sqlite:nowhere.db", "sqlite:nowhere.db: there is no file nowhere.db"),
        ("sqlite:nowhere.db.gz", "there is no file"),
        ("nonsense:thing", "nonsense:thing: oaklib cannot open it"),
    ],
)
def test_sources_that_are_not_there(source, message, tmp_path):
    with pytest.raises(ConfigError, match=message):
        open_ontology(source, cache=tmp_path)
