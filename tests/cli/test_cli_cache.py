"""`curieval cache`: counted, pruned, handed on."""

import pytest

from curieval.models.cache import ReplyCache, default_cache_path
from curieval.models.types import Reply
from tests.cli.running import curieval, refused

pytestmark = pytest.mark.usefixtures("own_world")


@pytest.fixture
def filled(tmp_path):
    path = tmp_path / "replies.sqlite"
    cache = ReplyCache(path)
    for number in range(3):
        cache.put(f"a{number}", Reply(text="x", finish="stop", cost_usd=0.5), model="alpha")
    cache.put("b0", Reply(text="y", finish="length"), model="beta")
    cache.close()
    return path


def test_stats(filled):
    found = curieval("cache", "stats", "--cache", filled, "--json").json
    assert (found["replies"], found["path"]) == (4, str(filled))
    assert [(m["model"], m["replies"], m["cost_usd"]) for m in found["models"]] == [
        ("alpha", 3, 1.5),
        ("beta", 1, 0.0),
    ]
    text = curieval("cache", "stats", "--cache", filled).out
    assert "4 replies" in text
    assert "alpha: 3 replies, $1.5000 when asked" in text


def test_prune(filled):
    assert curieval("cache", "prune", "--cache", filled, "--model", "beta").out.startswith("1 ")
    assert curieval("cache", "prune", "--cache", filled, "--older-than-days", "1").out == (
        "0 replies forgotten\n"
    )
    assert curieval("cache", "stats", "--cache", filled, "--json").json["replies"] == 3


def test_what_is_exported_comes_in_elsewhere(filled, tmp_path):
    out = tmp_path / "out.jsonl"
    assert curieval("cache", "export", out, "--cache", filled).out == f"4 replies in {out}\n"
    ran = curieval("cache", "import", out)
    assert ran.out == f"4 new replies in {default_cache_path()}\n"
    assert curieval("cache", "import", out).out.startswith("0 new")
    assert curieval("cache", "stats", "--json").json["replies"] == 4


def test_the_cache_may_be_named_by_the_environment(filled, monkeypatch):
    monkeypatch.setenv("CURIEVAL_CACHE", str(filled))
    assert curieval("cache", "stats", "--json").json["replies"] == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["stats", "--cache", "none.sqlite"], "there is no reply cache none.sqlite"),
        (["stats"], "there is no reply cache"),
        (["import", "none.jsonl"], "none.jsonl cannot be read"),
        (["prune"], "say what to forget: --model, --older-than-days, or both"),
        (["prune", "--older-than-days", "-1"], "a number of days from 0"),
        (["prune", "--older-than-days", "nan"], "a number of days from 0"),
        (["export"], "Missing argument 'FILE'"),
    ],
)
def test_mistakes_give_one_line(words, message):
    assert message in refused("cache", *words)


def test_a_file_that_is_no_export_changes_nothing(filled, tmp_path):
    (tmp_path / "no.jsonl").write_text('{"a": 1}\n')
    assert "no.jsonl:1" in refused("cache", "import", "no.jsonl", "--cache", filled)
    assert curieval("cache", "stats", "--cache", filled, "--json").json["replies"] == 4
