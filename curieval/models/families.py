"""Which models are relatives by their names: a judge may favour answers of its own family."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FAMILIES = {
    "Claude": r"claude",
    "GPT": r"(?:chat)?gpt|o[134](?:-mini|-pro|-preview)?$|davinci",
    "Gemini and Gemma": r"gemini|gemma",
    "Llama": r"(?:code|meta-?)?llama",
    "Mistral": r"mi(?:s|x|nis)tral|magistral|codestral|pixtral|devstral",
    "Qwen": r"qwen|qwq",
    "DeepSeek": r"deepseek",
    "Grok": r"grok",
    "Command": r"command|c4ai|aya",
    "Phi": r"phi",
    "GLM": r"(?:chat)?glm",
    "Kimi": r"kimi|moonshot",
    "SmolLM": r"smollm|embedded$",
}
_WORD = {
    name: re.compile(rf"(?:^|[^a-z0-9])(?:{words})", re.I) for name, words in _FAMILIES.items()
}


def family_of(*names: str) -> str | None:
    """The family that a model's names speak of, such as its name and its id at the provider.

    >>> family_of("judge", "deepseek-chat")
    'DeepSeek'
    """
    return next(
        (family for name in names for family, word in _WORD.items() if word.search(name)), None
    )


def relatives(judge: Iterable[str], models: Iterable[str]) -> list[str]:
    """Those of `models` that are of the judge's family or are the judge, each once.

    `judge` are all names the judge goes by. No call is made: names are all there is to go by.
    """
    names = [*judge]
    family = family_of(*names)
    return [
        model
        for model in dict.fromkeys(models)
        if model in names or (family is not None and family_of(model) == family)
    ]
