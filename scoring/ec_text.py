"""Reads EC numbers out of any text that a model may answer with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from scoring.ec_json import json_values
from scoring.ec_scan import Found, find_numbers
from scoring.reply_text import drop_markup, drop_thinking, plain_characters

_CODE = r"[1-7](?:\.[1-9][0-9]?){2}\.[1-9][0-9]{0,2}"
# Most answers are full numbers and nothing else; those need no look at what stands around them.
_ONLY_CODES = re.compile(
    rf"[\s*\"']*(?:EC[\s:*]*)?{_CODE}"
    rf"(?:(?:[,;|][\s*]*|[\s*]+(?:(?:and|or)\s+)?)(?:EC[\s:*]*)?{_CODE})*[\s*\"'.]*"
)
_CODES = re.compile(
    rf"[\s*\"']*(?:EC[\s:*]*)?{_CODE}(?:(?:[,;|][\s*]*|[\s*]+(?:(?:and|or)\s+)?)(?:EC[\s:*]*)?{_CODE})*"
    r"[\s*\"'.]*"
)
_CODES = re.compile(r"[1-7]\.[0-9.]*[0-9]")
_MARK = re.compile(r"[<&\\*_`~#$\n\]]")
_OPENING_MARKS = frozenset("-+>(0123456789")
_DOTS = re.compile(r"(?<=[\dxX*?-])[·•‧∙⋅・●。](?=[\dnNbBxX*?-])")
_SPACED_DOTS = re.compile(r"(?<![.\d])(\d+)\s*[·•‧∙⋅]\s*(\d+)\s*[·•‧∙⋅]\s*(\d+)\s*[·•‧∙⋅]\s*(?=\d)")
_FINAL = re.compile(
    r"\bfinal\s+(?:answers?|(?=(?P<ec>ec\b)))(?(ec)ec(?:[\s_-]*(?:numbers?|codes?|nos?\.?)\b|\(s\))*)"
    r"\s*(?:is|are|would\s+be|[:=\n-]|(?=[\"'(\[]*(?:\d|E\.?C)))",
    re.I,
)
_NOTHING = re.compile(r"[-*?xX.\s]*[-*?][-*?xX.\s]*")
_NONE_ALONE = re.compile(
    r"(?:(?:the\s+)?(?:e\.?c\.?|enzyme\s+commission)[\s_-]*(?:numbers?|codes?|nos?\.?)?[\s:=]*"
    r"(?:is|are)?\s*)?[\"'(\[]*"
    r"(?:none|no|nil|null|nan|n\.?\s?/?\s?a\.?|nothing|unknown|unassigned|undefined|empty"
    r"|not\s+(?:applicable|available|assigned|known|any|an?\s+enzyme|enzym\w*)|non-?enzym\w*|-+)"
    r"[\"')\].!]*",
    re.I,
)
_NONE_SAID = re.compile(
    r"\b(?:not\s+(?:(?:itself|really|actually|considered|classified\s+as|known\s+to\s+be|be)\s+)?"
    r"(?:an?\s+)?(?:active\s+)?enzym|non-?\s?enzym|n['’]t\s+an\s+enzyme|no\s+enzyme\b"
    r"|(?:no|without|lacks?|lacking|devoid\s+of|n['’]t\s+have|not\s+have|has\s+no|have\s+no)\s+"
    r"(?:(?:an?|any|known|intrinsic|specific|official|valid|own|its|assigned|such)\s+)*"
    r"(?:e\.?c\.?\b|enzyme\s+commission|enzym|catalytic|catalysis)"
    r"|not\s+(?:been\s+)?(?:assigned|given)\s+(?:an?\s+|any\s+)?(?:e\.?c\.?\b|enzyme\s+comm)"
    r"|ec\s+numbers?\s+(?:does|do|is|are)\s*(?:n['’]t|not)\s+(?:appl|assigned|available|exist))",
    re.I,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class EcAnswer:
    """The numbers of an answer, four fields each, in order of appearance and unique.

    `reason` is `ok`, or says why there are none: `empty`, `explicit_none`, `no_candidate`, or
    the first refusal (`malformed`, `no_such_class`, `version`, ...). `notes` say what reading
    did (`json`, `final_marker`) and what it left out (`excluded:1.14.1.1`,
    `refused:8.1.1.1:no_such_class`).
    """

    codes: tuple[str, ...] = ()
    reason: str = "no_candidate"
    notes: tuple[str, ...] = ()


def parse_ec(text: object) -> EcAnswer:
    """Read the EC numbers that an answer gives; never raises.

    Reads JSON with a key such as `ec`, what follows a "final answer", labelled numbers of 1 to
    4 fields, an answer made of numbers alone, and bare numbers of 4 fields in a sentence.
    Fields not given are `-`.

    >>> parse_ec("EC 2.7.11.1, formerly EC 2.7.1.37").codes
    ('2.7.11.1',)
    """
    if text is None or (isinstance(text, float) and text != text):
        return EcAnswer(reason="empty")
    content = text if isinstance(text, str) else str(text)
    codes = _only_codes(content)
    if codes:
        return EcAnswer(codes=codes, reason="ok")
    return _parse(content) if len(content) > 400 else _parse_short(content)


@lru_cache(maxsize=1 << 15)
def _parse_short(text: str) -> EcAnswer:
    return _parse(text)


def _parse(text: str) -> EcAnswer:
    notes: list[str] = []
    content = plain_characters(drop_thinking(text))
    if content != text and not content.strip():
        return EcAnswer(reason="empty", notes=("thinking_only",) if text.strip() else ())
    values = json_values(content)
    if values is not None:
        return _read_json(values)
    content = _plain(content)
    final = _last_final(content)
    if final:
        notes.append("final_marker")
        # A marker that names the number labels it as well.
        content = content[final.start("ec") if final.group("ec") else final.end() :]
        codes = _only_codes(content)
        if codes:
            return EcAnswer(codes=codes, reason="ok", notes=tuple(notes))
    return _answer(find_numbers(content), content, notes)


def _only_codes(content: str) -> tuple[str, ...]:
    """The numbers of a text that holds full numbers alone; empty for any other text."""
    if len(content) > 400 or not _ONLY_CODES.fullmatch(content):
        return ()
    return tuple(dict.fromkeys(_CODES.findall(content)))


def _plain(content: str) -> str:
    if not content.isascii():
        content = _SPACED_DOTS.sub(r"\1.\2.\3.", _DOTS.sub(".", content))
    if _NOTHING.fullmatch(content):
        return content
    if _MARK.search(content) or content.lstrip()[:1] in _OPENING_MARKS:
        return drop_markup(content)
    return content


def _last_final(content: str) -> re.Match[str] | None:
    if "inal" not in content and "INAL" not in content:
        return None
    return max(_FINAL.finditer(content), key=lambda marker: marker.start(), default=None)


def _read_json(values: list[object]) -> EcAnswer:
    answers = []
    for value in values:
        if isinstance(value, str) and (given := _only_codes(value)):
            answers.append(EcAnswer(codes=given, reason="ok"))
        elif isinstance(value, str):
            # The key is the label.
            content = "EC " + _plain(value)
            answers.append(_answer(find_numbers(content), content, []))
        elif value is None:
            answers.append(EcAnswer(reason="explicit_none"))
        else:
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            answers.append(EcAnswer(reason="json_number" if number else "malformed"))
    codes = tuple(dict.fromkeys(code for answer in answers for code in answer.codes))
    notes = ("json", *(note for answer in answers for note in answer.notes))
    if codes:
        return EcAnswer(codes=codes, reason="ok", notes=notes)
    return EcAnswer(reason=answers[0].reason if answers else "explicit_none", notes=notes)


def _answer(found: list[Found], content: str, notes: list[str]) -> EcAnswer:
    if len(found) == 1 and found[0].code and not found[0].excluded:
        return EcAnswer(codes=(found[0].code,), reason="ok", notes=tuple(notes))
    codes = dict.fromkeys(one.code for one in found if one.code and not one.excluded)
    notes += [f"excluded:{one.code}" for one in found if one.code and one.excluded]
    notes += [
        f"refused:{content[one.start : one.end]}:{one.reason}" for one in found if not one.code
    ]
    if codes:
        return EcAnswer(codes=tuple(codes), reason="ok", notes=tuple(notes))
    return EcAnswer(reason=_why_none(found, content), notes=tuple(notes))


def _why_none(found: list[Found], content: str) -> str:
    stripped = content.strip()
    if not stripped:
        return "empty"
    if _NONE_ALONE.fullmatch(stripped) or _NOTHING.fullmatch(stripped):
        return "explicit_none"
    if _NONE_SAID.search(content):
        return "explicit_none"
    return next(("excluded" if one.excluded else one.reason for one in found), "no_candidate")
