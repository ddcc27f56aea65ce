"""Holding a term that was read against an ontology: does its id live, does its label agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scoring.facts import Ontologies, as_given, check_slot, home_of, load_ontology, loaded
from scoring.hierarchy import in_branch
from scoring.ontology import Ontology, plain_label
from scoring.strict_term import ParsedTerm

Status = Literal[
    "live", "obsolete", "unknown", "other_ontology", "unknown_prefix", "malformed", "no_id"
]
LabelCheck = Literal[
    "exact",
    "case_or_space",
    "exact_synonym",
    "other_synonym",
    "label_of_another_term",
    "unknown_label",
    "no_label",
    "unchecked_no_live_id",
]
_OBSOLETE = ("obsolete: ", "obsolete ")


@dataclass(frozen=True, kw_only=True, slots=True)
class TermCheck:
    """What an ontology says of a term that was read.

    `status`: the id is live, obsolete, unknown to its ontology, of an ontology that is not
    loaded (other_ontology), has a prefix nobody knows, is malformed, or was not given.
    `label_check` compares the label with the id's own names; `unchecked_no_live_id` where
    there is no term to compare with. `resolves_to` are the terms that the label names
    instead. `in_branch` is None without a slot or a live term.
    """

    status: Status
    canonical_label: str | None = None
    label_check: LabelCheck = "no_label"
    replaced_by: tuple[str, ...] = ()
    consider: tuple[str, ...] = ()
    in_branch: bool | None = None
    resolves_to: tuple[str, ...] = ()


def check_term(parsed: ParsedTerm, *, ontology: Ontologies, slot: str | None = None) -> TermCheck:
    """Check the id and the label of a term, each CURIE in its own ontology.

    `ontology` is one or several; the shipped Plant Ontology stands by for PO. With a slot
    it also says whether the term lies in the slot's branch. Raises ValueError for a slot
    that is none of the environmental triad.
    """
    if slot is not None:
        check_slot(slot)
    label = parsed.label
    home = home_of(parsed.curie, as_given(ontology)) if parsed.curie is not None else None
    if parsed.curie is None or home is None or parsed.curie not in home:
        return TermCheck(
            status=_status_without_term(parsed, home),
            label_check="unchecked_no_live_id" if label else "no_label",
            resolves_to=resolve_label(label, ontology) if label else (),
        )
    curie = parsed.curie
    agreement = compare_label(label, curie, home)
    live = home.is_live(curie)
    return TermCheck(
        status="live" if live else "obsolete",
        canonical_label=home.label(curie),
        label_check=agreement,
        replaced_by=home.replaced_by(curie),
        consider=home.consider(curie),
        in_branch=in_branch(curie, home, slot) if slot is not None and live else None,
        resolves_to=home.labelled(label) if label and agreement == "label_of_another_term" else (),
    )


def _status_without_term(parsed: ParsedTerm, home: Ontology | None) -> Status:
    if parsed.curie is not None:
        return "unknown" if home is not None else "other_ontology"
    if "unknown_prefix" in parsed.reasons:
        return "unknown_prefix"
    return "malformed" if parsed.raw_id is not None else "no_id"


def compare_label(label: str | None, curie: str, home: Ontology) -> LabelCheck:
    """How a label agrees with the names of a term, its own ones first.

    An obsolete term's label is compared without the word "obsolete" before it.
    """
    if not label:
        return "no_label"
    primary = home.label(curie) or ""
    names = {primary}
    if home.is_obsolete(curie):
        names |= {primary.removeprefix(mark) for mark in _OBSOLETE}
    if label in names:
        return "exact"
    plain = plain_label(label)
    if any(plain == plain_label(name) for name in names):
        return "case_or_space"
    scopes = {scope for text, scope in home.synonyms(curie) if plain_label(text) == plain}
    if scopes:
        return "exact_synonym" if "EXACT" in scopes else "other_synonym"
    return "label_of_another_term" if home.labelled(label) else "unknown_label"


def resolve_label(label: str, ontologies: Ontologies) -> tuple[str, ...]:
    """The live terms that a label names; one where it is unambiguous.

    An exact label, case and blanks aside, wins over any EXACT synonym.
    """
    given = list(loaded(as_given(ontologies)))
    if not any(ontology.prefix == "PO" for ontology in given):
        given.append(load_ontology("po"))
    named = [curie for ontology in given for curie in ontology.labelled(label)]
    if not named:
        named = [curie for ontology in given for curie in ontology.resolve(label)]
    return tuple(dict.fromkeys(named))
