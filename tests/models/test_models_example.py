"""docs/models.toml: entries that load as they stand, every key explained."""

from pathlib import Path

from curieval.models import Client, ClientSettings
from curieval.models.families import family_of
from curieval.models.server_entry import ServerEntry
from curieval.models.servers import read_servers

EXAMPLE = Path(__file__).parents[2] / "docs" / "models.toml"


def test_every_entry_opens_a_client(monkeypatch):
    monkeypatch.setenv("DEEPSEEK_API_KEY", "k")
    entries = read_servers(EXAMPLE)
    assert {entry.api for entry in entries.values()} == {"openai", "ollama"}
    for name, entry in entries.items():
        with Client(name, settings=ClientSettings(models_file=EXAMPLE)) as client:
            assert client.identity["model"] == entry.model_id
        assert entry.price is not None
        assert family_of(name, entry.model_id)


def test_the_adjudicator_of_the_metric_card_is_there():
    entry = read_servers(EXAMPLE)["deepseek-v3"]
    assert (entry.base_url, entry.key_env) == ("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY")
    assert (entry.price.input, entry.price.output, entry.price.cached) == (0.27, 1.10, 0.07)


def test_every_key_is_explained():
    head = EXAMPLE.read_text(encoding="utf-8").split("[models.", 1)[0]
    for key in ServerEntry.__struct_fields__:
        assert f" {key}" in head, key
