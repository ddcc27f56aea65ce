"""`curieval score evidence`: every sentence of a file of statements, whatever becomes of it."""

import gzip
import json

import pytest
from indra.statements import Activation, Agent, Complex, Evidence, stmts_to_json

from scoring import compose_beliefs
from tests.cli.running import curieval, read_table, refused
from tests.servers.misbehaving import serving

CORRECT = 'constant:{"verdict": "correct"}'
ANSWER = '{"verdict": "correct", "confidence": "low"}'
BIG = 9_007_199_254_740_993

pytestmark = pytest.mark.usefixtures("own_world")


@pytest.fixture(scope="module")
def server():
    with serving() as served:
        yield served


def sentence(text, reader="reach", raw=None, **more):
    annotations = {"agents": {"raw_text": raw}} if raw else {}
    return Evidence(source_api=reader, text=text, annotations=annotations, **more)


def statements():
    """Two types in turn, one sentence that grounding rejects, one without text."""
    klk5, egfr = Agent("KLK5"), Agent("EGFR", db_refs={"HGNC": "3236"})
    return [
        Activation(klk5, egfr, evidence=[
            sentence("EGFR is activated by KLK5 in step 0."),
            sentence("EGF was given with KLK5.", "sparser", raw=["KLK5", "EGF"]),
        ]),
        Complex([klk5, egfr], evidence=[sentence("KLK5 binds EGFR in step 2."), sentence(None)]),
        Activation(klk5, egfr, obj_activity="kinase", evidence=[
            sentence("EGFR is activated by KLK5 in step 4.", epistemics={"negated": True})
        ]),
    ]  # fmt: skip


def write(path, records):
    text = json.dumps(records)
    if ".jsonl" in path.suffixes:
        text = "".join(json.dumps(record) + "\n" for record in records)
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def serve(folder, server, how, entry=""):
    path = folder / "models.toml"
    path.write_text(
        f"[models.local]\nbase_url = {json.dumps(server.openai(how))}\nmodel_id = 'm'\n{entry}\n"
    )
    return ("--model", "local", "--models-file", path)


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.json.gz", "a.jsonl.gz"])
@pytest.mark.parametrize("suffix", [".jsonl", ".tsv", ".csv", ".parquet"])
def test_one_row_for_each_evidence_in_order(tmp_path, name, suffix):
    file = write(tmp_path / name, stmts_to_json(statements()))
    out = tmp_path / f"out{suffix}"
    ran = curieval("score", "evidence", file, "--model", CORRECT, "-o", out, "--json")
    assert ran.code == 0, ran
    expected = [(one, evidence) for one in statements() for evidence in one.evidence]
    rows = read_table(out)
    assert [row["matches_hash"] for row in rows] == [str(one.get_hash()) for one, _ in expected]
    assert [row["source_hash"] for row in rows] == [
        str(evidence.get_source_hash()) for _, evidence in expected
    ]
    assert [row["tier"] for row in rows] == ["model", "grounding", "model", "no_text", "model"]
    assert [row["state"] for row in rows] == ["scored"] * 3 + ["no_text", "scored"]
    assert [float(row["score"]) for row in rows] == [0.8, 0.05, 0.8, 0.5, 0.8]
    assert [row["verdict"] or "" for row in rows] == ["correct", "incorrect", "correct", "",
                                                      "correct"]  # fmt: skip
    assert rows[4]["claim"].startswith("not: ")
    assert rows[1]["source_api"] == "sparser"
    assert ran.json["states"] == {"scored": 4, "unscored": 0, "not_run": 0, "no_text": 1}
    assert ran.json["verdicts"] == {"correct": 3, "incorrect": 1, "none": 0}
    assert (ran.json["correct"]["share"], ran.json["correct"]["n"]) == (0.75, 4)


