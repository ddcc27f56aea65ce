"""Whether a name stands in a sentence, whatever its case, dashes and Greek letters."""

from __future__ import annotations

import re
from collections.abc import Iterable

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "µ": "mu",
    "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau", "υ": "upsilon",
    "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Δ": "Delta", "Ω": "Omega",
}  # fmt: skip
_SPELLED = str.maketrans(_GREEK)
_DASH = re.compile(r"[-‐-―−]")
_BLANK = re.compile(r"\s+")
_PSEUDOGENE = re.compile(r"pseudo-?gen(?:e|ic)|\bretropseudo|ψ", re.I)

# Shorter words without a digit are also English: was, cat, rest. Those must agree in case.
_LONGEST_WITH_CASE = 4


def fold_name(name: str) -> str:
    """The name without case, dashes and blanks at its ends, Greek letters spelled out."""
    return _joined(name).casefold()


def is_mentioned(names: Iterable[str], sentence: str) -> bool:
    """Whether any of the names stands in the sentence as words of its own."""
    forms = [(form(sentence), form) for form in (_joined, _spaced)]
    folded = [text.casefold() for text, _ in forms]
    for name in names:
        for (text, form), lower in zip(forms, folded, strict=True):
            wanted = form(name)
            if _needs_case(wanted):
                if _stands_in(wanted, text):
                    return True
            elif _stands_in(wanted.casefold(), lower):
                return True
    return False


def discusses_pseudogene(sentence: str, symbol: str) -> bool:
    """Whether a sentence speaks of pseudogenes, or names this one by its symbol."""
    return _PSEUDOGENE.search(sentence) is not None or is_mentioned([symbol], sentence)


def _needs_case(name: str) -> bool:
    return len(name) <= _LONGEST_WITH_CASE and not any(mark.isdigit() for mark in name)


def _joined(text: str) -> str:
    return _BLANK.sub(" ", _DASH.sub("", text.translate(_SPELLED))).strip()


def _spaced(text: str) -> str:
    return _BLANK.sub(" ", _DASH.sub(" ", text.translate(_SPELLED))).strip()


def _stands_in(name: str, text: str) -> bool:
    place = text.find(name) if name else -1
    while place >= 0:
        end = place + len(name)
        before, after = text[place - 1 : place], text[end : end + 1]
        if not (before.isalnum() or after.isalnum()):
            return True
        place = text.find(name, place + 1)
    return False
