"""Tier 1: whether the reader's own text for an agent can mean the claim's entity; no model call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, Protocol

from scoring.claims import claim_agents
from scoring.mentions import discusses_pseudogene, fold_name, is_mentioned

GroundingStatus = Literal["MATCH", "AMBIGUOUS", "MISMATCH", "UNRESOLVABLE"]

# gilda scores 0.78 for a name and 0.56 for a synonym: within 0.05 two are as good.
TIE = 0.05
# Case and dash variants of synonyms score 0.50 to 0.53: too little to reject on.
SURE = 0.53

_FAMILY = "FPLX"
# Two of these with different ids are different things, whatever words they share.
_GENES = frozenset({"HGNC", _FAMILY})


class Grounder(Protocol):
    """What finds entities for a text: gilda's Grounder, or `curieval.open_grounder()`."""

    def ground(self, text: str, /) -> Sequence[Any]:
        """Matches with `score` and `term` (db, id, entry_name)."""

    def get_names(self, db: str, id: str, /) -> Iterable[str]:
        """All texts that stand for an entity."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entity:
    """One thing that a text may mean, by database, id and name; score in [0, 1]."""

    db: str
    id: str
    name: str
    score: float

    @property
    def curie(self) -> str:
        """Database and id, such as `HGNC:6871` or `CHEBI:15422`."""
        return self.id if self.id.startswith(f"{self.db}:") else f"{self.db}:{self.id}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Grounding:
    """What tier 1 found for one agent.

    `status` is None where nothing was checked: no reader text, the claim's own name, or a name
    that the term set does not know. `auto_reject` says that the sentence cannot be about the
    claim's entity. `best` is what the text most likely means, `rivals` are entities unrelated
    to the claim's that rank as high or higher, `names` all texts for the claim's entity.
    """

    status: GroundingStatus | None
    auto_reject: bool
    claim_name: str
    raw_text: str | None
    entity: Entity | None = None
    best: Entity | None = None
    rivals: tuple[Entity, ...] = ()
    names: tuple[str, ...] = ()


def check_grounding(
    claim_name: str,
    raw_text: str | None,
    evidence_text: str | None,
    *,
    grounder: Grounder,
    families: Mapping[str, Iterable[str]],
    claim_db_refs: Mapping[str, Any] | None = None,
) -> Grounding:
    """Compare the reader's text for an agent with the claim's entity.

    `families` maps a FamPlex family to its members (names; families may hold families). An
    entity and its own family never count as a tie; nothing found is never a rejection.
    Rejected are a pseudogene in a tie that the sentence does not discuss, and a text that
    surely (score above 0.53) means something else where no name of the claim's entity stands
    in the sentence.
    """
    text = (raw_text or "").strip()
    entity, ids = _claim_entity(claim_name, claim_db_refs, grounder)
    names = _names(entity, ids, claim_name, grounder)
    if not text or text == claim_name or entity is None:
        return Grounding(
            status=None,
            auto_reject=False,
            claim_name=claim_name,
            raw_text=raw_text,
            entity=entity,
            names=names,
        )
    candidates = _candidates(grounder, text)
    related = [one for one in candidates if _is_related(one, entity, ids, families)]
    if not related:
        folded = {fold_name(name) for name in names}
        related = [one for one in candidates if _is_alias(one, entity, folded)]
    status, rivals = _judge(candidates, related)
    return Grounding(
        status=status,
        auto_reject=_rejects(status, candidates, entity, names, evidence_text or ""),
        claim_name=claim_name,
        raw_text=raw_text,
        entity=entity,
        best=candidates[0] if candidates else None,
        rivals=tuple(rivals),
        names=names,
    )


def ground_agents(
    statement: Any,  # noqa: ANN401
    evidence: Any,  # noqa: ANN401
    *,
    grounder: Grounder,
    families: Mapping[str, Iterable[str]],
) -> tuple[Grounding | None, ...]:
    """What `check_grounding` says of each agent, in its place; None for an unknown agent."""
    agents = claim_agents(statement)
    texts = reader_texts(statement, evidence)
    sentence = _get(evidence, "text")
    return tuple(
        None
        if agent is None
        else check_grounding(
            agent.name,
            text,
            sentence if isinstance(sentence, str) else None,
            grounder=grounder,
            families=families,
            claim_db_refs=getattr(agent, "db_refs", None),
        )
        for agent, text in zip(agents, texts, strict=True)
    )


def reader_texts(statement: Any, evidence: Any) -> list[str | None]:  # noqa: ANN401
    """The reader's own text for each agent of a statement, in its place, None where unknown.

    From the sentence's `annotations["agents"]["raw_text"]`; where the reader left no such list
    and the statement has this one sentence, from its agents' db_refs["TEXT"]. A list of another
    length than the agents tells nothing.
    """
    agents = claim_agents(statement)
    annotations = _get(evidence, "annotations") or {}
    annotated = annotations.get("agents") if isinstance(annotations, Mapping) else None
    if isinstance(annotated, Mapping) and annotated.get("raw_text") is not None:
        given = annotated["raw_text"]
        if not isinstance(given, list | tuple) or len(given) != len(agents):
            return [None] * len(agents)
        return [text if isinstance(text, str) and text.strip() else None for text in given]
    if len(_get(statement, "evidence") or ()) > 1:
        return [None] * len(agents)
    return [_own_text(agent) for agent in agents]


@cache
def pseudogenes() -> frozenset[str]:
    """Symbols of the genes that HGNC has with a locus type of pseudogene."""
    text = files("enum_data").joinpath("pseudogenes.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


def _judge(
    candidates: Sequence[Entity], related: Sequence[Entity]
) -> tuple[GroundingStatus, list[Entity]]:
    if not candidates:
        return "UNRESOLVABLE", []
    if not related:
        return "MISMATCH", []
    floor = max(one.score for one in related) - TIE
    rivals = [one for one in candidates if one not in related and one.score >= floor]
    return ("AMBIGUOUS" if rivals else "MATCH"), rivals


def _rejects(
    status: GroundingStatus,
    candidates: Sequence[Entity],
    entity: Entity,
    names: Sequence[str],
    sentence: str,
) -> bool:
    if not sentence.strip():
        return False
    if status == "AMBIGUOUS":
        is_pseudogene = entity.name in pseudogenes()
        return is_pseudogene and not discusses_pseudogene(sentence, entity.name)
    if status == "MISMATCH":
        return candidates[0].score > SURE and not is_mentioned(names, sentence)
    return False


def _claim_entity(
    name: str, db_refs: Mapping[str, Any] | None, grounder: Grounder
) -> tuple[Entity | None, frozenset[tuple[str, str]]]:
    """The claim's entity as the term set knows it, and all ids that stand for it."""
    ids = _ids(db_refs or {})
    candidates = _candidates(grounder, name) if name.strip() else []
    by_id = {(one.db, one.id): one for one in candidates}
    entity = next((by_id[one] for one in ids if one in by_id), None)
    if entity is None:
        known = next((one for one in ids if any(True for _ in grounder.get_names(*one))), None)
        if known is not None:
            entity = Entity(db=known[0], id=known[1], name=name, score=1.0)
        else:
            named = (one for one in candidates if one.name == name)
            entity = next(named, candidates[0] if candidates else None)
    return entity, frozenset({*ids, (entity.db, entity.id)} if entity else ids)


