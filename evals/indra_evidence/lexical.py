"""The plain keyword answer: correct where both agents and a trigger word stand in the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from evals.indra_evidence.cases import ClaimAgent, EvidenceCase
from evals.indra_evidence.grounded import groundings_of
from scoring.grounding import Grounding
from scoring.mentions import is_mentioned
from scoring.verdict import VerdictWord

_MORE = "activat stimulat enhanc increas induc trigger promot switch potentiat drive"
_LESS = "inhibit block suppress repress reduc decreas impair antagoni abolish attenuat"
# Beginnings of the words that tell a type; modifications have their own name besides.
_TRIGGERS = {
    "Activation": _MORE,
    "GtpActivation": _MORE,
    "Inhibition": _LESS,
    "IncreaseAmount": f"{_MORE} upregulat express transcri elevat accumulat",
    "DecreaseAmount": f"{_LESS} downregulat degrad deplet lower destabili silenc",
    "Complex": "bind bound interact associat complex coprecipitat recruit",
    "Translocation": "translocat mov import export shuttl relocali recruit leav",
    "ActiveForm": "activ inactiv",
    "Gef": "exchang gef load",
    "Gap": "hydroly gap gtpase",
    "Conversion": "conver cataly metaboli hydroly oxidi produc synthes",
    "Association": "associat correlat",
    "Influence": f"{_MORE} {_LESS} caus lead affect influenc",
}


def lexical_verdict(case: EvidenceCase) -> VerdictWord:
    """The verdict of the keyword rule, which takes no account of anything between the words."""
    found = groundings_of(case)
    told = all(
        is_mentioned(_names(agent, grounding), case.text)
        for agent, grounding in zip(case.agents, found, strict=True)
        if agent
    )
    return "correct" if told and _trigger(case.kind).search(case.text) else "incorrect"


def _names(agent: ClaimAgent, grounding: Grounding | None) -> Iterable[str]:
    known = grounding.names if grounding else ()
    return [name for name in (agent.name, agent.raw_text, *known) if name]


@cache
def _trigger(kind: str) -> re.Pattern[str]:
    # "Phosphorylation" is told by words that begin with "phosphorylat".
    beginnings = _TRIGGERS.get(kind, kind.lower().removesuffix("ion")).split()
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, beginnings))})", re.IGNORECASE)
