"""Facts of one ontology release: labels, synonyms, is_a ancestors with their distances."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple


class Term(NamedTuple):
    """One class of an ontology, as its release states it; `synonyms` are (text, scope)."""

    id: str
    label: str
    parents: tuple[str, ...] = ()
    synonyms: tuple[tuple[str, str], ...] = ()
    obsolete: bool = False
    replaced_by: tuple[str, ...] = ()
    consider: tuple[str, ...] = ()


# Deeper than any ontology: what climbs further goes round in a circle.
_DEEP = 200
_FAR = 1 << 30
_OBO_IRI = re.compile(r"https?://purl\.obolibrary\.org/obo/([A-Za-z][A-Za-z0-9_]*)_(\w+)\Z")
_BLANKS = re.compile(r"[\s_\u200b\ufeff]+")


def plain_label(text: str) -> str:
    """A label for comparing: case folded, runs of blanks and underscores one blank."""
    return _BLANKS.sub(" ", text).strip().casefold()


def as_curie(iri: str) -> str:
    """The CURIE of an OBO library IRI; any other text as it is."""
    found = _OBO_IRI.match(iri)
    return f"{found[1]}:{found[2]}" if found else iri


def release_date(version: str) -> str:
    """The date in a version IRI or text; the text itself where it holds none."""
    found = re.search(r"\d{4}-\d{2}-\d{2}", version)
    return found.group() if found else version


class Ontology:
    """One release of one ontology as facts: what is called what, and what is a kind of what.

    `name`, `release` and `sha256` (of the source document) say which; `prefix` is the one
    that most of its live terms carry, the ontology's own beside its imports. Parents that
    no term of the release defines are left out. Raises ValueError for an id stated twice.
    """

    def __init__(
        self, terms: Iterable[Term], *, name: str, release: str = "", sha256: str = ""
    ) -> None:
        self._terms: dict[str, Term] = {}
        for term in terms:
            if term.id in self._terms:
                raise ValueError(f"{name or 'ontology'}: the id {term.id} is stated twice")
            self._terms[term.id] = term
        self.name = name
        self.release = release
        self.sha256 = sha256
        self._ancestors: dict[str, Mapping[str, int]] = {}

    def __repr__(self) -> str:
        return f"Ontology({self.name!r}, release={self.release!r}, terms={len(self)})"

    def __len__(self) -> int:
        return len(self._terms)

    def __iter__(self) -> Iterator[str]:
        return iter(self._terms)

    def __contains__(self, curie: object) -> bool:
        return curie in self._terms

    @cached_property
    def prefix(self) -> str:
        """The prefix of the ontology's own terms, as against those it imports."""
        counts = Counter(
            curie.partition(":")[0] for curie, term in self._terms.items() if not term.obsolete
        )
        return counts.most_common(1)[0][0] if counts else ""

    def term(self, curie: str) -> Term | None:
        """All that the release says of one term, None where it has no such id."""
        return self._terms.get(curie)

    def is_live(self, curie: str) -> bool:
        """Whether the release has this id and has not made it obsolete."""
        term = self._terms.get(curie)
        return term is not None and not term.obsolete

    def is_obsolete(self, curie: str) -> bool:
        """Whether the release has this id and calls it obsolete."""
        term = self._terms.get(curie)
        return term is not None and term.obsolete

    def label(self, curie: str) -> str | None:
        """The primary label, None for an id that the release lacks."""
        term = self._terms.get(curie)
        return term.label if term is not None else None

    def parents(self, curie: str) -> tuple[str, ...]:
        """The is_a parents that are terms of this release."""
        term = self._terms.get(curie)
        if term is None:
            return ()
        return tuple(parent for parent in term.parents if parent in self._terms)

    def synonyms(self, curie: str) -> tuple[tuple[str, str], ...]:
        """Pairs of synonym and scope (EXACT, BROAD, NARROW, RELATED)."""
        term = self._terms.get(curie)
        return term.synonyms if term is not None else ()

    def replaced_by(self, curie: str) -> tuple[str, ...]:
        """The ids that an obsolete term is replaced by."""
        term = self._terms.get(curie)
        return term.replaced_by if term is not None else ()

    def consider(self, curie: str) -> tuple[str, ...]:
        """The ids that an obsolete term's users are asked to consider."""
        term = self._terms.get(curie)
        return term.consider if term is not None else ()

    @cached_property
    def _by_label(self) -> Mapping[str, tuple[str, ...]]:
        return _index(
            (term.label, curie) for curie, term in self._terms.items() if not term.obsolete
        )

    @cached_property
    def _by_exact_synonym(self) -> Mapping[str, tuple[str, ...]]:
        return _index(
            (text, curie)
            for curie, term in self._terms.items()
            if not term.obsolete
            for text, scope in term.synonyms
            if scope == "EXACT"
        )

    def labelled(self, text: str) -> tuple[str, ...]:
        """The live terms whose label this is, case and blanks aside."""
        return self._by_label.get(plain_label(text), ())

    def resolve(self, text: str) -> tuple[str, ...]:
        """The live terms that a text names: by label, or else by EXACT synonym."""
        return self.labelled(text) or self._by_exact_synonym.get(plain_label(text), ())

    def ancestors(self, curie: str) -> Mapping[str, int]:
        """The term itself (0) and all its is_a ancestors, each with the fewest hops up to it.

        Empty for an id that the release lacks; only itself for an obsolete one.
        """
        known = self._ancestors.get(curie)
        return self._climb(curie, 0) if known is None else known

    def _climb(self, curie: str, depth: int) -> Mapping[str, int]:
        # From the parents' own ancestors, which most terms share with many others.
        term = self._terms.get(curie)
        if term is None:
            return {}
        hops = {curie: 0}
        for parent in term.parents:
            above = self._ancestors.get(parent)
            if above is None:
                if depth > _DEEP:
                    hops = self._walk(curie)
                    break
                above = self._climb(parent, depth + 1)
            for ancestor, distance in above.items():
                if distance + 1 < hops.get(ancestor, _FAR):
                    hops[ancestor] = distance + 1
        self._ancestors[curie] = known = MappingProxyType(hops)
        return known

    def _walk(self, curie: str) -> dict[str, int]:
        # Level by level, so that a cycle ends and any depth is reached.
        terms = self._terms
        hops = {curie: 0}
        level: Sequence[str] = (curie,)
        distance = 0
        while level:
            distance += 1
            above: list[str] = []
            for child in level:
                for parent in terms[child].parents:
                    if parent not in hops and parent in terms:
                        hops[parent] = distance
                        above.append(parent)
            level = above
        return hops

    def distance(self, curie: str, ancestor: str) -> int | None:
        """Hops of the shortest is_a path from a term up to its ancestor; None if it is none.

        0 for a term and itself, None for ids that the release lacks.
        """
        return self.ancestors(curie).get(ancestor)

    @cached_property
    def roots(self) -> frozenset[str]:
        """The live terms without a parent."""
        return frozenset(
            curie
            for curie, term in self._terms.items()
            if not term.obsolete and not self.parents(curie)
        )

    @cached_property
    def live_count(self) -> int:
        """How many terms of the release are not obsolete."""
        return sum(not term.obsolete for term in self._terms.values())

    @cached_property
    def _descendant_counts(self) -> Mapping[str, int]:
        counts = dict.fromkeys(self._terms, -1)
        for curie, term in self._terms.items():
            if not term.obsolete:
                for ancestor in self.ancestors(curie):
                    counts[ancestor] += 1
        return counts

    def descendant_count(self, curie: str) -> int:
        """How many live terms lie below this one, 0 for an id that the release lacks."""
        return max(0, self._descendant_counts.get(curie, 0))

    def information_content(self, curie: str, *, root: str | None = None) -> float:
        """Intrinsic information content in [0, 1] by Seco et al. (2004).

        1 - ln(1 + live descendants) / ln(number of terms), counted in the branch under
        `root` (itself included) or, without one, over all live terms. 0 for an id that
        the release lacks.
        """
        if curie not in self._terms:
            return 0.0
        size = self.live_count if root is None else self.descendant_count(root) + 1
        if size < 2:
            return 0.0
        return max(0.0, 1.0 - math.log(1 + self.descendant_count(curie)) / math.log(size))


def _index(named: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    index: dict[str, tuple[str, ...]] = {}
    for text, curie in named:
        key = plain_label(text)
        if key and curie not in index.get(key, ()):
            index[key] = (*index.get(key, ()), curie)
    return index
