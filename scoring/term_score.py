"""Scoring one answer against one reference: every column of the environmental triad."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from scoring.facts import allowed_values, check_slot, load_ontology
from scoring.hierarchy import NOTHING_IN_COMMON, Likeness, likeness
from scoring.ontology import Ontology
from scoring.terms import ParsedTerm, parse_term

Ontologies = Ontology | Sequence[Ontology]


@dataclass(frozen=True, kw_only=True, slots=True)
class TermScore:
    """One scored answer, its fields in the order of the scored table.

    Where the answer is unread, what is said about it is None and the scores are 0; where
    the reference is unread, there is no score. `relationship` is exact, descendant,
    ancestor, unrelated or cross_ontology; `hop_distance` counts is_a steps;
    `in_template_enum` is None where the template has no value set. `reasons` name what
    was repaired or wrong.
    """

    parse_success: bool
    pred_label: str | None
    pred_curie: str | None
    truth_label: str | None
    truth_curie: str | None
    curie_label_valid: bool | None
    exact_match: bool
    relationship: str | None
    hop_distance: int | None
    in_template_enum: bool | None
    ontology_score: float | None
    hierarchical_precision: float | None
    hierarchical_recall: float | None
    hierarchical_f1: float | None
    lin_similarity: float | None
    reasons: tuple[str, ...] = ()

    def as_row(self) -> dict[str, Any]:
        """The columns in the order of the scored table; `reasons` joined by blanks."""
        row = {name: getattr(self, name) for name in COLUMNS}
        row["reasons"] = " ".join(self.reasons)
        return row


COLUMNS = tuple(field.name for field in fields(TermScore))


def score_term(
    *,
    prediction: object,
    reference: object,
    ontology: Ontologies,
    template: str | None = None,
    allowed: Collection[str] | None = None,
    slot: str = "env_broad_scale",
    accepted: Mapping[str, float] | None = None,
) -> TermScore:
    """Score an answer `label [CURIE]` against a reference of the same form.

    `ontology` is one or several; a CURIE counts in the ontology whose own prefix it
    carries (the shipped Plant Ontology stands by for PO), else in the first that imports
    it. `allowed`, a set of CURIEs, overrides the template's value set. `accepted` are
    further references (`label [CURIE]` or a bare CURIE) with weights in (0, 1]: the
    hierarchical figures and `lin_similarity` are those of the reference with the best
    weight x F1, times its weight. `ontology_score` in [0, 1] is
    0.1 parse + 0.1 label + 0.5 hierarchy + 0.3 value set, against `reference` alone.

    Raises ValueError for an unknown slot and for an accepted reference that cannot be read.
    """
    check_slot(slot)
    return _score(
        parse_term(prediction),
        _Target(reference, ontologies=ontology, slot=slot, accepted=accepted),
        _value_set(template, slot, allowed),
    )


def score_candidates(
    *,
    candidates: Iterable[object],
    reference: object,
    ontology: Ontologies,
    template: str | None = None,
    allowed: Collection[str] | None = None,
    slot: str = "env_broad_scale",
    accepted: Mapping[str, float] | None = None,
) -> list[TermScore]:
    """Score many answers against one reference, as `score_term` would each."""
    check_slot(slot)
    target = _Target(reference, ontologies=ontology, slot=slot, accepted=accepted)
    values = _value_set(template, slot, allowed)
    return [_score(parse_term(candidate), target, values) for candidate in candidates]


def home_of(curie: str, ontologies: Ontologies) -> Ontology | None:
    """The ontology in which a CURIE counts; None where none that is loaded can tell.

    That is the one whose own prefix it carries, or for PO the shipped facts, even where
    the id is unknown there; else the first that imports the id.
    """
    loaded = _loaded(ontologies)
    prefix = curie.partition(":")[0]
    own = [ontology for ontology in loaded if ontology.prefix == prefix]
    if not own and prefix == "PO":
        own = [load_ontology("po")]
    for ontology in (*own, *loaded):
        if curie in ontology:
            return ontology
    return own[0] if own else None


def _loaded(ontologies: Ontologies) -> Sequence[Ontology]:
    return (ontologies,) if isinstance(ontologies, Ontology) else ontologies


def _meeting_place(
    curie: str,
    home: Ontology | None,
    truth: str,
    truth_home: Ontology | None,
    ontologies: Ontologies,
) -> Ontology | None:
    """Where two CURIEs are compared: their common home, or an ontology that relates them.

    ENVO imports PO terms and hangs some FOODON terms below them: those are related there.
    """
    if home is truth_home or home is None or truth_home is None:
        return home
    for ontology in _loaded(ontologies):
        if truth in ontology.ancestors(curie) or curie in ontology.ancestors(truth):
            return ontology
    return None


class _Target:
    """A reference made ready, so that many answers can be held against it."""

    def __init__(
        self,
        reference: object,
        *,
        ontologies: Ontologies,
        slot: str,
        accepted: Mapping[str, float] | None,
    ) -> None:
        self.parsed = parse_term(reference)
        self.ontologies = ontologies
        self.slot = slot
        self.home = home_of(self.parsed.curie, ontologies) if self.parsed.curie else None
        self.weighted = [(self.parsed.curie, self.home, 1.0)] if self.parsed.curie else []
        for text, weight in (accepted or {}).items():
            curie = _accepted_curie(text, weight)
            self.weighted.append((curie, home_of(curie, ontologies), weight))
        self.reasons = self._reasons()

    def _reasons(self) -> tuple[str, ...]:
        curie, home = self.parsed.curie, self.home
        if curie is None:
            return ("reference_unread",)
        reason = _standing(curie, home)
        return (f"reference_{reason}",) if reason else ()

    def likeness(self, curie: str, home: Ontology | None) -> Likeness:
        """The best weight x F1 over the accepted references, each figure times its weight."""
        best = NOTHING_IN_COMMON
        for reference, reference_home, weight in self.weighted:
            common = _meeting_place(curie, home, reference, reference_home, self.ontologies)
            if common is None:
                continue
            found = likeness(curie, reference, common, self.slot)
            if weight != 1.0:
                found = Likeness(*(weight * figure for figure in found))
            if found.f1 > best.f1:
                best = found
        return best


def _standing(curie: str, home: Ontology | None) -> str | None:
    if home is None:
        return "unknown_ontology"
    if curie not in home:
        return "unknown_id"
    return "obsolete" if home.is_obsolete(curie) else None


def _accepted_curie(text: str, weight: float) -> str:
    parsed = parse_term(text) or parse_term(f"accepted [{text}]")
    if parsed.curie is None:
        raise ValueError(f"accepted reference {text!r}: expected `label [CURIE]` or a CURIE")
    if not 0 < weight <= 1:
        raise ValueError(f"accepted reference {text!r}: weight {weight} is not in (0, 1]")
    return parsed.curie


def _value_set(
    template: str | None, slot: str, allowed: Collection[str] | None
) -> Collection[str] | None:
    if isinstance(allowed, str):
        raise ValueError(f"allowed: expected a set of CURIEs, found the text {allowed!r}")
    return allowed_values(template, slot) if allowed is None else allowed


def _score(parsed: ParsedTerm, target: _Target, values: Collection[str] | None) -> TermScore:
    truth = target.parsed
    curie = parsed.curie
    if curie is None:
        figure = 0.0 if truth.curie is not None else None
        return TermScore(
            parse_success=False,
            pred_label=None,
            pred_curie=None,
            truth_label=truth.label,
            truth_curie=truth.curie,
            curie_label_valid=None,
            exact_match=False,
            relationship=None,
            hop_distance=None,
            in_template_enum=None,
            ontology_score=0.0,
            hierarchical_precision=figure,
            hierarchical_recall=figure,
            hierarchical_f1=figure,
            lin_similarity=figure,
            reasons=("unread", *target.reasons),
        )
    home = home_of(curie, target.ontologies)
    label_valid = _label_is_primary(parsed.label, curie, home)
    in_enum = None if values is None else curie in values
    standing = _standing(curie, home)
    reasons = (standing,) if standing else ()
    if truth.curie is None:
        return TermScore(
            parse_success=True,
            pred_label=parsed.label,
            pred_curie=curie,
            truth_label=None,
            truth_curie=None,
            curie_label_valid=label_valid,
            exact_match=False,
            relationship=None,
            hop_distance=None,
            in_template_enum=in_enum,
            ontology_score=None,
            hierarchical_precision=None,
            hierarchical_recall=None,
            hierarchical_f1=None,
            lin_similarity=None,
            reasons=(*reasons, *target.reasons),
        )
    relationship, hops = _relationship(curie, home, truth.curie, target)
    found = target.likeness(curie, home)
    return TermScore(
        parse_success=True,
        pred_label=parsed.label,
        pred_curie=curie,
        truth_label=truth.label,
        truth_curie=truth.curie,
        curie_label_valid=label_valid,
        exact_match=curie == truth.curie,
        relationship=relationship,
        hop_distance=hops,
        in_template_enum=in_enum,
        ontology_score=_ontology_score(label_valid, relationship, hops, in_enum),
        hierarchical_precision=found.precision,
        hierarchical_recall=found.recall,
        hierarchical_f1=found.f1,
        lin_similarity=found.lin,
        reasons=(*reasons, *target.reasons),
    )


def _label_is_primary(label: str | None, curie: str, home: Ontology | None) -> bool:
    primary = home.label(curie) if home is not None else None
    return bool(primary and label is not None and primary.lower() == label.lower())


def _relationship(
    curie: str, home: Ontology | None, truth: str, target: _Target
) -> tuple[str, int | None]:
    if curie == truth:
        return "exact", 0
    if home is None or target.home is None:
        return "unrelated", None
    common = _meeting_place(curie, home, truth, target.home, target.ontologies)
    if common is None:
        return "cross_ontology", None
    down = common.distance(curie, truth)
    if down is not None:
        return "descendant", down
    up = common.distance(truth, curie)
    return ("ancestor", up) if up is not None else ("unrelated", None)


def _ontology_score(
    label_valid: bool, relationship: str, hops: int | None, in_enum: bool | None
) -> float:
    hierarchy = 0.0
    if relationship == "exact":
        hierarchy = 1.0
    elif relationship == "descendant" and hops is not None:
        hierarchy = max(0.0, 1.0 - 0.10 * hops)
    elif relationship == "ancestor" and hops is not None:
        hierarchy = max(0.0, 1.0 - 0.15 * hops)
    membership = 0.5 if in_enum is None else float(in_enum)
    return 0.1 + 0.1 * label_valid + 0.5 * hierarchy + 0.3 * membership
