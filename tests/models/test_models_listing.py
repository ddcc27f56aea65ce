"""The list of models says what can be used and what is missing for the rest."""

from __future__ import annotations

from curieval.models.listing import list_models


def test_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    file = tmp_path / "servers.toml"
    file.write_text(
        '[models.open]\nbase_url = "http://lab.example/v1"\nmodel_id = "m"\n'
        '[models.locked]\nbase_url = "http://h/v1"\nmodel_id = "m"\nkey_env = "LAB_KEY"\n'
    )
    listed = {model.name: model for model in list_models(file)}
    assert listed["embedded"].problem is None
    assert listed["reference"].problem is None
    assert (listed["open"].problem, listed["open"].destination) == (None, "lab.example")
    assert "set the environment variable LAB_KEY" in listed["locked"].problem
    assert "set ANTHROPIC_API_KEY" in listed["claude-haiku-4-5"].problem
    assert "llm keys set openai" in listed["gpt-4o"].problem


def test_a_key_makes_usable(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-none-00000000")
    listed = {model.name: model for model in list_models(with_llm=False)}
    assert listed["claude-haiku-4-5"].problem is None
    assert listed["claude-haiku-4-5"].destination == "api.anthropic.com"
    assert "gpt-4o" not in listed
