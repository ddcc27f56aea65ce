"""Making the text of an answer plain: look-alike characters, markup, what is no answer."""

from __future__ import annotations

import html
import re

from scoring.reply_text import drop_thinking

_ANGLES = (0x27E8, 0x27E9, 0x2329, 0x232A, 0x2039, 0x203A, 0x3008, 0x3009, 0x300A, 0x300B)
_CHARACTERS: dict[int, str | None] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys((0x3010, 0x3014, 0x300C, 0x2308, *_ANGLES[::2]), "["),
    **dict.fromkeys((0x3011, 0x3015, 0x300D, 0x2309, *_ANGLES[1::2]), "]"),
    **dict.fromkeys((0x3001, 0xFE50), ","),
    **dict.fromkeys((0xFE55, 0x2236, 0xA789), ":"),
    **dict.fromkeys((0x201C, 0x201D, 0x201E, 0x00AB, 0x00BB), '"'),
    **dict.fromkeys((0x2018, 0x2019, 0x201A), "'"),
    **dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD), None),
    **dict.fromkeys((0x00A0, 0x3000, 0x202F, 0x2800, *range(0x2000, 0x200B)), " "),
    **dict.fromkeys((0x2010, 0x2011, 0x2012), "-"),
}
_FULL_WIDTH = re.compile(r"[\uff01-\uff5e\u3010\u3011\u3014\u3015\u300c\u300d\u3001\u3000]")
_ODD_BLANK = re.compile(r"[\u00a0\u2000-\u200b\u202f\u2060\ufeff]")
_PERCENT = re.compile(r"%(?:25){0,2}(3A|2F|23|20|5B|5D|7C)", re.I)
_FENCE = re.compile(r"```[ \t]*\w{0,20}|~~~[ \t]*\w{0,20}")
_TAG = re.compile(
    r"</?(?:b|i|em|strong|p|br|span|code|div|li|ul|ol|table|thead|tbody|tr|th|td|s|h[1-6]|term|answer|label|id|result|value)"
    r"\b[^<>]{0,80}>",
    re.I,
)
# What chat formats put around a turn.
_TURN = re.compile(r"<\|[^<>|]{0,40}\|>|\[/?INST\]")
_TABLE_RULE = frozenset("|-: \t\r")
# A table with a key and its value in each row.
_KEY_CELL = re.compile(
    r"^[ \t]{0,8}\|?[ \t]{0,8}(label|term|name|curie|id|iri)[ \t]{0,8}\|[ \t]{0,8}"
    r"(?=\S)(?!(?:label|term|name|curie|id|iri)\b)",
    re.I | re.M,
)
_BOXED = re.compile(r"\\(?:boxed|text[a-z]{0,4}|mathrm)\{")
MISSING = re.compile(
    r"(?:insdc:?\s*)?(?:missing|not[ _-](?:applicable|collected|provided|available|recorded"
    r"|determined|specified|known|reported|stated|given)|restricted access|n\.?/?a\.?|nan|none|null"
    r"|nil|unknown|unspecified|unavailable|undetermined|undefined|tbd|to be determined|no answer"
    r"|no value|empty|blank|#n/?a!?|#ref!|#value!|#name\?|-+|\?+|\.+|x+)"
    r"(?:\s*[:,(-]\s*[\w ,/-]{0,60}\)?)?\.?",
    re.I,
)
REFUSAL = re.compile(
    r"\W*(?:i(?:['’]m| am)? (?:sorry|afraid|unable|not able|cannot|can['’]?t|can not|could not"
    r"|couldn['’]?t|do not|don['’]?t|won['’]?t|apologi[sz]e|need more)|sorry|unfortunately|as an ai"
    r"|apologies|cannot |can['’]?t |could not |unable to |it is (?:not possible|impossible)"
    r"|there is (?:not enough|insufficient|no (?:information|way))|insufficient |not enough "
    r"|no (?:suitable|appropriate|matching|information|answer))",
    re.I,
)


def plain_text(raw: str) -> tuple[str, list[str]]:
    """Characters made plain and markup off, with the reasons that apply to the whole text."""
    notes: list[str] = []
    text = drop_thinking(raw)
    if text != raw:
        notes.append("thinking")
    if not text.isascii():
        if _FULL_WIDTH.search(text):
            notes.append("fullwidth_punctuation")
        if _ODD_BLANK.search(text):
            notes.append("odd_blank")
        text = text.translate(_CHARACTERS)
    if "&" in text:
        text = html.unescape(text)
    if "%" in text:
        text = _PERCENT.sub(lambda code: chr(int(code.group(1), 16)), text)
    if "```" in text or "~~~" in text:
        notes.append("code_fence")
        text = _FENCE.sub("\n", text)
    if "`" in text:
        notes.append("backticks")
    if "**" in text:
        notes.append("bold")
        text = text.replace("**", "")
    if "|" in text or "INST]" in text:
        text = _TURN.sub(" ", text)
    if "|" in text and "--" in text:
        text = _without_table_heads(text)
    if "|" in text:
        text = _KEY_CELL.sub(r"\1: ", text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "\\" in text:
        text = _BOXED.sub(" ", text)
    body = text.strip()
    if body[:1] == "=" and '"' in body:
        notes.append("spreadsheet_formula")
    elif body[:1] in ('"', "'"):
        notes.append("quotes")
    if body[:1] == "_":
        notes.append("leading_underscores")
    if body != text:
        notes.append("outer_blanks")
    return text, notes


def _without_table_heads(text: str) -> str:
    """The text without the rules of markdown tables and the heads above them."""
    kept: list[str] = []
    for line in text.split("\n"):
        if "|" in line and "--" in line and _TABLE_RULE.issuperset(line):
            if kept and not any(character.isdigit() for character in kept[-1]):
                kept.pop()
        else:
            kept.append(line)
    return "\n".join(kept)
