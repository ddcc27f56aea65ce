"""Finds the scores that a judge's prose gives, and tells them from other numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from scoring.number_words import read_number_words
from scoring.reply_text import drop_markup

Tier = Literal["final", "labelled", "of_100", "bare"]
TIERS: tuple[Tier, ...] = ("final", "labelled", "of_100", "bare")


class Given(NamedTuple):
    """A value that a reply gives: how it is marked as the score, the number, and what it is.

    `kind` is `ok`, `rescaled`, `number_word`, or the reason why it is no score.
    """

    tier: Tier
    number: str
    kind: str


_QUOTED = re.compile(
    r"\"([^\"\n]*)\"|“([^”\n]*)”|„([^“”\n]*)[“”]|«([^»\n]*)»|`([^`\n]*)`"
    r"|(?<!\w)['‘]([^'’\n]*)['’](?!\w)"
)
_QUOTE_LINE = re.compile(r"^[ \t]*>[ \t].*$", re.M)
_LETTER = re.compile(r"[^\W\d_]")
_LIST_MARK = re.compile(r"^[ \t]*\(?\d{1,2}[.)][ \t]+(?=\S)", re.M)
_N = r"\d+(?:\.\d+)?"
_SCALE = re.compile(
    r"(?:\b(?:on|using|in)\s+)?(?:\b(?:an?|the)\s+)?\bscale\b\s*(?:of|from|between|:|is|=)?\s*"
    r"\(?\s*[01]\s*(?:-|to|and|\.\.+)\s*(?P<top>\d+)\)?(?!\d)"
    r"|(?:\b(?:between|from)\s+)?(?<![\d.])\(?\b[01]\s*(?:-|to|and|\.\.+)\s*100\b\)?(?!\.?\d)"
    r"|\(\s*(?:out\s+of|max(?:imum)?|/)\s*(?P<most>\d+)\s*\)",
    re.I,
)
_VALUE = re.compile(
    rf"""(?<![A-Za-z0-9_.]) (?<!\d,) (?P<number>(?<![\w)])-{_N}|{_N}) (?:
        (?P<range> \s*(?:-(?!>)|\bto\b|\bbis\b|\.\.+|±|\+/-)\s*{_N} | \+(?!\w)
          | \s+or\s+(?:more|less|higher|lower|above|below)\b )
      | (?P<several> \s+or\s+{_N} | ,\d+ | ,[ \t]*{_N}\s*(?=[.;)\n]|\Z)
          | \s*(?:->|=>|→)\s*{_N} | [ \t]+(?=\d) )
      | \s*(?:/|\bout\s+of\b|\bof\b|\bvon\b|\bsur\b)\s*(?P<scale>\d+(?:\.\d+)?)
    )? \s*(?:%|points?\b|pts?\b|percent\b|分|点|(?P<stars>stars?\b))? (?![A-Za-z0-9_]|\.\d)""",
    re.I | re.X,
)
_WORDS_ON = (
    r"(?:\s*\([^()\d]{0,40}\))?"
    r"(?:\s*\b(?:for|of|the|this|that|answer|response|reply|candidate|model|is|was|be|would|should"
    r"|will|at|as|about|around|approximately|roughly|it|an?|my|exactly|only|just|i|assign|give|given"
    r"|assigned|therefore|thus|here|to)\b){0,8}[\s:=→|~≈\"'(\[>,-]*"
)
_SCORE_WORD = r"(?:(?<![\w-])(?:scores?|scored)\b|分数|评分|得分|スコア)"
_LABEL = re.compile(rf"{_SCORE_WORD}{_WORDS_ON}\Z", re.I)
_FINAL = re.compile(
    r"(?<![\w-])(?:final|overall|total)(?:\s+(?:score|rating|grade|mark|verdict|judge?ment|result"
    rf"|assessment|evaluation)\b{_WORDS_ON}|\s*[:=][\s~≈]*)\Z",
    re.I,
)
_OTHER_LABEL = re.compile(
    r"(?:\b(?:confidence|probability|certainty|likelihood|weight|threshold|steps?|criteri(?:on|a)"
    r"|items?|questions?|sections?|lines?|pages?|fig(?:ure)?s?|tables?|ph|ec|version|code|http"
    r"|status)|\w-?scored?)\b(?:\s*(?:level|number|no\.?|is|was|of)\b)*[\s:=#(]*\Z",
    re.I,
)
_BOUND = re.compile(
    r"(?:[<>≤≥]=?|\b(?:at\s+least|at\s+most|(?:more|less|greater|fewer|higher|lower|better|worse)"
    r"\s+than|over|above|below|under|up\s+to|beyond|minimum|maximum|min|max)(?:\s+of)?)\s*\Z",
    re.I,
)
_BETWEEN = re.compile(rf"\b(?:between|entre|zwischen)\s+({_N})\s*(?:and|y|et|und)\s+({_N})", re.I)
_SPELLED = re.compile(
    rf"\W*(?:(?:the\s+)?(?:final\s+|overall\s+|total\s+)?{_SCORE_WORD}{_WORDS_ON}|about\s+)?"
    r"(?P<words>[A-Za-z][A-Za-z\s-]*?)"
    r"(?:\s+out\s+of\s+(?:one|an?)\s+hundred|\s+points?|\s+per\s*cent)?\W*",
    re.I,
)
_PROVIDER_ERROR = re.compile(
    r"\A\W*(?:api\s+|server\s+|internal\s+|http\s+)*(?:error|exception|traceback)\b"
    r"|\b(?:rate\s+limit|too\s+many\s+requests|service\s+unavailable|bad\s+gateway|time-?out"
    r"|timed\s+out|internal\s+server\s+error|overloaded|connection\s+(?:reset|refused|error))",
    re.I,
)
_REFUSAL = re.compile(
    r"\b(?:cannot|can\s*not|can['’]t|unable|won['’]t|will\s+not|refuse|decline|not\s+able)\b", re.I
)
_WINDOW = 120


class Prose(NamedTuple):
    """What a reply's prose gives, and why there would be no score if it gives nothing."""

    given: list[Given]
    otherwise: str