def _ids(db_refs: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Database and id of all references, in order; the reader's text is none."""
    return [
        (str(db), str(one))
        for db, value in db_refs.items()
        if db not in ("TEXT", "TEXT_NORM")
        for one in (value if isinstance(value, list | tuple) else (value,))
    ]


def _candidates(grounder: Grounder, text: str) -> list[Entity]:
    matches = [
        Entity(
            db=match.term.db,
            id=str(match.term.id),
            name=match.term.entry_name,
            score=float(match.score),
        )
        for match in grounder.ground(text)
    ]
    return sorted(matches, key=lambda one: -one.score)


def _names(
    entity: Entity | None,
    ids: Iterable[tuple[str, str]],
    claim_name: str,
    grounder: Grounder,
) -> tuple[str, ...]:
    if entity is None:
        return (claim_name,)
    of_ids = [name for db, id in sorted(ids) for name in grounder.get_names(db, id)]
    return tuple(dict.fromkeys([claim_name, entity.name, *sorted(of_ids)]))


def _is_related(
    candidate: Entity,
    entity: Entity,
    ids: frozenset[tuple[str, str]],
    families: Mapping[str, Iterable[str]],
) -> bool:
    if (candidate.db, candidate.id) in ids:
        return True
    if _is_alias(candidate, entity, {fold_name(entity.name)}):
        return True
    if candidate.db == _FAMILY and _holds(families, candidate.id, entity.name):
        return True
    return entity.db == _FAMILY and _holds(families, entity.id, candidate.name)


def _holds(families: Mapping[str, Iterable[str]], family: str, name: str) -> bool:
    seen, waiting = {family}, [family]
    while waiting:
        for member in families.get(waiting.pop(), ()):
            if member == name:
                return True
            if member not in seen:
                seen.add(member)
                waiting.append(member)
    return False


def _is_alias(candidate: Entity, entity: Entity, folded: set[str]) -> bool:
    """Whether another database's entry is the same thing under one of its names."""
    if candidate.db == entity.db or {candidate.db, entity.db} <= _GENES:
        return False
    return fold_name(candidate.name) in folded


def _own_text(agent: Any) -> str | None:  # noqa: ANN401
    text = (getattr(agent, "db_refs", None) or {}).get("TEXT")
    return text if isinstance(text, str) and text.strip() else None


def _get(item: Any, name: str) -> Any:  # noqa: ANN401
    return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
