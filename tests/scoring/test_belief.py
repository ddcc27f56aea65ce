"""Belief of one statement: the vectors, the gate, priors, and what always holds."""

import json
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import compose_belief, load_priors

VECTORS = Path(__file__).parents[1] / "vectors" / "belief.jsonl"
EXACT = {"abs": 1e-12, "rel": 0}

SOURCES = ["reach", "sparser", "trips", "medscan", "signor", "hprd"]
VERDICTS = ["correct", "incorrect", None, "abstain", "maybe", " Correct ", ""]


def vectors(*groups):
    with VECTORS.open(encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["group"] in groups]
    return [pytest.param(row, id=row["id"]) for row in rows]


def sentence(source="reach", verdict="correct", **more):
    return {"source_api": source, "verdict": verdict, **more}


def lists(verdicts=VERDICTS, **more):
    return st.lists(
        st.builds(sentence, st.sampled_from(SOURCES), st.sampled_from(verdicts), **more),
        max_size=12,
    )


@pytest.mark.parametrize("row", vectors("composed_gate", "noise_vs_indra"))
def test_vectors(row):
    given = row["input"]
    belief = compose_belief(
        given["evidence"],
        priors=given.get("priors", "indra"),
        gate_unscored=given.get("gate_unscored", False),
    )
    for name, value in row["expected"].items():
        assert getattr(belief, name) == pytest.approx(value, **EXACT), name


@pytest.mark.parametrize("row", vectors("prior_per_source"))
def test_vectors_of_one_sentence(row):
    belief = compose_belief([{"source_api": row["input"]["source_api"]}])
    assert belief.belief == pytest.approx(row["expected"]["belief_of_one_sentence"], **EXACT)


def test_counts_and_sources_of_a_worked_example():
    belief = compose_belief(
        [sentence("REACH"), sentence(" reach "), sentence("reach", "incorrect"), sentence("signor")]
    )
    reach, signor = belief.sources["reach"], belief.sources["signor"]
    assert (reach.n_total, reach.n_surviving, reach.rand, reach.syst) == (3, 2, 0.3, 0.05)
    # 1 - (0.05 + 0.3²)(0.01 + 0.049), by hand.
    assert belief.belief == pytest.approx(1 - 0.14 * 0.059, **EXACT)
    assert belief.parametric_only == pytest.approx(1 - 0.077 * 0.059, **EXACT)
    assert (belief.n_total, belief.n_surviving, belief.n_gated) == (4, 3, 1)
    assert (reach.belief, signor.belief) == (
        pytest.approx(0.86, **EXACT),
        pytest.approx(0.941, **EXACT),
    )


def test_objects_and_mappings_read_alike():
    rows = [sentence(verdict="correct", negated=True), sentence("signor", None)]
    assert compose_belief(SimpleNamespace(**row) for row in rows) == compose_belief(rows)


def test_negation_is_read_from_epistemics():
    plain = compose_belief([sentence("signor"), sentence(negated=True)])
    indra = compose_belief([sentence("signor"), sentence(epistemics={"negated": True})])
    assert indra == plain
    # 0.941 of signor times what 0.65 against it leaves.
    assert plain.belief == pytest.approx(0.941 * 0.35, **EXACT)
    assert set(plain.negated_sources) == {"reach"}


def test_graded_is_the_mean_belief_over_what_may_survive():
    # Two sentences of one source, w = 0.8 and 0.2: the four outcomes, weighed by hand.
    outcomes = [(0.8 * 0.2, 2), (0.8 * 0.8, 1), (0.2 * 0.2, 1), (0.2 * 0.8, 0)]
    by_count = {0: 0.0, 1: 0.65, 2: 0.86}
    expected = sum(weight * by_count[n] for weight, n in outcomes)
    rows = [sentence(score=0.8), sentence(verdict="incorrect", confidence="medium")]
    assert compose_belief(rows, graded=True).belief == pytest.approx(expected, **EXACT)


@given(lists(["correct", "incorrect", None, "maybe"]))
def test_graded_with_certain_scores_is_the_gate(rows):
    certain = [row | {"score": float(row["verdict"] == "correct")} for row in rows]
    assert compose_belief(certain, graded=True).belief == pytest.approx(
        compose_belief(rows).belief, **EXACT
    )


@given(lists(), st.integers(0, 11), st.booleans())
def test_removing_a_verdict_never_raises_belief(rows, place, gate_unscored):
    if place < len(rows):
        after = [*rows[:place], rows[place] | {"verdict": "incorrect"}, *rows[place + 1 :]]
        before = compose_belief(rows, gate_unscored=gate_unscored).belief
        assert compose_belief(after, gate_unscored=gate_unscored).belief <= before + 1e-15


