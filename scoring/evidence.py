"""Tier 2: what a model is asked about one sentence, and what it must answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from scoring.claims import claim_text, claim_type
from scoring.examples import ExamplePair, choose_examples
from scoring.grounding import Grounding
from scoring.mentions import fold_name, is_mentioned

RULES = """\
You check what a text-mining program extracted. Given a claim and the sentence it was read from, \
decide whether the sentence supports the claim.
A claim reads `subject [Type] object`. Brackets behind a name hold its state, `@S102` is a site, \
`?` is unknown, and `not:` marks a claim that something does NOT happen. \
"correct" means that the sentence itself asserts all of the claim, be it in other words.

1. Negation and negative results: "does not", "failed to", "no effect", "independently of" make a \
claim incorrect, and a `not:` claim correct. Effects of a loss (knockdown, deletion, inhibitor) \
count in reverse.
2. Hedging and hypotheses: questions, aims, predictions and mere possibilities are incorrect. \
"We found", "shows", "indicates" are correct, with less confidence where the authors are cautious.
3. Direction and who acts on whom: the subject must act on the object, not the other way round, \
and not another pair in the sentence. Complex and Association have no direction.
4. Families, members and complexes: a family or complex may stand for its member, unless the \
sentence singles out another member. A similar name, a receptor for its ligand, a promoter or mRNA \
for the protein, or another meaning of an acronym is a different entity.
5. Sites and activity kinds: site, state, modification, kind of activity and place must agree \
where the claim gives them. Activity (Activation, Inhibition) is not amount (IncreaseAmount, \
DecreaseAmount). A sentence may be more specific than the claim, not less.
6. Co-occurrence: being named, present, changed or located together is no relation.

Answer with one JSON object and nothing else: \
{"verdict": "correct" or "incorrect", "confidence": "high" or "medium" or "low"}"""

# Small models answer in prose to a prompt that ends with the sentence.
REMINDER = "Answer with the JSON object only."

VERDICT_SCHEMA: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "properties": {
            "verdict": {"type": "string", "enum": ["correct", "incorrect"]},
            "confidence": {"type": "string", "enum": ["high", "medium", "low"]},
        },
        "required": ["verdict", "confidence"],
        "additionalProperties": False,
    }
)

# An answer takes 20; the rest is for models that think first.
ANSWER_TOKENS = 256

_MOST_ALIASES = 6
_LONGEST_ALIAS = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class EvidencePrompt:
    """What is sent: `system` is the same for all sentences of a type, `user` is this one's own."""

    system: str
    user: str
    schema: Mapping[str, Any]


def evidence_prompt(
    statement: Any,  # noqa: ANN401
    evidence: Any,  # noqa: ANN401
    groundings: Iterable[Grounding | None] = (),
    *,
    bank: Sequence[ExamplePair] | None = None,
) -> EvidencePrompt:
    """The prompt for one sentence: rules, the type's examples; claim, aliases, sentence.

    `groundings` are what tier 1 found for the statement's agents; doubts are told to the model.
    """
    return claim_prompt(
        claim_text(statement, negated=is_negated(evidence)),
        kind=claim_type(statement),
        text=str(_get(evidence, "text") or ""),
        groundings=groundings,
        bank=bank,
    )


def claim_prompt(
    claim: str,
    *,
    kind: str,
    text: str,
    groundings: Iterable[Grounding | None] = (),
    bank: Sequence[ExamplePair] | None = None,
) -> EvidencePrompt:
    """The prompt for one sentence and a claim that stands as text, of a statement type."""
    text = " ".join(text.split())
    names = [line for one in groundings if one for line in _names(one, text)]
    system = _shared(kind) if bank is None else _system(choose_examples(kind, bank=bank))
    return EvidencePrompt(
        system=system,
        user="\n".join([f"Claim: {claim}", *dict.fromkeys(names), f"Sentence: {text}", REMINDER]),
        schema=VERDICT_SCHEMA,
    )


def is_negated(evidence: Any) -> bool:  # noqa: ANN401
    """Whether the reader took the sentence to deny the claim."""
    epistemics = _get(evidence, "epistemics")
    return bool(isinstance(epistemics, Mapping) and epistemics.get("negated"))


@cache
def _shared(kind: str) -> str:
    return _system(choose_examples(kind))


def _system(pairs: Sequence[ExamplePair]) -> str:
    shown = [_example(pair, place) for place, pair in enumerate(pairs)]
    return "\n\n".join([RULES, "Examples", *shown])


def _example(pair: ExamplePair, place: int) -> str:
    sides = [
        f"Sentence: {text}\n" + f'{{"verdict": "{verdict}", "confidence": "{confidence}"}}'
        for verdict, text, confidence in (
            ("correct", pair.correct, pair.confidence[0]),
            ("incorrect", pair.incorrect, pair.confidence[1]),
        )
    ]
    # In turn, so that no verdict is tied to a place.
    return "\n".join([f"Claim: {pair.claim}", *(sides if place % 2 == 0 else sides[::-1])])


def _names(found: Grounding, sentence: str) -> Iterable[str]:
    raw, name = (found.raw_text or "").strip(), found.claim_name
    aliases = _aliases(found, sentence)
    if aliases:
        yield f"Names: {name} is also {', '.join(aliases)}"
    if not raw or raw == name:
        return
    if found.status == "AMBIGUOUS":
        others = dict.fromkeys(one.name for one in found.rivals)
        yield f'Note: read from "{raw}", which may also mean {", ".join(list(others)[:3])}'
    elif found.status == "MISMATCH" and found.best is not None:
        yield f'Note: {name} was read from "{raw}", which mostly means {found.best.name}'
    elif fold_name(raw) not in map(fold_name, aliases):
        yield f'Note: {name} was read from "{raw}"'


def _aliases(found: Grounding, sentence: str) -> list[str]:
    """The names in the sentence first, then the shortest; long systematic ones are left out."""
    others: dict[str, str] = {}
    for name in sorted(found.names, key=lambda name: (len(name), name)):
        if len(name) <= _LONGEST_ALIAS and fold_name(name) != fold_name(found.claim_name):
            others.setdefault(fold_name(name), name)
    told = sorted(others.values(), key=lambda name: not is_mentioned([name], sentence))
    return told[:_MOST_ALIASES]


def _get(item: Any, name: str) -> Any:  # noqa: ANN401
    return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
