"""The plain keyword answer: the enzyme whose names share most with what is shown."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from evals.ec_number.genes import enzyme_names
from scoring import ec_status

NOTHING_FOUND = "none"
# What a name holds beyond the words shown counts against it, this much a word.
_SURPLUS = 0.5
_WORD = re.compile(r"[a-z][a-z0-9]{2,}")
_SPECIES = frozenset({"human"})


class _Index(NamedTuple):
    names: Sequence[tuple[str, frozenset[str]]]
    places: Mapping[str, Sequence[int]]


@cache
def _index() -> _Index:
    """Each live name as its number and words, and where each word occurs."""
    names = [
        (code, frozenset(_words(name)))
        for code, given in enzyme_names().items()
        if code.count(".") == 3 and ec_status(code) == "valid"
        for name in given
    ]
    places: dict[str, list[int]] = defaultdict(list)
    for place, (_, words) in enumerate(names):
        for word in words:
            places[word].append(place)
    return _Index(names, places)


def lexical_answer(shown: Sequence[tuple[str, str]]) -> str:
    """The number of the name with the most informative words in common; `none` where none has any.

    Words weigh by how few names hold them; of equal names the first number is taken.
    """
    index = _index()
    words = {word for _, value in shown for word in _words(value)} - _SPECIES
    shared: dict[int, float] = defaultdict(float)
    for word in words & index.places.keys():
        weight = math.log(len(index.names) / len(index.places[word]))
        for place in index.places[word]:
            shared[place] += weight
    if not shared:
        return NOTHING_FOUND

    def rank(place: int) -> tuple[float, str]:
        code, held = index.names[place]
        return -(shared[place] - _SURPLUS * len(held - words)), code

    return index.names[min(shared, key=rank)][0]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
