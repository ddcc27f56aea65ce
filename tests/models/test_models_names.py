"""Model names: known, misspelt, and what stands for them in test ids."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curieval.models.errors import ConfigError, MissingKey, UnknownModel
from curieval.models.names import CASE_WORDS, check_name, kind_of, known_models, slug_for

HEAVY = ("anthropic", "httpx", "httpx2", "llm", "openai", "pydantic", "xllamacpp", "genai_prices")


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("embedded", "smollm2"),
        ("constant:terrestrial biome [ENVO:00000446]", "constant"),
        ("random", "random"),
        ("reference", "reference"),
        ("claude-haiku-4-5", "claude-haiku-4-5"),
        ("openai/GPT-4.1 mini", "openai-gpt-4.1-mini"),
        ("mistral-medium", "mistral-m"),
        ("airoboros", "aoboros"),
        ("Qwen/Qwen3-8B:q4_K_M", "qwen-qwen3-8b-q4-k-m"),
        ("模型", "model-aef8e2"),
    ],
)
def test_slugs(name, slug):
    if name == "模型":
        assert slug_for(name).startswith("model-")
        assert len(slug_for(name)) == 12
    else:
        assert slug_for(name) == slug


@given(st.text() | st.lists(st.sampled_from((*CASE_WORDS, "x", "-"))).map("".join))
def test_slugs_are_short_ascii_and_hold_no_word_of_the_cases(name):
    slug = slug_for(name)
    assert 1 <= len(slug) <= 40
    assert slug.isascii()
    assert not set(slug) - set("abcdefghijklmnopqrstuvwxyz0123456789.-")
    assert not any(word in slug for word in CASE_WORDS)


@pytest.mark.parametrize("name", ["embedded", "random", "reference", "constant:x"])
def test_our_own_names_need_nothing_heavy(name):
    code = (
        "import sys; from curieval.models import check_name, slug_for\n"
        f"check_name({name!r}); slug_for({name!r})\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_baselines_open_without_anything_heavy():
    code = (
        "import sys; from curieval.models import Client\n"
        "from curieval.models.types import Message, Request\n"
        "Client('constant:x').ask(Request(messages=(Message(role='user', content='q'),)))\n"
        f"print([m for m in {(*HEAVY, 'sqlite3')!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("name", "near"), [("embeded", "embedded"), ("refrence", "reference"), ("gpt-4oo", "gpt-4o")]
)
def test_misspelt_names_are_met_with_near_ones(name, near):
    with pytest.raises(UnknownModel, match=f"no model is named '{name}': did you mean .*{near}"):
        check_name(name)


def test_unknown_names_are_told_what_is_known():
    with pytest.raises(UnknownModel, match=r"Known are embedded, random.*models\.toml"):
        check_name("zzzzzzzz")


def test_a_claude_needs_a_key_unless_offline(monkeypatch, tmp_path):
    with pytest.raises(MissingKey, match="set ANTHROPIC_API_KEY"):
        check_name("claude-haiku-4-5")
    check_name("claude-haiku-4-5", offline=True)
    (tmp_path / "llm").mkdir()
    (tmp_path / "llm" / "keys.json").write_text('{"anthropic": "stored"}')
    check_name("claude-haiku-4-5")


def test_models_of_llm_need_their_keys(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(MissingKey, match="llm keys set openai"):
        check_name("gpt-4o")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-really-a-key")
    check_name("gpt-4o")


def test_entries_of_models_toml_are_known(tmp_path):
    file = tmp_path / "servers.toml"
    file.write_text('[models."qwen3:8b"]\nbase_url = "http://h/v1"\nmodel_id = "m"\n')
    assert kind_of("qwen3:8b", file) == "server"
    assert "qwen3:8b" in known_models(file)
    check_name("qwen3:8b", models_file=file)
    with pytest.raises(UnknownModel, match="qwen3:8b"):
        check_name("qwen3-8b", models_file=file)


ENTRY = '[models.m]\nbase_url = "http://h/v1"\nmodel_id = "m"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[models", "no valid TOML"),
        ("[servers.m]\n", "servers: unknown key"),
        ("models = 3\n", "models: must hold tables"),
        ('[models.m]\nmodel_id = "m"\n', r"models\.m\.base_url: missing required key"),
        ('[models.m]\nbase_url = "h"\nmodel_id = "m"\n', r"models\.m\.base_url: .*such as http"),
        (f"{ENTRY}timeout = -1\n", r"models\.m\.timeout: .*, found -1"),
        (f"{ENTRY}tiemout = 1\n", r"models\.m\.tiemout: unknown key"),
        (f'{ENTRY}key_env = "PATH"\n', r"models\.m\.key_env: .*ends in KEY"),
        (f'{ENTRY}headers = {{ X = "HOME" }}\n', r"models\.m\.headers\.X: .*ends in KEY"),
        (f"{ENTRY}price = {{ input = 1 }}\n", r"models\.m\.price\.output: missing required key"),
        (f'{ENTRY}extra = {{ model = "x" }}\n', r"models\.m\.extra\.model: is set"),
        ('[models."a b"]\n', r"models\.'a b': a name holds letters"),
        ("[models.random]\n", r"models\.random: this name is taken"),
    ],
)
def test_a_wrong_models_toml_is_named_by_file_and_key(tmp_path, text, says):
    file = tmp_path / "servers.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=rf"servers\.toml: {says}"):
        check_name("m", models_file=file)


def test_a_missing_models_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"nowhere\.toml: cannot be read"):
        check_name("m", models_file=tmp_path / "nowhere.toml")


def test_models_toml_of_the_folder_is_used(tmp_path):
    (tmp_path / "models.toml").write_text(ENTRY)
    assert kind_of("m") == "server"


def test_a_server_needs_its_key(tmp_path, monkeypatch):
    (tmp_path / "models.toml").write_text(f'{ENTRY}key_env = "LAB_TOKEN"\n')
    with pytest.raises(MissingKey, match="set the environment variable LAB_TOKEN"):
        check_name("m")
    monkeypatch.setenv("LAB_TOKEN", "a-secret")
    check_name("m")
