"""Finding ids and labels under their keys, in JSON and in what looks like it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from scoring.term_ids import find_ids
from scoring.term_labels import WINDOW, trim

_LABEL_KEY = r"(?:label|name|term|term[_ ]?(?:label|name)|text)"
_ID_KEY = r"(?:id|curie|ontology[_ ]?id|term[_ ]?id|identifier|accession|code|iri|uri)"
# What an object says beside its answer, where it has one.
_ANSWER_KEY = re.compile(r"(?:final[_ ])?(?:answer|prediction|value|result)", re.I)
_ASIDE_KEY = re.compile(
    r"(?:reason(?:ing|s)?|explanation|rationale|justification|thought(?:s|_process)?|thinking"
    r"|analysis|notes?|comments?|evidence|alternatives?|confidence|step[s_]?\w{0,20})",
    re.I,
)
_KEYS = re.compile(
    rf"(?:^|(?<=[\s,{{\[\"'*]))(?:(?P<label>{_LABEL_KEY})|(?P<id>{_ID_KEY}))[\"'*]{{0,3}}\s?[:=]\s?",
    re.I | re.M,
)


def json_fields(text: str) -> list[dict[str, str]] | None:
    """The ids and labels of a JSON document, in order; None where the text is none."""
    body = text.strip()
    if body[:1] not in ("{", "[") or body[-1:] not in ("}", "]") or len(body) > 100_000:
        return None
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return None
    found = list(_dicts(document, 0))
    return [fields for fields in found if fields.get("id") or fields.get("label")] or None


def _dicts(value: Any, depth: int) -> Iterator[dict[str, str]]:  # noqa: ANN401
    if depth > 8:
        return
    if isinstance(value, dict):
        fields = {"id": "", "label": ""}
        answered = any(_ANSWER_KEY.fullmatch(key) or _is_term_key(key) for key in value)
        for key, inner in value.items():
            if answered and _ASIDE_KEY.fullmatch(key):
                continue
            if isinstance(inner, (dict, list)):
                yield from _dicts(inner, depth + 1)
            elif re.fullmatch(_ID_KEY, str(key), re.I):
                fields["id"] = str(inner)
            elif re.fullmatch(_LABEL_KEY, str(key), re.I):
                fields["label"] = str(inner)
            elif isinstance(inner, str) and find_ids(inner):
                yield {"id": "", "label": inner}
        yield fields
    elif isinstance(value, list):
        for inner in value:
            yield from _dicts(inner, depth + 1)
    elif isinstance(value, str):
        yield {"id": "", "label": value}


def _is_term_key(key: str) -> bool:
    return bool(re.fullmatch(rf"{_ID_KEY}|{_LABEL_KEY}|env_\w{{1,40}}", key, re.I))


def key_fields(text: str) -> list[dict[str, str]] | None:
    """The pairs of `label: …` and `id: …`, as in YAML or broken JSON; None without both."""
    keys = list(_KEYS.finditer(text))
    if not (any(key["label"] for key in keys) and any(key["id"] for key in keys)):
        return None
    fields: list[dict[str, str]] = []
    for key, following in zip(keys, [*keys[1:], None], strict=True):
        end = following.start() if following else len(text)
        kind = "label" if key["label"] else "id"
        value = text[key.end() : min(end, key.end() + WINDOW)].split("\n", 1)[0]
        if not fields or kind in fields[-1]:
            fields.append({})
        fields[-1][kind] = trim(value.split('",', 1)[0].split("',", 1)[0])
    whole = [field for field in fields if find_ids(field.get("id", ""))]
    return [{"id": "", "label": "", **field} for field in whole] or None
