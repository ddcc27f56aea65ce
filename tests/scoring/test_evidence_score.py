"""Scoring sentences with real clients: baselines, and a local server that misbehaves."""

import json
import os
import subprocess
import sys

import pytest
from indra.statements import Activation, Agent, Complex, Evidence, IncreaseAmount, Unresolved

from curieval import Client, open_grounder, score_evidence, score_statement
from curieval.models.settings import ClientSettings
from tests.servers.misbehaving import serving

RIGHT = '{"verdict": "correct", "confidence": "low"}'

ALONE = """
import socket
def blocked(*args, **kwargs):
    raise AssertionError(f"a socket was asked for: {args}")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = blocked
import curieval, scoring
from curieval.grounder import quiet_import
with quiet_import():
    from indra.statements import Agent, Evidence, Phosphorylation
statement = Phosphorylation(Agent("IGF1"), Agent("YBX1"), evidence=[
    Evidence(source_api="reach", text="Insulin phosphorylates YBX1.",
             annotations={"agents": {"raw_text": ["Insulin", "YBX1"]}}),
    Evidence(source_api="sparser", text="IGF1 phosphorylates YB-1.",
             annotations={"agents": {"raw_text": ["IGF1", "YB-1"]}}),
])
client = curieval.Client('constant:{"verdict": "correct"}')
scores = curieval.score_statement(statement, client)
assert [score["tier"] for score in scores] == ["grounding", "model"], scores
rows = [{"source_api": one.source_api, "verdict": score["verdict"]}
        for one, score in zip(statement.evidence, scores)]
assert abs(scoring.compose_belief(rows).belief - 0.65) < 1e-12
"""


@pytest.fixture(scope="module")
def server():
    with serving() as served:
        yield served


def constant(text=RIGHT):
    return Client(f"constant:{text}")


def sentence(text="EGFR is activated by KLK5.", raw=None, **more):
    annotations = {"agents": {"raw_text": raw}} if raw else {}
    return Evidence(source_api="reach", text=text, annotations=annotations, **more)


def statement(*evidence):
    agents = Agent("KLK5"), Agent("EGFR", db_refs={"HGNC": "3236"})
    return Activation(*agents, evidence=list(evidence))


def test_a_verdict_of_the_model():
    found = score_evidence(statement(), sentence(raw=["KLK5", "ErbB1"]), constant())
    assert (found.verdict, found.confidence, found.score) == ("correct", "low", 0.65)
    assert (found.tier, found.reason, found.reply) == ("model", None, RIGHT)
    assert [one.status for one in found.grounding] == [None, "MATCH"]
    assert found.claim == "KLK5 [Activation] EGFR"
    assert found.model == f"constant:{RIGHT}"
    assert found.cost_usd == 0.0


def test_a_result_is_a_mapping_of_its_fields():
    found = score_evidence(statement(), sentence(), constant())
    assert found["verdict"] == found.verdict
    assert dict(found)["score"] == 0.65
    assert found.get("nothing", 1) == 1
    with pytest.raises(KeyError):
        found["nothing"]
    assert found == score_evidence(statement(), sentence(), constant())


def test_grounding_rejects_without_a_call():
    evidence = sentence("EGF was given with KLK5.", raw=["KLK5", "EGF"])
    found = score_evidence(statement(), evidence, Client("constant:must not be asked"))
    assert (found.verdict, found.confidence, found.score) == ("incorrect", "high", 0.05)
    assert (found.tier, found.reason) == ("grounding", '"EGF" means EGF, not EGFR')
    assert (found.model, found.reply, found.cost_usd) == (None, None, 0.0)
    alone = score_evidence(statement(), evidence, constant(), use_grounding=False)
    assert (alone.tier, alone.verdict, alone.grounding) == ("model", "correct", ())


def test_a_pseudogene_in_a_tie_is_rejected_unless_it_is_discussed():
    claim = Complex([Agent("SNORD13P2"), Agent("FBL")])
    plain = sentence("U13 binds FBL.", raw=["U13", "FBL"])
    found = score_evidence(claim, plain, Client("constant:must not be asked"))
    assert (found.tier, found.verdict) == ("grounding", "incorrect")
    assert found.reason.startswith('"U13" means ')
    assert found.reason.endswith(": SNORD13P2 is a pseudogene")
    discussed = sentence("A U13 pseudogene transcript binds FBL.", raw=["U13", "FBL"])
    assert score_evidence(claim, discussed, constant()).tier == "model"