def test_rows_tell_what_grounding_found(tmp_path):
    file = write(tmp_path / "a.json", stmts_to_json(statements()))
    curieval("score", "evidence", file, "--model", CORRECT, "-o", tmp_path / "out.jsonl")
    rejected = read_table(tmp_path / "out.jsonl")[1]
    assert [one["status"] for one in rejected["grounding"]] == [None, "MISMATCH"]
    assert rejected["reason"] == '"EGF" means EGF, not EGFR'
    alone = tmp_path / "alone.jsonl"
    curieval("score", "evidence", file, "--model", CORRECT, "--no-grounding", "-o", alone)
    assert read_table(alone)[1]["tier"] == "model"


def test_the_table_gives_beliefs(tmp_path):
    file = write(tmp_path / "a.json", stmts_to_json(statements()))
    out = tmp_path / "out.jsonl"
    curieval("score", "evidence", file, "--model", CORRECT, "-o", out)
    rows = read_table(out)[:2]
    names = ("source_api", "verdict", "negated")
    columns = {name: [row[name] for row in rows] for name in names}
    found = compose_beliefs({"statement": [row["matches_hash"] for row in rows], **columns})
    # One sentence of REACH survives: 1 - syst - rand, as INDRA has them.
    assert list(found["belief"]) == pytest.approx([1 - 0.05 - 0.3], abs=1e-12)


BAD = [
    ({"type": "Nonsense", "evidence": [{"text": "a"}]}, "a.jsonl:1: INDRA cannot read"),
    ("no statement", "a.jsonl:1: a statement is expected"),
    ({"evidence": {}}, "a.jsonl:1: field 'evidence': a list is expected"),
    ({"evidence": []}, "a.jsonl:1: the statement has no evidence"),
    ({"evidence": ["text"]}, "a.jsonl:1, evidence 1: an evidence is an object"),
    ({"evidence": [{"text": 7}]}, "a.jsonl:1, evidence 1: field 'text': found 7"),
    ({"evidence": [{"text": "a" * 10_001}]}, "a.jsonl:1, evidence 1: the text has 10001"),
    ({"evidence": [{"text": "a", "source_hash": 1e18}]}, "a.jsonl:1, evidence 1: hash 1e+18 was"),
    ({"matches_hash": "x", "evidence": [{"text": "a"}]}, "a.jsonl:1: hash 'x' is no whole number"),
    ({"members": [None, None], "evidence": [{"text": "a"}]}, "a.jsonl:1: INDRA cannot read this"),
    ({"type": "Phosphorylation", "evidence": [{"text": "a"}]}, "a.jsonl:1: the statement names no"),
    (
        {"evidence": [{"text": "a", "source_hash": BIG}, {"text": "b", "source_hash": str(BIG)}]},
        "a.jsonl:1, evidence 2: the same evidence stands already at a.jsonl:1, evidence 1",
    ),
]


@pytest.mark.parametrize(("bad", "told"), BAD, ids=[told[8:60] for _, told in BAD])
def test_what_cannot_be_scored_is_named_and_the_others_go_on(tmp_path, bad, told):
    binding = {"type": "Complex", "members": [{"name": "KLK5"}, {"name": "EGFR"}]}
    record = {**binding, **bad} if isinstance(bad, dict) else bad
    good = {**binding, "evidence": [{"text": "KLK5 binds EGFR.", "source_api": "reach"}]}
    file = write(tmp_path / "a.jsonl", [record, good])
    out = tmp_path / "out.jsonl"
    ran = curieval("score", "evidence", file, "--model", CORRECT, "-o", out)
    assert ran.code == 1
    assert f"left out: {told}" in ran.err
    assert ran.err.count("left out: ") == 1
    rows = read_table(out)
    assert rows[-1]["place"] == "a.jsonl:2, evidence 1"
    assert rows[-1]["state"] == "scored"
    assert all(row["source_hash"] == str(BIG) for row in rows[:-1])


def test_an_unknown_agent_is_no_mistake(tmp_path):
    evidence = [{"source_api": "reach", "text": "EGFR is active."}]
    target = {"obj": {"name": "EGFR"}, "obj_activity": "activity"}
    file = write(tmp_path / "a.json", [{"type": "Activation", **target, "evidence": evidence}])
    ran = curieval("score", "evidence", file, "--model", CORRECT, "-o", tmp_path / "out.jsonl")
    assert ran.code == 0, ran.err
    assert read_table(tmp_path / "out.jsonl")[0]["claim"] == "? [Activation] EGFR"


