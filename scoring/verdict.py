"""Reads a model's verdict on one sentence, and turns verdict and confidence into a score."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from scoring.loose_json import Cut, LooseObject, find_objects
from scoring.reply_text import drop_thinking

VerdictWord = Literal["correct", "incorrect"]
ConfidenceWord = Literal["high", "medium", "low"]
VerdictReason = Literal["empty", "cut_off", "declined", "unreadable"]

_SCORES: dict[tuple[str, str], float] = {
    ("correct", "high"): 0.95,
    ("correct", "medium"): 0.80,
    ("correct", "low"): 0.65,
    ("incorrect", "high"): 0.05,
    ("incorrect", "medium"): 0.20,
    ("incorrect", "low"): 0.35,
}
_CONFIDENCES: tuple[ConfidenceWord, ...] = ("high", "medium", "low")

# A model thinks aloud under these keys; what stands there is a draft.
_DRAFT_KEYS = re.compile(
    r"(?:chain_?of_?)?(?:reason(?:ing)?|think(?:ing)?|thoughts?|analysis|draft|scratchpad|steps?"
    r"|explanation|example)",
    re.I,
)
_TEMPLATE = re.compile(r"[|<>…]|\.\.\.|\bcorrect\b.*\bincorrect\b|\bincorrect\b.*\bcorrect\b", re.S)
_EDGES = " \t\r\n.,;:!*_`\"'“”‘’"

_QUOTES = r"[\s\"'“”‘’*_`(\[]*"
_OTHER = rf"{_QUOTES}(?:[/|,]|or\b|and\b|vs\b){_QUOTES}"
_LABELLED = re.compile(
    rf"\b(?:verdict|answer|decision|conclusion)\b[\"'”’*_`]*\s*(?:[:：=]|is\b\s*[:：]?){_QUOTES}"
    rf"(?P<word>incorrect|correct)(?!-?\w)(?![\"'”’*_`\s]*{_OTHER}(?:in)?correct\b)",
    re.I,
)
_CONFIDENCE = re.compile(
    rf"\bconfidence\b[\"'”’*_`]*\s*(?:[:：=]|is\b\s*[:：]?){_QUOTES}"
    rf"(?P<after>high|medium|low)(?!-?\w)(?![\"'”’*_`\s]*{_OTHER}(?:high|medium|low)\b)"
    r"|(?<![\w-])(?P<before>high|medium|low)\s+confidence\b",
    re.I,
)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a reply says about one sentence.

    `verdict` is "correct", "incorrect" or None; `confidence` is None exactly where the verdict
    is; `score` is the chance in [0, 1] that the sentence supports the claim, 0.5 for None.
    `reason` says why there is no verdict: "empty", "cut_off" (the reply ends inside it),
    "declined" (a verdict of another word) or "unreadable".
    """

    verdict: VerdictWord | None
    confidence: ConfidenceWord | None
    score: float
    reason: VerdictReason | None


def verdict_score(verdict: str | None, confidence: str | None) -> float:
    """The chance that the sentence supports the claim: 0.95, 0.80, 0.65 down to 0.05; 0.5 for none.

    Words count as `parse_verdict` gives them; another confidence, or none, counts as medium.

    >>> verdict_score("incorrect", "low")
    0.35
    """
    if verdict not in ("correct", "incorrect"):
        return 0.5
    return _SCORES[verdict, confidence if confidence in _CONFIDENCES else "medium"]


def parse_verdict(text: str) -> Verdict:
    """The verdict in the answer's text; reasoning is never an answer, nor is an echoed template.

    The last complete JSON object that holds a verdict wins, else one that the reply's end cut
    off after its verdict, else a label in prose: verdict, answer, decision or conclusion, then
    ":", "=" or "is", then the bare word.

    >>> parse_verdict('{"verdict": "correct", "confidence": "low"}').score
    0.65
    """
    text = _unquoted(drop_thinking(text))
    if not text.strip():
        return _none("empty")
    objects = list(find_objects(text))
    said = [holder for top in objects for holder in _holders(top)]
    for wanted in (True, False):
        for holder in reversed(said):
            if holder.complete is wanted:
                return _from_object(holder)
    return _from_prose(_outside(text, objects), cut=any(not top.complete for top in objects))


def _from_object(holder: LooseObject) -> Verdict:
    value = _last(holder, "verdict")
    if isinstance(value, Cut) and value.text.strip(_EDGES).lower() not in ("correct", "incorrect"):
        return _none("cut_off")
    word = _plain(value)
    if word not in ("correct", "incorrect"):
        return _none("declined")
    return _verdict(word, _plain(_last(holder, "confidence")))


def _from_prose(text: str, *, cut: bool) -> Verdict:
    labels = list(_LABELLED.finditer(text))
    if not labels:
        return _none("cut_off" if cut else "unreadable")
    labelled = labels[-1]
    confidence = _CONFIDENCE.search(text, labelled.end())
    if confidence is None:
        before = list(_CONFIDENCE.finditer(text[: labelled.start()]))
        confidence = before[-1] if before else None
    level = confidence and (confidence["after"] or confidence["before"])
    return _verdict(labelled["word"].lower(), level.lower() if level else "")


def _holders(found: LooseObject) -> Iterator[LooseObject]:
    """Objects that hold a verdict, at the shallowest level that has one."""
    if any(key.lower() == "verdict" for key, _ in found.pairs):
        if not _is_template(_last(found, "verdict")):
            yield found
        return
    for key, value in found.pairs:
        if not _DRAFT_KEYS.fullmatch(key):
            for inner in value if isinstance(value, list) else (value,):
                if isinstance(inner, LooseObject):
                    yield from _holders(inner)


def _is_template(value: object) -> bool:
    if isinstance(value, Cut):
        value = value.text
    return isinstance(value, str) and _TEMPLATE.search(value.lower()) is not None


def _last(found: LooseObject, name: str) -> object:
    return next((value for key, value in reversed(found.pairs) if key.lower() == name), None)


def _plain(value: object) -> str:
    if isinstance(value, Cut):
        value = value.text
    return value.strip(_EDGES).lower() if isinstance(value, str) else ""


def _outside(text: str, objects: list[LooseObject]) -> str:
    kept, place = [], 0
    for found in objects:
        kept.append(text[place : found.start])
        place = found.end
    return "\n".join([*kept, text[place:]])


def _unquoted(text: str) -> str:
    """The text inside a reply that is one JSON string as a whole."""
    stripped = text.strip()
    if stripped.startswith('"') and stripped.endswith('"') and '\\"' in stripped:
        try:
            inner = json.loads(stripped)
        except ValueError:
            return text
        return inner if isinstance(inner, str) else text
    return text


def _verdict(word: str, confidence: str) -> Verdict:
    verdict: VerdictWord = "correct" if word == "correct" else "incorrect"
    level: ConfidenceWord = next((one for one in _CONFIDENCES if one == confidence), "medium")
    return Verdict(
        verdict=verdict, confidence=level, score=verdict_score(verdict, level), reason=None
    )


def _none(reason: VerdictReason) -> Verdict:
    return Verdict(verdict=None, confidence=None, score=0.5, reason=reason)
