"""Finds the numbers in plain text: labelled, listed after a labelled one, bare, or the whole."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scoring.ec_context import Surroundings
from scoring.ec_numbers import read_code

_FIELD = r"(?:\d+|[nNbB]\d+|[xXnN](?![A-Za-z0-9])|[-*?])"
_GAP = r"[ \t]*\.[ \t]*"
# The leading set lets the engine skip over text without digits quickly.
_TOKEN = re.compile(
    rf"[-*?xX0-9](?:(?<=[0-9])[0-9]*(?:\.{_FIELD})*|(?<![\w.-].)(?<=[-*?xX])(?:\.{_FIELD})+)",
    re.ASCII,
)
_SPACED = re.compile(rf"{_FIELD}(?:{_GAP}{_FIELD})+", re.ASCII)
_EVENLY_SPACED = re.compile(rf"{_FIELD}(?:(?:[ \t]+\.[ \t]*|\.[ \t]+){_FIELD})+", re.ASCII)
_THEN_FIGURE = re.compile(rf"[0-9]+(?:\.{_FIELD})*\.[ \t]+[0-9]+", re.ASCII)
_THEN_WORD = re.compile(r"[ \t]+[A-Za-z]")
_SEPARATOR = r"""[\s,;/&|+"'“”‘’]"""
_LIST = re.compile(rf"{_SEPARATOR}*(?:(?:and|or|und|oder|et|ou){_SEPARATOR}+)*", re.I)
_LINKED = re.compile(r"""[\s"'()\[\]]*(?:(?:and|or|nor|/|&)[\s/"'(]*)+""", re.I)
_INTRO = re.compile(
    r"\s*(?:the\s+)?(?:(?:correct|likely|most\s+likely|best|predicted)\s+)?"
    r"(?:answer|prediction|result|code)s?\s*(?:is|are|:|=)\s*",
    re.I,
)
_EDGES = " \t\r\n\"'`“”‘’()[]{}<>,;:.!"
_BETWEEN = re.compile(r"""(?:[\s,;|&+"'“”‘’()\[\]{}]|/(?=\d+\.[\d.-])|\b(?:and|or)\b)+""", re.I)

_REGULATION = re.compile(r"/\d|-\d{3}-\d")
_FIGURES = re.compile(r"[-,:/_]\d|(?:\s*[-,:/_ ]\s*\d+){3}(?![\d.])", re.ASCII)
_LISTED_CODE = re.compile(rf"[,/]\s*\d+(?:\.{_FIELD}){{2,3}}", re.ASCII)
_NEXT_CODE = re.compile(rf"-\d+(?:\.{_FIELD}){{3}}(?![\w.])", re.ASCII)
_NEW_SENTENCE = re.compile(r"\.[A-Z]?[a-z]{2,}")
_NEW_INITIAL = re.compile(r"\.[A-Z]\b")
_DOTS = re.compile(r"\.+[A-Za-z0-9]", re.ASCII)


@dataclass(slots=True)
class Found:
    """A number or a refused candidate at text[start:end]; `excluded` by words around it."""

    start: int
    end: int
    code: str
    reason: str
    labelled: bool = False
    linked: bool = False
    excluded: bool = False


def find_numbers(text: str) -> list[Found]:
    """All candidates in order: those of an answer made of numbers alone, else of a sentence."""
    return _whole(text) or _scan(text)


def _whole(text: str) -> list[Found]:
    intro = _INTRO.match(text)
    body = text[intro.end() if intro else 0 :].strip(_EDGES)
    if not body or not (body[0].isdigit() or body[0] in "-*?xX"):
        return []
    evenly_spaced = _EVENLY_SPACED.fullmatch(body) is not None
    found = []
    for piece in [body] if evenly_spaced else _BETWEEN.split(body):
        piece = piece.rstrip(".")
        if not (evenly_spaced or _TOKEN.fullmatch(piece)):
            return []
        code, reason = read_code(piece)
        if piece.count(".") < 2 and piece.replace(".", "").isdigit():
            code, reason = "", "ambiguous_bare_partial"
        start = text.find(piece)
        found.append(Found(start, start + len(piece), code, reason))
    return found


def _scan(text: str) -> list[Found]:
    around = Surroundings(text)
    found: list[Found] = []
    last: Found | None = None
    place = 0
    while token := _TOKEN.search(text, place):
        start, end = token.span()
        low = last.end if last else 0
        listed = last is not None and _LIST.fullmatch(text, low, start) is not None
        label = around.label_start(low, start)
        before = last if listed else None
        if label >= 0:
            one = _labelled(text, start, end)
        elif before and before.labelled:
            one = _carried(text, start, end)
        else:
            one = _bare(around, start, end, before)
        place = one.end if one else end
        if one is None:
            continue
        left = label if label >= 0 else start
        one.linked = last is not None and _LINKED.fullmatch(text, low, left) is not None
        one.excluded = around.excluded_left(low, left) or bool(
            last and last.excluded and (one.linked or (listed and label < 0))
        )
        found.append(one)
        last = one
    _exclude_moved(around, found)
    return found


def _labelled(text: str, start: int, end: int) -> Found | None:
    dots = text.count(".", start, end)
    if dots == 0 and (
        _REGULATION.match(text, end)
        or (end - start > 1 and start and text[start - 1].isalpha() and text[start].isdigit())
    ):
        # An inventory number (200-578-6), a regulation (1907/2006), a concentration (EC50).
        return None
    if dots < 3:
        end = _spaced_end(text, start, end)
    return _checked(text, start, end, labelled=True)


def _carried(text: str, start: int, end: int) -> Found | None:
    if text.count(".", start, end) < 2 and not _is_dashed(text[start:end]):
        return None
    return _checked(text, start, end, labelled=True)


def _bare(around: Surroundings, start: int, end: int, before: Found | None) -> Found | None:
    text = around.text
    dots = text.count(".", start, end)
    if dots < 2 or (dots == 2 and not _is_dashed(text[start:end])):
        return None
    refusal = around.refusal(start, end)
    if before and before.reason != "ok" and not refusal:
        refusal = before.reason
    if refusal:
        return Found(start, end, "", refusal)
    return _checked(text, start, end, labelled=False)


def _checked(text: str, start: int, end: int, *, labelled: bool) -> Found:
    """The candidate read; malformed where it runs on into what is no field."""
    token = text[start:end]
    code, reason = read_code(token)
    if _runs_on(text, end, token.count(".")):
        code, reason = "", "malformed"
    return Found(start, end, code, reason, labelled=labelled)


def _runs_on(text: str, end: int, dots: int) -> bool:
    after = text[end : end + 1]
    if not after or after.isspace():
        return dots == 0 and _FIGURES.match(text, end) is not None
    if after == ".":
        return _DOTS.match(text, end) is not None and not (
            (dots >= 2 and _NEW_SENTENCE.match(text, end))
            or (dots >= 3 and _NEW_INITIAL.match(text, end))
        )
    if after == "_" or (after.isascii() and after.isalnum()):
        return True
    if dots >= 3:
        return (
            after == "-" and text[end + 1 : end + 2].isdigit() and not _NEXT_CODE.match(text, end)
        )
    if dots == 2 and _LISTED_CODE.match(text, end):
        return False
    return _FIGURES.match(text, end) is not None


def _spaced_end(text: str, start: int, end: int) -> int:
    """Where a labelled number ends whose dots have blanks around them."""
    spaced = _EVENLY_SPACED.match(text, start)
    if spaced is None:
        spaced = _SPACED.match(text, start)
        if spaced is None or spaced.group().count(".") != 3:
            return end
    if spaced.end() <= end or spaced.group().count(".") < 3:
        return end
    # "EC 1.1.1. 2 genes": the last figure opens a sentence.
    if _THEN_FIGURE.fullmatch(spaced.group()) and _THEN_WORD.match(text, spaced.end()):
        return end
    return spaced.end()


def _is_dashed(token: str) -> bool:
    return "-" in token or token.count(".") == 3


def _exclude_moved(around: Surroundings, found: list[Found]) -> None:
    for place in range(len(found) - 1, -1, -1):
        one = found[place]
        one.excluded = one.excluded or around.excluded_right(one.end)
        if not one.excluded and place + 1 < len(found):
            after = found[place + 1]
            one.excluded = after.linked and around.excluded_right(after.end)
