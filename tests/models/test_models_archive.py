"""A cache can be counted, pruned and handed on; a wrong file changes nothing."""

from __future__ import annotations

import json

import pytest

from curieval.models.archive import cache_stats, export_cache, import_cache, prune_cache
from curieval.models.cache import ReplyCache
from curieval.models.errors import CacheError
from curieval.models.types import Reply
from tests.models.asking import request, served_client


@pytest.fixture
def filled(tmp_path):
    path = tmp_path / "replies.sqlite"
    cache = ReplyCache(path)
    for i in range(3):
        cache.put(f"a{i}", Reply(text="x", finish="stop", cost_usd=0.5), model="alpha")
    cache.put("b0", Reply(text="ü\n", finish="length", cost_usd=None), model="beta")
    cache.close()
    return path


def test_stats(filled):
    stats = cache_stats(filled)
    assert [(m.model, m.replies, m.cost_usd) for m in stats.models] == [
        ("alpha", 3, 1.5),
        ("beta", 1, 0.0),
    ]
    assert (stats.replies, stats.open_batches) == (4, 0)
    assert stats.bytes == filled.stat().st_size


def test_prune_by_model_and_age(filled):
    assert prune_cache(filled, older_than_days=1) == 0
    assert prune_cache(filled, model="beta") == 1
    assert prune_cache(filled, model="alpha", older_than_days=-1) == 3
    assert cache_stats(filled).replies == 0
    with pytest.raises(ValueError, match="say what to prune"):
        prune_cache(filled)


def test_what_is_exported_comes_in_again(filled, tmp_path):
    assert export_cache(filled, tmp_path / "out.jsonl") == 4
    other = tmp_path / "other.sqlite"
    assert import_cache(tmp_path / "out.jsonl", other) == 4
    assert import_cache(tmp_path / "out.jsonl", other) == 0
    one, two = ReplyCache(filled), ReplyCache(other)
    assert [two.get(k) for k in ("a0", "a1", "a2", "b0")] == [
        one.get(k) for k in ("a0", "a1", "a2", "b0")
    ]
    assert export_cache(filled, tmp_path / "beta.jsonl", model="beta") == 1
    assert sorted(p.name for p in tmp_path.glob("*.jsonl*")) == ["beta.jsonl", "out.jsonl"]


def test_an_import_never_overwrites(filled, tmp_path):
    export_cache(filled, tmp_path / "out.jsonl")
    other = tmp_path / "other.sqlite"
    cache = ReplyCache(other)
    cache.put("a0", Reply(text="mine", finish="stop"), model="alpha")
    assert import_cache(tmp_path / "out.jsonl", other) == 3
    assert cache.get("a0").text == "mine"


def test_a_colleague_replays_a_run_offline(tmp_path, server):
    mine, theirs = tmp_path / "mine.sqlite", tmp_path / "theirs.sqlite"
    asked = [request(f"replayed {i}") for i in range(3)]
    with served_client(tmp_path, server.openai(), cache=mine) as client:
        first = client.ask_many(asked)
    export_cache(mine, tmp_path / "out.jsonl")
    import_cache(tmp_path / "out.jsonl", theirs)
    with served_client(tmp_path, server.openai(), cache=theirs, offline=True) as client:
        again = client.ask_many(asked)
    assert [r.text for r in again] == [r.text for r in first]
    assert {server.calls()["by_prompt"][f"replayed {i}"] for i in range(3)} == {1}


HEAD = '{"format":"curieval-replies","version":1}\n'
GOOD = {
    "key": "k",
    "model": "m",
    "kept": 1.0,
    "reply": {"text": "x", "finish": "stop", "failure": None, "usage": {}},
}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", ":1: no JSON"),
        ('{"format":"else","version":1}\n', ":1: no export of a reply cache"),
        ('{"format":"curieval-replies","version":2}\n', ":1: no export"),
        (HEAD + json.dumps(GOOD) + "\n{", ":3: no JSON"),
        (HEAD + json.dumps(GOOD) + "\n[]", ":3: no JSON object"),
        (HEAD + json.dumps({**GOOD, "key": 3}), ":2: key: missing or of the wrong type"),
        (HEAD + json.dumps({**GOOD, "reply": {}}), ":2: reply: "),
        (
            HEAD + json.dumps({**GOOD, "reply": {**GOOD["reply"], "finish": None}}),
            ":2: reply: not a finished one",
        ),
        (
            HEAD + json.dumps({**GOOD, "reply": {**GOOD["reply"], "stranger": 1}}),
            ":2: reply: .*stranger",
        ),
    ],
)
def test_a_wrong_export_is_named_by_file_line_and_field(filled, tmp_path, text, says):
    source = tmp_path / "in.jsonl"
    source.write_text(text)
    with pytest.raises(CacheError, match=rf"in\.jsonl{says}"):
        import_cache(source, filled)
    assert cache_stats(filled).replies == 4


def test_missing_files_are_named(tmp_path):
    for use in (cache_stats, lambda p: prune_cache(p, model="m"), lambda p: export_cache(p, p)):
        with pytest.raises(CacheError, match=r"there is no reply cache .*none\.sqlite"):
            use(tmp_path / "none.sqlite")
    with pytest.raises(CacheError, match=r"none\.jsonl cannot be read"):
        import_cache(tmp_path / "none.jsonl", tmp_path / "c.sqlite")