@given(lists(negated=st.booleans()), st.sampled_from(SOURCES))
def test_adding_correct_evidence_never_lowers_belief(rows, source):
    before, after = compose_belief(rows), compose_belief([*rows, sentence(source)])
    assert after.belief >= before.belief - 1e-15
    assert 0 <= before.belief <= 1


@given(lists(negated=st.booleans()), st.randoms())
def test_order_does_not_matter(rows, random):
    shuffled = rows[:]
    random.shuffle(shuffled)
    assert compose_belief(shuffled).belief == pytest.approx(compose_belief(rows).belief, **EXACT)


@given(lists(negated=st.booleans()), st.booleans())
def test_counts_add_up(rows, gate_unscored):
    belief = compose_belief(rows, gate_unscored=gate_unscored)
    parts = [*belief.sources.values(), *belief.negated_sources.values()]
    assert belief.n_total == len(rows) == sum(part.n_total for part in parts)
    assert belief.n_surviving == sum(part.n_surviving for part in parts)
    assert belief.n_gated == belief.n_total - belief.n_surviving


def test_recalibrated_priors_replace_five_readers_and_keep_the_rest():
    recalibrated, indra = load_priors("recalibrated"), load_priors("indra")
    changed = {source for source in indra if indra[source] != recalibrated[source]}
    assert changed == {"reach", "sparser", "trips", "medscan", "rlimsp"}
    assert recalibrated["sparser"] == (0.516, 0.05)
    assert set(recalibrated) == set(indra)


def test_a_file_of_priors_in_either_form(tmp_path):
    pairs, indra = tmp_path / "pairs.json", tmp_path / "indra.json"
    pairs.write_text('{"Reach": [0.2, 0.1]}')
    indra.write_text('{"rand": {"reach": 0.2, "wormbase": 0.1}, "syst": {"reach": 0.1}}')
    assert dict(load_priors(pairs)) == dict(load_priors(str(indra))) == {"reach": (0.2, 0.1)}


def test_a_source_without_a_prior_is_an_error_that_names_it():
    with pytest.raises(ValueError, match="evidence 1: no prior for source 'wormbase' in 'indra'"):
        compose_belief([sentence(), sentence("wormbase")])
    with pytest.raises(ValueError, match="no prior for source 'signor' in 'mapping'"):
        compose_belief([sentence("signor", "incorrect")], priors={"reach": (0.3, 0.05)})


def test_an_unknown_source_with_a_prior_is_counted_and_warned_of():
    rows = [sentence("novel"), sentence("novel"), sentence()]
    with pytest.warns(UserWarning, match=r"novel \(2\)"):
        belief = compose_belief(rows, unknown_source=(0.5, 0.1))
    assert belief.n_unknown_source == 2
    assert belief.belief == pytest.approx(1 - 0.35 * 0.35, **EXACT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compose_belief([sentence()], unknown_source=(0.5, 0.1)).n_unknown_source == 0


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"verdict": "correct"}], "evidence 0: expected source_api"),
        ([sentence(), sentence(" ")], "evidence 1: expected source_api"),
        ([sentence(verdict=True)], "evidence 0: expected a verdict as a word or None, found True"),
    ],
)
def test_evidence_that_cannot_be_read_is_named(rows, message):
    with pytest.raises(ValueError, match=message):
        compose_belief(rows)


def test_a_score_off_the_scale_is_named():
    with pytest.raises(ValueError, match=r"evidence 0: expected a score from 0 to 1, found 1\.5"):
        compose_belief([sentence(score=1.5)], graded=True)


@pytest.mark.parametrize(
    ("priors", "message"),
    [
        ("other", "no file 'other'"),
        (3, "found 3"),
        ({"reach": 0.3}, r"source 'reach': expected two rates, \(rand, syst\), found 0.3"),
        ({"reach": (0.3, 1.2)}, "source 'reach': syst is 1.2"),
        ({"reach": (float("nan"), 0.2)}, "source 'reach': rand is nan"),
        ({"reach": (0.7, 0.4)}, "sum to more than 1"),
        ({"reach": (0.3, 0.05), "REACH": (0.3, 0.05)}, "source 'reach' stands twice"),
        ({"": (0.3, 0.05)}, "expected the name of a source, found ''"),
    ],
)
def test_priors_that_cannot_be_are_named(priors, message):
    with pytest.raises(ValueError, match=message):
        load_priors(priors)


def test_a_file_of_priors_that_cannot_be_read_is_named(tmp_path):
    path = tmp_path / "priors.json"
    path.write_text("[1, 2]")
    with pytest.raises(ValueError, match=r"priors\.json: expected an object, found list"):
        load_priors(path)
    path.write_text("{")
    with pytest.raises(ValueError, match=r"priors\.json: priors cannot be read as JSON"):
        load_priors(path)