@pytest.mark.parametrize("text", [None, "", " \n"])
def test_evidence_without_text_is_not_asked(text):
    found = score_evidence(statement(), sentence(text), Client("constant:must not be asked"))
    assert (found.tier, found.verdict, found.score) == ("no_text", None, 0.5)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "empty"), ("I cannot say.", "unreadable"), ('{"verdict": "in', "cut_off")],
)
def test_an_unreadable_reply_is_no_verdict(text, reason):
    found = score_evidence(statement(), sentence(), constant(text))
    assert (found.tier, found.verdict, found.score, found.reason) == ("model", None, 0.5, reason)


def test_an_unknown_agent_keeps_its_place():
    claim = IncreaseAmount(None, Agent("EGFR"))
    found = score_evidence(claim, sentence(raw=[None, "ErbB1"]), constant())
    assert found.grounding[0] is None
    assert found.grounding[1].status == "MATCH"
    assert found.claim == "? [IncreaseAmount] EGFR"


def test_an_unresolved_statement_is_not_asked():
    found = score_evidence(Unresolved("x"), sentence(), Client("constant:must not be asked"))
    assert (found.tier, found.reason) == ("unscored", "the statement is unresolved")


def test_hashes_beyond_a_double_stay_exact():
    evidence = sentence()
    evidence.source_hash = -(2**62) - 1
    assert score_evidence(statement(), evidence, constant()).source_hash == str(-(2**62) - 1)


def test_json_is_read_and_left_as_it_was():
    read = statement(sentence(raw=["KLK5", "ErbB1"]), sentence("No text follows."))
    given = read.to_json()
    before = json.dumps(given, sort_keys=True)
    assert score_statement(given, constant()) == score_statement(read, constant())
    assert score_evidence(given, given["evidence"][0], constant()).verdict == "correct"
    assert json.dumps(given, sort_keys=True) == before


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"type": "Nonsense", "matches_hash": "9"}, r"\(type Nonsense, matches_hash 9\)"),
        ({}, "without type"),
        ({"type": "Gef", "id": "u", "gef": {"name": "A"}, "evidence": 3}, "type Gef, id u"),
    ],
)
def test_a_statement_that_indra_cannot_read_is_named(given, message):
    with pytest.raises(ValueError, match=message):
        score_statement(given, constant())


def served(server, tmp_path, how, **settings):
    file = tmp_path / "models.toml"
    file.write_text(
        f'[models.mine]\nbase_url = "{server.openai(how)}"\nmodel_id = "m"\n',
    )
    return Client(
        "mine",
        settings=ClientSettings(models_file=file, attempts=1, timeout=20.0, **settings),
    )


def test_two_hundred_sentences_are_asked_at_once_and_come_back_in_order(server, tmp_path):
    evidence = [sentence(f"EGFR is activated by KLK5 in step {n}.") for n in range(200)]
    evidence[7] = sentence("")
    with served(server, tmp_path, "delay=0.02;tag=order") as client:
        found = score_statement(statement(*evidence), client)
        most = server.calls()["most_in_flight"]["delay=0.02;tag=order"]
    assert 2 <= most <= client.concurrency
    assert len(found) == 200
    assert [one.source_hash for one in found] == [str(one.source_hash) for one in evidence]
    assert found[7].tier == "no_text"
    # The server echoes the last message, so each reply tells which sentence it is for.
    assert all(f"in step {n}.\n" in one.reply for n, one in enumerate(found) if n != 7)


def test_a_failed_call_is_unscored_with_its_reason(server, tmp_path):
    with served(server, tmp_path, "status=500") as client:
        found = score_evidence(statement(), sentence(), client)
    assert (found.tier, found.verdict, found.score) == ("unscored", None, 0.5)
    assert found.reason.startswith("server_error: ")


def test_a_refusal_is_told(server, tmp_path):
    with served(server, tmp_path, "refusal") as client:
        found = score_evidence(statement(), sentence(), client)
    assert (found.verdict, found.tier, found.reason) == (None, "model", "refusal")


def test_tokens_and_seconds_are_told(server, tmp_path):
    with served(server, tmp_path, f"text={RIGHT};usage=90:12") as client:
        found = score_evidence(statement(), sentence(), client)
    assert (found.tokens_in, found.tokens_out) == (90, 12)
    assert found.seconds > 0
    assert found.cost_usd is None
    assert found.verdict == "correct"


def test_no_network_and_a_fresh_home(tmp_path):
    environment = {name: value for name, value in os.environ.items() if "PYSTOW" not in name}
    # The term set is built from nothing in the tests of grounding; here the home alone is new.
    cache = open_grounder("shipped")._store.path.parents[2]
    environment |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(cache)}
    subprocess.run([sys.executable, "-c", ALONE], check=True, env=environment, timeout=600)
