"""Text on its way into HTML: escaped, and without the characters that HTML forbids."""

from __future__ import annotations

import html
import json
import re

# Controls, surrogates and noncharacters: an HTML parser calls each of them an error.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(chr(plane * 0x10000 + 0xFFFE) + chr(plane * 0x10000 + 0xFFFF) for plane in range(17))
    + "]"
)
_UNSAFE_IN_SCRIPT = re.compile("[<>&\u2028\u2029]|" + _FORBIDDEN.pattern)


def escape(value: object) -> str:
    """`value` as text for an element or a quoted attribute."""
    return html.escape(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", str(value)), quote=True)


def script_json(value: object) -> str:
    """`value` as JSON that can stand in a script element and ends it under no circumstances."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE_IN_SCRIPT.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))
