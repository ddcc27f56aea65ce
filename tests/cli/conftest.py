"""What the tests of the command line share: a world without the user's own files and keys."""

import pytest


@pytest.fixture
def own_world(tmp_path, monkeypatch):
    """Keep the user's keys, models.toml, cache and llm folder out of a test."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "CURIEVAL_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LLM_USER_PATH", str(tmp_path / "llm"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path
