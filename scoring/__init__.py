"""Scores for answers of language models in biology: pure functions over packaged facts."""

from importlib import import_module
from typing import Any

# Name to the module that holds it: nothing is imported before it is used.
_HOMES = {
    "Ontology": "scoring.ontology",
    "ParsedTerm": "scoring.strict_term",
    "Term": "scoring.ontology",
    "TermCheck": "scoring.term_check",
    "TermScore": "scoring.term_score",
    "allowed_values": "scoring.facts",
    "audit_reference": "scoring.audit",
    "check_term": "scoring.term_check",
    "load_ontology": "scoring.facts",
    "parse_obo": "scoring.obo",
    "parse_term": "scoring.terms",
    "parse_terms": "scoring.terms",
    "score_candidates": "scoring.term_score",
    "score_term": "scoring.term_score",
    "score_terms": "scoring.term_table",
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
