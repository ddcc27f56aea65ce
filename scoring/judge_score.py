"""Reads the 0 to 100 score out of a judge's reply, strictly or leniently."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scoring.judge_json import NumberText, Pairs, decode, take_objects
from scoring.judge_prose import TIERS, Given, Prose, Tier, read_prose
from scoring.number_words import read_number_words
from scoring.reply_text import drop_thinking, plain_characters


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeScore:
    """A score in [0, 100], or None and the reason why the reply has none.

    Reasons with a score: `ok`, `rescaled` (N/10), `number_word`. Without: `empty`,
    `unexpected_format`, `not_a_number`, `out_of_range`, `suspect_fraction`, `doubled_key`,
    `range`, `ambiguous`, `other_scale`, `truncated`, `echo`, `refusal`, `provider_error`,
    `no_score`; for a rubric also `missing_point` and `unknown_point`.
    """

    score: float | None
    reason: str


_STRICT = re.compile(
    r"(?:score\s*[:=]\s*)?(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?)(?:[ \t]*/[ \t]*100)?", re.I | re.ASCII
)
_FENCE = re.compile(r"```[A-Za-z0-9]*[ \t]*\n?(.*?)(?:```|\Z)", re.S)
_CUT_OFF = re.compile(r"\{\s*\"[^{}]*\Z")
_TEXT_VALUE = re.compile(r"(-?\d+(?:\.\d+)?)\s*(?:%|/\s*100)?", re.ASCII)
_FINAL_KEYS = ("finalscore", "overallscore", "totalscore")


def parse_judge_score(reply: object, *, lenient: bool = False) -> JudgeScore:
    """Read a judge's score; never raises, never clamps.

    Strict: the whole reply is N, N/100, `Score: N`, `Score: N/100` or a JSON object with a
    numeric `score`. Lenient also reads prose, markdown, fenced JSON, numbers as text, per cent,
    N/10 and number words: a final, total or overall score wins, then one labelled value, then
    the only number.

    >>> parse_judge_score("I would give this 85 out of 100.", lenient=True).score
    85.0
    """
    text = reply if isinstance(reply, str) else "" if reply is None else str(reply)
    strict = _read_strictly(text.strip())
    if strict.reason != "unexpected_format" or not lenient:
        return strict
    return _read_leniently(text)


def none_for(reason: str) -> JudgeScore:
    """No score, for a reason."""
    return JudgeScore(score=None, reason=reason)


def unwrap(reply: str) -> str:
    """A reply without thinking and code fences, its characters made plain."""
    text = plain_characters(drop_thinking(reply)).replace("⁄", "/")
    return _FENCE.sub(r"\1", text)


def _read_strictly(text: str) -> JudgeScore:
    if not text:
        return none_for("empty")
    written = _STRICT.fullmatch(text)
    if written:
        return _in_range(written.group(1), "ok")
    document = decode(text)
    if not isinstance(document, Pairs) or not document.exactly("score"):
        return none_for("unexpected_format")
    if len(document.under("score")) > 1:
        return none_for("doubled_key")
    value = document.exactly("score")[0]
    if isinstance(value, NumberText):
        return none_for("unexpected_format") if "e" in value.lower() else _in_range(value, "ok")
    return none_for("unexpected_format" if isinstance(value, str) else "not_a_number")


def _in_range(number: str, reason: str) -> JudgeScore:
    value = float(number) * (10 if reason == "rescaled" else 1)
    if not 0 <= value <= 100:
        return none_for("out_of_range")
    if 0 < value < 1:
        return none_for("suspect_fraction")
    return JudgeScore(score=value, reason=reason)


def _read_leniently(reply: str) -> JudgeScore:
    text = unwrap(reply)
    if not text.strip():
        return none_for("empty")
    objects, rest = take_objects(text)
    if _CUT_OFF.search(rest):
        return none_for("truncated")
    if any(_has_doubled_score(document) for document in objects):
        return none_for("doubled_key")
    given = [one for document in objects for one in _given_by(document)]
    prose = read_prose(rest) if rest.strip(" \n\t\r.,;[]") else Prose([], "no_score")
    return _decide([*given, *prose.given]) or none_for(prose.otherwise)


def _has_doubled_score(document: Pairs) -> bool:
    return len(document.under("score")) > 1 or any(map(_has_doubled_score, document.parts()))


def _given_by(document: Pairs) -> list[Given]:
    given = [_from_json("final", value) for value in document.under(*_FINAL_KEYS)]
    given += [_from_json("labelled", value) for value in document.under("score")]
    return given or [one for part in document.parts() for one in _given_by(part)]


def _from_json(tier: Tier, value: object) -> Given:
    if isinstance(value, NumberText):
        return Given(tier, value, "no_score" if "e" in value.lower() else "ok")
    if not isinstance(value, str):
        return Given(tier, "", "not_a_number")
    written = _TEXT_VALUE.fullmatch(value.strip())
    if written:
        return Given(tier, written.group(1), "ok")
    spelled = read_number_words(value)
    if spelled is not None:
        return Given(tier, str(spelled), "number_word")
    return Given(tier, "", "not_a_number")


def _decide(given: list[Given]) -> JudgeScore | None:
    """The one value of the best marked tier; None where nothing is given."""
    for tier in TIERS:
        values = {_score(one) for one in given if one.tier == tier}
        if values:
            return values.pop() if len(values) == 1 else none_for("ambiguous")
    return None


def _score(one: Given) -> JudgeScore:
    if one.kind in ("ok", "rescaled", "number_word"):
        return _in_range(one.number, one.kind)
    return none_for(one.kind)
