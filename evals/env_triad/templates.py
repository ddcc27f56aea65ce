"""Reading the template that an answer names, such as `soil_data`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from scoring.reply_text import drop_markup, drop_thinking, plain_characters

# The templates of the submission schema whose samples have the triad: those of facilities do not.
TEMPLATES = (
    "air_data",
    "biofilm_data",
    "built_env_data",
    "host_associated_data",
    "plant_associated_data",
    "sediment_data",
    "soil_data",
    "wastewater_sludge_data",
    "water_data",
)
LONGEST_READ = 1_000_000
_BETWEEN = re.compile(r"[\W_]+")
_NAMED = re.compile(
    r"(?<![a-z0-9])(?:"
    + "|".join(name.replace("_", r"[ _.-]{1,3}") for name in TEMPLATES)
    + r")(?![a-z0-9])"
)
# A name that the words before it in the same clause say no to.
_DENIED = re.compile(r"(?:\b(?:not|never|neither|nor)|n't)\b[^.,;:\n]{0,20}$")
_KEYS = ("sampledata", "template", "answer")


@dataclass(frozen=True, kw_only=True)
class TemplateScore:
    """The columns of one answer; `reason` says why none was read, or how."""

    truth_class: str
    pred_class: str | None
    exact_match: bool
    reason: str

    def as_row(self) -> dict[str, Any]:
        """The columns by name."""
        return dict(vars(self))


def score_template(prediction: str, reference: str) -> TemplateScore:
    """Hold the template that an answer names against the reference."""
    answer, reason = read_template(prediction)
    truth = read_template(reference)[0] or reference
    return TemplateScore(
        truth_class=truth, pred_class=answer, exact_match=answer == truth, reason=reason
    )


@lru_cache(maxsize=1 << 12)
def read_template(text: str) -> tuple[str | None, str]:
    """The one template that a text names, and how it was read: a reason code.

    An answer that is nothing but a name is read in any case and with any separators, with or
    without `_data` (reasons none or `other_form`). In longer text only names in full count
    (`in_text`), and not those that it says no to. Else None: `several_answers`, `denied` (no
    name but such) or `no_answer`.

    >>> read_template("Soil data")
    ('soil_data', 'other_form')
    """
    if text in TEMPLATES:
        return text, ""
    if len(text) > LONGEST_READ:
        text = text[:LONGEST_READ]
    plain = plain_characters(drop_thinking(text)).lower()
    whole = _whole(plain)
    if whole is not None:
        return whole, "other_form"
    shown = drop_markup(plain)
    whole = _whole(shown)
    if whole is not None:
        return whole, "other_form"
    found = list(_NAMED.finditer(shown))
    names = {
        _joined(each.group())
        for each in found
        if not _DENIED.search(shown, max(0, each.start() - 40), each.start())
    }
    if len(names) == 1:
        return names.pop(), "in_text"
    if names:
        return None, "several_answers"
    return None, "denied" if found else "no_answer"


def _whole(text: str) -> str | None:
    words = _joined(text)
    for key in _KEYS:
        words = words.removeprefix(f"{key}_")
    stem = words.removesuffix("_data")
    return f"{stem}_data" if f"{stem}_data" in TEMPLATES else None


def _joined(text: str) -> str:
    return _BETWEEN.sub("_", text).strip("_")
