"""What a gene's name says of its EC number: fits it, gives it away, or says too little."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from evals.ec_number.genes import Gene, enzyme_names

MASK = "[...]"
_SHORTEST_TELLING = 5
_TELLING_WORD = re.compile(
    r"[\w'-]*(?:ases?|zymes?)\b(?:-\w+)*|\w*(?:trypsin|pepsin|plasmin|thrombin|renin)\w*", re.I
)
_MASKS = re.compile(rf"{re.escape(MASK)}(?:[\s/,;-]+{re.escape(MASK)})+")
_WORD = re.compile(r"[^\W\d_]{4,}")
_SHORTEST_PHRASE = 8
_STEM = 6
_ISOFORM = re.compile(
    r"(?:\s+(?:\d+\w?|[a-z]\d*|i{1,3}|i?v|vi{0,3}|alpha|beta|gamma|delta|epsilon))+$"
)
# Words that say nothing of which reaction it is.
_EMPTY = frozenset(
    (
        *("protein", "enzyme", "subunit", "family", "member", "type", "alpha", "beta", "gamma"),
        *("delta", "acid", "like", "containing", "domain", "class", "chain", "dependent", "human"),
        *("specific", "homolog", "factor", "catalytic", "regulatory", "associated", "system"),
        *("kinase", "reductase", "dehydrogenase", "oxidase", "oxidoreductase", "oxygenase"),
        *("monooxygenase", "dioxygenase", "hydroxylase", "transferase", "methyltransferase"),
        *("acetyltransferase", "acyltransferase", "glycosyltransferase", "aminotransferase"),
        *("phosphatase", "esterase", "hydrolase", "nuclease", "lipase", "protease", "proteinase"),
        *("peptidase", "endopeptidase", "aminopeptidase", "carboxypeptidase", "deaminase"),
        *("synthase", "synthetase", "ligase", "lyase", "isomerase", "mutase", "epimerase"),
        *("carboxylase", "decarboxylase", "aldolase", "hydratase", "dehydratase", "cyclase"),
        *("helicase", "polymerase", "sulfatase", "phosphorylase", "atpase", "gtpase", "amidase"),
        *("metallopeptidase", "metalloproteinase", "matrix"),
    )
)


def tells(gene: Gene) -> bool:
    """Whether the name holds the name or a synonym of one of the gene's enzymes."""
    return _holds_enzyme_name(gene.name, gene)


def masked_name(gene: Gene) -> str | None:
    """The name with words such as `kinase` masked; None where what is left tells, or nothing is."""
    masked = _MASKS.sub(MASK, _TELLING_WORD.sub(MASK, gene.name))
    if not _WORD.search(masked.replace(MASK, "")) or _holds_enzyme_name(masked, gene):
        return None
    return masked


def symbol_tells(gene: Gene) -> bool:
    """Whether the symbol itself is listed as a name of the enzyme."""
    return gene.symbol.lower() in {name.lower() for name in _names(gene)}


def is_plausible(gene: Gene) -> bool:
    """Whether the name fits the number.

    It must share a word with the enzyme's names besides class words such as `kinase`, and its
    longest phrase that names an enzyme must name the gene's own. HGNC holds some numbers that
    a curator would not give (an E3 ubiquitin ligase with that of pantothenate synthase, MAP
    kinases with that of protein kinases at large); this keeps them out.
    """
    own = {stem for name in _names(gene) for stem in _stems(name)}
    if own.isdisjoint(_stems(gene.name)):
        return False
    named_own, named_other = _longest_named(gene)
    return named_own >= named_other


def _names(gene: Gene) -> list[str]:
    names = enzyme_names()
    return [name for code in gene.codes for name in names.get(code.rstrip(".-"), ())]


def _holds_enzyme_name(text: str, gene: Gene) -> bool:
    plain = _plain(text)
    return any(
        f" {name} " in f" {plain} "
        for name in map(_plain, _names(gene))
        if len(name) >= _SHORTEST_TELLING
    )


def _plain(text: str) -> str:
    # Single letters are isoforms and locants (L-lactate, N-acetyl): names differ in them freely.
    return " ".join(re.findall(r"[a-z]{2,}[a-z0-9]*|[0-9]+[a-z0-9]*", text.lower()))


class _Phrases(NamedTuple):
    known: frozenset[str]
    in_order: tuple[str, ...]

    def opens_one(self, phrase: str) -> bool:
        """Whether a longer name begins with the phrase."""
        place = bisect_left(self.in_order, f"{phrase} ")
        return place < len(self.in_order) and self.in_order[place].startswith(f"{phrase} ")


@cache
def _phrases() -> _Phrases:
    """The plain names of all enzymes with a serial number."""
    known = frozenset(
        _plain(name)
        for code, names in enzyme_names().items()
        if code.count(".") == 3
        for name in names
    )
    return _Phrases(known, tuple(sorted(known)))


def _longest_named(gene: Gene) -> tuple[int, int]:
    """Words in the longest phrase of the name that names the gene's own, and another, enzyme."""
    phrases = _phrases()
    own = [f"{_plain(name)} " for name in _names(gene)]
    plain = _plain(gene.name)
    base = _ISOFORM.sub("", plain)
    named_own = named_other = 0
    for phrase in _runs_of_words(plain):
        if len(phrase) < _SHORTEST_PHRASE:
            continue
        size = phrase.count(" ") + 1
        if any(name.startswith(f"{phrase} ") for name in own):
            named_own = max(named_own, size)
        elif phrase in phrases.known or (phrase == base and phrases.opens_one(phrase)):
            named_other = max(named_other, size)
    return named_own, named_other


def _runs_of_words(plain: str) -> Iterator[str]:
    words = plain.split()
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            yield " ".join(words[start:end])


def _stems(name: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(name.lower()) if word not in _EMPTY}
