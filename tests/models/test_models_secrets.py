"""No key survives redaction, and no prose is harmed by it."""

from __future__ import annotations

import json

import pytest

from curieval.models.secrets import MASK, redact, redactor


@pytest.mark.parametrize(
    "secret",
    [
        "sk-ant-api03-abcdefghijklmnop",
        "sk-proj-ABCDEFGH12345678",
        "hf_abcdefghijklmnopqrs1uv",
        "gsk_abcdefghijkl2nopqrst",
        "xai-abcd3fghijklmnopqrst",
        "ghp_abcdefghijk4mnopqrst",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "AKIAABCDEFGHIJKLMNOP",
        "eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4",
    ],
)
def test_masks_what_is_shaped_like_a_key(secret):
    assert redact(f"found {secret}, sorry") == f"found {MASK}, sorry"
    assert secret not in redact(json.dumps({"error": secret}))


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer S3CR3TVALUE",
        "authorization: basic S3CR3TVALUE",
        "Authorization: S3CR3TVALUE",
        "x-api-key: S3CR3TVALUE",
        "api-key=S3CR3TVALUE&x=1",
        "{'api_key': 'S3CR3TVALUE'}",
        '{"x-api-key": "S3CR3TVALUE", "a": 1}',
        'escaped {\\"Authorization\\": \\"Bearer S3CR3TVALUE\\"}',
        "https://me:S3CR3TVALUE@host.example/v1",
        "https://S3CR3TVALUE@host.example/v1",
        "https://host.example/v1?a=1&key=S3CR3TVALUE&b=2",
        "https://host.example/v1?access_token=S3CR3TVALUE",
        "sent with bearer S3CR3TVALUE",
    ],
)
def test_masks_secrets_by_their_place(text):
    redacted = redact(text)
    assert "S3CR3TVALUE" not in redacted
    assert MASK in redacted
    assert redact(redacted) == redacted


@pytest.mark.parametrize(
    "name", ["ANTHROPIC_API_KEY", "LAB_TOKEN", "MY_PASSWORD", "AWS_SECRET_ACCESS_KEY", "APIKEY"]
)
def test_masks_the_values_of_the_environment(monkeypatch, name):
    monkeypatch.setenv(name, 'plain"words\\here')
    assert redact('it is plain"words\\here.') == f"it is {MASK}."
    line = json.dumps({"text": 'plain"words\\here'})
    assert json.loads(redact(line)) == {"text": MASK}


def test_masks_the_keys_that_llm_stores(tmp_path):
    (tmp_path / "llm").mkdir()
    keys = tmp_path / "llm" / "keys.json"
    keys.write_text(json.dumps({"// Note": "This file stores secret API keys", "x": "plainwords"}))
    assert redact("it is plainwords, This file stores secret API keys") == (
        f"it is {MASK}, This file stores secret API keys"
    )
    keys.write_text("not json")
    assert redact("it is plainwords") == "it is plainwords"


@pytest.mark.parametrize(
    "text",
    [
        "The skeletomuscular system of the host; pk-values-of-all, sk-means-clustering-of.",
        "A monkey = primate.",
        "key: the biome; token: soil; secret garden [ENVO:00002001]",
        "https://purl.obolibrary.org/obo/ENVO_00000446?format=owl",
        "hf_16 rRNA at 12:30, ratio 3:1 // a comment @ home",
        "UniProt P04637, EC 2.7.11.1, PMID:12345678, sha256 " + "0a" * 32,
        "",
    ],
)
def test_leaves_prose_alone(text):
    assert redact(text) == text


def test_short_and_path_like_values_are_no_secrets(monkeypatch):
    monkeypatch.setenv("SOME_KEY", "soil")
    monkeypatch.setenv("SSH_KEY", "/home/me/.ssh/id")
    assert redact("soil in /home/me/.ssh/id") == "soil in /home/me/.ssh/id"


def test_a_redactor_of_many_texts_finds_keys_that_appear_later(monkeypatch):
    clean = redactor(every=0.0)
    assert clean("open sesame-street-7") == "open sesame-street-7"
    monkeypatch.setenv("SESAME_API_KEY", "sesame-street-7")
    assert clean("open sesame-street-7") == f"open {MASK}"
