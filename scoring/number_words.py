"""Reads whole numbers up to nine hundred written in English words."""

from __future__ import annotations

import re

_UNITS = {
    word: value
    for value, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
            *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
            *("seventeen", "eighteen", "nineteen"),
        )
    )
}
_TENS = {
    word: value
    for value, word in zip(
        range(20, 100, 10),
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
        strict=True,
    )
}
_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?:(?P<hundreds>an?|{_UNIT})\s+hundred(?:\s+and)?[\s-]*)?"
    rf"(?:(?P<tens>{'|'.join(_TENS)})[\s-]*)?(?P<units>{_UNIT})?",
    re.I,
)


def read_number_words(text: str) -> int | None:
    """The number that the whole text spells, as in `eighty-five`; None if it spells none."""
    text = text.strip()
    spelled = _NUMBER.fullmatch(text)
    if not text or spelled is None:
        return None
    hundreds, tens, units = (part and part.lower() for part in spelled.groups())
    if tens and units and not 0 < _UNITS[units] < 10:
        return None
    value = _TENS[tens] if tens else 0
    value += _UNITS[units] if units else 0
    return value + 100 * _UNITS.get(hundreds, 1) if hundreds else value
