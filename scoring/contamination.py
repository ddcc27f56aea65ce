"""Finds evaluation cases that also stand in the examples a model is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from scoring.mentions import fold_name

ContaminationKind = Literal["exact", "substring", "ngram", "pair"]

_SHORTEST_SUBSTRING = 30
_SYMMETRIC = frozenset({"complex", "association"})
_CLAIM = re.compile(r"(?P<left>[^\[\]]+?)\s*\[(?P<type>\w+)\]\s*(?P<right>[^\[\]]*)")
_STATE = re.compile(r"\([^()]*\)|@\w+")
_APART = re.compile(r"[^\w]+|_+")

_TEXTS = ("text", "sentence", "eval_text", "example", "evidence_text")


@dataclass(frozen=True, kw_only=True, slots=True)
class Contamination:
    """One case that an example gives away: how, and the two as they were given.

    `kind` is "exact" (but for case, blanks and punctuation), "substring" (one text within the
    other, 30 characters or more), "ngram" (words in a row in common) or "pair" (the same
    entities).
    """

    kind: ContaminationKind
    example: Any
    case: Any


def find_contamination(
    examples: Iterable[Any], cases: Iterable[Any], *, ngram: int = 8
) -> list[Contamination]:
    """All pairs of an example and a case that share a text or their entities.

    Both are texts, or objects or mappings with text, and agents (or subject and object) and
    type, or a claim to read them from. A text is reported once, by its closest kind. Entities
    agree in order, but in any order for Complex, Association and unknown types. Raises
    ValueError for an ngram below 1.
    """
    if ngram < 1:
        raise ValueError(f"ngram must be at least 1, found {ngram}")
    known = _Known([_Item(example) for example in examples], ngram)
    found = []
    for case in cases:
        item = _Item(case)
        for place, kind in known.matches(item):
            found.append(Contamination(kind=kind, example=known.items[place].given, case=case))
    return found


class _Item:
    """An example or a case, folded."""

    def __init__(self, given: Any) -> None:  # noqa: ANN401
        self.given = given
        text = given if isinstance(given, str) else next(filter(None, _values(given, _TEXTS)), "")
        self.words = _fold(str(text)).split()
        self.text = " ".join(self.words)
        self.ordered, self.unordered = frozenset[tuple[str, str]](), frozenset[tuple[str, str]]()
        if not isinstance(given, str):
            self._read_entities(given)

    def _read_entities(self, given: Any) -> None:  # noqa: ANN401
        agents, kind = _entities(given)
        named = [fold for fold in map(_fold_entity, agents) if fold]
        both = frozenset((min(pair), max(pair)) for pair in combinations(named, 2))
        if kind and kind.lower() not in _SYMMETRIC:
            self.ordered = frozenset((named[0], other) for other in named[1:])
        else:
            self.unordered = both

    def grams(self, length: int) -> set[tuple[str, ...]]:
        return {tuple(self.words[at : at + length]) for at in range(len(self.words) - length + 1)}


class _Known:
    """The examples, indexed."""

    def __init__(self, items: Sequence[_Item], ngram: int) -> None:
        self.items = items
        self._ngram = ngram
        self._grams: dict[tuple[str, ...], set[int]] = {}
        self._pairs: dict[tuple[str, str], set[int]] = {}
        for place, item in enumerate(items):
            for gram in item.grams(ngram):
                self._grams.setdefault(gram, set()).add(place)
            for left, right in item.ordered | item.unordered:
                self._pairs.setdefault((min(left, right), max(left, right)), set()).add(place)

    def matches(self, case: _Item) -> Iterator[tuple[int, ContaminationKind]]:
        shared = {place for gram in case.grams(self._ngram) for place in self._grams.get(gram, ())}
        paired = {
            place
            for left, right in case.ordered | case.unordered
            for place in self._pairs.get((min(left, right), max(left, right)), ())
            if _same_pair(self.items[place], case)
        }
        for place, example in enumerate(self.items):
            kind = _text_kind(example, case)
            if kind is None and place in shared:
                kind = "ngram"
            if kind is not None:
                yield place, kind
            if place in paired:
                yield place, "pair"


def _text_kind(example: _Item, case: _Item) -> ContaminationKind | None:
    if not example.text or not case.text:
        return None
    if example.text == case.text:
        return "exact"
    shorter, longer = sorted((example.text, case.text), key=len)
    if len(shorter) >= _SHORTEST_SUBSTRING and f" {shorter} " in f" {longer} ":
        return "substring"
    return None


def _same_pair(example: _Item, case: _Item) -> bool:
    if example.ordered and case.ordered:
        return bool(example.ordered & case.ordered)
    return bool(_sorted_pairs(example) & _sorted_pairs(case))


def _sorted_pairs(item: _Item) -> frozenset[tuple[str, str]]:
    return item.unordered or frozenset((min(pair), max(pair)) for pair in item.ordered)


def _entities(given: Any) -> tuple[list[str], str]:  # noqa: ANN401
    """The names of an item's entities and its statement type, "" where unknown."""
    agents, subject, object_, kind, claim = _values(
        given, ("agents", "subject", "object", "type", "claim")
    )
    names = [str(getattr(agent, "name", agent)) for agent in agents or () if agent]
    if not names and (subject or object_):
        names = [str(name) for name in (subject, object_) if name]
    parsed = _CLAIM.search(_STATE.sub("", str(claim).removeprefix("not: "))) if claim else None
    if parsed:
        kind = kind or parsed["type"]
        if not names:
            right = re.split(r"\s->\s|,\s", parsed["right"])
            names = [name.strip() for name in (parsed["left"], *right)]
            names = [name for name in names if name and name != "?"]
    return names, str(kind or "")


def _values(given: Any, names: Sequence[str]) -> list[Any]:  # noqa: ANN401
    if isinstance(given, Mapping):
        return [given.get(name) for name in names]
    return [getattr(given, name, None) for name in names]


def _fold(text: str) -> str:
    return _APART.sub(" ", text.casefold()).strip()


def _fold_entity(name: str) -> str:
    return fold_name(name).strip()
