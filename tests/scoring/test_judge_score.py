"""Reading a judge's score: every row of the vectors in both modes, the rules, what always holds."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.judge_score import parse_judge_score

VECTORS = Path(__file__).parents[1] / "vectors" / "judge.jsonl"

# A reply, its strict and its lenient score.
REPLIES = [
    ("100", 100, 100),
    ("0.0", 0, 0),
    ("100.0", 100, 100),
    ("100.5", None, None),
    ("101", None, None),
    ("-1", None, None),
    ("-0", 0, 0),
    ("SCORE: 85", 85, 85),
    ("Score:85", 85, 85),
    ("score: 85.5/100", 85.5, 85.5),
    ("85/100", 85, 85),
    ("85 / 100", 85, 85),
    ('{"score": 85.5}', 85.5, 85.5),
    (' {"score" : 85 }\n', 85, 85),
    ('{"reason": "x", "score": 85}', 85, 85),
    ('{"score": 1e2}', None, None),
    ('{"score": NaN}', None, None),
    ('{"score": Infinity}', None, None),
    ('{"score": -5}', None, None),
    ('{"score": 85, "score": 10}', None, None),
    ('{"score": 85, "score": 85}', None, None),
    ('{"score": 85, "Score": 10}', None, None),
    ('{"score": {}}', None, None),
    ('{"score": "high"}', None, None),
    ('{"score": "85/100"}', None, 85),
    ('{"score": "85%"}', None, 85),
    ('{"score": "eighty-five"}', None, 85),
    ("[85]", None, 85),
    ('[{"score": 85}]', None, 85),
    ('{"result": {"score": 85}}', None, 85),
    ('{"score": 85, "details": {"score": 10}}', 85, 85),
    ('{"final_score": 85}', None, 85),
    ('{"overall score": 85, "score": 40}', 40, 40),
    ('{"accuracy": 85, "style": 40}', None, None),
    ('```json\n{"score": 85}\n```', None, 85),
    ("```\n85\n```", None, 85),
    ('Here is my verdict: {"score": 85, "reason": "3 of 4"}', None, 85),
    ('{"score": 85} {"score": 85}', None, 85),
    ('{"score": 85} {"score": 40}', None, None),
    ('{"score": 85} Score: 40', None, None),
    ('{"score": 85, "reason": "cut', None, None),
    ('```json\n{"score": 85', None, None),
    ('{"score": 85,}', None, 85),
    ("{'score': 85}", None, 85),
    ('"85"', None, 85),
    ("`85`", None, 85),
    ("'85'", None, 85),
    ("Score: `85`", None, 85),
    ("٨٥", None, 85),
    ("８５", None, 85),
    ("Score: ８５", None, 85),
    ("85％", None, 85),
    ("85 percent", None, 85),
    ("85 points", None, 85),
    ("85pts", None, 85),
    ("85.", None, 85),
    ("Score: 85.", None, 85),
    ("__85__", None, 85),
    ("# 85", None, 85),
    ("### Score\n85", None, 85),
    ("| Score | 85 |", None, 85),
    ("\\boxed{85}", None, 85),
    ("$85$", None, 85),
    ("<score>85</score>", None, 85),
    ("<b>Score:</b> 85", None, 85),
    ("85 of 100", None, 85),
    ("Score: 8/10", None, 80),
    ("8 out of 10", None, 80),
    ("8.5/10", None, 85),
    ("11/10", None, None),
    ("0.5/10", None, 5),
    ("17/20", None, None),
    ("3 of 4 facts are right. Score: 75", None, 75),
    ("Score: 4/5", None, None),
    ("4 stars", None, None),
    ("85/1000", None, None),
    ("850/1000", None, None),
    ("one hundred", None, 100),
    ("a hundred", None, 100),
    ("zero", None, 0),
    ("Score: eighty", None, 80),
    ("eighty-five out of one hundred", None, 85),
    ("two hundred", None, None),
    ("There is one error.", None, None),
    ("full marks", None, None),
    ("perfect", None, None),
    ("Excellent", None, None),
    ("five out of ten", None, None),
    ("Ninety percent", None, 90),
    ("Final score: 60. Earlier score: 90", None, 60),
    ("Score: 90. Final: 60", None, 60),
    ("Overall score: 70/100; enzyme score: 90", None, 70),
    ("Total: 70", None, 70),
    ("A total of 3 facts were right. Score: 75", None, 75),
    ("Final score: 60. Final score: 70", None, None),
    ("The overall score is 85", None, 85),
    ("My final verdict is 85", None, 85),
    ("I'd score this answer 85", None, 85),
    ("I give it a score of 85 because 3 facts of 4 match", None, 85),
    ("The score for this answer is 85 out of 100.", None, 85),
    ("Score (0-100): 85", None, 85),
    ("Score (out of 100): 85", None, 85),
    ("Score [0-100]: 85", None, 85),
    ("On a scale from 0 to 100: 85", None, 85),
    ("On a scale of 1 to 10: 8", None, None),
    ("On a scale of 1-10, 8/10", None, 80),
    ("85 (on a scale of 0-100)", None, 85),
    ("0-100", None, None),
    ("Rate 0 to 100", None, None),
    ("80–90", None, None),
    ("80 to 90", None, None),
    ("Score: 80-90", None, None),
    ("Score: 80 or 85", None, None),
    ("Score: between 80 and 90", None, None),
    ("at least 85", None, None),
    ("more than 85", None, None),
    ("over 85", None, None),
    ("90+", None, None),
    ("85 ± 5", None, None),
    ("<50", None, None),
    ("≥ 90", None, None),
    ("up to 85", None, None),
    ("Score: >90", None, None),
    ("below 20", None, None),
    ("Score: 85, 90", None, None),
    ("Score: 85,5", None, None),
    ("1,000", None, None),
    ("Score: 85 -> 70", None, None),
    ("~85", None, 85),
    ("approximately 85", None, 85),
    ("roughly 85%", None, 85),
    ("≈85", None, 85),
    ("Score: ~85", None, 85),
    ("Score - 85", None, 85),
    ("Score – 85", None, 85),
    ("Score: −5", None, None),
    ("Score -5", None, None),
    ("Score: 1e2", None, None),
    ("p53", None, None),
    ("EC 1.1.1.1", None, None),
    ("1.1.1.1", None, None),
    ("The EC number 2.7.11.1 is right: 90", None, 90),
    ("Step 1: ok. Step 2: ok. 85", None, 85),
    ("Confidence: 95", None, None),
    ("confidence 0.9", None, None),
    ("sub-score: 20", None, None),
    ("underscore: 20", None, None),
    ("subscore 20, Score: 80", None, 80),
    ("I cannot judge this.", None, None),
    ("I'm unable to give a score.", None, None),
    ("Error: 50 requests exceeded", None, None),
    ("HTTP 503 Service Unavailable", None, None),
    ("Error in the enzyme name. Score: 20", None, 20),
    ("Rate limit exceeded, retry in 20 seconds", None, None),
    ("The answer claims “Score: 100”. Score: 5", None, 5),
    ("> Score: 100\n\n5", None, 5),
    ("> Score: 100\nScore: 5", None, 5),
    ("The answer says `Score: 100`.", None, None),
    ("The answer says 'Score: 100'.", None, None),
    ('It wrote "give me 100"; I give 5.', None, 5),
    ("<think>Score: 90</think>Score: 80", None, 80),
    ("<think>Score: 90", None, None),
    ("Score: 90</think>80", None, 80),
    ('The answer contains {"score": 100}. Score: 5', None, None),
    ("Score: 85\nReason: matches 3 of 4 facts", None, 85),
    ("Reason: the answer is right.\nScore: 85\n", None, 85),
    ("**Score: 85/100**\n\nThe answer has 2 errors.", None, 85),
    ("Score: 85 / 100 points", None, 85),
    ("Score: NaN", None, None),
    ("null", None, None),
    ("true", None, None),
    ("Score: high", None, None),
    ("Score: N", None, None),
    ("0.85", None, None),
    ("Score: 0.85", None, None),
    ("0.85/1", None, None),
    ("½", None, None),
    ("50½", None, None),
    ("85a", None, None),
    ("85.5.5", None, None),
    ("85°", None, 85),
    ("1", 1, 1),
    ("1.0", 1, 1),
    ("0", 0, 0),
    ("00", None, 0),
    ("+85", None, 85),
    ("85!", None, 85),
    ("(85)", None, 85),
    ("[85]", None, 85),
    ("85\n85", None, 85),
    ("85\n90", None, None),
    ("80 ... 90", None, None),
    ("Score : 85", 85, 85),
    ("score=85", 85, 85),
    ("Score: 85%", None, 85),
    ("Score: 100%", None, 100),
    ("100%", None, 100),
    ("120%", None, None),
    ("得分：85", None, 85),
    ("85分", None, 85),
    ("Bewertung: 85 von 100", None, 85),
    ("Note : 85/100", None, 85),
    ("Answer: 85", None, 85),
    ("I rate this as 85.", None, 85),
    ("Score: 85 for accuracy, 40 for style", None, 85),
    ("~~90~~ 85", None, 85),
    ("   ", None, None),
    ("Score: 85 out of 100, confidence: 90%", None, 85),
    ("The score should be 30, not 90.", None, 30),
    ("2024", None, None),
    ("Score: 2024", None, None),
]


def vectors():
    with VECTORS.open(encoding="utf-8") as lines:
        return [pytest.param(row, id=row["id"]) for row in map(json.loads, lines)]


@pytest.mark.parametrize("mode", ["strict", "lenient"])
@pytest.mark.parametrize("row", vectors())
def test_vectors(row, mode):
    read = parse_judge_score(row["input"]["reply"], lenient=mode == "lenient")
    assert (read.score, read.reason) == (
        row["expected"][mode]["score"],
        row["expected"][mode]["reason"],
    )


@pytest.mark.parametrize(("reply", "strict", "lenient"), REPLIES)
def test_replies(reply, strict, lenient):
    assert parse_judge_score(reply).score == strict
    assert parse_judge_score(reply, lenient=True).score == lenient


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('{"score": 85, "score": 85}', "doubled_key"),
        ('{"score": 8, "Score": 9}', "doubled_key"),
        ('{"a": {"score": 8, "score": 9}}', "doubled_key"),
        ("<think>90", "empty"),
        ("Score: 4/5", "other_scale"),
        ("Score: 80 or 85", "ambiguous"),
        ("The scale is 0-100", "echo"),
        ("9" * 5000, "out_of_range"),
        ('{"score": ' + "9" * 5000 + "}", "out_of_range"),
        ("I won't judge this.", "refusal"),
        ("HTTP 503 Service Unavailable", "provider_error"),
    ],
)
def test_why_there_is_no_score(reply, reason):
    read = parse_judge_score(reply, lenient=True)
    assert (read.score, read.reason) == (None, reason)


@pytest.mark.parametrize(("reply", "score"), [(None, None), (85, 85.0), (b"85", None)])
def test_what_is_no_text(reply, score):
    assert parse_judge_score(reply).score == score


PIECES = st.sampled_from(
    [
        *("Score: ", "85", "40", "/100", "/10", "-", "to ", "Final ", '{"score": ', "}", '"', "`"),
        *("<think>", "</think>", "\n", "> ", "**", "EC 1.1.1.1", "0.5", "%", " or ", "eighty", "٨"),
        *("scale of 0 to 100", "confidence ", "not ", "[", "]", "'", "Step 1: ", "½", "NaN", "1e2"),
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=16).map("".join)), st.booleans())
@example('{"score": ' * 3000, True)
@example('"' * 5000, True)
@example("score " * 3000 + "85", True)
@example("eighty " * 20, True)
@example("[" * 5000 + "85", True)
def test_any_reply_gives_a_score_in_range_or_a_reason(reply, lenient):
    read = parse_judge_score(reply, lenient=lenient)
    if read.score is None:
        assert read.reason not in ("ok", "rescaled", "number_word")
    else:
        assert read.score == 0 or 1 <= read.score <= 100
        assert read.reason in ("ok", "rescaled", "number_word")


@given(st.text())
def test_a_strict_score_is_also_the_lenient_one(reply):
    strict = parse_judge_score(reply)
    if strict.score is not None:
        assert parse_judge_score(reply, lenient=True) == strict


@given(st.integers(0, 100), st.sampled_from(["{}", "{}/100", "Score: {}", "Score: {}/100"]))
def test_every_whole_score_is_read_in_every_strict_form(score, form):
    assert parse_judge_score(form.format(score)).score == score
    assert parse_judge_score(json.dumps({"score": score, "reason": "1 of 3"})).score == score


@given(st.integers(0, 100), st.integers(0, 100))
def test_two_differing_scores_are_none(first, second):
    for reply in (
        f"Score: {first}\nScore: {second}",
        f"{first} or {second}",
        f'{{"score": {first}}} {{"score": {second}}}',
        f"Final score: {first}. Final score: {second}.",
    ):
        read = parse_judge_score(reply, lenient=True)
        assert read.score is None or first == second


@given(st.integers(0, 100), st.integers(0, 100))
def test_a_quoted_score_moves_nothing(score, quoted):
    for reply in (
        f'The answer says "Score: {quoted}". Score: {score}',
        f"> Score: {quoted}\n\nScore: {score}",
        f"<think>Score: {quoted}</think>Score: {score}",
    ):
        assert parse_judge_score(reply, lenient=True).score == score
