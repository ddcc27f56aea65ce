"""Makes a case of a statement, its evidence and a curator's tag, or says why there can be none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curieval.evidence import read_statement
from evals.indra_evidence.cases import CORRECT, ClaimAgent, EvidenceCase, reference_of
from scoring import claim_text, reader_texts
from scoring.claims import claim_agents, claim_type
from scoring.evidence import is_negated

TAGS = (
    CORRECT, "no_relation", "wrong_relation", "act_vs_amt", "polarity", "negative_result",
    "hypothesis", "entity_boundaries", "grounding", "mod_site", "agent_conditions", "other",
)  # fmt: skip
LONGEST_TEXT = 10_000
UNKNOWN = "unknown"


class UnaskableError(ValueError):
    """Why a row cannot be asked, and what to do about it."""


def make_case(
    case_id: str,
    *,
    statement: Any,  # noqa: ANN401 - JSON of a user's file
    evidence: Any,  # noqa: ANN401
    tag: Any,  # noqa: ANN401
    origin: str,
    cluster: str = "",
    slices: Mapping[str, str] | None = None,
) -> EvidenceCase:
    """The case of one sentence; with a `problem` where INDRA or the data leave nothing to ask."""
    try:
        return _case(case_id, statement, evidence, tag, origin, cluster, slices or {})
    except UnaskableError as why:
        return left_out(case_id, str(why), origin)


def left_out(case_id: str, why: str, origin: str) -> EvidenceCase:
    """A row that is named and counted, and never asked."""
    return EvidenceCase(
        id=case_id,
        label=f"left out: {origin}",
        slices={"type": UNKNOWN, "reader": UNKNOWN, "tag": UNKNOWN},
        reference="",
        origin=origin,
        claim="",
        kind=UNKNOWN,
        text="",
        agents=(),
        reader=UNKNOWN,
        cluster="",
        problem=f"{origin}: {why}",
    )


def _case(
    case_id: str,
    given: Any,  # noqa: ANN401
    evidence: Any,  # noqa: ANN401
    tag: Any,  # noqa: ANN401
    origin: str,
    cluster: str,
    slices: Mapping[str, str],
) -> EvidenceCase:
    word = _tag(tag)
    if not isinstance(evidence, Mapping):
        raise UnaskableError(f"field 'evidence': an object is expected, found {_shown(evidence)}")
    text = _text(evidence.get("text"))
    statement = _read(given)
    agents = claim_agents(statement)
    if not any(agents):
        raise UnaskableError("the statement names no agent: nothing can be checked")
    kind, reader = claim_type(statement), str(evidence.get("source_api") or UNKNOWN).lower()
    claim = claim_text(statement, negated=is_negated(evidence))
    texts = reader_texts(statement, evidence)
    return EvidenceCase(
        id=case_id,
        label=claim,
        slices={"type": kind, "reader": reader, "tag": word, **slices},
        reference=reference_of(word),
        origin=origin,
        claim=claim,
        kind=kind,
        text=text,
        agents=tuple(map(_agent, agents, texts)),
        reader=reader,
        cluster=cluster or _paper(evidence),
    )


def _tag(tag: Any) -> str:  # noqa: ANN401
    word = tag.strip().lower() if isinstance(tag, str) else ""
    if word not in TAGS:
        raise UnaskableError(f"field 'tag': found {_shown(tag)}, expected one of {', '.join(TAGS)}")
    return word


def _text(text: Any) -> str:  # noqa: ANN401
    if not isinstance(text, str) or not text.strip():
        raise UnaskableError("the evidence has no text: leave it out or add its sentence")
    if len(text) > LONGEST_TEXT:
        raise UnaskableError(
            f"the text has {len(text)} characters, at most {LONGEST_TEXT} are asked"
        )
    return text


def _read(given: Any) -> Any:  # noqa: ANN401
    if not isinstance(given, Mapping):
        raise UnaskableError(f"field 'statement': an object is expected, found {_shown(given)}")
    try:
        return read_statement(given)
    except (ValueError, RecursionError) as error:
        raise UnaskableError(" ".join(str(error).split())[:300]) from error


def _agent(agent: Any, raw_text: str | None) -> ClaimAgent | None:  # noqa: ANN401
    if agent is None:
        return None
    refs = tuple(
        (str(db), str(one))
        for db, value in (getattr(agent, "db_refs", None) or {}).items()
        if db != "TEXT"
        for one in (value if isinstance(value, list | tuple) else (value,))
    )
    return ClaimAgent(name=str(getattr(agent, "name", agent)), raw_text=raw_text, refs=refs)


def _paper(evidence: Mapping[str, Any]) -> str:
    refs = evidence.get("text_refs")
    listed = refs if isinstance(refs, Mapping) else {}
    return str(evidence.get("pmid") or listed.get("PMID") or listed.get("DOI") or "")


def _shown(value: Any) -> str:  # noqa: ANN401
    return repr(value)[:60]
