"""Model names: which are known, what is near a misspelt one, what stands for them in ids."""

from __future__ import annotations

import difflib
import hashlib
import re
import unicodedata
from pathlib import Path
from typing import Literal

from curieval.models.errors import UnknownModel

Kind = Literal["constant", "random", "reference", "rule", "embedded", "anthropic", "server", "llm"]

CONSTANT = "constant:"
RULES = ("lexical", "reference-judge")
BASELINES = ("random", "reference", *RULES)
CLAUDES = (
    "claude-haiku-4-5",
    "claude-sonnet-4-6",
    "claude-sonnet-5-5",
    "claude-opus-4-8",
    "claude-opus-5-5",
)
# Case ids hold these words, and `-k` matches substrings: `-k medium` must not take a model.
CASE_WORDS = ("sediment", "medium", "water", "local", "plant", "broad", "soil", "host", "air")
LONGEST_SLUG = 40


def known_models(models_file: Path | None = None) -> list[str]:
    """Return the names that need no look into the llm library."""
    from curieval.models.servers import read_servers

    return ["embedded", *BASELINES, f"{CONSTANT}TEXT", *read_servers(models_file), *CLAUDES]


def kind_of(name: str, models_file: Path | None = None) -> Kind:
    """Return what kind of model a name means, without asking whether it can be used.

    Everything that is none of ours is llm's to know.
    """
    if name.startswith(CONSTANT):
        return "constant"
    if name == "random":
        return "random"
    if name == "reference":
        return "reference"
    if name in RULES:
        return "rule"
    if name == "embedded":
        return "embedded"
    from curieval.models.servers import read_servers

    if name in read_servers(models_file):
        return "server"
    if name.startswith("claude-"):
        return "anthropic"
    return "llm"


def check_name(name: str, *, models_file: Path | None = None, offline: bool = False) -> None:
    """Raise where no client can be opened under this name, cheaply and before any call.

    UnknownModel names near ones, MissingKey says how to give the key (offline, none is needed).
    The llm library is imported only for names that are none of ours.
    """
    kind = kind_of(name, models_file)
    if kind == "anthropic" and not offline:
        from curieval.models.backends.claude import find_key

        find_key()
    elif kind == "server" and not offline:
        from curieval.models.servers import read_servers

        read_servers(models_file)[name].find_key()
    elif kind == "llm":
        check_llm_name(name, models_file)
        if not offline:
            from curieval.models.backends.llm_library import check_key

            check_key(name)


def check_llm_name(name: str, models_file: Path | None = None) -> None:
    """Raise UnknownModel unless the llm library has a model or alias of this name."""
    from curieval.models.backends.llm_library import known_ids

    ids = known_ids()
    if name in ids:
        return
    ours = known_models(models_file)
    near = difflib.get_close_matches(name, [*ours, *ids], n=3, cutoff=0.55)
    hint = f"did you mean {', '.join(near)}? " if near else ""
    raise UnknownModel(
        f"no model is named {name!r}: {hint}Known are {', '.join(ours)}, entries of models.toml, "
        f"and the models of the llm library (`llm models`)"
    )


def slug_for(name: str) -> str:
    """Return a short ASCII word for a model's name, fit for test ids.

    >>> slug_for("mistral-medium-3")
    'mistral-m-3'
    """
    if name == "embedded":
        return "smollm2"
    if name.startswith(CONSTANT):
        return "constant"
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9.]+", "-", plain).strip("-.")
    words = re.compile("|".join(CASE_WORDS))
    while words.search(slug):
        slug = words.sub(lambda match: match[0][0], slug)
    slug = slug[:LONGEST_SLUG].strip("-.")
    return slug or f"model-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
