"""Contamination: the vectors, each kind, and what is no contamination."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import example_texts, find_contamination

VECTORS = Path(__file__).parents[1] / "vectors" / "belief.jsonl"
# The vectors call words in a row in common an overlap of paraphrases.
RENAMED = {"paraphrase_overlap": "ngram"}
SENTENCE = "Treatment of the cells with compound Q raised the level of active enzyme Z in them."


def vectors():
    with VECTORS.open(encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["group"] == "contamination"]
    return [pytest.param(row, id=row["id"]) for row in rows]


def kinds(example, case, **options):
    return [found.kind for found in find_contamination([example], [case], **options)]


@pytest.mark.parametrize("row", vectors())
def test_vectors(row):
    given_row = row["input"]
    found = kinds({"text": given_row["example"]}, {"text": given_row["eval_text"]})
    assert found == [RENAMED.get(kind, kind) for kind in row["expected"]["kinds"]]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (f"  {SENTENCE.upper()}!", ["exact"]),
        (SENTENCE.replace(" ", "  ").replace(".", ""), ["exact"]),
        (f"In vitro, {SENTENCE}", ["substring"]),
        ("compound Q raised the level of active enzyme", ["substring"]),
        ("We saw that compound Q raised the level of active enzyme Y.", ["ngram"]),
        ("Compound Q raised the level.", []),
        ("Nothing in common at all with it.", []),
        ("", []),
    ],
)
def test_texts(case, expected):
    assert kinds(SENTENCE, case) == expected


def test_words_are_whole():
    assert kinds("a" * 40, "a" * 41) == []


def item(*agents, kind="", text=""):
    return {"agents": agents, "type": kind, "text": text}


@pytest.mark.parametrize(
    ("example", "case", "expected"),
    [
        (item("A1", "B2", kind="Complex"), item("b-2", "a1", kind="Complex"), ["pair"]),
        (item("A1", "B2", kind="Gef"), item("A1", "B2", kind="Activation"), ["pair"]),
        (item("A1", "B2", kind="Gef"), item("B2", "A1", kind="Gef"), []),
        (item("A1", "B2", kind="Gef"), item("B2", "A1", kind="Complex"), ["pair"]),
        (item("A1", "B2"), item("B2", "A1", kind="Gef"), ["pair"]),
        (item("A1", "B2", "C3", kind="Complex"), item("C3", "B2", kind="Complex"), ["pair"]),
        (item("A1", "B2", "C3", kind="Conversion"), item("A1", "C3", kind="Conversion"), ["pair"]),
        (item("A1"), item("A1"), []),
        (item("A1", "B2"), item("A1", "C3"), []),
        (item("TNFα", "B2"), item("TNF-alpha", "b2"), ["pair"]),
        (item(None, "B2"), item("", "B2"), []),
    ],
)
def test_pairs(example, case, expected):
    assert kinds(example, case) == expected


@pytest.mark.parametrize(
    "case",
    [
        {"subject": "RPS6KA1", "object": "YBX1"},
        {"claim": "RPS6KA1 (bound to X) [Phosphorylation] YBX1 @S102"},
        {"claim": "not: RPS6KA1 [Complex] YBX1, CREB1"},
        SimpleNamespace(
            agents=[SimpleNamespace(name="RPS6KA1"), SimpleNamespace(name="YBX1")], type="Gef"
        ),
    ],
)
def test_entities_are_read_from_what_a_case_has(case):
    assert kinds(item("RPS6KA1", "YBX1", kind="Phosphorylation"), case) == ["pair"]


def test_text_and_pair_are_both_reported_and_the_things_come_back():
    example, case = item("A1", "B2", text=SENTENCE), item("A1", "B2", text=SENTENCE)
    found = find_contamination([example], [item("X", "Y", text="Else."), case])
    assert [one.kind for one in found] == ["exact", "pair"]
    assert all(one.example is example and one.case is case for one in found)


def test_the_length_of_the_overlap_is_chosen():
    case = "Compound Q raised the level and fell."
    assert kinds(SENTENCE, case, ngram=5) == ["ngram"]
    assert kinds(SENTENCE, case, ngram=6) == []
    with pytest.raises(ValueError, match="ngram must be at least 1, found 0"):
        kinds(SENTENCE, case, ngram=0)


@given(st.sampled_from(example_texts()), st.sampled_from(["{}", "{} ", "({})", "{}!?"]))
def test_every_sentence_of_the_bank_is_found(example, frame):
    case = frame.format(example.text).swapcase()
    found = find_contamination(example_texts(), [case])
    assert ("exact", example) in [(one.kind, one.example) for one in found]
