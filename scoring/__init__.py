"""Scores for answers of language models in biology: pure functions over packaged facts."""

from importlib import import_module
from typing import Any

# Name to the module that holds it: nothing is imported before it is used.
_HOMES = {
    "Belief": "scoring.belief",
    "Contamination": "scoring.contamination",
    "Drift": "scoring.drift",
    "EcAnswer": "scoring.ec_text",
    "EvidencePrompt": "scoring.evidence",
    "Grounding": "scoring.grounding",
    "HierarchicalMicroF1": "scoring.enzyme",
    "JudgeRequest": "scoring.judge",
    "JudgeScore": "scoring.judge_score",
    "Ontology": "scoring.ontology",
    "ParsedTerm": "scoring.strict_term",
    "Priors": "scoring.priors",
    "Rubric": "scoring.judge",
    "RubricPoint": "scoring.judge",
    "Term": "scoring.ontology",
    "TermCheck": "scoring.term_check",
    "TermScore": "scoring.term_score",
    "Verdict": "scoring.verdict",
    "allowed_values": "scoring.facts",
    "audit_reference": "scoring.audit",
    "bootstrap_micro_f1": "scoring.enzyme",
    "check_grounding": "scoring.grounding",
    "check_term": "scoring.term_check",
    "choose_examples": "scoring.examples",
    "claim_text": "scoring.claims",
    "compare_releases": "scoring.drift",
    "compose_belief": "scoring.belief",
    "compose_beliefs": "scoring.belief_columns",
    "ec_status": "scoring.ec_numbers",
    "evidence_prompt": "scoring.evidence",
    "example_bank": "scoring.examples",
    "example_texts": "scoring.examples",
    "find_contamination": "scoring.contamination",
    "ground_agents": "scoring.grounding",
    "hierarchical_micro_f1": "scoring.enzyme",
    "judge_by_terms": "scoring.judge_reference",
    "judge_request": "scoring.judge",
    "load_ontology": "scoring.facts",
    "load_priors": "scoring.priors",
    "parse_ec": "scoring.ec_text",
    "parse_judge_score": "scoring.judge_score",
    "parse_obo": "scoring.obo",
    "parse_rubric": "scoring.judge",
    "parse_term": "scoring.terms",
    "parse_terms": "scoring.terms",
    "parse_verdict": "scoring.verdict",
    "reader_texts": "scoring.grounding",
    "rubric_from_reference": "scoring.judge_reference",
    "score_candidates": "scoring.term_score",
    "score_term": "scoring.term_score",
    "score_terms": "scoring.term_table",
    "verdict_score": "scoring.verdict",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:  # noqa: ANN401
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'scoring' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
