"""What an answer says, within the ontologies at hand: its term, its home, and what is odd."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from scoring.facts import Given, home_of
from scoring.ontology import Ontology
from scoring.strict_term import ParsedTerm, read_strictly
from scoring.term_check import compare_label, resolve_label
from scoring.term_reader import read_terms

_AGREES = frozenset({"exact", "case_or_space", "no_label"})
_NO_LIVE_ID = frozenset({"wrong_digit_count", "unknown_prefix"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """One term that an answer names: `home` is the ontology it counts in, if one can tell.

    `label_valid` says whether the label is the CURIE's primary one, case aside.
    """

    label: str | None
    curie: str
    home: Ontology | None
    label_valid: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """The terms of an answer, none where it is unread; `reasons` say why there is none."""

    answers: tuple[Answer, ...] = ()
    reasons: tuple[str, ...] = ()


@lru_cache(maxsize=1 << 16)
def read_answer(text: str, given: Given, lenient: bool) -> Reading:
    """Read an answer: by the strict rule one term or none, leniently as many as it names."""
    parsed = read_strictly(text)
    if lenient:
        return _read_leniently(text, parsed, given)
    if parsed.curie is None:
        return Reading(reasons=("unread" if text.strip() else "no_answer",))
    return Reading(answers=(_answer(parsed.label, parsed.curie, given, ()),))


def standing(curie: str, home: Ontology | None) -> str | None:
    """Why a CURIE is no live term of its home, None for one that is."""
    if home is None:
        return "unknown_ontology"
    if curie not in home:
        return "unknown_id"
    return "obsolete" if home.is_obsolete(curie) else None


def _answer(label: str | None, curie: str, given: Given, repairs: Sequence[str]) -> Answer:
    home = home_of(curie, given)
    primary = home.label(curie) if home is not None else None
    reasons = list(repairs)
    problem = standing(curie, home)
    if problem is not None:
        reasons.append(problem)
    if home is not None and curie in home:
        agreement = compare_label(label, curie, home)
        if agreement not in _AGREES:
            reasons.append(agreement)
    return Answer(
        label=label,
        curie=curie,
        home=home,
        label_valid=bool(primary and label is not None and primary.lower() == label.lower()),
        reasons=tuple(dict.fromkeys(reasons)),
    )


def _read_leniently(text: str, strict: ParsedTerm, given: Given) -> Reading:
    terms = read_terms(text)
    if not terms:
        return Reading(reasons=("no_answer",))
    if len(terms) == 1 and terms[0].curie is None and strict.curie is not None:
        # Malformed ids and unheard-of prefixes stay what the strict rule reads.
        repairs = [reason for reason in terms[0].reasons if reason in _NO_LIVE_ID]
        return Reading(answers=(_answer(strict.label, strict.curie, given, repairs),))
    answers: dict[str, Answer] = {}
    unresolved: list[str] = []
    for term in terms:
        answer = _resolve(term, given)
        if answer is not None:
            answers.setdefault(answer.curie, answer)
        else:
            unresolved.extend(term.reasons)
    if not answers:
        return Reading(reasons=tuple(dict.fromkeys([*unresolved, "unresolved"])))
    return Reading(answers=tuple(answers.values()))


def _resolve(term: ParsedTerm, given: Given) -> Answer | None:
    """A term that was read with its id made live where the ontology says how."""
    repairs = list(term.reasons)
    curie = term.curie
    if curie is None:
        named = resolve_label(term.label, given) if term.label and term.raw_id is None else ()
        if len(named) != 1:
            return None
        return _answer(term.label, named[0], given, repairs)
    seen = {curie}
    home = home_of(curie, given)
    while home is not None and home.is_obsolete(curie) and len(home.replaced_by(curie)) == 1:
        curie = home.replaced_by(curie)[0]
        if curie in seen:
            break
        seen.add(curie)
        repairs.append("obsolete_replaced")
        home = home_of(curie, given)
    return _answer(term.label, curie, given, repairs)
