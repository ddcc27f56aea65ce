"""Families of models by their names."""

from __future__ import annotations

import pytest

from curieval.models.families import family_of, relatives


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("claude-opus-5-5", "Claude"),
        ("anthropic/claude-haiku-4-5", "Claude"),
        ("gpt-4o-mini", "GPT"),
        ("openrouter/openai/gpt-oss-120b", "GPT"),
        ("o3-mini", "GPT"),
        ("gemma3:12b", "Gemini and Gemma"),
        ("meta-llama/Llama-3.1-8B", "Llama"),
        ("mistral-small", "Mistral"),
        ("mixtral-8x7b", "Mistral"),
        ("ministral-3b", "Mistral"),
        ("Qwen2.5-14B-Instruct", "Qwen"),
        ("deepseek-chat", "DeepSeek"),
        ("embedded", "SmolLM"),
        ("reference-judge", None),
        ("dolphin-tuned", None),
        ("olmo-2-7b", None),
    ],
)
def test_family_by_name(name, family):
    assert family_of(name) == family


def test_relatives_are_named_once():
    judge = ("my-judge", "deepseek-chat")
    models = ["deepseek-r1", "claude-opus-5-5", "my-judge", "deepseek-r1"]
    assert relatives(judge, models) == ["deepseek-r1", "my-judge"]


def test_models_of_no_known_family_are_related_to_themselves_alone():
    assert relatives(["reference-judge"], ["olmo-2-7b", "reference-judge"]) == ["reference-judge"]
