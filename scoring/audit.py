"""The audit of a reference value: what must hold before an answer may be judged by it."""

from __future__ import annotations

from collections.abc import Collection

from scoring.facts import (
    Ontologies,
    allowed_values,
    as_given,
    check_slot,
    home_of,
    is_allowed_anywhere,
)
from scoring.hierarchy import in_branch
from scoring.ontology import Ontology
from scoring.terms import parse_term


def audit_reference(
    reference: object,
    *,
    template: str | None = None,
    slot: str = "env_broad_scale",
    ontologies: Ontologies,
    allowed: Collection[str] | None = None,
) -> str | None:
    """Why a reference is suspect, as `code: sentence`; None for a sound one.

    It must have the form `label [CURIE]`, its id exist and not be obsolete, its label be
    the id's primary one (case aside), its CURIE be in the value set (the template's or
    `allowed`, where there is one), and the term lie in the slot's branch; in local scale
    a value of any value set of that slot may lie outside. A CURIE is judged in its own
    ontology. Raises ValueError for an unknown slot.

    >>> from scoring import load_ontology
    >>> audit_reference("forest biome [ENVO:01000175]", ontologies=load_ontology("envo"))
    "label_disagrees: ENVO:01000175 is 'woodland biome', not 'forest biome'"
    """
    check_slot(slot)
    parsed = parse_term(reference)
    if parsed.curie is None:
        return f"unreadable: {str(reference)[:80]!r} does not have the form `label [CURIE]`"
    home = home_of(parsed.curie, as_given(ontologies))
    if home is None:
        return f"unknown_ontology: no ontology that is loaded knows {parsed.curie}"
    problem = _problem_of_id(parsed.curie, home)
    if problem:
        return problem
    primary = home.label(parsed.curie) or ""
    if primary.lower() != (parsed.label or "").lower():
        return f"label_disagrees: {parsed.curie} is {primary!r}, not {parsed.label!r}"
    values = allowed_values(template, slot) if allowed is None else allowed
    if values is not None and parsed.curie not in values:
        return f"not_allowed: {parsed.curie} is not in the {slot} values of {template or 'the set'}"
    if not _has_its_place(parsed.curie, home, slot, values):
        return f"outside_branch: {parsed.curie} ({primary}) does not lie in the branch of {slot}"
    return None


def _has_its_place(curie: str, home: Ontology, slot: str, values: Collection[str] | None) -> bool:
    if in_branch(curie, home, slot):
        return True
    # Sixteen of the 86 local scales of water, such as marsh and glacier, lie elsewhere.
    return slot == "env_local_scale" and (values is not None or is_allowed_anywhere(curie, slot))


def _problem_of_id(curie: str, home: Ontology) -> str | None:
    release = f"{home.name} {home.release}".strip()
    if curie not in home:
        return f"unknown_id: {release} has no {curie}"
    if home.is_obsolete(curie):
        instead = ", ".join(home.replaced_by(curie) or home.consider(curie))
        hint = f"; use {instead}" if instead else ""
        return f"obsolete: {curie} is obsolete in {release}{hint}"
    return None
