"""The plain keyword answer: the value whose label or exact synonym is nearest to what is shown."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from scoring import load_ontology, parse_term

_WORD = re.compile(r"[^\W_]+")


class _Name(NamedTuple):
    answer: str
    words: frozenset[str]


class _Names(NamedTuple):
    names: Sequence[_Name]
    weights: dict[str, float]


def lexical_answer(shown: Sequence[tuple[str, str]], candidates: tuple[str, ...]) -> str:
    """The candidate `label [CURIE]` with the name of highest cosine to the metadata shown.

    Both are TF-IDF vectors of lower-case words, where a word in d of n names weighs
    ln(1 + n / d). Of equal candidates the first is taken, also where nothing is in common.
    """
    index = _names(candidates)
    counts = Counter(word for _, value in shown for word in _words(value))

    def cosine(name: _Name) -> float:
        # The length of the metadata's own vector is the same for all names.
        squares = {word: index.weights[word] ** 2 for word in name.words}
        dot = sum(counts[word] * square for word, square in squares.items())
        return dot / math.sqrt(sum(squares.values()))

    return max(index.names, key=cosine).answer


@cache
def _names(candidates: tuple[str, ...]) -> _Names:
    names = [
        _Name(text, words)
        for text in candidates
        for given in _labels(text)
        if (words := frozenset(_words(given)))
    ]
    counts = Counter(word for name in names for word in name.words)
    weights = {word: math.log(1 + len(names) / n) for word, n in counts.items()}
    return _Names(names, weights)


def _labels(text: str) -> list[str]:
    term = parse_term(text)
    synonyms = (
        synonym
        for name in ("envo", "po")
        for synonym, scope in load_ontology(name).synonyms(term.curie or "")
        if scope == "EXACT"
    )
    return list(dict.fromkeys([term.label or text, *synonyms]))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
