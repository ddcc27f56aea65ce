"""Reading `label [CURIE]` by the strict rule, exactly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_CURIE = re.compile(r"\w+:\d+", re.ASCII)


@dataclass(frozen=True, kw_only=True, slots=True)
class ParsedTerm:
    """What a reader found: a label, a CURIE, and by which repairs; false if it found nothing.

    `raw_id` is an id that was there and cannot be one (a wrong number of digits, no known
    ontology); `reasons` name each repair in the order of reading.
    """

    label: str | None = None
    curie: str | None = None
    reasons: tuple[str, ...] = ()
    raw_id: str | None = None

    def __bool__(self) -> bool:
        return self.curie is not None or self.label is not None


UNREAD = ParsedTerm()


@lru_cache(maxsize=65536)
def read_strictly(text: str) -> ParsedTerm:
    """Read a text by the strict rule, as `scoring.parse_term` documents it."""
    # The rule is the expression _*(.+?)\s*\[(\w+:\d+)\] on the whole text. Read from the
    # end, since that expression is quadratic in runs of blanks or underscores.
    body = text.strip().strip('"')
    if not body.endswith("]"):
        return UNREAD
    bracket = body.rfind("[")
    if bracket < 0 or not _CURIE.fullmatch(body, bracket + 1, len(body) - 1):
        return UNREAD
    label = _strict_label(body[:bracket])
    if label is None:
        return UNREAD
    return ParsedTerm(label=label.strip(), curie=body[bracket + 1 : -1])


def _strict_label(head: str) -> str | None:
    bare = head.lstrip("_")
    label = bare.rstrip() or bare[:1]
    if not label or label == "\n":
        # The run of underscores gives one back, for a label needs a character.
        return "_" if len(bare) < len(head) else None
    return None if "\n" in label else label
