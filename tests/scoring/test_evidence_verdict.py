"""Reading a verdict: the vectors, what models do besides, and what always holds."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import parse_verdict, verdict_score

VECTORS = Path(__file__).parents[1] / "vectors" / "belief.jsonl"

WORDS = st.sampled_from(["correct", "incorrect"])
LEVELS = st.sampled_from(["high", "medium", "low"])
PROSE = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="{}"), max_size=60)


def vectors(*groups):
    with VECTORS.open(encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["group"] in groups]
    return [pytest.param(row, id=row["id"]) for row in rows]


@pytest.mark.parametrize("row", vectors("verdict_parse", "verdict_fallback"))
def test_vectors_of_replies(row):
    found = parse_verdict(row["input"]["text"])
    assert {
        "verdict": found.verdict,
        "confidence": found.confidence,
        "score": found.score,
    } == row["expected"]


@pytest.mark.parametrize("row", vectors("score_map"))
def test_vectors_of_scores(row):
    assert verdict_score(**row["input"]) == row["expected"]["score"]


@pytest.mark.parametrize(
    ("text", "verdict", "confidence"),
    [
        ("{'verdict': 'incorrect', 'confidence': 'low'}", "incorrect", "low"),
        ('{"verdict": "correct",\n "confidence": "low",\n}', "correct", "low"),
        ('{"verdict": "correct"\n "confidence": "low"}', "correct", "low"),
        ("{\n verdict: correct\n confidence: low\n}", "correct", "low"),
        (
            '{"verdict": "incorrect", "reason": "it says "no" here", "confidence": "high"}',
            "incorrect",
            "high",
        ),
        ('{"verdict": "correct"', "correct", "medium"),
        ('{"verdict": "correct', "correct", "medium"),
        ('{"result": {"verdict": "incorrect", "confidence": "low"}', "incorrect", "low"),
        ('"{\\"verdict\\": \\"incorrect\\", \\"confidence\\": \\"low\\"}"', "incorrect", "low"),
        ("The set {EGFR, KRAS} is named. Verdict: incorrect.", "incorrect", "medium"),
        ("My first answer is correct. My final answer is incorrect.", "incorrect", "medium"),
        ("Verdict: incorrect (with high confidence)", "incorrect", "high"),
        ("Confidence: low\nVerdict: correct", "correct", "low"),
        ("Verdict:\n**correct**", "correct", "medium"),
    ],
)
def test_replies_that_models_write(text, verdict, confidence):
    found = parse_verdict(text)
    assert (found.verdict, found.confidence, found.reason) == (verdict, confidence, None)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('<think>{"verdict": "correct"}</think>{"verdict": "incorrect"}', "incorrect"),
        ('first {"verdict": "correct"}</think>{"verdict": "incorrect"}', "incorrect"),
        ('{"reasoning": {"verdict": "correct"}, "verdict": "incorrect"}', "incorrect"),
        ('{"reasoning": "so \\"verdict\\": \\"correct\\"", "verdict": "incorrect"}', "incorrect"),
        ('<think>{"verdict": "correct"}</think>', None),
        ("<think>the verdict is correct", None),
        ('{"reasoning": "the verdict is correct", "note": 1}', None),
        ('{"analysis": {"verdict": "correct"}}', None),
        ('{"reasoning": "{\\"verdict\\": \\"correct\\"} and', None),
    ],
)
def test_a_draft_is_never_the_answer(text, verdict):
    assert parse_verdict(text).verdict == verdict


def test_a_complete_object_goes_before_one_that_is_cut_off():
    text = '{"verdict": "correct", "confidence": "low"} Or rather {"verdict": "incorrect", "con'
    assert parse_verdict(text).score == 0.65


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("<think>so it is", "empty"),
        ('{"verdict": "inc', "cut_off"),
        ('{"reason": "the site', "cut_off"),
        ('{"verdict": "unsure"}', "declined"),
        ('{"verdict": null}', "declined"),
        ('{"verdict": true}', "declined"),
        ('{"verdict": "correctable"}', "declined"),
        ("The extraction is correct.", "unreadable"),
        ("Verdict: correct or incorrect", "unreadable"),
        ("Verdict: correct/incorrect", "unreadable"),
        ("Verdict: correct-ish", "unreadable"),
        ('{"verdict": "<correct or incorrect>"}', "unreadable"),
    ],
)
def test_no_verdict_has_a_reason(text, reason):
    found = parse_verdict(text)
    assert (found.verdict, found.confidence, found.score) == (None, None, 0.5)
    assert found.reason == reason


def test_a_verdict_taken_back_is_none():
    text = '{"verdict": "correct", "confidence": "high"}\nNo: {"verdict": "unsure"}'
    assert parse_verdict(text).reason == "declined"


@given(WORDS, LEVELS, PROSE, PROSE, st.booleans())
def test_json_is_found_in_any_prose(word, level, before, after, reverse):
    keys = [("verdict", word), ("confidence", level)]
    answer = json.dumps(dict(keys[::-1] if reverse else keys))
    # A tag, or a string of its own, would make the answer a draft or a quotation.
    before, after = before.replace("<", " "), after.replace("<", " ")
    found = parse_verdict(f"x{before}{answer}{after}x")
    assert (found.verdict, found.confidence) == (word, level)
    assert found.score == verdict_score(word, level)


@given(st.text(max_size=300))
def test_any_text_gives_a_verdict_of_the_scale(text):
    found = parse_verdict(text)
    assert found.score in (0.95, 0.8, 0.65, 0.5, 0.35, 0.2, 0.05)
    assert (found.verdict is None) == (found.confidence is None) == (found.reason is not None)


@pytest.mark.parametrize(
    "text",
    [
        '{"' * 50_000,
        '{"a": "' * 50_000,
        '{"a":["' * 40_000,
        '{"a":"b" x' * 30_000,
        "{a:" + '"' * 100_000,
        "answer" + "\"*_`'" * 50_000,
        "verdict:" + " " * 100_000,
    ],
    ids=["quotes", "strings", "lists", "broken", "runs", "marks", "blanks"],
)
def test_a_hostile_reply_is_read_to_its_end(text):
    assert parse_verdict(text).verdict is None
