"""The bank of contrastive examples, and which of them a statement's type is shown with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

MOST_PAIRS = 7
# So that a frequent type, too, is shown neighbours and universal patterns.
_MOST_OWN = 4
_MOST_NEIGHBOURS = 2

# Types that are mistaken for each other, or that a sentence tells in the same way.
_GROUPS = (
    ("Phosphorylation", "Dephosphorylation", "Autophosphorylation", "Transphosphorylation"),
    ("Ubiquitination", "Deubiquitination", "Sumoylation", "Desumoylation"),
    ("Acetylation", "Deacetylation", "Methylation", "Demethylation"),
    (
        "Palmitoylation",
        "Depalmitoylation",
        "Farnesylation",
        "Defarnesylation",
        "Geranylgeranylation",
        "Degeranylgeranylation",
        "Myristoylation",
        "Demyristoylation",
    ),
    (
        "Glycosylation",
        "Deglycosylation",
        "Hydroxylation",
        "Dehydroxylation",
        "Ribosylation",
        "Deribosylation",
    ),
    (
        "Modification",
        "AddModification",
        "RemoveModification",
        "Phosphorylation",
        "Dephosphorylation",
    ),
    ("SelfModification", "Autophosphorylation", "Transphosphorylation"),
    ("Activation", "Inhibition", "IncreaseAmount", "DecreaseAmount"),
    ("IncreaseAmount", "DecreaseAmount", "Activation", "Inhibition"),
    ("RegulateActivity", "Activation", "Inhibition"),
    ("RegulateAmount", "IncreaseAmount", "DecreaseAmount"),
    ("ActiveForm", "HasActivity", "Activation", "Inhibition"),
    ("Gef", "Gap", "GtpActivation", "Activation"),
    ("Complex", "Translocation"),
    ("Conversion", "IncreaseAmount", "DecreaseAmount"),
    ("Influence", "Association", "Event", "Migration"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ExamplePair:
    """One claim with a sentence that supports it and one, nearly the same, that does not.

    `universal` pairs show what holds for all types, `base` pairs fill up; `confidence` is that
    of the two verdicts.
    """

    id: str
    type: str
    phenomenon: str
    claim: str
    agents: tuple[str, ...]
    correct: str
    incorrect: str
    universal: bool = False
    base: bool = False
    confidence: tuple[str, str] = ("high", "high")


@dataclass(frozen=True, kw_only=True, slots=True)
class ExampleText:
    """One sentence of the bank with its claim's agents and type, as contamination is sought."""

    id: str
    text: str
    agents: tuple[str, ...]
    type: str


@cache
def example_bank() -> tuple[ExamplePair, ...]:
    """The pairs written for this project, `enum_data/evidence_examples.jsonl`."""
    lines = files("enum_data").joinpath("evidence_examples.jsonl").read_text(encoding="utf-8")
    return tuple(_pair(json.loads(line)) for line in lines.splitlines())


def example_texts(bank: Iterable[ExamplePair] | None = None) -> list[ExampleText]:
    """All sentences of the bank, two a pair."""
    pairs = example_bank() if bank is None else bank
    return [
        ExampleText(id=f"{pair.id}-{side}", text=text, agents=pair.agents, type=pair.type)
        for pair in pairs
        for side, text in (("correct", pair.correct), ("incorrect", pair.incorrect))
    ]


def choose_examples(
    *types: str, bank: Sequence[ExamplePair] | None = None, most: int = MOST_PAIRS
) -> tuple[ExamplePair, ...]:
    """At most seven pairs for statements of these types, always the same for the same types.

    The types' own pairs first, then those of neighbouring types, then universal patterns, then
    the base set, then any; within each, phenomena not yet shown go first. Types that the bank
    does not know get the last three.
    """
    pairs = example_bank() if bank is None else tuple(bank)
    chosen: list[ExamplePair] = []
    own = [pair for pair in pairs if pair.type in types]
    near = [pair for kind in _neighbours(types) for pair in pairs if pair.type == kind]
    _take(own, chosen, min(_MOST_OWN, most))
    _take(near, chosen, min(_MOST_NEIGHBOURS, most - len(chosen)))
    for rest in (
        [pair for pair in pairs if pair.universal],
        [pair for pair in pairs if pair.base],
        list(pairs),
    ):
        _take(rest, chosen, most - len(chosen))
    return tuple(chosen)


def _take(candidates: Sequence[ExamplePair], chosen: list[ExamplePair], most: int) -> None:
    for _ in range(most):
        shown = {pair.phenomenon for pair in chosen}
        left = [pair for pair in candidates if pair not in chosen]
        if not left:
            return
        chosen.append(next((pair for pair in left if pair.phenomenon not in shown), left[0]))


def _neighbours(types: Sequence[str]) -> Iterator[str]:
    for kind in types:
        group = next((group for group in _GROUPS if kind in group), ())
        # The opposite stands next to a type: with it a pair of types differs least.
        yield from sorted(
            (other for other in group if other not in types),
            key=lambda other: not _are_opposites(kind, other),
        )


def _are_opposites(left: str, right: str) -> bool:
    return f"de{left}".lower() == right.lower() or f"de{right}".lower() == left.lower()


def _pair(row: dict[str, object]) -> ExamplePair:
    fields = dict(row)
    for name in ("agents", "confidence"):
        if name in fields:
            fields[name] = tuple(fields[name])  # type: ignore[arg-type]
    return ExamplePair(**fields)  # type: ignore[arg-type]
