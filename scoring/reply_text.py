"""Takes thinking blocks, markup and look-alike characters off a model's reply."""

from __future__ import annotations

import html
import re
import unicodedata

_THINKING_TAG = re.compile(r"<(/?)(?:think(?:ing)?|thought|reasoning|scratchpad)\b[^<>]*>", re.I)

_INVISIBLE = dict.fromkeys(
    [
        *(0x00AD, 0x034F, 0x061C, 0x180E, 0xFEFF),
        *(*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)),
    ]
)
_DASHES = dict.fromkeys([*range(0x2010, 0x2016), 0x2043, 0x2212, 0x2E3A, 0x2E3B, 0xFE58], "-")
_PUNCTUATION = {**_DASHES, 0x3001: ","}
# NFKC would glue a footnote mark to the number before it.
_RAISED = dict.fromkeys([0xB2, 0xB3, 0xB9, *range(0x2070, 0x2080), *range(0x2080, 0x208F)], " ")
_CHARACTERS: dict[int, str | None] = {**_INVISIBLE, **_DASHES, **_RAISED}

_STRUCK = re.compile(
    r"<(del|s|strike)\b[^<>]*>.{0,5000}?</\1\s*>|~~(?=[^\s~]).{1,2000}?~~", re.I | re.S
)
_FOOTNOTE = re.compile(r"<(su[bp])>\s*\d{1,3}\s*</\1>", re.I)
_LINE_TAG = re.compile(
    r"</?(?:br|p|li|ul|ol|div|tr|table|tbody|thead|blockquote|pre|hr|h[1-6])\b[^<>]*>", re.I
)
_TAG = re.compile(
    r"<!--.{0,5000}?-->|</?([a-z][a-z_-]*)(?:\s+[a-z-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s<>\"']+))*\s*/?>",
    re.I | re.S,
)
_CELL_TAGS = frozenset({"td", "th"})

_TEX_GROUP = re.compile(
    r"\\(?:text[a-z]*|math[a-z]+|boxed|mbox|fbox|emph|operatorname|underline)\s*\{([^{}]*)\}"
)
_TEX_DOT = re.compile(r"\\(?:cdotp?|ldotp|centerdot|bullet)(?![a-z])\s*(?:\{\})?\s*")
_TEX_SPACE = re.compile(r"\\(?:[,;:!>() \[\]]|q?quad\b)|\$+")
_ESCAPED = re.compile(r"\\([-_*#%&.~`])")

_FENCE = re.compile(r"```[a-z0-9]*[ \t]*\n|```|~~~[a-z0-9]*[ \t]*\n|~~~", re.I)
_LINK = re.compile(r"\[([^\[\]]*\d[^\[\]]*)\]\([^()\s]*\)")
# A star in the place of an EC number's field is a field that is not given; others are emphasis.
_STAR_FIELD = re.compile(r"(?<![\d.])((?:\d+|[-?xX])(?:\.(?:\d+|[-?xX])){0,2}\.)\*")
_STARS_BETWEEN = re.compile(r"(?<=\w)\*+(?=\w)")
_UNDERSCORES = re.compile(r"(?<![A-Za-z0-9])_+(?=\S)|(?<=\S)_+(?![A-Za-z0-9])")
_LINE_MARK = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]+|[-+][ \t]+(?=\S)"
    r"|\(?\d{1,2}[.)][ \t]+(?=[^\d\s]|\d+(?:\.[-\dnNbBxX*?]+){2}))",
    re.M,
)


def drop_thinking(text: str) -> str:
    """The reply without its thinking blocks; what follows one that never ends is thinking too."""
    if "<" not in text:
        return text
    kept: list[str] = []
    depth = place = 0
    for tag in _THINKING_TAG.finditer(text):
        if tag.group(1):
            # Some servers leave the opening tag out: then all before the end was thinking.
            kept = kept if depth else []
            depth = 0
        elif not depth:
            kept.append(text[place : tag.start()])
            depth = 1
        place = tag.end()
    return " ".join(kept if depth else [*kept, text[place:]])


def plain_characters(text: str) -> str:
    """Compatibility forms, dashes, digits of other scripts and invisible characters made plain."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text.translate(_CHARACTERS)).translate(_PUNCTUATION)
    if not any(character.isdecimal() and not character.isascii() for character in text):
        return text
    return "".join(
        str(unicodedata.decimal(character)) if character.isdecimal() else character
        for character in text
    )


def drop_markup(text: str) -> str:
    """The reply without HTML, LaTeX and markdown; struck-out text goes with them."""
    if "<" in text or "~~" in text:
        text = _STRUCK.sub(" ", text)
    if "<" in text:
        text = _LINE_TAG.sub("\n", _FOOTNOTE.sub(" ", text))
        text = _TAG.sub(_tag_text, text)
    if "&" in text:
        text = plain_characters(html.unescape(text))
    if "\\" in text or "$" in text:
        text = _drop_latex(text)
    if "`" in text or "~~~" in text:
        text = _FENCE.sub("\n", text).replace("`", "")
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "*" in text:
        text = _drop_stars(text)
    if "_" in text:
        text = _UNDERSCORES.sub("", text)
    return _LINE_MARK.sub("", text)


def _tag_text(tag: re.Match[str]) -> str:
    name = (tag.group(1) or "").lower()
    if name in _CELL_TAGS:
        return " | "
    # An element such as <ec_number> labels what it holds.
    return f" {name}: " if name.startswith("ec") and not tag.group().startswith("</") else ""


def _drop_stars(text: str) -> str:
    fields = 1
    while fields:
        text, fields = _STAR_FIELD.subn(r"\1-", text)
    return _STARS_BETWEEN.sub(" ", text).replace("*", "")


def _drop_latex(text: str) -> str:
    for _ in range(4):
        text, groups = _TEX_GROUP.subn(r"\1", text)
        if not groups:
            break
    text = _TEX_DOT.sub(".", text)
    return _TEX_SPACE.sub(" ", _ESCAPED.sub(r"\1", text))