def read_prose(text: str) -> Prose:
    """All values that prose gives; quoted text, quoted lines and scales in words are left out."""
    text = _QUOTED.sub(_without_quotation, _QUOTE_LINE.sub("", text))
    text = _LIST_MARK.sub("", drop_markup(text))
    scales = list(_SCALE.finditer(text))
    tops = {top for scale in scales for top in (scale["top"], scale["most"]) if top}
    text = _SCALE.sub(" ", text)
    given = list(_values(_BETWEEN.sub(r"\1 to \2", text), other_scale=bool(tops - {"100"})))
    if not given and len(text) <= _WINDOW and (spelled := _SPELLED.fullmatch(text)):
        number = read_number_words(spelled["words"])
        if number is not None:
            given.append(Given("bare", str(number), "number_word"))
    is_marked = any(value.tier in ("final", "labelled") for value in given)
    if not is_marked and _PROVIDER_ERROR.search(text):
        return Prose([], "provider_error")
    otherwise = "echo" if scales else "refusal" if _REFUSAL.search(text) else "no_score"
    return Prose(given, otherwise)


def _without_quotation(quoted: re.Match[str]) -> str:
    content = next((group for group in quoted.groups() if group is not None), "")
    return " " if _LETTER.search(content) else f" {content} "


def _values(text: str, *, other_scale: bool) -> Iterator[Given]:
    for value in _VALUE.finditer(text):
        low, high = max(0, value.start() - _WINDOW), value.start()
        if _FINAL.search(text, low, high):
            tier: Tier = "final"
        elif _LABEL.search(text, low, high):
            tier = "labelled"
        elif _OTHER_LABEL.search(text, low, high):
            continue
        else:
            tier = "of_100" if value["scale"] == "100" else "bare"
        kind = "range" if _BOUND.search(text, low, high) else _kind(value)
        if other_scale and value["scale"] is None and kind == "ok":
            kind = "other_scale"
        yield Given(tier, value["number"], kind)


def _kind(value: re.Match[str]) -> str:
    if value["range"]:
        return "range"
    if value["several"]:
        return "ambiguous"
    if value["stars"]:
        return "other_scale"
    if value["scale"] in (None, "100"):
        return "ok"
    return "rescaled" if value["scale"] == "10" else "other_scale"
