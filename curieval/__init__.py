"""Evaluate language models on biology: ask, score, compare."""

from importlib import import_module
from typing import Any

# Name to the module that holds it: nothing is imported before it is used.
_HOMES = {
    "Client": "curieval.models.client",
    "ClientSettings": "curieval.models.settings",
    "EvidenceScore": "curieval.evidence",
    "Message": "curieval.models.types",
    "Reply": "curieval.models.types",
    "Request": "curieval.models.types",
    "TermGrounder": "curieval.grounder",
    "open_grounder": "curieval.grounder",
    "open_ontology": "curieval.ontologies",
    "score_evidence": "curieval.evidence",
    "score_statement": "curieval.evidence",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:  # noqa: ANN401
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'curieval' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
