"""What the tests of the models room share: a real local server and short requests."""

from __future__ import annotations

import pytest

from tests.servers.misbehaving import serving


@pytest.fixture(scope="session")
def server():
    with serving() as served:
        yield served


@pytest.fixture(autouse=True)
def own_world(tmp_path, monkeypatch):
    """Keep the user's keys, models.toml and llm folder out of the tests."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LLM_USER_PATH", str(tmp_path / "llm"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
