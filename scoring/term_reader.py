"""Reading terms as people and models really write them, with a reason code for each repair."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scoring.strict_term import ParsedTerm
from scoring.term_fields import json_fields, key_fields
from scoring.term_ids import KNOWN_PREFIXES, FoundId, find_ids
from scoring.term_labels import (
    PLACEHOLDERS,
    WINDOW,
    is_known,
    label_after,
    label_before,
    names,
    trim,
    without_lead,
)
from scoring.term_text import MISSING, REFUSAL, plain_text

_PREFIX_ON_LABEL = re.compile(r"(?:(?i:ENVO|PO|UBERON)\s?[:_]\s?|ENVO\s)(?=[A-Za-z]{3})")
_NA_INSERTED = re.compile(r"(?<=[A-Za-z])not applicable|not applicable(?=[a-z])")
_MOJIBAKE = re.compile(r"[?\ufffd]+")
_SEPARATOR = re.compile(r"[|;]")
_UNREAD_ID = re.compile(r"\s*\{?\[[^\[\]]{0,40}\]?\}?\s*\Z")
_PROSE_WORDS = 14


def read_terms(text: object) -> list[ParsedTerm]:
    """Every term that a text names, in order, as `scoring.parse_terms` documents it."""
    raw = text if isinstance(text, str) else str(text)
    plain, notes = plain_text(raw)
    if not plain.strip() or MISSING.fullmatch(trim(plain[:WINDOW]) or plain.strip()[:WINDOW]):
        return []
    fields = json_fields(plain)
    pairs = fields or key_fields(plain)
    terms = _from_fields(pairs) if pairs else _from_text(plain)
    if fields or plain.lstrip().startswith("{"):
        notes.append("json")
    return _finish(terms, notes)


def _from_fields(fields: Sequence[dict[str, str]]) -> list[ParsedTerm]:
    terms: list[ParsedTerm] = []
    for field in fields:
        ids = find_ids(field["id"])
        if ids and field["label"] and not find_ids(field["label"]):
            label = without_lead(trim(field["label"][:WINDOW]))
            terms.append(_with_label(ids[0], label, ()))
        else:
            terms.extend(_from_text("\n".join(filter(None, (field["label"], field["id"])))))
    return terms


def _from_text(text: str) -> list[ParsedTerm]:
    ids = find_ids(text)
    if not ids:
        return _labels_alone(text)
    gaps = [
        text[end:start]
        for end, start in zip(
            [0, *(one.end for one in ids)], [*(one.start for one in ids), len(text)], strict=True
        )
    ]
    before = [label_before(gap, joined=place > 0) for place, gap in enumerate(gaps[:-1])]
    after = _labels_after(ids, gaps, before)
    last = len(ids) - 1
    terms: list[ParsedTerm] = []
    for place, one in enumerate(ids):
        gap, label = gaps[place], after[place] or before[place]
        parts = _SEPARATOR.split(gap[-WINDOW:])
        if label is not None and label == before[place] and not trim(parts[-1]):
            # Set off by a separator, a label is its id's own unless it names another term.
            parts = parts[:-1]
            if is_known(label) and not names(label, one.curie):
                label = None
                parts.append("")
        reasons: list[str] = []
        if place and not re.search(r"[|;,&/\n]|\band\b|\bor\b", gap):
            reasons.append("separator_missing")
        if after[place] is not None:
            reasons.append("label_after_curie")
        else:
            reasons.extend(_odd_before(gap, label, text[one.start : one.start + 2]))
        if place == last and after[last] is None:
            reasons.extend(_odd_after(gaps[-1]))
        skipped = 0 if not place else 1 if trim(parts[0]) or after[place - 1] is None else 2
        terms.extend(_parts_alone(parts[skipped:-1]))
        terms.append(_with_label(one, label, reasons))
    head, *tail = _SEPARATOR.split(gaps[-1][:WINDOW])
    if after[last] is not None:
        terms.extend(_parts_alone(tail if trim(head) else tail[1:]))
    elif not any(character.isalpha() for character in head):
        terms.extend(_parts_alone(tail))
    return terms


def _is_own(label: str, one: FoundId, gap: str) -> bool:
    """Whether a label after an id belongs to it, and is no value of its own."""
    if MISSING.fullmatch(label):
        return False
    if gap.lstrip()[:1] not in ("|", ";"):
        return True
    return names(label, one.curie) or (not is_known(label) and one.raw_id is None)


def _odd_before(gap: str, label: str | None, link: str) -> Iterator[str]:
    """What stands between a label and its id, or before the label, and should not."""
    if label is None:
        return
    if link[:1].isspace():
        if link.isspace() and len(link) > 1:
            yield "inner_blanks"
    elif gap[-1:] == label[-1:]:
        yield "no_space_before_bracket"
    bare = gap.strip().lstrip("_")
    if bare.lstrip("[(\"'") not in (label, label + '"'):
        yield "extra_text"


def _odd_after(gap: str) -> Iterator[str]:
    rest = gap.strip()
    if rest == ".":
        yield "full_stop"
    elif rest[:1] in ("|", ";") and not rest.strip("|; "):
        yield "empty_part"
    elif trim(rest[:WINDOW]) and rest[:1] not in ("|", ";"):
        yield "trailing_text"


def _labels_after(
    ids: Sequence[FoundId], gaps: Sequence[str], before: list[str | None]
) -> list[str | None]:
    """The labels that follow their ids, where it is that way round."""
    nothing: list[str | None] = [None] * len(ids)
    following = [
        label if label is not None and _is_own(label, one, gap) else None
        for one, gap in zip(ids, gaps[1:], strict=True)
        for label in (label_after(gap),)
    ]
    first = before[0]
    if first is not None and (is_known(first) or not is_known(following[0] or "")):
        return nothing
    if following[0] is None:
        return nothing
    if len(ids) > 1 and (following[-1] is None or any(one.square for one in ids[1:])):
        return nothing
    before[:] = nothing
    return following


def _parts_alone(parts: Sequence[str]) -> Iterator[ParsedTerm]:
    """The labels among parts that `|` or `;` set off and that hold no id."""
    for part in parts:
        label = without_lead(part)
        if not label or label.lower() in PLACEHOLDERS:
            continue
        if label not in KNOWN_PREFIXES and not _is_prose(label):
            yield ParsedTerm(label=label, reasons=("label_only",))


def _is_prose(label: str) -> bool:
    if is_known(label):
        return False
    if MISSING.fullmatch(label):
        return True
    words = label.split()
    return len(words) > 6 or bool(
        re.match(
            r"(?:it|so|because|since|the|this|that|therefore|thus|as|but|which|based|i|we|and|for)\b",
            label,
            re.I,
        )
    )


def _labels_alone(text: str) -> list[ParsedTerm]:
    """A text without any id: its labels, where it is short enough to be some."""
    if REFUSAL.match(text):
        return []
    lines = [line for line in text[: 8 * WINDOW].split("\n") if trim(line[:WINDOW])]
    if len(lines) > 1:
        known = [line for line in lines if is_known(without_lead(trim(line[:WINDOW])) or "")]
        lines = known or lines[:1]
    terms: list[ParsedTerm] = []
    for line in lines:
        parts = _SEPARATOR.split(line) if len(line) <= 2 * WINDOW else [line[-WINDOW:]]
        if MISSING.fullmatch(trim(parts[0])):
            parts = [part for part in parts if is_known(trim(part))]
        for part in parts:
            terms.extend(_label_alone(part))
    return terms


def _label_alone(part: str) -> Iterator[ParsedTerm]:
    reasons = ["label_only"]
    part = part.strip()
    if _MOJIBAKE.search(part):
        reasons.append("mojibake")
        part = _MOJIBAKE.sub(" ", part)
    if _NA_INSERTED.search(part):
        reasons.append("corrupted_by_replace")
        part = _NA_INSERTED.sub("na", part)
    if _UNREAD_ID.search(part):
        reasons.append("unread_id")
        part = _UNREAD_ID.sub("", part)
    label = trim(part)
    if not is_known(label):
        label = without_lead(label) or ""
    prefixed = _PREFIX_ON_LABEL.match(label)
    if prefixed:
        reasons.append("prefix_on_label")
        label = trim(label[prefixed.end() :])
    letters = sum(character.isalpha() for character in label)
    if letters < 2 or label in KNOWN_PREFIXES or MISSING.fullmatch(label):
        return
    if label.lower() in PLACEHOLDERS:
        return
    commas = [trim(piece) for piece in label.split(",")]
    if not is_known(label) and len(commas) > 1 and all(is_known(piece) for piece in commas):
        for piece in commas:
            yield ParsedTerm(label=piece, reasons=tuple(reasons))
        return
    if not is_known(label):
        found = label_before(label) or label
        if is_known(found):
            reasons.append("prose")
            label = found
    if len(label.split()) <= _PROSE_WORDS or is_known(label):
        yield ParsedTerm(label=label, reasons=tuple(reasons))


def _with_label(one: FoundId, label: str | None, reasons: Sequence[str]) -> ParsedTerm:
    missing = () if label else ("missing_label",)
    return ParsedTerm(
        label=label,
        curie=one.curie,
        raw_id=one.raw_id,
        reasons=(*one.reasons, *reasons, *missing),
    )


def _finish(terms: Sequence[ParsedTerm], notes: Sequence[str]) -> list[ParsedTerm]:
    """Merge what is said twice and put the reasons of the whole text on every term."""
    merged: dict[tuple[str | None, str | None], ParsedTerm] = {}
    for term in terms:
        identity = (term.curie or term.raw_id, None if term.curie or term.raw_id else term.label)
        earlier = merged.get(identity)
        if earlier is not None and (earlier.label is not None or term.label is None):
            continue
        merged[identity] = term
    several = ("multi_term",) if len(merged) > 1 else ()
    return [
        ParsedTerm(
            label=term.label,
            curie=term.curie,
            raw_id=term.raw_id,
            reasons=tuple(dict.fromkeys((*notes, *term.reasons, *several))),
        )
        for term in merged.values()
    ]