def test_a_failed_call_is_unscored_and_counted(tmp_path, server):
    file = write(tmp_path / "a.json", stmts_to_json(statements()))
    out = tmp_path / "out.jsonl"
    model = serve(tmp_path, server, "status=404;only=step 2;tag=some")
    ran = curieval("score", "evidence", file, *model, "-o", out, "--json")
    assert ran.code == 1
    assert ran.json["states"] == {"scored": 3, "unscored": 1, "not_run": 0, "no_text": 1}
    assert not ran.json["covered"]
    failed = read_table(out)[2]
    assert (failed["state"], failed["verdict"], failed["score"]) == ("unscored", None, 0.5)
    assert ran.json["verdicts"]["none"] == 2  # the echo of the prompt is no verdict


def test_answered_sentences_are_not_asked_again(tmp_path, server):
    file = write(tmp_path / "a.json", stmts_to_json(statements()))
    model = serve(tmp_path, server, f"text={ANSWER};tag=again")
    first = curieval("score", "evidence", file, *model, "-o", tmp_path / "1.jsonl", "--json")
    again = curieval("score", "evidence", file, *model, "-o", tmp_path / "2.jsonl", "--json",
                     "--offline")  # fmt: skip
    assert (first.code, first.json["calls"], first.json["cached"]) == (0, 3, 0)
    assert (again.code, again.json["calls"], again.json["cached"]) == (0, 0, 3)
    one, two = read_table(tmp_path / "1.jsonl"), read_table(tmp_path / "2.jsonl")
    assert [{**row, "from_cache": row["tier"] == "model"} for row in one] == two


def test_a_budget_leaves_sentences_not_run(tmp_path, server):
    file = write(tmp_path / "a.json", stmts_to_json(statements()))
    price = "price = { input = 1.0, output = 10.0 }"
    model = serve(tmp_path, server, f"text={ANSWER};tag=dear", price)
    ran = curieval("score", "evidence", file, *model, "--max-cost", "0.0000001", "--json")
    assert ran.code == 1
    assert ran.json["states"] == {"scored": 1, "unscored": 0, "not_run": 3, "no_text": 1}
    assert ran.json["reasons"] == {"budget": 3}
    free = serve(tmp_path, server, f"text={ANSWER};tag=dear")
    assert "price" in refused("score", "evidence", file, *free, "--max-cost", "1")


def test_a_wrong_key_costs_one_call_and_writes_nothing(tmp_path, server):
    file = write(tmp_path / "a.json", stmts_to_json(statements()))
    model = serve(tmp_path, server, "status=401;tag=key")
    before = server.calls()["total"]
    ran = curieval("score", "evidence", file, *model, "-o", tmp_path / "out.jsonl")
    assert (ran.code, ran.out) == (4, "")
    assert "nothing was scored" in ran.err
    assert server.calls()["total"] == before + 1
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("name", ["reference", "random", "lexical"])
def test_baselines_of_cases_are_refused(tmp_path, name):
    file = write(tmp_path / "a.json", stmts_to_json(statements()))
    assert "pytest evals" in refused("score", "evidence", file, "--model", name)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "holds no sentence that can be scored"),
        ('[{"type": ', "a.json:1: statement 1 is not JSON"),
        ("[7]", "the first of 1: a.json:1: a statement is expected"),
        ("\xff", "is not UTF-8"),
    ],
)
def test_a_file_of_nothing_is_refused(tmp_path, content, told):
    file = tmp_path / "a.json"
    file.write_bytes(content.encode("latin-1"))
    ran = curieval("score", "evidence", file, "--model", CORRECT, "-o", tmp_path / "out.tsv")
    assert (ran.code, ran.out) == (4, "")
    assert told in ran.err
    assert not (tmp_path / "out.tsv").exists()
