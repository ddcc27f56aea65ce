"""What tier 1 finds for the agents of a case: shipped for the project's, looked up for others."""

from __future__ import annotations

from collections.abc import Iterable

from evals.indra_evidence.cases import EvidenceCase
from scoring.grounding import Grounding, check_grounding


def groundings_of(case: EvidenceCase) -> tuple[Grounding | None, ...]:
    """What was found for each agent, in its place; looked up offline where it is not known yet."""
    if case.groundings is not None or case.problem:
        return case.groundings or ()
    from curieval.grounder import default_grounder

    grounder = default_grounder()
    return tuple(
        None
        if agent is None
        else check_grounding(
            agent.name,
            agent.raw_text,
            case.text,
            grounder=grounder,
            families=grounder.families,
            claim_db_refs=dict(agent.refs),
        )
        for agent in case.agents
    )


def is_rejected(case: EvidenceCase) -> bool:
    """Whether tier 1 rejects the sentence without asking a model."""
    return any(found is not None and found.auto_reject for found in groundings_of(case))


def look_up(cases: Iterable[EvidenceCase]) -> None:
    """Ground all texts of a file at once: one process loads gilda, the others find its answers."""
    texts = {
        text
        for case in cases
        if not case.problem and case.groundings is None
        for agent in case.agents
        if agent
        for text in (agent.name, agent.raw_text)
        if text and text.strip()
    }
    if texts:
        from curieval.grounder import default_grounder

        default_grounder().prime(sorted(texts))
