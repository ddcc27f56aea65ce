"""`curieval models`: the list, why the others cannot be used, and one real call."""

import pytest

from tests.cli.running import curieval, refused
from tests.servers.misbehaving import serving

pytestmark = pytest.mark.usefixtures("own_world")


@pytest.fixture(scope="module")
def server():
    with serving() as served:
        yield served


def entry(tmp_path, base_url, name="mine"):
    file = tmp_path / "models.toml"
    file.write_text(f'[models.{name}]\nbase_url = "{base_url}"\nmodel_id = "m-1"\n')
    return file


def test_the_list_says_what_can_be_used_and_why_the_others_cannot(tmp_path):
    entry(tmp_path, "http://127.0.0.1:9")
    found = {each["name"]: each for each in curieval("models", "--json").json["models"]}
    assert found["reference"]["problem"] is None
    assert found["mine"]["kind"] == "server"
    assert "ANTHROPIC_API_KEY" in found["claude-haiku-4-5"]["problem"]
    text = curieval("models").out
    assert "cannot be used:" in text
    assert text.count("set ANTHROPIC_API_KEY") == 1
    assert text.index("mine") < text.index("cannot be used:") < text.index("claude-haiku-4-5")


def test_a_baseline_answers_without_a_call():
    found = curieval("models", "check", "constant:soil", "--json").json
    assert (found["destination"], found["reply"]["text"]) == ("this process", "soil")
    assert found["reply"]["failure"] is None


def test_a_server_of_ones_own_is_really_called(tmp_path, server):
    file = entry(tmp_path, server.openai("text=carbon dioxide"))
    ran = curieval("models", "check", "mine", "--models-file", file)
    assert ran.code == 0, ran
    assert "mine, asked at 127.0.0.1" in ran.out
    assert "answer (stop): carbon dioxide" in ran.out
    assert "tokens in" in ran.out
    assert "cost unknown" in ran.out


def test_a_call_that_fails_gives_exit_code_1(tmp_path, server):
    file = entry(tmp_path, server.openai("status=400"))
    ran = curieval("models", "check", "mine", "--models-file", file)
    assert ran.code == 1
    assert "failed: bad_request: HTTP 400" in ran.out
    found = curieval("models", "check", "mine", "--models-file", file, "--json")
    assert found.json["reply"]["failure"]["kind"] == "bad_request"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["check", "refrence"], "no model is named 'refrence': did you mean reference"),
        (["check", "claude-haiku-4-5"], "set ANTHROPIC_API_KEY"),
        (["--models-file", "none.toml"], "none.toml: cannot be read"),
        (["check"], "Missing argument 'NAME'"),
    ],
)
def test_mistakes_give_one_line(words, message):
    assert message in refused("models", *words)
