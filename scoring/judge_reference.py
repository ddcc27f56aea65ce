"""The judge without a model: it looks for a rubric's key terms and their synonyms."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from scoring.judge import Rubric, RubricPoint
from scoring.reply_text import drop_markup, drop_thinking, plain_characters

_GREEK = str.maketrans(
    dict(
        zip(
            "αβγδεζθκλμσω",
            (
                *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta", "kappa"),
                *("lambda", "mu", "sigma", "omega"),
            ),
            strict=True,
        )
    )
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")
_CLAUSE_END = re.compile(r"[,:()]|\b(?:but|however|although|whereas|while|and|which|yet)\b")
_DENIED_BEFORE = re.compile(
    r"(?P<denial>\b(?:not|never|neither|nor|cannot|fails?\s+to|unable\s+to|rather\s+than"
    r"|instead\s+of|unlike|\w+n['’]t)\b)(?:\W+\w+){0,5}\W*\Z"
    r"|(?P<lack>\b(?:no|none)\b(?:\W+\w+){0,2}|\b(?:without|lacks?(?:\s+of)?|lacking"
    r"|devoid\s+of|absence\s+of|independent(?:ly)?\s+of)\b(?:\W+\w+)?)\W*\Z|\b(?P<prefix>non-)\Z"
)
_DENIED_AFTER = re.compile(
    r"\W*(?:\w+\W+)??(?P<denial>(?:is|are|was|were|does|do|did|has|have|can|could|will|would)\s+"
    r"(?:not|never)\b|\w+n['’]t\b|cannot\b|is\s+absent\b)"
)
_ALL_DENIED = re.compile(
    r"\bit\s+is\s+(?:not\s+(?:true|so|the\s+case|correct)|false|wrong|untrue|incorrect)\b:?"
    r"|\A\W*(?:false|untrue|wrong|not\s+true)\s*:"
)
_WORD = re.compile(r"[a-z0-9][\w+'-]*[\w+]|[a-z0-9]")
_COMMON = frozenset(
    (
        *("a", "an", "the", "of", "in", "on", "at", "by", "to", "for", "from", "with", "and", "or"),
        *("is", "are", "was", "were", "be", "been", "it", "its", "this", "that", "these", "those"),
        *("as", "which", "who", "whose", "into", "than", "then", "also", "both", "such", "can"),
        *("may", "has", "have", "had", "does", "do", "not", "no", "never", "but", "their", "they"),
        *("protein", "proteins", "human", "where", "when", "while", "through", "between", "other"),
    )
)


@dataclass(frozen=True, kw_only=True, slots=True)
class TermVerdict:
    """Whether an answer meets each point by its terms, whether it contradicts, and the score."""

    met: dict[str, bool]
    contradiction: bool
    score: float

    def as_reply(self) -> str:
        """The verdict as the JSON that an adjudicator would reply with."""
        points = {point: int(is_met) for point, is_met in self.met.items()}
        return json.dumps({"points": points, "contradiction": self.contradiction})


def judge_by_terms(
    answer: str, rubric: Rubric, *, reference: str = "", denial_contradicts: bool = True
) -> TermVerdict:
    """Judge an answer by the rubric's terms alone: deterministic, and blind to all else.

    A point is met where each of its groups of synonyms occurs, affirmed or denied as in the
    reference or, where that does not hold it, as the point says. One that stands only the
    other way round is a contradiction, and so is a sentence that affirms what must not be
    said. Raises ValueError for a point without terms.
    """
    without = [point.id for point in (*rubric.points, *rubric.must_not_say) if not point.terms]
    if without:
        raise ValueError(
            f"the points {', '.join(without)} have no terms to look for; give terms, or let a "
            "model judge"
        )
    sentences, model = _sentences(answer), _sentences(reference)
    found = {point.id: _find(point, sentences, model) for point in rubric.points}
    contradiction = any(
        _find(point, [sentence], []).is_met
        for point in rubric.must_not_say
        for sentence in sentences
    ) or (denial_contradicts and any(one.is_reversed for one in found.values()))
    met = {point: one.is_met for point, one in found.items()}
    return TermVerdict(
        met=met,
        contradiction=contradiction,
        score=rubric.score((p for p, is_met in met.items() if is_met), contradiction=contradiction),
    )


def rubric_from_reference(reference: str) -> Rubric:
    """A rubric of a reference's content words, each affirmed or denied as it stands there.

    For references that come without a rubric. Raises ValueError where there is no content word.
    """
    points: dict[str, RubricPoint] = {}
    for sentence in _sentences(reference):
        for word in _WORD.finditer(sentence.text):
            text = word.group()
            if text not in _COMMON and (len(text) > 2 or any(map(str.isdigit, text))):
                denied = sentence.denies(word.span(), [])
                point = RubricPoint(id=text, text=text, terms=((text,),), denied=denied)
                points.setdefault(text, point)
    if not points:
        raise ValueError(f"the reference {reference!r} has no word to look for")
    return Rubric(points=tuple(points.values()))


def deny(text: str) -> str:
    """The text with each of its sentences denied, as a canary for judges."""
    parts = filter(str.strip, _SENTENCE_END.split(text))
    return " ".join(f"It is not true that {part}" for part in parts)


class _Found(NamedTuple):
    is_met: bool
    is_reversed: bool


class _Sentence(NamedTuple):
    text: str
    is_denied: bool

    def denies(self, place: tuple[int, int], said: Collection[tuple[int, int]]) -> bool:
        """Whether what stands at a place is denied within its clause, or with the sentence.

        A denial that is part of what is `said` (places of terms) does not deny.
        """
        start, end = place
        borders = [border.span() for border in _CLAUSE_END.finditer(self.text)]
        low = max((high for _, high in borders if high <= start), default=0)
        high = min((low for low, _ in borders if low >= end), default=len(self.text))
        denials = (
            _DENIED_BEFORE.search(self.text, low, start),
            _DENIED_AFTER.match(self.text, end, high),
        )
        return self.is_denied != any(
            not any(
                first < denial.end(denial.lastgroup) and denial.start(denial.lastgroup) < last
                for first, last in said
            )
            for denial in denials
            if denial and denial.lastgroup
        )


def _find(point: RubricPoint, sentences: list[_Sentence], model: list[_Sentence]) -> _Found:
    as_wanted = []
    for said, wanted in zip(_ways(point, sentences), _ways(point, model), strict=True):
        if not said:
            return _Found(False, False)
        as_wanted.append(bool(said & (wanted or {point.denied})))
    return _Found(all(as_wanted), not all(as_wanted))


def _ways(point: RubricPoint, sentences: list[_Sentence]) -> list[set[bool]]:
    """For each group of a point, whether its terms stand denied, affirmed, both or nowhere."""
    ways: list[set[bool]] = [set() for _ in point.terms]
    for sentence in sentences:
        places = [
            (group, place.span())
            for group, terms in enumerate(point.terms)
            for term in terms
            for place in _term(term).finditer(sentence.text)
        ]
        said = {place for _, place in places}
        for group, place in places:
            ways[group].add(sentence.denies(place, said))
    return ways


def _sentences(text: str) -> list[_Sentence]:
    plain = _plain(drop_markup(drop_thinking(text)))
    sentences = []
    for sentence in filter(str.strip, _SENTENCE_END.split(plain)):
        said, denials = _ALL_DENIED.subn(" ", sentence)
        sentences.append(_Sentence(said, bool(denials % 2)))
    return sentences


def _plain(text: str) -> str:
    # Charges and exponents are part of a name here: Ca²⁺ is Ca2+.
    return plain_characters(unicodedata.normalize("NFKC", text)).lower().translate(_GREEK)


@lru_cache(maxsize=16384)
def _term(term: str) -> re.Pattern[str]:
    """Whole words, blanks and hyphens alike, a plural allowed, any ending after a final star."""
    text = _plain(term).strip()
    stem = text.removesuffix("*")
    pattern = r"[\s-]*".join(map(re.escape, filter(None, re.split(r"[\s-]+", stem))))
    ending = r"\w*" if stem != text else r"(?:e?s)?(?!\w)"
    return re.compile(rf"(?<!\w){pattern}{ending}")
